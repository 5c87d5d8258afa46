"""Devices that are joined to their neighbours along their own axes: mesh, HyperX, torus, dragonfly; with switches or without."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

from dcgen.design import Block, DeviceGroup, End, Fabric, Join, Line, Media, Mesh, Pack
from dcgen.diagnostics import Path, did_you_mean
from dcgen.fabric.base import Endpoint, Family, Site
from dcgen.fabric.leaves import lay_out_leaves
from dcgen.fabric.served import Leaves
from dcgen.fabric.tier import LinkRate, Tier, modes, with_media
from dcgen.parts.fields import Flag, Name, Positive, Strict, Text, listed, one_or_many


class Neighbours(Strict):
    """How devices meet along one axis.

    `mesh` joins every two, `ring` and `line` the next ones. With `over`, the devices along that axis share the links among them
    as one big switch would: a dragonfly's group is a mesh of groups over its routers.
    """

    shape: Literal["mesh", "ring", "line"]
    links: Positive = 1
    rate_gbps: LinkRate | None = Field(None, alias="rate")
    over: Name | None = None


def _shape(value: Any) -> Any:
    return {"shape": value} if isinstance(value, str) else value


_WORDS = {"enum": ["mesh", "ring", "line"]}
AnyShape = Annotated[Neighbours, BeforeValidator(_shape), WithJsonSchema({"anyOf": [_WORDS, {"type": "object"}]})]


class Direct(Family):
    """`neighbours` says, axis by axis, how the switches are joined; without `switch:` the devices that are served are joined
    themselves, by the ports that are named."""

    kind: Literal["direct"]
    serves: Annotated[list[Text], BeforeValidator(listed), WithJsonSchema(one_or_many({"type": "string"}))] = Field(min_length=1)
    switch: Tier | None = None
    neighbours: dict[Name, AnyShape] = Field(min_length=1)
    factory: Flag = False

    def lay_out(self, name: str, site: Site, origin: Path) -> Iterator[Fabric | Join]:
        """Lay out the endpoints' links, then the neighbours' in the order written."""
        endpoints = site.served(self.serves, (*origin, "serves"))
        if endpoints is None:
            return
        if self.switch is None:
            yield from self._joined_nodes(name, endpoints, site, origin)
            return
        made = lay_out_leaves(name, "router", self.switch, endpoints, (), None, 1.0, site, (*origin, "switch"))
        if made is None:
            return
        yield Fabric(name, "direct", (made.group.name,), title=self.title or "", origin=origin)
        yield from made.joins
        rate = max(e.rate_gbps for e in endpoints)
        for axis, wanted in self.neighbours.items():
            yield from self._joined_switches(name, axis, wanted, rate, made, site, (*origin, "neighbours", axis))

    def _joined_switches(self, name: str, axis: str, wanted: Neighbours, rate: float, made: Leaves, site: Site, at: Path) -> Iterator[Join]:
        rate_gbps = wanted.rate_gbps or rate
        found = made.sockets.fitting(rate_gbps)
        need = self._ports(made.group, axis, wanted, site, at)
        if need is None:
            return
        if found is None:
            what = f"`{made.sockets.switch.part}` has no {rate_gbps:g}G port"
            site.say("rate-mismatch", what, *modes(made.sockets.switch, stated=wanted.rate_gbps is not None), origin=at)
            return
        block = made.sockets.take(*found, need)
        join = _neighbours(name, made.group, axis, wanted, rate_gbps, block, need, at)
        if join and self.switch:
            yield with_media(join, made.sockets.switch.ports[found[0]], self.switch, "spine", site, at)

    def _joined_nodes(self, name: str, endpoints: list[Endpoint], site: Site, origin: Path) -> Iterator[Fabric | Join]:
        yield Fabric(name, "direct", (), field_cabled=not self.factory, title=self.title or "", origin=origin)
        for e in endpoints:
            used = 0
            for axis, wanted in self.neighbours.items():
                at: Path = (*origin, "neighbours", axis)
                need = self._ports(e.group, axis, wanted, site, at)
                if need is None:
                    return
                if used + need > e.ports.size:
                    what = f"{e.group.name}: {used + need} ports needed, {e.name} has {e.ports.size}, short by {used + need - e.ports.size}"
                    site.say("port-shortage", what, fix="join along fewer axes, or choose a device with more ports", origin=at)
                    return
                if wanted.rate_gbps and not any(n == e.split and rate >= wanted.rate_gbps for n, rate in e.ports.modes):
                    what, why = f"{e.name} has no port of {wanted.rate_gbps:g}G", f"its ports run at {e.rate_gbps:g}G"
                    site.say("rate-mismatch", what, why, "write a rate that is there, or none", origin=(*at, "rate"))
                    return
                block = Block(e.block, 0, e.split, e.ports.lanes, tuple(range(used, used + need)))
                used += need
                join = _neighbours(name, e.group, axis, wanted, wanted.rate_gbps or e.rate_gbps, block, need, at)
                if join:
                    yield _copper(join) if self.factory else _unchosen(join)

    def _ports(self, group: DeviceGroup, axis: str, wanted: Neighbours, site: Site, at: Path) -> int | None:
        """Ports of one device that face its neighbours along an axis."""
        for named in (axis, *([wanted.over] if wanted.over else [])):
            if named not in group.sizes:
                site.say("bad-reference", f"{group.name} has no axis `{named}`", fix=did_you_mean(named, group.sizes), origin=at)
                return None
        if wanted.over == axis:
            what, fix = f"`over: {axis}` names the axis that is joined itself", "name another axis of these devices, or leave `over:` out"
            site.say("bad-choice", what, fix=fix, origin=at)
            return None
        if wanted.shape == "ring" and group.rulers[axis] > group.sizes[axis]:
            what, fix = f"`{axis}` has room for {group.rulers[axis]}, and a ring closes behind its last device", "leave `room:` out"
            site.say("bad-choice", what, "it would be cut open to grow", fix, origin=at)
            return None
        if wanted.shape != "mesh":
            if wanted.links > 1 or wanted.over:
                site.say("bad-choice", f"a {wanted.shape} has one link to each side", fix="use `mesh` for more", origin=at)
                return None
            return 2
        number = (group.sizes[axis] - 1) * wanted.links
        return -(-number // group.sizes[wanted.over]) if wanted.over else number


def _neighbours(
    name: str, group: DeviceGroup, axis: str, wanted: Neighbours, rate_gbps: float, block: Block, need: int, at: Path
) -> Join | None:  # fmt: skip
    if group.sizes[axis] < 2:
        return None
    far = f"{axis}~"
    over = wanted.over
    spread = Pack(over, need) if over else None
    mesh = wanted.shape == "mesh"
    order = ("peer", "way") if mesh else ("peer",)
    on = tuple(a.name for a in group.axes if a.name not in (axis, over))
    ends = End(group.name, block, order=order, spread=spread), End(group.name, block, {axis: (far,)}, order, spread)
    pairs = Mesh(axis, far) if mesh else Line(axis, far, wanted.shape == "ring")
    ways = {"way": wanted.links} if mesh else {}
    return Join(f"{name}/{axis}", *ends, on, ways, {}, rate_gbps, name, f"{axis}-{axis}", origin=at, pairs=pairs)


def _copper(join: Join) -> Join:
    return replace(join, field_cabled=False, media=(Media("factory", basis="inside the rack"),))


def _unchosen(join: Join) -> Join:
    return replace(join, media=(Media("unknown", basis="unknown", why="nothing is known of the plugs of these ports"),))
