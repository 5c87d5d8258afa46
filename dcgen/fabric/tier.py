"""One tier of switches: what may be written of it, and what every family does with it."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from dcgen.design import Axis, Design, DeviceGroup, Join
from dcgen.design.wiring import ports_needed
from dcgen.diagnostics import Path
from dcgen.fabric.base import Site
from dcgen.fabric.fit import Parts
from dcgen.fabric.ladder import Asked, furnished
from dcgen.fabric.media import Plug
from dcgen.fabric.per import PER_SCHEMA, PerEntry, Reading
from dcgen.fabric.policy import MediaPolicy
from dcgen.fabric.sockets import Reserve, Sockets
from dcgen.parts import Ports, Switch
from dcgen.parts.fields import Count, LengthM, PartId, Positive, RateGbps, Ratio, Strict, fault, listed, one_or_many, quantity

ASSUMED_M = {"leaf": 30.0, "router": 30.0, "spine": 50.0, "core": 100.0}
"""Cable length below a tier while no hall is described [m]: an assumption, named as one in every output."""


def _pinned(value: Any) -> Any:
    return None if value is None or value == "derived" else quantity("count", 0, 1_000_000)(value)


_PINNED = {"anyOf": [{"type": "integer"}, {"enum": ["derived"]}, {"type": "string", "pattern": r"^\$\w"}]}
Pinned = Annotated[Count | None, BeforeValidator(_pinned), WithJsonSchema(_PINNED)]
"""A count, or `derived`."""


def _above_zero(rate_gbps: float) -> float:
    if not rate_gbps:
        raise fault("out-of-range", "a link of no rate carries nothing", "write a rate above 0, for example `400G`, or leave it out")
    return rate_gbps


LinkRate = Annotated[RateGbps, AfterValidator(_above_zero)]
"""Rate of a link, more than 0."""


class Tier(Strict):
    """One tier of switches. What is not written is derived, and the report says how.

    `rate`, `split`, `length`, `medium`, `media`, `optics` and `cable` are those of the links below the tier; `uplinks` and
    `oversubscription` look upward.
    """

    part: PartId
    per: Annotated[list[PerEntry], BeforeValidator(listed), WithJsonSchema(one_or_many(PER_SCHEMA))] = []
    count: Pinned = None
    rate_gbps: LinkRate | None = Field(None, alias="rate")
    split: Positive | None = None
    uplinks: Pinned = None
    oversubscription: Ratio | None = Field(None, gt=0)
    reserve: Reserve | None = None
    length_m: LengthM | None = Field(None, alias="length")
    medium: Literal["fibre", "dac", "acc", "aoc"] | None = None
    media: MediaPolicy | None = None
    optics: Annotated[list[PartId], BeforeValidator(listed), WithJsonSchema(one_or_many({"type": "string"})), Field(max_length=2)] = []
    cable: PartId | None = None
    fill: Literal["pack", "deal", "rotate"] = "pack"
    home: Literal["ring"] | None = None


def sockets_of(tier: Tier, site: Site, at: Path) -> Sockets | None:
    """The sockets of a tier's switch, with its reserve taken out; None after saying what is wrong."""
    part = site.part(tier.part, (*at, "part"), (Switch,))
    if not isinstance(part, Switch):
        return None
    sockets = Sockets(part)
    if tier.reserve:
        first = next(iter(part.ports))
        cages, unknown = tier.reserve.cages(part.ports[first])
        for label in unknown:
            what = f"`{part.part}` has no port `{label}`"
            site.say("bad-reference", what, fix="write labels as on the faceplate", origin=(*at, "reserve", "ports"))
        sockets.reserved[first] = cages
    return sockets


def group_of(name: str, key: str, tier: Tier, sockets: Sockets, axes: tuple[Axis, ...], height: int, at: Path) -> DeviceGroup:
    """The switches of a tier."""
    reserved = next(iter(sockets.reserved.values()), ())
    reason = tier.reserve.reason if tier.reserve else ""
    return DeviceGroup(
        f"{name}/{key}", sockets.switch.part, axes, role=key, fabric=name, tier=height, reserved=reserved, reserve_reason=reason, origin=at
    )


def up_rate(below: Sockets, tier: Tier, default: float) -> float | None:
    """Rate of the links below `tier`: as written, else that of the links further down, else the fastest that both switches have."""
    if tier.rate_gbps:
        return tier.rate_gbps
    if below.groups(default):
        return default
    return max((rate for p in below.switch.ports.values() for _, rate in p.modes), default=None)


def with_media(join: Join, ports: Ports, tier: Tier, key: str, site: Site, at: Path) -> Join:
    """The bundle with transceivers and cable chosen; a remark when nothing fits. `ports` are the sockets of end a."""
    upper = site.used[site.groups[join.b.group].part]
    far = upper.port_groups()[join.b.block.name]
    protocol = upper.fabric if isinstance(upper, Switch) else ""
    plugs = Plug(ports, join.a.block.split, protocol), Plug(far, join.b.block.split, protocol)
    parts = Parts(tier.cable, tuple(tier.optics)) if tier.cable or tier.optics else None
    assumed_m = ASSUMED_M.get(key, ASSUMED_M["spine"])
    return furnished(join, Asked(plugs, join.rate_gbps, tier.medium, tier.length_m, assumed_m, at, tier.media, parts), site)


def modes(*switches: Switch, stated: bool = False) -> tuple[str, str]:
    """Why and fix of a rate that does not fit; `stated` where it was written."""
    said = "; ".join(f"{s.part}: {', '.join(f'{n}x{rate:g}G' for p in s.ports.values() for n, rate in p.modes)}" for s in switches)
    other = "write a rate that is there" if stated else "state `rate:` of the tier"
    return f"port modes are {said}", f"choose a switch or NIC of the same rate, or {other}"


def each(reading: Reading) -> str:
    """`for each of 2 su × 4 rail`, or nothing."""
    return f" for each of {' × '.join(f'{a.size} {a.name}' for a in reading.axes)}" if reading.axes else ""


def down_gbps(site: Site, joins: Sequence[Join]) -> float:
    """Capacity below the fullest switch [Gb/s]; bundles that share a range of ports are counted once."""
    design, ranges = Design("", site.groups), dict[tuple[str, int, int], float]()
    for join in joins:
        block = join.b.block
        key = (block.name, block.first, block.split)
        ranges[key] = max(ranges.get(key, 0), ports_needed(design, join, 1) * join.rate_gbps)
    return sum(ranges.values())
