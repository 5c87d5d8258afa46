"""A comparison as people read it on a terminal: one sentence, then tables, removals before additions."""

from collections.abc import Iterator, Sequence
from typing import Literal

from dcgen.diff.model import Change, Diff, Effect, Sign, Verdict, What
from dcgen.units import spoken

Section = tuple[str, list[str], list[list[str]]]
"""Title, column names, rows of text."""

SITE = "site"
_TOLD = 3
_WIDE = 88
"""Characters of a property that are told in short."""
_KINDS = 12
"""Lines of a head's fields that are told in short."""
_WORK: tuple[tuple[What, str], ...] = (
    ("pulled", "to pull"),
    ("removed", "to take out"),
    ("repatched", "to re-patch"),
    ("replaced", "to replace"),
    ("lengthened", "to change for another length"),
    ("relabelled", "to relabel"),
)
"""What happens to cables -> what somebody has to do."""


def headline(diff: Diff) -> str:
    """The whole comparison in one sentence."""
    if diff.empty:
        return f"{_between(diff)}: no change"
    work = [f"{n:,} {said}" for what, said in _WORK if (n := diff.total(what))]
    said = [f"removes {_goods(diff, 'removed')}; adds {_goods(diff, 'added')}", f"cables: {', '.join(work) or 'none is touched'}"]
    said += [f"power, max {_changed(e)}" for e in diff.effects if (e.measure, e.subject) == ("power_max", SITE) and e.direction != "same"]
    broken = [f"`{v.text}`" for v in diff.verdicts if v.word == "broken"]
    said.append(f"{_number(len(broken), 'requirement')} broken: {', '.join(broken)}" if broken else "no requirement newly broken")
    return f"{_between(diff)}: {'; '.join(said)}"


def _between(diff: Diff) -> str:
    return f"{diff.before} → {diff.after}" if diff.before != diff.after else diff.after


def _goods(diff: Diff, what: Literal["removed", "added"]) -> str:
    """So many of each group, those that come inside a rack left out."""
    inside = {c.subject.split("[")[0] for c in diff.changes if c.within and "/" in c.within}
    found = [(getattr(d, what), d.group) for d in diff.devices if getattr(d, what) and d.group not in inside]
    if not found:
        return "no device"
    told = [f"{n:,} {group}" for n, group in found[:_TOLD]]
    rest = sum(n for n, _ in found[_TOLD:])
    return ", ".join(told) + (f" and {rest:,} in {_number(len(found) - _TOLD, 'other group')}" if rest else "")


def _number(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def sections(diff: Diff, whole: bool = False) -> list[Section]:
    """The tables; `whole` tells also what is a piece of something else, and measures of single groups."""
    made = [
        ("Changes", ["", "what", "number", "because"], [row for c in diff.changes if whole or not c.within for row in _change(c, whole)]),
        ("Cables", ["bundle", "before", "after", *(what for what, _ in _WORK), "kept"], [*_cables(diff)]),
        ("Labels to reprint", ["devices", "number", "before", "after"], [*_labels(diff)]),
        ("Requirements", ["", "requirement", "because"], [*_verdicts(diff.verdicts)]),
        ("Effects", ["measure", "of", "before", "after", "difference", ""], [_effect(e) for e in _told(diff.effects, whole)]),
        ("Findings", ["", "finding", "of", ""], [*_findings(diff)]),
        ("Bill of materials", ["", "part", "number", "length", "before", "after", "difference", "to order"], [*_bom(diff)]),
        ("Notes", ["", ""], [[n.what, n.fix] for n in diff.notes]),
    ]
    return [section for section in made if section[2]]


def _change(c: Change, whole: bool) -> Iterator[list[str]]:
    count = _number(c.count, c.unit.removesuffix("s")) if c.count else ""
    because = "; ".join(filter(None, ("" if c.written else c.why or "follows", c.hint)))
    subject = f"{c.subject}, was {c.was}" if c.was else c.subject
    subject = subject if c.kind in ("devices", "bundle", "cable") else f"{c.kind} {subject}" if c.kind != subject else subject
    yield [c.sign, subject, count, because]
    told = c.fields if whole else c.fields[:_KINDS]
    for f in told:
        text = field(f.name, f.before, f.after, c.sign)
        yield ["", "  " + (text if whole or len(text) <= _WIDE else f"{text[:_WIDE]}..."), "", ""]
    if len(c.fields) > len(told):
        yield ["", f"  and {len(c.fields) - len(told):,} more", "", ""]


def field(name: str, before: str, after: str, sign: Sign = "~") -> str:
    """`part: a → b`; of what is new or gone only the one value."""
    value = after or before if sign in "+-" else f"{before or 'nothing'} → {after or 'nothing'}"
    return f"{name}: {value}" if name else value


def _cables(diff: Diff) -> Iterator[list[str]]:
    for c in diff.cables:
        if c.touched and not c.factory:
            yield [c.bundle, *(f"{n:,}" for n in (c.before, c.after, *(getattr(c, what) for what, _ in _WORK), c.kept))]


def _labels(diff: Diff) -> Iterator[list[str]]:
    """Groups whose devices carry other labels, with what is printed."""
    for c in diff.changes:
        for f in c.fields:
            if f.name == "label" and f.before != f.after:
                yield [c.subject, f"{c.count:,}", f.before, f.after]
        if c.sign == ">" and c.kind == "devices" and not c.fields:
            yield [c.subject, f"{c.count:,}", c.was, c.subject]


def _verdicts(verdicts: Sequence[Verdict]) -> Iterator[list[str]]:
    rank = ("broken", "mended", "dropped", "changed", "added")
    for v in sorted((v for v in verdicts if v.word != "same"), key=lambda v: rank.index(v.word)):
        yield [v.word, f"{v.text}, was {v.was}" if v.was else v.text, v.what]


def _told(effects: Sequence[Effect], whole: bool) -> list[Effect]:
    """Measures that differ; in short, those of the site, and those that are better or worse."""
    return [e for e in effects if e.direction != "same" and (whole or e.subject == SITE or e.direction in ("better", "worse"))]


def _effect(e: Effect) -> list[str]:
    word = e.direction if e.direction in ("better", "worse") else ""
    return [e.measure, e.subject, _figure(e.before, e.unit, e.bound_before), _figure(e.after, e.unit, e.bound_after), difference(e), word]


def _figure(value: float | int | None, unit: str, bound: str) -> str:
    return "-" if value is None else bound + spoken(value, unit)


def difference(e: Effect) -> str:
    """After less before with its sign; nothing where one side has no figure."""
    return "" if e.delta is None else f"{'+' if e.delta > 0 else ''}{spoken(e.delta, e.unit)}"


def _changed(e: Effect) -> str:
    by = difference(e)
    return f"{_figure(e.before, e.unit, e.bound_before)} → {_figure(e.after, e.unit, e.bound_after)}" + (f" ({by})" if by else "")


def _findings(diff: Diff) -> Iterator[list[str]]:
    for word, found in (("gone", diff.gone), ("new", diff.new)):
        for f in found:
            yield [word, f"{f.severity} {f.code}", f.subject, f.what]


def _bom(diff: Diff) -> Iterator[list[str]]:
    for b in sorted(diff.bom, key=lambda b: b.after >= b.before):
        length = spoken(b.length_m, "m") if b.length_m else ""
        unit = "1" if b.unit == "each" else b.unit
        before, after, by = (spoken(n, unit) for n in (b.before, b.after, b.after - b.before))
        sign = "-" if not b.after else "+" if not b.before else "~"
        ordered = f"{spoken(b.order_before, unit)} → {spoken(b.order_after, unit)}" if b.order_before != b.order_after else ""
        yield [sign, b.part, b.part_number, length, before, after, f"+{by}" if b.after > b.before else by, ordered]
