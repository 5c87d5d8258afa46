"""A switch that stands in a network rack."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from dcgen.parts.base import FailureRateFigure, Known, Part, Ports, TimeFigure
from dcgen.parts.fields import Count, Flag, Name, PartId, Positive, Strict, apart

MANAGEMENT = "mgmt"
"""Port group through which a switch is managed."""


class Lasers(Strict):
    """External laser modules of a switch with co-packaged optics: what is replaced in place of transceivers."""

    modules: Positive
    per_module: Count
    part: PartId | None = None


class Switch(Part):
    """A switch of packets or, with `fabric: optical`, of light; `ports` names its groups of sockets.

    `latency` is from port to port, unloaded; `port_failure_rate` is that of the optics of one co-packaged port, and
    `in_network_reduction` says that it can add up what passes through it.
    """

    kind: Literal["switch"]
    fabric: Literal["infiniband", "ethernet", "optical"]
    ports: Annotated[dict[Name, Ports], BeforeValidator(apart)]
    lasers: Lasers | None = None
    latency_ns: Annotated[TimeFigure | None, Known] = Field(None, alias="latency")
    port_failure_rate_fit: Annotated[FailureRateFigure | None, Known] = Field(None, alias="port_failure_rate")
    in_network_reduction: Flag = False

    def port_groups(self) -> dict[str, Ports]:
        """The sockets by group."""
        return self.ports

    def optic_cages(self) -> int:
        """Cages that a published power figure with optics feeds."""
        return sum(p.cages for p in self.ports.values() if p.optics == "pluggable" and p.cage != "rj45")
