"""A design in a handful of figures."""

from collections.abc import Sequence

from dcgen.cli import terminal
from dcgen.cli.steps import Figure, Study
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

TIERS = {"devices": "devices", "oversubscription": "oversubscription"}
"""Measures of groups and tiers that variants are compared by."""


def show(studies: Sequence[Study]) -> None:
    """The table of headline figures on standard output, one column per design; a figure that no design has is left out."""
    wholes = [{m.measure: m for m in one.measures if m.subject == SITE} for one in studies]
    if len(studies) == 1:
        rows = [[title, *_spoken(wholes[0][measure])] for measure, title in HEADLINES.items() if measure in wholes[0]]
        if rows:
            terminal.table(studies[0].name, ["", "", ""], rows)
        return
    tiers = list(dict.fromkeys(m.subject for one in studies for m in one.measures if m.measure in TIERS and "/" in m.subject))
    asked = [(measure, SITE, title) for measure, title in HEADLINES.items()]
    asked += [(measure, tier, f"{tier} {title}") for tier in tiers for measure, title in TIERS.items()]
    rows = []
    for measure, subject, title in asked:
        found = [next((m for m in one.measures if (m.measure, m.subject) == (measure, subject)), None) for one in studies]
        if any(found):
            rows.append([title, *(_short(m) for m in found)])
    terminal.table("Variants side by side", ["", *(one.name for one in studies)], rows)


def _short(figure: Figure | None) -> str:
    if figure is None:
        return "-"
    return ("≤ " if figure.falls else "≥ ") * (figure.unknown > 0) + spoken(figure.value, figure.unit)


def _spoken(figure: Figure) -> tuple[str, str]:
    remarks = [f"at {'most' if figure.falls else 'least'}: {figure.unknown:,} without a figure"] if figure.unknown else []
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
            "at_least": m.unknown > 0 and not m.falls,
            "at_most": m.unknown > 0 and m.falls,
            "unknown": m.unknown,
            "estimates": m.estimates,
        }
        for m in measures
    ]


def _number(value: float | int) -> float | int:
    exact = rounded(value, 9)
    return int(exact) if exact == exact.to_integral() else float(exact)
