"""The most that gets through in all when nobody has to be served: what a single worst pair of terminals hides."""

from collections import defaultdict
from collections.abc import Sequence
from math import inf

from dcgen.analysis.flow.demand import Demand
from dcgen.analysis.flow.lp import Row, maximise
from dcgen.analysis.flow.net import Loss, Net
from dcgen.analysis.flow.quotient import Relay, Setting, commodity


def total(net: Net, asked: Sequence[Demand], relay: Relay | None, losses: Sequence[Loss], rate_gbps: float) -> tuple[float, float]:
    """(delivered, wanted) [Gb/s, all senders together]: no pair gets more than its share of `rate_gbps` a sender.

    The losses stay where they are. Averaging a flow over a symmetry keeps its sum, so the quotient gives the sum of the devices;
    along a ring that a loss has broken, links of one class are taken together, and the sum is an upper bound.
    """
    setting = Setting(net, asked, relay, losses)
    parts = [commodity(setting, s) for s in setting.sources()]
    wanted = sum(p.source.count * sum(p.want.values()) for p in parts) * rate_gbps
    if not wanted:
        return 0.0, 0.0
    capacity = [n * g for n, g in zip(setting.pairs, setting.gbps, strict=True)]
    unit = max(capacity, default=1.0)
    columns = 0
    rows: list[Row] = []
    goal: dict[int, float] = {}
    uses: list[dict[int, float]] = [{} for _ in capacity]
    for p in parts:
        balance: dict[int, dict[int, float]] = defaultdict(dict)
        for e in p.edges:  # in parts of what one sender wants, so that the numbers are near 1
            balance[e.head][columns], balance[e.tail][columns] = 1.0, -1.0
            if e.k is not None:
                uses[e.k][columns] = p.source.count * rate_gbps / unit
            columns += 1
        for node, w in p.want.items():
            if node in balance:
                balance[node][columns] = -1.0
                rows.append((0.0, w, {columns: 1.0}))
                goal[columns] = p.source.count * rate_gbps / wanted
                columns += 1
        rows += [(0.0, 0.0, row) for node, row in balance.items() if node != p.root]
    rows += [(-inf, c / unit, use) for c, use in zip(capacity, uses, strict=True)]
    if not goal:
        return 0.0, wanted
    status, share, _ = maximise(goal, columns, rows)
    return (share * wanted if status == "optimal" else float("nan")), wanted
