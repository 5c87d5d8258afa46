"""`dcgen init`: a blueprint to begin with."""

from pathlib import Path
from typing import Annotated

import typer

import dcgen
from dcgen.cli import terminal
from dcgen.cli.options import named_as_blueprint
from dcgen.diagnostics import Diagnostic, Rejected

SCHEMA = "blueprint.schema.json"
"""The schema beside a new blueprint, which the blueprint's first lines name."""

File = Annotated[
    Path | None,
    typer.Argument(metavar="FILE", help="The file to write, ending in .yaml; the design is called after it.", show_default=False),
]
Like = Annotated[str, typer.Option("--like", metavar="BLUEPRINT", help="Copy this one: a file, or words that a shipped one holds.")]


def init(file: File = None, like: Like = "") -> None:
    """Write a blueprint to begin with, or print it where no FILE is given.

    It says in comments what each line means, and checks as it is. Nothing is ever overwritten. The schema by which an editor
    completes keys is put beside it, as blueprint.schema.json, unless there is one.

    \b
    Examples:
      dcgen init my-site.yaml
      dcgen init my-site.yaml --like "superpod xdr"    # a shipped blueprint that holds both words
      dcgen init trial.yaml --like my-site.yaml
      dcgen init | less
    """
    if file is None:
        terminal.out(dcgen.starter(Path("my-site.yaml"), like, SCHEMA).rstrip("\n"))
        return
    named_as_blueprint(file)
    if file.exists():
        raise _there(file)
    _write(file, dcgen.starter(file, like, SCHEMA))
    schema = file.with_name(SCHEMA)
    fresh = not schema.exists()
    if fresh:
        _write(schema, terminal.as_json(dcgen.schema()) + "\n")
    terminal.out(f"{file} is written" + (f", and {schema} for editors" if fresh else ""))
    terminal.out(f"next: `dcgen check {file}`, then `dcgen show {file}`")


def _there(file: Path) -> Rejected:
    fix = "give another name, or move the file away"
    return Rejected([Diagnostic("cannot-write", f"`{file}` is there already", "a blueprint is never overwritten", fix, subject=str(file))])


def _write(file: Path, text: str) -> None:
    try:
        with file.open("x", encoding="utf-8") as new:
            new.write(text)
    except FileExistsError:
        raise _there(file) from None
    except OSError as error:
        what, why = f"`{file}` cannot be written", error.strerror or str(error)
        raise Rejected([Diagnostic("cannot-write", what, why, "write it into a folder that is there", subject=str(file))]) from None
