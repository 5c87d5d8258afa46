"""`dcgen table`: one table of a design, as somebody needs it."""

import os
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from dcgen.cli import terminal
from dcgen.cli.options import Blueprint, Only, Set, settings, targets
from dcgen.cli.steps import tabulated
from dcgen.diagnostics import Diagnostic, Rejected


class As(StrEnum):
    """Forms of a table."""

    CSV = "csv"
    MARKDOWN = "markdown"
    PARQUET = "parquet"
    XLSX = "xlsx"


SUFFIXES = {".csv": As.CSV, ".md": As.MARKDOWN, ".parquet": As.PARQUET, ".xlsx": As.XLSX}

Name = Annotated[
    str,
    typer.Argument(
        metavar="TABLE",
        help="bom, bundles, cables, cuts, device-labels, failures, labels, lead-times, losses, ports, racks or tree.",
        show_default=False,
    ),
]
Columns = Annotated[str | None, typer.Option("--columns", metavar="A,B,…", help="Only these, in this order.", show_default=False)]
Rack = Annotated[str, typer.Option("--rack", metavar="RACK", help="Only what has an end in this rack, that end first.", show_default=False)]
Phase = Annotated[str, typer.Option("--phase", metavar="PHASE", help="Only what comes with this phase.", show_default=False)]
BothWays = Annotated[bool, typer.Option("--both-ways", help="Cables twice, once from either end.")]
By = Annotated[
    str,
    typer.Option("--by", metavar="WORD", help="The bill in shares: by fabric, phase, room or an axis (building).", show_default=False),
]
Form = Annotated[As | None, typer.Option("--format", help="csv unless the name of the file says otherwise.", show_default=False)]
File = Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="Standard output unless written.", show_default=False)]


def table(
    file: Blueprint,
    name: Name,
    columns: Columns = None,
    rack: Rack = "",
    phase: Phase = "",
    both_ways: BothWays = False,
    by: By = "",
    form: Form = None,
    output: File = None,
    set_: Set = None,
    only: Only = None,
) -> None:
    """Write one table of a design, whole or what somebody needs of it.

    `cables` has columns beside those of cables.csv, made when they are asked for: a_label, z_label, a_print, z_print, colour, rail,
    rail_colour, bundle. The number of rows is said on standard error.

    \b
    Examples:
      dcgen table my-site.yaml cables --columns a_rack,a_device,a_port,length_m,z_rack,z_device,z_port
      dcgen table my-site.yaml cables --rack compute-rack3 -o rack3.xlsx
      dcgen table my-site.yaml labels -o labels.csv
      dcgen table my-site.yaml bom --by phase --format markdown
    """
    found = targets(file)
    if len(found) > 1:
        raise typer.BadParameter("a table is of one version: name a single variant", param_hint="FILE")
    form = form or SUFFIXES.get(output.suffix if output else "", As.CSV)
    if output is None and form in (As.PARQUET, As.XLSX):
        raise typer.BadParameter(f"{form} is no text: name a file with -o", param_hint="--format")
    wanted = {"columns": [c.strip() for c in (columns or "").split(",") if c.strip()], "rack": rack, "phase": phase}
    with terminal.Work() as work:
        made = tabulated(found[0], settings(set_), only, work.doing, name, wanted | {"both_ways": both_ways, "by": by}, form)
        if output:
            _write(output, made.chunks)
    if output is None:
        for chunk in made.chunks:
            terminal.raw(chunk)
    terminal.err(f"dcgen: {made.rows:,} row{'' if made.rows == 1 else 's'}{f' in {output}' if output else ''}")
    if made.note:
        terminal.err(f"dcgen: {made.note}")


def _write(path: Path, chunks: Iterable[bytes]) -> None:
    """Write a file so that it is entirely the old one or entirely the new one. Raises Rejected."""
    work = path.with_name(f".dcgen-{path.name}-{os.getpid()}")
    try:
        try:
            with work.open("xb") as out:
                for chunk in chunks:
                    out.write(chunk)
            work.replace(path)
        finally:
            work.unlink(missing_ok=True)
    except OSError as error:
        fix = "mend the permissions, or use another name: -o FILE"
        raise Rejected([Diagnostic("cannot-write", f"`{path}` cannot be written", error.strerror or str(error), fix)]) from None
