"""The difference of two designs in their saved form, complete to the last word; applied to the first it gives the second."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from dcgen.design import Design
from dcgen.design.save import dump, load
from dcgen.diff.model import MISSING, Edit

Body = dict[str, Any]


class DoesNotFit(ValueError):
    """A patch that was made for another design."""


def body(design: Design) -> Body:
    """The saved form of a design as data."""
    made: Body = json.loads(dump(design))
    return made


def patch(before: Body, after: Body) -> tuple[Edit, ...]:
    """Every place at which the saved forms differ; lists are replaced whole."""
    return tuple(_edits((), before, after))


def _edits(path: tuple[str, ...], before: Any, after: Any) -> Iterator[Edit]:
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted({*before, *after}):
            yield from _edits((*path, key), before.get(key, MISSING), after.get(key, MISSING))
    elif before is MISSING or after is MISSING or json.dumps(before) != json.dumps(after):
        yield Edit(path, before, after)


def apply(edits: Iterable[Edit], design: Design) -> Design:
    """The design that the edits lead to.

    Raises:
        DoesNotFit: the design does not say what an edit found there.
    """
    made = body(design)
    for edit in edits:
        *above, key = edit.path
        inside = made
        for word in above:
            inside = inside.get(word, {})
        if json.dumps(inside.get(key)) != json.dumps(None if edit.before is MISSING else edit.before) or (key in inside) == (
            edit.before is MISSING
        ):
            raise DoesNotFit(f"{'.'.join(edit.path)} is not what the patch was made for")
        if edit.after is MISSING:
            del inside[key]
        else:
            inside[key] = edit.after
    return load(json.dumps(made))
