"""The light source of co-packaged optics."""

from typing import Literal

from dcgen.parts.base import Part
from dcgen.parts.fields import Positive


class Laser(Part):
    """An external laser module: `lasers` in it, and the ports of a switch that it `feeds`: those go dark together."""

    kind: Literal["laser"]
    lasers: Positive | None = None
    feeds: Positive | None = None
