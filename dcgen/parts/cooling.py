"""Parts that carry heat away."""

from typing import Literal

from pydantic import Field

from dcgen.parts.base import NumberFigure, Part, Ports, PowerFigure
from dcgen.parts.fields import Name


class Cdu(Part):
    """A coolant distribution unit: takes `capacity` [W] of heat out of the racks' loop at `approach_k` [K] and `flow_lpm` [l/min].

    `ports` is how it is managed.
    """

    kind: Literal["cdu"]
    capacity_w: PowerFigure | None = Field(None, alias="capacity")
    approach_k: NumberFigure | None = None
    flow_lpm: NumberFigure | None = None
    ports: dict[Name, Ports] = {}

    def port_groups(self) -> dict[str, Ports]:
        """The management ports by group."""
        return self.ports
