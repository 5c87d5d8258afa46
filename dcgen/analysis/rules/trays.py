"""Whether what lies in a tray fits into it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dcgen.analysis.model import Measure
from dcgen.design.model import Design
from dcgen.diagnostics import Diagnostic, Path
from dcgen.units import spoken

if TYPE_CHECKING:
    from dcgen.design.fill import Load
    from dcgen.design.hall import Tray

AT: Path = ("hall", "trays")
SHOWN = 3
"""Stretches of one tray that are named; the rest are counted."""


def tray_full(design: Design, measures: tuple[Measure, ...]) -> Iterator[Diagnostic]:
    """What it checks: cross-section of the cables in every stretch of a tray against what the tray may hold.

    Why: a tray beyond its fill crushes what lies below and keeps nobody's bend radius; what is not known cannot be ruled out.
    Example: 1,200 jumpers of 3 mm, 85 cm2, in a tray of 200 × 100 mm that may be filled to 40 %, 80 cm2.
    Source: the hall's `trays:` and the diameters of the cables, the part's or those the hall says.
    """
    trays = design.hall.trays if design.hall else ()
    if not any(t.width_m and t.depth_m for t in trays):
        return
    for tray in trays:
        mine = [x for x in design.loads if x.tray.name == tray.name and x.fill_1 is not None]
        yield from _full(tray, sorted((x for x in mine if x.full), key=lambda x: (-x.section_m2, x.start_m)))
        worst = max((x for x in mine if x.unknown), key=lambda x: x.unknown, default=None)
        if worst is not None:
            least = f"fill of {tray.name} is at least {100 * (worst.fill_1 or 0):.0f} %"
            what = f"{least}: {worst.unknown:,} of {worst.cables:,} cables have no diameter"
            fix = "give the part a `diameter:`, or the hall `diameters:` by medium"
            yield Diagnostic("unknown-figure", what, "", fix, "warning", tray.name, AT)


def _full(tray: "Tray", full: "list[Load]") -> Iterator[Diagnostic]:
    """The fullest of the stretches that are too full, and how many more there are."""
    fix = "give it a larger section or a second tray, or open another way across the rows"
    for i, x in enumerate(full[:SHOWN]):
        stretch = f"{tray.name} is filled to {100 * (x.fill_1 or 0):.0f} % from {spoken(x.start_m, 'm')} to {spoken(x.stop_m, 'm')}"
        size = f"{(tray.width_m or 0) * 1e3:g} × {(tray.depth_m or 0) * 1e3:g} mm"
        why = f"{x.cables:,} cables of {x.section_m2 * 1e4:.0f} cm2 in {size}"
        why += f"; {len(full) - SHOWN} more stretches of it are too full" if i == SHOWN - 1 and len(full) > SHOWN else ""
        what = f"{stretch}, at most {100 * tray.max_fill_1:.0f} % is allowed"
        yield Diagnostic("tray-full", what, why, fix, subject=tray.name, origin=AT)
