"""Compares two analyses: the one door of this room."""

from collections.abc import Iterator

from dcgen.analysis import Analysis
from dcgen.diff.bundles import Pair, bundle_pairs, cables
from dcgen.diff.effects import bom, effects, findings, verdicts
from dcgen.diff.groups import devices
from dcgen.diff.heads import of_entries, replaced
from dcgen.diff.model import Change, Devices, Diff
from dcgen.diff.moved import in_new_names
from dcgen.diff.patch import Body, body, patch
from dcgen.diff.sections import of_fabrics, of_parts, of_the_rest, of_tiles, of_verdicts
from dcgen.diff.similar import hinted
from dcgen.diff.single import of_singles
from dcgen.diff.things import Sides, of_bundles, of_devices
from dcgen.diff.written import Texts
from dcgen.naming import natural

_SIGNS = "-+~>"
_KINDS = ("fabric", "racks", "devices", "bundle", "cable", "placement", "label", "part", "requirement")


def compare(before: Analysis, after: Analysis) -> Diff:
    """What changes from one analysis to another, and what that does.

    Raises:
        Rejected: a `moved:` line of the design after names nothing in the design before.
    """
    known = in_new_names(before, after.design)
    old, new = known.analysis.design, after.design
    saved = body(before.design), body(new)
    found = tuple(devices(known, before.design, new))
    texts = Texts(before.design, new, known.names.name, frozenset(_other_data(*saved)))
    sides = Sides(known, new, before.design, texts, frozenset(replaced(old, new, found)))
    pairs = bundle_pairs(old, new)
    judged = tuple(verdicts(known.analysis, after))
    come, gone = findings(known.analysis, after)
    changes = [*_things(sides, found, pairs), *of_fabrics(sides, *saved), *of_parts(sides, *saved), *of_verdicts(judged)]
    changes += [*of_the_rest(sides, *saved), *of_tiles(sides)]
    return Diff(
        before.design.name,
        new.name,
        tuple(sorted(hinted(before, after, changes), key=_order)),
        found,
        tuple(cables(known, after, pairs, frozenset(d.group for d in found if d.relabelled and d.group not in known.shifts))),
        tuple(effects(known.analysis, after)),
        judged,
        come,
        gone,
        tuple(bom(old, new)),
        patch(*saved),
        known.notes,
    )


def _things(sides: Sides, found: tuple[Devices, ...], pairs: list[Pair]) -> Iterator[Change]:
    yield from of_entries(sides, found)
    yield from of_devices(sides, found)
    yield from of_bundles(sides, pairs)
    yield from of_singles(sides.known, sides.after)


def _other_data(before: Body, after: Body) -> Iterator[str]:
    return (p for p, data in after["parts"].items() if p in before["parts"] and before["parts"][p] != data)


def _order(change: Change) -> tuple[object, ...]:
    rank = _KINDS.index(change.kind) if change.kind in _KINDS else len(_KINDS)
    return _SIGNS.index(change.sign), rank, natural(change.kind), natural(change.subject)
