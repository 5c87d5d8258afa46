"""The switch tray of a scale-up domain."""

from typing import Literal

from pydantic import Field

from dcgen.parts.base import Part
from dcgen.parts.fields import Positive, RateGbps


class SwitchTray(Part):
    """Switch chips that join the accelerators of one rack."""

    kind: Literal["switch-tray"]
    chips: Positive
    ports_per_chip: Positive
    port_rate_gbps: RateGbps = Field(alias="port_rate")
