"""The columns of the bill that lead from what is needed to what is ordered, and what a buyer must know of a part."""

from fractions import Fraction
from typing import Any

from dcgen.analysis.order import Spare, order, owned
from dcgen.design.model import Design
from dcgen.parts import Extra, Figure, Part
from dcgen.tables.model import Column

Line = dict[str, Any]
"""One line of the bill, column by column; quantities are exact until they are printed."""

ORDERED = (
    Column("spares", "number"),
    Column("spares_basis"),
    Column("have", "number"),
    Column("missing", "number"),
    Column("min_order", "count"),
    Column("pack", "count"),
    Column("to_order", "number"),
    Column("fitted"),
    Column("lead_time_weeks", "number"),
    Column("lead_time_basis"),
    Column("price_basis"),
)

WEEK_NS = 604800e9


def ordered(design: Design, line: Line, store: Spare) -> Line:
    """The cells from `quantity` on of a line whose quantity is exact, with what is kept in store of it."""
    part, within = design.parts[line["part"]], str(line["bought"]).startswith("in ")
    stock = Fraction(0) if within and not store.pieces else owned(design, part, line["length_m"])
    found = order(part, line["quantity"], store, stock, within)
    lead = part.lead_time_ns
    return {
        "quantity": float(found.needed),
        "spares": None if store.pieces is None else float(store.pieces),
        "spares_basis": store.basis or None,
        "have": float(found.owned),
        "missing": float(found.missing),
        "min_order": part.min_order,
        "pack": part.pack,
        "to_order": float(found.ordered),
        "fitted": None if isinstance(part, Extra) else "factory" if within else "field",
        "lead_time_weeks": lead.value / WEEK_NS if lead else None,
        "lead_time_basis": _basis(part, lead),
        "price_basis": _basis(part, part.price_usd) if line["unit_price_usd"] is not None else None,
    }


def _basis(part: Part, figure: Figure | None) -> str | None:
    """Where a figure was read and how far to trust it."""
    if figure is None:
        return None
    source = part.sources.get(figure.source or part.source or "")
    said = [
        getattr(figure, "date", None),
        source and f"{source.title} ({source.tier})",
        "estimate" if figure.estimate else None,
        figure.note,
    ]
    return ", ".join(s for s in said if s) or None
