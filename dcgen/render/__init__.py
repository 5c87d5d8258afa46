"""Turns an analysis into files for people and machines; never writes them to disk and never decides a figure."""

from collections.abc import Iterator, Sequence

from dcgen.analysis.model import Analysis
from dcgen.diagnostics import Diagnostic
from dcgen.render.csv import write_tables
from dcgen.render.data import write_data
from dcgen.render.dot import write_drawings
from dcgen.render.model import Artifact, Finding, Story
from dcgen.render.report import write_report
from dcgen.render.sheet import write_workbook

RENDERERS = (
    write_data,
    write_drawings,
    write_report,
    write_tables,
)


def render(
    analysis: Analysis, findings: Sequence[Finding] = (), version: str | None = None, skipped: list[Diagnostic] | None = None,
    workbook: bool = False,
) -> Iterator[Artifact]:  # fmt: skip
    """Every artifact of a design, made as it is asked for.

    Args:
        analysis: What is rendered.
        findings: Records of diagnostics that already know their place in a file.
        version: Version that the files name; the installed one unless given.
        skipped: Receives a warning for every drawing that could not be made.
        workbook: Whether the tables are wanted as one workbook, too.
    """
    story = Story(analysis, tuple(findings), version, skipped if skipped is not None else [])
    for renderer in RENDERERS:
        yield from renderer(story)
    if workbook:
        yield from write_workbook(story)


__all__ = ["RENDERERS", "Artifact", "Finding", "Story", "render"]
