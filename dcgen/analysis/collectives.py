"""How long the declared collectives take, and the bus bandwidth that is."""

from collections.abc import Iterator
from dataclasses import dataclass

from dcgen.analysis.bandwidth import oversubscription
from dcgen.analysis.exchange import (
    BASE_NS,
    INNER_SHARE,
    INNER_STEP_NS,
    OUTER_SHARE,
    OUTER_STEP_NS,
    between_ns,
    between_points_ns,
    bus_bandwidth,
    bus_factor,
    line_ns,
    ring_ns,
    ring_steps,
    tree_ns,
)
from dcgen.analysis.latency import routes
from dcgen.analysis.model import Measure
from dcgen.analysis.ranks import Ranks, adds_up, ranks_of
from dcgen.design.model import Collective, Design, Traffic
from dcgen.units import spoken

INSIDE = "inside the domain"


@dataclass(frozen=True, slots=True)
class Time:
    """A time [ns], what it is made of, how many of its pieces are formulas or estimates, how many could not be had."""

    time_ns: float
    said: str
    estimates: int = 0
    unknown: int = 0


@dataclass(frozen=True, slots=True)
class _Case:
    """One collective with everything that its formulas take: rates a rank gets [GB/s], what one step over the network takes."""

    design: Design
    asked: Collective
    who: Ranks
    inner_gb_per_s: float | None
    outer_gb_per_s: float
    step_ns: float


def collectives(design: Design) -> Iterator[Measure]:
    """Time of every declared collective [ns], and its bus bandwidth [GB/s], by the fastest algorithm that the parts support.

    Size is what one rank holds. Inside a scale-up domain a measurement on the same accelerator is taken: between measured points
    straight on logarithmic scales, else time = latency + factor × size / rate. Without one, a ring at 82 % of the line rate. Between
    domains: `ring` is one through all ranks, `tree` a double tree over domains, `hierarchical` reduces in the domain, then among
    the peers of each rank over its network cards, then gathers; `in-network` lets switches that can add up do the middle step.
    A step takes 3.4 us inside and 14 us over the network, where the light of the longest way is added; a card gives 94 % of its
    rate. In an all-to-all every byte for another domain may change its rail inside first, and where a tier is oversubscribed the
    throughput of exactly these ranks bounds it. Error: measured lines are 3 to 22 % off in the median, 60 % at worst where
    protocols change at 8 to 32 MB, and up to 21 % slow at 512 MB; formulas over several domains are not validated. Other traffic,
    collisions and stragglers are not modelled.
    Source: factors from nccl-tests (PERFORMANCE.md); steps from NCCL's tuner (src/graph/tuning.cc); measurements with the part.
    """
    for asked in design.collectives:
        who = ranks_of(design, asked)
        names = possible(design, asked)
        if not who or not names or asked.algorithm not in ("auto", *names):
            continue
        case = _case(design, asked, who)
        found = {n: _time(case, n) for n in names}
        chosen = {n: t for n, t in found.items() if asked.algorithm in (n, "auto")}
        name, best = min(chosen.items(), key=lambda c: (c[1].unknown, c[1].time_ns))
        where = f"{who.domain:,} in each of {who.domains:,} domains" if who.domains > 1 else "one domain"
        said = f"{asked.op} of {spoken(asked.size_bytes, 'bytes')} on {who.ranks:,} ranks, {where}"
        others = ", ".join(f"{n} {spoken(round(t.time_ns), 'ns')}" for n, t in found.items() if n != name)
        said += f", {name}: {best.said}" + (f" (instead: {others})" if others else "")
        estimates = best.estimates + (0 if who.even else 1)
        yield Measure("collective_time", asked.name, round(best.time_ns, 3), "ns", said, best.unknown, estimates)
        rate = bus_bandwidth(asked.op, who.ranks, asked.size_bytes, best.time_ns)
        said = f"size / time × {bus_factor(asked.op, who.ranks):g}"
        yield Measure("bus_bandwidth", asked.name, round(rate, 6), "GB/s", said, best.unknown, estimates, falls=True)


def possible(design: Design, asked: Collective) -> list[str]:
    """Algorithms that can be used for a collective on this design; within one domain, whichever was asked for."""
    who = ranks_of(design, asked)
    if who is None:
        return []
    if who.domains == 1:
        return [asked.algorithm if asked.algorithm != "auto" else INSIDE]
    if not who.outer_gbps or asked.op == "all-to-all":
        return ["hierarchical"] if who.outer_gbps else []
    reduces = asked.op == "all-reduce"
    flat = ["ring", *(["tree"] if reduces else [])] if who.inner_gbps or who.domain == 1 else []
    return [*flat, "hierarchical", *(["in-network"] if reduces and adds_up(design, who.fabric) else [])]


def _case(design: Design, asked: Collective, who: Ranks) -> _Case:
    light = 0.0
    if who.domains > 1 and who.fabric:
        found = routes(design, who.fabric)
        light = max((r.light_ns for r in found.kinds), default=0.0) if found else 0.0
    inner = who.inner_gbps / 8 * INNER_SHARE if who.inner_gbps else None
    return _Case(design, asked, who, inner, (who.outer_gbps or 0.0) / 8 * OUTER_SHARE, OUTER_STEP_NS + light)


def _time(case: _Case, algorithm: str) -> Time:
    """Time by one algorithm that can be used."""
    who, op, size = case.who, case.asked.op, case.asked.size_bytes
    if who.domains == 1:
        return _inside(case, op, size)
    if op == "all-to-all":
        return _all_to_all(case)
    inner = case.inner_gb_per_s or case.outer_gb_per_s
    if algorithm == "ring":
        ns = ring_ns(op, who.domain, who.domains, size, inner, case.outer_gb_per_s, case.step_ns)
        return Time(ns, f"{ring_steps(op, who.ranks):,} steps", 2)
    if algorithm == "tree":
        return Time(tree_ns(who.domain, who.domains, size, inner, case.outer_gb_per_s, case.step_ns), "a double tree", 2)
    if algorithm == "in-network":
        return _hierarchical(case, case.step_ns + size / who.domain / case.outer_gb_per_s, "in the switches")
    return _hierarchical(case, between_ns(op, who.domains, size / who.domain, case.outer_gb_per_s, case.step_ns), "among peers")


def _hierarchical(case: _Case, middle_ns: float, where: str) -> Time:
    """Reduce inside, exchange between domains, gather inside; a domain of one has only the middle."""
    op, size = case.asked.op, case.asked.size_bytes
    before = [_inside(case, "reduce-scatter", size)] if op in ("all-reduce", "reduce-scatter") and case.who.domain > 1 else []
    after = [_inside(case, "all-gather", size)] if op in ("all-reduce", "all-gather") and case.who.domain > 1 else []
    start = 0.0 if before or after else BASE_NS
    said = [*(f"{t.said} reduce-scatter" for t in before), f"{spoken(round(middle_ns + start), 'ns')} {where}"]
    said += [f"{t.said} all-gather" for t in after]
    around = [*before, *after]
    total = middle_ns + start + sum(t.time_ns for t in around)
    return Time(total, " + ".join(said), 1 + sum(t.estimates for t in around), sum(t.unknown for t in around))


def _all_to_all(case: _Case) -> Time:
    """What stays in the domain and what leaves it at the same time; all that leaves may pass the domain once more to change rails."""
    who, size = case.who, case.asked.size_bytes
    leaving = size * (who.ranks - who.domain) / who.ranks
    rate, what = _through(case)
    over = BASE_NS + case.step_ns + leaving / rate
    said = f"{spoken(round(over), 'ns')} over the network{what}"
    if who.domain == 1:
        return Time(over, said, 1)
    here = _inside(case, "all-to-all", size * who.domain / who.ranks)
    changing = leaving / case.inner_gb_per_s if case.inner_gb_per_s else 0.0
    apart = forwards(case.design, who)
    ns = over + changing if apart else max(over, here.time_ns + changing)
    said += f", {here.said} + {spoken(round(changing), 'ns')} inside " + ("one after the other" if apart else "meanwhile")
    return Time(ns, said, 1 + here.estimates, here.unknown)


def _through(case: _Case) -> tuple[float, str]:
    """What one rank gets through the network when all send to all [GB/s], and what bounds it other than its cards."""
    tiers = case.design.fabrics[case.who.fabric].tiers
    ratio = max((float(m.value) for m in oversubscription(case.design) if m.subject in tiers), default=1.0)
    if ratio <= 1:
        return case.outer_gb_per_s, ""
    from dcgen.analysis.flow import Unanswerable, throughput

    try:
        found = throughput(case.design, case.who.fabric, Traffic("", "all-to-all", among=tuple(str(s) for s in case.asked.over)))
    except Unanswerable:
        found = None
    if found is None or not found.value or found.unit != "gbps":
        return case.outer_gb_per_s / ratio, f" at the worst ratio of a tier, {ratio:.4g}:1"
    return min(case.outer_gb_per_s, found.value / 8 * OUTER_SHARE), f" whose throughput is {spoken(found.value, found.unit)} a rank"


def forwards(design: Design, who: Ranks) -> bool:
    """Whether rails meet nowhere but inside the domains: what changes its rail then waits for its turn there."""
    from dcgen.design.islands import islands

    return "rail" in islands(design, who.fabric)


def _inside(case: _Case, op: str, size: float) -> Time:
    """An operation among the ranks of one domain, by measurement where there is one; which algorithm ran there is not said."""
    who = case.who
    if who.domain == 1:
        return Time(0.0, "")
    for m in (m for m in who.measured if m.op == op):
        if m.ranks == who.domain and (ns := between_points_ns(m.points, size)) is not None:
            return Time(ns, f"{spoken(round(ns), 'ns')} by measured points")
    for m in (m for m in who.measured if m.op == op):
        if (ns := line_ns(m, who.domain, size)) is not None:
            return Time(ns, f"{spoken(round(ns), 'ns')} by a measured line", 1)
    waiting = BASE_NS + (1 if op == "all-to-all" else ring_steps(op, who.domain)) * INNER_STEP_NS
    if not case.inner_gb_per_s:
        return Time(waiting, f"at least {spoken(round(waiting), 'ns')}, the scale-up rate is unknown,", 1, 1)
    ns = waiting + size * bus_factor(op, who.domain) / case.inner_gb_per_s
    return Time(ns, f"{spoken(round(ns), 'ns')} by formula", 1)
