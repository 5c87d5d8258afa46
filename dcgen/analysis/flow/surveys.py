"""The losses of every fabric of a design, surveyed once for tables, report and drawings."""

from dataclasses import dataclass, field

from dcgen.analysis.flow.answer import Question, Throughput
from dcgen.analysis.flow.picks import Unanswerable
from dcgen.analysis.flow.solve import TIGHT
from dcgen.analysis.flow.survey import LossRow, decline, survey
from dcgen.analysis.throughput import asked
from dcgen.design.lowering import NotSymbolic
from dcgen.design.model import Design, Traffic

MOST_CLASSES = 120
"""Classes of alike losses of one fabric beyond which it is too irregular to be surveyed as a whole."""


@dataclass(frozen=True)
class Surveyed:
    """One fabric, all to all: intact, after every class of single losses, and as losses of one kind add up.

    `declines` is tier, or bundle of which a single loss tells, -> share of the intact throughput after 0, 1, 2 … losses, each the
    worst that can follow. `why` says why there are no rows.
    """

    fabric: str
    scale_up: str
    intact: Throughput
    rows: tuple[LossRow, ...] = ()
    declines: dict[str, list[float]] = field(default_factory=dict)
    why: str = ""


def surveys(design: Design) -> list[Surveyed]:
    """Every fabric that reaches accelerators, alone, and with relaying where the design describes scale-up links."""
    out = []
    modes = ["unused", "relay"] if any(f.kind == "scale-up" for f in design.fabrics.values()) else ["unused"]
    for fabric in asked(design):
        for mode in modes:
            try:
                out.append(_surveyed(Question(design, fabric, Traffic("all-to-all", "all-to-all", scale_up=mode)), mode))
            except Unanswerable:
                continue  # it joins nobody to nobody
    return out


def _surveyed(question: Question, mode: str) -> Surveyed:
    design, fabric = question.projection.design, question.projection.fabric
    try:
        found = question.survey()
    except NotSymbolic as e:
        why = f"{e}: ask for one loss at a time, `throughput({fabric}, when=lost(…))`"
        return Surveyed(fabric, mode, question.ask(), why=why)
    if len(found) > MOST_CLASSES:
        why = f"{len(found):,} classes of single losses: ask for one at a time, `throughput({fabric}, when=lost(…))`"
        return Surveyed(fabric, mode, question.ask(), why=why)
    intact, rows = survey(question, found)
    if not intact.value:
        return Surveyed(fabric, mode, intact, why=intact.why)
    kinds = [*design.fabrics[fabric].tiers, *(b.name for b in design.of(fabric))]
    of = {k: [r for r in rows if r.kind == k] for k in kinds}
    tiers = design.fabrics[fabric].tiers
    matter = [k for k, mine in of.items() if mine and (k in tiers or min(r.share for r in mine) < 1 - TIGHT)]
    return Surveyed(fabric, mode, intact, tuple(rows), {k: decline(question, intact, k, of[k], 4 if k in tiers else 2) for k in matter})
