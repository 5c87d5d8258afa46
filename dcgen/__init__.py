"""From a blueprint to a design, and from a design to everything that follows: one verb per step.

source = read(path); blueprint = parse(source); design = lay_out(blueprint); analysis = analyse(design); produce(analysis, [])
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePath
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


def parse(source: Source, settings: Mapping[str, str] | None = None, variant: str | None = None) -> Blueprint:
    """Checked against the language; includes, a variant's values and parameters put in. Raises Rejected."""
    from dcgen.blueprint import parse as parse_blueprint

    return parse_blueprint(source, settings, variant)


def variants(source: Source) -> list[str]:
    """Names of the variants that a blueprint declares."""
    from dcgen.blueprint import variants as variants_of

    return variants_of(source)


def lay_out(blueprint: Blueprint) -> Design:
    """Groups and bundles; parts from `parts/` beside the blueprint, then from the shelf. Raises Rejected."""
    from dcgen.blueprint import lay_out as lay_out_blueprint
    from dcgen.catalog import Shelf

    return lay_out_blueprint(blueprint, Shelf(Path(blueprint.source.name).parent / "parts"))


def analyse(design: Design, quick: bool = False) -> Analysis:
    """Measures and findings; `quick` leaves out flows that nothing requires."""
    from dcgen.analysis import analyse as analyse_design

    return analyse_design(design, quick)


def produce(analysis: Analysis, findings: Iterable[Mapping[str, object]], skipped: list[Diagnostic] | None = None) -> Iterator[Artifact]:
    """Every file of the design, made as it is asked for.

    `findings` are the placed records that go into them; `skipped` receives a warning for every drawing that could not be made.
    """
    from dcgen.render import render

    records = [{**f, "file": _short(str(f["file"])) if f.get("file") else None} for f in findings]
    return render(analysis, records, __version__, skipped)


def _short(file: str) -> str:
    """The file's name, with `parts/` before it if it lies there: the same words wherever the checkout stands."""
    path = PurePath(file)
    return f"parts/{path.name}" if path.parent.name == "parts" else path.name


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
