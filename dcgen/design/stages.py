"""A fabric that was built in stages with the fewest links moved: still joins, one per stage of the lower and of the upper switches.

When upper switches are added, every pair keeps as many links as it may still have: the links that go are those with the highest
numbers, the new pairs take the lowest free ports. Per pair of devices the smaller of the old and the new number stays, and no
plan can keep more.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import prod

from dcgen.design.model import Block, DeviceGroup, End, Join

Stage = tuple[int, int]
"""(coordinates of the growing axis, upper switches) once a stage is built."""


@dataclass
class Growth:
    """How far a bundle has grown: the stages of either side, and what each pair of them holds.

    `epochs` are the ranges of coordinates that came together, of the growing axis below and of the upper switches; `held` says for a
    pair of epochs (links of each pair of devices, port numbers of a lower device, of an upper one), most significant way first.
    """

    axis: str
    epochs: tuple[list[range], list[range]] = field(default_factory=lambda: ([], []))
    held: dict[tuple[int, int], tuple[int, list[int], list[int]]] = field(default_factory=dict)

    @property
    def reached(self) -> Stage:
        """Where it has arrived."""
        low, up = (epochs[-1].stop if epochs else 0 for epochs in self.epochs)
        return low, up

    def grow(self, stage: Stage, per: int, uplinks: int, radix: int) -> None:
        """Add a stage: `per` lower switches that meet are at one coordinate of the axis.

        Raises:
            ValueError: the uplinks do not divide, it is smaller than the one before, or a switch has no ports for it.
        """
        size, switches = stage
        if switches < 1 or uplinks % switches or size < self.reached[0] or switches < self.reached[1]:
            raise ValueError(f"a stage of {size} {self.axis} and {switches} switches cannot follow {self.reached[0]} and {self.reached[1]}")
        for now, epochs in zip(stage, self.epochs, strict=True):
            done = epochs[-1].stop if epochs else 0
            epochs += [range(done, now)] if now > done else []
        ways = uplinks // switches
        for (i, j), (old, a, b) in self.held.items():
            if ways > old:
                raise ValueError(f"{ways} links of each pair cannot follow {old}")
            self.held[i, j] = (ways, a[: ways * len(self.epochs[1][j])], b[: ways * len(self.epochs[0][i]) * per])
        free = self._free(uplinks, radix)
        for i, low in enumerate(self.epochs[0]):
            for j, up in enumerate(self.epochs[1]):
                if (i, j) in self.held:
                    continue
                need_a, need_b = ways * len(up), ways * len(low) * per
                if need_a > len(free[0][i]) or need_b > len(free[1][j]):
                    raise ValueError(
                        f"a stage of {size} {self.axis} and {switches} switches needs more ports than {uplinks} up and {radix} down"
                    )
                self.held[i, j] = (ways, free[0][i][:need_a], free[1][j][:need_b])
                del free[0][i][:need_a], free[1][j][:need_b]

    def _free(self, uplinks: int, radix: int) -> tuple[list[list[int]], list[list[int]]]:
        """The ports that are left on the devices of every epoch."""
        used: tuple[list[set[int]], list[set[int]]] = ([set() for _ in self.epochs[0]], [set() for _ in self.epochs[1]])
        for (i, j), (_, a, b) in self.held.items():
            used[0][i].update(a)
            used[1][j].update(b)
        low, up = ([[n for n in range(ports) if n not in u] for u in side] for ports, side in zip((uplinks, radix), used, strict=True))
        return low, up

    def joins(self, join: Join, lower: DeviceGroup, upper: DeviceGroup) -> list[Join]:
        """The bundle `join`, as built in one go, in the form in which it has grown."""
        member = upper.axes[-1].name
        if len(self.held) == 1 and all(p == list(range(len(p))) for _, *ports in self.held.values() for p in ports):
            return [join]
        return [
            replace(
                join,
                name=f"{join.name}.{i}{j}" if max(i, j) < 10 else f"{join.name}.{i}.{j}",
                a=_end(join.a, self.axis, self.epochs[0][i], a, ("way", member)),
                b=_end(join.b, member, self.epochs[1][j], b, ("way", *_free_axes(join, lower))),
                ways={"way": ways},
            )
            for (i, j), (ways, a, b) in sorted(self.held.items())
        ]


def per_coordinate(join: Join, lower: DeviceGroup, axis: str) -> int:
    """Lower switches that meet the same upper ones, at one coordinate of an axis on which the two need not agree."""
    return prod(n for a, n in lower.sizes.items() if a not in join.on and a != axis)


def _free_axes(join: Join, lower: DeviceGroup) -> list[str]:
    return [a.name for a in lower.axes if a.name not in join.on]


def staged(join: Join, lower: DeviceGroup, upper: DeviceGroup, axis: str, history: Sequence[Stage], uplinks: int, radix: int) -> list[Join]:
    """The bundle between `lower` and `upper`, grown along `axis` of `lower` and along the last axis of `upper`.

    `join` is the bundle as built in one go: every lower switch to every upper one, `uplinks` of each over `radix` ports.

    Raises:
        ValueError: a stage whose uplinks do not divide, that is smaller than the one before, or that a switch has no ports for.
    """
    if not history or axis not in lower.sizes or axis in join.on:
        raise ValueError(f"{join.name} grows along an axis of {lower.name} that it does not agree on, in at least one stage")
    grown = Growth(axis)
    for stage in history:
        grown.grow(stage, per_coordinate(join, lower, axis), uplinks, radix)
    return grown.joins(join, lower, upper)


def growth_of(joins: Iterable[Join], plain: Join, lower: DeviceGroup, upper: DeviceGroup, axis: str) -> Growth | None:
    """How a bundle between two groups has grown so far, read from its joins; None where they are of another form.

    One join in the plain striped form is a single stage; joins such as `staged` makes are as many as they say. Ports are counted
    from where those of `plain`, the bundle as it is to be, begin.
    """
    asked = list(joins)
    member = upper.axes[-1].name if upper.axes else ""
    if not asked or axis not in lower.sizes or any(a.room > a.size for g in (lower, upper) for a in g.axes):
        return None
    if not all(_striped(j, lower, upper, axis, member) for j in asked):
        return None
    spans: tuple[set[tuple[int, int]], set[tuple[int, int]]] = (set(), set())
    for join in asked:
        for end, name, seen in ((join.a, axis, spans[0]), (join.b, member, spans[1])):
            whole = range((lower if end is join.a else upper).sizes[name])
            here = end.where.get(name, whole)
            seen.add((here.start, here.stop))
    epochs = tuple([range(*s) for s in sorted(seen)] for seen in spans)
    for group, name, mine in ((lower, axis, epochs[0]), (upper, member, epochs[1])):
        if [r.start for r in mine] != [0, *(r.stop for r in mine[:-1])] or mine[-1].stop != group.sizes[name]:
            return None
    grown = Growth(axis, (epochs[0], epochs[1]))
    per = per_coordinate(asked[0], lower, axis)
    for join in asked:
        i, j = (mine.index(e.where.get(n, range(mine[-1].stop))) for mine, e, n in zip(epochs, join.ends, (axis, member), strict=True))
        ways = join.ways.get("way", 1)
        a = _ports(join.a, plain.a, ways * len(epochs[1][j]))
        b = _ports(join.b, plain.b, ways * len(epochs[0][i]) * per)
        if (i, j) in grown.held or a is None or b is None:
            return None
        grown.held[i, j] = (ways, a, b)
    return grown if len(grown.held) == len(epochs[0]) * len(epochs[1]) else None


def _striped(join: Join, lower: DeviceGroup, upper: DeviceGroup, axis: str, member: str) -> bool:
    """Whether a join is of the form that grows: all to all on whole axes, ways first, the switches of an epoch from its first one."""
    plain = all(names == (a,) for e in join.ends for a, names in e.view.items()) and not join.gone and set(join.ways) == {"way"}
    free = [a.name for a in upper.axes if a.name not in join.on]
    shapes = plain and join.pairs is None and not join.a.spread and not join.b.spread and axis not in join.on and free == [member]
    orders = join.a.order == ("way", member) and join.b.order == ("way", *_free_axes(join, lower))
    for end, name in ((join.a, axis), (join.b, member)):
        here = end.where.get(name)
        orders &= set(end.where) <= {name} and end.shift == ({name: -here.start} if here and here.start else {})
    return shapes and orders


def _ports(end: End, plain: End, need: int) -> list[int] | None:
    """Port numbers of one end, counted from where the whole bundle begins; None where they are run otherwise, or begin before it."""
    block, base = end.block, plain.block.first * plain.block.split
    if (block.name, block.split, block.lanes) != (plain.block.name, plain.block.split, plain.block.lanes) or plain.block.ports is not None:
        return None
    numbers = range(need) if block.ports is None else block.ports[:need]
    found = [block.first * block.split + n - base for n in numbers]
    return found if len(found) == need and min(found, default=0) >= 0 else None


def _end(end: End, axis: str, epoch: range, ports: list[int], order: tuple[str, ...]) -> End:
    """One end of one stage's bundle: only that stage's devices, counted from its first one, on these ports of the block."""
    block = end.block
    positions = tuple(block.first * block.split + n for n in ports)
    return replace(
        end,
        where={axis: epoch},
        shift={axis: -epoch.start} if epoch.start else {},
        order=order,
        block=Block(block.name, 0, block.split, block.lanes, positions),
    )
