"""A comparison as data for programs; the same for ever, but for what is added."""

from dataclasses import fields
from typing import Any

from dcgen.diff.model import Cables, Devices, Diff
from dcgen.diff.words import headline
from dcgen.units import rounded

FORMAT = 1
"""Number of the form; it changes when something is taken away or means something else."""


def record(diff: Diff) -> dict[str, Any]:
    """Everything but the patch, in plain values."""
    return {
        "format": FORMAT,
        "before": diff.before,
        "after": diff.after,
        "empty": diff.empty,
        "headline": headline(diff),
        "changes": [_flat(c) | {"fields": [f._asdict() for f in c.fields], "origin": list(c.origin)} for c in diff.changes],
        "devices": [_flat(d) | _also(d, "added", "removed") for d in diff.devices],
        "cables": [_flat(c) | _also(c, "pulled", "removed") for c in diff.cables],
        "effects": [_flat(e) | {"delta": _number(e.delta)} for e in diff.effects],
        "requirements": [_flat(v) | {"word": v.word, "origin": list(v.origin)} for v in diff.verdicts],
        "findings_new": [f.record() for f in diff.new],
        "findings_gone": [f.record() for f in diff.gone],
        "bom": [_flat(b) for b in diff.bom],
        "notes": [n.record() for n in diff.notes],
    }


def _flat(thing: Any) -> dict[str, Any]:
    return {f.name: _number(getattr(thing, f.name)) for f in fields(thing)}


def _also(thing: Devices | Cables, *names: str) -> dict[str, int]:
    return {name: getattr(thing, name) for name in names}


def _number(value: Any) -> Any:
    """A figure without the noise of binary fractions; anything else as it is."""
    if isinstance(value, float):
        exact = rounded(value, 9)
        return int(exact) if exact == exact.to_integral() else float(exact)
    return list(value) if isinstance(value, tuple) else value
