"""Turns the YAML reader's complaints into sentences a person can act on."""

import re
from itertools import islice

import yaml

from dcgen.diagnostics import Diagnostic, Where
from dcgen.source.limits import Limits

_TAB = re.compile(r"^ *\t(?=[ \t]*\S)", re.MULTILINE)
_MOST_TABS = 1000

_SAID: tuple[tuple[str, str, str], ...] = (
    (
        "could not find expected ':'",
        "this is not a `key: value` line",
        "write a space after the colon, and close quotes and brackets above it",
    ),
    (
        "mapping values are not allowed",
        "a `key: value` cannot begin here",
        "check the indentation, write a space after every colon, or quote a text that holds `: `",
    ),
    ("end of stream", "the quote that opens here is never closed", "close it"),
    (
        "did not find expected key",
        "this does not line up with the lines above",
        "indent with the same number of spaces as the keys beside it",
    ),
    ("expected <block end>", "this does not line up with the lines above", "indent with the same number of spaces as the lines beside it"),
    ("'-' indicator", "this does not line up with the list above", "begin the line with `- `, or indent it further"),
    ("sequence entries are not allowed", "a list item cannot begin here", "put `- ` on a line of its own, below the key"),
    ("cannot start any token", "a text cannot begin with this character", "put the text in quotes"),
    ("alphabetic or numeric", "`*` and `&` begin the name of an alias or anchor, and none follows", "put the text in quotes"),
    ("escape c", "`\\` before a character that is not an escape", "write `\\\\`, or use single quotes"),
    ("undefined tag handle", "this tag is not declared", "remove the tag, or quote the text"),
)
_SELECTOR = re.compile(r"(?<![\w'\"/.-])[\w-]+(?:[./][\w-]+)*\[[\w-]+\s*=[^\]'\"]*\](?::[\w/]+)?")
"""An address with coordinates that stands without quotes, where YAML takes its bracket for a list."""
_UNCLOSED = re.compile(r"expected ',' or '([\]}])'")


def explain(error: yaml.MarkedYAMLError, text: str, name: str, limits: Limits) -> Diagnostic:
    """The syntax error as a diagnostic; a tab among the indentation is told first, whatever it led to."""
    mark, opened = error.problem_mark or error.context_mark, error.context_mark
    if mark is None:
        return Diagnostic("bad-yaml", f"this is not YAML: {error.problem}", where=Where(name))
    where = Where(name, mark.line + 1, mark.column + 1)
    problem = str(error.problem)
    column = tabs(text).get(mark.line, mark.column + 1 if "tab character" in problem else 0)
    if column:
        return tab_indent(name, mark.line, column)
    if "nesting depth" in problem:
        return limits.exceeded("depth", where)
    bracket = _UNCLOSED.search(problem)
    if bracket and opened:
        selector = _SELECTOR.search("\n".join(text.splitlines()[mark.line : mark.line + 1]))
        fix = f"put the selector in quotes: `'{selector[0]}'`" if selector else f"write `,` between items and `{bracket[1]}` at the end"
        what = f"the bracket that opens here is not closed before line {where.line}, column {where.column}"
        return Diagnostic("bad-yaml", what, fix=fix, where=Where(name, opened.line + 1, opened.column + 1))
    for sign, what, fix in _SAID:
        if sign in problem:
            at = Where(name, opened.line + 1, opened.column + 1) if sign == "end of stream" and opened else where
            return Diagnostic("bad-yaml", what, f"YAML: {problem}", fix, where=at)
    return Diagnostic("bad-yaml", f"this is not YAML: {problem}", str(error.context or ""), where=where)


def tabs(text: str) -> dict[int, int]:
    """Line (from 0) -> column of the tab that indents it (from 1), for the first so many lines."""
    out: dict[int, int] = {}
    line = last = 0
    for found in islice(_TAB.finditer(text), _MOST_TABS):
        line, last = line + text.count("\n", last, found.start()), found.start()
        out[line] = found.end() - last
    return out


def tab_indent(name: str, line: int, column: int) -> Diagnostic:
    """What to say about one of `tabs`."""
    where = Where(name, line + 1, column)
    return Diagnostic("tab-indent", "the line is indented with a tab character; use spaces", fix="replace the tab by spaces", where=where)
