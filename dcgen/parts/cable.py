"""What is pulled between two sockets."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from dcgen.parts.base import Known, LengthFigure, Part
from dcgen.parts.fields import LengthM, Name, Positive, RateGbps, Strict, Text, fault


class Length(Strict):
    """A length that is sold, and its part number."""

    length_m: LengthM = Field(alias="length")
    part_number: Text | None = None


class Cable(Part):
    """Copper, active optical cable or fibre jumper.

    Copper and AOC have plugs (`fits`: the cages of the two ends), `ports` in each plug, and a rate per port; fibre has connectors
    and joins two optics. `diameter` is that over the jacket.
    """

    kind: Literal["cable"]
    medium: Literal["dac", "acc", "aoc", "fibre", "twisted-pair"]
    fits: list[Name] = []
    legs: Positive = 1
    ports: Positive = 1
    port_rate_gbps: RateGbps | None = Field(None, alias="port_rate")
    lane_rate_gbps: RateGbps | None = Field(None, alias="lane_rate")
    protocols: list[Name] = []
    fibre: Literal["multimode", "single-mode"] | None = None
    connector: Name | None = None
    reach_m: LengthFigure
    lengths: list[Length] = []
    diameter_m: Annotated[LengthFigure | None, Known] = Field(None, alias="diameter")

    @model_validator(mode="after")
    def _has_ends(self) -> Self:
        if self.medium == "fibre" and not (self.fibre and self.connector):
            raise fault("missing-key", "a fibre cable needs `fibre` and `connector`", "")
        if self.medium != "fibre" and not self.fits:
            raise fault("missing-key", "a cable with plugs needs `fits`: the cages of its ends", "")
        if any(x.length_m > self.reach_m.value for x in self.lengths):
            raise fault("part-contradiction", "a length that is sold is above the reach", "")
        return self
