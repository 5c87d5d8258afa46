"""A design in a handful of figures."""

from collections.abc import Sequence

from dcgen.cli import terminal
from dcgen.cli.steps import Figure
from dcgen.units import rounded, spoken

SITE = "site"
HEADLINES = {
    "gpus": "GPUs",
    "nodes": "nodes",
    "racks": "racks",
    "switches": "switches",
    "links": "links",
    "cables": "cables",
    "power_max": "power, max",
}
"""Measure of the whole site -> what it is called for people, in the order of the table."""


def show(name: str, measures: Sequence[Figure]) -> None:
    """The table of headline figures on standard output; a figure that the design does not have is left out."""
    whole = {m.measure: m for m in measures if m.subject == SITE}
    rows = [[title, *_spoken(whole[measure])] for measure, title in HEADLINES.items() if measure in whole]
    if rows:
        terminal.table(name, ["", "", ""], rows)


def _spoken(figure: Figure) -> tuple[str, str]:
    remarks = [f"at least: {figure.unknown:,} without a figure"] if figure.unknown else []
    remarks += [f"{figure.estimates:,} estimated"] if figure.estimates else []
    return spoken(figure.value, figure.unit), ", ".join(remarks)


def records(measures: Sequence[Figure]) -> list[dict[str, object]]:
    """Measures in flat form for JSON, without the noise of binary fractions."""
    return [
        {
            "measure": m.measure,
            "subject": m.subject,
            "value": _number(m.value),
            "unit": m.unit,
            "method": m.method,
            "at_least": m.unknown > 0,
            "unknown": m.unknown,
            "estimates": m.estimates,
        }
        for m in measures
    ]


def _number(value: float | int) -> float | int:
    exact = rounded(value, 9)
    return int(exact) if exact == exact.to_integral() else float(exact)
