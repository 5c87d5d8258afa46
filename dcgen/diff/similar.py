"""Guesses that something was renamed and nobody said so; a guess is told, never acted on."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from dcgen.analysis import Analysis
from dcgen.design import Design, Join, Moved
from dcgen.design.kept import comparable
from dcgen.design.moves import covers
from dcgen.diagnostics import Rejected
from dcgen.diff.bundles import bundle_pairs, of_pair
from dcgen.diff.groups import devices
from dcgen.diff.model import Change
from dcgen.diff.moved import in_new_names

_ALIKE = 0.5
"""Less than this in common is no rename."""
_MOST_PAIRS = 16


def hinted(before: Analysis, after: Analysis, changes: Iterable[Change]) -> Iterator[Change]:
    """The changes, with a hint at entries and axes that look like one thing under two names."""
    told = list(changes)
    hints = _of_entries(before, after.design, told)
    for c in told:
        hint = hints.get((c.sign, c.subject), "") or _of_axis(before, after.design, c)
        yield replace(c, hint=hint) if hint else c


def _of_entries(before: Analysis, after: Design, told: list[Change]) -> dict[tuple[str, str], str]:
    """(sign, entry) -> hint, for entries that are gone and those of the same kind that are new."""
    gone, come = ([c for c in told if c.sign == sign and c.kind in ("fabric", "racks")] for sign in "-+")
    hints: dict[tuple[str, str], str] = {}
    for one in gone if len(gone) * len(come) <= _MOST_PAIRS else ():
        found = [(similarity(before, after, one.subject, c.subject), c.subject) for c in come if c.kind == one.kind]
        share, other = max(found, key=lambda f: f[0], default=(0.0, ""))
        if share >= _ALIKE:
            said = f"similarity {int(100 * share)} %; `moved: [{{from: {one.subject}, to: {other}}}]` would say so"
            hints["-", one.subject] = f"looks like a rename to `{other}`, {said}"
            hints["+", other] = f"looks like a rename of `{one.subject}`, {said}"
    return hints


def _of_axis(before: Analysis, after: Design, change: Change) -> str:
    """A hint at a group of which nothing stays because one of its axes has another name."""
    name = next((n for n in after.groups if covers(change.subject, n)), "")
    old, new = before.design.groups.get(name), after.groups.get(name)
    told = change.sign == "~" and change.kind in ("devices", "racks", "fabric")
    if not told or not old or not new or comparable(old, new) or len(old.axes) != len(new.axes):
        return ""
    entry = change.subject.partition("/")[0]
    pairs = [(f"{entry}[{a.name}]", f"{entry}[{b.name}]") for a, b in zip(old.axes, new.axes, strict=True) if a.name != b.name]
    share = similarity(before, after, *pairs[0]) if len(pairs) == 1 else 0.0
    if share < _ALIKE:
        return ""
    was, now = pairs[0]
    return f"looks like a rename of an axis, similarity {int(100 * share)} %; `moved: [{{from: '{was}', to: '{now}'}}]` would say so"


def similarity(before: Analysis, after: Design, was: str, now: str) -> float:
    """Devices in common if one thing were the other one renamed, with the cables between them, as a share of those of the larger."""
    asked, entry = replace(after, moved=(*after.moved, Moved(was, now))), now.partition("[")[0]
    try:
        known = in_new_names(replace(before, design=replace(before.design, moved=())), asked)
    except Rejected:
        return 0.0
    mine = [d for d in devices(known, before.design, after) if covers(entry, d.group)]
    pairs = [(a, b) for a, b in bundle_pairs(known.analysis.design, after) if any(j and _touches(j, entry) for j in (a, b))]
    links = [of_pair(known, after, a, b) for a, b in pairs if "[" not in now]  # of an axis the other end has not been renamed
    common = sum(d.kept - d.replaced for d in mine) + sum(c.kept + c.relabelled for c in links)
    whole = max(sum(getattr(x, side) for x in (*mine, *links)) for side in ("before", "after"))
    return common / whole if whole else 0.0


def _touches(join: Join, entry: str) -> bool:
    return join.fabric == entry or any(covers(entry, e.group) for e in join.ends)
