"""Patterns of labels: text with fields in braces, `{su:02}`; which fields there are, and what a device's label comes to."""

import re
from collections.abc import Iterator, Mapping
from string import Formatter

from dcgen.design.model import DeviceGroup
from dcgen.design.procurement import Labels
from dcgen.naming import label
from dcgen.parts.base import coordinates

_WIDTH = re.compile(r"(0[1-9])?")
OF_AN_END = ("near", "near_rack", "near_unit", "near_device", "near_label", "near_port")
OF_A_CABLE = (
    *OF_AN_END, *(f"far{n.removeprefix('near')}" for n in OF_AN_END), "cable", "fabric", "layer", "part", "length", "phase", "colour",
)  # fmt: skip
"""Fields of one end of a cable. `near` is rack, unit and port where the unit is known, else device and port."""

STYLES = {
    "tia-606": "{near} / {far}",
    "devices": "{near_device}:{near_port} > {far_device}:{far_port}",
    "cable": "{cable}",
}
"""Styles of cable labels that have a name; `tia-606` prints the near end, then the far one, as ANSI/TIA-606 does."""


def fields(pattern: str) -> list[tuple[str, str, str]]:
    """(text before, field, width) of every field; what is left at the end has an empty field.

    Raises:
        ValueError: braces that do not close, or something in them that is no field.

    >>> fields("{rail:02}-x")
    [('', 'rail', '02'), ('-x', '', '')]
    """
    out = []
    try:
        pieces = list(Formatter().parse(pattern))
    except ValueError:
        raise ValueError("a brace has no partner") from None
    for text, name, width, conversion in pieces:
        if name is not None and (conversion or not name or not _WIDTH.fullmatch(width or "")):
            raise ValueError(f"`{{{name}{':' if width else ''}{width or ''}}}` is no field; a number takes a width, as in `{{su:02}}`")
        if any(not sign.isprintable() for sign in text):
            raise ValueError("it holds a sign that no printer prints")
        out.append((text, name or "", width or ""))
    return out


def device_label(pattern: str, group: DeviceGroup, at: Mapping[str, int]) -> str:
    """What is printed on one device: the pattern filled in; without a pattern its name.

    Raises:
        KeyError: a field that this group does not have.
    """
    return pattern.format_map(said(group) | {"name": label(group.name, at)} | dict(at)) if pattern else label(group.name, at)


def said(group: DeviceGroup) -> dict[str, str | int]:
    """The fields of a group that are the same for all its devices: its own name, its fabric or entry, its role."""
    entry, _, own = group.name.rpartition("/")
    return {"group": own, "fabric": group.fabric or entry, "role": group.role}


def pattern_of(labels: Labels, group: DeviceGroup) -> str:
    """The pattern for the devices of a group: its own, that of its entry or fabric, that of all, or an empty text."""
    entry = group.name.split("/")[0]
    return next((labels.device[key] for key in (group.name, entry, "") if key in labels.device), "")


def device_labels(pattern: str, group: DeviceGroup) -> Iterator[str]:
    """Labels of all declared devices of a group, in the order of their coordinates."""
    for at in coordinates(group.sizes):
        yield device_label(pattern, group, at)
