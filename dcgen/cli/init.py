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
    completes keys is put beside it, as blueprint.schema.json, and so are the parts that the blueprint copied has of its own,
    unless they are there.

    \b
    Examples:
      dcgen init my-site.yaml
      dcgen init my-site.yaml --like "superpod xdr"    # a shipped blueprint that holds both words
      dcgen init trial.yaml --like my-site.yaml
      dcgen init | less
    """
    if file is None:
        text, _, model = dcgen.starter(Path("my-site.yaml"), like, SCHEMA)
        _chosen(like, model)
        terminal.out(text.rstrip("\n"))
        return
    named_as_blueprint(file)
    if file.exists():
        raise _there(file)
    text, own, model = dcgen.starter(file, like, SCHEMA)
    _chosen(like, model)
    _write(file, text)
    beside = {file.with_name(SCHEMA): terminal.as_json(dcgen.schema()) + "\n"}
    beside |= {file.parent / "parts" / f"{part}.yaml": content for part, content in own.items()}
    for path, content in beside.items():
        if not path.exists():
            _write(path, content)
            terminal.out(f"{path} is written")
    terminal.out(f"{file} is written; next: `dcgen check {file}`, then `dcgen show {file}`")


def _chosen(like: str, model: str) -> None:
    """Say which blueprint words led to."""
    if like and Path(like).stem != model:
        terminal.err(f"`{like}` is most like `{model}`, which is copied")


def _there(file: Path) -> Rejected:
    fix = "give another name, or move the file away"
    return Rejected([Diagnostic("cannot-write", f"`{file}` is there already", "a blueprint is never overwritten", fix, subject=str(file))])


def _write(file: Path, text: str) -> None:
    try:
        file.parent.mkdir(exist_ok=True)
        with file.open("x", encoding="utf-8") as new:
            new.write(text)
    except FileExistsError:
        raise _there(file) from None
    except OSError as error:
        what, why = f"`{file}` cannot be written", error.strerror or str(error)
        raise Rejected([Diagnostic("cannot-write", what, why, "write it into a folder that is there", subject=str(file))]) from None
