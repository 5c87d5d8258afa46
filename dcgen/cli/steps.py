"""The verbs of the front door, one after the other, as far as a command needs them, in the order of the stages."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
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


Section = tuple[str, list[str], list[list[str]]]
"""A table of `show`: title, names of the columns, rows of cells as people read them."""


@dataclass(frozen=True)
class Study:
    """What came out of a blueprint: name, figures, findings in order, and the files, made when they are asked for."""

    name: str
    measures: Sequence[Figure]
    findings: Sequence[Diagnostic]
    artifacts: Callable[[], Iterable[Artifact]]


def study(file: Path, settings: Mapping[str, str], doing: Callable[[str], None]) -> Study:
    """Read, parse, lay out, analyse; `doing` hears which of them begins.

    Raises:
        Rejected: with places in the file.
    """
    doing(f"reading {file}")
    blueprint = dcgen.parse(dcgen.read(file), settings)
    doing("laying out")
    with _placed(partial(dcgen.place, blueprint)):
        design = dcgen.lay_out(blueprint)
        doing("analysing")
        analysis = dcgen.analyse(design)
    findings = in_order(dcgen.place(blueprint, analysis.findings))
    records = [d.record() for d in findings]
    return Study(design.name, analysis.measures, findings, lambda: dcgen.produce(analysis, records))


def sections(file: Path, settings: Mapping[str, str], selector: str | None) -> Sequence[Section]:
    """The tables that describe a design, or what the selector names of it.

    Raises:
        Rejected: with places in the file.
    """
    blueprint = dcgen.parse(dcgen.read(file), settings)
    with _placed(partial(dcgen.place, blueprint)):
        return dcgen.describe(dcgen.lay_out(blueprint), selector)


@contextmanager
def _placed(place: Callable[[Sequence[Diagnostic]], Sequence[Diagnostic]]) -> Iterator[None]:
    """Rejections of the stages after the text know a path in the blueprint; people want file and line."""
    try:
        yield
    except Rejected as rejected:
        raise Rejected(place(rejected.diagnostics)) from None
