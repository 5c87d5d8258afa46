"""What can be explained of the language: families of topologies, kinds of part, and the sections of a blueprint."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from inspect import getdoc
from typing import get_args

from pydantic import BaseModel

from dcgen.blueprint.meanings import gist, inner, options
from dcgen.blueprint.model import Written
from dcgen.catalog import Shelf, card
from dcgen.diagnostics import Diagnostic, Rejected, did_you_mean
from dcgen.fabric import FAMILIES
from dcgen.parts import KINDS

Section = tuple[str, list[str], list[list[str]]]
"""Title, column names, rows of text."""

Entry = tuple[str, str, str, Callable[[], list[Section]]]
"""What it is, the word, a sentence about it, and the sections that explain it."""

_COLUMNS = ["key", "unless written", "meaning"]


def entries() -> Iterator[Entry]:
    """Everything that can be written and is not obvious."""
    for family in FAMILIES:
        for kind in get_args(family.model_fields["kind"].annotation):
            yield "families", kind, gist(family), partial(_model, f"{kind}: a family of topologies", family)
    for model in KINDS:
        for kind in get_args(model.model_fields["kind"].annotation):
            yield "kinds of part", kind, gist(model), partial(_model, f"{kind}: a kind of part", model)
    yield "files", "blueprint", gist(Written), partial(_model, "blueprint: the file that is written", Written)


def shelf_entries(shelf: Shelf) -> Iterator[Entry]:
    """Every part of the shelf, opened only when it is the one that is asked for."""
    for name in shelf.ids():
        yield "parts", name, "", partial(_card, shelf, name)


def _card(shelf: Shelf, name: str) -> list[Section]:
    return card(shelf.get(name))


def _model(title: str, model: type[BaseModel]) -> list[Section]:
    said = (getdoc(model) or "").replace("\n\n", "\0").replace("\n", " ").split("\0")
    sections: list[Section] = [(title, [""], [[paragraph] for paragraph in said]), ("It holds", _COLUMNS, options(model))]
    nested = [] if model is Written else inner(model)
    return sections + [(f"{one.__name__}: {gist(one)}", _COLUMNS, options(one)) for one in nested]


def explained(known: Iterable[Entry], word: str) -> list[Section]:
    """Everything that a word stands for; without a word, what can be explained, one section per sort.

    Raises:
        Rejected: a word that stands for nothing, with the nearest that does.
    """
    known = list(known)
    if not word:
        sorts = dict.fromkeys(sort for sort, *_ in known)
        return [(sort.capitalize(), ["word", "meaning"], [[w, said] for s, w, said, _ in known if s == sort and said]) for sort in sorts]
    asked = _folded(word)
    found = [sections for _, known_word, _, sections in known if _folded(known_word) == asked]
    if not found:
        fix = did_you_mean(word, [w for _, w, *_ in known])
        raise Rejected(
            [Diagnostic("bad-choice", f"there is nothing called `{word}` to explain", fix=f"{fix} `dcgen explain` lists everything")]
        )
    return [section for sections in found for section in sections()]


def _folded(word: str) -> str:
    """`port_shortage` and `port-shortage` are one word."""
    return word.casefold().replace("_", "-")
