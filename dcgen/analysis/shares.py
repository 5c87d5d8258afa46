"""Counts of a design in shares that add up: what comes with each phase, or with each coordinate of an axis."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

from dcgen.design.model import Design
from dcgen.naming import Selector

Key = TypeVar("Key")
Stages = Mapping[str, Sequence[Selector]]
"""Name of a stage -> the devices that come with it; what is in none is there from the start, under an empty name."""


def phases(design: Design) -> Stages:
    """The phases, in the order they are built."""
    return {"": (), **design.phases}


def coordinates(design: Design, axis: str) -> Stages:
    """The coordinates of an axis; a cable between two of them, and its transceivers, come with the higher one."""
    having = [g for g in design.groups.values() if axis in g.sizes]
    most = max((g.sizes[axis] for g in having), default=0)
    return {"": (), **{f"{axis}={x}": tuple(Selector(g.name, ((axis, x, x),)) for g in having if x < g.sizes[axis]) for x in range(most)}}


def shares(design: Design, stages: Stages, count: Callable[[Design], Mapping[Key, Fraction]]) -> Iterator[tuple[str, dict[Key, Fraction]]]:
    """What each stage adds to the count of those before it: a count of the design as if all that comes later were absent."""
    names = list(stages)
    before: Mapping[Key, Fraction] = {}
    for done, name in enumerate(names, 1):
        now = count(_without(design, [s for n in names[done:] for s in stages[n]]))
        yield name, {key: more for key, n in now.items() if (more := n - before.get(key, 0))}
        before = now


def _without(design: Design, selectors: Sequence[Selector]) -> Design:
    """The design as if these devices were absent."""
    more: dict[str, tuple[Selector, ...]] = {}
    for s in selectors:
        more[s.group] = (*more.get(s.group, ()), s)
    groups = {name: replace(g, absent=(*g.absent, *more.get(name, ()))) for name, g in design.groups.items()}
    return replace(design, groups=groups)
