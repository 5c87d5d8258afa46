"""What can be explained of an answer: codes, design rules and measures, in the words of their own docstrings."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from inspect import getdoc
from typing import Any

from dcgen.analysis import METRICS, YIELDS
from dcgen.analysis.rules import RULES
from dcgen.diagnostics import CODES

Section = tuple[str, list[str], list[list[str]]]
"""Title, column names, rows of text."""

Entry = tuple[str, str, str, Callable[[], list[Section]]]
"""What it is, the word, a sentence about it, and the sections that explain it."""

_LABEL = re.compile(r"(What it checks|Why|Example|Source): (.*)")


def entries() -> Iterator[Entry]:
    """Every code, rule and measure."""
    for code, (status, meaning) in CODES.items():
        yield "codes", code, meaning, partial(_code, code, status, meaning)
    for rule in RULES:
        word, said = rule.__name__.replace("_", "-"), labelled(rule)
        yield "rules", word, said.get("What it checks", ""), partial(_said, f"{word}: a design rule", said)
    for metric in METRICS:
        said = labelled(metric)
        for word in YIELDS.get(metric.__name__, (metric.__name__,)):
            yield "measures", word, (getdoc(metric) or "").split("\n\n")[0].replace("\n", " "), partial(_said, f"{word}: a measure", said)


def labelled(thing: Any) -> dict[str, str]:
    """A docstring by its labels, each on one line; what stands before the first label is `What it is`."""
    out: dict[str, str] = {}
    label = "What it is"
    for line in (getdoc(thing) or "").splitlines():
        found = _LABEL.fullmatch(line)
        label, text = (found[1], found[2]) if found else (label, line)
        out[label] = f"{out.get(label, '')} {text}".strip()
    return {k: v for k, v in out.items() if v}


def _code(code: str, status: int, meaning: str) -> list[Section]:
    rows = [["Meaning", meaning], ["Exit status", f"{status} when it is an error"]]
    return [(f"{code}: a code", ["", ""], rows)]


def _said(title: str, said: dict[str, str]) -> list[Section]:
    return [(title, ["", ""], [[label, text] for label, text in said.items()])]
