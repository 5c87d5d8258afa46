"""What every renderer gets, and what it gives: a story to tell, and files that are to be written."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed

from dcgen.analysis.model import Analysis
from dcgen.design.model import Design
from dcgen.design.save import dump
from dcgen.diagnostics import Diagnostic
from dcgen.tables.book import Book

Finding = Mapping[str, object]
"""A diagnostic as `Diagnostic.record` gives it."""


@dataclass(frozen=True, slots=True)
class Artifact:
    """A path relative to the design's output folder (posix), and the content in chunks, made as they are read.

    `rows` is known of a table before it is made: rows below the line of column names.
    """

    path: str
    chunks: Iterable[bytes]
    rows: int | None = None

    @property
    def bytes(self) -> bytes:
        """The whole content at once, for small files and tests."""
        return b"".join(self.chunks)


@dataclass(frozen=True)
class Story:
    """An analysis with its placed findings; `skipped` gathers what could not be drawn."""

    analysis: Analysis
    findings: tuple[Finding, ...] = ()
    stated_version: str | None = None
    skipped: list[Diagnostic] = field(default_factory=list)

    @property
    def design(self) -> Design:
        """The design that is told about."""
        return self.analysis.design

    @cached_property
    def book(self) -> Book:
        """Rows and labels of the design, shared by all that is made of it."""
        return Book(self.design)

    @cached_property
    def version(self) -> str:
        """Version of dcgen that the files name."""
        try:
            return self.stated_version or installed("dcgen")
        except PackageNotFoundError:
            return "unpackaged"

    @cached_property
    def saved(self) -> str:
        """The design as canonical text."""
        return dump(self.design)

    @cached_property
    def design_hash(self) -> str:
        """First 16 hex digits of the SHA-256 of the canonical text."""
        return _digest(self.saved)


def digest(design: Design) -> str:
    """The same digits of a design of which there is no story."""
    return _digest(dump(design))


def _digest(saved: str) -> str:
    return sha256(saved.encode()).hexdigest()[:16]
