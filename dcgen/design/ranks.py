"""How many accelerators a set of selectors holds, each counted once."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from dcgen.design.model import DeviceGroup
from dcgen.naming import Selector
from dcgen.parts import Node, Part


def devices(over: Iterable[Selector], groups: Mapping[str, DeviceGroup]) -> Iterator[tuple[DeviceGroup, int]]:
    """(group, devices of it that at least one of the selectors names), for every group that exists."""
    asked: dict[str, list[Selector]] = {}
    for selector in over:
        asked.setdefault(selector.group, []).append(selector)
    for name, mine in asked.items():
        if name in groups:
            group = groups[name]
            yield group, group.count - replace(group, absent=(*group.absent, *mine)).count


def accelerators(
    over: Iterable[Selector], groups: Mapping[str, DeviceGroup], parts: Mapping[str, Part]
) -> Iterator[tuple[DeviceGroup, int]]:
    """(group, accelerators in it that the selectors name), for every group of nodes."""
    for group, number in devices(over, groups):
        part = parts[group.part]
        if isinstance(part, Node):
            yield group, number * part.accelerators
