"""What shares a cage: ports of one transceiver, and cables that should be of one kind and about one length."""

from collections.abc import Iterator

from dcgen.analysis.model import Measure
from dcgen.design.model import Design, Join
from dcgen.diagnostics import Diagnostic
from dcgen.units import spoken

SKEW_M = 5.0
"""Difference in length of the cables of one cage up to which nothing is said."""
NS_PER_M = 4.9
"""Delay of light in fibre [ns/m], refractive index 1.468."""


def half_used_cage(design: Design, measures: tuple[Measure, ...]) -> Iterator[Diagnostic]:
    """What it checks: transceivers against the links in them.

    Why: a half that stays dark is bought, powered and cooled. The free ports are those of `ports.csv`.
    Example: 255 links over twin-port transceivers: 128 are needed, one of them with a dark half.
    Source: the bundles of the design.
    """
    found: dict[tuple[str, str], list[int]] = {}
    joins = {join.name: join for join in design.bundles if join.field_cabled}
    for (name, side, optic), plugs in design.tally.plugs.items():
        end = joins[name].ends[side]
        if end.block.split < 2:
            continue
        both = found.setdefault((end.group, optic), [0, 0, 0])
        both[0] += plugs
        both[1] += plugs * end.block.split
        both[2] += design.tally.lit[name, side, optic]
    for (group, optic), (plugs, ports, lit) in found.items():
        if lit < ports:
            what = f"{group}: {ports - lit:,} of the {ports:,} ports of {plugs:,} {optic} stay dark"
            why = f"{lit:,} links; the free ports are listed in ports.csv"
            yield Diagnostic("half-used-cage", what, why, "", "info", group, design.groups[group].origin)


def twin_mix(design: Design, measures: tuple[Measure, ...]) -> Iterator[Diagnostic]:
    """What it checks: what is plugged into a cage that several bundles share.

    Why: a cage takes one plug; straight cables and splitters, or copper and a transceiver, do not go into one.
    Example: one port of a twin-port cage by copper, the other by fibre.
    Source: the bundles of the design.
    """
    from dcgen.design.cages import mixed_cages

    for group, cage, bundles in mixed_cages(design):
        what = f"{group}: {bundles[0]} and {bundles[1]} put different plugs into one cage, the first is number {cage} of its device"
        fix = "give both the same medium, or begin one of them on a cage of its own"
        yield Diagnostic("twin-mix", what, "a cage takes one plug", fix, subject=group, origin=design.groups[group].origin)


def twin_skew(design: Design, measures: tuple[Measure, ...]) -> Iterator[Diagnostic]:
    """What it checks: lengths of the cables that share a cage.

    Why: the ports of one transceiver often serve one purpose, and the longer cable is later by 4.9 ns a metre.
    Example: two fibres of one transceiver, 10 and 30 m long: 98 ns.
    Source: lengths that are ordered in a hall; up to 5 m nothing is said.
    """
    for join in design.bundles if design.hall else ():
        if not join.field_cabled or len(join.media) < 2:
            continue
        worst_m, cages = _skew(design, join)
        if worst_m > SKEW_M:
            what = f"{join.name}: cables of one cage differ by up to {spoken(worst_m, 'm')}, in {cages:,} cages by more than {SKEW_M:g} m"
            why = f"the longer one is later by up to {worst_m * NS_PER_M:.0f} ns"
            yield Diagnostic("twin-skew", what, why, "let both end in one rack: `numbering: paired`", "info", join.name, join.origin)


def _skew(design: Design, join: Join) -> tuple[float, int]:
    """(largest difference of ordered lengths within a cage [m], cages with more than is passed over)."""
    from dcgen.design.ladder import skews

    found = skews(design, join)
    return float(found.max(initial=0.0)), int((found > SKEW_M).sum())
