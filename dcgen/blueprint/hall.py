"""What may be written about a hall: rooms, rows, trays, ducts and zones."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from dcgen.parts.base import Known
from dcgen.parts.fields import Count, LengthM, Name, Positive, Share, Strict, Text, apart, fault, listed, one_or_many, quantity

PER_ROW = 20
"""Tiles of a row while nobody says: a stated assumption."""

PowerW = Annotated[float, BeforeValidator(quantity("power", 0)), WithJsonSchema({"type": ["string", "number"]})]
UnitU = Annotated[float, BeforeValidator(quantity("height", 0, 100)), WithJsonSchema({"type": ["string", "number"]})]
MassKg = Annotated[float, BeforeValidator(quantity("mass", 0)), WithJsonSchema({"type": ["string", "number"]})]
LoadKgM2 = Annotated[float, BeforeValidator(quantity("floor load", 0)), WithJsonSchema({"type": ["string", "number"]})]
_COOLING = {"enum": ["air", "liquid"]}
Texts = Annotated[list[Text], BeforeValidator(listed), WithJsonSchema(one_or_many({"type": "string"}))]


class Room(Strict):
    """A room of parallel rows; `blocked` tiles hold no rack, for example a column: `r2[5]`."""

    rows: Positive | None = None
    positions: Positive = PER_ROW
    blocked: Texts = []


class TrayWritten(Strict):
    """A tray over rows (`along`) or across them (`across`: `start`, `middle`, `end` or a position), at its own height if it has one.

    Without `width` and `depth` its fill is not checked.
    """

    along: Texts = []
    across: Literal["start", "middle", "end"] | Count | None = None
    rows: Texts = []
    start: Count | None = Field(None, alias="from")
    stop: Count | None = Field(None, alias="to")
    height_m: LengthM | None = Field(None, alias="height")
    below_m: LengthM | None = Field(None, alias="below")
    width_m: LengthM | None = Field(None, alias="width")
    depth_m: LengthM | None = Field(None, alias="depth")
    fill: Share = 0.4

    @model_validator(mode="after")
    def _one_way(self) -> "TrayWritten":
        if bool(self.along) == (self.across is not None):
            raise fault("bad-choice", "a tray runs either `along` rows or `across` them", "for example `{along: all}` or `{across: start}`")
        return self


class DuctWritten(Strict):
    """A way between two tiles of different rooms or buildings. An unknown length makes what runs in it a lower bound."""

    between: tuple[Text, Text]
    length_m: Annotated[LengthM | None, Known] = Field(alias="length")


class ZoneWritten(Strict):
    """Rows with one supply: power they share, power for one rack, cooling there is."""

    rows: Texts
    power_w: PowerW | None = Field(None, alias="power")
    rack_power_w: PowerW | None = Field(None, alias="rack_power")
    cooling: Annotated[list[Literal["air", "liquid"]], BeforeValidator(listed), WithJsonSchema(one_or_many(_COOLING))] = ["air", "liquid"]


def _units(value: Any) -> Any:
    return {k: listed(v) for k, v in value.items()} if isinstance(value, dict) else value


class HallWritten(Strict):
    """Where racks stand and cables run; with it every length is measured along the trays instead of assumed.

    Without `rooms` it is one room of `rows` (as many as are needed) of `positions` tiles.
    """

    rows: Positive | None = None
    positions: Positive = PER_ROW
    blocked: Texts = []
    rooms: Annotated[dict[Name, Room], BeforeValidator(apart)] = {}
    place: Literal["auto"] | dict[Text, Texts] = "auto"
    network: Literal["middle", "end"] = "middle"
    pitch_m: LengthM = Field(0.6, alias="pitch", gt=0)
    depth_m: LengthM = Field(1.2, alias="depth")
    aisle_m: LengthM = Field(1.2, alias="aisle")
    rack_height_u: UnitU = Field(48.0, alias="rack_height")
    tray_height_m: LengthM = Field(2.7, alias="tray_height")
    unit: Literal["top", "middle", "bottom"] = "middle"
    units: Annotated[dict[Text, list[UnitU]], BeforeValidator(_units)] = {}
    lead_m: LengthM = Field(0.5, alias="lead")
    slack_m: LengthM = Field(0.5, alias="slack")
    lengths: Annotated[list[LengthM], BeforeValidator(listed), WithJsonSchema(one_or_many({"type": "string"}))] = []
    trays: Annotated[dict[Name, TrayWritten], BeforeValidator(apart)] = {}
    ducts: Annotated[dict[Name, DuctWritten], BeforeValidator(apart)] = {}
    zones: Annotated[dict[Name, ZoneWritten], BeforeValidator(apart)] = {}
    diameters: dict[Literal["fibre", "dac", "acc", "aoc", "twisted-pair"], LengthM] = {}
    rack_mass_kg: MassKg | None = Field(None, alias="rack_mass")
    rack_limit_kg: MassKg | None = Field(None, alias="rack_limit")
    foot_limit_kg: MassKg | None = Field(None, alias="foot_limit")
    floor_limit_kg_m2: LoadKgM2 | None = Field(None, alias="floor_limit")

    @model_validator(mode="after")
    def _one_kind_of_room(self) -> "HallWritten":
        if self.rooms and (self.rows or self.blocked):
            raise fault("bad-choice", "`rows` and `blocked` of a hall with `rooms` belong to each room", "write them under `rooms:`")
        return self
