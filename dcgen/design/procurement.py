"""What is ordered beyond the parts of the design itself, and what is printed on them."""

from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True)
class Added:
    """A licence, support contract or accessory for what `among` names (groups, entries, fabrics; everything where empty).

    One that is yearly is needed for so many `years`.
    """

    part: str
    among: tuple[str, ...] = ()
    years: int = 1


@dataclass(frozen=True, slots=True)
class Spares:
    """What is kept in store, by class: a kind of part or, before that, one part.

    `share` are exact fractions as text (`1/10`); `fixed` pieces are added to it, and there are at least `least` of whatever is
    needed at all. With `poisson` the failure rate and the lead time decide in place of the share. Every coordinate of the axis
    `per` has a pool of its own.
    """

    policy: Literal["percent", "poisson"] = "percent"
    share: dict[str, str] = field(default_factory=dict)
    fixed: dict[str, int] = field(default_factory=dict)
    least: dict[str, int] = field(default_factory=dict)
    per: str = ""


@dataclass(frozen=True, slots=True)
class Labels:
    """What is printed on devices and on the two ends of a cable, and the colour of each fabric's cables.

    Patterns have fields in braces. Those of devices are by group, entry or fabric, under an empty name for all others; what has
    none is printed as the name that the tables use.
    """

    device: dict[str, str] = field(default_factory=dict)
    cable: str = "{near} / {far}"
    colours: dict[str, str] = field(default_factory=dict)
