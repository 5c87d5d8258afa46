"""What a comparison says: changes by identity, cables by what happens to each, effects, verdicts, parts, and a patch.

Everything is keyed by names and coordinates, never by position in a list. `-` is taken away, `+` comes new, `~` differs, `>` has
another name and is otherwise the same thing.
"""

from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from dcgen.diagnostics import Diagnostic, Path

Sign = Literal["-", "+", "~", ">"]
What = Literal["before", "after", "kept", "pulled", "removed", "repatched", "replaced", "lengthened", "relabelled"]
Direction = Literal["better", "worse", "different", "same"]


class Field(NamedTuple):
    """One property of a thing that differs, as a person reads it; empty where that side has none."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Change:
    """One change of the design.

    `kind` is fabric, racks, devices, bundle, part, requirement, label, placement, or the section of the saved design it stands in
    (`phases`, `parameters`, ...). `subject` is an address or selector in the design after it (before it for `-`); `was` is the
    address before a rename. `count` are the devices or links concerned, `unit` says which ("" where nothing is counted).

    `written` says that the blueprint, or a part, says something else at `origin` (a path in the blueprint); otherwise the change
    follows, and `why` says from what. `within` is the subject of the change that this one is a piece of: a short reading leaves
    these out. `hint` is a guess, such as that this looks like a rename.
    """

    sign: Sign
    kind: str
    subject: str
    count: int = 0
    unit: str = ""
    fields: tuple[Field, ...] = ()
    written: bool = True
    was: str = ""
    origin: Path = ()
    why: str = ""
    within: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Devices:
    """What happens to the devices of one group; `was` is its name before, where that differs.

    `kept` are in both, `replaced` of these are another part now, `relabelled` of these carry another label, `moved` of these stand
    in another rack. `added` and `removed` count the rest, and their regions are selectors.
    """

    group: str
    was: str
    part_before: str
    part_after: str
    before: int
    after: int
    kept: int
    replaced: int
    relabelled: int
    moved: int
    regions_added: tuple[str, ...] = ()
    regions_removed: tuple[str, ...] = ()

    @property
    def added(self) -> int:
        """Devices that were not there."""
        return self.after - self.kept

    @property
    def removed(self) -> int:
        """Devices that are not there any more."""
        return self.before - self.kept

    @property
    def touched(self) -> bool:
        """Whether anything happens to any of them."""
        return bool(self.added or self.removed or self.replaced or self.relabelled or self.moved)


@dataclass(frozen=True, slots=True)
class Cables:
    """What happens to the cables of one bundle, each counted once; a cable is its two ends, each a device and its first lane.

    Of `before`, so many are `kept` (nobody touches them), `relabelled` (a label at an end is reprinted), `lengthened` (in the same
    two ports, of another ordered length), `replaced` (in the same two ports, another cable or transceiver), `repatched` (the same
    cable with an end in another port, or in a device that is replaced) and `removed`. What is left of `after` is `pulled`.
    Where `factory`, these are links that come wired, and nobody pulls any.
    """

    bundle: str
    was: str
    fabric: str
    before: int
    after: int
    kept: int
    repatched: int = 0
    replaced: int = 0
    lengthened: int = 0
    relabelled: int = 0
    factory: bool = False

    @property
    def stay(self) -> int:
        """Cables of before that are still there after, touched or not."""
        return self.kept + self.repatched + self.replaced + self.lengthened + self.relabelled

    @property
    def pulled(self) -> int:
        """New cables."""
        return self.after - self.stay

    @property
    def removed(self) -> int:
        """Cables taken out."""
        return self.before - self.stay

    @property
    def touched(self) -> bool:
        """Whether anything happens to any of them."""
        return self.kept != self.before or self.kept != self.after


@dataclass(frozen=True, slots=True)
class Effect:
    """One measure before and after, in its unit; None where that side has no such measure.

    `direction` judges by the measure's own declaration of what is better; what says nothing, or cannot be told because parts are
    unknown, is `different`. `bound_before` and `bound_after` are `at least ` or `at most ` in front of what is only a bound.
    """

    measure: str
    subject: str
    unit: str
    before: float | int | None
    after: float | int | None
    direction: Direction
    bound_before: str = ""
    bound_after: str = ""
    method: str = ""

    @property
    def delta(self) -> float | int | None:
        """After less before, or None where a side has no figure."""
        return None if self.before is None or self.after is None else self.after - self.before


@dataclass(frozen=True, slots=True)
class Verdict:
    """A requirement or expectation before and after: `holds`, `broken`, or empty where it was not asked.

    `text` is as it is written after (before, where it was dropped), `was` what was asked before where that differs; `what` says
    how it is broken.
    """

    text: str
    before: Literal["", "holds", "broken"]
    after: Literal["", "holds", "broken"]
    was: str = ""
    what: str = ""
    origin: Path = ()

    @property
    def word(self) -> str:
        """broken (newly, or asked and broken at once), mended, added, dropped, changed, or same."""
        if self.after == "broken" and self.before != "broken":
            return "broken"
        if not self.before or not self.after:
            return "dropped" if self.before else "added"
        return "mended" if self.before != self.after else "changed" if self.was else "same"


@dataclass(frozen=True, slots=True)
class BomLine:
    """One line of the bill of materials whose quantity differs, in `unit` (each, or m); `order_before` and `order_after` are what is
    left to order."""

    part: str
    part_number: str
    kind: str
    length_m: float | None
    bought: str
    unit: str
    before: float | int
    after: float | int
    order_before: float | int
    order_after: float | int


@dataclass(frozen=True, slots=True)
class Edit:
    """One place of the saved form of a design: a path, and the value there before and after (MISSING where there is none)."""

    path: tuple[str, ...]
    before: Any
    after: Any


MISSING = object()
"""What stands in an Edit where a side has nothing; never saved."""


@dataclass(frozen=True, slots=True)
class Diff:
    """What changes from one design to another, and what that does.

    `changes` is the reading list, removals first; `devices` and `cables` cover every group and bundle that either design has,
    `effects` every measure, `verdicts` every requirement, also where nothing happens; `new` and `gone` are findings. `bom` are the
    lines that differ. `patch` leads from the saved form of the first to that of the second, cosmetic differences included.
    `notes` are remarks about the comparison itself.
    """

    before: str
    after: str
    changes: tuple[Change, ...] = ()
    devices: tuple[Devices, ...] = ()
    cables: tuple[Cables, ...] = ()
    effects: tuple[Effect, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    new: tuple[Diagnostic, ...] = ()
    gone: tuple[Diagnostic, ...] = ()
    bom: tuple[BomLine, ...] = ()
    patch: tuple[Edit, ...] = field(default=(), repr=False)
    notes: tuple[Diagnostic, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing that a reviewer cares about differs: order, spacing and wording are no change."""
        verdicts = any(v.word != "same" for v in self.verdicts)
        effects = any(e.direction != "same" for e in self.effects)
        moves = any(c.touched for c in self.cables) or any(d.touched for d in self.devices)
        return not (self.changes or self.new or self.gone or self.bom or verdicts or effects or moves)

    def total(self, what: What) -> int:
        """Cables of all bundles to which that happens; what comes wired from the factory is nobody's cable."""
        return sum(getattr(c, what) for c in self.cables if not c.factory)
