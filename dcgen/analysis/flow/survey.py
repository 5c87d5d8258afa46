"""What every single loss costs: one row for each class of alike devices and links, and how it goes on when more are lost."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dcgen.analysis.flow.answer import Question, Throughput
from dcgen.analysis.flow.losses import LossClass, lowered
from dcgen.analysis.flow.net import Loss
from dcgen.analysis.flow.picks import Devices, Links
from dcgen.analysis.flow.sets import sets_of
from dcgen.analysis.flow.total import total


@dataclass(frozen=True, slots=True)
class LossRow:
    """A class of `count` alike single losses.

    `after` is the throughput of all, `others` that of the terminals that lost no link of their own (None where no other terminal
    lost one), `total_share` what gets through in all, over what got through intact, when nobody has to be served.
    """

    kind: str
    place: str
    count: int
    loss: Loss
    share: float
    after: Throughput
    others: Throughput | None
    others_share: float | None
    total_share: float | None


def survey(question: Question, found: Sequence[LossClass] | None = None) -> tuple[Throughput, list[LossRow]]:
    """The intact fabric, and every class of single losses in the order of the groups and bundles.

    Raises:
        NotSymbolic: losses are surveyed on cells alone.
    """
    intact = question.ask()
    if not intact.value:
        return intact, []
    whole = _total(question, [], intact.value)
    return intact, [row for one in (question.survey() if found is None else found) for row in _row(question, intact, whole, one)]


def _row(question: Question, intact: Throughput, whole: float, found: LossClass) -> Iterator[LossRow]:
    after = question.after([found.loss])
    if after.value is None or not intact.value:
        return
    without = question.others(found.loss)
    others = question.after(without) if without else None
    delivered = _total(question, [found.loss], intact.value)
    yield LossRow(
        found.kind,
        found.what,
        found.count,
        found.loss,
        after.value / intact.value,
        after,
        others,
        None if others is None or others.value is None else others.value / intact.value,
        delivered / whole if whole else None,
    )


def _total(question: Question, losses: Sequence[Loss], rate_gbps: float) -> float:
    assert question.lowered is not None
    every = [*question.lowered.missing, *losses]
    return total(question.lowered.net, question.demands[0], question.relay, every, rate_gbps)[0]


def decline(question: Question, intact: Throughput, kind: str, rows: Sequence[LossRow], steps: int) -> list[float]:
    """Throughput over that of the intact fabric after 0, 1, 2 … losses of one group or bundle, each the worst that can follow.

    `rows` are those of its single losses.
    """
    if not intact.value or question.lowered is None or not rows:
        return []
    net, missing = question.lowered.net, question.lowered.missing
    among, worst = _everything(question, kind), min(rows, key=lambda r: r.share)
    out, lost = [1.0, worst.share], [worst.loss]
    while len(out) <= steps and out[-1] > 0:
        sets, _ = sets_of(net, question.demands[0], [*missing, *lost], among, 1, lambda s: 0.0)
        found = [(answer.value, i) for i, s in enumerate(sets) if (answer := question.after([*lost, *s])).value is not None]
        if not found:
            break
        value, i = min((v, i) for v, i in found if v is not None)
        lost += sets[i]
        out.append(value / intact.value)
    return out


def _everything(question: Question, kind: str) -> list[Loss]:
    assert question.lowered is not None
    pick = Links(kind, times=1) if kind in question.lowered.wires else Devices(kind)
    return lowered(question.lowered, [pick])
