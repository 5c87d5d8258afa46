"""Parts that carry power."""

from typing import Literal

from pydantic import Field

from dcgen.parts.base import Part, Ports, PowerFigure
from dcgen.parts.fields import Name, Positive


class Shelf(Part):
    """A power shelf: supplies that feed the busbar of a rack."""

    kind: Literal["shelf"]
    capacity_w: PowerFigure = Field(alias="capacity")
    supplies: Positive | None = None
    supply_capacity_w: PowerFigure | None = Field(None, alias="supply_capacity")


class Pdu(Part):
    """A rack PDU: outlets on one feed, so many of its `phases` in use, and what it may carry [W]; `ports` is how it is managed."""

    kind: Literal["pdu"]
    outlets: Positive | None = None
    phases: Positive | None = None
    capacity_w: PowerFigure | None = Field(None, alias="capacity")
    ports: dict[Name, Ports] = {}

    def port_groups(self) -> dict[str, Ports]:
        """The management ports by group."""
        return self.ports
