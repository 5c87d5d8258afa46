"""Long tables in short: `cables.head.csv` and `cables.count` stand in for a `cables.csv` that nobody reads to the end."""

from collections.abc import Iterable, Iterator

ROWS = 200
"""A table with more rows than this is kept in short."""
HEAD = 20


def forms(path: str, chunks: Iterable[bytes], short: bool, rows_known: int | None = None) -> Iterator[tuple[str, Iterable[bytes]]]:
    """The files that keep one artifact: itself, or head and count of a long table if `short`.

    Of a table whose rows are known only the head is made.
    """
    if not (short and path.endswith(".csv")):
        yield path, chunks
        return
    text, rows = _read(chunks, rows_known)
    if rows > ROWS:
        yield head_of(path), [text]
        yield path.removesuffix(".csv") + ".count", [f"{rows}\n".encode()]
    else:
        yield path, [text]


def head_of(path: str) -> str:
    """Where the head of a table is kept."""
    return path.removesuffix(".csv") + ".head.csv"


def _read(chunks: Iterable[bytes], rows: int | None) -> tuple[bytes, int]:
    """The text, or only its head once it is long, and the number of rows below the line of column names."""
    text, lines, quoted, last, cut = bytearray(), 0, False, b"\n", False
    for chunk in chunks:
        pieces = chunk.split(b'"')
        lines += sum(piece.count(b"\n") for piece in pieces[quoted::2])  # a line end between quotes ends no row
        quoted ^= len(pieces) % 2 == 0
        last = chunk[-1:] or last
        if not cut:
            text += chunk
            if cut := lines > ROWS + 1:
                text = _head(text, HEAD + 1)
        if cut and rows is not None:
            return bytes(text), rows
    return bytes(text), lines + (last != b"\n") - 1


def _head(text: bytearray, lines: int) -> bytearray:
    at, quoted = 0, False
    while lines:
        end = text.index(b"\n", at) + 1
        quoted ^= text.count(b'"', at, end) % 2 == 1
        at, lines = end, lines - (not quoted)
    return text[:at]
