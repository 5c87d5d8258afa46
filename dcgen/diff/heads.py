"""One line for a whole entry of `racks:` or `fabrics:` that is new, gone, renamed, or of which nothing stays."""

from collections.abc import Iterator
from typing import Literal

from dcgen.design import Design
from dcgen.design.moves import covers
from dcgen.diff.model import Change, Devices, Field
from dcgen.diff.things import Sides


def replaced(before: Design, after: Design, found: tuple[Devices, ...]) -> Iterator[str]:
    """Entries of both designs that are of another kind, or whose devices of several groups all go or are other parts."""
    for name in dict.fromkeys(d.group.split("/")[0] for d in found):
        old, new = (d.fabrics.get(name) for d in (before, after))
        mine = [d for d in found if covers(name, d.group)]
        stay = sum(d.kept - d.replaced for d in mine)
        several = sum(bool(d.before) for d in mine) > 1 and any(d.after for d in mine)
        if (old and new and old.kind != new.kind) or (several and not stay and any(d.before for d in mine)):
            yield name


def of_entries(sides: Sides, found: tuple[Devices, ...]) -> Iterator[Change]:
    """The heads under which `within` puts the single changes."""
    names = {n.split("/")[0]: None for d in (sides.after, sides.before) for n in (*d.groups, *d.fabrics)}
    for entry in names:
        fabric = sides.after.fabrics.get(entry) or sides.before.fabrics.get(entry)
        if sides.folded(entry) != entry:
            continue
        mine = [d for d in found if covers(entry, d.group)]
        here = [any(covers(entry, n) for n in (*d.groups, *d.fabrics)) for d in (sides.before, sides.after)]
        sign: Literal["-", "+", "~", ">"] = ">" if entry in sides.was and all(here) else "~" if all(here) else "+" if here[1] else "-"
        kind = "fabric" if fabric and fabric.origin[:1] != ("racks",) else "racks"
        origin = ("fabrics" if kind == "fabric" else "racks", entry)
        fields = tuple(_counts(mine)) if sign != ">" else ()
        old, new = sides.before.fabrics.get(entry), sides.after.fabrics.get(entry)
        if old and new and old.kind != new.kind:
            fields = (Field("kind", old.kind, new.kind), *fields)
        alone = [d for d in mine if not _inside(sides, d.group)]
        count = sum(d.kept if sign == ">" else max(d.before, d.after) for d in alone)
        yield Change(sign, kind, entry, count, "racks" if kind == "racks" else "devices", fields, True, sides.was.get(entry, ""), origin)


def _inside(sides: Sides, group: str) -> bool:
    found = sides.after.groups.get(group) or sides.before.groups.get(group)
    return bool(found and found.inside)


def _counts(mine: list[Devices]) -> Iterator[Field]:
    for d in mine:
        before, after = (f"{n:,} {part}" if n else "" for n, part in ((d.before, d.part_before), (d.after, d.part_after)))
        if before != after:
            yield Field(d.group, before, after)
