"""The work of every stage: which cable keeps one end plugged and gets the other elsewhere, which comes new, which is taken away."""

import numpy as np

from dcgen.design.columns import Ints
from dcgen.plan.cables import Cables, Inventory, Sockets
from dcgen.plan.model import Tasks
from dcgen.plan.order import Order


def tasks(inventory: Inventory, sockets: Sockets, order: Order, stage: int) -> Tasks:
    """Every cable that is touched in a stage, once.

    A cable that is unplugged is used for one that is plugged in the same stage if one of its ends may stay in its socket: first the
    lower end, then the upper one. It is exchanged where the new one is longer, or made of something else.
    """
    out, new = np.flatnonzero(order.out == stage), np.flatnonzero(order.when == stage)
    partner = np.full(len(out), -1, np.int64)
    stays = np.full(len(out), -1, np.int64)
    taken = np.zeros(len(new), bool)
    for side in (0, 1):
        mine, theirs = np.flatnonzero(partner < 0), np.flatnonzero(~taken)
        i, j = _met(inventory, sockets, order, out[mine], new[theirs], side)
        partner[mine[i]], stays[mine[i]] = theirs[j], side
        taken[theirs[j]] = True
    rest = np.flatnonzero(~taken)
    none = np.full(len(rest), -1, np.int64)
    plugged = np.concatenate([np.where(partner >= 0, new[partner], -1) if len(new) else partner, new[rest]])
    unplugged = np.concatenate([out, none])
    both = (unplugged >= 0) & (plugged >= 0)
    exchange = np.zeros(len(unplugged), np.int64)
    exchange[both] = _other(inventory, order, unplugged[both], plugged[both])
    stays = np.concatenate([stays, none])
    action = np.select([both & (exchange == 0), both, plugged < 0], [0, 1, 2], 3)
    keys = [
        np.where(unplugged >= 0, _of(order.removed, f, unplugged), _of(order.added, f, plugged)) for f in ("b_at", "b", "a_at", "a", "kind")
    ]
    by = np.lexsort((*keys, action))
    return Tasks(unplugged[by], plugged[by], stays[by], exchange[by])


def _of(cables: Cables, field: str, rows: Ints) -> Ints:
    """A column of some cables; 0 where there is none."""
    column: Ints = getattr(cables, field)
    return np.where(rows >= 0, column[np.maximum(rows, 0)], 0) if len(column) else np.zeros(len(rows), np.int64)


def _met(inventory: Inventory, sockets: Sockets, order: Order, out: Ints, new: Ints, side: int) -> tuple[Ints, Ints]:
    """Pairs (of positions in `out` and `new`) of an old and a new cable that begin at the same socket at one end, each once."""
    held, owner = sockets.held(order.removed[out], side)
    wanted, asker = sockets.held(order.added[new], side)
    _, i, j = np.intersect1d(held, wanted, return_indices=True)
    one, other = owner[i], asker[j]
    split = np.array([k.splits[side] for k in inventory.kinds], np.int64)
    old, now = order.removed[out[one]], order.added[new[other]]
    same = (split[old.kind] == split[now.kind]) & (old.ends(side)[1] == now.ends(side)[1])  # else the socket is run in another way
    one, other = one[same], other[same]
    _, first = np.unique(one, return_index=True)
    one, other = one[first], other[first]
    _, first = np.unique(other, return_index=True)
    return one[first], other[first]


def _other(inventory: Inventory, order: Order, out: Ints, new: Ints) -> Ints:
    """Whether the cable that is plugged must be another one than the one that was unplugged."""
    kinds = range(len(inventory.kinds))
    old, now = order.removed.kind[out], order.added.kind[new]
    ways = [(k.medium, k.part, k.optics, k.rate_gbps) for k in inventory.kinds]
    made = np.array([ways.index(w) for w in ways], np.int64)
    had, has = (np.array([inventory.lengths.get((k, later), 0.0) for k in kinds]) for later in (False, True))
    found: Ints = ((made[old] != made[now]) | (has[now] > had[old])).astype(np.int64)
    return found
