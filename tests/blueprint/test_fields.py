"""Every numeric field of the language and of parts refuses what is no number of its kind; words stay the words that were typed."""

from collections.abc import Iterator
from typing import Any, get_args

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

from dcgen.blueprint.model import Written
from dcgen.fabric import FAMILIES
from dcgen.parts import KINDS
from dcgen.units import Plain

BAD = [
    True,
    Plain("true"),
    Plain(".nan"),
    Plain("inf"),
    Plain("-.inf"),
    float("nan"),
    float("inf"),
    "48",
    Plain("-1"),
    Plain("010"),
    Plain("1e30"),
    [],
    {},
]


def models(model: type[BaseModel], seen: set[type[BaseModel]]) -> Iterator[type[BaseModel]]:
    if model in seen:
        return
    seen.add(model)
    yield model
    for field in model.model_fields.values():
        for kind in inner(field.annotation):
            if isinstance(kind, type) and issubclass(kind, BaseModel):
                yield from models(kind, seen)


def inner(annotation: Any) -> Iterator[Any]:
    yield annotation
    for argument in getattr(annotation, "__args__", ()):
        yield from inner(argument)


def numeric() -> list[tuple[str, Any]]:
    seen: set[type[BaseModel]] = set()
    found = []
    for top in (Written, *FAMILIES, *KINDS):
        for model in models(top, seen):
            for name, field in model.model_fields.items():
                a_list = getattr(field.annotation, "__origin__", None) is list
                if not a_list and {bare(k) for k in (getattr(field.annotation, "__args__", None) or (field.annotation,))} - {
                    type(None)
                } in (
                    {int},
                    {float},
                ):
                    found.append((f"{model.__name__}.{name}", TypeAdapter(eval_annotation(model, name))))
    return found


def bare(kind: Any) -> Any:
    return getattr(kind, "__origin__", kind) if hasattr(kind, "__metadata__") else kind


def eval_annotation(model: type[BaseModel], name: str) -> Any:
    from typing import Annotated

    field = model.model_fields[name]
    return Annotated[field.annotation, *field.metadata] if field.metadata else field.annotation


FIELDS = numeric()


def test_the_walk_finds_the_fields() -> None:
    names = {n for n, _ in FIELDS}
    assert {"Tier.rate_gbps", "Tier.length_m", "AxisWritten.size", "Ports.cages", "PowerFigure.value"} <= names
    assert len(names) > 30


@pytest.mark.parametrize(("name", "adapter"), FIELDS, ids=[n for n, _ in FIELDS])
def test_no_field_takes_a_bad_number(name: str, adapter: TypeAdapter[Any]) -> None:
    for value in BAD:
        with pytest.raises(ValidationError):
            adapter.validate_python(value)


def test_a_count_takes_only_whole_numbers() -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(eval_annotation(get_args(Written.model_fields["racks"].annotation)[1], "per_rack")).validate_python(Plain("18.0"))
