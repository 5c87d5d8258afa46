"""The scale-up domain of a rack: every accelerator to every switch chip, wired at the factory."""

from collections.abc import Iterator

from dcgen.design import Block, DeviceGroup, End, Fabric, Join, Media
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
    accelerators = trays * node.accelerators
    if accelerators != switch.ports_per_chip:
        product = f"{trays} {nodes.name} × {node.accelerators} accelerators = {accelerators}"
        what = f"`{rack.part}`: {product}, a switch chip has {switch.ports_per_chip} ports"
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
    yield Fabric(fabric, "scale-up", (switches.name,), None, field_cabled=False, origin=origin)
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
        media=Media("factory", basis="inside the rack"),
        origin=origin,
    )
