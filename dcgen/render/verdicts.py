"""Requirements and expectations with what was found, read off the findings that the analysis made."""

from collections.abc import Iterable, Iterator

from dcgen.analysis.model import Measure
from dcgen.analysis.words import spelt
from dcgen.design.model import Design, Requirement
from dcgen.render.model import Finding
from dcgen.units import spoken

BROKEN = ("requirement-broken", "expectation-broken")


def verdicts(design: Design, measures: Iterable[Measure], findings: Iterable[Finding]) -> Iterator[tuple[str, str, str]]:
    """(text, what was found, `holds` | `does not hold` | `not answered`) of every requirement, in the order they were written."""
    known = tuple(measures)
    said = [(str(f["code"]), str(f["what"])) for f in findings]
    for wanted in design.requirements:
        quoted = f"`{wanted.text}`"
        broken = next((what for code, what in said if code in BROKEN and what.startswith(quoted)), None)
        unanswered = any(what.startswith((quoted, f"`{wanted.subject}` ")) for code, what in said if code.startswith("bad-"))
        found = "; ".join(_found(known, wanted))
        if broken:
            yield wanted.text, broken.removeprefix(quoted).lstrip(": "), "does not hold"
        else:
            yield wanted.text, found, "not answered" if unanswered else "holds"


def _found(measures: tuple[Measure, ...], wanted: Requirement) -> Iterator[str]:
    """The figures that a requirement is about: of its subject, else of what lies inside it."""
    measures, wanted = spelt(measures, wanted)
    named = [m for m in measures if m.measure == wanted.measure]
    exact = [m for m in named if m.subject == wanted.subject]
    for m in exact or [m for m in named if m.subject.startswith(f"{wanted.subject}/")]:
        value = f"{m.bound}{spoken(m.value, m.unit)}"
        yield value if exact else f"{m.subject}: {value}"
