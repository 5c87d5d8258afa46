"""Parts that carry power."""

from typing import Literal

from dcgen.parts.base import Part, PowerFigure
from dcgen.parts.fields import Positive


class Shelf(Part):
    """A power shelf: supplies that feed the busbar of a rack."""

    kind: Literal["shelf"]
    capacity: PowerFigure
    supplies: Positive | None = None
    supply_capacity: PowerFigure | None = None
