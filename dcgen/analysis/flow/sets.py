"""Sets of k losses: one representative of every class of sets that a symmetry can exchange."""

from collections.abc import Callable, Sequence

from dcgen.analysis.flow.cells import Frame, settle
from dcgen.analysis.flow.demand import Demand
from dcgen.analysis.flow.fold import fold
from dcgen.analysis.flow.losses import candidates
from dcgen.analysis.flow.net import Cut, Loss, Net

MOST_SETS = 200
"""Classes of sets that are tried before the search goes on with the worst of them alone."""
KEPT = 10


def sets_of(
    net: Net, asked: Sequence[Demand], missing: Sequence[Loss], among: Sequence[Loss], k: int, judge: Callable[[list[Loss]], float]
) -> tuple[list[list[Loss]], bool]:
    """Representatives of all sets of k single losses inside `among`, and whether none was left out.

    Choosing one of every class that is left after each loss reaches every class of sets. Where they are too many, `judge` (least is
    worst) says which are followed.
    """
    frame = Frame(net, [a for d in asked for a in d.agreements(net)])
    fixed = {axis for d in asked for axis in d.ordered()}
    marks = [m for d in asked for m in d.marks(net)] + [m for x in among for m in x.marks(net)]
    intact = settle(net, marks, frame)
    among = [Cut(x.wire, x.a, x.b, 1) if isinstance(x, Cut) else x for x in among]
    sets: list[list[Loss]] = [[]]
    complete = True
    for _ in range(k):
        following: dict[str, list[Loss]] = {}
        for lost in sets:
            for one in candidates(net, frame, [*missing, *lost], marks, among):
                new = [*lost, one]
                moved, _ = fold(net, [*missing, *new], frame, intact, fixed)
                following.setdefault(repr(sorted(map(repr, moved))), new)
        sets = list(following.values())
        if len(sets) > MOST_SETS:
            sets, complete = sorted(sets[:MOST_SETS], key=judge)[:KEPT], False
    return sets, complete
