"""`dcgen show`: a design as tables."""

from typing import Annotated

import typer

from dcgen.cli.options import Blueprint, Form, Format, Only, Set, answered, settings, tables, targets
from dcgen.cli.steps import sections, unwritten

Defaults = Annotated[bool, typer.Option("--defaults", help="Show what was not written: every default and derived value, and why.")]


def show(
    file: Blueprint,
    selector: Annotated[str | None, typer.Argument(metavar="SELECTOR", help="A fabric, group, or devices.", show_default=False)] = None,
    set_: Set = None,
    only: Only = None,
    defaults: Defaults = False,
    format_: Format = Form.TEXT,
) -> None:
    """Show a design, or a part of it, as tables.

    A selector names a fabric or group, and perhaps ranges of coordinates, counted from 0. --only cuts a slice out of the design
    first, so that all counts are those of the slice.

    \b
    Examples:
      dcgen show my-site.yaml
      dcgen show my-site.yaml backend
      dcgen show my-site.yaml 'backend/leaf[su=0..3,rail=5]'
      dcgen show my-site.yaml --only su=0
      dcgen show my-site.yaml --defaults
      dcgen show my-site.yaml --format json
    """
    if defaults and (selector or only):
        raise typer.BadParameter("it is about the whole blueprint: leave out the selector", param_hint="--defaults")
    chosen = settings(set_)
    with answered(format_, sections=[]):
        shown = (unwritten(t, chosen) if defaults else sections(t, chosen, selector, only) for t in targets(file))
        found = [s for one in shown for s in one]
    tables(found, format_)
