"""One design in a pull request, piece by piece: what a reviewer asks first comes first, and each piece can be had in short."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from dcgen.analysis.model import Analysis
from dcgen.diagnostics import Diagnostic, in_order
from dcgen.diff.model import Diff, Effect, Verdict
from dcgen.render.markdown import code, prose, table
from dcgen.render.model import digest
from dcgen.render.review_work import finding, goods, work_in_all, work_lists
from dcgen.render.room import Room
from dcgen.render.wording import count, measure_name
from dcgen.units import rounded, spoken

SITE = "site"
FIRST = ("gpus", "racks", "switches", "cables", "cost", "power_max")
"""Measures of the whole site that stand first in the table of figures."""
COLUMNS = ("figure", "before", "after", "change", "")
MOST_FIGURES = 14
"""Rows of that table; the others are folded."""


@dataclass(frozen=True)
class Review:
    """One blueprint in a pull request: what changes, or why that cannot be said.

    `name` is its file or design. A side that cannot be read is None, and `problems` say why.
    """

    name: str
    diff: Diff | None = None
    before: Analysis | None = None
    after: Analysis | None = None
    problems: tuple[Diagnostic, ...] = ()

    @property
    def silent(self) -> bool:
        """Whether there is nothing to say about it."""
        return not self.problems and (self.diff is None or self.diff.empty)

    @property
    def titles(self) -> dict[str, str]:
        """What the parts of both designs are."""
        return {name: part.title for side in (self.before, self.after) if side for name, part in side.design.parts.items()}

    @property
    def digests(self) -> tuple[str, str]:
        """The designs before and after in 16 digits, as in their reports; `none` where there is nothing."""
        before, after = (digest(side.design) if side and side.design.groups else "none" for side in (self.before, self.after))
        return before, after


def headline(diff: Diff) -> str:
    """What is broken, bought, taken out and re-cabled, in a sentence or two."""
    parts = []
    if broken := sum(v.word == "broken" for v in diff.verdicts):
        parts.append(f"**{count(broken, 'requirement')} broken.**")
    if errors := sum(d.severity == "error" and not d.code.endswith("-broken") for d in diff.new):
        parts.append(f"**{count(errors, 'design rule')} broken.**")
    deltas = {e.measure: e.delta or 0 for e in _changed(diff) if e.subject == SITE}
    things = [(word, deltas.get(m, 0)) for m, word in (("gpus", "GPU"), ("racks", "rack"), ("switches", "switch"))]
    for verb, sign in (("Removes", -1), ("Adds", 1)):
        said = [count(int(abs(n)), word, "switches" if word == "switch" else "") for word, n in things if n * sign > 0]
        parts += [f"{verb} {listed(said)}."] if said else []
    if replaced := sum(d.replaced for d in diff.devices):
        parts.append(f"Replaces {count(replaced, 'device')} by another part.")
    work = work_in_all(diff)
    parts += [f"Cables: {', '.join(f'{word} {n:,}' for word, n in work)}."] if work else []
    for verb, sign in (("Not needed any more", -1), ("To buy", 1)):
        said = goods(diff, sign)
        parts += [f"{verb}: {listed(said)}."] if said else []
    power = next((e for e in _changed(diff) if (e.measure, e.subject) == ("power_max", SITE)), None)
    known = ", of parts that have a figure" if power and (power.bound_before or power.bound_after) else ""
    parts += [f"Power, maximum: {_delta(power)}{known}."] if power and power.delta else []
    renamed = [c for c in diff.changes if c.sign == ">" and not c.within]
    parts += (
        [f"Renames {listed([f'{code(c.was)} to {code(c.subject)}' for c in renamed[:3]])}{' and more' * (len(renamed) > 3)}."]
        if renamed
        else []
    )
    if not (any(n for _, n in things) or replaced or diff.bom or any(word != "relabel" for word, _ in work)):
        parts.append("Nothing is bought, taken out or re-cabled.")
    return " ".join(parts)


def pieces(review: Review, room: Room) -> list[str]:
    """Everything about one design, as lines of Markdown, without its heading."""
    if review.diff is None:
        return [*_problems(review, room)]
    diff = review.diff
    out = [headline(diff), "", *_verdicts(diff, room), *_figures(diff, room)]
    if not room.lists:
        return [*out, room.left_out(0), ""]
    return [*out, *work_lists(diff, review.titles, room), *_other_figures(diff, room)]


def least_lines(review: Review, room: Room) -> int:
    """A lower bound of the lines that `pieces` gives, without making them."""
    if review.diff is None:
        return 0
    d = review.diff
    lists = (d.bom, d.new, d.gone, [c for c in d.changes if room.pieces or not c.within], [x for x in d.devices if x.touched])
    return sum(len(things) if room.lines is None else min(len(things), room.lines) for things in lists)


def _problems(review: Review, room: Room) -> Iterable[str]:
    known, side_known = ("before", review.before) if review.before else ("after", review.after)
    broken = {"before": "after", "after": "before"}[known] if side_known else ""
    side = f"as it is **{broken} the change**" if broken else "on **both sides**"
    yield from (f"**Not compared:** the blueprint cannot be read {side}.", "")
    yield from room.items(in_order(review.problems), finding)
    yield ""
    site = [m for name in FIRST for m in (side_known.measures if side_known else ()) if (m.measure, m.subject) == (name, SITE)]
    if site:
        rows = [[measure_name(m.measure), m.bound + spoken(m.value, m.unit)] for m in site]
        yield from (table(["", f"{known} the change"], rows, right=[1]), "")


# ---------------------------------------------------------------------- what holds, and what it comes to
def _verdicts(diff: Diff, room: Room) -> list[str]:
    """Requirements, broken ones first; those that hold as before are left out."""
    rank = ("broken", "changed", "dropped", "mended", "added")
    told = sorted((v for v in diff.verdicts if v.word in rank), key=lambda v: rank.index(v.word))
    if not told:
        return []
    return ["**Requirements**", "", *room.items(told, _verdict), ""]


def _verdict(v: Verdict) -> str:
    """`✘ **broken**: oversubscription(backend) <= 1 (held before): oversubscription(backend/leaf) is 2`."""
    sign = "✘" if v.after == "broken" else "✔" if v.after == "holds" else "–"
    said = {"broken": "**broken**", "mended": "mended", "added": "new", "dropped": "dropped", "changed": "changed"}[v.word]
    before = {"holds": "held before", "broken": "did not hold before", "": "not asked before"}[v.before]
    notes = [f"was {code(v.was)}" if v.was else "", before, "still broken" if v.before == v.after == "broken" else ""]
    what = v.what.removeprefix(f"`{v.text}`").removeprefix(" does not hold").lstrip(": ")
    found = f": {prose(what)}" if what and v.after == "broken" else ""
    return f"{sign} {said}: {code(v.text)} ({', '.join(filter(None, notes))}){found}"


def _figures(diff: Diff, room: Room) -> list[str]:
    """The figures of the whole that change, and those of parts that get worse or better."""
    first = _first(diff)
    return [*room.rows(COLUMNS, first, _row, [1, 2, 3]), ""] if first else []


def _changed(diff: Diff) -> list[Effect]:
    return [e for e in diff.effects if e.direction != "same"]


def _first(diff: Diff) -> list[Effect]:
    """Counts of the whole, then what gets worse, then what gets better; shares of another figure are left to the others."""
    changed = _changed(diff)
    names = {e.measure for e in diff.effects}
    site = [e for e in changed if e.subject == SITE]
    counted = sorted((e for e in site if e.measure in FIRST), key=lambda e: FIRST.index(e.measure))
    rest = [e for e in changed if not (e.subject == SITE and (e.measure in FIRST or _is_share(e.measure, names)))]
    return [*counted, *(e for word in ("worse", "better") for e in rest if e.direction == word)][:MOST_FIGURES]


def _is_share(measure: str, names: Collection[str]) -> bool:
    """Whether it is a part of another measure, such as `power_max_network` of `power_max`."""
    return any(measure.startswith(f"{name}_") for name in names)


def _row(e: Effect) -> list[str]:
    subject = "" if e.subject == SITE else f" of {code(e.subject, cell=True)}"
    sides = [_side(v, e.unit, bound) for v, bound in ((e.before, e.bound_before), (e.after, e.bound_after))]
    return [f"{measure_name(e.measure)}{subject}", *sides, _delta(e), {"worse": "✘ worse", "better": "✔ better"}.get(e.direction, "")]


def _side(value: float | int | None, unit: str, bound: str) -> str:
    return "–" if value is None else bound + spoken(value, unit)


def _delta(e: Effect) -> str:
    """`+132 kW (+8.3 %)`; without a figure on one side, whether it is new or gone."""
    delta = e.delta
    if delta is None or e.before is None:
        return "new" if e.before is None else "gone"
    share = rounded(100 * delta / abs(e.before), 1) if e.before else None
    percent = f"{share:+,f} %" if share else ""
    said = spoken(abs(delta), e.unit)
    if said.startswith("0") and not rounded(delta, 3):  # too small for three decimals
        return percent or "±0"
    return f"{'+' if delta > 0 else '-'}{said}{f' ({percent})' if percent else ''}"


def _other_figures(diff: Diff, room: Room) -> list[str]:
    shown = set(map(id, _first(diff)))
    others = [e for e in _changed(diff) if id(e) not in shown]
    return room.folded_rows(f"Other figures: {len(others):,}", COLUMNS, others, _row, [1, 2, 3])


def listed(words: Sequence[str]) -> str:
    """`a, b and c`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
