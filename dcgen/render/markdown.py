"""Text made safe for Markdown, and tables that are also readable as plain text."""

import re
from collections.abc import Iterable, Sequence
from unicodedata import combining, east_asian_width

BREAK = "\u200b"
"""Stands between a sign and its word so that a forge makes no mention, issue link or address of it."""
_ESCAPED = re.compile(r"([\\`*_\[\]|~$])")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_REFERENCE = re.compile(
    r"@|#|\bGH(?=-\d)|:(?=//|[\w+-]+:)|\bwww(?=\.)"
    r"|(?:!|&amp;|\\\$)(?=\d)|(?:%|\\~)(?=[\w\"])|\\\[(?=\w+:)"
    r"|\b(?=\d*[a-f])[0-9a-f]{3}(?=[0-9a-f]{4,37}\b)",
    re.IGNORECASE,
)
"""What GitHub or GitLab takes for a mention, reference, address, label, emoji, formula or commit."""
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
LONGEST = 200
"""Signs of one text that a comment shows."""


def md(value: object, edges: bool = False) -> str:
    """Any text as one line of Markdown that shows exactly it: no markup, mention, reference or address; `edges` keeps outer spaces.

    >>> md("a|b\\nc")
    'a\\\\|b c'
    """
    text = re.sub(r"\s+", " ", str(value)) if edges else " ".join(str(value).split())
    text = "".join(_ENTITIES.get(sign, sign) for sign in text)
    text = re.sub(r"&(?!amp;|lt;|gt;)", "&amp;", text)
    text = _ESCAPED.sub(r"\\\1", text)
    return _REFERENCE.sub(lambda m: m[0] + BREAK, text)


def visible(text: str, most: int = LONGEST) -> str:
    r"""One line of text: what is not seen or would change the direction of reading is spelt out, and the middle of a long one left out.

    >>> visible("a\u202eb\tc")
    'a\\u202eb c'
    """
    text = _UNSEEN.sub(lambda m: f"\\u{ord(m[0]):04x}", " ".join(text.split()))
    return text if len(text) <= most else f"{text[: most * 2 // 3]}…{text[-most // 3 :]}"


def code(text: str, cell: bool = False) -> str:
    r"""A text as a code span, in which a forge finds nothing to link; `cell` says that it stands in a table.

    >>> code("a`b"), code("a|b", cell=True)
    ('`` a`b ``', '`a\\|b`')
    """
    text = visible(text) or " "
    marks = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    room = " " if "`" in text else ""
    return f"{marks}{room}{text.replace('|', chr(92) + '|') if cell else text}{room}{marks}"


def prose(text: str, cell: bool = False) -> str:
    """A sentence in which backticks quote what somebody typed: the quotes as code spans, all else as inert text."""
    pieces = visible(text, 3 * LONGEST).split("`")
    if len(pieces) % 2 == 0:  # a backtick without its fellow is a sign like any other
        pieces[-2:] = ["`".join(pieces[-2:])]
    return "".join(
        code(piece, cell) if i % 2 else md(piece, edges=True) or BREAK * (0 < i < len(pieces) - 1) for i, piece in enumerate(pieces)
    )


def fenced(lines: Sequence[str], language: str = "") -> list[str]:
    """Lines that are shown as they are, whatever is in them."""
    marks = "`" * max(3, *(len(run) + 1 for line in lines for run in re.findall("`+", line)), 3)
    return [f"{marks}{language}", *lines, marks]


def folded(summary: str, lines: Sequence[str]) -> list[str]:
    """Lines behind a sentence that unfolds them. The blank line is what makes a forge read them as Markdown."""
    return ["<details>", f"<summary>{summary}</summary>", "", *lines, "", "</details>"]


def columns_wide(text: str) -> int:
    """Columns that a text takes in a terminal."""
    if text.isascii():
        return len(text)
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
