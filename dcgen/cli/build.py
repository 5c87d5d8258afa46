"""`dcgen build`: everything about a design, into a folder."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from dcgen.cli import summary, terminal
from dcgen.cli.compare import differences
from dcgen.cli.options import Blueprints, Form, Format, Only, Set, Strict, answer, answered, settings, targets, verdict
from dcgen.cli.output import Written, write
from dcgen.cli.steps import HARMLESS, Study, Target, study
from dcgen.diagnostics import INPUT, Diagnostic, in_order

Output = Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="The folder in which the design's folder is made.")]
Check = Annotated[bool, typer.Option("--check", help="Compare with what is in the folder instead of writing; exit 3 if it differs.")]
KeepGoing = Annotated[bool, typer.Option("--keep-going", help="Write in spite of broken design rules; exit 3 all the same.")]
Gallery = Annotated[bool, typer.Option("--gallery", help="Of tables longer than 200 rows, write only head and count.")]

Xlsx = Annotated[bool, typer.Option("--xlsx", help="Write the tables as one workbook, too: NAME.xlsx.")]


def build(
    files: Blueprints,
    set_: Set = None,
    only: Only = None,
    output: Output = Path("output"),
    check: Check = False,
    keep_going: KeepGoing = False,
    gallery: Gallery = False,
    xlsx: Xlsx = False,
    format_: Format = Form.TEXT,
    strict: Strict = False,
) -> None:
    """Build designs: tables, drawings and reports, into DIR/NAME.

    The folder is replaced in one step: it is entirely the old one or entirely the new one, whenever the run ends.
    Files in it that dcgen did not write stay where they are. A broken design rule writes nothing, unless --keep-going;
    a broken requirement or expectation writes everything. Both exit 3.

    A slice (--only) has a folder of its own: NAME.only-SELECTOR, or NAME@VARIANT.only-SELECTOR.

    \b
    Examples:
      dcgen build my-site.yaml
      dcgen build my-site.yaml -o /tmp/trial --set pods=4
      dcgen build my-site.yaml@cpo            # one variant, into output/my-site@cpo/
      dcgen build my-site.yaml --only su=0    # one unit, into output/my-site.only-su0/
      dcgen build my-site.yaml --xlsx         # with a workbook for those who order
      dcgen build my-site.yaml --check        # in CI: is what is committed what this version makes?
    """
    chosen, how = settings(set_), _How(output, check, keep_going, gallery, format_, strict, only, xlsx)
    with answered(format_, measures=[], folder=None, files=[]):
        statuses = [_one(target, chosen, how) for file in files for target in targets(file)]
    raise typer.Exit(INPUT if INPUT in statuses else max(statuses))


class _How(NamedTuple):
    """The options of one call, the same for every variant."""

    output: Path
    check: bool
    keep_going: bool
    gallery: bool
    form: Form
    strict: bool
    only: str | None
    xlsx: bool


def _one(target: Target, chosen: Mapping[str, str], how: _How) -> int:
    """Build or compare one version of a blueprint, and say so; its exit status."""
    with terminal.Work() as work:
        made = study(target, chosen, work.doing, only=how.only, workbook=how.xlsx)
        folder, found, written = how.output / made.name, list(made.findings), None
        stop = _blocked(found, how.strict, how.keep_going)
        if how.check and not stop:
            found += differences(folder, made.artifacts(), how.gallery, work.doing)
        elif not stop:
            written = write(how.output, made.name, made.artifacts, how.gallery, work.doing)
        found = in_order([*found, *made.skipped])
    status = verdict(found, how.strict)
    _report(made, found, folder, written, status if how.form is Form.JSON else None)
    if stop:
        terminal.err(f"dcgen: nothing was {'compared' if how.check else 'written'}; --keep-going goes on in spite of broken rules")
    elif how.check and how.form is Form.TEXT and not any(d.code == "output-differs" for d in found):
        terminal.out(f"{folder}: just as this version makes it")
    return status


def _blocked(findings: Sequence[Diagnostic], strict: bool, keep_going: bool) -> bool:
    """Whether a finding forbids to write; wrong input is never written over what is there, whatever the options."""
    grave = [d for d in findings if (d.severity == "error" and d.code not in HARMLESS) or (strict and d.severity == "warning")]
    return any(d.status == INPUT or not keep_going for d in grave)


def _report(made: Study, found: Sequence[Diagnostic], folder: Path, written: Written | None, as_json: int | None) -> None:
    """What was found and where the files are; `as_json` is the status to write into an object, None asks for text."""
    if written and written.taken_from:
        terminal.err(f"dcgen: note: pid {written.taken_from} died while it wrote {folder}; this run took over")
    if as_json is not None:
        files, place = (sorted(written.files), str(folder)) if written else ([], None)
        answer(as_json, found, measures=summary.records(made.measures), folder=place, files=files)
        return
    terminal.findings(found)
    if written:
        summary.show([made])
        size = sum(entry.bytes for entry in written.files.values())
        terminal.out(f"{folder}: {len(written.files):,} files, {size:,} bytes")
        for d in found:
            if d.severity == "error":
                terminal.out(f"in spite of {d.code}: {d.what}")
