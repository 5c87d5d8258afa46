"""`dcgen normalize`: a blueprint or part as flat lines, for `git diff`."""

from pathlib import Path
from typing import Annotated

import typer

import dcgen
from dcgen.cli import terminal
from dcgen.diagnostics import Diagnostic, Rejected, Where


def normalize(file: Annotated[Path, typer.Argument(metavar="FILE", help="A blueprint or a part.", show_default=False)]) -> None:
    """Print a YAML file as sorted lines, `racks.compute.axes.su = 4`, without comments, anchors and layout.

    Meant as a textconv driver: `git diff` then shows what is said differently, and nothing where lines only changed places.
    What is no YAML that dcgen reads is printed as it is, with exit status 0 all the same: git stops at any other.

    \b
    Examples:
      dcgen normalize my-site.yaml
      git config diff.dcgen.textconv 'dcgen normalize'    # and in .gitattributes: *.yaml diff=dcgen
    """
    try:
        content = file.read_bytes()
    except OSError as error:
        what, why = f"`{file}` cannot be read", error.strerror or str(error)
        raise Rejected([Diagnostic("cannot-read", what, why, "check the path", where=Where(str(file)))]) from None
    lines = dcgen.flat(content)
    terminal.raw(content if lines is None else lines.encode("utf-8", "surrogatepass"))
