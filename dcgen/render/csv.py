"""Tables as CSV: RFC 4180, UTF-8, `\\n`, a header always, decimals with a point, an empty cell for what is unknown.

A text cell that a spreadsheet would take for a formula begins with an apostrophe, which is taken off to read it back.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

from dcgen.render.model import Artifact, Story
from dcgen.tables import TABLES, Table

if TYPE_CHECKING:
    import polars as pl

FORMULA = r"^[=+\-@\t\r]"


def write_tables(story: Story) -> Iterator[Artifact]:
    """`bom.csv`, `cables.csv`, `ports.csv`, `racks.csv`."""
    for make in TABLES:
        table = make(story.book)
        yield Artifact(f"{table.name}.csv", Rows(table), table.rows)


@dataclass(frozen=True, slots=True)
class Rows:
    """The bytes of a table, frame by frame, as often as they are read."""

    table: Table

    def __iter__(self) -> Iterator[bytes]:
        yield (",".join(c.name for c in self.table.columns) + "\n").encode()
        for frame in self.table.chunks():
            out = BytesIO()
            frame.select(_cell(c.name, c.kind) for c in self.table.columns).write_csv(out, include_header=False, quote_style="necessary")
            yield out.getvalue()


def _cell(name: str, kind: str) -> "pl.Expr":
    """Text made harmless, numbers rounded once and without a needless `.0`."""
    import polars as pl

    here = pl.col(name)
    if kind == "text":
        return pl.when(here.str.contains(FORMULA)).then(pl.lit("'") + here).otherwise(here).alias(name)
    if kind == "count":
        return here
    short = here.round(6)
    whole = short.cast(pl.Int64, strict=False).cast(pl.String)
    return pl.when(short == short.floor()).then(whole).otherwise(short.cast(pl.String)).alias(name)
