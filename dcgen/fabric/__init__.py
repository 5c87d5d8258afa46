"""Turns a topology family as written into device groups and bundles; never knows files, catalogs or answers."""

from dcgen.fabric.base import Endpoint, Family, Site
from dcgen.fabric.clos import Clos
from dcgen.fabric.media import Shelf
from dcgen.fabric.removal import selected
from dcgen.fabric.scale_up import scale_up

FAMILIES: tuple[type[Family], ...] = (Clos,)

__all__ = ["FAMILIES", "Endpoint", "Family", "Shelf", "Site", "scale_up", "selected"]
