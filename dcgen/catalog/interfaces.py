"""Reads a list of interfaces, as an inventory system keeps it, as groups of alike sockets with a label each."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice, product

from dcgen.naming import natural
from dcgen.units import spoken

UNKNOWN_CAGE = "unknown"
MOST_PORTS_OF_A_CAGE = 8
MOST_INTERFACES = 10_000
NOT_SOCKETS = ("virtual", "bridge", "lag")
"""Types of interfaces that nothing can be plugged into."""

_ETHERNET = re.compile(r"(\d+(?:\.\d+)?)([gt]?)base-(.+)")
_MEGABITS = {"": 1e-3, "g": 1.0, "t": 1e3}
_INFINIBAND = re.compile(r"infiniband-(fdr|edr|hdr|ndr|xdr)(-2x|-4x)?")
_FOUR_LANES_GBPS = {"fdr": 56.0, "edr": 100.0, "hdr": 200.0, "ndr": 400.0, "xdr": 800.0}
_TWISTED_PAIR = ("t", "tx")
_CAGES = {"sfpp": "sfp-plus", "qsfpp": "qsfp-plus", "qsfpdd": "qsfp-dd", "osfp1600": "osfp", "osfp1600-rhs": "osfp-rhs"}
_FASTEST_QSFP_DD_GBPS = 400
_RANGE = re.compile(r"\[(\d{1,6}(?:-\d{1,6})?(?:,\d{1,6}(?:-\d{1,6})?)*)\]")
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Kind:
    """What a type of interface says: the rate of one [Gb/s], the cage, the technology."""

    rate_gbps: float
    cage: str
    protocol: str


@dataclass(frozen=True, slots=True)
class Interface:
    """One interface by name."""

    name: str
    kind: Kind
    managed: bool = False


@dataclass(slots=True)
class Group:
    """Alike sockets: so many cages from `first` on, `split` ports in each, and how they are labelled; `doubts` are for a person."""

    kind: Kind
    managed: bool
    cages: int
    split: int
    first: int
    label: str
    doubts: list[str] = field(default_factory=list)

    @property
    def ports(self) -> int:
        """Ports of all cages."""
        return self.cages * self.split

    @property
    def rate(self) -> str:
        """Rate of one port, as it is written in a part: `1.6T`."""
        return f"{self.kind.rate_gbps / 1000:g}T" if self.kind.rate_gbps > 1000 else f"{self.kind.rate_gbps:g}G"


def kind_of(word: str) -> Kind | None:
    """What a type means, or None for one that is no network socket.

    >>> kind_of("800gbase-x-osfp")
    Kind(rate_gbps=800.0, cage='osfp', protocol='ethernet')
    """
    band = _INFINIBAND.fullmatch(word)
    if band:
        return Kind(_FOUR_LANES_GBPS[band[1]] / (2 if band[2] == "-2x" else 1), UNKNOWN_CAGE, "infiniband")
    found = _ETHERNET.fullmatch(word)
    if not found:
        return None
    rate_gbps, medium = float(found[1]) * _MEGABITS[found[2]], found[3]
    if medium in _TWISTED_PAIR:
        return Kind(rate_gbps, "rj45", "ethernet")
    if not medium.startswith("x-"):
        return Kind(rate_gbps, UNKNOWN_CAGE, "ethernet")
    cage = _CAGES.get(medium[2:], medium[2:])
    # the plug for 800G looks the same and is another
    return Kind(rate_gbps, "qsfp-dd800" if cage == "qsfp-dd" and rate_gbps > _FASTEST_QSFP_DD_GBPS else cage, "ethernet")


def expanded(name: str) -> Iterator[str]:
    """The names that a range stands for.

    >>> list(expanded("swp[1-3]"))
    ['swp1', 'swp2', 'swp3']
    """
    pieces = _RANGE.split(name)
    choices = [[piece] if i % 2 == 0 else _numbers(piece) for i, piece in enumerate(pieces)]
    return ("".join(chosen) for chosen in product(*choices))


def _numbers(text: str) -> list[str]:
    ranges = (sorted((int(low), int(high or low))) for low, _, high in (item.partition("-") for item in text.split(",")))
    numbers = (str(n) for low, high in ranges for n in range(low, high + 1))
    # one more than may be is enough for the reader to notice
    return list(islice(numbers, MOST_INTERFACES + 1))


def grouped(interfaces: Iterable[Interface]) -> list[Group]:
    """Interfaces of one kind whose names differ in their last two numbers only, the largest groups first, those for management last."""
    every = list(interfaces)
    padded = {_DIGITS.sub("#", one.name) for one in every if any(n[0] == "0" and len(n) > 1 for n in _DIGITS.findall(one.name)[-2:])}
    alike: dict[tuple[object, ...], list[Interface]] = defaultdict(list)
    for one in every:
        numbers, skeleton = _DIGITS.findall(one.name), _DIGITS.sub("#", one.name)
        widths = tuple(map(len, numbers[-2:])) if skeleton in padded else ()
        alike[one.managed, one.kind, skeleton, widths, *numbers[:-2]].append(one)
    found = [group for key, members in alike.items() for group in _groups(members, padded=bool(key[3]))]
    return sorted(found, key=lambda g: (g.managed, -g.ports, -g.kind.rate_gbps, natural(g.label)))


def _groups(members: list[Interface], padded: bool) -> Iterator[Group]:
    numbers = [[int(n) for n in _DIGITS.findall(one.name)[-2:]] for one in members]
    if len(numbers[0]) == 2 and len({n[0] for n in numbers}) > 1:
        most = 1 if members[0].kind.cage == "rj45" else MOST_PORTS_OF_A_CAGE
        if max(n[1] for n in numbers) - min(n[1] for n in numbers) < most:
            yield _group(members, padded, [n[0] for n in numbers], [n[1] for n in numbers])
            return
        # no cage has so many ports: the first number is a slot
        for slot in sorted({n[0] for n in numbers}):
            inside = [i for i, n in enumerate(numbers) if n[0] == slot]
            yield _group([members[i] for i in inside], padded, [numbers[i][1] for i in inside])
        return
    yield _group(members, padded, [n[-1] for n in numbers] if numbers[0] else None)


def _group(members: list[Interface], padded: bool, cages: list[int] | None, subs: list[int] | None = None) -> Group:
    """`cages` and `subs` are the numbers in each name, `padded` with zeros or not; a constant second number is part of the label."""
    one = members[0]
    if cages is None:
        doubt = f"`{one.name}` has no number, so its label is `{one.name}1`"
        return Group(one.kind, one.managed, len(members), 1, 1, _quoted(one.name) + "{port}", [doubt])
    known, base = sorted(set(cages)), min(subs or [0])
    split = max(subs) - base + 1 if subs else 1
    sub = "" if split == 1 else "sub" if base == 0 else "leg"
    group = Group(one.kind, one.managed, len(known), split, known[0], _label(one.name, padded, ("cage", sub) if subs else ("cage",)))
    if known[-1] - known[0] + 1 != len(known):
        absent = [n for n in range(known[0], known[-1]) if n not in set(known)]
        group.doubts.append(f"numbers {_listed(absent)} are not among the names; the labels count on without a gap")
    if subs and len(members) != len(known) * split:
        have = set(zip(cages, subs, strict=True))
        unlisted = [f"{c}.{s}" for c in known for s in range(base, base + split) if (c, s) not in have]
        group.doubts.append(f"{len(members)} of {len(known) * split} ports are listed; not {_listed(unlisted)}")
    if split > 1 and base not in (0, 1):
        group.doubts.append(f"ports of a cage count from {base} in the names, from 1 in the labels")
    return group


def _label(name: str, padded: bool, words: tuple[str, ...]) -> str:
    """The name with its last numbers left open: that of the cage, and that of the port in the cage, if there is a word for it."""
    out, at = "", 0
    for found, word in zip(list(_DIGITS.finditer(name))[-len(words) :], words, strict=True):
        if word:
            width = f":0{len(found[0])}" if padded and len(found[0]) > 1 else ""
            out, at = out + _quoted(name[at : found.start()]) + f"{{{word}{width}}}", found.end()
    return out + _quoted(name[at:])


def _quoted(text: str) -> str:
    """What a label may hold."""
    return re.sub(r"[^\w/.:_-]", "-", text, flags=re.ASCII)


def _listed(items: Iterable[object]) -> str:
    shown = [str(item) for item in items]
    return ", ".join(shown[:5]) + (f" and {spoken(len(shown) - 5, '1')} more" if len(shown) > 5 else "")
