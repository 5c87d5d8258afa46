"""What may be written in a blueprint."""

from typing import Annotated, Any, Literal, Union

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from dcgen.blueprint.collectives import Exchange, Reliability
from dcgen.blueprint.hall import HallWritten
from dcgen.blueprint.labels import Printed
from dcgen.blueprint.links import FABRIC as LINKS
from dcgen.blueprint.links import AnyLink
from dcgen.blueprint.moved import Renamed
from dcgen.blueprint.procurement import ExtraWanted, Store
from dcgen.blueprint.stock import Owned
from dcgen.blueprint.traffic import Demand
from dcgen.blueprint.variants import setting
from dcgen.fabric import FAMILIES, MediaPolicy
from dcgen.naming import collisions
from dcgen.parts.fields import AxisName, Count, Name, PartId, Positive, Strict, Text, apart, fault, listed, one_or_many, quantity
from dcgen.units import Plain

PARAMETER = r"^\$\w"
"""What a reference to a parameter looks like, for JSON Schema."""
LANGUAGE = 1
"""Version of the language that this dcgen reads."""


def _version(value: Any) -> int:
    number = quantity("count", 0, 1000)(value)
    if number != LANGUAGE:
        raise fault(
            "out-of-range",
            f"this is written in language version {number}, this dcgen reads version {LANGUAGE}",
            f"update dcgen, or write `dcgen: {LANGUAGE}`" if number > LANGUAGE else f"write `dcgen: {LANGUAGE}`",
        )
    return LANGUAGE


def _file_name(value: Any) -> str:
    text = str(value) if isinstance(value, str) else ""
    stem = text.split(".")[0].casefold()
    device = stem in {"con", "prn", "aux", "nul", *(f"{d}{n}" for d in ("com", "lpt") for n in range(1, 10))}
    signs = set(text) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")
    if not text or not signs or text[0] in ".-" or text[-1] == "." or len(text) > 100 or device:
        why = "it becomes a folder name: letters, digits, `.`, `_` and `-`, beginning with a letter or digit, no device name of any system"
        raise fault("bad-name", f"`{text[:60]}` is not a name for a design", "for example `pod-7`", why)
    return text


FileName = Annotated[str, BeforeValidator(_file_name), WithJsonSchema({"type": "string", "pattern": r"^[A-Za-z0-9][A-Za-z0-9._-]*$"})]


class Parameter(Strict):
    """A value that may be set from outside; a bare value is its default."""

    default: Any
    range: tuple[Any, Any] | None = None
    choices: list[Text] | None = None
    about: Text | None = None


def _parameter(value: Any) -> Any:
    return value if isinstance(value, dict) else {"default": value}


def _axis(value: Any) -> Any:
    return value if isinstance(value, dict) else {"size": value}


class AxisWritten(Strict):
    """A named coordinate of a group: how many there are, and how many there is room for."""

    size: Positive
    room: Positive | None = None

    @model_validator(mode="after")
    def _fits(self) -> "AxisWritten":
        if self.room is not None and self.room < self.size:
            raise fault("out-of-range", f"{self.size} coordinates do not fit into a room of {self.room}", "make `room` at least `size`")
        return self


Selectors = Annotated[list[Text], BeforeValidator(listed), WithJsonSchema(one_or_many({"type": "string"}))]

_NUMBER = {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string", "pattern": r"^\$\w"}, {"type": "object"}]}


class Racks(Strict):
    """Devices that stand in the hall: racks that are bought whole, nodes of which `per_rack` fill a rack, or rack PDUs and CDUs,
    `per_rack` of them in each rack of the entry that they are `beside`.

    `unequal` says how many of a rack's contents each rack really has, rack by rack: `{tray: [18, 16, 9, 8]}`.
    """

    part: PartId
    axes: Annotated[dict[AxisName, Annotated[AxisWritten, BeforeValidator(_axis), WithJsonSchema(_NUMBER)]], BeforeValidator(apart)] = {}
    absent: list[Text] = []
    per_rack: Positive | None = None
    beside: Name | None = None
    unequal: dict[Name, list[Count]] = {}
    title: Text | None = None


AnyFamily: Any = Annotated[Union[FAMILIES], Field(discriminator="kind")]


class Written(Strict):
    """A blueprint: what was decided, and nothing else."""

    dcgen: Annotated[Literal[1], BeforeValidator(_version), WithJsonSchema({"const": LANGUAGE, "description": "Language version."})]
    name: FileName
    title: Text | None = None
    notes: Text | None = None
    params: Annotated[dict[Name, Annotated[Parameter, BeforeValidator(_parameter)]], BeforeValidator(apart)] = {}
    include: Annotated[list[Text], BeforeValidator(listed), WithJsonSchema(one_or_many({"type": "string"}))] = []
    variants: Annotated[dict[Name, dict[Annotated[Text, BeforeValidator(setting)], Any]], BeforeValidator(apart)] = {}
    racks: Annotated[dict[Name, Racks], BeforeValidator(apart)] = {}
    fabrics: Annotated[dict[Name, AnyFamily], BeforeValidator(apart)] = {}
    links: list[AnyLink] = []
    require: list[Text] = []
    expect: dict[Text, Count] = {}
    have: dict[PartId, Count] | list[Owned] = {}
    extras: list[ExtraWanted] = []
    spares: Store = Store()
    labels: Printed = Printed()
    phases: Annotated[dict[Name, Selectors], BeforeValidator(apart)] = {}
    collectives: Annotated[dict[Name, Exchange], BeforeValidator(apart)] = {}
    reliability: Reliability = Reliability()
    moved: list[Renamed] = []
    hall: HallWritten | None = None
    media: MediaPolicy | None = None
    traffic: Annotated[dict[Name, Demand], BeforeValidator(apart)] = {}

    @model_validator(mode="after")
    def _one_namespace(self) -> "Written":
        both = [*self.racks, *self.fabrics, *([LINKS] if self.links else [])]
        for one, other in [*collisions(both), *((n, n) for n in self.fabrics if n in self.racks)]:
            raise fault(
                "name-collision",
                f"a group of racks and a fabric are both called `{other}`"
                if one == other
                else f"`{one}` and `{other}` become one name in labels",
                "rename one",
            )
        return self


def is_reference(value: Any) -> bool:
    """Whether a written value stands for a parameter: `$name`, without quotes."""
    return isinstance(value, Plain) and value.startswith("$") and len(value) > 1


__all__ = ["LANGUAGE", "AxisWritten", "Parameter", "Racks", "Written", "is_reference"]
