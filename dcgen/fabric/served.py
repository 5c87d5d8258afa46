"""What a tier over endpoints is made of: the endpoints with their readings, the switches, the bundles so far."""

from dataclasses import dataclass, replace

from dcgen.design import Block, DeviceGroup, Join
from dcgen.diagnostics import Path
from dcgen.fabric.base import Endpoint, Site
from dcgen.fabric.per import Reading
from dcgen.fabric.sockets import Sockets
from dcgen.fabric.tier import Tier, with_media


@dataclass
class Leaves:
    """A tier over endpoints: what it was made of, and what came out.

    `down_gbps` is the capacity below one switch when everything has grown into its room [Gb/s].
    """

    name: str
    key: str
    tier: Tier
    site: Site
    at: Path
    sockets: Sockets
    group: DeviceGroup
    joins: list[Join]
    down_gbps: float = 0

    def take(self, s: "Served", ports: int) -> Block:
        """The next range of so many ports, and what it may carry at the final size."""
        self.down_gbps += ports * s.endpoint.rate_gbps
        return self.sockets.take(s.sockets, s.split, ports)


@dataclass(frozen=True)
class Served:
    """One endpoint with its reading and the ports it gets: group of sockets, ports per cage."""

    endpoint: Endpoint
    reading: Reading
    sockets: str
    split: int


def finished(made: Leaves, s: Served, join: Join) -> Join:
    """The bundle under its name, with its rate, transceivers and cable."""
    e = s.endpoint
    name, layer = f"{made.name}/{e.name.replace('.', '-')}-{made.key}", f"node-{made.key}"
    join = replace(join, name=name, rate_gbps=e.rate_gbps, fabric=made.name, layer=layer, origin=made.at)
    return with_media(join, e.ports, made.tier, made.key, made.site, made.at)
