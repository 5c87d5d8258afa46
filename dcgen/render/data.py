"""The design and what follows from it as JSON, for machines and for a later diff."""

import json
from collections.abc import Iterator
from math import isfinite

from dcgen.analysis.model import Measure
from dcgen.render.model import Artifact, Story
from dcgen.units import rounded

DECIMALS = 6


def write_data(story: Story) -> Iterator[Artifact]:
    """`design.json` and `analysis.json`; texts are raw here, as they were typed."""
    yield Artifact("design.json", (story.saved.encode(),))
    body = {
        "dcgen": story.version,
        "design_hash": story.design_hash,
        "measures": [_record(m) for m in story.analysis.measures],
        "findings": [dict(f) for f in story.findings],
    }
    text = json.dumps(body, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    yield Artifact("analysis.json", (text.encode(),))


def _record(m: Measure) -> dict[str, object]:
    return {
        "measure": m.measure,
        "subject": m.subject,
        "value": _number(m.value),
        "unit": m.unit,
        "method": m.method,
        "at_least": m.at_least,
        "at_most": m.at_most,
        "unknown": m.unknown,
        "estimates": m.estimates,
    }


def _number(value: float | int) -> float | int | None:
    """The value without the noise of floats; None for what no number can say."""
    if isinstance(value, int):
        return value
    if not isfinite(value):
        return None
    exact = rounded(value, DECIMALS)
    return int(exact) if exact == exact.to_integral() else float(exact)
