"""A question about a fabric, put to whichever engine can answer it, and the answer in words."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dcgen.analysis.flow.bounds import longest_matching
from dcgen.analysis.flow.cells import Frame
from dcgen.analysis.flow.demand import Demand
from dcgen.analysis.flow.losses import LossClass, classes, lowered, nodes, raised, touched
from dcgen.analysis.flow.lower import Lowered, lower
from dcgen.analysis.flow.net import Loss
from dcgen.analysis.flow.picks import Pick, Unanswerable, picked
from dcgen.analysis.flow.project import Projection, ScaleUp, project
from dcgen.analysis.flow.quotient import Relay
from dcgen.analysis.flow.routing import hashed_share
from dcgen.analysis.flow.sets import sets_of
from dcgen.analysis.flow.solve import MOST_COLUMNS, Binding, Theta, TooLarge, theta
from dcgen.analysis.flow.split import equal_split
from dcgen.analysis.flow.traffic import ALL_TO_ALL, Ask, asks, demands, described, rated
from dcgen.analysis.flow.tree import branches, on_tree
from dcgen.design.lowering import NotSymbolic
from dcgen.design.model import Design, Traffic
from dcgen.diagnostics import did_you_mean

MOST_AT_LAST = 60_000
"""Variables of a quotient programme beyond which it is not built even where nothing else answers."""


@dataclass(frozen=True, slots=True)
class Throughput:
    """How much every sender of a traffic gets through at once over one fabric.

    `value` is in `unit`: Gb/s of each sender [gbps], or multiples of the rates that were written [1]; None when nobody sends. `low`
    is carried by a routing that exists, `high` is a bound that holds for every routing. `status` is one of exact, bracket, unproven,
    expected, bound, no demand, cut off, too large; `method` says in words how it was found, `why` what else there is to say.
    """

    fabric: str
    traffic: str
    value: float | None
    low: float | None
    high: float | None
    status: str
    method: str
    unit: str = "gbps"
    binding: tuple[Binding, ...] = ()
    each: str = "accelerator"
    lost: str = ""
    why: str = ""
    size: int = 0

    @property
    def exact(self) -> bool:
        """Whether the value is the true maximum."""
        return self.status in ("exact", "cut off", "no demand")


class Question:
    """One traffic over one fabric: settled once, asked many times."""

    def __init__(self, design: Design, fabric: str, traffic: Traffic | None = None) -> None:
        """Raises Unanswerable: there is no such fabric, it serves nothing, or the traffic names nothing in it."""
        if fabric not in design.fabrics:
            raise Unanswerable(f"there is no fabric `{fabric}`", did_you_mean(fabric, design.fabrics))
        self.traffic = traffic or ALL_TO_ALL
        scale_up: ScaleUp = "relay" if self.traffic.scale_up == "relay" else "direct" if self.traffic.scale_up == "direct" else "unused"
        self.projection: Projection = project(design, fabric, scale_up)
        if not self.projection.terminals:
            raise Unanswerable(f"{fabric} joins nothing that sends or receives")
        self.asked: list[list[Ask]] = asks(self.projection, self.traffic)
        self.relay: Relay = dict.fromkeys(self.projection.relays, True)
        self.lowered: Lowered | None = None
        self.no_boxes = ""
        try:
            self.lowered = lower(self.projection)
            self.demands: list[list[Demand]] = [demands(self.lowered, a) for a in self.asked]
            self.tree = (
                None if self.relay else branches(self.lowered.net, [g for g in self.projection.hosts if g in self.lowered.net.groups])
            )
        except NotSymbolic as e:
            self.lowered, self.no_boxes = None, str(e)

    def picks(self, text: str) -> list[Pick]:
        """What a selector names. Raises Unanswerable."""
        return picked(self.projection, text)

    def ask(self, lost: Sequence[Pick] = (), said: str = "") -> Throughput:
        """With everything lost that is picked."""
        if self.lowered is None:
            return self._bounded(self._numeric(lost, self.no_boxes, said), lost)
        return self._bounded(self.after(lowered(self.lowered, lost), said, lost), lost)

    def _bounded(self, found: Throughput, lost: Sequence[Pick]) -> Throughput:
        """Of the worst traffic: no more than the longest matching of switches allows, where that can be found."""
        if self.traffic.kind != "worst-case" or not found.value:
            return found
        try:
            most = longest_matching(self.projection, lost) * self.traffic.share
        except ValueError:
            return found
        if most >= found.value * (1 - 1e-9):
            return replace(found, method=f"{found.method}, and no more than the longest matching allows")
        value = _clean(most, 1.0)
        return replace(
            found, value=value, low=None, high=value, status="bound", method="bound by the longest matching of switches", binding=()
        )

    def after(self, losses: Sequence[Loss], said: str = "", picks: Sequence[Pick] | None = None) -> Throughput:
        """With these losses, in digits."""
        assert self.lowered is not None
        every = [*self.lowered.missing, *losses]
        picks = raised(self.lowered, losses) if picks is None else picks
        why, other = "", None
        for most in (MOST_COLUMNS, MOST_AT_LAST):
            try:
                if self.traffic.routing != "adaptive":
                    return self._split(every, said)
                if not every and self.tree is not None:
                    found = [on_tree(self.lowered.net, d, self.tree) for d in self.demands]
                    least = min(found, key=lambda t: float("inf") if t.rate_gbps is None else t.rate_gbps)
                    return self._made(least, "closed form of an intact Clos", said)
                found = [theta(self.lowered.net, d, self.relay, every, most=most) for d in self._sent(every)]
            except TooLarge as e:
                why = str(e)
                if picks is not None and most == MOST_COLUMNS:
                    other = self._numeric(picks, why, said)
                    if other.exact:
                        return other
                continue
            least = min(found, key=lambda t: float("inf") if t.high_gbps is None else t.high_gbps)
            return self._made(least, _quotient(least, len(found)), said)
        return other or self._made(Theta(None, None, None, "too large", why), "not solved", said)

    def _sent(self, losses: Sequence[Loss]) -> list[list[Demand]]:
        """The demands around what is lost."""
        assert self.lowered is not None
        return [demands(self.lowered, asked, losses) for asked in self.asked] if losses else self.demands

    def _split(self, losses: Sequence[Loss], said: str) -> Throughput:
        """By equal split over shortest ways; hashed, the slowest flow is what is expected of it."""
        assert self.lowered is not None
        found = [equal_split(self.lowered.net, d, self.relay, losses) for d in self._sent(losses)]
        least = min(found, key=lambda t: float("inf") if t.rate_gbps is None else t.rate_gbps)
        method = f"equal split over shortest ways, {least.size.get('pairs', 0):,} classes of pairs"
        if self.traffic.routing == "hashed" and least.rate_gbps:
            share, words = hashed_share(self.projection.design, self.projection.fabric, self.traffic.queue_pairs)
            least = replace(least, rate_gbps=least.rate_gbps * share, low_gbps=None, high_gbps=least.rate_gbps, status="expected")
            method += f" × {words}"
        return self._made(least, method, said)

    def _numeric(self, lost: Sequence[Pick], why: str, said: str) -> Throughput:
        if self.traffic.routing != "adaptive":
            return self._made(Theta(None, None, None, "too large", f"equal split is followed on cells alone ({why})"), "not solved", said)
        from dcgen.analysis.flow.numeric import numeric

        found = [numeric(self.projection, asked, lost) for asked in self.asked]
        least, method = min(found, key=lambda t: float("inf") if t[0].high_gbps is None else t[0].high_gbps)
        return self._made(least, f"{method} ({why})", said)

    def _made(self, found: Theta, method: str, said: str) -> Throughput:
        p = self.projection
        notes = "; ".join((*p.notes, *([found.why] if found.why else [])))
        unit = "1" if rated(self.traffic) else "gbps"
        words = described(self.traffic) + {"unused": "", "direct": ", scale-up links used", "relay": ", scale-up links relay"}[p.scale_up]
        share = self.traffic.share
        method += f" × {share:g} of a link's rate" if share != 1 else ""
        value, low, high = (_clean(x, share) for x in (found.rate_gbps, found.low_gbps, found.high_gbps))
        size = found.size.get("variables", 0)
        return Throughput(p.fabric, words, value, low, high, found.status, method, unit, found.binding, p.each, said, notes, size)

    def survey(self) -> list[LossClass]:
        """Every class of single losses. Raises NotSymbolic where there are no cells."""
        if self.lowered is None:
            raise NotSymbolic(self.no_boxes)
        net, missing, frame = self.lowered.net, self.lowered.missing, self._frame()
        marks = [m for d in self.demands[0] for m in d.marks(net)]
        p, groups = self.projection, self.projection.design.groups
        axes = {g: set(groups[g].sizes) - set(groups[o].sizes) for g, o in p.owner.items() if g != o and g in net.groups}
        apart = {g: {d for axis in found for d in self.lowered.digits(g, axis)} for g, found in axes.items()}
        return [*nodes(net, frame, missing, marks, p.owner, apart), *classes(net, frame, missing, marks)]

    def others(self, loss: Loss) -> list[Loss]:
        """A loss, and the terminals that lose a link of their own by it; nothing where there are none."""
        assert self.lowered is not None
        found = touched(self.lowered.net, loss, self.projection.hosts)
        return [loss, *found] if found else []

    def _frame(self) -> Frame:
        assert self.lowered is not None
        return Frame(self.lowered.net, [a for d in self.demands[0] for a in d.agreements(self.lowered.net)])

    def worst(self, lost: Sequence[Pick], k: int, said: str = "") -> Throughput:
        """With the worst k of what is picked lost: one representative of every class of sets is tried."""
        if self.lowered is None:
            from dcgen.analysis.flow.numeric import worst

            return self._made(*worst(self.projection, self.asked, lost, k), said)
        among = lowered(self.lowered, lost)
        sets, complete = sets_of(self.lowered.net, self.demands[0], self.lowered.missing, among, k, lambda s: self.after(s).high or 0.0)
        if not sets:
            raise Unanswerable(f"there are not {k} of them to lose")
        found = [self.after(s, said) for s in sets]
        least = min(found, key=lambda t: float("inf") if t.high is None else t.high)
        ways = f"the worst of {len(found)} kinds of {k} losses" if complete else f"the worst of {len(found)} sets of {k} that were tried"
        method = least.method if complete and len(found) == 1 else f"{least.method}, {ways}"
        return replace(least, method=method, status=least.status if complete else "unproven", low=least.low if complete else None)


def _clean(x: float | None, share: float) -> float | None:
    """The share of a rate, in ten significant digits: what is beyond them is the solver's rounding."""
    return None if x is None else float(f"{x * share:.10g}")


def _quotient(found: Theta, of: int) -> str:
    words = f"linear programme of {found.size.get('variables', 0):,} variables on cells"
    return words + (f", the least of {of} candidates" if of > 1 else "")
