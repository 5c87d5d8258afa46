"""Power of everything that is bought, with optics apart."""

from collections.abc import Iterable, Iterator

from dcgen.analysis.inventory import Item, inventory
from dcgen.analysis.model import Measure
from dcgen.design.model import Design

SPLITS = (
    ("", ("compute", "network", "optics", "cable", "rack", "rest")),
    ("_compute", ("compute", "rack", "rest")),
    ("_network", ("network",)),
    ("_optics", ("optics", "cable")),
)
"""Suffix of the measure -> roles that are added up."""


def power(design: Design) -> Iterator[Measure]:
    """Maximum and typical power of the site, of compute, of switches without optics, and of optics with active cables [W].

    A part without a figure is counted as unknown and the sum is a lower bound. A maximum published with optics is taken apart
    into the switch and its cages' allotment, and the optics that are really plugged in are added; where no allotment is known, the
    rule `optics-counted-twice` says that the sum is too high.
    """
    items = [i for i in inventory(design) if i.role != "cable" or i.body_max_w != 0]
    for figure in ("max", "typical"):
        for suffix, roles in SPLITS:
            yield _sum(f"power_{figure}{suffix}", figure, [i for i in items if i.role in roles])


def _sum(measure: str, figure: str, items: Iterable[Item]) -> Measure:
    total, unknown, estimates, terms = 0.0, 0, 0, []
    for item in items:
        watts = item.body_max_w if figure == "max" else item.body_typical_w
        if watts is None and (item.covered_max if figure == "max" else item.covered_typical):
            continue
        if watts is None:
            unknown += item.quantity
            terms.append(f"{item.quantity:,} {item.part} × unknown")
            continue
        total += item.quantity * watts
        estimates += item.quantity if item.estimate else 0
        terms += [f"{item.quantity:,} {item.part} × {watts:g} W"] if watts else []
    return Measure(measure, "site", round(total, 6), "w", " + ".join(terms) or "nothing draws power", unknown, estimates)
