"""Whether devices that stay carry another label: another pattern, or another name in it."""

from dcgen.design import Design, DeviceGroup
from dcgen.design.patterns import fields, pattern_of, said
from dcgen.naming import label


def same_labels(before: Design, old: DeviceGroup, after: Design, new: DeviceGroup) -> bool:
    """Whether every device of both groups prints the same, coordinates being equal; both groups in their own designs' names."""
    pattern = pattern_of(before.labels, old)
    if pattern != pattern_of(after.labels, new):
        return False
    plain = (label(old.name, {}), list(old.sizes)) == (label(new.name, {}), list(new.sizes))
    used = {name for _, name, _ in fields(pattern)} if pattern else {"name"}
    one, other = said(old), said(new)
    own = {name for name in used if name not in (*one, "name")}
    return (plain or "name" not in used) and all(one[n] == other[n] for n in used & set(one)) and own <= set(old.sizes) & set(new.sizes)


def printed(design: Design, group: DeviceGroup) -> str:
    """How a label of the group looks, for people: its pattern, or its name with the axes in braces."""
    pattern = pattern_of(design.labels, group)
    return pattern or "-".join([label(group.name, {}), *(f"{axis}{{{axis}}}" for axis in group.sizes)])
