"""Parts that carry power."""

from typing import Literal

from pydantic import Field

from dcgen.parts.base import Part, PowerFigure
from dcgen.parts.fields import Positive


class Shelf(Part):
    """A power shelf: supplies that feed the busbar of a rack."""

    kind: Literal["shelf"]
    capacity_w: PowerFigure = Field(alias="capacity")
    supplies: Positive | None = None
    supply_capacity_w: PowerFigure | None = Field(None, alias="supply_capacity")
