"""Turns two analyses into what changes between them and what that does; never prints or draws it."""

from dcgen.diff.compare import compare
from dcgen.diff.model import BomLine, Cables, Change, Devices, Diff, Edit, Effect, Field, Verdict
from dcgen.diff.patch import apply
from dcgen.diff.record import record
from dcgen.diff.threshold import reached
from dcgen.diff.words import headline, sections

__all__ = [
    "BomLine",
    "Cables",
    "Change",
    "Devices",
    "Diff",
    "Edit",
    "Effect",
    "Field",
    "Verdict",
    "apply",
    "compare",
    "headline",
    "reached",
    "record",
    "sections",
]
