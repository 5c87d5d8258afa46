"""What every part has: who makes it, what it weighs and draws, where each figure comes from; and what a port is."""

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from dcgen.parts.fields import (
    AxisName,
    CageCount,
    Count,
    Flag,
    LengthM,
    MoneyUsd,
    Name,
    Nested,
    PartId,
    Positive,
    RateGbps,
    Strict,
    Text,
    apart,
    fault,
    quantity,
)  # fmt: skip
from dcgen.units import Plain, UnitError, parse


class Source(Nested):
    """Where a figure was read."""

    title: Text
    url: Text | None = None
    read: Text | None = None
    tier: Literal["vendor", "vendor-quoted", "paper", "press", "reseller", "secondary", "derived"] = "secondary"


class Figure(Nested):
    """One physical figure in the base unit of its field, with where it comes from and how far to trust it.

    Written bare (`7 kW`) it rests on the part's own `source`.
    """

    value: float
    source: Name | None = None
    estimate: Flag = False
    note: Text | None = None

    @model_validator(mode="before")
    @classmethod
    def _bare(cls, value: Any) -> Any:
        return value if isinstance(value, Mapping | Figure) else {"value": value}

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: Any) -> Any:
        return {"anyOf": [{"type": ["string", "number"]}, handler(core)]}


class PowerFigure(Figure):
    """Watts."""

    value: Annotated[float, BeforeValidator(quantity("power", 0, 5e9)), WithJsonSchema({"type": ["string", "number"]})]


class LengthFigure(Figure):
    """Metres."""

    value: Annotated[float, BeforeValidator(quantity("length", 0, 1e6)), WithJsonSchema({"type": ["string", "number"]})]


class MassFigure(Figure):
    """Kilograms."""

    value: Annotated[float, BeforeValidator(quantity("mass", 0, 1e6)), WithJsonSchema({"type": ["string", "number"]})]


class HeightFigure(Figure):
    """Rack units."""

    value: Annotated[float, BeforeValidator(quantity("height", 0, 100)), WithJsonSchema({"type": ["string", "number"]})]


class RateFigure(Figure):
    """Gigabits a second."""

    value: Annotated[float, BeforeValidator(quantity("rate", 0, 1e9)), WithJsonSchema({"type": ["string", "number"]})]


class TimeFigure(Figure):
    """Nanoseconds."""

    value: Annotated[float, BeforeValidator(quantity("time", 0, 1e18)), WithJsonSchema({"type": ["string", "number"]})]


class FailureRateFigure(Figure):
    """FIT: failures in 1e9 device-hours; 1e9 over an MTBF in hours."""

    value: Annotated[float, BeforeValidator(quantity("failure rate", 0, 1e9)), WithJsonSchema({"type": ["string", "number"]})]


class NumberFigure(Figure):
    """A bare number; its unit is in the field's name."""

    value: Annotated[float, BeforeValidator(quantity("ratio")), WithJsonSchema({"type": "number"})]


class MoneyFigure(Figure):
    """A price in USD, dated."""

    value: MoneyUsd  # type: ignore[assignment]  # money is exact: a Decimal where other figures are floats
    date: Text | None = None


def _unknown(value: Any) -> Any:
    return None if isinstance(value, str) and value == "unknown" else value


Known = BeforeValidator(_unknown)
"""Lets a figure be written as `unknown`, which is the same as leaving it out."""


class Power(Nested):
    """What a part draws [W], by the names figures are published under.

    A switch is often quoted with its optics drawing; `includes_optics` says so, and then `optic_allotment` is what one cage's
    share of that figure is, so that the optics can be counted apart and nothing is counted twice.
    """

    typical_w: Annotated[PowerFigure | None, Known] = Field(None, alias="typical")
    max_w: Annotated[PowerFigure | None, Known] = Field(None, alias="max")
    includes_optics: Flag = False
    optic_allotment_w: Annotated[PowerFigure | None, Known] = Field(None, alias="optic_allotment")


class Conflict(Nested):
    """Values that sources disagree on; the one in the figure is the one chosen."""

    figure: Text
    values: list[Text]
    chosen: Text | None = None


_MODE = re.compile(r"(\d{1,3})x(.+)")


def _mode(value: Any) -> tuple[int, float]:
    if isinstance(value, list | tuple) and len(value) == 2:
        return int(value[0]), float(value[1])
    found = _MODE.fullmatch(str(value))
    if not found or not int(found[1]):
        raise fault("wrong-type", f"`{value}` is not a port mode", "write for example `2x400G`: ports per cage, and the rate of each")
    try:
        rate = float(parse(Plain(found[2]), "rate"))
    except UnitError as e:
        raise fault(e.code, e.what, e.fix) from None
    if rate <= 0:
        raise fault(
            "out-of-range", f"`{value}` is a mode without any rate", "write for example `2x400G`: ports per cage, and the rate of each"
        )
    return int(found[1]), rate


Mode = Annotated[tuple[int, float], BeforeValidator(_mode), WithJsonSchema({"type": "string", "examples": ["2x400G"]})]
"""How one cage can be run: ports per cage, rate of each [Gb/s]."""

_ENOUGH = 200
"""Cages after which a pattern that repeats a label has done so."""
_LABEL_FIELDS = {"cage", "sub", "leg", "port"}
_LABEL_SIGNS = re.compile(r"[\w/.:_-]*(?:\{\w+(?::\d{1,2})?\}[\w/.:_ -]*)+")


def _pattern(value: Any) -> str:
    text = str(value)
    used = set(re.findall(r"\{(\w+)", text))
    if not _LABEL_SIGNS.fullmatch(text) or not used <= _LABEL_FIELDS:
        raise fault(
            "wrong-type",
            f"`{text[:40]}` is not a port label",
            "write text with `{cage}`, `{sub}` (from 0), `{leg}` (from 1) or `{port}`, for example `swp{cage}s{sub}`",
        )
    return text


Pattern = Annotated[str, BeforeValidator(_pattern), WithJsonSchema({"type": "string", "examples": ["swp{cage}s{sub}"]})]


class MappedPort(Nested):
    """Which socket and which operating-system name a coordinate of a port group has."""

    at: dict[Name, Count]
    port: Text
    os: Text | None = None


class Ports(Nested):
    """A group of alike sockets: cages on a switch, NIC ports with axes (`rail`, `plane`) on a node.

    Co-packaged ports have no transceiver, and say themselves what light comes out: `fibre`, `connector`, `reach_class`, `reach`.
    """

    cages: CageCount = 1
    cage: Name
    modes: list[Mode] = Field(min_length=1)
    lanes: Positive = 8
    first: Count = 1
    label: Pattern = "{port}"
    split_label: Pattern | None = None
    optics: Literal["pluggable", "co-packaged", "captive"] = "pluggable"
    fibre: Literal["multimode", "single-mode"] | None = None
    connector: Name | None = None
    reach_class: Name | None = None
    reach_m: LengthM | None = Field(None, alias="reach")
    protocols: list[Name] = []
    lane_rate_gbps: RateGbps | None = Field(None, alias="lane_rate")
    axes: Annotated[dict[AxisName, Positive], BeforeValidator(apart)] = {}
    nic: PartId | None = None
    map: list[MappedPort] = []

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        self._tells_apart()
        for ports, _ in self.modes:
            if self.lanes % ports:
                raise fault(
                    "part-contradiction",
                    f"{ports} ports do not share {self.lanes} lanes evenly",
                    "state `lanes:` as a multiple of every mode",
                )
        if self.axes and self.count(self.modes[0][0]) != self.size:
            split = self.modes[0][0]
            product = " × ".join(f"{a} {n}" for a, n in self.axes.items())
            what = f"axes {product} make {self.size} ports, {self.cages} cages in mode {split}x make {self.count(split)}"
            raise fault("part-contradiction", what, "make cages × ports per cage equal to the product of the axes")
        if self.map:
            self._bijective()
        return self

    def _tells_apart(self) -> None:
        """Neither two modes nor the labels of two sockets may be the same."""
        for i, (ports, rate) in enumerate(self.modes):
            if (ports, rate) in self.modes[:i]:
                raise fault("part-contradiction", f"the mode {ports}x{rate:g}G is listed twice", "take one out")
        patterns = {"label": self.label} if self.split_label is None else {"label": self.label, "split_label": self.split_label}
        for key, pattern in patterns.items():
            split = 1 if key == "label" else max(2, *(ports for ports, _ in self.modes))
            count = min(self.cages, _ENOUGH) * split
            if len(set(self._plain(split, count))) < count:
                what = f"`{key}: {pattern}` gives several ports one label"
                fix = "write `{cage}/{leg}`, `{cage}s{sub}` or `{port}` in it" if split > 1 else "write `{cage}` or `{port}` in it"
                raise fault("part-contradiction", what, fix, "a label names one port of the device")

    def _bijective(self) -> None:
        want = {tuple(x.items()) for x in coordinates(self.axes)}
        have = [tuple((axis, entry.at.get(axis, -1)) for axis in self.axes) for entry in self.map]
        sockets = [entry.port for entry in self.map]
        twice = sorted({str(dict(x)) for x in have if have.count(x) > 1} | {s for s in sockets if sockets.count(s) > 1})
        missing = sorted(str(dict(x)) for x in want - set(have))
        wrong = sorted(str(dict(x)) for x in set(have) - want)
        if twice or missing or wrong:
            said = [
                f"{word} {', '.join(x)}" for word, x in (("repeated:", twice), ("missing:", missing), ("not a coordinate:", wrong)) if x
            ]
            raise fault(
                "map-not-bijective", f"the port map is not one to one: {'; '.join(said)}", "give every coordinate exactly one socket"
            )

    @property
    def size(self) -> int:
        """Ports named by the axes."""
        out = 1
        for n in self.axes.values():
            out *= n
        return out

    def count(self, split: int) -> int:
        """Ports when every cage is run as `split` ports."""
        return self.cages * split

    def split_for(self, rate_gbps: float) -> int | None:
        """Ports per cage at this rate, or None if no mode has it."""
        return next((ports for ports, rate in self.modes if rate == rate_gbps), None)

    def port_label(self, cage: int, sub: int, split: int, ports: int = 1) -> str:
        """The name on the faceplate. `cage` counts from `first`, `sub` from 0; `ports` is the position in plain counting."""
        pattern = self.label if split == 1 or self.split_label is None else self.split_label
        return pattern.format(cage=cage, sub=sub, leg=sub + 1, port=ports)

    def labels(self, split: int, least: int = 0) -> list[str]:
        """What is printed at every port when all cages are run as `split`, by position (cage x split + place in the cage).

        A pattern that does not tell the ports of a cage apart gets `/1`, `/2`, ... behind it, and so does the label of the cage
        where plain counting would print what another cage shows in a mode of fewer ports. The map names the ports of the first
        mode. With `least`, at least so many names: also those past the last cage, for a switch that is too small.
        """
        count = max(least, self.count(split))
        names = self._plain(split, count)
        if len(set(names)) < count:
            names = [f"{text}/{n % split + 1}" for n, text in enumerate(names)]
        elif self._elsewhere(names, split):
            names = [f"{whole}/{leg}" for whole in self._plain(1, -(-count // split)) for leg in range(1, split + 1)][:count]
        if self.map and split == self.modes[0][0]:
            place = {tuple(at.items()): n for n, at in enumerate(coordinates(self.axes))}
            for entry in self.map:
                names[place[tuple((axis, entry.at[axis]) for axis in self.axes)]] = entry.port
        return names

    def _plain(self, split: int, count: int) -> list[str]:
        """The pattern filled in for every port."""
        return [self.port_label(self.first + n // split, n % split, split, self.first + n) for n in range(count)]

    def _elsewhere(self, names: list[str], split: int) -> bool:
        """Whether a mode of fewer ports prints one of these names at another cage."""
        cage = {name: n // split for n, name in enumerate(names)}
        fewer = {k for k, _ in self.modes if k < split}
        return any(cage.get(name, n // k) != n // k for k in fewer for n, name in enumerate(self._plain(k, self.count(k))))


def coordinates(axes: Mapping[str, int]) -> Iterator[dict[str, int]]:
    """Every coordinate, the first axis major."""
    if not axes:
        yield {}
        return
    (axis, size), *rest = axes.items()
    for x in range(size):
        for tail in coordinates(dict(rest)):
            yield {axis: x, **tail}


class Part(Strict):
    """A thing that can be bought. A missing figure is unknown, never zero."""

    part: PartId
    kind: str
    maker: Text
    title: Text
    part_number: Text | None = None
    aliases: list[Text] = []
    status: Text | None = None
    confidence: Literal["high", "medium", "low"] = "low"
    source: Name | None = None
    sources: dict[Name, Source] = {}
    conflicts: list[Conflict] = []
    notes: Text | None = None
    price_usd: Annotated[MoneyFigure | None, Known] = Field(None, alias="price")
    mass_kg: Annotated[MassFigure | None, Known] = Field(None, alias="mass")
    height_u: Annotated[HeightFigure | None, Known] = Field(None, alias="height")
    depth_m: Annotated[LengthFigure | None, Known] = Field(None, alias="depth")
    failure_rate_fit: Annotated[FailureRateFigure | None, Known] = Field(None, alias="failure_rate")
    lead_time_ns: Annotated[TimeFigure | None, Known] = Field(None, alias="lead_time")
    sold_by: Literal["each", "m", "kg", "l"] = "each"
    min_order: Positive | None = None
    pack: Positive | None = None
    cooling: Literal["air", "liquid", "mixed"] | None = None
    power: Power = Power()

    @model_validator(mode="after")
    def _cited(self) -> Self:
        known = set(self.sources)
        used = {f.source for f in self.figures().values() if f.source} | ({self.source} if self.source else set())
        for name in sorted(used - known):
            raise fault(
                "bad-reference", f"source `{name}` is not listed under `sources`", f"known here: {', '.join(sorted(known)) or 'none'}"
            )
        if not known:
            raise fault("missing-key", "the part has no source", "list at least one under `sources:`")
        typical, most = self.power.typical_w, self.power.max_w
        if typical and most and typical.value > most.value:
            raise fault("part-contradiction", f"typical power {typical.value:g} W is above the maximum {most.value:g} W", "")
        return self

    def figures(self) -> dict[str, Figure]:
        """Field name -> figure, for every figure that is known."""
        found: dict[str, Figure] = {}
        for holder in (self, self.power):
            for name in type(holder).model_fields:
                value = getattr(holder, name)
                if isinstance(value, Figure):
                    found[name] = value
        return found

    def body_w(self, figure: Literal["typical", "max"]) -> tuple[float | None, bool]:
        """(what it draws without pluggable optics [W] or None, whether that is an estimate)."""
        stated = self.power.typical_w if figure == "typical" else self.power.max_w
        if stated is None:
            return None, False
        allotment = self.power.optic_allotment_w
        if figure == "typical" or not self.power.includes_optics or allotment is None:
            return stated.value, stated.estimate
        return stated.value - self.optic_cages() * allotment.value, True

    def optic_cages(self) -> int:
        """Cages that the published power figure feeds."""
        return 0

    def port_groups(self) -> dict[str, Ports]:
        """Named groups of sockets; empty for parts without any."""
        return {}

    def printed(self, group: str, split: int, least: int = 0) -> list[str]:
        """What is printed at the ports of a group when its cages are run as `split`: `Ports.labels`, with the group's name before
        them where an earlier group prints one of them."""
        groups = self.port_groups()
        names = groups[group].labels(split, least)
        before = [ports for i, ports in enumerate(groups.values()) if i < list(groups).index(group)]
        if any(set(names) & set(ports.labels(ports.modes[0][0])) for ports in before):
            return [f"{group}/{n}" for n in names]  # two sockets that are printed alike would be one on paper
        return names
