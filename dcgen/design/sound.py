"""A saved design taken at its word only after it was read through: text that came from outside may say anything."""

import re
from math import prod

from dcgen.design.model import Design
from dcgen.design.save import load
from dcgen.design.wiring import agreed, links, port_orders
from dcgen.diagnostics import Diagnostic, Rejected, Where

MOST = 50_000_000
"""Devices or cables of a saved design beyond which nothing is computed from it."""

_NAME = re.compile(r"\w[\w@.,=+-]{0,199}")


def loaded(content: bytes, name: str) -> Design:
    """The design of a file's content; `name` is what messages call the file.

    Raises:
        Rejected: `bad-design` for what is no design or contradicts itself, `too-big` for one beyond the limits.
    """
    try:
        design = load(content.decode("utf-8"))
        large = _size(design)
        if large <= MOST:
            _read_through(design)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, AssertionError, RecursionError) as error:
        said = " ".join(str(error).split())[:200] or type(error).__name__
        fix = "build the blueprint again with this version, and name the blueprint or the `design.json` that was written"
        raise Rejected([Diagnostic("bad-design", f"`{name}` is no saved design that can be read", said, fix, where=Where(name))]) from None
    if large > MOST:
        what = f"`{name}` has {large:,} devices of one group or links of one bundle"
        raise Rejected([Diagnostic("too-big", what, f"at most {MOST:,} are computed with", where=Where(name))])
    return design


def _size(design: Design) -> int:
    found = [prod(g.rulers.values()) for g in design.groups.values()]
    for join in (j for j in design.bundles if all(e.group in design.groups for e in j.ends)):
        _, _, size = agreed(design, join)
        found.append(prod(size.values()) if join.pairs is None else len(getattr(join.pairs, "rows", ())))
    return max(found, default=0)


def _read_through(design: Design) -> None:
    """Ask every group and bundle for what everything else asks of them."""
    if not _NAME.fullmatch(design.name):
        raise ValueError(f"`{design.name[:80]}` is not the name of a design")
    for name, group in design.groups.items():
        if name != group.name or any(a.size < 0 or a.room < 0 for a in group.axes) or any(s.group != name for s in group.absent):
            raise ValueError(f"the group {name} does not fit its own record")
        design.part(name)
        assert group.count >= 0
    for join in design.bundles:
        if missing := [e.group for e in join.ends if e.group not in design.groups]:
            raise ValueError(f"{join.name} ends on a group `{missing[0]}`, which is not there")
        a, b, _ = agreed(design, join)
        port_orders(join, a, b)
        for end in join.ends if join.field_cabled else ():
            if end.block.name not in design.part(end.group).port_groups() or end.block.split < 1 or end.block.lanes < 1:
                raise ValueError(f"{join.name}: {end.group} has no ports `{end.block.name}` that run so")
        links(design, join)
