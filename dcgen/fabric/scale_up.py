"""The scale-up domain of a rack: every accelerator to every switch chip, wired at the factory."""

from collections.abc import Iterator

from dcgen.design import Block, DeviceGroup, End, Fabric, Join, Media, Mesh
from dcgen.diagnostics import Path
from dcgen.fabric.base import Site
from dcgen.parts import Node, Rack, SwitchTray


def scale_up(name: str, rack: Rack, nodes: DeviceGroup, switches: DeviceGroup, site: Site, origin: Path) -> Iterator[Fabric | Join]:
    """Each accelerator of a tray has one link to each chip of the rack; the chips' ports must be exactly enough.

    A contradiction between trays, chips and ports is reported with the numbers.
    """
    node, switch = site.used[nodes.part], site.used[switches.part]
    if not isinstance(node, Node) or not isinstance(switch, SwitchTray) or rack.scale_up is None:
        site.say("wrong-kind", f"`{rack.part}`: scale_up joins trays with accelerators to switch trays", origin=origin)
        return
    trays = rack.contents[rack.scale_up.nodes].count
    accelerators, domain = trays * node.accelerators, rack.domain_racks
    if accelerators * domain != switch.ports_per_chip:
        product = f"{trays} {nodes.name} × {node.accelerators} accelerators" + (f" × {domain} racks" if domain > 1 else "")
        what = f"`{rack.part}`: {product} = {accelerators * domain}, a switch chip has {switch.ports_per_chip} ports"
        site.say(
            "part-contradiction",
            what,
            "each accelerator has one link to each chip",
            "correct the tray, the count or the chip",
            nodes.name,
            origin,
        )
        return
    racks = nodes.rack_axes
    fabric = f"{name}-scale-up"
    yield Fabric(fabric, "scale-up", (switches.name,), field_cabled=False, origin=origin)
    chips = {"chip": switch.chips} if switch.chips > 1 else {}
    per_node = {"accelerator": node.accelerators} if node.accelerators > 1 else {}
    node_axis = next(a.name for a in nodes.axes if a.name not in racks)
    switch_axis = next(a.name for a in switches.axes if a.name not in racks)
    yield Join(
        name=f"{fabric}/links",
        a=End(nodes.name, Block("scale-up", 0, 1, 1), order=(*per_node, switch_axis, *chips)),
        b=End(switches.name, Block("scale-up", 0, 1, 1), order=(*chips, node_axis, *per_node)),
        on=racks,
        ways=per_node | chips,
        rate_gbps=rack.scale_up.link_rate_gbps,
        fabric=fabric,
        layer="accelerator-switch",
        field_cabled=False,
        media=(Media("factory", basis="inside the rack"),),
        origin=origin,
    )
    if domain > 1:
        yield from _twins(fabric, rack, switches, chips, accelerators, site, origin)


def _twins(fabric: str, rack: Rack, switches: DeviceGroup, chips: dict[str, int], links: int, site: Site, origin: Path) -> Iterator[Join]:
    """Racks that make one domain together: each chip to the chip of the same number in the other racks."""
    assert rack.scale_up is not None
    domain = rack.domain_racks
    axis = next((a for a in switches.axes if a.name == (switches.rack_axes or ("",))[-1]), None)
    number = axis.size if axis else 1
    if axis is None or number % domain:
        whole, left = divmod(number, domain)
        what = f"`{rack.part}`: {number} racks make {whole} domain{'' if whole == 1 else 's'} of {domain} and {left} left over"
        site.say("odd-domain", what, fix=f"make the racks a multiple of {domain}", subject=switches.name, origin=origin)
        return
    others = tuple(a.name for a in switches.axes if a is not axis)
    order = ("peer", "link", *chips)
    a, b = (End(switches.name, Block("scale-up-twin", 0, 1, 1), {axis.name: ("domain", twin)}, order) for twin in ("twin", "twin~"))
    yield Join(
        f"{fabric}/twins",
        a,
        b,
        on=(*others, "domain"),
        ways={"link": links, **chips},
        sizes={"domain": number // domain, "twin": domain, "twin~": domain},
        rate_gbps=rack.scale_up.link_rate_gbps,
        fabric=fabric,
        layer="switch-switch",
        field_cabled=False,
        media=(Media("factory", basis="between the racks of one domain"),),
        origin=origin,
        pairs=Mesh("twin", "twin~"),
    )
