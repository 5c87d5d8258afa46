"""What a fabric's technology makes of its links: how traffic is spread over equal ways, and which share of a link it fills.

`adaptive` weighs packets by what is free: the best that can be. `spray` splits evenly over all shortest ways, packet by packet.
`hashed` puts every flow on one way, whole; some links get several, and the slowest flow waits for them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from dcgen.analysis.flow.hashing import MOST_FLOWS, slowest_flow
from dcgen.design.model import Design
from dcgen.design.wiring import ports_needed
from dcgen.parts import Switch

Way: TypeAlias = Literal["adaptive", "spray", "hashed"]


@dataclass(frozen=True, slots=True)
class Technology:
    """How a technology ordinarily routes, and the `share` of a link's rate that its transport delivers; no share is unknown."""

    name: str
    way: Way
    share: float | None
    source: str


TECHNOLOGIES = (
    Technology(
        "infiniband", "adaptive", 0.94, "46 to 48 of 50 GB/s on 400G NICs, in reports to nccl-tests (212, 290); the middle, an estimate"
    ),
    Technology("ethernet", "hashed", None, "RoCEv2 keeps a flow on one way; what its headers take is not counted"),
    Technology("ultra-ethernet", "spray", None, "Ultra Ethernet sprays packets; what its headers take is not counted"),
)


def technology(design: Design, fabric: str) -> Technology:
    """That of the fabric's switches; a fabric without any is one whose routing is as good as can be."""
    parts = [design.part(t) for t in design.fabrics[fabric].tiers]
    name = next((p.fabric for p in parts if isinstance(p, Switch)), "")
    plain = Technology("direct", "adaptive", None, "no switch: what its transport takes is not counted")
    return next((t for t in TECHNOLOGIES if t.name == name), plain)


def hashed_share(design: Design, fabric: str, queue_pairs: int) -> tuple[float, str]:
    """(rate of the slowest flow over that of an even split, in words), at the tier where it is least; 1 where nothing is hashed."""
    found = [(slowest_flow(flows, links, queue_pairs), tier, flows, links) for tier, flows, links in _hashed(design, fabric, queue_pairs)]
    if not found:
        return 1.0, "no tier hashes"
    share, tier, flows, links = min(found)
    parts = f", each in {queue_pairs} queue pairs" if queue_pairs > 1 else ""
    return share, f"{share:.3f} for the slowest of {flows:,} flows on {links:,} uplinks of {tier}, one flow of each port{parts}"


def _hashed(design: Design, fabric: str, queue_pairs: int) -> Iterator[tuple[str, int, int]]:
    """(tier, ports down, links up) of a switch of every tier that has one above."""
    bundles = [b for b in design.of(fabric) if b.a.group != b.b.group]
    for tier in design.fabrics[fabric].tiers:
        down = sum(ports_needed(design, b, 1) for b in bundles if b.b.group == tier)
        up = sum(ports_needed(design, b, 0) for b in bundles if b.a.group == tier)
        if down and up and down * queue_pairs <= MOST_FLOWS:
            yield tier, down, up
