"""Turns a design and its measures into findings; never changes either."""

from collections.abc import Callable, Iterator

from dcgen.analysis.model import Measure
from dcgen.analysis.rules.cages import half_used_cage, twin_mix, twin_skew
from dcgen.analysis.rules.figures import estimated_figure, implausible_figure, optics_counted_twice, power_figures_disagree, unknown_figure
from dcgen.analysis.rules.ports import port_conflict, port_shortage, unserved_ports
from dcgen.analysis.rules.racks import cooling_missing, rack_too_deep, rack_too_full, rack_too_heavy
from dcgen.analysis.rules.shape import idle_switch, missing_uplink, oversubscribed, separate_islands
from dcgen.analysis.rules.stock import stock_surplus
from dcgen.analysis.rules.together import collective_impossible
from dcgen.analysis.rules.trays import tray_full
from dcgen.design.model import Design
from dcgen.diagnostics import Diagnostic

Rule = Callable[[Design, tuple[Measure, ...]], Iterator[Diagnostic]]

RULES: tuple[Rule, ...] = (
    cooling_missing,
    collective_impossible,
    estimated_figure,
    half_used_cage,
    idle_switch,
    implausible_figure,
    missing_uplink,
    optics_counted_twice,
    oversubscribed,
    port_conflict,
    port_shortage,
    power_figures_disagree,
    rack_too_deep,
    rack_too_full,
    rack_too_heavy,
    separate_islands,
    stock_surplus,
    tray_full,
    twin_mix,
    twin_skew,
    unknown_figure,
    unserved_ports,
)

OF_THE_WHOLE = frozenset({collective_impossible, idle_switch, oversubscribed, separate_islands, unserved_ports})
"""Rules that a slice of a design says nothing about: what it lacks is only not shown."""

__all__ = ["OF_THE_WHOLE", "RULES", "Rule"]
