"""The waist: what a design is. Groups are regions of named coordinates, bundles are joins on digits of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Literal

from dcgen.design.hall import Hall
from dcgen.design.procurement import Added, Labels, Spares
from dcgen.design.region import Box, carve, volume
from dcgen.diagnostics import Diagnostic, Path
from dcgen.naming import Selector
from dcgen.parts import Part

if TYPE_CHECKING:
    from dcgen.design.fill import Load
    from dcgen.design.routes import Floor
    from dcgen.design.tally import Tally


@dataclass(frozen=True, slots=True)
class Axis:
    """A named coordinate, counted from 0. `room` (>= size) is the ruler that port numbers are measured with.

    `alike` coordinates may change places, `named` ones (buildings, sites) are never exchanged, `cyclic` ones have neighbours.
    """

    name: str
    size: int
    room: int = 0
    kind: Literal["alike", "named", "cyclic"] = "alike"

    @property
    def ruler(self) -> int:
        """Coordinates that there is room for."""
        return max(self.size, self.room)


@dataclass(frozen=True)
class DeviceGroup:
    """Devices that are instances of one part, one per coordinate that is not absent.

    `role` is what the group is in its fabric (`node`, `leaf`, `spine`, ...), `tier` its height above the nodes. `rack_axes`
    are the axes that tell racks apart, for devices that come inside one (group `inside`); `per_rack` is how many fill a rack. What
    is `beside` a group stands in that group's racks, the number of the rack being its first coordinate.
    `reserved` are cages (from 0) of the first port group that nothing may be plugged into, and why.
    """

    name: str
    part: str
    axes: tuple[Axis, ...] = ()
    absent: tuple[Selector, ...] = ()
    role: str = "node"
    fabric: str = ""
    tier: int = 0
    rack_axes: tuple[str, ...] = ()
    inside: str = ""
    per_rack: int = 0
    beside: str = ""
    reserved: tuple[int, ...] = ()
    reserve_reason: str = ""
    title: str = ""
    origin: Path = ()

    @cached_property
    def sizes(self) -> dict[str, int]:
        """Axis -> coordinates declared."""
        return {a.name: a.size for a in self.axes}

    @cached_property
    def rulers(self) -> dict[str, int]:
        """Axis -> coordinates there is room for; flat indexes are mixed radix over these."""
        return {a.name: a.ruler for a in self.axes}

    @cached_property
    def full(self) -> Box:
        """The region as if nothing were absent."""
        return {a.name: range(a.size) for a in self.axes}

    @cached_property
    def boxes(self) -> list[Box]:
        """Disjoint boxes of the devices that exist."""
        return carve(self.full, [s.box for s in self.absent])

    @cached_property
    def count(self) -> int:
        """Devices that exist."""
        return sum(volume(b) for b in self.boxes)

    @property
    def declared(self) -> int:
        """Devices if none were absent."""
        return prod(self.sizes.values())

    def counting(self) -> str:
        """How the count comes about, in words: `4 su × 8 rack × 18 tray - 1 absent`."""
        product = " × ".join(f"{a.size} {a.name}" for a in self.axes) or "1"
        gone = self.declared - self.count
        return product + (f" - {gone} absent" if gone else "")

    def flat(self, coordinates: Mapping[str, int]) -> int:
        """Flat index over the rulers."""
        n = 0
        for axis in self.axes:
            n = n * axis.ruler + coordinates[axis.name]
        return n

    def coordinates(self, flat: int) -> dict[str, int]:
        """Inverse of `flat`."""
        out: dict[str, int] = {}
        for axis in reversed(self.axes):
            flat, out[axis.name] = divmod(flat, axis.ruler)
        return {a.name: out[a.name] for a in self.axes}


@dataclass(frozen=True, slots=True)
class Block:
    """A range of a device's ports: which socket group, the first cage counted from 0, ports per cage, lanes per cage.

    Port n of the range is cage `first + n // split`, position `n % split`, unless `ports` lists where each n sits.
    """

    name: str
    first: int = 0
    split: int = 1
    lanes: int = 8
    ports: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Deal:
    """Number n of a coarse end falls on member (n + start) % m, port (n + start) // m of that member: round robin.

    With a `lane` (a digit of the other end's ports), port j of number n falls on member (n + start + j) % m, on the next port
    that is free there, numbers taken in order: the way dual-homed nodes are walked round a ring of switches.
    """

    axis: str
    start: int = 0
    lane: str = ""


@dataclass(frozen=True, slots=True)
class Pack:
    """Number n falls on member (n + start) // capacity: fill one, then the next."""

    axis: str
    capacity: int
    start: int = 0


@dataclass(frozen=True, slots=True)
class Mesh:
    """Every pair x < y of a digit of end a and one of end b, which read the same axis. A device's ports count its peers, itself
    skipped."""

    a: str
    b: str


@dataclass(frozen=True, slots=True)
class Line:
    """Each x of digit `a` to x + 1 of digit `b`; `wrap` closes the ring (a ring of two is one link). Port 0 goes up, 1 down."""

    a: str
    b: str
    wrap: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Stated rows on digits of both ends: (values of `a`, values of `b`, how many links). Ports are taken in the order of rows, or
    are written out: of every row, which is one link then, the number at `a` and at `b`."""

    a: tuple[str, ...]
    b: tuple[str, ...]
    rows: tuple[tuple[tuple[int, ...], tuple[int, ...], int], ...]
    ports: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class End:
    """One end of a bundle.

    `view` reads axes in digits (major first); an axis not named is one digit of its own name. `order` is the port number's
    digits, major first: exactly the digits that the other end has and this one lacks, and the ways. `where` keeps only these
    devices; `shift` adds an offset on a ruler shared with another group.
    """

    group: str
    block: Block
    view: dict[str, tuple[str, ...]] = field(default_factory=dict)
    order: tuple[str, ...] | None = None
    spread: Deal | Pack | None = None
    where: dict[str, range] = field(default_factory=dict)
    shift: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Media:
    """What links of a bundle are made of: a cable part and, per end, the transceiver in the cage ("" where there is none).

    `length_m` is the length that is ordered, `basis` says where it comes from. An empty `cable` means that nothing fits.
    """

    medium: str
    cable: str = ""
    optics: tuple[str, str] = ("", "")
    length_m: float = 0
    basis: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Join:
    """All digit tuples of both regions that agree on `on`, times the `ways` (digits that neither end has).

    `sizes` are the sizes of digits of split axes. `gone` are single links taken out, as digits. `layer` names the two tiers
    (`node-leaf`); `field_cabled` is False for what comes wired from the factory. `media` are the lengths that are ordered and what
    each is made of, shortest first: one as long as no hall says how far the ends are apart, none where nothing is chosen. `pairs`
    keeps, of the digits it names, only certain pairs; at each end the port number then has a digit `peer`, the how-manieth pair of
    that device this is.
    """

    name: str
    a: End
    b: End
    on: tuple[str, ...] = ()
    ways: dict[str, int] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    rate_gbps: float = 0
    fabric: str = ""
    layer: str = ""
    field_cabled: bool = True
    media: tuple[Media, ...] = ()
    gone: tuple[dict[str, int], ...] = ()
    pairs: Mesh | Line | Table | None = None
    origin: Path = ()

    @property
    def ends(self) -> tuple[End, End]:
        """Both ends; the lower tier first."""
        return self.a, self.b

    @property
    def longest(self) -> Media | None:
        """What its longest cables are made of; None where nothing is chosen."""
        return self.media[-1] if self.media else None


@dataclass(frozen=True, slots=True)
class Fabric:
    """A network of the design: its device tiers from the nodes up, and what the blueprint allows of it.

    `oversubscription` is the most that is allowed of each tier (group name -> ratio) and `allow` are codes of design rules whose
    breach the author has accepted here.
    """

    name: str
    kind: str
    tiers: tuple[str, ...]
    oversubscription: dict[str, float] = field(default_factory=dict)
    field_cabled: bool = True
    allow: tuple[str, ...] = ()
    title: str = ""
    origin: Path = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """Something that was not written but derived: what came out, and by which rule."""

    subject: str
    what: str
    why: str


@dataclass(frozen=True, slots=True)
class Requirement:
    """`measure(subject) op bound`, or with op `==` and `expected` a figure that somebody else wrote down."""

    text: str
    measure: str
    subject: str
    op: str
    bound: float
    unit: str = "1"
    expected: bool = False
    origin: Path = ()


@dataclass(frozen=True, slots=True)
class Stock:
    """Pieces of a part that are owned already; of a cable, of one length."""

    part: str
    count: int
    length_m: float | None = None


@dataclass(frozen=True, slots=True)
class Collective:
    """An operation on all accelerators of `over` together, each with `size_bytes`; `algorithm` is `auto` unless somebody chose one."""

    name: str
    op: str
    over: tuple[Selector, ...]
    size_bytes: int
    algorithm: str = "auto"
    origin: Path = ()


@dataclass(frozen=True, slots=True)
class Upkeep:
    """What is assumed of repairs, spares and checkpoints.

    A broken part is replaced after `repair_ns`, a spare arrives `lead_ns` after it was ordered and is on the shelf with probability
    `level`; a checkpoint takes `write_ns`, a restart `restart_ns`. `per_1000_node_days` are interruptions that were measured on
    the whole, in place of a sum over parts.
    """

    repair_ns: float = 24 * 3600e9
    lead_ns: float = 14 * 86400e9
    level: float = 0.99
    write_ns: float = 20e9
    restart_ns: float = 300e9
    per_1000_node_days: float | None = None


@dataclass(frozen=True, slots=True)
class Traffic:
    """Who sends to whom, over one fabric at once; every sender sends 1 in all unless `rows` say how much.

    `kind` is all-to-all, ring, tree, shift, worst-case, gravity, matrix or many-to-one. `among` and `to` are selectors of terminals
    (all where there is none), `within` axes on which two must agree, `along` the axis of a ring, `by` how far a shift goes. `rows`
    of a matrix are (from, to, Gb/s of each sender); `mass` is that of each part of a gravity. `scale_up` says what the links between
    the accelerators of a domain do for it: unused, direct or relay. `routing` is adaptive, spray or hashed (each flow in
    `queue_pairs` parts), and `share` that of a link's rate which the transport delivers.
    """

    name: str
    kind: str
    among: tuple[str, ...] = ()
    to: tuple[str, ...] = ()
    within: tuple[str, ...] = ()
    along: str = ""
    by: int = 1
    rows: tuple[tuple[str, str, float], ...] = ()
    mass: tuple[float, ...] = ()
    fabric: str = ""
    scale_up: str = "unused"
    routing: str = "adaptive"
    queue_pairs: int = 1
    share: float = 1.0
    origin: Path = ()


@dataclass(frozen=True, slots=True)
class Moved:
    """What had another name, or other coordinates, in the version before: `was` there is `now` here. As written: a fabric, entry or
    group; `compute[su]` for an axis; `compute[su=2..3]` for devices. It changes nothing here; a comparison reads it."""

    was: str
    now: str
    origin: Path = ()


@dataclass(frozen=True)
class Design:
    """A small exact value: everything that is asked, drawn, ordered or compared is asked of this.

    `phases` are in the order in which they are built: which devices come with each; a device of none is there before the first.
    `written` is what the blueprint says, parameters put in: dotted path -> value as text.
    """

    name: str
    groups: dict[str, DeviceGroup]
    bundles: tuple[Join, ...] = ()
    parts: dict[str, Part] = field(default_factory=dict)
    fabrics: dict[str, Fabric] = field(default_factory=dict)
    decisions: tuple[Decision, ...] = ()
    requirements: tuple[Requirement, ...] = ()
    remarks: tuple[Diagnostic, ...] = ()
    title: str = ""
    parameters: dict[str, str] = field(default_factory=dict)
    have: tuple[Stock, ...] = ()
    phases: dict[str, tuple[Selector, ...]] = field(default_factory=dict)
    collectives: tuple[Collective, ...] = ()
    upkeep: Upkeep = Upkeep()
    traffic: tuple[Traffic, ...] = ()
    moved: tuple[Moved, ...] = ()
    extras: tuple[Added, ...] = ()
    spares: Spares = field(default_factory=Spares)
    labels: Labels = field(default_factory=Labels)
    written: dict[str, str] = field(default_factory=dict)
    hall: Hall | None = None

    @cached_property
    def floor(self) -> "Floor | None":
        """The hall ready to measure cables in; None without one."""
        from dcgen.design.routes import Floor

        return Floor(self, self.hall) if self.hall else None

    @cached_property
    def loads(self) -> "list[Load]":
        """What lies in every stretch of every tray; nothing without a hall."""
        from dcgen.design.fill import loads

        return loads(self) if self.hall else []

    @cached_property
    def tally(self) -> "Tally":
        """Cables and transceivers of every bundle, each length by itself: what is counted once and read by all."""
        from dcgen.design.tally import tally

        return tally(self)

    def part(self, group: str) -> Part:
        """The part that a group's devices are instances of."""
        return self.parts[self.groups[group].part]

    def of(self, fabric: str) -> list[Join]:
        """Bundles of one fabric, from the nodes up."""
        return [b for b in self.bundles if b.fabric == fabric]
