"""Turns a NetBox device type into the text of a part file, and says what the device type does not tell; invents nothing."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

from dcgen.catalog.interfaces import (
    MOST_INTERFACES,
    MOST_PORTS_OF_A_CAGE,
    NOT_SOCKETS,
    UNKNOWN_CAGE,
    Group,
    Interface,
    expanded,
    grouped,
    kind_of,
)
from dcgen.diagnostics import Diagnostic, Path, Rejected
from dcgen.naming import name_fault
from dcgen.source import Source
from dcgen.units import UnitError, parse, spoken

_LIBRARY = "https://github.com/netbox-community/devicetype-library"
_FEWEST_PORTS_OF_A_SWITCH = 16
_PLAIN = re.compile(r"[A-Za-z][\w.()+/-]*(?: [\w.()+/-]+)*", re.ASCII)
_WORDS = ("null", "true", "false", "yes", "no", "on", "off")
_LEFT_OUT = ("console-ports", "console-server-ports", "front-ports", "rear-ports", "module-bays", "device-bays", "inventory-items")
_OUNCE_KG = 0.028349523125
_HIGHEST_U, _HEAVIEST_KG, _MOST_W = 100, 1e6, 1e9


def imported(source: Source) -> tuple[str, list[str]]:
    """(text of a part file, one line for each thing that a design needs and the device type does not say).

    Raises:
        Rejected: it is no device type: no manufacturer or model, lists that are none, figures that are none.
    """
    return _Import(source).text()


class _Import:
    """One device type while it is taken over."""

    def __init__(self, source: Source) -> None:
        self._source, self._data = source, source.data
        self._faults: list[Diagnostic] = []
        self._missing: list[str] = []

    def text(self) -> tuple[str, list[str]]:
        """The part, and what is missing; raises everything that is wrong at once."""
        maker, model = self._word("manufacturer"), self._word("model")
        groups, outlets, inlets = grouped(self._interfaces()), list(self._items("power-outlets")), list(self._items("power-ports"))
        kind = self._kind(groups, len(outlets))
        if kind == "node":
            groups.sort(key=lambda g: (g.managed, -g.kind.rate_gbps))
        head = [f"part: {_scalar(self._id(maker, model))}", f"kind: {kind}", f"maker: {_scalar(maker)}", f"title: {_scalar(model)}"]
        head += [f"part_number: {_scalar(number)}"] if (number := self._word("part_number", needed=False)) else []
        body = self._own(kind, groups, outlets) + list(self._ports(kind, groups)) + [""]
        body += self._size() + self._inlets(kind, inlets) + self._sources(maker)
        self._left_out()
        if self._faults:
            raise Rejected(self._source.place(self._faults))
        return "\n".join([*head, "confidence: low", "source: netbox", "", *body]) + "\n", self._missing

    # reading
    def _fault(self, code: str, what: str, at: Path, fix: str = "", why: str = "") -> None:
        self._faults.append(Diagnostic(code, what, why, fix, origin=at))

    def _word(self, key: str, needed: bool = True, within: Any = None, at: Path = ()) -> str:
        data = self._data if within is None else within
        value = data.get(key)
        if isinstance(value, str) and value.strip():
            return " ".join(value.split())
        if value is not None and not isinstance(value, str):
            self._fault("wrong-type", f"`{key}` is not a text", (*at, key), "write text")
        elif needed:
            self._fault("missing-key", f"there is no `{key}`", at, f"write `{key}: …`", "a NetBox device type has one")
        return ""

    def _items(self, key: str) -> Iterator[tuple[Path, dict[str, Any]]]:
        value = self._data.get(key)
        if value is not None and not isinstance(value, list):
            self._fault("wrong-type", f"`{key}` is not a list", (key,), "write `- name: …` lines")
            return
        for i, item in enumerate(value or []):
            if isinstance(item, dict):
                yield (key, i), item
            else:
                self._fault("wrong-type", f"`{key}[{i}]` is not a mapping", (key, i), "write `- name: …`")

    def _interfaces(self) -> list[Interface]:
        out: list[Interface] = []
        left: dict[str, list[str]] = {}
        for at, item in self._items("interfaces"):
            name, word = self._word("name", within=item, at=at), self._word("type", within=item, at=at)
            kind = kind_of(word)
            if kind is None:
                left.setdefault(word, []).append(name)
                continue
            for one in expanded(name):
                out.append(Interface(one, kind, str(item.get("mgmt_only")).casefold() == "true"))
                if len(out) > MOST_INTERFACES:
                    self._fault("too-big", f"more than {MOST_INTERFACES:,} interfaces", at, "shorten the range")
                    return []
        for word, names in left.items():
            if word and word not in NOT_SOCKETS:
                self._missing.append(f"ports: {len(names)} of type `{word}` are left out (`{names[0]}` …): the type does not tell the rate")
        twice = next((name for name, n in Counter(i.name for i in out).items() if n > 1), None)
        if twice is not None:
            self._fault("duplicate-key", f"the interface `{twice}` is listed twice", ("interfaces",), "remove one")
        return out

    def _number(self, text: str, dimension: str, at: Path, most: float) -> float | None:
        try:
            value = float(parse(text, dimension))
        except UnitError as e:
            self._fault(e.code, e.what, at, e.fix)
            return None
        if not 0 <= value <= most:
            self._fault("out-of-range", f"`{text}` is outside 0 to {most:,g}", at)
        return value

    # what it is
    def _id(self, maker: str, model: str) -> str:
        slug = self._word("slug", needed=False)
        if slug and not name_fault(slug):
            return slug
        return re.sub(r"[^a-z0-9]+", "-", f"{maker} {model}".casefold()).strip("-") or "imported"

    def _kind(self, groups: list[Group], outlets: int) -> str:
        ports = sum(g.ports for g in groups if not g.managed)
        kind = "pdu" if outlets else "switch" if ports >= _FEWEST_PORTS_OF_A_SWITCH else "node"
        why = f"{outlets} outlets" if outlets else f"{ports} ports for data"
        self._missing.append(f"kind: `{kind}` is guessed from {why}; a device type does not say what a device is")
        return kind

    def _own(self, kind: str, groups: list[Group], outlets: list[tuple[Path, dict[str, Any]]]) -> list[str]:
        if kind == "switch":
            words = {g.kind.protocol for g in groups if not g.managed}
            fabric = "infiniband" if words == {"infiniband"} else "ethernet"
            self._missing.append(
                f"fabric: `{fabric}` is read from the types of the interfaces; many InfiniBand devices have Ethernet types"
            )
            return [f"fabric: {fabric}"]
        if kind == "pdu":
            legs = {str(item["feed_leg"]) for _, item in outlets if item.get("feed_leg")}
            self._missing += [] if legs else ["phases: no outlet names its `feed_leg`"]
            return [f"outlets: {len(outlets)}", *([f"phases: {len(legs)}"] if legs else [])]
        self._missing.append("accelerator, accelerators, cpus, memory_gb: what computes in it")
        return []

    # its sockets
    def _ports(self, kind: str, groups: list[Group]) -> Iterator[str]:
        if not groups:
            if kind == "switch":
                yield "ports: {}"
            self._missing.append("ports: no interface is listed")
            return
        yield "ports:"
        taken: list[str] = []
        for group in groups:
            name = _group_name(kind, group, taken)
            taken.append(name)
            yield f"  {name}:"
            yield from (f"    {line}" for line in self._sockets(kind, name, group))

    def _sockets(self, kind: str, name: str, g: Group) -> list[str]:
        at, mode = f"ports.{name}", f"{g.split}x{g.rate}"
        self._missing += [f"{at}.label: {doubt}" for doubt in g.doubts]
        if g.kind.cage == UNKNOWN_CAGE:
            self._missing.append(f"{at}.cage: the type names no cage; no transceiver fits `{UNKNOWN_CAGE}`")
        elif g.kind.cage == "osfp":
            self._missing.append(f"{at}.cage: `osfp` does not tell the heat sink; write `osfp-ihs` (finned) or `osfp-rhs` (flat)")
        if g.kind.cage != "rj45":
            self._missing.append(f"{at}.modes: only `{mode}` is known; add the other ways to run a cage")
            self._missing.append(f"{at}.lanes, {at}.lane_rate: lanes of a cage and the rate of one")
        lanes = 1 if g.kind.cage == "rj45" else g.split if MOST_PORTS_OF_A_CAGE % g.split else None
        if kind == "node" and not g.managed:
            self._missing.append(f"{at}.axes: `port` counts the ports; write `rail` or `plane` if that is what they are")
        return [
            *([f"axes: {{port: {g.ports}}}"] if kind == "node" else []),
            f"cages: {g.cages}",
            f"cage: {g.kind.cage}",
            f"modes: [{mode}]",
            *([f"lanes: {lanes}"] if lanes else []),
            f"protocols: [{g.kind.protocol}]",
            *([f"first: {g.first}"] if g.first != 1 else []),
            f'label: "{g.label}"' if g.split == 1 else f'split_label: "{g.label}"',
        ]

    # its figures
    def _size(self) -> list[str]:
        out: list[str] = []
        height = self._word("u_height", needed=False)
        if height and self._number(height, "ratio", ("u_height",), _HIGHEST_U) is not None:
            out.append(f"height: {height} U")
        else:
            self._missing.append("height: there is no `u_height`")
        weight, unit = self._word("weight", needed=False), self._word("weight_unit", needed=False)
        kilograms = self._number(f"{weight} {unit.replace('oz', 'kg')}", "mass", ("weight",), _HEAVIEST_KG) if weight and unit else None
        if kilograms is None:
            self._missing.append("mass: there is no `weight` with a `weight_unit`")
        else:
            out.append(f"mass: {kilograms * _OUNCE_KG:g} kg" if unit == "oz" else f"mass: {weight} {unit}")
        airflow = self._word("airflow", needed=False)
        self._missing.append(
            "cooling: " + (f"`airflow: {airflow}` does not tell whether liquid helps" if airflow else "air, liquid or mixed")
        )
        self._missing.append("depth, price: a device type has neither")
        return out

    def _inlets(self, kind: str, inlets: list[tuple[Path, dict[str, Any]]]) -> list[str]:
        draws = [self._draw("maximum_draw", at, item) for at, item in inlets]
        budget = sum(self._draw("allocated_draw", at, item) or 0 for at, item in inlets)
        known = [d for d in draws if d]
        if budget:
            self._missing.append(f"power.typical: `allocated_draw` is {spoken(budget, 'w')}: what was set aside, not what is drawn")
        elif kind != "pdu":
            self._missing.append("power.typical: a device type has none")
        field = "capacity" if kind == "pdu" else "power.max"
        if not known or len(known) < len(draws):
            self._missing.append(f"{field}: {len(draws) - len(known)} of {len(draws)} inlets tell no `maximum_draw`")
            return []
        each = f"inlet{'s' if len(known) > 1 else ''} of {' + '.join(f'{d:g}' for d in known)} W"
        figure = f"{{value: {sum(known):g} W, estimate: true, note: {each}}}"
        if kind == "pdu":
            return [f"capacity: {figure}"]
        if len(known) > 1:
            self._missing.append("power.max: the sum of all inlets; where one stands in for another, the device draws less")
        return ["power:", f"  max: {figure}"]

    def _draw(self, key: str, at: Path, item: dict[str, Any]) -> float | None:
        text = self._word(key, needed=False, within=item, at=at)
        return self._number(f"{text} W", "power", (*at, key), _MOST_W) if text else None

    # where it comes from
    def _sources(self, maker: str) -> list[str]:
        self._missing.append("sources: the day you read it; the maker's data sheet, if one stands behind the figures")
        title = _scalar(f"NetBox device type library: {maker}, {PurePath(self._source.name).name}")
        return ["", "sources:", f"  netbox: {{title: {title}, url: {_LIBRARY}, tier: secondary}}"]

    def _left_out(self) -> None:
        counts = [(key, value) for key in _LEFT_OUT if isinstance(value := self._data.get(key), list)]
        said = [f"{len(value)} {key.replace('-', ' ')}" for key, value in counts if value]
        if said:
            self._missing.append(f"left out, because no design asks for it: {', '.join(said)}")


def _group_name(kind: str, group: Group, taken: list[str]) -> str:
    if group.managed:
        name = "bmc" if kind == "node" else "mgmt"
    else:
        first = not taken and kind != "pdu"
        name = {"switch": "main", "node": "nic"}[kind] if first else f"{group.kind.cage}-{group.rate.casefold().replace('.', '-')}"
    same = sum(t == name or t.startswith(f"{name}-no") for t in taken)
    return f"{name}-no{same + 1}" if same else name


def _scalar(text: str) -> str:
    """Text as YAML: bare where nothing can be mistaken, in quotes elsewhere."""
    bare = _PLAIN.fullmatch(text) and text.casefold() not in _WORDS
    return text if bare else json.dumps(text, ensure_ascii=False)
