"""A fabric that was built in stages with the fewest links moved: still joins, one per stage of the lower and of the upper switches.

When upper switches are added, every pair keeps as many links as it may still have: the links that go are those with the highest
numbers, the new pairs take the lowest free ports. Per pair of devices the smaller of the old and the new number stays, and no
plan can keep more.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from dcgen.design.model import Block, DeviceGroup, End, Join

Stage = tuple[int, int]
"""(coordinates of the growing axis, upper switches) once a stage is built."""


def staged(join: Join, lower: DeviceGroup, upper: DeviceGroup, axis: str, history: Sequence[Stage], uplinks: int, radix: int) -> list[Join]:
    """The bundle between `lower` and `upper`, grown along `axis` of `lower` and along the last axis of `upper`.

    `join` is the bundle as built in one go: every lower switch to every upper one, `uplinks` of each over `radix` ports.

    Raises:
        ValueError: a stage whose uplinks do not divide, that is smaller than the one before, or that a switch has no ports for.
    """
    if not history or axis not in lower.sizes or axis in join.on:
        raise ValueError(f"{join.name} grows along an axis of {lower.name} that it does not agree on, in at least one stage")
    agreed = prod(n for a, n in lower.sizes.items() if a in join.on)
    per = lower.count // lower.sizes[axis] // agreed
    free_lower: list[list[int]] = []
    free_upper: list[list[int]] = []
    epochs: tuple[list[range], list[range]] = ([], [])
    held: dict[tuple[int, int], tuple[int, list[int], list[int]]] = {}
    grown = [0, 0]
    for size, switches in history:
        if switches < 1 or uplinks % switches or size < grown[0] or switches < grown[1]:
            raise ValueError(f"a stage of {size} {axis} and {switches} switches cannot follow {grown[0]} and {grown[1]}")
        for side, (now, free, ports) in enumerate(((size, free_lower, uplinks), (switches, free_upper, radix))):
            if now > grown[side]:
                epochs[side].append(range(grown[side], now))
                free.append(list(range(ports)))
                grown[side] = now
        ways = uplinks // switches
        for (i, j), (_, a, b) in held.items():
            keep_a, keep_b = ways * len(epochs[1][j]), ways * len(epochs[0][i]) * per
            free_lower[i] = sorted(free_lower[i] + a[keep_a:])
            free_upper[j] = sorted(free_upper[j] + b[keep_b:])
            held[i, j] = (ways, a[:keep_a], b[:keep_b])
        for i, low in enumerate(epochs[0]):
            for j, up in enumerate(epochs[1]):
                if (i, j) not in held:
                    need_a, need_b = ways * len(up), ways * len(low) * per
                    if need_a > len(free_lower[i]) or need_b > len(free_upper[j]):
                        raise ValueError(
                            f"a stage of {size} {axis} and {switches} switches needs more ports than {uplinks} up and {radix} down"
                        )
                    held[i, j] = (ways, free_lower[i][:need_a], free_upper[j][:need_b])
                    free_lower[i], free_upper[j] = free_lower[i][need_a:], free_upper[j][need_b:]
    member = upper.axes[-1].name
    return [
        replace(
            join,
            name=f"{join.name}.{i}{j}",
            a=_end(join.a, axis, epochs[0][i], a, ("way", member)),
            b=_end(join.b, member, epochs[1][j], b, ("way", *(x.name for x in lower.axes if x.name not in join.on))),
            ways={"way": ways},
        )
        for (i, j), (ways, a, b) in sorted(held.items())
    ]


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
