"""From a blueprint to a design, and from a design to everything that follows: one verb per step.

source = read(path); blueprint = parse(source); design = lay_out(blueprint); analysis = analyse(design); produce(analysis, [])
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from dcgen.diagnostics import Diagnostic

if TYPE_CHECKING:
    from dcgen.analysis import Analysis
    from dcgen.blueprint import Blueprint
    from dcgen.design import Design
    from dcgen.render import Artifact
    from dcgen.source import Source

    Section = tuple[str, list[str], list[list[str]]]

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


def starter(path: Path, like: str = "", schema: str = "") -> tuple[str, dict[str, str], str]:
    """(text of a new blueprint called after `path`, laid out once to be sure that it is right; its own parts; what it copies).

    Raises:
        Rejected: nothing is like that, or the new blueprint is not right.
    """
    from dcgen.blueprint import lay_out as lay_out_blueprint
    from dcgen.blueprint.starter import starter as write
    from dcgen.catalog import Shelf
    from dcgen.source import parse_text

    text, model = write(path.stem, like, schema)
    own = model.parent / "parts"
    design = lay_out_blueprint(parse(parse_text(text, str(path))), Shelf(own))
    return text, {n: file.read_text(encoding="utf-8") for n in design.parts if (file := own / f"{n}.yaml").is_file()}, model.stem


def only(design: Design, selector: str) -> Design:
    """The slice of a design that a selector names. Raises Rejected."""
    from dcgen.design.slice import sliced

    return sliced(design, selector)


def defaults(blueprint: Blueprint, design: Design) -> list[Section]:
    """What was not written, with its value and why, as one section."""
    from dcgen.blueprint.defaults import COLUMNS
    from dcgen.blueprint.defaults import defaults as unwritten

    return [(f"{design.name}: what was not written", COLUMNS, unwritten(blueprint, design))]


def explain(word: str = "", folder: Path | None = None) -> list[Section]:
    """Sections about a code, measure, rule, family, kind or part; without a word, what there is to explain. Raises Rejected."""
    from dcgen.analysis.glossary import entries as answers
    from dcgen.blueprint.glossary import entries, explained, shelf_entries
    from dcgen.catalog import Shelf

    return explained([*entries(), *answers(), *(shelf_entries(Shelf(folder)) if word else ())], word)


def find_parts(words: Sequence[str] = (), folder: Path | None = None) -> list[Section]:
    """Parts that all the words describe, one a row; those of `folder` before the shelf's. Raises Rejected when there is none."""
    from dcgen.catalog import Shelf, search
    from dcgen.diagnostics import Rejected

    rows = [[p.part, p.kind, p.title, p.maker, p.confidence] for p in search(Shelf(folder), words)]
    if not rows:
        what, fix = f"no part is described by `{' '.join(words)}`", "leave a word out; `dcgen parts` lists all"
        why = "every word must be of its id, kind, title, maker, part number, technology, cages or port rates (`800G`)"
        raise Rejected([Diagnostic("unknown-part", what, why, fix)])
    return [("", ["id", "kind", "title", "maker", "trust"], rows)]


def show_part(part_id: str, folder: Path | None = None) -> list[Section]:
    """Everything that is known of one part. Raises Rejected."""
    from dcgen.catalog import Shelf, card

    return card(Shelf(folder).get(part_id))


def import_part(source: Source) -> tuple[str, list[str]]:
    """A device type of another tool as the text of a part file, and what it does not say. Raises Rejected."""
    from dcgen.catalog import imported

    return imported(source)


def describe(design: Design, selector: str | None = None) -> list[Section]:
    """Sections of `dcgen show`: title, columns, rows."""
    from dcgen.tables.overview import describe as describe_design

    return describe_design(design, selector)
