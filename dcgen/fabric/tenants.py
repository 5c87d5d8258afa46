"""Endpoints that stand in place of a node: they take the sockets which that node's ports would have had."""

from dataclasses import replace
from typing import Annotated

from pydantic import BeforeValidator, WithJsonSchema

from dcgen.design import Block, Design, End, Join, Table
from dcgen.design.wiring import agreed, device_at, digits_at, mixed, port_orders
from dcgen.diagnostics import Path
from dcgen.fabric.base import Endpoint, Site
from dcgen.fabric.removal import pinned, selected
from dcgen.naming import Selector
from dcgen.parts.base import coordinates
from dcgen.parts.fields import Strict, Text, listed, one_or_many


class Tenant(Strict):
    """What stands there, and where: the address of one node, or `last` for the last position of what the fabric serves.

    Its ports take the node's sockets in order, those named by `ports` (`rail=0..3`), else the first ones.
    """

    serves: Annotated[list[Text], BeforeValidator(listed), WithJsonSchema(one_or_many({"type": "string"}))]
    at: Text = "last"


def move_in(key: str, tenant: Tenant, joins: list[Join], name: str, site: Site, origin: Path) -> list[Join]:
    """The bundles of a tenant; the node whose place it takes goes absent. Says what is wrong and returns none otherwise."""
    host = next((j for j in joins if j.a.spread is None and j.b.spread is None and j.pairs is None), None)
    endpoints = site.served(tenant.serves, (*origin, "serves"))
    if host is None or not endpoints:
        if host is None:
            what = f"`{name}` has no leaves that belong to a position, so nothing can stand in place of a node"
            site.say("bad-reference", what, fix="give the leaf tier a `per:`", origin=origin)
        return []
    place = _place(tenant, host, site, origin)
    if place is None:
        return []
    group = site.groups[host.a.group]
    free = _sockets(host, place, site)
    wanted = [(e, unit, port) for e in endpoints for unit in _units(e) for port in range(e.ports.size)]
    if len(wanted) > len(free):
        what = f"`{key}` has {len(wanted)} ports, the node in whose place it stands has {len(free)}"
        site.say("port-shortage", what, fix="serve fewer ports", subject=name, origin=origin)
        return []
    for e in endpoints:
        if e.rate_gbps != host.rate_gbps:
            what = f"{e.name} runs at {e.rate_gbps:g}G, the sockets of {group.name} at {host.rate_gbps:g}G"
            site.say("rate-mismatch", what, fix="serve it by a fabric of its own", origin=origin)
            return []
    site.groups[group.name] = replace(group, absent=(*group.absent, Selector(group.name, tuple((a, x, x) for a, x in place.items()))))
    taken = f"{key} takes {len(wanted)} of the {len(free)} sockets of {Selector(group.name, tuple((a, x, x) for a, x in place.items()))}"
    site.decide(name, taken, "in the order of its ports: an assumption, unless a wiring plan says otherwise")
    return _bundles(key, wanted, free, host, site, origin)


def _place(tenant: Tenant, host: Join, site: Site, origin: Path) -> dict[str, int] | None:
    group = site.groups[host.a.group]
    if tenant.at == "last":
        return {a.name: a.size - 1 for a in group.axes}
    found = selected(tenant.at, site, (*origin, "at"))
    if found is None:
        return None
    place, missing = pinned(found, site)
    if found.group != group.name or missing or found.port:
        example = Selector(group.name, tuple((a.name, a.size - 1, a.size - 1) for a in group.axes))
        site.say(
            "bad-selector",
            f"`{tenant.at}` is not one node that this fabric serves",
            fix=f"write for example `{example}`",
            origin=(*origin, "at"),
        )
        return None
    return place


def _sockets(host: Join, place: dict[str, int], site: Site) -> list[tuple[dict[str, int], int]]:
    """(switch, port number) for every port of the node at that place, in the order of its ports."""
    design = Design("", site.groups)
    a, b, size = agreed(design, host)
    lower, upper = port_orders(host, a, b)
    own, out = digits_at(design, host, 0, place), []
    for ports in coordinates({d: size[d] for d in lower}):
        xs = own | ports
        out.append((device_at(design, host, 1, xs), mixed(upper, xs, size)))
    return out


def _units(e: Endpoint) -> list[dict[str, int]]:
    return list(coordinates(e.group.sizes))


def _bundles(
    key: str,
    wanted: list[tuple[Endpoint, dict[str, int], int]],
    free: list[tuple[dict[str, int], int]],
    host: Join,
    site: Site,
    origin: Path,
) -> list[Join]:
    """One bundle for each port of the tenant and each socket number: rows of (unit, switch)."""
    rows: dict[tuple[str, int, int], list[tuple[tuple[int, ...], tuple[int, ...], int]]] = {}
    of = {e.name: e for e, _, _ in wanted}
    for (e, unit, port), (switch, number) in zip(wanted, free, strict=False):
        rows.setdefault((e.name, port, number), []).append((tuple(unit.values()), tuple(switch.values()), 1))
    out = []
    block = host.b.block
    ports_of = [(name, port) for name, port, _ in rows]
    for i, ((name, port, number), mine) in enumerate(rows.items()):
        e, nth = of[name], ports_of[:i].count((name, port))
        position = block.ports[number] if block.ports else block.first * block.split + number
        lower = End(e.group.name, Block(e.block, 0, e.split, e.ports.lanes, (port,)), {a: (f"{a}:{key}",) for a in e.group.sizes})
        upper = End(host.b.group, Block(block.name, 0, block.split, block.lanes, (position,)))
        pairs = Table(tuple(f"{a}:{key}" for a in e.group.sizes), tuple(site.groups[host.b.group].sizes), tuple(mine))
        join = Join(
            f"{host.fabric}/{name.replace('.', '-')}-{port}" + (f".{nth}" if nth else ""),
            lower,
            upper,
            rate_gbps=host.rate_gbps,
            fabric=host.fabric,
            layer=host.layer,
            pairs=pairs,
            origin=origin,
        )
        out.append(join)
    return out
