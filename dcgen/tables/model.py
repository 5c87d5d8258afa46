"""What a table is: named columns, a row count that costs nothing, and frames that are made as they are read."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import polars as pl


AT_ONCE = 120_000
"""Rows in one frame at most, where one device has no more."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: `count` holds whole numbers, `number` any; the unit is also the suffix of the name. An empty cell is unknown."""

    name: str
    kind: Literal["text", "count", "number"] = "text"
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows in a fixed order, in frames small enough to stream; `note` is what a reader should hear of them as a whole."""

    name: str
    columns: tuple[Column, ...]
    rows: int
    frames: "Callable[[], Iterator[pl.DataFrame]]"
    note: str = ""

    def chunks(self) -> "Iterator[pl.DataFrame]":
        """The rows, some at a time; every frame has the same columns."""
        return self.frames()

    def frame(self) -> "pl.DataFrame":
        """All rows at once, also when there are none."""
        import polars as pl

        found = list(self.chunks())
        return pl.concat(found) if found else pl.DataFrame(schema=schema(self.columns))


def schema(columns: tuple[Column, ...]) -> "dict[str, pl.DataType | type[pl.DataType]]":
    """Column name -> polars type."""
    import polars as pl

    types: dict[str, type[pl.DataType]] = {"text": pl.String, "count": pl.Int64, "number": pl.Float64}
    return {c.name: types[c.kind] for c in columns}
