"""Says what a part is: its ports, figures, sources; never where it was read from or what it is used for."""

from dcgen.parts.base import Figure, MoneyFigure, Part, Ports, Power, Source
from dcgen.parts.cable import Cable
from dcgen.parts.node import Node
from dcgen.parts.optic import Optic
from dcgen.parts.power import Shelf
from dcgen.parts.rack import Rack
from dcgen.parts.scale_up import SwitchTray
from dcgen.parts.simple import Accelerator, Nic
from dcgen.parts.switch import Switch

KINDS: tuple[type[Part], ...] = (
    Accelerator,
    Cable,
    Nic,
    Node,
    Optic,
    Rack,
    Shelf,
    Switch,
    SwitchTray,
)

__all__ = [
    "KINDS", "Accelerator", "Cable", "Figure", "MoneyFigure", "Nic", "Node", "Optic", "Part", "Ports", "Power", "Rack",
    "Shelf", "Source", "Switch", "SwitchTray",
]  # fmt: skip
