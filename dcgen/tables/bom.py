"""The bill of materials: one line per orderable part, with where it goes."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dcgen.analysis.inventory import Item, inventory
from dcgen.design.model import Design
from dcgen.naming import natural
from dcgen.parts import Cable, Part
from dcgen.tables.book import Book, book_of
from dcgen.tables.model import Column, Table, schema

if TYPE_CHECKING:
    import polars as pl

COLUMNS = (
    Column("part"),
    Column("part_number"),
    Column("kind"),
    Column("maker"),
    Column("description"),
    Column("quantity", "count"),
    Column("unit"),
    Column("unit_power_max_w", "number", "w"),
    Column("unit_price_usd", "number", "usd"),
    Column("estimate"),
    Column("where"),
    Column("unit_power_typical_w", "number", "w"),
    Column("length_m", "number", "m"),
    Column("bought"),
    Column("have", "count"),
    Column("to_order", "count"),
)

KEY = ("part", "part_number", "length_m", "bought")
"""Lines that agree on these are one line; nothing else, such as an equal description, makes them one."""

REMAINDER = " (power: the published figure less those of its contents, typical and maximum each by itself)"
"""What is said of the power of a rack bought whole."""

KINDS_IN_ORDER = ("rack", "node", "tray", "switch-tray", "shelf", "switch", "optic", "cable")

Cell = str | int | float | None


def bom_table(source: Design | Book) -> Table:
    """What is bought. Power of a rack bought whole is what it draws beyond its contents, whose price it includes.

    So quantity times unit power adds up to the power of the design, and no price is counted twice. `have` is what is owned
    already, `to_order` what is still missing: nothing of what comes inside a rack, which is ordered with it.
    """
    design = book_of(source).design
    lines: dict[tuple[Cell, ...], dict[str, Cell]] = {}
    for item in inventory(design):
        line = _line(design, item)
        kept = lines.setdefault(tuple(line[k] for k in KEY), {**line, "quantity": 0, "where": ""})
        kept["quantity"] = int(kept["quantity"] or 0) + item.quantity
        kept["where"] = "; ".join(filter(None, (str(kept["where"]), item.where)))
    owned = {(s.part, s.length_m): s.count for s in design.have}
    rows = [_stocked(line, owned) for line in sorted(lines.values(), key=_order)]
    return Table("bom", COLUMNS, len(rows), lambda: _frames(rows))


def _frames(rows: list[dict[str, Cell]]) -> "Iterator[pl.DataFrame]":
    import polars as pl

    yield pl.DataFrame(rows, schema=schema(COLUMNS))


def _order(line: dict[str, Cell]) -> tuple[object, ...]:
    kind = str(line["kind"])
    rank = KINDS_IN_ORDER.index(kind) if kind in KINDS_IN_ORDER else len(KINDS_IN_ORDER)
    return rank, natural(kind), natural(str(line["part"])), line["length_m"] or 0, natural(str(line["bought"]))


def _line(design: Design, item: Item) -> dict[str, Cell]:
    part, whole = design.parts[item.part], item.role == "rack"
    rack = design.part(inside) if (inside := _inside(design, item)) else None
    price = None if rack and rack.price_usd else part.price_usd
    known = price is not None or item.body_max_w or item.body_typical_w
    return {
        "part": item.part,
        "part_number": _part_number(part, item.length_m),
        "kind": part.kind,
        "maker": part.maker,
        "description": part.title + (REMAINDER if whole else ""),
        "unit": "each",
        "unit_power_max_w": item.body_max_w,
        "unit_price_usd": float(price.value) if price else None,
        "estimate": ("yes" if item.estimate or (price and price.estimate) else "no") if known else None,
        "unit_power_typical_w": item.body_typical_w,
        "length_m": item.length_m,
        "bought": "whole" if whole else f"in {rack.part}" if rack else "separate",
    }


def _stocked(line: dict[str, Cell], owned: dict[tuple[str, float | None], int]) -> dict[str, Cell]:
    """The line with what is owned of it and what is left to order."""
    if str(line["bought"]).startswith("in "):
        return line | {"have": 0, "to_order": 0}
    length = line["length_m"]
    have = owned.get((str(line["part"]), None if length is None else float(length)), 0)
    return line | {"have": have, "to_order": max(0, int(line["quantity"] or 0) - have)}


def _inside(design: Design, item: Item) -> str:
    """The rack group that a device comes in, or an empty string."""
    return "" if item.role in ("optics", "cable") else design.groups[item.where].inside


def _part_number(part: Part, length_m: float | None) -> str | None:
    """The maker's number; of a cable, that of its length."""
    if isinstance(part, Cable) and length_m is not None:
        of_length = next((x.part_number for x in part.lengths if x.length_m == length_m), None)
        return of_length or (part.part_number if not part.lengths else None)
    return part.part_number
