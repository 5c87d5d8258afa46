"""Reads `require:` lines and `expect:` figures; whether they hold is for the analysis to say."""

import re
from collections.abc import Iterator

from dcgen.design import Requirement
from dcgen.diagnostics import Path
from dcgen.fabric import Site
from dcgen.units import UnitError, parse_any

_SUBJECT = r"\(\s*(?P<subject>[^()]*?(?:\([^()]*\)[^()]*?)?)\s*\)"
"""What stands in the brackets: a selector, perhaps with words behind it, of which one (`when=lost(...)`) has brackets of its own."""
_LINE = re.compile(rf"\s*(?P<measure>[\w-]+)\s*{_SUBJECT}\s*(?P<op><=|>=|==|<|>|=)\s*(?P<bound>.+?)\s*")
_ASKED = re.compile(r"\s*(?P<measure>[\w-]+)\s*\(\s*(?P<subject>[^()]*?)\s*\)\s*")


def requirements(lines: list[str], site: Site) -> Iterator[Requirement]:
    """`measure(subject) op bound`, one per line."""
    for i, text in enumerate(lines):
        at: Path = ("require", i)
        found = _LINE.fullmatch(text)
        if not found:
            site.say(
                "bad-requirement",
                f"`{text[:80]}` is not `measure(subject) <= bound`",
                fix="write for example `oversubscription(backend) <= 1`",
                origin=at,
            )
            continue
        try:
            bound, unit = parse_any(found["bound"])
        except UnitError as e:
            site.say("bad-requirement", f"`{text[:80]}`: {e.what}", fix=e.fix, origin=at)
            continue
        op = "==" if found["op"] == "=" else found["op"]
        yield Requirement(text, found["measure"], found["subject"] or "site", op, float(bound), unit, origin=at)


def expectations(figures: dict[str, int]) -> Iterator[Requirement]:
    """Figures that somebody else wrote down; they must come out exactly. `measure(subject)` or a dotted name."""
    for text, number in figures.items():
        found = _ASKED.fullmatch(text)
        measure, subject = (found["measure"], found["subject"] or "site") if found else ("", text)
        yield Requirement(text, measure, subject, "==", float(number), expected=True, origin=("expect", text))
