"""Reads the design before in the names of the design after, as `moved:` lines say; what is not declared is not renamed."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from dcgen.analysis import Analysis
from dcgen.design import Design
from dcgen.design.kept import Shift
from dcgen.design.moves import Move, covers, read_move
from dcgen.design.region import carve, meet
from dcgen.diagnostics import Diagnostic, Path, Rejected, did_you_mean
from dcgen.diff.renamed import Names, renamed
from dcgen.naming import Selector


@dataclass(frozen=True)
class Before:
    """The analysis before, in the names of the one after.

    `was` leads from names of groups, fabrics, entries and bundles that changed to what they were; `shifts` are by group; `notes` say
    which lines had nothing left to do; `names` are the new ones.
    """

    analysis: Analysis
    was: dict[str, str] = field(default_factory=dict)
    shifts: dict[str, tuple[Shift, ...]] = field(default_factory=dict)
    notes: tuple[Diagnostic, ...] = ()
    names: Names = field(default_factory=lambda: Names({}))


def in_new_names(before: Analysis, after: Design) -> Before:
    """The analysis before, called as the design after calls things.

    Raises:
        Rejected: a line about something that the design before has not got, or that moves devices onto others.
    """
    done = {(m.was, m.now) for m in before.design.moved}
    moves: list[tuple[Move, Path]] = []
    notes, problems = [], []
    for line in after.moved:
        move = read_move(line)
        old, new = (_there(before.design, move, side) for side in (0, 1))
        if (line.was, line.now) in done or (new and not old):
            what = f"`moved:` from `{line.was}` to `{line.now}` is done already"
            fix = "the line may be taken out"
            notes.append(Diagnostic("unknown-moved", what, "the version before has the new name", fix, "info", origin=line.origin))
        elif old:
            moves.append((move, line.origin))
        else:
            problems.append(_unknown(before.design, line.was, (*line.origin, "from")))
    if problems:
        raise Rejected(problems)
    prefixes = {m.was.group: m.now.group for m, _ in moves if not m.axes and not m.was.ranges}
    prefixes |= _of_entries(before.design, after, prefixes)
    names = Names(prefixes, tuple((m.was.group, *m.axes) for m, _ in moves if m.axes))
    if not moves:
        return Before(before, notes=tuple(notes))
    was = {new_: n for n in _all_names(before.design) if (new_ := names.name(n)) != n}
    return Before(renamed(before, names), was, _shifts(before.design, moves, names), tuple(notes), names)


def _there(design: Design, move: Move, side: int) -> bool:
    """Whether the design has what a line names as old (side 0) or new (1)."""
    named = (move.was, move.now)[side]
    high = {move.axes[side]: 0} if move.axes else {a: h for a, _, h in named.ranges}
    groups = [g for n, g in design.groups.items() if covers(named.group, n)]
    return any(all(h < g.sizes.get(a, 0) for a, h in high.items()) for g in groups)


def _unknown(design: Design, was: str, at: Path) -> Diagnostic:
    known = _all_names(design)
    why = "`from` is what a thing was called in the version before"
    return Diagnostic("unknown-moved", f"there was no `{was}` in the version before", why, did_you_mean(was, known), origin=at)


def _all_names(design: Design) -> list[str]:
    """Entries, groups, fabrics and bundles."""
    entries = [n.split("/")[0] for n in design.groups]
    return list(dict.fromkeys([*entries, *design.groups, *design.fabrics, *(b.name for b in design.bundles)]))


def _of_entries(old: Design, after: Design, prefixes: Mapping[str, str]) -> dict[str, str]:
    """Fabrics that come with an entry of racks and are called after it: they are renamed with it."""
    out: dict[str, str] = {}
    for n, fabric in old.fabrics.items():
        entry = str(fabric.origin[1]) if fabric.origin[:1] == ("racks",) and len(fabric.origin) > 1 else ""
        if entry in prefixes and n not in prefixes:
            here = [m for m, f in after.fabrics.items() if f.kind == fabric.kind and f.origin[:2] == ("racks", prefixes[entry])]
            out |= {n: here[0]} if len(here) == 1 else {}
    return out


def _shifts(old: Design, moves: list[tuple[Move, Path]], names: Names) -> dict[str, tuple[Shift, ...]]:
    """Where devices have gone, by the new name of their group.

    Raises:
        Rejected: devices would stand where others do.
    """
    out: dict[str, tuple[Shift, ...]] = {}
    for move, at in moves:
        for n in (n for n, g in old.groups.items() if move.by and covers(move.was.group, n) and set(move.was.box) <= set(g.sizes)):
            by = {names.axis(n, a): step for a, step in move.by.items()}
            out[names.name(n)] = (*out.get(names.name(n), ()), (names.selector(Selector(n, move.was.ranges)), by))
            if onto := _onto_others(old, n, [m for m, _ in moves if covers(m.was.group, n)], move):
                what = f"`moved:` puts devices of `{n}` where others stand: {onto}"
                raise Rejected([Diagnostic("bad-moved", what, fix="say where these went in a line of its own", origin=at)])
    return out


def _onto_others(old: Design, group: str, moves: list[Move], move: Move) -> str:
    """The first place that devices are moved to while others stay there."""
    here = old.groups[group]
    for box in here.boxes:
        if target := meet(box, move.now.box):
            gone = [m.was.box for m in moves if m.by and set(m.was.box) <= set(here.sizes)]
            for staying in carve(target, gone):
                return str(Selector(group, tuple((a, r.start, r.stop - 1) for a, r in staying.items() if r != here.full[a])))
    return ""
