"""A switch that stands in a network rack."""

from typing import Annotated, Literal

from pydantic import BeforeValidator

from dcgen.parts.base import Part, Ports
from dcgen.parts.fields import Count, Name, PartId, Positive, Strict, apart


class Lasers(Strict):
    """External laser modules of a switch with co-packaged optics: what is replaced in place of transceivers."""

    modules: Positive
    per_module: Count
    part: PartId | None = None


class Switch(Part):
    """A switch of packets or, with `fabric: optical`, of light; `ports` names its groups of sockets."""

    kind: Literal["switch"]
    fabric: Literal["infiniband", "ethernet", "optical"]
    ports: Annotated[dict[Name, Ports], BeforeValidator(apart)]
    lasers: Lasers | None = None

    def port_groups(self) -> dict[str, Ports]:
        """The sockets by group."""
        return self.ports

    def optic_cages(self) -> int:
        """Cages that a published power figure with optics feeds."""
        return sum(p.cages for p in self.ports.values() if p.optics == "pluggable" and p.cage != "rj45")
