"""`dcgen schema`: what may be written, for editors."""

from enum import StrEnum
from typing import Annotated

import typer

import dcgen
from dcgen.cli import terminal


class Kind(StrEnum):
    """Which file the schema is of."""

    BLUEPRINT = "blueprint"
    PART = "part"


def schema(kind: Annotated[Kind, typer.Argument(help="Which file it describes.")] = Kind.BLUEPRINT) -> None:
    """Print the JSON schema of a blueprint, or of a part file.

    An editor that knows it completes keys and marks mistakes while you type.

    \b
    Examples:
      dcgen schema > blueprint.schema.json
      dcgen schema part > part.schema.json

    \b
    First line of a blueprint, for editors with the YAML language server:
      # yaml-language-server: $schema=blueprint.schema.json
    """
    terminal.json(dcgen.schema("part") if kind is Kind.PART else dcgen.schema())
