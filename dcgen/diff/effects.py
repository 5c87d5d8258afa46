"""What a change does: measures before and after, requirements, findings and the bill of materials."""

from collections import Counter
from collections.abc import Iterator
from typing import Literal

from dcgen.analysis import Analysis, Measure
from dcgen.analysis.better import better
from dcgen.design import Design, Requirement
from dcgen.diagnostics import Diagnostic
from dcgen.diff.model import BomLine, Direction, Effect, Verdict
from dcgen.tables.bom import KEY, bom_lines
from dcgen.units import rounded

DECIMALS = 3
"""Decimals to which a figure in its unit is told; what differs beyond them does not differ."""
_NOISE = 1e-9


def effects(before: Analysis, after: Analysis) -> Iterator[Effect]:
    """Every measure of either, those after first, in their order."""
    old, new = ({(m.measure, m.subject): m for m in a.measures} for a in (before, after))
    for key in dict.fromkeys([*new, *old]):
        a, b = old.get(key), new.get(key)
        one = b or a
        assert one is not None
        yield Effect(
            *key,
            one.unit,
            None if a is None else _plain(a.value),
            None if b is None else _plain(b.value),
            _direction(a, b),
            "" if a is None else a.bound,
            "" if b is None else b.bound,
            one.method,
        )


def _plain(value: float | int) -> float | int:
    """Without the noise of binary fractions, and never -0."""
    exact = rounded(value, 9)
    return int(exact) if exact == exact.to_integral() else float(exact)


def equal(a: float, b: float) -> bool:
    """Whether two figures are told as the same."""
    return a == b or rounded(a, DECIMALS) == rounded(b, DECIMALS) or abs(a - b) <= _NOISE * max(abs(a), abs(b))


def _direction(a: Measure | None, b: Measure | None) -> Direction:
    if a is None or b is None or a.unit != b.unit:
        return "different"
    if equal(a.value, b.value):
        return "same" if a.bound == b.bound else "different"
    wanted = better(b.measure)
    rises = b.value > a.value
    # an unknown part hides some of a figure: less of it known after is no sign that there is less
    hidden = (b.unknown - a.unknown) * (-1 if b.falls else 1)
    if not wanted or (hidden < 0 if rises else hidden > 0):
        return "different"
    return "better" if rises == (wanted == "higher") else "worse"


def verdicts(before: Analysis, after: Analysis) -> Iterator[Verdict]:
    """Every requirement and expectation of either, those after first.

    One is the same when it asks for the same measure of the same subject in the same way; the bound may differ.
    """
    old, new = (_numbered(a.design) for a in (before, after))
    wrong = [
        {f.origin: f for f in reversed(a.findings) if f.severity == "error" and f.origin[:1] in (("require",), ("expect",))}
        for a in (before, after)
    ]
    for key in dict.fromkeys([*new, *old]):
        a, b = old.get(key), new.get(key)
        now = b or a
        assert now is not None
        found = wrong[1].get(b.origin) if b else None
        changed = a is not None and b is not None and (a.bound, a.unit) != (b.bound, b.unit)
        yield Verdict(
            asked(now),
            _state(a, wrong[0].get(a.origin) if a else None),
            _state(b, found),
            asked(a) if changed and a else "",
            found.what if found else "",
            now.origin,
        )


def asked(wanted: Requirement) -> str:
    """What is asked, as it is written; of an expectation with its figure."""
    return f"{wanted.text}: {wanted.bound:g}" if wanted.expected else wanted.text


def _numbered(design: Design) -> dict[tuple[object, ...], Requirement]:
    """Requirements by what they ask for; one that is asked twice is told apart by its number among these."""
    seen: Counter[tuple[object, ...]] = Counter()
    out: dict[tuple[object, ...], Requirement] = {}
    for r in design.requirements:
        key = (r.measure, r.subject, r.op, r.expected)
        out[*key, seen[key]] = r
        seen[key] += 1
    return out


def _state(wanted: Requirement | None, found: Diagnostic | None) -> Literal["", "holds", "broken"]:
    return "" if wanted is None else "broken" if found else "holds"


def findings(before: Analysis, after: Analysis) -> tuple[tuple[Diagnostic, ...], tuple[Diagnostic, ...]]:
    """(new findings, findings that are gone); one is the same when its code, subject and severity are. Requirements are told apart."""
    old, new = ([f for f in a.findings if f.origin[:1] not in (("require",), ("expect",))] for a in (before, after))
    return tuple(_beyond(new, old)), tuple(_beyond(old, new))


def _beyond(these: list[Diagnostic], those: list[Diagnostic]) -> Iterator[Diagnostic]:
    left = Counter(map(_key, those))
    for f in these:
        if left[_key(f)]:
            left[_key(f)] -= 1
        else:
            yield f


def _key(f: Diagnostic) -> tuple[str, str, str]:
    return f.code, f.subject, f.severity


def bom(before: Design, after: Design) -> Iterator[BomLine]:
    """Lines whose quantity, or what is left to order of them, differs, in the order of the bill of materials."""
    old, new = ({tuple(line[k] for k in KEY): line for line in bom_lines(d)} for d in (before, after))
    for key in dict.fromkeys([*new, *old]):
        one = new.get(key) or old[key]
        quantity, order = (
            [_plain(lines[key][what] or 0) if key in lines else 0 for lines in (old, new)] for what in ("quantity", "to_order")
        )
        if not (equal(*quantity) and equal(*order)):
            length, number = one["length_m"], one["part_number"] or ""
            about = one["part"], number, one["kind"], None if length is None else float(length), one["bought"], one["unit"]
            yield BomLine(*about, *quantity, *order)
