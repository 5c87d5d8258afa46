"""`dcgen plan`: the way from one design to another, in stages that keep a share of the bandwidth."""

from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer

import dcgen
from dcgen.cli import terminal
from dcgen.cli.options import Form, Format, answer, answered, settings, tables, verdict
from dcgen.cli.output import write
from dcgen.cli.steps import laid_out
from dcgen.diagnostics import Diagnostic, Rejected
from dcgen.units import UnitError, parse

Before = Annotated[
    Path, typer.Argument(metavar="BEFORE", help="What there is: FILE.yaml, FILE.yaml@VARIANT or a saved design.json.", show_default=False)
]
After = Annotated[Path, typer.Argument(metavar="AFTER", help="What there is to be, named in the same way.", show_default=False)]
Keep = Annotated[str, typer.Option("--keep", metavar="SHARE", help="Share of its bandwidth that every device keeps in every stage.")]
SetBefore = Annotated[
    list[str] | None,
    typer.Option("--set-before", metavar="NAME=VALUE", help="Give a parameter of BEFORE another value.", show_default=False),
]
SetAfter = Annotated[
    list[str] | None, typer.Option("--set-after", metavar="NAME=VALUE", help="Give a parameter of AFTER another value.", show_default=False)
]
Output = Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="The folder in which the plan's folder is made.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Print the stages, and write nothing.")]


def plan(
    before: Before,
    after: After,
    keep: Keep = "75%",
    set_before: SetBefore = None,
    set_after: SetAfter = None,
    output: Output = Path("output"),
    dry_run: DryRun = False,
    format_: Format = Form.TEXT,
) -> None:
    """Plan a change in stages: the fewest cables moved, and every device keeps a share of its bandwidth in every stage.

    Writes DIR/AFTER.plan-from-BEFORE: plan.md, a work list of each stage as Markdown and CSV, and design.json, the design at the
    end with every cable in the port that it really has: give that one to the next plan as BEFORE.

    \b
    Examples:
      dcgen plan my-site.yaml my-larger-site.yaml
      dcgen plan my-site.yaml my-site.yaml --set-after su=4 --keep 90%
      dcgen plan output/my-site.plan-from-old/design.json my-site.yaml@next --dry-run
    """
    share = _share(keep)
    with answered(format_, **_EMPTY), terminal.Work() as work:
        one = laid_out(before, settings(set_before), work.doing)
        other = laid_out(after, settings(set_after), work.doing, sound=True)
        work.doing("planning")
        made = dcgen.planned(one, other, share)
        name = f"{other.name}.plan-from-{one.name}"
        idle = dry_run or made.nothing
        written = None if idle else write(output, name, lambda: dcgen.produce_plan(made), False, work.doing)
    status = verdict(made.findings, False)
    if format_ is Form.JSON:
        files, folder = (sorted(written.files), str(output / name)) if written else ([], None)
        answer(status, made.findings, **dcgen.plan_record(made), folder=folder, files=files)
    else:
        terminal.findings(made.findings)
        if made.nothing:
            terminal.out(f"nothing to do: {one.name} and {other.name} have the same devices and cables")
        tables(dcgen.describe_plan(made), format_)
        if written:
            terminal.out(f"{output / name}: {len(written.files):,} files, {sum(e.bytes for e in written.files.values()):,} bytes")
    raise typer.Exit(status)


_EMPTY: dict[str, object] = {
    **dict.fromkeys(("keep", "moved", "in_service", "elsewhere", "folder")),
    **{name: [] for name in ("layers", "devices", "stages", "files")},
}
"""The fields of an answer in JSON when there is none."""


def _share(text: str) -> Fraction:
    """A share from 0 to 1.

    Raises:
        Rejected: it does not parse, has no unit, or lies outside.
    """
    try:
        share = parse(text, "share")
    except UnitError as error:
        raise Rejected([Diagnostic(error.code, f"--keep: {error.what}", fix="write for example `--keep 75%`")]) from None
    if not 0 <= share <= 1:
        why = "the bandwidth that is there is 100%, and less than nothing cannot be kept"
        raise Rejected([Diagnostic("out-of-range", f"--keep: `{text}` is not between 0% and 100%", why, "write for example `--keep 75%`")])
    return share
