"""Requirements about links that two sets of terminals share: `shared_links(compute, storage) <= 0` keeps them physically apart."""

from dcgen.analysis.flow.picks import Unanswerable
from dcgen.analysis.flow.ways import shared_links
from dcgen.analysis.model import Measure
from dcgen.design.lowering import NotSymbolic
from dcgen.design.model import Design, Requirement
from dcgen.diagnostics import Diagnostic


def answer(design: Design, wanted: Requirement) -> list[Measure] | Diagnostic:
    """Links on ways of both sets, in all fabrics that reach both; each set is a selector, or the name of a traffic."""
    sides = [x.strip() for x in wanted.subject.split(", ")] if ", " in wanted.subject else wanted.subject.split(";")
    if len(sides) != 2:
        fix = "write for example `shared_links(compute, storage) <= 0`"
        return Diagnostic("bad-requirement", f"`{wanted.text}` does not name two sets", fix=fix, origin=wanted.origin)
    among = [next((list(t.among) for t in design.traffic if t.name == side and t.among), [side]) for side in sides]
    number, bundles, met = 0, list[str](), False
    for fabric in (f for f in design.fabrics.values() if f.kind != "scale-up"):
        try:
            found, names = shared_links(design, fabric.name, *among)
        except Unanswerable as e:
            fault = e
            continue  # it does not reach both
        except NotSymbolic as e:
            what = f"`{wanted.text}` cannot be answered"
            return Diagnostic("requirement-broken", what, f"{fabric.name}: {e}", subject=fabric.name, origin=wanted.origin)
        met = True
        number += found
        bundles += names
    if not met:
        known = all(any(_reaches(design, f, one) for f in design.fabrics) for one in among)
        if not known:
            return Diagnostic("bad-requirement", f"`{wanted.text}`: {fault.what}", fix=fault.fix, origin=wanted.origin)
    said = f"on ways of both: {', '.join(bundles)}" if bundles else "no fabric carries both" if not met else "no link lies on ways of both"
    return [Measure("shared_links", wanted.subject, number, "1", said)]


def _reaches(design: Design, fabric: str, among: list[str]) -> bool:
    try:
        shared_links(design, fabric, among, among)
    except (Unanswerable, NotSymbolic):
        return False
    return True
