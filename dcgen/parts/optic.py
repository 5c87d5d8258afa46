"""A pluggable transceiver."""

from typing import Literal

from pydantic import Field

from dcgen.parts.base import LengthFigure, Part
from dcgen.parts.fields import Flag, Name, Positive, RateGbps


class Optic(Part):
    """What goes into a cage and turns its lanes into light.

    `fits` lists the cages it goes into; `ports` fibres leave it, each at `port_rate`; both ends of a fibre must have the same
    `reach_class` (for example `dr4`), `lane_rate` and `connector`. A `linear` one has no signal processor: the switch drives it, and
    it is taken only where that is allowed.
    """

    kind: Literal["optic"]
    fits: list[Name]
    ports: Positive
    port_rate_gbps: RateGbps = Field(alias="port_rate")
    lane_rate_gbps: RateGbps = Field(alias="lane_rate")
    fibre: Literal["multimode", "single-mode"]
    connector: Name
    reach_class: Name
    reach_m: LengthFigure
    protocols: list[Name]
    linear: Flag = False
