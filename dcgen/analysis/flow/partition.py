"""Colours that get finer: how one sender sees the links, and what all senders together see. Colour refinement on arrays."""

import time
from dataclasses import dataclass

import numpy as np

from dcgen.analysis.flow.devices import Expanded, Floats, Twins, Wanted, Words, twins
from dcgen.design.columns import Ints


@dataclass(frozen=True)
class Seen:
    """How one sender sees the vertices: a label for each (the last is the sender itself), and a signature of the whole."""

    labels: Words
    sign: int


class Graph:
    """Classes of twins with arcs, and labels that get finer."""

    def __init__(self, devices: Expanded, wanted: Wanted) -> None:
        self.devices, self.wanted = devices, wanted
        self.twins: Twins = twins(devices, wanted, np.random.default_rng(7))
        t = self.twins
        self.n = len(t.count)
        self.hosts = devices.among(devices.projection.hosts)[t.one]
        self.relays = devices.among(devices.projection.relays)[t.one]
        first = np.zeros(self.n, np.uint64)
        for i, name in enumerate(devices.offsets):
            first[np.isin(t.one, devices.inside(name, {}))] = np.uint64(i + 1)
        self.vertex: Words = mix(first)
        self.arc: Words = np.zeros(len(t.u), np.uint64)
        self.per = np.round(t.gbps / t.count[t.v] * 1000).astype(np.uint64)  # what one device at the head gets from the tail's class

    def see(self, s: int, rounds: int) -> Seen:
        """Labels after so many rounds with sender class s split into one sender and the rest."""
        t = self.twins
        want = self.want(s)
        labels = np.concatenate([mix(self.vertex ^ mix(np.round(want[:-1] * 1e12).astype(np.uint64))), [np.uint64(77)]])
        mine_in, mine_out = t.v == s, t.u == s
        tail = np.concatenate([t.u, t.u[mine_in], np.full(int(mine_out.sum()), self.n)])
        head = np.concatenate([t.v, np.full(int(mine_in.sum()), self.n), t.v[mine_out]])
        key = np.concatenate([self.arc, self.arc[mine_in], self.arc[mine_out]])
        share = t.gbps[mine_out] / t.count[s]
        weight = self.per.copy()
        weight[mine_out] = np.round(share * (t.count[s] - 1) * 1000).astype(np.uint64)
        weight = np.concatenate([weight, self.per[mine_in], np.round(share * 1000).astype(np.uint64)])
        order = np.argsort(head, kind="stable")
        tail, head, key, weight = tail[order], head[order], key[order], weight[order]
        starts = np.flatnonzero(np.diff(head, prepend=-1))
        for _ in range(rounds):
            new = mix(labels * np.uint64(0x9E3779B97F4A7C15) + np.uint64(1))
            if len(starts):
                new[head[starts]] += np.add.reduceat(weight * mix(labels[tail] ^ key), starts)
            labels = mix(new)
        counts = np.concatenate([t.count, [1]]).astype(np.uint64)
        counts[s] -= np.uint64(1)
        return Seen(labels, int((mix(labels + np.uint64(5)) * counts).sum(dtype=np.uint64)))

    def want(self, s: int) -> Floats:
        """What one of sender class s wants of one device of each class; last the sender itself."""
        full = self.wanted.of(int(self.twins.one[s]))
        out = np.zeros(self.n + 1)
        there = np.flatnonzero(self.devices.exists)
        np.maximum.at(out, self.twins.of[there], full[there])
        return out

    def sharpen(self, senders: Ints, rounds: int, until: float) -> tuple[dict[int, int], bool]:
        """Refine classes of arcs and vertices by what every sender sees; sender -> signature, and whether time was enough."""
        t, known = self.twins, -1
        signs: dict[int, int] = {}
        while True:
            h_arc, h_vertex = np.zeros(len(t.u), np.uint64), np.zeros(self.n, np.uint64)
            for s in senders.tolist():
                if time.monotonic() > until:
                    return signs, False
                seen = self.see(s, rounds)
                signs[s] = seen.sign
                many = np.uint64(int(t.count[s]))
                word = np.uint64(seen.sign)
                pair = mix(mix(seen.labels[t.u] ^ word) * np.uint64(3) + seen.labels[t.v])
                each = pair * many
                own = np.full(len(pair), seen.labels[-1])
                for mine, tail, head in ((t.u == s, own, seen.labels[t.v]), (t.v == s, seen.labels[t.u], own)):
                    single = mix(mix(tail[mine] ^ word) * np.uint64(3) + head[mine])  # the sender itself sees this link as its own
                    each[mine] = pair[mine] * (many - np.uint64(1)) + single
                h_arc += each
                look = mix(seen.labels[:-1] ^ word)
                at = look * many
                at[s] = look[s] * (many - np.uint64(1)) + mix(seen.labels[-1:] ^ word)[0]
                h_vertex += at
            self.arc, self.vertex = mix(mix(self.arc) ^ h_arc), mix(mix(self.vertex) ^ h_vertex)
            now = len(np.unique(self.arc)) + len(np.unique(self.vertex))
            if now == known:
                return signs, True
            known = now


def mix(x: Words) -> Words:
    """splitmix64's finaliser."""
    x = np.asarray(x, np.uint64).copy()
    x ^= x >> np.uint64(30)
    x *= np.uint64(0xBF58476D1CE4E5B9)
    x ^= x >> np.uint64(27)
    x *= np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
