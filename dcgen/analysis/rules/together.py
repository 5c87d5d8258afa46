"""Collectives that the design cannot do."""

from collections.abc import Iterator

from dcgen.analysis.collectives import possible
from dcgen.analysis.model import Measure
from dcgen.design.model import Design
from dcgen.diagnostics import Diagnostic


def collective_impossible(design: Design, measures: tuple[Measure, ...]) -> Iterator[Diagnostic]:
    """What it checks: that the accelerators of every declared collective are joined, and that switches can do what it asks of them.

    Why: a time for it would be a time of something else.
    Example: `algorithm: in-network` over switches of which nobody says that they reduce.
    Source: the fabrics, and `in_network_reduction` of the parts.
    """
    for asked in design.collectives:
        found = possible(design, asked)
        if not found:
            what, why, fix = f"`{asked.name}`: no fabric joins these accelerators", "", "add one that serves their ports, or take fewer"
        elif asked.algorithm not in ("auto", *found):
            what = f"`{asked.name}`: `{asked.algorithm}` cannot be used here"
            why, fix = f"these parts can do {', '.join(found)}", "write `algorithm: auto`"
        else:
            continue
        yield Diagnostic("collective-impossible", what, why, fix, subject=asked.name, origin=asked.origin)
