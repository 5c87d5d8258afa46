"""Shares links out over stages so that no device has more of them in one stage than it must.

An equitable edge colouring of a bipartite multigraph: at every device each colour comes floor(d / k) or ceil(d / k) times. It exists
for every number k of colours (Konig 1916; de Werra 1971), and is found by changing colours along alternating ways.
"""

import numpy as np

from dcgen.design.columns import Ints


def coloured(u: Ints, v: Ints, colours: int) -> Ints:
    """A colour for every link between `u` and `v`, each from 0 to `colours` - 1.

    >>> coloured(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), 2).tolist()
    [0, 1, 1, 0]
    """
    out = np.zeros(len(u), np.int64)
    if colours < 2 or not len(u):
        return out
    u, v = (np.unique(x, return_inverse=True)[1].astype(np.int64) for x in (u, v))
    order = np.lexsort((v, u))
    key = u[order] * (int(v.max()) + 1) + v[order]
    rank, many = _ranks(key)
    even = rank < many // colours * colours
    out[order[even]] = rank[even] % colours
    rest = order[~even]
    out[rest] = _proper(_pieces(u[rest], v[rest], colours), _pieces(v[rest], u[rest], colours), colours)
    return out


def _ranks(key: Ints) -> tuple[Ints, Ints]:
    """(the how-manieth of its equals, how many there are), for keys in order."""
    _, first, number = np.unique(key, return_index=True, return_counts=True)
    return np.arange(len(key)) - np.repeat(first, number), np.repeat(number, number)


def _pieces(u: Ints, v: Ints, colours: int) -> Ints:
    """Every device cut into pieces of `colours` links each, neighbours together, and one of what is left."""
    order = np.lexsort((v, u))
    rank, _ = _ranks(u[order])
    out = np.zeros(len(u), np.int64)
    out[order] = u[order] * (len(u) // colours + 1) + rank // colours
    found: Ints = np.unique(out, return_inverse=True)[1]
    return found


def _proper(u: Ints, v: Ints, colours: int) -> Ints:
    """A colouring in which no piece has a colour twice; no piece has more links than there are colours."""
    every = (1 << colours) - 1
    left = ([every] * (int(u.max(initial=-1)) + 1), [every] * (int(v.max(initial=-1)) + 1))
    at: tuple[dict[int, int], dict[int, int]] = ({}, {})
    ends = (u.tolist(), v.tolist())
    out = [0] * len(ends[0])
    for edge, (x, y) in enumerate(zip(*ends, strict=True)):
        both = left[0][x] & left[1][y]
        if both:
            start = (x + y) % colours
            high = both >> start
            colour = (high & -high).bit_length() - 1 + start if high else (both & -both).bit_length() - 1
        else:
            colour, other = ((free & -free).bit_length() - 1 for free in (left[0][x], left[1][y]))
            _turned(y, colour, other, colours, ends, at, left, out)
        out[edge] = colour
        for side, device in ((0, x), (1, y)):
            at[side][device * colours + colour] = edge
            left[side][device] &= ~(1 << colour)
    return np.array(out, np.int64)


def _turned(
    device: int,
    colour: int,
    other: int,
    colours: int,
    ends: tuple[list[int], list[int]],
    at: tuple[dict[int, int], dict[int, int]],
    left: tuple[list[int], list[int]],
    out: list[int],
) -> None:
    """Exchange two colours along the way that begins at a device of the second side, so that `colour` is free there."""
    way, side, here, wanted = [], 1, device, colour
    while (edge := at[side].get(here * colours + wanted)) is not None:
        way.append(edge)
        side = 1 - side
        here = ends[side][edge]
        wanted = other if wanted == colour else colour
    for edge in way:
        for s in (0, 1):
            del at[s][ends[s][edge] * colours + out[edge]]
    for edge in way:
        out[edge] = other if out[edge] == colour else colour
        for s in (0, 1):
            at[s][ends[s][edge] * colours + out[edge]] = edge
    left[1][device] ^= (1 << colour) | (1 << other)
    left[side][here] ^= (1 << colour) | (1 << other) if way else 0
