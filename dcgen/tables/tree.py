"""The bill of materials as a tree: what everything is in, from entries and fabrics down to transceivers."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dcgen.analysis.extras import extras, owners
from dcgen.analysis.inventory import Item, inventory
from dcgen.analysis.order import amount
from dcgen.design.model import Design
from dcgen.tables.bom import about, lines
from dcgen.tables.book import Book
from dcgen.tables.model import Column, Table, schema
from dcgen.tables.orders import Line
from dcgen.tables.splits import PIECES

if TYPE_CHECKING:
    import polars as pl

COLUMNS = (Column("level", "count"), Column("path"), *PIECES)


def tree_table(book: Book) -> Table:
    """One row for each thing in its place: a rack in its entry, a tray in its rack, a transceiver in its device.

    Summed over the places, quantities are those of the flat bill before they are rounded to whole pieces.
    """
    design = book.design
    rows = list(_rows(design))
    return Table("tree", COLUMNS, len(rows), lambda: _frames(rows))


def _rows(design: Design) -> Iterator[Line]:
    items = list(inventory(design))
    where = {id(i): _path(design, i) for i in items}
    names = list(dict.fromkeys(path for i in items for path in _upward(where[id(i)])))
    for path in sorted(names, key=lambda p: [names.index(p[: n + 1]) for n in range(len(p))]):
        for item in (i for i in items if where[id(i)] == path):
            line = next(iter(lines(design, [item], extra=False).values()))
            yield _row(path, line | {"quantity": float(amount(design.parts[item.part], item))})
    for added, n in extras(design, items):
        part = design.parts[added.part]
        yield _row(
            ("; ".join(added.among) or "site",), about(part) | {"part_number": part.part_number, "bought": "separate", "quantity": float(n)}
        )


def _path(design: Design, item: Item) -> tuple[str, ...]:
    """Names from the entry or fabric down to the group that an item is, or is plugged into, or the bundle that it is of."""
    owner, at = owners(design, item)
    if item.role == "cable":
        return owner, item.where
    group = design.groups[at]
    place = tuple(dict.fromkeys([at.split("/")[0], *([group.inside] if group.inside else []), at]))
    return (*place, "transceivers") if item.role == "optics" else place


def _upward(path: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [path[: n + 1] for n in range(len(path))]


def _row(path: tuple[str, ...], line: Line) -> Line:
    return {c.name: line.get(c.name) for c in COLUMNS} | {"level": len(path), "path": " > ".join(path)}


def _frames(rows: list[Line]) -> "Iterator[pl.DataFrame]":
    import polars as pl

    yield pl.DataFrame(rows, schema=schema(COLUMNS))
