"""What is owned already, against what the design needs."""

from collections.abc import Iterator
from fractions import Fraction

from dcgen.analysis.inventory import inventory
from dcgen.analysis.model import Measure
from dcgen.analysis.order import amount, owned, sold, stores
from dcgen.design.model import Design
from dcgen.diagnostics import Diagnostic
from dcgen.units import rounded


def stock_surplus(design: Design, measures: tuple[Measure, ...]) -> Iterator[Diagnostic]:
    """What it checks: whether more of a part is owned than the design takes from stock.

    Why: what is left over can be used elsewhere, and a part that is not needed at all is often a part of another name.
    Example: `have: {some-switch: 30}` where the design needs 24, spares included. What comes inside a rack is never taken from stock.
    Source: the blueprint's `have:`.
    """
    needed: dict[tuple[str, float | None], Fraction] = {}
    for item in inventory(design) if design.have else ():
        if item.role in ("optics", "cable") or not design.groups[item.where].inside:
            part = design.parts[item.part]
            key = sold(part, item.length_m)
            needed[key] = needed.get(key, Fraction(0)) + amount(part, item)
    for key, store in stores(design).items() if design.have else ():
        needed[key] = needed.get(key, Fraction(0)) + (store.pieces or 0)
    for key in dict.fromkeys(sold(design.parts[s.part], s.length_m) for s in design.have):
        have, need = owned(design, design.parts[key[0]], key[1]), needed.get(key, Fraction(0))
        if have > need:
            named = f"`{key[0]}`" + (f" of {key[1]:g} m" if key[1] is not None else "")
            figures = [f"{rounded(n, 3):,f}" for n in (have, need, have - need)]
            what = f"{named}: {figures[0]} owned, {figures[1]} needed, {figures[2]} left over"
            yield Diagnostic("stock-surplus", what, severity="info", subject=key[0], origin=("have",))
