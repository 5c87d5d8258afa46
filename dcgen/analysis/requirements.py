"""Whether what was required and expected holds."""

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches

from dcgen.analysis.model import Measure
from dcgen.analysis.words import in_unit_of, spelt, words_of
from dcgen.design.model import Design, Requirement
from dcgen.design.region import Box, meet, volume
from dcgen.design.wiring import links
from dcgen.diagnostics import Diagnostic, did_you_mean
from dcgen.naming import SelectorError, in_full, parse_selector
from dcgen.units import spoken

_OPS: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
}
_TOLERANCE = 1e-9


def _throughput(design: Design, wanted: Requirement) -> list[Measure] | Diagnostic:
    from dcgen.analysis.flow.questions import answer

    return answer(design, wanted)


def _shared_links(design: Design, wanted: Requirement) -> list[Measure] | Diagnostic:
    from dcgen.analysis.flow.apart import answer

    return answer(design, wanted)


QUESTIONS: Mapping[str, Callable[[Design, Requirement], list[Measure] | Diagnostic]] = {
    "shared_links": _shared_links,
    "throughput": _throughput,
}
"""Measures that a requirement asks of what it names, with what is lost and other words behind it; no figure made before answers."""
KNOWN_TIERS = ("leaf", "spine", "core")
KNOWN_LAYERS = ("node-leaf", "leaf-spine", "spine-core")


def judge(design: Design, measures: tuple[Measure, ...]) -> Iterator[Diagnostic]:
    """One finding per requirement or expectation that does not hold, or that asks for nothing there is."""
    for wanted in design.requirements:
        found = _named(design, measures, wanted) if wanted.expected and not wanted.measure else _asked(design, measures, wanted)
        if isinstance(found, Diagnostic):
            yield found
            continue
        for measure in found:
            wanted = in_unit_of(measure, wanted)
            if measure.unit != wanted.unit:
                fix = f"write the bound in the unit of {spoken(measure.value, measure.unit)}"
                yield Diagnostic(
                    "bad-requirement", f"`{wanted.text}`: {measure.measure} is not in that unit", fix=fix, origin=wanted.origin
                )
            elif not _holds(measure, wanted):
                yield _broken(measure, wanted)


def _holds(measure: Measure, wanted: Requirement) -> bool:
    """Equal within a billionth counts as equal; a bound promises only to stay on its side."""
    if (measure.at_least and wanted.op not in (">", ">=")) or (measure.at_most and wanted.op not in ("<", "<=")):
        return False
    close = abs(measure.value - wanted.bound) <= _TOLERANCE * max(abs(measure.value), abs(wanted.bound))
    if close:
        return "=" in wanted.op
    return _OPS[wanted.op](measure.value, wanted.bound)


def _may_hold(measure: Measure, wanted: Requirement) -> bool:
    """Whether parts without a figure could still make good what a bound does not promise: on its side of the bound there is room."""
    if not measure.bound:
        return False
    if (measure.at_least and wanted.op in (">", ">=")) or (measure.at_most and wanted.op in ("<", "<=")):
        return True
    slack = _TOLERANCE * max(abs(measure.value), abs(wanted.bound))
    gap = wanted.bound - measure.value if measure.at_least else measure.value - wanted.bound
    return gap >= -slack if "=" in wanted.op else gap > slack


def _broken(measure: Measure, wanted: Requirement) -> Diagnostic:
    said = measure.bound + spoken(measure.value, measure.unit)
    if not wanted.expected:
        within = _may_hold(measure, wanted)
        verdict = "cannot be promised" if within else "does not hold"
        what = f"`{wanted.text}` {verdict}: {measure.measure}({measure.subject}) is {said}"
        fix = f"{measure.unknown:,} parts have no figure and may change that: give them one with its source" if within else ""
        return Diagnostic("requirement-broken", what, measure.method, fix, subject=measure.subject, origin=wanted.origin)
    what = f"`{wanted.text}`: {spoken(wanted.bound, wanted.unit)} expected, the design gives {said}"
    return Diagnostic(
        "expectation-broken", what, measure.method, _factor(wanted.bound, measure.value), subject=measure.subject, origin=wanted.origin
    )


def _factor(expected: float, found: float) -> str:
    """A whole factor between two counts is mostly another unit of counting."""
    if expected and found and found % expected == 0 and found // expected in (2, 4, 8):
        return f"the design gives {found / expected:g} times as many: was `{expected:g}` counted in pairs, cages or nodes instead of links?"
    return ""


def _asked(design: Design, measures: tuple[Measure, ...], wanted: Requirement) -> list[Measure] | Diagnostic:
    """`measure(subject)`: the measures of that name whose subject is, or lies in, the subject; or the answer to a question."""
    if wanted.measure in QUESTIONS:
        return QUESTIONS[wanted.measure](design, wanted)
    measures, wanted = spelt(measures, wanted)
    names = {m.measure for m in measures} | {"links", "count"}
    if wanted.measure not in names:
        fix = words_of(wanted.measure, list(dict.fromkeys(m.measure for m in measures)), wanted.subject)
        fix = fix or did_you_mean(wanted.measure, sorted(names))
        return Diagnostic("bad-requirement", f"`{wanted.text}`: there is no measure `{wanted.measure}`", fix=fix, origin=wanted.origin)
    if "," in wanted.subject.split("[", maxsplit=1)[0]:
        wanted = replace(wanted, subject=_between(design, wanted.subject))
    try:
        selector = parse_selector(wanted.subject)
    except SelectorError as e:
        return Diagnostic("bad-selector", f"`{wanted.text}`: {e.what}", fix=e.fix, origin=wanted.origin)
    subject = selector.group
    exact = [m for m in measures if m.measure == wanted.measure and m.subject == subject]
    inside = [m for m in measures if m.measure == wanted.measure and m.subject.startswith(f"{subject}/")]
    if wanted.measure in ("count", "links") and (selector.ranges or not (exact or inside)):
        return _counted(design, wanted)
    if (not exact and not inside) or selector.ranges:
        known = sorted({m.subject for m in measures if m.measure == wanted.measure})
        what = f"`{wanted.text}`: nothing has the measure `{wanted.measure}` there"
        return Diagnostic("bad-requirement", what, fix=did_you_mean(subject, known), origin=wanted.origin)
    return exact or inside


def _between(design: Design, subject: str) -> str:
    """`compute.gpu, compute.gpu` is about the first fabric that joins the devices of `compute`."""
    entry = subject.split(",", maxsplit=1)[0].strip().split(".", maxsplit=1)[0]
    return next((b.fabric for b in design.bundles if b.field_cabled and b.a.group.startswith(f"{entry}/")), entry)


def _counted(design: Design, wanted: Requirement) -> list[Measure] | Diagnostic:
    """`count(selector)` and `links(selector)`: devices, and link ends on devices or on ports of them."""
    selector = parse_selector(in_full(wanted.subject, design.groups))
    name, block = selector.group, ""
    owner = in_full(name.rpartition("/")[0], design.groups)
    if name not in design.groups and owner in design.groups:
        name, block = owner, name.rpartition("/")[2]
    group = design.groups.get(name)
    if group is None:
        return Diagnostic(
            "bad-selector",
            f"`{wanted.text}`: there is no group `{selector.group}`",
            fix=did_you_mean(selector.group, design.groups),
            origin=wanted.origin,
        )
    ports = {a: n for p in ([design.part(name).port_groups().get(block)] if block else []) if p for a, n in p.axes.items()}
    for axis, _, high in selector.ranges:
        size = {**group.sizes, **ports}.get(axis)
        if size is None or high >= size:
            what = f"`{wanted.text}`: {selector.group} has " + (f"no axis `{axis}`" if size is None else f"`{axis}` from 0 to {size - 1}")
            return Diagnostic(
                "bad-selector", what, fix=did_you_mean(axis, [*group.sizes, *ports]) if size is None else "", origin=wanted.origin
            )
    if wanted.measure == "count":
        own: Box = {a: r for a, r in selector.box.items() if a in group.sizes}
        n = sum(volume(b) for box in group.boxes if (b := meet(box, own)) is not None)
        return [Measure("count", wanted.subject, n, "1", f"devices of {name} that the selector names")]
    from dcgen.design.select import links_at

    return [Measure("links", wanted.subject, links_at(design, name, block, selector.box), "1", f"links that end on {wanted.subject}")]


def _named(design: Design, measures: tuple[Measure, ...], wanted: Requirement) -> list[Measure] | Diagnostic:
    """A dotted name: `gpus`, `backend.leaf`, `backend.links`, `backend.leaf-spine`, `compute.fabric.rail`."""
    text = wanted.subject
    head, _, last = text.rpartition(".")
    by = {(m.measure, m.subject): m for m in measures}
    for key in (("devices", text.replace(".", "/")), (text, "site"), (last, head.replace(".", "/")), ("links", text.replace(".", "/"))):
        if key in by:
            return [by[key]]
    if head in design.fabrics and last in (*KNOWN_LAYERS, *KNOWN_TIERS):
        return [_layer(design, head, last)]
    size = _axis_size(design, head, last)
    if size is not None:
        return [Measure("size", text, size, "1", f"coordinates of the axis `{last}`")]
    known = [*(s.replace("/", ".") for m, s in by if m in ("devices", "links")), *(m for m, s in by if s == "site")]
    near = get_close_matches(text, known, 3, 0.4)
    fix = f"did you mean {', '.join(f'`{n}`' for n in near)}?" if near else did_you_mean(text, known)
    return Diagnostic("bad-requirement", f"`{text}` names nothing that is counted", fix=fix, origin=wanted.origin)


def _layer(design: Design, fabric: str, last: str) -> Measure:
    mine = [b for b in design.of(fabric) if b.layer == last]
    number = sum(links(design, b) for b in mine)
    why = " + ".join(b.name for b in mine) or f"{fabric} has no {last.rsplit('-', maxsplit=1)[-1]} tier"
    return Measure("links", f"{fabric}/{last}", number, "1", why)


def _axis_size(design: Design, head: str, last: str) -> int | None:
    group = head.replace(".", "/")
    for name, g in design.groups.items():
        if (name == group or name.startswith(f"{group}/")) and last in g.sizes:
            return g.sizes[last]
        owner, _, block = group.rpartition("/")
        ports = design.parts[g.part].port_groups().get(block)
        if ports and last in ports.axes and (name == owner or name.startswith(f"{owner}/")):
            return ports.axes[last]
    return None
