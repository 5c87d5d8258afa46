"""A rack that is bought whole, with its trays, switch trays and power shelves."""

from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from dcgen.parts.base import NumberFigure, Part
from dcgen.parts.fields import AxisName, Name, PartId, Positive, RackCount, RateGbps, Strict, apart, fault


class Content(Strict):
    """How many of which part stand in the rack."""

    part: PartId
    count: RackCount


class ScaleUp(Strict):
    """Which contents meet in the rack's scale-up domain, and how fast one link is, one direction [Gb/s]."""

    nodes: Name
    switches: Name
    link_rate_gbps: RateGbps = Field(alias="link_rate")


class Rack(Part):
    """Contents by name; the name is the device group (`compute/tray`) and its axis (`tray`).

    `accelerators` repeats what the maker prints, so that a tray that does not add up to it is refused. `domain_racks` is how many
    such racks share one scale-up domain.
    """

    kind: Literal["rack"]
    contents: Annotated[dict[AxisName, Content], BeforeValidator(apart)]
    scale_up: ScaleUp | None = None
    domain_racks: Positive = 1
    accelerators: Positive | None = None
    units: Positive | None = None
    liquid_share: NumberFigure | None = None

    @model_validator(mode="after")
    def _scale_up_exists(self) -> Self:
        for name in (self.scale_up.nodes, self.scale_up.switches) if self.scale_up else ():
            if name not in self.contents:
                raise fault(
                    "bad-reference", f"scale_up names `{name}`, which is not in `contents`", f"known here: {', '.join(self.contents)}"
                )
        return self
