"""From a blueprint to a design, and from a design to everything that follows: one verb per step.

    source = read(path); blueprint = parse(source); design = lay_out(blueprint); analysis = analyse(design); render(analysis)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dcgen.diagnostics import Diagnostic

if TYPE_CHECKING:
    from dcgen.analysis import Analysis
    from dcgen.blueprint import Blueprint
    from dcgen.design import Design
    from dcgen.render import Artifact
    from dcgen.source import Source

__version__ = "0.1.0"


def read(path: Path) -> Source:
    """A file as data with positions. Raises Rejected."""
    from dcgen.source import read as read_source

    return read_source(path)


def parse(source: Source, settings: Mapping[str, str] | None = None) -> Blueprint:
    """Checked against the language, parameters put in. Raises Rejected."""
    from dcgen.blueprint import parse as parse_blueprint

    return parse_blueprint(source, settings)


def lay_out(blueprint: Blueprint) -> Design:
    """Groups and bundles; parts from `parts/` beside the blueprint, then from the shelf. Raises Rejected."""
    from dcgen.blueprint import lay_out as lay_out_blueprint
    from dcgen.catalog import Shelf

    return lay_out_blueprint(blueprint, Shelf(Path(blueprint.source.name).parent / "parts"))


def analyse(design: Design) -> Analysis:
    """Measures and findings."""
    from dcgen.analysis import analyse as analyse_design

    return analyse_design(design)


def render(analysis: Analysis, findings: Iterable[Mapping[str, object]]) -> Iterator[Artifact]:
    """Every file of the design; `findings` are the placed records that go into them."""
    from dcgen.render import render as render_analysis

    return render_analysis(analysis, [dict(f) for f in findings])


def place(blueprint: Blueprint, diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The same diagnostics with file, line and column."""
    return blueprint.source.place(diagnostics)


def schema(what: str = "blueprint") -> dict[str, Any]:
    """JSON Schema of a `blueprint` or of a `part` file."""
    if what == "part":
        from dcgen.catalog import schema as part_schema

        return part_schema()
    from dcgen.blueprint import schema as blueprint_schema

    return blueprint_schema()


def describe(design: Design, selector: str | None = None) -> list[tuple[str, list[str], list[list[str]]]]:
    """Sections of `dcgen show`: title, columns, rows."""
    from dcgen.tables.overview import describe as describe_design

    return describe_design(design, selector)
