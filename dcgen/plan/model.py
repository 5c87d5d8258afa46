"""What a plan is: stages in order, each with its cables, what is left of the bandwidth meanwhile, and the design it ends at."""

from dataclasses import dataclass, field
from fractions import Fraction

from dcgen.design.columns import Ints
from dcgen.design.model import Design
from dcgen.diagnostics import Diagnostic
from dcgen.plan.cables import Cables, Inventory
from dcgen.plan.residual import Residual
from dcgen.plan.solved import Throughput


def percent(share: Fraction | float) -> str:
    """A share for people, rounded down to a hundredth of a per cent.

    >>> percent(Fraction(71, 72)), percent(0.75)
    ('98.61 %', '75 %')
    """
    hundredths = int(Fraction(share).limit_denominator(10**9) * 10_000)
    return f"{hundredths / 100:g} %"


@dataclass(frozen=True, slots=True)
class Devices:
    """How many devices of a group come, go, or are replaced by another part."""

    group: str
    added: int = 0
    removed: int = 0
    replaced: int = 0


@dataclass(frozen=True, slots=True)
class Layer:
    """The cables of one layer of a fabric: those before, of which `kept` stay in both sockets, and those that come new."""

    fabric: str
    layer: str
    before: int
    kept: int
    added: int

    @property
    def removed(self) -> int:
        """Cables that are unplugged."""
        return self.before - self.kept


@dataclass(frozen=True, slots=True)
class Interruption:
    """Devices of a group whose only link to a fabric is moved: they are cut off for as long as that takes."""

    group: str
    fabric: str
    stage: int
    devices: Ints


@dataclass(frozen=True)
class Tasks:
    """The work of one stage, a row for each cable that is touched, as rows of `unplugged` and `plugged`; -1 where there is none.

    A row with both moves one end and leaves the other in its socket, or exchanges the cable where `exchange` says that it cannot be
    used again; `stays` is the end (0 or 1) that is left alone, -1 where there is none.
    """

    unplugged: Ints
    plugged: Ints
    stays: Ints
    exchange: Ints

    def __len__(self) -> int:
        return len(self.unplugged)


@dataclass(frozen=True)
class Stage:
    """One stage: number 0 prepares, 1 to the last but one drain and move, the last one takes away what nothing uses any more.

    `share` is the least share of its links that any device keeps in a fabric, or None where nothing in service is unplugged;
    `residuals` say what the layers keep, `throughputs` what the accelerators get, where that is known.
    """

    number: int
    title: str
    tasks: Tasks
    share: Fraction | None = None
    residuals: tuple[Residual, ...] = ()
    throughputs: tuple[Throughput, ...] = ()


@dataclass(frozen=True)
class Plan:
    """The way from one design to another.

    `removed` and `added` are the cables of all stages; `kept` stay where they are, `again` says how many of these are not where the
    design after, laid out from nothing, would have them. `design` is the design that the plan ends at, in full unless
    `unwritten` names bundles that are too irregular and large to be written down.
    """

    inventory: Inventory
    before: Design
    after: Design
    keep: Fraction
    kept: Cables
    removed: Cables
    added: Cables
    stages: tuple[Stage, ...]
    layers: tuple[Layer, ...]
    devices: tuple[Devices, ...]
    interruptions: tuple[Interruption, ...]
    design: Design
    moved: int
    in_use: int
    differ: int = 0
    unwritten: tuple[str, ...] = ()
    findings: tuple[Diagnostic, ...] = field(default=())

    @property
    def nothing(self) -> bool:
        """Whether there is nothing to do."""
        return not self.stages and not self.devices

    @property
    def draining(self) -> tuple[Stage, ...]:
        """The stages in which something in service is unplugged."""
        return tuple(s for s in self.stages if s.share is not None)
