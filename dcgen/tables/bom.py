"""The bill of materials: one line per orderable part, with where it goes."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from dcgen.analysis.extras import extras
from dcgen.analysis.inventory import Item, inventory
from dcgen.analysis.order import NO_SPARES, amount, stores
from dcgen.design.model import Design
from dcgen.naming import natural
from dcgen.parts import Cable, Part
from dcgen.tables.book import Book, book_of
from dcgen.tables.model import Column, Table, schema
from dcgen.tables.orders import ORDERED, Line, ordered

if TYPE_CHECKING:
    import polars as pl

COLUMNS = (
    Column("part"),
    Column("part_number"),
    Column("kind"),
    Column("maker"),
    Column("description"),
    Column("quantity", "number"),
    Column("unit"),
    Column("unit_power_max_w", "number", "w"),
    Column("unit_price_usd", "number", "usd"),
    Column("estimate"),
    Column("where"),
    Column("unit_power_typical_w", "number", "w"),
    Column("length_m", "number", "m"),
    Column("bought"),
    *ORDERED,
)

KEY = ("part", "part_number", "length_m", "bought")
"""Lines that agree on these are one line; nothing else, such as an equal description, makes them one."""

REMAINDER = " (power: the published figure less those of its contents, typical and maximum each by itself)"
"""What is said of the power of a rack bought whole."""

KINDS_IN_ORDER = ("rack", "node", "tray", "switch-tray", "shelf", "switch", "optic", "cable")

Key = tuple[object, ...]


def bom_table(source: Design | Book) -> Table:
    """What is bought. Power of a rack bought whole is what it draws beyond its contents, whose price it includes.

    So quantity times unit power adds up to the power of the design, and no price is counted twice. The columns from `spares` to
    `to_order` lead from what is needed to what is ordered; what comes inside a rack is ordered with it, only its spares are not.
    """
    rows = bom_lines(book_of(source).design)
    return Table("bom", COLUMNS, len(rows), lambda: _frames(rows))


def bom_lines(design: Design) -> list[Line]:
    """The rows of the bill, column by column, in its order; spares stand on one of the lines of a part, the one bought by itself if any."""
    kept, rows = stores(design), []
    for line in sorted(lines(design, list(inventory(design))).values(), key=lambda x: (str(x["bought"]) != "separate", in_order(x))):
        store = NO_SPARES if line["bought"] == "whole" else kept.pop((line["part"], line["length_m"]), NO_SPARES)
        rows.append(line | ordered(design, line, store))
    return sorted(rows, key=in_order)


def lines(design: Design, items: Sequence[Item], extra: bool = True) -> dict[Key, Line]:
    """These items, and the extras that go with them, one line for each thing that is ordered; quantities are exact."""
    found: dict[Key, Line] = {}
    needs = [(_line(design, i), amount(design.parts[i.part], i), i.where) for i in items]
    needs += [(_extra(design.parts[e.part]), n, "; ".join(e.among) or "site") for e, n in (extras(design, items) if extra else ())]
    for line, number, where in needs:
        kept = found.setdefault(tuple(line[k] for k in KEY), {**line, "quantity": Fraction(0), "where": ""})
        kept["quantity"] += number
        kept["where"] = "; ".join(filter(None, (kept["where"], where)))
    return found


def _frames(rows: list[Line]) -> "Iterator[pl.DataFrame]":
    import polars as pl

    yield pl.DataFrame(rows, schema=schema(COLUMNS))


def in_order(line: Line) -> tuple[object, ...]:
    """Sort key of lines: kind, then part, then length."""
    kind = str(line["kind"])
    rank = KINDS_IN_ORDER.index(kind) if kind in KINDS_IN_ORDER else len(KINDS_IN_ORDER)
    return rank, natural(kind), natural(str(line["part"])), line["length_m"] or 0, natural(str(line["bought"]))


def _extra(part: Part) -> Line:
    price = part.price_usd
    return about(part) | {
        "part_number": part.part_number,
        "unit_power_max_w": 0.0,
        "unit_price_usd": float(price.value) if price else None,
        "estimate": ("yes" if price.estimate else "no") if price else None,
        "unit_power_typical_w": 0.0,
        "length_m": None,
        "bought": "separate",
    }


def about(part: Part) -> Line:
    """The cells that say what a part is."""
    return {"part": part.part, "kind": part.kind, "maker": part.maker, "description": part.title, "unit": part.sold_by}


def _line(design: Design, item: Item) -> Line:
    part, whole = design.parts[item.part], item.role == "rack"
    rack = design.part(inside) if (inside := _inside(design, item)) else None
    price = None if rack and rack.price_usd else part.price_usd
    known = price is not None or item.body_max_w or item.body_typical_w
    return about(part) | {
        "part_number": part_number(part, item.length_m),
        "description": part.title + (REMAINDER if whole else ""),
        "unit_power_max_w": item.body_max_w,
        "unit_price_usd": float(price.value) if price else None,
        "estimate": ("yes" if item.estimate or (price and price.estimate) else "no") if known else None,
        "unit_power_typical_w": item.body_typical_w,
        "length_m": item.length_m if part.sold_by == "each" else None,
        "bought": "whole" if whole else f"in {rack.part}" if rack else "separate",
    }


def _inside(design: Design, item: Item) -> str:
    """The rack group that a device comes in, or an empty string."""
    return "" if item.role in ("optics", "cable") else design.groups[item.where].inside


def part_number(part: Part, length_m: float | None) -> str | None:
    """The maker's number; of a cable, that of its length."""
    if isinstance(part, Cable) and length_m is not None:
        of_length = next((x.part_number for x in part.lengths if x.length_m == length_m), None)
        return of_length or (part.part_number if not part.lengths else None)
    return part.part_number
