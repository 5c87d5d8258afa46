"""From a blueprint to a design, and from a design to everything that follows: one verb per step.

source = read(path); blueprint = parse(source); design = lay_out(blueprint); analysis = analyse(design); produce(analysis, [])
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from dcgen.diagnostics import Diagnostic

if TYPE_CHECKING:
    from dcgen.analysis import Analysis as Analysis
    from dcgen.blueprint import Blueprint
    from dcgen.design import Design as Design
    from dcgen.diff import Diff as Diff
    from dcgen.plan import Plan
    from dcgen.render import Artifact
    from dcgen.render.review import Review as Review
    from dcgen.source import Files as Files
    from dcgen.source import Source

    Section = tuple[str, list[str], list[list[str]]]

__version__ = "0.1.0"

MOST_BYTES = 256 * 2**20
"""The largest saved design that is read [bytes]."""


def read(path: PurePath, files: Files | None = None) -> Source:
    """A file as data with positions: of the disk, of a commit (`REVISION:path`), or of other `files`. Raises Rejected."""
    from dcgen.source import read as read_source

    place, path = _located(path, files)
    return read_source(path, files=place)


def _located(path: PurePath, files: Files | None) -> tuple[Files, PurePath]:
    """Where a path leads: among `files`, or to a commit if it names one and the disk has no such file."""
    from dcgen.source import DISK

    if files is None and ":" in str(path) and not os.path.exists(path):
        from dcgen.source.git import located

        return located(str(path)) or (DISK, path)
    return files or DISK, path


def changed(asked: str, places: Sequence[str] = ()) -> list[tuple[PurePath, Files | None, Files | None]]:
    """Blueprints that a range of commits (`main...HEAD`) may change, with the files of both sides. Raises Rejected."""
    from dcgen.source.git import changed as changed_between

    return [*changed_between(asked, places)]


def flat(text: bytes) -> str | None:
    """A file's text as sorted lines that no comment, order or layout changes; None where it is no YAML that is read here."""
    from dcgen.source.flat import flat as flattened

    return flattened(text)


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

    return lay_out_blueprint(blueprint, Shelf(blueprint.source.file.parent / "parts", blueprint.source.files))


def analyse(design: Design, quick: bool = False) -> Analysis:
    """Measures and findings; `quick` leaves out flows that nothing requires."""
    from dcgen.analysis import analyse as analyse_design

    return analyse_design(design, quick)


def produce(
    analysis: Analysis, findings: Iterable[Mapping[str, object]], skipped: list[Diagnostic] | None = None, workbook: bool = False
) -> Iterator[Artifact]:
    """Every file of the design, made as it is asked for.

    `findings` are the placed records that go into them; `skipped` receives a warning for every drawing that could not be made.
    With `workbook` the tables come as one workbook, too.
    """
    from dcgen.render import render

    records = [{**f, "file": _short(str(f["file"])) if f.get("file") else None} for f in findings]
    return render(analysis, records, __version__, skipped, workbook)


def tabulate(design: Design, table: str, asked: Mapping[str, Any], form: str) -> tuple[int, str, Iterable[bytes]]:
    """(rows, what to say of them, the content in pieces) of one table; `asked` are the fields of `tables.sheets.Asked`. Raises Rejected."""
    from dcgen.render.sheet import written
    from dcgen.tables.book import Book
    from dcgen.tables.sheets import Asked, sheet

    made = sheet(Book(design), table, Asked(**asked))
    return made.rows, made.note, written(made, form)


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


def saved(path: PurePath, files: Files | None = None) -> Design:
    """A design that was saved as `design.json`, on the disk or in a commit. Raises Rejected."""
    from dcgen.design.sound import loaded

    place, path = _located(path, files)
    return loaded(place.content(path, MOST_BYTES), place.called(path))


def planned(before: Design, after: Design, keep: Fraction) -> Plan:
    """The change from one design to another in stages that keep a share of the bandwidth. Raises Rejected."""
    from dcgen.plan import plan

    return plan(before, after, keep)


def describe_plan(plan: Plan) -> list[Section]:
    """Sections of `dcgen plan`: title, columns, rows."""
    from dcgen.render.plan import sections

    return sections(plan)


def plan_record(plan: Plan) -> dict[str, object]:
    """A plan for programs, its cables left out: what moves, layer by layer, and every stage."""
    from dcgen.render.plan import record

    return record(plan)


def produce_plan(plan: Plan) -> Iterator[Artifact]:
    """Every file of a plan, made as it is asked for."""
    from dcgen.render.plan import render_plan

    return render_plan(plan)


def is_range(word: str) -> bool:
    """Whether a word names two commits, `A...B`, and no file."""
    from dcgen.source.git import is_range as is_range_of_commits

    return is_range_of_commits(word)


def nothing(name: str) -> Analysis:
    """The analysis of a design in which there is nothing."""
    from dcgen.analysis import Analysis as Analysis
    from dcgen.design import Design

    return Analysis(Design(name, {}), (), ())


def unchanged(name: str) -> Diff:
    """The comparison of a design with itself."""
    from dcgen.diff import Diff as Comparison

    return Comparison(name, name)


def compare(before: Analysis, after: Analysis) -> Diff:
    """What changes from one analysis to another, and what that does. Raises Rejected."""
    from dcgen.diff import compare as compare_analyses

    return compare_analyses(before, after)


def review(name: str, diff: Diff | None, before: Analysis | None, after: Analysis | None, problems: Iterable[Diagnostic] = ()) -> Review:
    """One design of a pull request: what changes, or why that cannot be said; a side that cannot be read is None."""
    from dcgen.render.review import Review

    return Review(name, diff, before, after, tuple(problems))


def comment(reviews: Sequence[Review], key: str, sides: tuple[str, str], most_bytes: int | None = None) -> str:
    """All designs as one comment of a pull request, no longer than that; an empty text when nothing changes."""
    from dcgen.render.pull_request import LEAST_BYTES, MOST_BYTES, pull_request

    return pull_request(reviews, __version__, key, sides, most_bytes=max(most_bytes or MOST_BYTES, LEAST_BYTES))


def produce_review(
    reviews: Sequence[Review], key: str, sides: tuple[str, str], skipped: list[Diagnostic], most_bytes: int | None = None
) -> Iterator[Artifact]:
    """The comment, the whole report and pictures of change, made as they are asked for; `skipped` hears what was not drawn."""
    from dcgen.render.pull_request import LEAST_BYTES, MOST_BYTES
    from dcgen.render.review_files import review_files

    return review_files(reviews, __version__, key, sides, skipped, max(most_bytes or MOST_BYTES, LEAST_BYTES))


def tell(diff: Diff, whole: bool = False) -> tuple[str, list[Section]]:
    """A comparison in one sentence, and in tables; `whole` leaves no piece out."""
    from dcgen.diff import headline, sections

    return headline(diff), sections(diff, whole)


def diff_record(diff: Diff) -> dict[str, Any]:
    """A comparison for programs."""
    from dcgen.diff import record

    return record(diff)


def reaches(diff: Diff, condition: str) -> bool:
    """Whether a comparison is as large as a condition such as `pulled >= 10` asks. Raises Rejected."""
    from dcgen.diff import reached

    return reached(diff, condition)
