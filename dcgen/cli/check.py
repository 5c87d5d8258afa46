"""`dcgen check`: what is wrong, and how large it is."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from dcgen.cli import summary, terminal
from dcgen.cli.options import Blueprints, Findings, Only, Report, Set, Strict, annotated, answer, answered, settings, targets, verdict
from dcgen.cli.steps import Study, Target, study
from dcgen.diagnostics import RULE, Diagnostic, Rejected, in_order


def check(
    files: Blueprints,
    set_: Set = None,
    only: Only = None,
    format_: Findings = Report.TEXT,
    strict: Strict = False,
    exit_zero: Annotated[bool, typer.Option("--exit-zero", help="Exit 0 although rules are broken; unreadable input is still 2.")] = False,
) -> None:
    """Check blueprints and say how large the designs are. Writes nothing.

    Findings go to standard error with file, line and column; the summary goes to standard output.
    With --format json, one object {status, findings, measures} goes to standard output, whatever was found;
    its status is not changed by --exit-zero. With --format github, findings become annotations at their lines.

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
        found = list(_studied(files, lambda target: study(target, chosen, work.doing, quick=True, only=only)))
    findings = in_order(d for one in found for d in one.findings)
    status = verdict(findings, strict)
    if format_ in (Report.GITHUB, Report.GITLAB):
        annotated(status, findings, format_)
    elif format_ is Report.JSON and len(found) == 1:
        answer(status, findings, measures=summary.records(found[0].measures))
    elif format_ is Report.JSON:
        answer(status, findings, measures={one.name: summary.records(one.measures) for one in found})
    else:
        terminal.findings(findings)
        summary.show(found)
    raise typer.Exit(0 if exit_zero and status == RULE else status)


def _studied(files: Sequence[Path], how: Callable[[Target], Study]) -> Iterator[Study]:
    """The studies of all versions of all files.

    Raises:
        Rejected: at the end, with what is wrong with every file that cannot be studied, and what was found in the others.
    """
    found: list[Diagnostic] = []
    wrong: list[Diagnostic] = []
    for file in files:
        try:
            for target in targets(file):
                one = how(target)
                found += one.findings
                yield one
        except Rejected as rejected:
            wrong += rejected.diagnostics
    if wrong:
        raise Rejected([*wrong, *found])
