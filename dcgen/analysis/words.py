"""Requirements that name a measure by several words: `latency(backend, p99, one_way)` asks for `latency_p99_one_way`."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

from dcgen.analysis.model import Measure
from dcgen.design.model import Requirement
from dcgen.units import IN_BASE

ONE_WAY, BOTH_WAYS = "one_way", "rtt"


def spelt(measures: Sequence[Measure], wanted: Requirement) -> tuple[tuple[Measure, ...], Requirement]:
    """The measures and the requirement with the words after the subject put into the name, in whatever order; else both as they are.

    A round trip is twice the way there: both directions run over the same kinds of links.
    """
    known = tuple(measures)
    if "[" in wanted.subject or not (wanted.subject.count(",") or wanted.measure.endswith(f"_{BOTH_WAYS}")):
        return known, wanted
    subject, *words = (w.strip() for w in wanted.subject.split(","))
    names = {m.measure for m in known}
    for order in permutations(words[:4]):
        name = "_".join((wanted.measure, *order))
        there = name.replace(f"_{BOTH_WAYS}", f"_{ONE_WAY}")
        if there in names:
            known += tuple(_doubled(m, name) for m in known if m.measure == there) if name != there else ()
            return known, replace(wanted, measure=name, subject=subject)
    return known, wanted


def _doubled(m: Measure, name: str) -> Measure:
    return replace(m, measure=name, value=2 * m.value, method=f"twice the way there: {m.method}")


def words_of(name: str, names: Sequence[str], subject: str) -> str:
    """The fix for a measure that needs more words: how those that begin with its name are written."""
    longer = [n.removeprefix(f"{name}_").replace(f"_{ONE_WAY}", f", {ONE_WAY}") for n in names if n.startswith(f"{name}_")]
    if not longer:
        return ""
    first = subject.split(",", maxsplit=1)[0].strip()
    also = f"; `{BOTH_WAYS}` in place of `{ONE_WAY}` is there and back" if any(w.endswith(ONE_WAY) for w in longer) else ""
    return f"write {' or '.join(f'`{name}({first}, {w})`' for w in longer[:6])}{also}"


def in_unit_of(m: Measure, wanted: Requirement) -> Requirement:
    """The requirement with its bound in the unit that the measure is given in by custom, where both are of one dimension."""
    base, size = IN_BASE.get(m.unit, ("", 1.0))
    return replace(wanted, bound=wanted.bound / size, unit=m.unit) if wanted.unit == base else wanted
