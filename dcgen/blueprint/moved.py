"""Reads `moved:`: what had another name, or other coordinates, in the version before. It changes nothing in the design."""

from collections.abc import Iterator

from pydantic import Field

from dcgen.design import Moved
from dcgen.design.moves import Move, covers, read_move
from dcgen.diagnostics import Path, did_you_mean
from dcgen.fabric import Site
from dcgen.naming import SelectorError
from dcgen.parts.fields import Strict, Text


class Renamed(Strict):
    """One thing that is not new: it was called `from` before."""

    from_: Text = Field(alias="from")
    to: Text


def moves(written: list[Renamed], site: Site) -> Iterator[Moved]:
    """The lines as they are kept in the design; what does not parse, points at nothing or contradicts another line is said."""
    seen: dict[tuple[str, str], int] = {}
    for i, line in enumerate(written):
        at: Path = ("moved", i)
        moved = Moved(line.from_, line.to, at)
        try:
            move = read_move(moved)
        except SelectorError as e:
            site.say("bad-moved", e.what, fix=e.fix, origin=at)
            continue
        for key, text in (("from", line.from_), ("to", line.to)):
            if (key, text) in seen:
                what = f"two lines say `{key}: {text}`"
                site.say("bad-moved", what, f"it is said in line {seen[key, text] + 1} of `moved:` already", "take one out", origin=at)
            seen[key, text] = i
        if fault := _unknown(move, site):
            what, fix = fault
            site.say("unknown-moved", what, "`to` is what a thing is called in this file", fix, origin=(*at, "to"))
        yield moved


def _unknown(move: Move, site: Site) -> tuple[str, str] | None:
    """(what is wrong, fix) where the new name points at nothing in this blueprint."""
    name = move.now.group
    groups = [g for n, g in site.groups.items() if covers(name, n)]
    if not groups:
        return f"there is no `{name}` in this blueprint", did_you_mean(
            name, dict.fromkeys([*(n.split("/")[0] for n in site.groups), *site.groups])
        )
    sizes = {axis: max(g.sizes.get(axis, 0) for g in groups) for g in groups for axis in g.sizes}
    for axis in [move.axes[1]] if move.axes else [a for a, _, _ in move.now.ranges]:
        if axis not in sizes:
            return f"`{move.now}` has no axis `{axis}`", did_you_mean(axis, sizes)
    for axis, low, high in move.now.ranges:
        if high >= sizes[axis]:
            said = str(low) if low == high else f"{low}..{high}"
            return f"`{axis}` of `{name}` runs from 0 to {sizes[axis] - 1}, not to {said}", "correct the coordinates"
    return None
