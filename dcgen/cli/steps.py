"""The verbs of the front door, one after the other, as far as a command needs them, in the order of the stages."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Protocol

import dcgen
from dcgen.diagnostics import Diagnostic, Rejected, in_order


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


def study(target: Target, settings: Mapping[str, str], doing: Callable[[str], None], quick: bool = False, only: str | None = None) -> Study:
    """Read, parse, lay out, analyse; `doing` hears which of them begins, `quick` leaves out what takes long and nobody requires.

    `only` is the selector of a slice. `skipped` of the study fills while the artifacts are made.

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
    return Study(design.name, analysis.measures, findings, lambda: dcgen.produce(analysis, records, skipped), skipped)


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
