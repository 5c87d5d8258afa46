"""What is owned already, against what the design needs."""

from collections.abc import Iterator

from dcgen.analysis.inventory import inventory
from dcgen.analysis.model import Measure
from dcgen.design.model import Design
from dcgen.diagnostics import Diagnostic


def stock_surplus(design: Design, measures: tuple[Measure, ...]) -> Iterator[Diagnostic]:
    """What it checks: whether more of a part is owned than the design takes from stock.

    Why: what is left over can be used elsewhere, and a part that is not needed at all is often a part of another name.
    Example: `have: {some-switch: 30}` where the design needs 24. What comes inside a rack is never taken from stock.
    Source: the blueprint's `have:`.
    """
    needed: dict[tuple[str, float | None], int] = {}
    for item in inventory(design) if design.have else ():
        if item.role in ("optics", "cable") or not design.groups[item.where].inside:
            key = (item.part, item.length_m)
            needed[key] = needed.get(key, 0) + item.quantity
    for one in design.have:
        need = needed.get((one.part, one.length_m), 0)
        if one.count > need:
            named = f"`{one.part}`" + (f" of {one.length_m:g} m" if one.length_m is not None else "")
            what = f"{named}: {one.count:,} owned, {need:,} needed, {one.count - need:,} left over"
            yield Diagnostic("stock-surplus", what, severity="info", subject=one.part, origin=("have",))
