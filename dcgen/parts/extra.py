"""What goes with other things and is plugged into nothing: licences, support, accessories."""

from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, PlainSerializer, WithJsonSchema

from dcgen.parts.base import Part
from dcgen.parts.fields import Flag, fault, quantity


def _amount(value: Any) -> Decimal:
    number = value if isinstance(value, Decimal) else Decimal(repr(quantity("ratio", 0, 1e6)(value)))
    if not number:
        raise fault("out-of-range", "none is needed of it", "write how many, or how much, go with each")
    return number


Amount = Annotated[
    Decimal,
    BeforeValidator(_amount),
    PlainSerializer(float, when_used="json"),
    WithJsonSchema({"type": "number", "exclusiveMinimum": 0}),
]
"""How many, or how much, go with one: exact, so that ten times 0.15 m is 1.5 m."""


class Extra(Part):
    """A licence, a support contract or an accessory: `amount` of it goes with each of what `per` names, every year if `yearly`."""

    kind: Literal["licence", "support", "accessory"]
    per: Literal["site", "rack", "node", "accelerator", "switch", "optic", "cable"]
    amount: Amount = Decimal(1)
    yearly: Flag = False
