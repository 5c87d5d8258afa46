"""What people and pipes see: text, findings, tables, JSON, and a line that says what goes on when it takes long."""

import json as json_
import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock, Timer
from typing import TYPE_CHECKING, Self, TextIO

from dcgen.diagnostics import Diagnostic, Rejected, phrase_all

if TYPE_CHECKING:
    from rich.status import Status

PATIENCE_S = 1.0
"""Work that takes longer than this says what it is doing [s]."""

_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
_HEAD = re.compile(r"(?m)^(\S.*?: |)(error|warning|info)(\[[a-z-]+\]:)")
_COLOUR = {"error": "1;31", "warning": "1;33", "info": "1;36"}
_NUMBER = re.compile(r"[-+]?[\d,.]+(?: [^\s\d]+)?")


def prepare() -> None:
    """Whatever the locale, no character makes printing fail."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def lively(stream: TextIO) -> bool:
    """Whether somebody looks at a terminal that can move its cursor."""
    return stream is not None and stream.isatty() and os.environ.get("TERM", "") not in ("dumb", "")


def coloured(stream: TextIO) -> bool:
    """Whether colour may be used as well: `NO_COLOR` says no."""
    return lively(stream) and not os.environ.get("NO_COLOR")


def visible(text: str) -> str:
    """The text with characters that would steer a terminal, or not be seen, spelt out."""
    return _UNSEEN.sub(lambda m: f"\\u{ord(m[0]):04x}", text)


def out(text: str) -> None:
    """A text on standard output."""
    _say(sys.stdout, visible(text))


def err(text: str) -> None:
    """A text on standard error."""
    _say(sys.stderr, visible(text))


def raw(content: bytes) -> None:
    """Bytes on standard output, as they are."""
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        silence(sys.stdout)


def json(answer: object) -> None:
    """A value on standard output, in ASCII, so that no locale can spoil it."""
    _say(sys.stdout, as_json(answer))


def as_json(answer: object) -> str:
    """A value as `json` prints it."""
    return json_.dumps(answer, indent=2)


def findings(diagnostics: Sequence[Diagnostic]) -> None:
    """Diagnostics on standard error, most serious first."""
    if diagnostics:
        text = visible(phrase_all(diagnostics))
        if coloured(sys.stderr):
            text = _HEAD.sub(lambda m: f"{m[1]}\x1b[{_COLOUR[m[2]]}m{m[2]}\x1b[0m{m[3]}", text)
        _say(sys.stderr, text)


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], marks: Mapping[str, str] | None = None) -> None:
    """A table on standard output: aligned text, set a little nicer where a terminal shows it, `marks` being words and their colours."""
    cells = [[visible(c).replace("\n", " ") for c in row] for row in rows]
    right = [bool(cells) and all(_NUMBER.fullmatch(row[i]) for row in cells) for i in range(len(columns))]
    text, heads = visible(title), [visible(c) for c in columns]
    _say(sys.stdout, _rich(text, heads, cells, right, marks or {}) if lively(sys.stdout) else _plain(text, heads, cells, right))


def silence(stream: TextIO) -> None:
    """What is still to be written goes nowhere: the reader has left."""
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())


def _say(stream: TextIO, text: str) -> None:
    try:
        print(text, file=stream, flush=True)
    except BrokenPipeError:
        silence(stream)  # the exit status still says what was found
    except OSError as error:
        silence(stream)
        what, why = "the answer cannot be written to where it was sent", error.strerror or str(error)
        raise Rejected([Diagnostic("cannot-write", what, why, "send it elsewhere")]) from None


def _plain(title: str, columns: list[str], rows: list[list[str]], right: list[bool]) -> str:
    lines = [columns, *rows] if any(columns) else rows
    width = [max((len(line[i]) for line in lines), default=0) for i in range(len(columns))]
    text = ["  ".join(c.rjust(w) if r else c.ljust(w) for c, w, r in zip(line, width, right, strict=True)).rstrip() for line in lines]
    return "\n".join([title, *text] if title else text)


def _rich(title: str, columns: list[str], rows: list[list[str]], right: list[bool], marks: Mapping[str, str]) -> str:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text  # cells are text, never markup: an address holds brackets

    grid = Table(title=Text(title) if title else None, title_justify="left", box=box.SIMPLE_HEAD, show_header=any(columns))
    for name, to_right in zip(columns, right, strict=True):
        grid.add_column(Text(name), justify="right" if to_right else "left", overflow="fold")
    for row in rows:
        grid.add_row(*(Text(c, marks.get(c, "")) for c in row))
    console = Console(file=sys.stdout)
    with console.capture() as caught:
        console.print(grid)
    return caught.get().strip("\n")


class Work:
    """A line on standard error that says what goes on, once it takes a second; nothing where no terminal shows it."""

    def __init__(self) -> None:
        self._text, self._over, self._lock = "", False, Lock()
        self._status: Status | None = None
        self._timer = Timer(PATIENCE_S, self._show)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        if lively(sys.stderr):
            self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        with self._lock:
            self._over = True
            if self._status:
                self._status.stop()

    def doing(self, what: str) -> None:
        """What begins now."""
        self._text = visible(what)
        if self._status:
            from rich.text import Text

            self._status.update(Text(self._text))

    def _show(self) -> None:
        from rich.console import Console
        from rich.text import Text

        with self._lock:
            if not self._over:
                self._status = Console(stderr=True).status(Text(self._text))
                self._status.start()
