"""A blueprint from text to its analysis or cabling rows, in one call."""

from pathlib import Path
from typing import Any

import dcgen
from dcgen.analysis import Analysis
from dcgen.source import parse_text
from dcgen.tables import cable_table

ROOT = Path(__file__).parents[2]


def analysed(text: str, at: str = "", **settings: object) -> Analysis:
    """`text` is YAML without its first two lines, or the path of a blueprint of the project."""
    if text.endswith(".yaml"):
        source = dcgen.read(ROOT / text)
    else:
        source = parse_text(f"dcgen: 1\nname: case\n{text}", at or str(ROOT / "blueprints" / "case.yaml"))
    return dcgen.analyse(dcgen.lay_out(dcgen.parse(source, {k: str(v) for k, v in settings.items()})))


def cables(text: str, at: str = "", **settings: object) -> list[dict[str, Any]]:
    """The cabling plan as records."""
    return list(cable_table(analysed(text, at, **settings).design).frame().to_dicts())


def ends(rows: list[dict[str, Any]]) -> set[tuple[str, str, str, str]]:
    """Both sockets of every cable."""
    return {(r["a_device"], r["a_port"], r["z_device"], r["z_port"]) for r in rows}


def value(analysis: Analysis, measure: str, subject: str = "site") -> float:
    """The figure of a measure that must be there."""
    found = analysis.get(measure, subject)
    assert found, (measure, subject)
    return found.value


def errors(analysis: Analysis) -> dict[str, int]:
    """Error code -> how often."""
    codes = [f.code for f in analysis.findings if f.severity == "error"]
    return {c: codes.count(c) for c in codes}
