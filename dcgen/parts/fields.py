"""Field types: how one written value becomes one typed value, with an error a person can act on.

A value arrives as `Plain` (typed without quotes), as `str` (quoted), or, from saved JSON and Python, as a number already in
the base unit.
"""

import math
import unicodedata
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, WithJsonSchema
from pydantic_core import PydanticCustomError

from dcgen.naming import COUNTED, collisions, name_fault
from dcgen.units import DIMENSIONS, Plain, UnitError, count, parse

MOST = 20_000_000
"""No count in a design is larger."""


class Strict(BaseModel):
    """What a person may write: unknown keys are errors, nothing changes once read."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, hide_input_in_errors=True, defer_build=True)


class Nested(Strict):
    """A model that many others hold: made ready once, at import, where each of them would make it ready anew."""

    model_config = ConfigDict(defer_build=False)


def fault(code: str, what: str, fix: str = "", why: str = "") -> PydanticCustomError:
    """An error of one field that keeps dcgen's code; `source.validate` turns it into a Diagnostic."""
    return PydanticCustomError(code, "{what}", {"what": what, "fix": fix, "why": why})


def _shape(value: object) -> str:
    if value is None:
        return "nothing"
    names = {bool: "true or false", dict: "a mapping", list: "a list", Plain: f"`{value}`"}
    return names.get(type(value), f'the quoted text "{str(value)[:40]}"' if isinstance(value, str) else f"`{value}`")


def _number(value: object, dimension: str) -> Fraction:
    example = DIMENSIONS[dimension].example
    if isinstance(value, Plain):
        try:
            return Fraction(count(value)) if dimension == "count" else parse(value, dimension)
        except UnitError as e:
            raise fault(e.code, e.what, e.fix) from None
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal | Fraction):
        if value is None:
            raise fault("no-value", "there is no value here", f"write for example `{example}`")
        quoted = isinstance(value, str)
        raise fault(
            "wrong-type", f"{_shape(value)} is not a {dimension}", "remove the quotes" if quoted else f"write for example `{example}`"
        )
    if isinstance(value, float) and not math.isfinite(value):
        raise fault("bad-number", f"`{value}` is not a number", f"write for example `{example}`")
    if dimension == "count" and not isinstance(value, int):
        raise fault("bad-number", f"`{value}` is not a whole number", f"write for example `{example}`")
    return Fraction(value)


def quantity(dimension: str, low: float | None = 0, high: float | None = None, why: str = "") -> Callable[[Any], Any]:
    """A validator for one dimension with bounds in its base unit; `why` says where they come from."""

    def read(value: Any) -> Any:
        number = _number(value, dimension)
        if (low is not None and number < low) or (high is not None and number > high):
            bounds = f"from {low} up" if high is None else f"{low} to {high}"
            unit = DIMENSIONS[dimension].base
            raise fault("out-of-range", f"`{value}` is outside {bounds}{'' if unit == '1' else ' ' + unit}", "", why)
        return int(number) if dimension == "count" else float(number)

    return read


def _money(value: Any) -> Decimal:
    number = _number(Decimal(value) if isinstance(value, str) and not isinstance(value, Plain) and _is_decimal(value) else value, "money")
    if number < 0:
        raise fault("out-of-range", f"`{value}` is a negative price", "")
    return Decimal(number.numerator) / Decimal(number.denominator)


def _is_decimal(text: str) -> bool:
    return text.replace(".", "", 1).isdigit()


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise fault(
            "no-value" if value is None else "wrong-type", f"{_shape(value)} stands where text belongs", "write text, in quotes if need be"
        )
    for sign in value:
        if unicodedata.category(sign) in ("Cc", "Cs") or unicodedata.bidirectional(sign) in (
            "RLO",
            "LRO",
            "RLE",
            "LRE",
            "PDF",
            "RLI",
            "LRI",
            "FSI",
            "PDI",
        ):
            raise fault("control-character", f"the text holds the invisible character U+{ord(sign):04X}", "remove it")
    if len(value) > 2000:
        raise fault("out-of-range", f"the text is {len(value)} characters long, the limit is 2000", "shorten it")
    return unicodedata.normalize("NFC", str(value))


def _name(value: Any) -> str:
    text = _text(value)
    why = name_fault(text)
    if why:
        raise fault("bad-name", f"`{text[:60]}` is not a name", "for example `backend` or `pod-7`", why)
    return text


def _bool(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, Plain) and value in ("true", "false"):
        return value == "true"
    raise fault("wrong-type", f"{_shape(value)} is not true or false", "write `true` or `false`")


def _typed(name: str, *examples: str) -> WithJsonSchema:
    unit = DIMENSIONS.get(name)
    if name in ("count", "ratio"):
        return WithJsonSchema({"anyOf": [{"type": "integer" if name == "count" else "number"}, {"type": "string", "pattern": r"^\$\w"}]})
    return WithJsonSchema({"type": ["string", "number"], "examples": [unit.example, *examples] if unit else list(examples)})


def apart(value: Any) -> Any:
    """A mapping whose keys stay apart in labels and file names."""
    if isinstance(value, dict):
        for one, other in collisions(k for k in value if isinstance(k, str)):
            points = "; ".join(f"`{k}` is {' '.join(f'U+{ord(c):04X}' for c in k)}" for k in (one, other))
            raise fault("name-collision", f"`{one}` and `{other}` become one name in labels and files", "rename one", points)
    return value


def _axis_name(value: Any) -> str:
    text = _name(value)
    if not text[0].isalpha():
        fix = "for example `rail` or `su`"
        raise fault("bad-name", f"`{text[:60]}` is not a name for an axis", fix, "it begins with a letter, for its numbers follow it")
    if text in COUNTED:
        raise fault("bad-name", f"`{text}` is not a name for an axis", "choose another word", "dcgen counts links by it")
    return text


def listed(value: Any) -> Any:
    """A value that may stand alone, as a list."""
    return value if isinstance(value, list | tuple) else [value]


def one_or_many(item: dict[str, Any]) -> dict[str, Any]:
    """JSON Schema of a value that may stand alone or in a list."""
    return {"anyOf": [item, {"type": "array", "items": item, "minItems": 1}]}


Count = Annotated[int, BeforeValidator(quantity("count", 0, MOST)), _typed("count")]
"""A whole number, 0 or more."""
Positive = Annotated[int, BeforeValidator(quantity("count", 1, MOST)), _typed("count")]
"""A whole number, 1 or more."""
RackCount = Annotated[
    int,
    BeforeValidator(quantity("count", 1, 1000, "no rack holds more of one part")),
    WithJsonSchema({"type": "integer", "minimum": 1, "maximum": 1000}),
]
"""How many of a part stand in one rack."""
CageCount = Annotated[
    int,
    BeforeValidator(quantity("count", 1, 4096, "no device has more sockets of one kind")),
    WithJsonSchema({"type": "integer", "minimum": 1, "maximum": 4096}),
]
"""How many sockets of a kind one device has."""
Ratio = Annotated[float, BeforeValidator(quantity("ratio")), _typed("ratio")]
Share = Annotated[float, BeforeValidator(quantity("share", 0, 1)), _typed("share")]
RateGbps = Annotated[float, BeforeValidator(quantity("rate")), _typed("rate")]
LengthM = Annotated[float, BeforeValidator(quantity("length", 0, 40_000_000)), _typed("length")]
Name = Annotated[str, BeforeValidator(_name), WithJsonSchema({"type": "string", "pattern": r"^\w([\w-]*\w)?$"})]
AxisName = Annotated[str, BeforeValidator(_axis_name), WithJsonSchema({"type": "string", "pattern": r"^[^\W\d_]([\w-]*\w)?$"})]
Text = Annotated[str, BeforeValidator(_text), WithJsonSchema({"type": ["string", "number"]})]
Flag = Annotated[bool, BeforeValidator(_bool), WithJsonSchema({"type": "boolean"})]
PartId = Annotated[
    str,
    BeforeValidator(_name),
    WithJsonSchema({"type": "string", "description": "Name of a part: of `parts/` beside the blueprint, or of the shelf."}),
]
MoneyUsd = Annotated[Decimal, BeforeValidator(_money), PlainSerializer(str, when_used="json"), _typed("money")]

__all__ = [
    "MOST", "AxisName", "CageCount", "Count", "Field", "Flag", "LengthM", "MoneyUsd", "Name", "PartId", "Positive", "RackCount", "RateGbps",
    "Ratio", "Share", "Strict", "Text", "apart", "fault", "listed", "one_or_many", "quantity",
]  # fmt: skip
