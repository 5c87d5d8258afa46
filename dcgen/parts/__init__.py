"""Says what a part is: its ports, figures, sources; never where it was read from or what it is used for."""

from dcgen.parts.base import Figure, MoneyFigure, Part, Ports, Power, Source
from dcgen.parts.cable import Cable
from dcgen.parts.cooling import Cdu
from dcgen.parts.extra import Extra
from dcgen.parts.laser import Laser
from dcgen.parts.node import Node
from dcgen.parts.optic import Optic
from dcgen.parts.power import Pdu, Shelf
from dcgen.parts.rack import Rack
from dcgen.parts.scale_up import SwitchTray
from dcgen.parts.simple import Accelerator, Nic
from dcgen.parts.switch import Switch

KINDS: tuple[type[Part], ...] = (
    Accelerator,
    Cable,
    Cdu,
    Extra,
    Laser,
    Nic,
    Node,
    Optic,
    Pdu,
    Rack,
    Shelf,
    Switch,
    SwitchTray,
)

__all__ = [
    "KINDS", "Accelerator", "Cable", "Cdu", "Extra", "Figure", "Laser", "MoneyFigure", "Nic", "Node", "Optic", "Part", "Pdu", "Ports",
    "Power", "Rack", "Shelf", "Source", "Switch", "SwitchTray",
]  # fmt: skip
