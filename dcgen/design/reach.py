"""Who reaches whom, and how far, on the links themselves: what answers where there are no witnesses."""

from collections import Counter
from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dcgen.design.columns import Ints
from dcgen.design.refine import Arcs

Words: TypeAlias = NDArray[np.uint64]

MOST_STEPS = 100_000_000
"""Links walked over, all starts together, before an answer is not worth the wait."""


class TooManyStarts(ValueError):
    """So many kinds of devices that walking from one of each would take minutes."""


def parts_apart(links: Arcs, groups: Iterable[str]) -> int:
    """Connected parts that hold a linked device of these groups. Least numbers spread along links, in ever longer steps."""
    part = np.arange(len(links.exists))
    while len(links.starts):
        before = part.copy()
        at = links.target[links.starts]
        part[at] = np.minimum(part[at], np.minimum.reduceat(part[links.source], links.starts))
        part = part[part]
        if (part == before).all():
            break
    return len(np.unique(part[_linked(links, groups)]))


def hop_classes(links: Arcs, groups: Iterable[str]) -> dict[int, int]:
    """Switches passed -> how many other devices of the groups are that far, from the device that is farthest off; -1 is out of reach.

    `groups` are ports, each with one link. One start per number of ports of the own switch and set of switches that it is joined
    to: switches that have both in common may change places, so their ports see the same distances.

    Raises:
        TooManyStarts: give no answer.
    """
    wanted, _, kind = kinds(links, groups)
    _, starts = np.unique(kind, return_index=True)
    if len(starts) * len(links.source) > MOST_STEPS:
        raise TooManyStarts(f"{len(starts):,} kinds of devices on {len(links.source):,} links")
    worst: dict[int, int] = {}
    for start in wanted[starts].tolist():
        far = _distances(links, start)[wanted[wanted != start]]
        found = Counter(np.where(far < 0, -1, far - 1).tolist())
        if max(found, default=0) > max(worst, default=-2) or (not worst and found):
            worst = dict(sorted(found.items()))
    return worst


def kinds(links: Arcs, groups: Iterable[str], mark: Words | None = None) -> tuple[Ints, Ints, Words]:
    """(ports of these groups that have a link, the switch of each, a number for its kind); a kind sees the same distances.

    Each port has one link. Its kind is what its switch is joined to, and over what where `mark` says so for every arc.
    """
    wanted = _linked(links, groups)
    if not len(wanted):
        return wanted, wanted, wanted.astype(np.uint64)
    random = np.random.default_rng(7).integers(1, 2**63, size=len(links.exists), dtype=np.uint64)
    random[wanted] = 1
    seen = random[links.source] if mark is None else random[links.source] * mark
    around = np.zeros(len(links.exists), np.uint64)
    around[links.target[links.starts]] = np.add.reduceat(seen, links.starts)
    own = links.source[links.starts[np.searchsorted(links.target[links.starts], wanted)]]
    return wanted, own, around[own]


def _linked(links: Arcs, groups: Iterable[str]) -> Ints:
    """Numbers of the devices of these groups that have a link."""
    bounds = [*links.offsets.values(), len(links.exists)]
    end = dict(zip(links.offsets, bounds[1:], strict=True))
    touched = np.unique(links.target)
    return np.concatenate([np.zeros(0, np.int64), *(touched[(touched >= links.offsets[g]) & (touched < end[g])] for g in groups)])


def _distances(links: Arcs, start: int) -> Ints:
    """Links from one device to every other; -1 where no way leads."""
    stop = np.append(links.starts[1:], len(links.target))
    first = np.zeros(len(links.exists), np.int64)
    number = np.zeros(len(links.exists), np.int64)
    at = links.target[links.starts] if len(links.starts) else links.starts
    first[at], number[at] = links.starts, stop[: len(links.starts)] - links.starts
    far = np.full(len(links.exists), -1, np.int64)
    far[start] = step = 0
    front = np.array([start])
    while len(front):
        step += 1
        n = number[front]
        inside = np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n)
        near = np.unique(links.source[np.repeat(first[front], n) + inside])
        front = near[far[near] < 0]
        far[front] = step
    return far
