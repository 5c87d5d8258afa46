"""Parts that are carried inside others and are described by their figures alone."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from dcgen.parts.base import Known, NumberFigure, Part, RateFigure, TimeFigure
from dcgen.parts.collective import Measured
from dcgen.parts.fields import RateGbps, fault


class Accelerator(Part):
    """A GPU or any other accelerator package.

    `scale_up_rate` is what one sends into its scale-up domain, one direction; `collectives` are measurements inside such a domain.
    """

    kind: Literal["accelerator"]
    memory_gb: NumberFigure | None = None
    scale_up_rate_gbps: Annotated[RateFigure | None, Known] = Field(None, alias="scale_up_rate")
    collectives: list[Measured] = []

    @model_validator(mode="after")
    def _measured_somewhere(self) -> Self:
        for name in sorted({m.source for m in self.collectives} - set(self.sources)):
            raise fault("bad-reference", f"source `{name}` is not listed under `sources`", f"known here: {', '.join(sorted(self.sources))}")
        return self


class Nic(Part):
    """A network card, SuperNIC or DPU; `latency` is that of one passage, from the application to the wire or back."""

    kind: Literal["nic", "dpu"]
    rate_gbps: RateGbps | None = Field(None, alias="rate")
    latency_ns: Annotated[TimeFigure | None, Known] = Field(None, alias="latency")
