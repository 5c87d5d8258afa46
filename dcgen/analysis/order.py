"""From what is needed to what is ordered: needs, spares, stock, minimum order, packs, in that order and exactly."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import TypeVar

from dcgen.analysis.failures import HOUR_NS, spares
from dcgen.analysis.inventory import Item, inventory
from dcgen.analysis.shares import coordinates, shares
from dcgen.design.model import Design
from dcgen.parts import Cable, Part
from dcgen.units import rounded, spoken

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Spare:
    """What is kept in store of one line, and how that came about; `pieces` is None where nobody can say."""

    pieces: Fraction | None
    basis: str


@dataclass(frozen=True, slots=True)
class Order:
    """One line from need to order. `missing` is what need and spares leave over the stock; `ordered` suits the seller.

    With spares unknown, `missing` and `ordered` are lower bounds.
    """

    needed: Fraction
    spare: Spare
    owned: Fraction
    missing: Fraction
    ordered: Fraction


NO_SPARES = Spare(Fraction(0), "")


def order(part: Part, needed: Fraction, spare: Spare, owned: Fraction, supplied: bool = False) -> Order:
    """What is ordered of a part; what is `supplied` inside something else needs no order, only its spares do.

    >>> from dcgen.parts import Optic
    >>> box = Optic.model_construct(sold_by="each", min_order=None, pack=64)
    >>> int(order(box, Fraction(100), Spare(Fraction(35), ""), Fraction(0)).ordered)
    192
    """
    needed = whole(part, needed)
    missing = max(Fraction(0), (Fraction(0) if supplied else needed) + (spare.pieces or 0) - owned)
    ordered = max(missing, Fraction(part.min_order or 0)) if missing else missing
    if part.pack:
        ordered = Fraction(ceil(ordered / part.pack) * part.pack)
    return Order(needed, spare, owned, missing, ordered)


def whole(part: Part, amount: Fraction) -> Fraction:
    """An amount as it can be bought: pieces are whole, bulk goods are not.

    >>> from dcgen.parts import Optic
    >>> str(whole(Optic.model_construct(sold_by="m"), Fraction("0.2"))), str(whole(Optic.model_construct(sold_by="each"), Fraction("4.5")))
    ('1/5', '5')
    """
    return Fraction(ceil(amount)) if part.sold_by == "each" else amount


def stores(design: Design) -> dict[tuple[str, float | None], Spare]:
    """Part and length -> what is kept in store of it, in every place that has a store; nothing of racks bought whole."""
    rule = design.spares
    if rule.policy == "percent" and not (rule.share or rule.fixed or rule.least):
        return {}
    pools: dict[tuple[str, float | None], list[Fraction]] = {}
    for _, used in shares(design, coordinates(design, rule.per), _in_use) if rule.per else [("", _in_use(design))]:
        for key, n in used.items():
            pools.setdefault(key, []).append(n)
    return {key: spare(design, design.parts[key[0]], used_there) for key, used_there in pools.items()}


def _in_use(design: Design) -> dict[tuple[str, float | None], Fraction]:
    used: dict[tuple[str, float | None], Fraction] = {}
    for item in (i for i in inventory(design) if i.role != "rack"):
        part = design.parts[item.part]
        key = sold(part, item.length_m)
        used[key] = used.get(key, Fraction(0)) + amount(part, item)
    return used


def sold(part: Part, length_m: float | None) -> tuple[str, float | None]:
    """What a cable of a length is ordered as: the part and the length, or the part alone where it is sold by the metre."""
    return part.part, length_m if part.sold_by == "each" else None


def amount(part: Part, item: Item) -> Fraction:
    """Pieces, or of a cable that is sold by the metre its length."""
    length = item.length_m if part.sold_by == "m" else None
    return Fraction(item.quantity) * (Fraction(repr(length)) if length else 1)


def owned(design: Design, part: Part, length_m: float | None) -> Fraction:
    """What is in stock: pieces, or metres of a cable that is sold by the metre."""
    mine = [s for s in design.have if s.part == part.part]
    if isinstance(part, Cable) and part.sold_by == "m":
        return sum((Fraction(s.count) * Fraction(repr(s.length_m or 0.0)) for s in mine), Fraction(0))
    return Fraction(sum(s.count for s in mine if s.length_m == length_m))


def spare(design: Design, part: Part, pools: Iterable[Fraction]) -> Spare:
    """What is kept in store of a part, every pool with so much in use by itself."""
    rule, used = design.spares, [p for p in pools if p]
    fixed, least = (_of_class(d, part) for d in (rule.fixed, rule.least))
    found, basis = _by_failures(design, part, used) if rule.policy == "poisson" else _by_share(design, part, used)
    said = [basis, f"{fixed} fixed" if fixed else "", f"at least {least}" if least else ""]
    if not used or not any(said):
        return NO_SPARES
    pieces = [max(Fraction(least or 0), more + (fixed or 0)) for more in found or [Fraction(0)] * len(used)]
    text = ", ".join(filter(None, said)) + (f", in each of {len(used)} pools" if len(used) > 1 else "")
    return Spare(None if found is None else sum(pieces, Fraction(0)), text)


def _of_class(rules: Mapping[str, T], part: Part) -> T | None:
    return rules.get(part.part, rules.get(part.kind))


def _by_share(design: Design, part: Part, used: list[Fraction]) -> tuple[list[Fraction], str]:
    """The share of each pool: pieces are rounded up once, need and spares together."""
    share = Fraction(_of_class(design.spares.share, part) or 0)
    more = [whole(part, n * (1 + share)) - whole(part, n) for n in used]
    return more, f"{rounded(share * 100, 6):f} %" if share else ""


def _by_failures(design: Design, part: Part, used: list[Fraction]) -> tuple[list[Fraction] | None, str]:
    """What fails in a lead time, with the wanted probability, pool by pool."""
    rate, own = part.failure_rate_fit, part.lead_time_ns
    if rate is None:
        return None, "unknown: no failure rate"
    lead, level = own.value if own else design.upkeep.lead_ns, design.upkeep.level
    more = [Fraction(spares(float(n) * rate.value / 1e9 * lead / HOUR_NS, level)) for n in used]
    said = f"Poisson {rounded(level * 100, 4):f} % over {spoken(lead, 'ns')}"
    return more, said + (", lead time assumed" if own is None else "") + (", rate estimated" if rate.estimate else "")
