"""The bill of materials in shares: by phase, by fabric, or by the coordinates of an axis such as a building."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from dcgen.analysis.extras import extras, owners
from dcgen.analysis.inventory import Item, inventory
from dcgen.analysis.rooms import by_room
from dcgen.analysis.shares import coordinates, phases, shares
from dcgen.design.model import Design
from dcgen.diagnostics import Diagnostic, Rejected, did_you_mean
from dcgen.tables.bom import Key, in_order, lines
from dcgen.tables.book import Book
from dcgen.tables.model import Column, Table, schema

if TYPE_CHECKING:
    import polars as pl

PIECES = (
    Column("part"),
    Column("part_number"),
    Column("kind"),
    Column("description"),
    Column("length_m", "number", "m"),
    Column("bought"),
    Column("unit"),
    Column("quantity", "number"),
)
"""What is told of a line of the bill wherever it is taken apart."""


def split_table(book: Book, by: str) -> Table:
    """One row for each line of the bill and each share of it; the shares of a line add up to it. Nothing is rounded here.

    Raises:
        Rejected: nothing to split by has this name.
    """
    design = book.design
    axes = list(dict.fromkeys(a.name for g in design.groups.values() for a in g.axes))
    if by not in ("fabric", "phase", "room", *axes):
        fix = did_you_mean(by, ["fabric", "phase", "room", *axes])
        raise Rejected([Diagnostic("bad-reference", f"the bill cannot be split by `{by}`", "by fabric, phase, room or an axis", fix)])
    if by in ("fabric", "room"):
        found = _beside(design, fabrics(design) if by == "fabric" else by_room(design), "site" if by == "fabric" else "")
    else:
        found = shares(design, phases(design) if by == "phase" else coordinates(design, by), _count)
    all_lines = lines(design, list(inventory(design)))
    columns = (Column(by), *PIECES)
    rows = [
        {by: name or None, **{c.name: all_lines[key].get(c.name) for c in PIECES}, "quantity": float(mine[key])}
        for name, mine in found
        for key in sorted(mine, key=lambda k: in_order(all_lines[k]))
    ]
    return Table("bom", columns, len(rows), lambda: _frames(rows, columns))


def _count(design: Design) -> dict[Key, Fraction]:
    return {key: line["quantity"] for key, line in lines(design, list(inventory(design))).items()}


def fabrics(design: Design) -> Iterator[tuple[str, list[Item]]]:
    """What every entry and fabric is made of; a transceiver is of the fabric that lights it."""
    items = list(inventory(design))
    for name in dict.fromkeys(owners(design, i)[0] for i in items):
        yield name, [i for i in items if owners(design, i)[0] == name]


def _beside(design: Design, parted: Iterable[tuple[str, list[Item]]], rest: str) -> Iterator[tuple[str, Mapping[Key, Fraction]]]:
    """Items in shares, and behind them the extras, which are of what they are for, or of `rest`."""
    for name, items in parted:
        yield name, {k: x["quantity"] for k, x in lines(design, items, False).items()}
    every = list(inventory(design))
    whole = lines(design, every)
    for part in dict.fromkeys(e.part for e, _ in extras(design, every)):
        among = dict.fromkeys(n for e in design.extras if e.part == part for n in e.among) if rest else {}
        yield "; ".join(among) or rest, {k: x["quantity"] for k, x in whole.items() if x["part"] == part}


def _frames(rows: list[dict[str, object]], columns: tuple[Column, ...]) -> "Iterator[pl.DataFrame]":
    import polars as pl

    yield pl.DataFrame(rows, schema=schema(columns))
