"""What a family builds on: the endpoints it serves, the parts it names, the place where it reports what is wrong."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from dcgen.design import Decision, DeviceGroup, Fabric, Join
from dcgen.diagnostics import Diagnostic, Path, Rejected, did_you_mean
from dcgen.fabric.media import Shelf
from dcgen.fabric.sockets import Place, places
from dcgen.parts import Part, Ports
from dcgen.parts.fields import Strict, Text
from dcgen.parts.switch import MANAGEMENT

if TYPE_CHECKING:
    from dcgen.fabric.ladder import Asked
    from dcgen.fabric.policy import MediaPolicy


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Sockets that a fabric can serve: the ports called `block` of every device of a group."""

    name: str
    group: DeviceGroup
    block: str
    ports: Ports
    of_switch: bool = False

    @property
    def rate_gbps(self) -> float:
        """Rate of one port, one direction [Gb/s]."""
        return self.ports.modes[0][1]

    @property
    def split(self) -> int:
        """Ports per cage."""
        return self.ports.modes[0][0]


@dataclass
class Site:
    """The workbench of one lay-out: what is there already, and what has gone wrong so far.

    With a `hall` what bundles are made of is chosen last, from what was `asked`; `policy` is that of the whole blueprint.
    """

    parts: Callable[[str], Part]
    shelf: Shelf
    endpoints: dict[str, Endpoint] = field(default_factory=dict)
    groups: dict[str, DeviceGroup] = field(default_factory=dict)
    used: dict[str, Part] = field(default_factory=dict)
    decisions: list[Decision] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)
    remarks: list[Diagnostic] = field(default_factory=list)
    hall: bool = False
    policy: "MediaPolicy | None" = None
    asked: dict[str, "Asked"] = field(default_factory=dict)
    _places: dict[str, dict[str, list[Place]]] = field(default_factory=dict)

    def places(self, group: DeviceGroup) -> dict[str, list[Place]]:
        """Printed label -> the ports of one of these devices that carry it, in every mode."""
        if group.part not in self._places:
            self._places[group.part] = places(self.used[group.part])
        return self._places[group.part]

    def part(self, part_id: str, origin: Path, kinds: tuple[type[Part], ...]) -> Part | None:
        """A part of one of these kinds, remembered as used; None after saying what is wrong."""
        try:
            part = self.parts(part_id)
        except Rejected as e:
            self.problems += [d if d.where else Diagnostic(d.code, d.what, d.why, d.fix, origin=origin) for d in e.diagnostics]
            return None
        if not isinstance(part, kinds):
            wanted = " or ".join(sorted(k.__name__.lower() for k in kinds))
            self.say(
                "wrong-kind", f"`{part_id}` is a {part.kind}, here belongs {'an' if wanted[0] in 'aeiou' else 'a'} {wanted}", origin=origin
            )
            return None
        self.used[part.part] = part
        return part

    def say(self, code: str, what: str, why: str = "", fix: str = "", subject: str = "", origin: Path = ()) -> None:
        """Report an error; the lay-out goes on as far as it can."""
        self.problems.append(Diagnostic(code, what, why, fix, subject=subject, origin=origin))

    def remark(
        self,
        code: str,
        what: str,
        why: str = "",
        fix: str = "",
        subject: str = "",
        origin: Path = (),
        severity: Literal["warning", "info"] = "warning",
    ) -> None:
        """Report something that is no error."""
        self.remarks.append(Diagnostic(code, what, why, fix, severity, subject, origin))

    def decide(self, subject: str, what: str, why: str) -> None:
        """Keep what was derived, and by which rule."""
        self.decisions.append(Decision(subject, what, why))

    def served(self, names: Sequence[str], origin: Path) -> list[Endpoint] | None:
        """The endpoints of these names, in the order given; a fabric's name stands for the management ports of all its switches.

        None after saying which names are unknown.
        """
        found: list[Endpoint] = []
        unknown = 0
        for i, name in enumerate(names):
            here = [e for key, e in self.endpoints.items() if key == name or (e.of_switch and key.startswith(f"{name}."))]
            if not here:
                unknown += 1
                fix = did_you_mean(name, dict.fromkeys(e.name for e in self.endpoints.values()))
                self.say("bad-reference", f"`{name}` is not something that can be served", fix=fix, origin=(*origin, i))
            found += [e for e in here if e not in found]
        return None if unknown else found

    def offer(self, fabric: Fabric, bundles: Sequence[Join]) -> None:
        """What the fabrics after this one can serve: its switches' management ports (`backend.leaf`), and port groups that it does
        not use itself (`oob.leaf.uplink`), counted by an axis `port`."""
        used = {(e.group, e.block.name) for b in bundles for e in b.ends}
        for tier in fabric.tiers:
            name = tier.replace("/", ".")
            for key, ports in self.used[self.groups[tier].part].port_groups().items():
                if key == MANAGEMENT:
                    self.endpoints[name] = Endpoint(name, self.groups[tier], key, ports, of_switch=True)
                elif (tier, key) not in used:
                    mode = ports.modes[0]
                    counted = ports.model_copy(update={"axes": {"port": ports.cages * mode[0]}, "modes": [mode]})
                    self.endpoints[f"{name}.{key}"] = Endpoint(f"{name}.{key}", self.groups[tier], key, counted)

    def add(self, group: DeviceGroup) -> DeviceGroup:
        """A new group of the design."""
        self.groups[group.name] = group
        return group


class Family(Strict):
    """A topology family: one model of what may be written, one method that lays it out."""

    title: Text | None = None

    @abstractmethod
    def lay_out(self, name: str, site: Site, origin: Path) -> Iterator[Fabric | Join]:
        """Yield the fabric and its bundles; groups, decisions and problems go to the site."""
