"""Throughput as it is over time, with what is broken taken into account."""

from collections.abc import Iterator, Mapping
from math import prod

from dcgen.analysis.failures import co_packaged, exposures
from dcgen.analysis.model import Measure
from dcgen.analysis.reliability import expected_bandwidth
from dcgen.analysis.throughput import asked
from dcgen.design.model import Design, Join
from dcgen.parts import Node
from dcgen.units import spoken

Shares = Mapping[tuple[str, str], float | None]
"""(class, part) -> share of time that one waits for repair, None where its rate is unknown."""


def expected_throughput(design: Design) -> Iterator[Measure]:
    """Throughput of all to all over every fabric, as a mean over time: of what is broken at a moment, the worst alone decides [Gb/s].

    For every class of single devices and links: throughput without one of it, how many there are, and the share of time that one
    waits for repair, from its rate of failures and the time to repair it. A link's is that of its optics and its cable.
    `expected_throughput` serves every accelerator, so one that is cut off stops it; `expected_throughput_others` leaves out those
    whose own links are gone. Exact where the bottlenecks of losses are apart, else rather too high, as it is where parts have no
    rate; a sum over losses would be too low, since bottlenecks do not add up.
    Source: P(worst is c) = (1 - exp(-n u)) × product of exp(-n u) over all that is worse, times the throughput without c.
    """
    for fabric in asked(design):
        yield from _of(design, fabric)


def _of(design: Design, fabric: str) -> Iterator[Measure]:
    from dcgen.analysis.flow import Question, Unanswerable
    from dcgen.analysis.flow.survey import survey
    from dcgen.analysis.flow.surveys import MOST_CLASSES
    from dcgen.design.lowering import NotSymbolic

    question = Question(design, fabric, None)
    try:
        found = question.survey()
        intact, rows = survey(question, found) if len(found) <= MOST_CLASSES else (question.ask(), [])
    except (Unanswerable, NotSymbolic):
        return
    if not intact.value or not rows:
        return
    shares: Shares = {(e.kind, e.part): e.unavailability(design.upkeep.repair_ns) for e in exposures(design)}
    out = {row.kind: _out(design, row.kind, shares) for row in rows}
    lowers = (r for r in rows if r.after.value is not None and r.after.value < intact.value)
    unknown = sum(row.count for row in lowers if out[row.kind][1])
    for name, serving in (("expected_throughput", True), ("expected_throughput_others", False)):
        pairs = [(r.after if serving or r.others is None else r.others, r.count, out[r.kind][0]) for r in rows]
        losses = [(after.value, n, share) for after, n, share in pairs if after.value is not None]
        worst = min(losses)
        said = f"intact {spoken(intact.value, intact.unit)}, {len(losses)} classes of losses, {spoken(worst[0], intact.unit)} at worst"
        said += f"; repaired in {spoken(design.upkeep.repair_ns, 'ns')}"
        yield Measure(name, fabric, round(expected_bandwidth(intact.value, losses), 6), intact.unit, said, unknown, falls=True)


def _out(design: Design, kind: str, shares: Shares) -> tuple[float, bool]:
    """(share of time that one device of a group or link of a bundle is out, whether a rate in it is unknown)."""
    group = kind if kind in design.groups else kind.rpartition(".")[0]
    join = next((b for b in design.bundles if b.name == kind), None)
    if join is None and group not in design.groups:
        return 0.0, True
    found = [shares.get(key) for key in (_of_link(design, join) if join else _of_device(design, group, kind))]
    return 1 - prod(1 - (u or 0.0) for u in found), not found or None in found


def _of_device(design: Design, group: str, kind: str) -> list[tuple[str, str]]:
    """(class, part) of a device; of a terminal that is an accelerator, the accelerator."""
    part = design.part(group)
    if not isinstance(part, Node):
        return [("switches", part.part)]
    return [("nodes", part.part)] if kind == group else [("accelerators", part.accelerator or f"accelerator of {part.part}")]


def _of_link(design: Design, join: Join) -> list[tuple[str, str]]:
    media = join.longest
    found = [("optics", o) for o in (media.optics if media else ()) if o] + ([("cables", media.cable)] if media and media.cable else [])
    for end in join.ends:
        ports = design.part(end.group).port_groups().get(end.block.name)
        found += [("optics", co_packaged(design.part(end.group)))] if ports and ports.optics == "co-packaged" else []
    return found
