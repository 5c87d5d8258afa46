"""`dcgen parts`: the shelf, one part of it, and parts from elsewhere."""

from pathlib import Path
from typing import Annotated

import typer

import dcgen
from dcgen.cli import terminal
from dcgen.cli.options import Form, Format, OwnParts, answered, tables

SHOW, IMPORT = "show", "import"

Words = Annotated[
    list[str] | None,
    typer.Argument(metavar="[WORDS…] | show ID | import FILE", help="Words that must all describe a part.", show_default=False),
]


def parts(words: Words = None, own: OwnParts = Path("parts"), format_: Format = Form.TEXT) -> None:
    """List the parts that words describe, show one, or turn a device type of another tool into one.

    `import` reads a device type of the NetBox library and prints a part file; what it cannot know is named on standard error.

    \b
    Examples:
      dcgen parts                         # all of them
      dcgen parts ethernet 800G leaf      # those that all words describe
      dcgen parts show ID                 # with every figure and its source
      dcgen parts import ~/devicetype-library/device-types/Acme/X1.yaml > parts/x1.yaml
    """
    said = words or []
    verb, name = (said[0], said[1]) if len(said) == 2 else ("", "")
    if verb == IMPORT:
        _import(Path(name))
        return
    with answered(format_, sections=[]):
        found = dcgen.show_part(name, own) if verb == SHOW else dcgen.find_parts(said, own)
    tables(found, format_)


def _import(file: Path) -> None:
    text, missing = dcgen.import_part(dcgen.read(file))
    terminal.out(text.rstrip("\n"))
    for line in missing:
        terminal.err(f"missing: {line}")
