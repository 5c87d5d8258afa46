"""`dcgen show`: a design as tables."""

from typing import Annotated

import typer

from dcgen.cli import terminal
from dcgen.cli.options import Blueprint, Form, Format, Set, answer, answered, settings, targets
from dcgen.cli.steps import sections


def show(
    file: Blueprint,
    selector: Annotated[str | None, typer.Argument(metavar="SELECTOR", help="A fabric, group, or devices.", show_default=False)] = None,
    set_: Set = None,
    format_: Format = Form.TEXT,
) -> None:
    """Show a design, or a part of it, as tables.

    A selector names a fabric or group, and perhaps ranges of coordinates, counted from 0.

    \b
    Examples:
      dcgen show my-site.yaml
      dcgen show my-site.yaml backend
      dcgen show my-site.yaml 'backend/leaf[su=0..3,rail=5]'
      dcgen show my-site.yaml --format json
    """
    chosen = settings(set_)
    with answered(format_, sections=[]):
        found = [s for target in targets(file) for s in sections(target, chosen, selector)]
    if format_ is Form.JSON:
        answer(0, (), sections=[{"title": title, "columns": columns, "rows": rows} for title, columns, rows in found])
        return
    for number, (title, columns, rows) in enumerate(found):
        if number:
            terminal.out("")
        terminal.table(title, columns, rows)
