"""Growth that is planned for: how large an axis will be, and whether the switches above are all built today."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal

from pydantic import model_validator

from dcgen.design import Design, DeviceGroup, Fabric, Join
from dcgen.design.sockets import cage_range
from dcgen.design.wiring import members_needed
from dcgen.diagnostics import Diagnostic, Path, did_you_mean
from dcgen.fabric.base import Endpoint, Site
from dcgen.parts.fields import Positive, Strict


class GrowthReserve(Strict):
    """Final sizes of axes (`{su: 4, spines: now}`).

    `now` builds today the switches above that the final size needs: nothing that is cabled ever moves. `follow` builds what
    today's size needs, and says what the final size will need; growing then re-patches part of the links between switches.
    """

    axes: dict[str, Positive]
    spines: Literal["now", "follow"] = "now"

    @model_validator(mode="before")
    @classmethod
    def _flat(cls, value: Any) -> Any:
        if isinstance(value, dict) and "axes" not in value:
            return {"axes": {k: v for k, v in value.items() if k != "spines"}, **({"spines": value["spines"]} if "spines" in value else {})}
        return value


def with_room(reserve: GrowthReserve, endpoints: list[Endpoint], site: Site, origin: Path) -> list[Endpoint] | None:
    """The endpoints with room on their axes if everything is built now; None after saying which axis is unknown or too small.

    The room is this fabric's: the devices' other ports are cabled as if there were none.
    """
    out, wrong = [], False
    for e in endpoints:
        axes = []
        for axis in e.group.axes:
            final = reserve.axes.get(axis.name, axis.ruler)
            if final < axis.size:
                what = f"`{axis.name}` has {axis.size} coordinates, {final} are reserved"
                site.say("out-of-range", what, fix="reserve at least as many as there are", origin=(*origin, axis.name))
                wrong = True
            axes.append(replace(axis, room=max(final, axis.size)) if reserve.spines == "now" else axis)
        out.append(replace(e, group=replace(e.group, axes=tuple(axes))))
    known = dict.fromkeys(a.name for e in endpoints for a in e.group.axes)
    for axis_name in reserve.axes:
        if axis_name not in known:
            site.say(
                "bad-reference",
                f"nothing that is served has an axis `{axis_name}`",
                fix=did_you_mean(axis_name, known),
                origin=(*origin, axis_name),
            )
            wrong = True
    return None if wrong else out


def judge(
    lay_out: Callable[[Site], Iterable[Fabric | Join]],
    today: Sequence[Join],
    endpoints: Sequence[Endpoint],
    reserve: GrowthReserve | None,
    site: Site,
) -> None:
    """Lay the fabric out once more, at its final size and on a copy of the site, and say what would not fit there and fits today.

    What is built now for the final size must hold it; room that is only measured, and growth that is to follow, are warned of.
    """
    wanted = reserve.axes if reserve else {}
    sizes = {(e.group.name, a.name): max(a.ruler, wanted.get(a.name, 0)) for e in endpoints for a in e.group.axes}
    grown = {a.name: n for e in endpoints for a in e.group.axes if (n := sizes[e.group.name, a.name]) > a.size}
    if not grown or site.problems:
        return

    def final(group: DeviceGroup) -> DeviceGroup:
        return replace(group, axes=tuple(replace(a, size=n, room=0) if (n := sizes.get((group.name, a.name))) else a for a in group.axes))

    groups = {n: final(g) for n, g in site.groups.items()}
    served = {n: replace(e, group=final(e.group)) for n, e in site.endpoints.items()}
    there = replace(site, groups=groups, endpoints=served, used=dict(site.used), decisions=[], problems=[], remarks=[])
    bundles = [b for b in lay_out(there) if isinstance(b, Join)]
    said = f"at the final size ({' and '.join(f'{axis} {n}' for axis, n in grown.items())})"
    promised = reserve is not None and reserve.spines == "now"
    known = set() if promised else {d.subject for d in _shortages(today, site)}  # a rule says those
    for d in there.problems or (d for d in _shortages(bundles, there) if d.subject not in known):
        found = replace(d, what=f"{d.what}, {said}", fix=d.fix or "reserve less")
        if promised:
            site.problems.append(found)
        else:
            site.remarks.append(replace(found, severity="warning"))


def _shortages(bundles: Sequence[Join], site: Site) -> Iterator[Diagnostic]:
    """Switches that lack ports, and switches of which there are too few."""
    design = Design("", site.groups)
    for name, group in site.groups.items():
        used = [(b, s) for b in bundles for s, e in enumerate(b.ends) if e.group == name and group.tier and b.fabric == group.fabric]
        for block in dict.fromkeys(b.ends[s].block.name for b, s in used):
            ends = [(b, s) for b, s in used if b.ends[s].block.name == block]
            split, cages = max(b.ends[s].block.split for b, s in ends), site.used[group.part].port_groups()[block].cages
            if (top := max(cage_range(design, *end).stop for end in ends)) > cages:
                what = f"{name}: {top * split:,} ports needed, {group.part} has {cages * split:,}, short by {(top - cages) * split:,}"
                why = " + ".join(dict.fromkeys(b.name for b, _ in ends))
                fix = "reserve less, let fewer devices share a switch (`per:`), or choose one with more ports"
                yield Diagnostic("port-shortage", what, why, fix, subject=name, origin=group.origin)
        for b, s in used:
            spread = b.ends[s].spread
            if spread and (need := members_needed(design, b, s)) > (have := group.sizes[spread.axis]):
                what, fix = f"{name}: {need} switches needed, {have} declared, short by {need - have}", "declare as many, or reserve less"
                yield Diagnostic(
                    "port-shortage", what, f"{b.name} fills one switch after the other", fix, subject=name, origin=group.origin
                )
