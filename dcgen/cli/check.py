"""`dcgen check`: what is wrong, and how large it is."""

from typing import Annotated

import typer

from dcgen.cli import summary, terminal
from dcgen.cli.options import Blueprint, Form, Format, Set, Strict, answer, answered, named_yaml, settings, verdict
from dcgen.cli.steps import study
from dcgen.diagnostics import RULE


def check(
    file: Blueprint,
    set_: Set = None,
    format_: Format = Form.TEXT,
    strict: Strict = False,
    exit_zero: Annotated[bool, typer.Option("--exit-zero", help="Exit 0 although rules are broken; unreadable input is still 2.")] = False,
) -> None:
    """Check a blueprint and say how large the design is. Writes nothing.

    Findings go to standard error with file, line and column; the summary goes to standard output.
    With --format json, one object {status, findings, measures} goes to standard output, whatever was found;
    its status is not changed by --exit-zero.

    \b
    Examples:
      dcgen check my-site.yaml
      dcgen check my-site.yaml --set pods=4 --strict
      dcgen check my-site.yaml --format json | jq '.findings[].what'
    """
    chosen = settings(set_)
    with answered(format_, measures=[]), terminal.Work() as work:
        named_yaml(file)
        found = study(file, chosen, work.doing)
    status = verdict(found.findings, strict)
    if format_ is Form.JSON:
        answer(status, found.findings, measures=summary.records(found.measures))
    else:
        terminal.findings(found.findings)
        summary.show(found.name, found.measures)
    raise typer.Exit(0 if exit_zero and status == RULE else status)
