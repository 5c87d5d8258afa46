"""`dcgen check`: what is wrong, and how large it is."""

from typing import Annotated

import typer

from dcgen.cli import summary, terminal
from dcgen.cli.options import Blueprint, Form, Format, Only, Set, Strict, answer, answered, settings, targets, verdict
from dcgen.cli.steps import study
from dcgen.diagnostics import RULE, in_order


def check(
    file: Blueprint,
    set_: Set = None,
    only: Only = None,
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
      dcgen check my-site.yaml --only su=0    # a slice; requirements of the whole are not judged
      dcgen check 'my-site.yaml@*'        # every variant, side by side
      dcgen check my-site.yaml --format json | jq '.findings[].what'
    """
    chosen = settings(set_)
    with answered(format_, measures=[]), terminal.Work() as work:
        found = [study(target, chosen, work.doing, quick=True, only=only) for target in targets(file)]
    findings = in_order(d for one in found for d in one.findings)
    status = verdict(findings, strict)
    if format_ is Form.JSON and len(found) == 1:
        answer(status, findings, measures=summary.records(found[0].measures))
    elif format_ is Form.JSON:
        answer(status, findings, measures={one.name: summary.records(one.measures) for one in found})
    else:
        terminal.findings(findings)
        summary.show(found)
    raise typer.Exit(0 if exit_zero and status == RULE else status)
