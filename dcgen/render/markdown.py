"""Text made safe for Markdown, and tables that are also readable as plain text."""

import re
from collections.abc import Iterable, Sequence
from unicodedata import combining, east_asian_width

BREAK = "\u200b"
"""Stands between a sign and its word so that a forge makes no mention, issue link or address of it."""
_ESCAPED = re.compile(r"([\\`*_\[\]|~$])")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_REFERENCE = re.compile(r"(@|#|\bGH(?=-\d)|:(?=//)|\bwww(?=\.))", re.IGNORECASE)


def md(value: object) -> str:
    """Any text as one line of Markdown that shows exactly it: no markup, mention, reference or address.

    >>> md("a|b\\nc")
    'a\\\\|b c'
    """
    text = " ".join(str(value).split())
    text = "".join(_ENTITIES.get(sign, sign) for sign in text)
    text = re.sub(r"&(?!amp;|lt;|gt;)", "&amp;", text)
    text = _ESCAPED.sub(r"\\\1", text)
    return _REFERENCE.sub(lambda m: m[0] + BREAK, text)


def columns_wide(text: str) -> int:
    """Columns that a text takes in a terminal."""
    return sum(0 if combining(s) or s == BREAK else 2 if east_asian_width(s) in "WF" else 1 for s in text)


def table(headers: Sequence[str], rows: Iterable[Sequence[str]], right: Iterable[int] = ()) -> str:
    """An aligned table; cells must be safe already, the columns of `right` are numbers."""
    cells = [list(headers), *(list(r) for r in rows)]
    numbers = set(right)
    widths = [max(3, *(columns_wide(row[i]) for row in cells)) for i in range(len(headers))]

    def line(row: Sequence[str]) -> str:
        padded = []
        for i, (text, width) in enumerate(zip(row, widths, strict=True)):
            room = " " * (width - columns_wide(text))
            padded.append(room + text if i in numbers else text + room)
        return "| " + " | ".join(padded) + " |"

    rule = "|" + "|".join(" " + "-" * (w - 1) + ": " if i in numbers else " " + "-" * w + " " for i, w in enumerate(widths)) + "|"
    return "\n".join([line(cells[0]), rule, *(line(row) for row in cells[1:])])
