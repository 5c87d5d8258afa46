"""Turns a design and its measures into findings; never changes either."""

from collections.abc import Callable, Iterator

from dcgen.analysis.model import Measure
from dcgen.analysis.rules.figures import estimated_figure, implausible_figure, optics_counted_twice, power_figures_disagree, unknown_figure
from dcgen.analysis.rules.ports import port_conflict, port_shortage
from dcgen.analysis.rules.shape import idle_switch, missing_uplink, oversubscribed, separate_islands
from dcgen.analysis.rules.stock import stock_surplus
from dcgen.design.model import Design
from dcgen.diagnostics import Diagnostic

Rule = Callable[[Design, tuple[Measure, ...]], Iterator[Diagnostic]]

RULES: tuple[Rule, ...] = (
    estimated_figure,
    idle_switch,
    implausible_figure,
    missing_uplink,
    optics_counted_twice,
    oversubscribed,
    port_conflict,
    port_shortage,
    power_figures_disagree,
    separate_islands,
    stock_surplus,
    unknown_figure,
)

OF_THE_WHOLE = frozenset({idle_switch, oversubscribed, separate_islands})
"""Rules that a slice of a design says nothing about: what it lacks is only not shown."""

__all__ = ["OF_THE_WHOLE", "RULES", "Rule"]
