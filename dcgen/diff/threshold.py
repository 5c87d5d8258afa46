"""Reads `--only-if`: how large a change must be before anybody is told of it."""

import operator
import re
from collections.abc import Callable, Mapping
from fractions import Fraction

from dcgen.diagnostics import Diagnostic, Rejected, did_you_mean
from dcgen.diff.model import Diff
from dcgen.units import UnitError, parse_any

_LINE = re.compile(r"\s*(?P<name>[\w-]+)\s*(?:\(\s*(?P<subject>[^()]*?)\s*\))?\s*(?P<op><=|>=|<|>)\s*(?P<bound>.+?)\s*")
_OPS: Mapping[str, Callable[[Fraction, Fraction], bool]] = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}

COUNTS: Mapping[str, Callable[[Diff], int]] = {
    "changes": lambda d: sum(not c.within for c in d.changes),
    "devices": lambda d: sum(x.added + x.removed + x.replaced for x in d.devices),
    "devices_added": lambda d: sum(x.added for x in d.devices),
    "devices_removed": lambda d: sum(x.removed for x in d.devices),
    "cables_touched": lambda d: d.total("pulled") + sum(c.before - c.kept for c in d.cables if not c.factory),
    "pulled": lambda d: d.total("pulled"),
    "removed": lambda d: d.total("removed"),
    "repatched": lambda d: d.total("repatched"),
    "replaced": lambda d: d.total("replaced"),
    "lengthened": lambda d: d.total("lengthened"),
    "relabelled": lambda d: d.total("relabelled"),
    "broken": lambda d: sum(v.word == "broken" for v in d.verdicts),
    "worse": lambda d: sum(e.direction == "worse" for e in d.effects),
    "findings": lambda d: len(d.new),
}
"""What a comparison counts; any measure may be asked for too, by how much it changes up or down."""


def reached(diff: Diff, condition: str) -> bool:
    """Whether `pulled >= 10` or `power_max > 1 kW` holds: of a count, or of how far a measure of the site (or of a subject in
    parentheses) moves, whichever way.

    Raises:
        Rejected: `bad-threshold`.
    """
    found = _LINE.fullmatch(condition)
    if not found:
        raise _bad(f"`{condition[:80]}` is not `what >= number`", "write for example `pulled >= 10` or `power_max > 1 kW`")
    try:
        bound, unit = parse_any(found["bound"])
    except UnitError as e:
        raise _bad(f"`{condition[:80]}`: {e.what}", e.fix) from None
    name, subject = found["name"], found["subject"] or "site"
    if name in COUNTS and unit == "1":
        return _OPS[found["op"]](Fraction(COUNTS[name](diff)), bound)
    moved = [e for e in diff.effects if (e.measure, e.subject) == (name, subject)]
    known = dict.fromkeys([*COUNTS, *(e.measure for e in diff.effects)])
    if not moved and name not in known:
        raise _bad(f"`{condition[:80]}`: nothing is called `{name}`", did_you_mean(name, known))
    if any(e.unit != unit for e in moved) or name in COUNTS:
        raise _bad(f"`{condition[:80]}` is not in the unit of {name}", "compare with a figure of the same unit")
    return any(_OPS[found["op"]](abs(Fraction(str(e.after or 0)) - Fraction(str(e.before or 0))), bound) for e in moved)


def _bad(what: str, fix: str) -> Rejected:
    return Rejected([Diagnostic("bad-threshold", what, fix=fix)])
