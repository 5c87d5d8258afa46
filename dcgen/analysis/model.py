"""What an analysis says: measures with units and the way they were obtained, and findings."""

from dataclasses import dataclass

from dcgen.design.model import Design
from dcgen.diagnostics import Diagnostic


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure about one subject (an address, a fabric, or `site`), in the unit named.

    `method` says how it was obtained; `at_least` marks a lower bound because `unknown` parts have no figure, or, of a figure that
    `falls` with them, `at_most` an upper bound; `estimates` counts the parts whose figure is an estimate.
    """

    measure: str
    subject: str
    value: float | int
    unit: str
    method: str
    unknown: int = 0
    estimates: int = 0
    falls: bool = False

    @property
    def at_least(self) -> bool:
        """Whether the true figure may be larger."""
        return self.unknown > 0 and not self.falls

    @property
    def at_most(self) -> bool:
        """Whether the true figure may be smaller."""
        return self.unknown > 0 and self.falls

    @property
    def bound(self) -> str:
        """`at least ` or `at most ` in front of a value that is only a bound."""
        return "at least " if self.at_least else "at most " if self.at_most else ""


@dataclass(frozen=True, slots=True)
class Analysis:
    """A design with everything that follows from it."""

    design: Design
    measures: tuple[Measure, ...]
    findings: tuple[Diagnostic, ...]

    def get(self, measure: str, subject: str) -> Measure | None:
        """The measure of that name and subject, if there is one."""
        return next((m for m in self.measures if (m.measure, m.subject) == (measure, subject)), None)
