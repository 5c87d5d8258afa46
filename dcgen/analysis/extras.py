"""Licences, support and accessories: how much goes with what the design is made of."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from dcgen.analysis.inventory import Item
from dcgen.design.model import Design
from dcgen.design.placement import racks
from dcgen.design.procurement import Added
from dcgen.parts import Extra, Node, Switch


def extras(design: Design, items: Sequence[Item]) -> Iterator[tuple[Added, Fraction]]:
    """Every extra with how much of it these items need, exactly; nothing where there is nothing that it goes with."""
    for added in design.extras:
        part = design.parts[added.part]
        assert isinstance(part, Extra)
        if number := _COUNT[part.per](design, [i for i in items if belongs(design, i, added.among)]):
            yield added, Fraction(part.amount) * number * added.years


def belongs(design: Design, item: Item, among: Sequence[str]) -> bool:
    """Whether an item is of one of these groups, entries or fabrics; of none named, everything is."""
    return not among or not {*owners(design, item)}.isdisjoint(among)


def owners(design: Design, item: Item) -> tuple[str, str]:
    """Entry or fabric of an item, and its group: of a transceiver the one that it is plugged into, of a cable its bundle."""
    bundle, _, plugged = item.where.partition("@")
    group = plugged or bundle
    return bundle.split("/")[0] if item.role in ("optics", "cable") else group.split("/")[0], group


def _racks(design: Design, items: Sequence[Item]) -> int:
    groups = [design.groups[i.where] for i in items if i.where in design.groups]
    return sum(r.count for r in (racks(design, g) for g in groups) if r.own)


def _sum(wanted: Callable[[Design, Item], int]) -> Callable[[Design, Sequence[Item]], int]:
    return lambda design, items: sum(i.quantity * wanted(design, i) for i in items)


def _accelerators(design: Design, item: Item) -> int:
    part = design.parts[item.part]
    return part.accelerators if isinstance(part, Node) else 0


_COUNT: dict[str, Callable[[Design, Sequence[Item]], int]] = {
    "site": lambda _, items: int(bool(items)),
    "rack": _racks,
    "node": _sum(lambda d, i: int(isinstance(d.parts[i.part], Node))),
    "accelerator": _sum(_accelerators),
    "switch": _sum(lambda d, i: int(isinstance(d.parts[i.part], Switch))),
    "optic": _sum(lambda _, i: int(i.role == "optics")),
    "cable": _sum(lambda _, i: int(i.role == "cable")),
}
"""What one of an extra goes with -> how many there are of it."""
