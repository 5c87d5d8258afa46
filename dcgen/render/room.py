"""How much of a comment is said: lists that are cut in the middle, and say so, and tables whose total is never cut."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

from dcgen.render.markdown import folded, table, visible
from dcgen.render.wording import count

T = TypeVar("T")


class Room(NamedTuple):
    """So many lines of each list; whether pieces of changes, and lists at all, are told; and where all of it can be read."""

    lines: int | None = None
    pieces: bool = True
    lists: bool = True
    report: str = ""

    def cut(self, things: Sequence[T]) -> tuple[Sequence[T], Sequence[T], Sequence[T]]:
        """The first things, those that are left out, and the last ones."""
        if self.lines is None or len(things) <= self.lines:
            return things, (), ()
        head, tail = self.lines - self.lines // 3, len(things) - self.lines // 3
        return things[:head], things[head:tail], things[tail:]

    def left_out(self, lines: int) -> str:
        """`… 12 lines omitted, full report: diff.md`; of 0, that lists as such are left out."""
        said = f"{count(lines, 'line')} omitted" if lines else "lists omitted"
        return f"… {said}" + (f", full report: {visible(self.report)}" if self.report else "")

    def items(self, things: Sequence[T], said: Callable[[T], str]) -> list[str]:
        """A list with an item per thing."""
        first, left, last = self.cut(things)
        note = [f"- {self.left_out(len(left))}"] if left else []
        return [*(f"- {said(t)}" for t in first), *note, *(f"- {said(t)}" for t in last)]

    def rows(
        self, columns: Sequence[str], things: Sequence[T], row: Callable[[T], list[str]], right: Iterable[int], total: Sequence[str] = ()
    ) -> list[str]:
        """A table with a row per thing; nothing without things."""
        first, left, last = self.cut(things)
        if not things:
            return []
        lines = table(columns, [*map(row, [*first, *last]), *([total] if total else [])], right).splitlines()
        if left:  # put in afterwards, so that no column is as wide as the note
            lines.insert(2 + len(first), f"| {self.left_out(len(left))} |" + " |" * (len(columns) - 1))
        return lines

    def folded_rows(
        self, summary: str, columns: Sequence[str], things: Sequence[T], row: Callable[[T], list[str]], right: Iterable[int],
        total: Sequence[str] = (),
    ) -> list[str]:  # fmt: skip
        """Such a table behind a sentence, and a blank line after it."""
        lines = self.rows(columns, things, row, right, total)
        return [*folded(summary, lines), ""] if lines else []
