"""Parts that are carried inside others and are described by their figures alone."""

from typing import Literal

from pydantic import Field

from dcgen.parts.base import NumberFigure, Part
from dcgen.parts.fields import RateGbps


class Accelerator(Part):
    """A GPU or any other accelerator package."""

    kind: Literal["accelerator"]
    memory_gb: NumberFigure | None = None


class Nic(Part):
    """A network card, SuperNIC or DPU."""

    kind: Literal["nic", "dpu"]
    rate_gbps: RateGbps | None = Field(None, alias="rate")
