"""Which pairs of coordinates a Mesh, a Line or a Table joins: counted, ranked and listed. Knows numbers only, no devices."""

from collections.abc import Iterator, Mapping
from math import comb
from typing import TypeAlias

from dcgen.design.model import Line, Mesh, Table

Pairs: TypeAlias = Mesh | Line | Table
Row: TypeAlias = tuple[tuple[int, ...], tuple[int, ...], int, int]
"""Values at end a, values at end b, rank of this pair among those of a's device, and of b's."""


def digits(pairs: Pairs | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The digits of end a and of end b that are paired."""
    if pairs is None:
        return (), ()
    return (pairs.a, pairs.b) if isinstance(pairs, Table) else ((pairs.a,), (pairs.b,))


def number(pairs: Pairs, size: Mapping[str, int]) -> int:
    """How many pairs."""
    if isinstance(pairs, Table):
        return sum(times for *_, times in pairs.rows)
    n = size[pairs.a]
    return comb(n, 2) if isinstance(pairs, Mesh) else n if pairs.wrap and n > 2 else max(0, n - 1)


def most(pairs: Pairs, size: Mapping[str, int]) -> tuple[int, int]:
    """Size of the digit `peer` at either end: the most pairs that one coordinate has there."""
    if isinstance(pairs, Mesh):
        return (size[pairs.a] - 1,) * 2
    if isinstance(pairs, Line):
        return (2, 2)
    a, b = {0}, {0}
    for _, _, rank_a, rank_b in rows(pairs, size):
        a.add(rank_a)
        b.add(rank_b)
    return max(a) + 1, max(b) + 1


def rows(pairs: Pairs, size: Mapping[str, int]) -> Iterator[Row]:
    """Every pair, in order."""
    if isinstance(pairs, Mesh):
        n = size[pairs.a]
        yield from (((x,), (y,), y - 1, x) for x in range(n) for y in range(x + 1, n))
    elif isinstance(pairs, Line):
        n = size[pairs.a]
        yield from (((x,), ((x + 1) % n,), 0, 1) for x in range(number(pairs, size)))
    elif pairs.ports:
        yield from ((a, b, *written) for (a, b, _), written in zip(pairs.rows, pairs.ports, strict=True))
    else:
        seen: dict[tuple[int, tuple[int, ...]], int] = {}
        for a, b, times in pairs.rows:
            for _ in range(times):
                rank_a, rank_b = seen.get((0, a), 0), seen.get((1, b), 0)
                seen[0, a], seen[1, b] = rank_a + 1, rank_b + 1
                yield a, b, rank_a, rank_b


def between(pairs: Pairs, p: Mapping[str, range], q: Mapping[str, range], size: Mapping[str, int]) -> int:
    """Pairs with end a in the box p and end b in the box q; of a Mesh or Line the boxes are one or apart.

    Between two intervals of a Line only their neighbouring ends are joined. That is no symmetry, but exact for the flow of one
    commodity: an interval's inner links even out what enters at its ends.
    """
    if isinstance(pairs, Table):
        named = ((dict(zip(pairs.a, a, strict=True)), dict(zip(pairs.b, b, strict=True)), times) for a, b, times in pairs.rows)
        return sum(n for a, b, n in named if all(x in p[d] for d, x in a.items()) and all(x in q[d] for d, x in b.items()))
    one, other, n = p[pairs.a], q[pairs.b], size[pairs.a]
    if isinstance(pairs, Mesh):
        return comb(len(one), 2) if one == other else len(one) * len(other) if one.stop <= other.start else 0
    if one == other:
        return len(one) - 1 + (pairs.wrap and n > 2 and len(one) == n)
    return int(one.stop == other.start or (pairs.wrap and n > 2 and one.stop == n and other.start == 0))
