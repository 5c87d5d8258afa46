"""Figures that are unknown, estimated, or cannot be right."""

from collections.abc import Iterator

from dcgen.analysis.model import Measure
from dcgen.design.model import Design
from dcgen.diagnostics import Diagnostic
from dcgen.parts import Rack
from dcgen.units import spoken

RACK_W = (1e3, 1.5e6)
NODE_W = (50.0, 50e3)
SWITCH_W = (20.0, 50e3)
"""What a rack, a node and a switch can plausibly draw [W]: outside, a prefix was probably mistaken."""


def unknown_figure(design: Design, measures: tuple[Measure, ...]) -> Iterator[Diagnostic]:
    """What it checks: sums in which parts have no figure.

    Why: unknown is not zero; such a sum is a lower bound.
    Example: power of a design with a switch whose maximum nobody published.
    Source: the parts.
    """
    for m in measures:
        if m.unknown and m.subject == "site" and m.measure == "power_max":
            what = f"{m.measure} is at least {spoken(m.value, m.unit)}: {m.unknown:,} parts have no figure"
            missing = ", ".join(dict.fromkeys(t.split(" × ")[0].split(" ", 1)[1] for t in m.method.split(" + ") if t.endswith("unknown")))
            yield Diagnostic("unknown-figure", what, missing, "give the part in `parts/` a figure with its source", "warning", "site")


def estimated_figure(design: Design, measures: tuple[Measure, ...]) -> Iterator[Diagnostic]:
    """What it checks: how much of the power rests on estimates.

    Why: an estimate is no measurement; whoever sizes a feed should know.
    Example: a rack whose maximum only the trade press gives.
    Source: the parts' `estimate` marks.
    """
    for m in measures:
        if m.estimates and m.measure == "power_max" and m.subject == "site":
            yield Diagnostic(
                "estimated-figure",
                f"power_max of {spoken(m.value, m.unit)} rests on estimates for {m.estimates:,} parts",
                "",
                "",
                "info",
                "site",
            )


def implausible_figure(design: Design, measures: tuple[Measure, ...]) -> Iterator[Diagnostic]:
    """What it checks: power of racks, nodes and switches against what such things draw.

    Why: `MW` for `kW` passes every other check.
    Example: a rack of 132 MW.
    Source: 1 kW to 1.5 MW for a rack, 50 W to 50 kW for a node, 20 W to 50 kW for a switch.
    """
    for name in sorted({g.part for g in design.groups.values()}):
        part = design.parts[name]
        low, high = {"rack": RACK_W, "switch": SWITCH_W}.get(part.kind, NODE_W)
        figure = part.power.max_w
        if part.kind in ("rack", "node", "tray", "switch") and figure and not low <= figure.value <= high:
            step = 1 / 1000 if figure.value > high else 1000
            meant = next((w for n in (1, 2, 3) if low <= (w := figure.value * step**n) <= high), None)
            what = f"`{name}`: {spoken(figure.value, 'w')} is not plausible for a {part.kind}"
            yield Diagnostic(
                "implausible-figure",
                what,
                f"{spoken(low, 'w')} to {spoken(high, 'w')} is",
                f"did you mean {spoken(meant, 'w')}?" if meant else "correct `power.max` of the part",
                "warning",
                name,
            )


def optics_counted_twice(design: Design, measures: tuple[Measure, ...]) -> Iterator[Diagnostic]:
    """What it checks: maxima published with optics whose share per cage is not known, where optics are counted too.

    Why: the sum then holds those optics twice. It is too high, which is safe for a feed and wrong for a bill.
    Example: a switch of 1700 W `includes_optics` without `optic_allotment`.
    Source: the parts.
    """
    plugged = {j.ends[s].group for j in design.bundles for m in j.media for s in (0, 1) if m.optics[s]}
    for name in sorted({design.groups[g].part for g in plugged}):
        power = design.parts[name].power
        if power.max_w and power.includes_optics and power.optic_allotment_w is None:
            what = f"`{name}`: its maximum of {spoken(power.max_w.value, 'w')} holds optics, which are counted once more apart"
            fix = "give `optic_allotment`, what one cage is allowed of that figure, with its source"
            yield Diagnostic("optics-counted-twice", what, "nothing says how much of it is optics", fix, "warning", name)


def power_figures_disagree(design: Design, measures: tuple[Measure, ...]) -> Iterator[Diagnostic]:
    """What it checks: a rack's published maximum against the sum of its contents' maxima.

    Why: the larger of the two is what a feed may have to carry.
    Example: a rack of 56 kW with four nodes of 14.5 kW.
    Source: the parts.
    """
    for name in sorted({g.part for g in design.groups.values() if g.role == "rack"}):
        rack = design.parts[name]
        assert isinstance(rack, Rack)
        inside = [(c, design.parts[c.part].body_w("max")[0]) for c in rack.contents.values()]
        total = sum(w * c.count for c, w in inside if w is not None)
        if rack.power.max_w and total > rack.power.max_w.value:
            what = f"`{name}` is published with {spoken(rack.power.max_w.value, 'w')}, its contents add up to {spoken(total, 'w')}"
            why = " + ".join(f"{c.count} {c.part} × {w:g} W" for c, w in inside if w)
            yield Diagnostic("power-figures-disagree", what, why, "the larger one is counted", "warning", name)
