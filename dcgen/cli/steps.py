"""The verbs of the front door, one after the other, as far as a command needs them, in the order of the stages."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import dcgen
from dcgen.diagnostics import Diagnostic, Rejected, Where, in_order

if TYPE_CHECKING:
    from dcgen import Design

HARMLESS = {"requirement-broken", "expectation-broken"}
"""Errors about what was wished for, not about what is built: everything is written all the same."""


class Figure(Protocol):
    """One measure of a design."""

    @property
    def measure(self) -> str:
        """What is measured."""

    @property
    def subject(self) -> str:
        """An address, a fabric, or `site`."""

    @property
    def value(self) -> float | int:
        """In `unit`."""

    @property
    def unit(self) -> str:
        """The unit; `1` for a bare number."""

    @property
    def method(self) -> str:
        """How it was obtained."""

    @property
    def unknown(self) -> int:
        """Parts without a figure: the value is a lower bound."""

    @property
    def falls(self) -> bool:
        """Whether figures of those parts would make it smaller: it is an upper bound then."""

    @property
    def estimates(self) -> int:
        """Parts whose figure is an estimate."""


class Artifact(Protocol):
    """A file to be written: a relative posix path and its content in pieces."""

    @property
    def path(self) -> str:
        """Relative, with `/`."""

    @property
    def chunks(self) -> Iterable[bytes]:
        """The content, made as it is read."""

    @property
    def rows(self) -> int | None:
        """Rows of a table, known before they are made."""


Section = tuple[str, list[str], list[list[str]]]
"""A table of `show`: title, names of the columns, rows of cells as people read them."""


@dataclass(frozen=True)
class Study:
    """What came out of a blueprint: name, figures, findings in order, and the files, made when they are asked for."""

    name: str
    measures: Sequence[Figure]
    findings: Sequence[Diagnostic]
    artifacts: Callable[[], Iterable[Artifact]]
    skipped: list[Diagnostic] = field(default_factory=list)


Target = tuple[Path, str | None]
"""A blueprint and one of its variants, or none."""


def variants(file: Path) -> list[str]:
    """The variants that a blueprint declares.

    Raises:
        Rejected: a file that cannot be read.
    """
    return dcgen.variants(dcgen.read(file))


def study(
    target: Target, settings: Mapping[str, str], doing: Callable[[str], None], quick: bool = False, only: str | None = None,
    workbook: bool = False,
) -> Study:  # fmt: skip
    """Read, parse, lay out, analyse; `doing` hears which of them begins, `quick` leaves out what takes long and nobody requires.

    `only` is the selector of a slice, `workbook` adds the tables as one file. `skipped` of the study fills while the artifacts are made.

    Raises:
        Rejected: with places in the file.
    """
    file, variant = target
    doing(f"reading {file}")
    blueprint = dcgen.parse(dcgen.read(file), settings, variant)
    doing("laying out")
    with _placed(partial(dcgen.place, blueprint)):
        whole = dcgen.lay_out(blueprint)
        design = whole if only is None else dcgen.only(whole, only)
        doing("analysing")
        analysis = dcgen.analyse(design, quick)
    findings = in_order(dcgen.place(blueprint, analysis.findings))
    records = [d.record() for d in findings]
    skipped: list[Diagnostic] = []
    return Study(design.name, analysis.measures, findings, lambda: dcgen.produce(analysis, records, skipped, workbook), skipped)


def laid_out(asked: Path, settings: Mapping[str, str], doing: Callable[[str], None], sound: bool = False) -> "Design":
    """The design of `FILE.yaml`, `FILE.yaml@VARIANT` or of a saved `design.json`; one of a blueprint that is `sound` breaks no rule.

    Raises:
        Rejected: with places in the file; also for parameters of a saved design, which has none.
    """
    doing(f"reading {asked}")
    if asked.suffix == ".json":
        if settings:
            what, fix = f"`{asked}` is a saved design, in which nothing can be set", "name the blueprint"
            raise Rejected([Diagnostic("bad-parameter", what, fix=fix)])
        return dcgen.saved(asked)
    name, at, variant = asked.name.partition(".yaml@")
    file = asked.with_name(f"{name}.yaml") if at else asked
    if file.suffix != ".yaml":
        what, why = f"`{file}` is no blueprint and no saved design", "their names end in `.yaml` and `.json`"
        raise Rejected([Diagnostic("cannot-read", what, why, "name one of both", where=Where(str(file)))])
    blueprint = dcgen.parse(dcgen.read(file), settings, variant if at else None)
    doing("laying out")
    with _placed(partial(dcgen.place, blueprint)):
        design = dcgen.lay_out(blueprint)
        findings = dcgen.analyse(design, True).findings if sound else ()
        broken = [d for d in findings if d.severity == "error" and d.code not in HARMLESS]
        if broken:
            raise Rejected(broken)
        return design


@dataclass(frozen=True)
class Tabulated:
    """One table: how many rows, what to say of them, and its content in pieces."""

    rows: int
    note: str
    chunks: Iterable[bytes]


def tabulated(
    target: Target, settings: Mapping[str, str], only: str | None, doing: Callable[[str], None], name: str, asked: Mapping[str, object],
    form: str,
) -> Tabulated:  # fmt: skip
    """One table of a design or a slice of it; `asked` says which columns and rows.

    Raises:
        Rejected: with places in the file.
    """
    doing(f"reading {target[0]}")
    blueprint = dcgen.parse(dcgen.read(target[0]), settings, target[1])
    doing("laying out")
    with _placed(partial(dcgen.place, blueprint)):
        whole = dcgen.lay_out(blueprint)
        design = whole if only is None else dcgen.only(whole, only)
    doing(f"making {name}")
    return Tabulated(*dcgen.tabulate(design, name, asked, form))


def sections(target: Target, settings: Mapping[str, str], selector: str | None, only: str | None = None) -> Sequence[Section]:
    """The tables that describe a design or a slice of it, or what the selector names there.

    Raises:
        Rejected: with places in the file.
    """
    blueprint = dcgen.parse(dcgen.read(target[0]), settings, target[1])
    with _placed(partial(dcgen.place, blueprint)):
        whole = dcgen.lay_out(blueprint)
        return dcgen.describe(whole if only is None else dcgen.only(whole, only), selector)


def unwritten(target: Target, settings: Mapping[str, str]) -> Sequence[Section]:
    """The table of what a blueprint leaves to be derived or to its default.

    Raises:
        Rejected: with places in the file.
    """
    blueprint = dcgen.parse(dcgen.read(target[0]), settings, target[1])
    with _placed(partial(dcgen.place, blueprint)):
        return dcgen.defaults(blueprint, dcgen.lay_out(blueprint))


@contextmanager
def _placed(place: Callable[[Sequence[Diagnostic]], Sequence[Diagnostic]]) -> Iterator[None]:
    """Rejections of the stages after the text know a path in the blueprint; people want file and line."""
    try:
        yield
    except Rejected as rejected:
        raise Rejected(place(rejected.diagnostics)) from None
