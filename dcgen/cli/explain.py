"""`dcgen explain`: what a word of dcgen means."""

from pathlib import Path
from typing import Annotated

import typer

import dcgen
from dcgen.cli.options import Form, Format, OwnParts, answered, tables

Word = Annotated[
    str, typer.Argument(metavar="WORD", help="A code, rule, measure, family, kind of part, or the id of a part.", show_default=False)
]


def explain(word: Word = "", own: OwnParts = Path("parts"), format_: Format = Form.TEXT) -> None:
    """Say what a word means: a code of a message, a design rule, a measure, a family of topologies, a kind of part, a part.

    Without a word, everything that can be explained is listed; the parts themselves are listed by `dcgen parts`.

    \b
    Examples:
      dcgen explain
      dcgen explain port-shortage         # as it stands in error[port-shortage]
      dcgen explain clos                  # what may be written, and what it is unless written
      dcgen explain oversubscription
    """
    with answered(format_, sections=[]):
        found = dcgen.explain(word, own)
    tables(found, format_)
