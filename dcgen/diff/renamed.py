"""A design with other names for its things and axes; what it is made of and how it is wired stays as it was."""

import re
from dataclasses import dataclass, replace

from dcgen.analysis import Analysis
from dcgen.design import Design, DeviceGroup, End, Join
from dcgen.design.hall import Hall
from dcgen.design.moves import covers
from dcgen.naming import Selector

_NAME = re.compile(r"[\w-]+(?:[./][\w-]+)*")


@dataclass(frozen=True)
class Names:
    """New names: of what is called or lies below `prefixes`, and of `axes` of the groups below a prefix (prefix, was, now)."""

    prefixes: dict[str, str]
    axes: tuple[tuple[str, str, str], ...] = ()

    def name(self, text: str) -> str:
        """The new name of an entry, fabric, group or bundle."""
        found = max((p for p in self.prefixes if covers(p, text)), key=len, default=None)
        return text if found is None else self.prefixes[found] + text[len(found) :]

    def axis(self, group: str, text: str) -> str:
        """The new name of an axis of a group, which has its old name."""
        return next((now for prefix, was, now in self.axes if text == was and covers(prefix, group)), text)

    def subject(self, text: str) -> str:
        """A subject, which begins with a name, dotted or with slashes; with its coordinates."""
        found = _NAME.match(text)
        if not found:
            return text
        slashed = found[0].replace(".", "/")
        new = self.name(slashed)
        ranges = re.sub(r"(?<=[\[,])\s*([\w-]+)(?=\s*=)", lambda m: self.axis(slashed, m[1]), text[found.end() :])
        return (found[0] if new == slashed else new.replace("/", ".") if "." in found[0] else new) + ranges

    def selector(self, selector: Selector) -> Selector:
        """A selector of a group."""
        ranges = tuple((self.axis(selector.group, a), low, high) for a, low, high in selector.ranges)
        return replace(selector, group=self.name(selector.group), ranges=ranges)


def renamed(analysis: Analysis, names: Names) -> Analysis:
    """The same analysis in other names."""
    old = analysis.design
    fabrics = [
        replace(
            f,
            name=names.name(f.name),
            tiers=tuple(map(names.name, f.tiers)),
            oversubscription={names.name(t): x for t, x in f.oversubscription.items()},
        )
        for f in old.fabrics.values()
    ]
    design = replace(
        old,
        groups={names.name(n): _group(g, names) for n, g in old.groups.items()},
        bundles=tuple(_join(b, old, names) for b in old.bundles),
        fabrics={f.name: f for f in fabrics},
        requirements=tuple(replace(r, subject=names.subject(r.subject)) for r in old.requirements),
        phases={p: tuple(map(names.selector, found)) for p, found in old.phases.items()},
        hall=old.hall and _hall(old.hall, names),
    )
    measures = tuple(replace(m, subject=names.subject(m.subject)) for m in analysis.measures)
    findings = tuple(replace(f, subject=names.subject(f.subject)) for f in analysis.findings)
    return Analysis(design, measures, findings)


def _hall(hall: Hall, names: Names) -> Hall:
    runs = tuple(replace(run, group=names.name(run.group)) for run in hall.runs)
    return replace(hall, runs=runs, units=tuple((names.name(group), at) for group, at in hall.units))


def _group(group: DeviceGroup, names: Names) -> DeviceGroup:
    return replace(
        group,
        name=names.name(group.name),
        fabric=names.name(group.fabric) if group.fabric else "",
        inside=names.name(group.inside) if group.inside else "",
        axes=tuple(replace(a, name=names.axis(group.name, a.name)) for a in group.axes),
        absent=tuple(map(names.selector, group.absent)),
        rack_axes=tuple(names.axis(group.name, a) for a in group.rack_axes),
    )


def _join(join: Join, design: Design, names: Names) -> Join:
    a, b = (_end(e, design.groups[e.group], names) for e in join.ends)
    return replace(join, name=names.name(join.name), fabric=names.name(join.fabric) if join.fabric else "", a=a, b=b)


def _end(end: End, group: DeviceGroup, names: Names) -> End:
    """An axis of another name is still read as the digits that it was."""

    def new(axis: str) -> str:
        return names.axis(group.name, axis)

    spread = replace(end.spread, axis=new(end.spread.axis)) if end.spread else None
    view = {new(a): digits for a, digits in end.view.items()}
    view |= {new(a): (a,) for a in group.sizes if a not in end.view and new(a) != a}
    where, shift = {new(a): r for a, r in end.where.items()}, {new(a): n for a, n in end.shift.items()}
    return replace(end, group=names.name(end.group), view=view, spread=spread, where=where, shift=shift)
