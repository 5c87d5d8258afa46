"""How often something breaks, how long a job runs between interruptions, and how much of its time is left."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import exp, expm1, sqrt

from dcgen.analysis.failures import CLASSES, FIT_HOURS, HOUR_NS, HOURS_A_YEAR, Exposure, computing_groups, cut_off, exposures
from dcgen.analysis.model import Measure
from dcgen.design.model import Design
from dcgen.units import spoken

SMALL = 0.25
"""Up to this share of lost time the first-order expression holds."""


def reliability(design: Design) -> Iterator[Measure]:
    """Failures a year, of all and by class [1]; time to the first interruption of a job on everything, and what that leaves of it.

    `failures_per_year` adds up count × rate of every part; `parts_down` are those that wait for repair at a moment, with
    unavailability = repair / (repair + time between failures). `job_mttf` is 1 / the sum of the rates that stop a job:
    accelerators, nodes, network cards, scale-up switches, and, where a card has one home, its link and leaf; or, where
    `per_1000_node_days` is written, 24,000 h / (nodes × that). `checkpoint_interval` is Daly's, sqrt(2 × write × mttf) - write;
    `goodput` the share of time that a job moves on, (1 - (restart + interval / 2) / mttf) / (1 + write / interval), or Daly's
    complete expression where more than a quarter is lost. `accelerators_cut_off` are those without their network at a moment on
    average: u with one home, u × u with two. Independent failures are assumed; real ones cluster. Parts without a rate make
    failures a lower bound, and time between them an upper one; software is in no part, and in a measured rate of interruptions.
    Source: rates with each part (FIT, failures in 1e9 hours); goodput by Kokolis et al., HPCA 2025; Daly 2006.
    """
    found = exposures(design)
    if not found:
        return
    yield from _yearly(found)
    waiting = [(e, u) for e in found if (u := e.unavailability(design.upkeep.repair_ns)) is not None]
    said = f"count × repair / (repair + time between failures), repaired in {spoken(design.upkeep.repair_ns, 'ns')}"
    yield Measure("parts_down", "site", round(sum(e.count * u for e, u in waiting), 6), "1", said, *_doubts(found))
    for fabric, number, unknown, homes in cut_off(design, found, design.upkeep.repair_ns):
        said = f"card, or link and leaf of {'its one home' if homes == 1 else f'all {homes} homes'}, under repair"
        yield Measure("accelerators_cut_off", fabric, round(number, 9), "1", said, unknown)
    yield from _of_the_job(design, found)


def _doubts(found: Sequence[Exposure]) -> tuple[int, int]:
    """(parts without a rate, parts whose rate is an estimate)."""
    return sum(e.count for e in found if e.rate_fit is None), sum(e.count for e in found if e.estimate)


def _yearly(found: Sequence[Exposure]) -> Iterator[Measure]:
    for kind in ("", *(c for c in CLASSES if any(e.kind == c for e in found))):
        mine = [e for e in found if kind in ("", e.kind)]
        terms = [f"{e.count:,} {e.part} × " + ("unknown" if e.rate_fit is None else f"{e.rate_fit:g} FIT") for e in mine]
        name = f"failures_per_year_{kind}" if kind else "failures_per_year"
        value = sum(e.per_hour for e in mine) * HOURS_A_YEAR
        yield Measure(name, "site", round(value, 6), "1", f"({' + '.join(terms)}) × {HOURS_A_YEAR:,} h", *_doubts(mine))


def _of_the_job(design: Design, found: Sequence[Exposure]) -> Iterator[Measure]:
    mttf_ns, said, unknown, estimates = _mttf(design, found)
    if not mttf_ns:
        return
    yield Measure("job_mttf", "site", round(mttf_ns, 3), "ns", said, unknown, estimates, falls=True)
    keep = design.upkeep
    interval_ns = daly_interval(mttf_ns, keep.write_ns)
    if interval_ns <= 0:
        return
    said = f"sqrt(2 × {spoken(keep.write_ns, 'ns')} to write × {spoken(mttf_ns, 'ns')}) less the writing"
    yield Measure("checkpoint_interval", "site", round(interval_ns, 3), "ns", said, unknown, estimates, falls=True)
    share, how = goodput(mttf_ns, interval_ns, keep.write_ns, keep.restart_ns)
    said = f"{how}: a checkpoint of {spoken(keep.write_ns, 'ns')} every {spoken(interval_ns, 'ns')}"
    said += f", {spoken(keep.restart_ns, 'ns')} to restart"
    yield Measure("goodput", "site", round(share, 9), "1", said, unknown, estimates, falls=True)


def _mttf(design: Design, found: Sequence[Exposure]) -> tuple[float, str, int, int]:
    """(time to the first interruption of a job on everything [ns] or 0, how, parts without a rate, parts with an estimate)."""
    rate, nodes = design.upkeep.per_1000_node_days, sum(g.count for g in computing_groups(design))
    if rate is not None:
        ns = job_mttf_h(nodes, rate) * HOUR_NS if rate and nodes else 0.0
        return ns, f"24,000 h / ({nodes:,} nodes × {rate:g} interruptions in 1000 node-days)", 0, 0
    stops = [replace(e, count=e.vital) for e in found if e.vital]
    total = sum(e.per_hour for e in stops)
    terms = " + ".join(f"{e.count:,} {e.part} × {e.rate_fit:g} FIT" for e in stops if e.rate_fit)
    return (HOUR_NS / total if total else 0.0), f"{FIT_HOURS:g} h / ({terms})", *_doubts(stops)


def job_mttf_h(nodes: int, per_1000_node_days: float) -> float:
    """Hours between interruptions of a job on so many nodes. It was seen to hold above some 4,000 accelerators.

    >>> round(job_mttf_h(2048, 6.5), 2)
    1.8
    """
    return 24_000 / (nodes * per_1000_node_days)


def daly_interval(mttf: float, write: float) -> float:
    """Time between checkpoints that loses least, in the unit of both.

    >>> round(daly_interval(3.0930788, 20 / 3600), 5)
    0.17983
    """
    return sqrt(2 * write * mttf) - write


def goodput(mttf: float, interval: float, write: float, restart: float) -> tuple[float, str]:
    """(share of time that a job moves on, by which expression); all in one unit of time."""
    lost = (restart + interval / 2) / mttf
    if lost < SMALL:
        return (1 - lost) / (1 + write / interval), "first order"
    if (interval + write + restart) / mttf > 700:
        return 0.0, "Daly's complete expression"
    return interval / (mttf * exp(restart / mttf) * expm1((interval + write) / mttf)), "Daly's complete expression"


def expected_bandwidth(intact: float, losses: Sequence[tuple[float, int, float]]) -> float:
    """Mean bandwidth over time: of the classes that something is lost of, the worst alone decides.

    `losses` are (bandwidth with one of the class lost, how many there are, unavailability of one). Exact where the bottlenecks of
    losses are apart, else rather too high; a sum over classes would be too low, for bottlenecks do not add up.

    >>> expected_bandwidth(100.0, [(50.0, 1, 0.0)])
    100.0
    """
    mean, none_worse = 0.0, 1.0
    for bandwidth, count, share in sorted(losses):
        none = exp(-count * share)
        mean += none_worse * (1 - none) * bandwidth
        none_worse *= none
    return mean + none_worse * intact
