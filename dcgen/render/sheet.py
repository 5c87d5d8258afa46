"""One table in the form that somebody asks for."""

from collections.abc import Callable, Iterable, Iterator
from io import BytesIO

from dcgen.render.csv import Rows
from dcgen.render.markdown import md, table
from dcgen.render.model import Artifact, Story
from dcgen.render.xlsx import workbook
from dcgen.tables import TABLES, Table
from dcgen.units import rounded


def written(made: Table, form: str) -> Iterable[bytes]:
    """A table as csv, markdown, parquet or xlsx."""
    return FORMS[form](made)


def write_workbook(story: Story) -> Iterator[Artifact]:
    """`NAME.xlsx`, the tables of the folder in one workbook."""
    yield Artifact(f"{story.design.name}.xlsx", _Workbook(story))


class _Workbook:
    """The bytes of the workbook, made as often as they are read."""

    def __init__(self, story: Story) -> None:
        self._story = story

    def __iter__(self) -> Iterator[bytes]:
        return workbook(make(self._story.book) for make in TABLES)


def _markdown(made: Table) -> Iterator[bytes]:
    """All rows as one aligned table."""
    cells = [
        ["" if v is None else md(v) if c.kind == "text" else f"{rounded(v, 6):f}" for c, v in zip(made.columns, row, strict=True)]
        for row in made.frame().select(c.name for c in made.columns).rows()
    ]
    numbers = [i for i, c in enumerate(made.columns) if c.kind != "text"]
    yield (table([md(c.name) for c in made.columns], cells, right=numbers) + "\n").encode()


def _parquet(made: Table) -> Iterator[bytes]:
    out = BytesIO()
    made.frame().select(c.name for c in made.columns).write_parquet(out, compression="zstd", statistics=False)
    yield out.getvalue()


FORMS: dict[str, Callable[[Table], Iterable[bytes]]] = {
    "csv": Rows,
    "markdown": _markdown,
    "parquet": _parquet,
    "xlsx": lambda made: workbook([made]),
}
"""Form -> what writes it."""
