"""How many links each pair of switches is to have, where a near spread leaves the choice: the balanced counts that keep the most.

Minimal rewiring: numbers are the floor or the ceiling of an even share, rows and columns have the sums of the design after, and the
sum of min(new, old) is largest. A transportation programme, totally unimodular: its optimum is whole.
Source: Zhao et al., Minimal Rewiring, NSDI 2019, for one panel.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from dcgen.analysis.flow.lp import run
from dcgen.design.columns import Ints

MOST_PAIRS = 200_000
"""Pairs beyond which the programme is not solved."""
SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Pairs:
    """How many links (`count`) there are between devices `a` and `b`; every pair once, in order."""

    a: Ints
    b: Ints
    count: Ints


def pairs(a: Ints, b: Ints) -> Pairs:
    """The pairs that links join, and how many join each."""
    width = int(b.max(initial=0)) + 1
    key, count = np.unique(a * width + b, return_counts=True)
    return Pairs(key // width, key % width, count.astype(np.int64))


def looked_up(found: Pairs, a: Ints, b: Ints) -> Ints:
    """The count of each pair asked for, 0 for one that is not there."""
    width = max(int(found.b.max(initial=0)), int(b.max(initial=0))) + 1
    keys, asked = found.a * width + found.b, a * width + b
    at = np.searchsorted(keys, asked).clip(max=max(len(keys) - 1, 0))
    return np.where(keys[at] == asked, found.count[at], 0) if len(keys) else np.zeros(len(a), np.int64)


def balanced(old: Pairs, new: Pairs, may: Pairs) -> tuple[Pairs, bool]:
    """(counts of the same rows, columns and balance as `new` that keep most of `old`; whether that is proven the most).

    `may` are the pairs that may be joined. Where counts of `new` differ by more than one inside a part of these that hangs together, or
    the programme would be too large, `new` itself.
    """
    parts = components(may)
    asked = []
    for rows in parts:
        a, b = np.unique(may.a[rows]), np.unique(may.b[rows])
        asked.append((np.repeat(a, len(b)), np.tile(b, len(a))))
    if sum(len(a) for a, _ in asked) > MOST_PAIRS:
        return new, False
    out = []
    for a, b in asked:
        count = looked_up(new, a, b)
        floor = int(count.min())
        if count.max() > floor + 1:
            return new, False
        extra = _most(a, b, count - floor, (looked_up(old, a, b) > floor).astype(np.int64))
        if extra is None:
            return new, False
        out.append(Pairs(a, b, floor + extra))
    whole = Pairs(*(np.concatenate([getattr(p, f) for p in out]) for f in ("a", "b", "count"))) if out else new
    order = np.lexsort((whole.b, whole.a))
    order = order[whole.count[order] > 0]
    return Pairs(whole.a[order], whole.b[order], whole.count[order]), True


def components(new: Pairs) -> list[Ints]:
    """Rows of the pairs that hang together."""
    devices, at = np.unique(np.concatenate([new.a, new.b]), return_inverse=True)
    u, v = at[: len(new.a)], at[len(new.a) :]
    label = np.arange(len(devices))
    while True:
        least = np.minimum(label[u], label[v])
        now = label.copy()
        np.minimum.at(now, u, least)
        np.minimum.at(now, v, least)
        now = now[now]
        if (now == label).all():
            break
        label = now
    return [np.flatnonzero(label[u] == one) for one in np.unique(label[u])]


def _most(a: Ints, b: Ints, extra: Ints, gains: Ints) -> Ints | None:
    """Which pairs have one link more than the floor: as many per device as `extra`, on as many pairs that gain as there can be.

    Of equally good answers the one nearest to `extra` itself; None where the solver takes too long.
    """
    if not extra.any() or extra.all() or not (gains & (extra == 0)).any():
        return extra
    import highspy

    n = len(a)
    lp: Any = highspy.HighsLp()
    rows = [np.unique(x, return_inverse=True)[1] for x in (a, b)]
    sums = [np.bincount(r, weights=extra) for r in rows]
    lp.num_col_, lp.num_row_ = n, sum(len(s) for s in sums)
    lp.sense_ = highspy.ObjSense.kMaximize
    lp.col_cost_ = gains * float(n + 1) + extra
    lp.col_lower_, lp.col_upper_ = np.zeros(n), np.ones(n)
    lp.row_lower_ = lp.row_upper_ = np.concatenate(sums)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_ = np.arange(0, 2 * n + 1, 2, dtype=np.int32)
    lp.a_matrix_.index_ = np.stack([rows[0], rows[1] + len(sums[0])], 1).ravel().astype(np.int32)
    lp.a_matrix_.value_ = np.ones(2 * n)
    solver = run(lp, time_limit=SECONDS, solver="simplex")  # a vertex, and so whole numbers
    found = np.round(np.array(solver.getSolution().col_value)).astype(np.int64)
    right = len(found) == n and all((np.bincount(r, weights=found) == s).all() for r, s in zip(rows, sums, strict=True))
    return found if right else None
