"""Turns a topology family as written into device groups and bundles; never knows files, catalogs or answers."""

from dcgen.fabric.base import Endpoint, Family, Site
from dcgen.fabric.clos import Clos
from dcgen.fabric.collapsed import Collapsed
from dcgen.fabric.direct import Direct
from dcgen.fabric.ladder import Asked, furnished, measured
from dcgen.fabric.media import Plug, Shelf
from dcgen.fabric.policy import MediaPolicy
from dcgen.fabric.removal import pinned, selected
from dcgen.fabric.scale_up import scale_up
from dcgen.fabric.sockets import Place
from dcgen.fabric.tier import ASSUMED_M

FAMILIES: tuple[type[Family], ...] = (
    Clos,
    Collapsed,
    Direct,
)

__all__ = [
    "ASSUMED_M", "FAMILIES", "Asked", "Endpoint", "Family", "MediaPolicy", "Place", "Plug", "Shelf", "Site", "furnished", "measured",
    "pinned", "scale_up", "selected",
]  # fmt: skip
