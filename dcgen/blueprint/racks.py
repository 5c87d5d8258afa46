"""Lays out what stands in the hall: racks with their contents, or nodes; and which sockets they offer to fabrics."""

from collections.abc import Iterator
from dataclasses import replace

from dcgen.blueprint.model import Racks
from dcgen.design import Axis, Design, DeviceGroup, Fabric, Join
from dcgen.design.placement import racks as racks_of
from dcgen.diagnostics import Path, did_you_mean
from dcgen.fabric import Endpoint, Site, scale_up, selected
from dcgen.naming import Selector
from dcgen.parts import Cdu, Node, Part, Pdu, Rack
from dcgen.parts.base import coordinates

BESIDE = ("pdu", "cdu")
"""Roles of what stands beside others and has a management port."""


def lay_out_racks(name: str, written: Racks, site: Site) -> Iterator[Fabric | Join]:
    """Add the groups of one entry under `racks:`; yields the scale-up fabric that comes with a rack."""
    origin: Path = ("racks", name)
    part = site.part(written.part, (*origin, "part"), (Rack, Node, Pdu, Cdu))
    if part is None:
        return
    axes = tuple(Axis(a, w.size, w.room or 0) for a, w in written.axes.items())
    if isinstance(part, Rack):
        if written.per_rack:
            site.say(
                "unknown-key", f"`{name}`: a rack that is bought whole is one rack", fix="remove `per_rack`", origin=(*origin, "per_rack")
            )
        yield from _whole(name, part, axes, written, site, origin)
    elif isinstance(part, Pdu | Cdu):
        _accompany(name, part, axes, written, site, origin)
    else:
        assert isinstance(part, Node)
        group = DeviceGroup(
            f"{name}/node", part.part, axes, per_rack=written.per_rack or part.per_rack or 0, title=written.title or "", origin=origin
        )
        site.add(group)
    _fill_unequally(name, written, site, origin)
    _take_out(name, written, site, origin)
    _offer(name, [g for g in site.groups.values() if g.name.startswith(f"{name}/") and g.role in ("node", *BESIDE)], site)


def _accompany(name: str, part: Pdu | Cdu, axes: tuple[Axis, ...], written: Racks, site: Site, origin: Path) -> None:
    """PDUs and CDUs, counted by the racks they are beside or by axes of their own."""
    group = DeviceGroup(
        f"{name}/{part.kind}", part.part, axes, role=part.kind, per_rack=written.per_rack or 1, title=written.title or "", origin=origin
    )
    if written.beside is None:
        site.add(group)
        return
    hosts = [g for g in site.groups.values() if g.name in (f"{written.beside}/rack", f"{written.beside}/node")]
    if not hosts or axes:
        what = f"`{name}` is counted by the racks that it is beside" if hosts else f"there are no racks `{written.beside}` before `{name}`"
        known = dict.fromkeys(g.name.split("/")[0] for g in site.groups.values())
        fix = (
            "remove `axes`; `per_rack` says how many are in each"
            if hosts
            else did_you_mean(written.beside, known)
            if known
            else "write the racks first"
        )
        code, key = ("unknown-key", "axes") if hosts else ("bad-reference", "beside")
        site.say(code, what, fix=fix, origin=(*origin, key))
        return
    number = racks_of(Design("", site.groups, parts=site.used), hosts[0]).count
    counted = (Axis("rack", number), Axis(part.kind, group.per_rack))
    site.add(replace(group, axes=counted, beside=hosts[0].name))


def _whole(name: str, rack: Rack, axes: tuple[Axis, ...], written: Racks, site: Site, origin: Path) -> Iterator[Fabric | Join]:
    shell = site.add(DeviceGroup(f"{name}/rack", rack.part, axes, role="rack", title=written.title or "", origin=origin))
    groups: dict[str, DeviceGroup] = {}
    for key, content in rack.contents.items():
        part = site.part(content.part, (*origin, "part"), (Part,))
        if part is None:
            return
        if isinstance(part, Rack):
            what = f"`{rack.part}` holds `{part.part}` as its `{key}`, and that is a rack"
            fix = "list the trays and nodes themselves under `contents`"
            site.say("wrong-kind", what, "a rack holds no racks", fix, shell.name, (*origin, "part"))
            return
        if any(a.name == key for a in axes):
            site.say(
                "name-collision",
                f"`{name}` has an axis `{key}`, and the rack holds a `{key}`",
                fix="rename the axis",
                origin=(*origin, "axes", key),
            )
            return
        role = {"node": "node", "tray": "node", "switch-tray": "scale-up", "shelf": "shelf"}.get(part.kind, "in-rack")
        own = Axis(key, content.count)
        groups[key] = site.add(
            DeviceGroup(
                f"{name}/{key}", part.part, (*axes, own), role=role, rack_axes=tuple(a.name for a in axes), inside=shell.name, origin=origin
            )
        )
    accelerators = sum(c.count * p.accelerators for c in rack.contents.values() if isinstance(p := site.used[c.part], Node))
    if rack.accelerators is not None and accelerators != rack.accelerators:
        trays = " + ".join(
            f"{c.count} {k} × {p.accelerators}" for k, c in rack.contents.items() if isinstance(p := site.used[c.part], Node)
        )
        what = f"`{rack.part}`: {trays} = {accelerators} accelerators, the part says {rack.accelerators}"
        site.say(
            "part-contradiction",
            what,
            "these numbers cannot hold together",
            "correct the count of trays or the accelerators of one",
            shell.name,
            (*origin, "part"),
        )
    if rack.scale_up and rack.scale_up.nodes in groups and rack.scale_up.switches in groups:
        yield from scale_up(name, rack, groups[rack.scale_up.nodes], groups[rack.scale_up.switches], site, origin)


def _fill_unequally(name: str, written: Racks, site: Site, origin: Path) -> None:
    """Racks that hold fewer than the part lists: what is not there is absent, the positions keep their ports."""
    for key, counts in written.unequal.items():
        at = (*origin, "unequal", key)
        group = site.groups.get(f"{name}/{key}")
        if group is None or key not in group.sizes or not group.rack_axes:
            known = [g.name.split("/")[1] for g in site.groups.values() if g.name.startswith(f"{name}/") and g.inside]
            site.say("bad-reference", f"the racks of `{name}` hold no `{key}`", fix=did_you_mean(key, known), origin=at)
            continue
        racks = list(coordinates({a: group.sizes[a] for a in group.rack_axes}))
        if len(counts) != len(racks):
            site.say(
                "length-mismatch",
                f"`{key}` lists {len(counts)} racks, `{name}` has {len(racks)}",
                fix="give one number per rack",
                origin=at,
            )
            continue
        full = group.sizes[key]
        for rack, n in zip(racks, counts, strict=True):
            if n > full:
                site.say("out-of-range", f"a rack of `{name}` holds at most {full} `{key}`, not {n}", origin=at)
            elif n < full:
                gone = Selector(group.name, (*((a, x, x) for a, x in rack.items()), (key, n, full - 1)))
                site.groups[group.name] = replace(site.groups[group.name], absent=(*site.groups[group.name].absent, gone))


def _take_out(name: str, written: Racks, site: Site, origin: Path) -> None:
    """`absent:` lines; the name of the entry alone stands for its racks or nodes, and a rack goes with all that is in it."""
    mine = [g.name for g in site.groups.values() if g.name.startswith(f"{name}/")]
    for i, text in enumerate(written.absent):
        at = (*origin, "absent", i)
        found = selected(text, site, at)
        if found is None:
            continue
        if found.group not in mine or found.port:
            site.say("bad-selector", f"`{text}` is not a device of `{name}`", fix=f"name one of {', '.join(mine)}", origin=at)
            continue
        goes = [found.group] if site.groups[found.group].role != "rack" else mine
        for group in goes:
            site.groups[group] = replace(site.groups[group], absent=(*site.groups[group].absent, Selector(group, found.ranges)))


def _offer(name: str, groups: list[DeviceGroup], site: Site) -> None:
    """Port groups become `compute.tray.fabric`, and `compute.fabric` too where one device of the entry alone has that name."""
    offered = [(group, key, ports) for group in groups for key, ports in site.used[group.part].port_groups().items()]
    for group, key, ports in offered:
        own = [*(a.name for a in group.axes), *ports.axes]
        taken = next((a for a in own if own.count(a) > 1), None)
        if taken is not None:
            what = f"`{group.name}` has an axis `{taken}`, and so have its ports `{key}`"
            site.say("name-collision", what, fix="rename the axis", origin=(*group.origin, "axes", taken))
            continue
        full = f"{group.name.replace('/', '.')}.{key}"
        alone = [k for _, k, _ in offered].count(key) == 1
        endpoint = Endpoint(f"{name}.{key}" if alone else full, group, key, ports)
        site.endpoints |= {endpoint.name: endpoint, full: endpoint}
