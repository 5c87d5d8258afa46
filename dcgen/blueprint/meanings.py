"""What each field of a blueprint means and is when it is not written, for people who ask."""

from collections.abc import Iterator
from functools import cache
from inspect import getdoc
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from dcgen.source import read
from dcgen.units import spoken

_PACKAGE = Path(__file__).parent.parent
Row = list[str]


def shipped(checkout: str, installed: str) -> Path:
    """A file or folder that lies inside the package when it was installed, and beside it in a checkout."""
    inside = _PACKAGE / installed
    return inside if inside.exists() else _PACKAGE.parent / checkout


@cache
def _meanings() -> dict[str, str]:
    file = shipped("docs/meanings.yaml", "_meanings.yaml")
    return {str(k): str(v) for k, v in read(file).data.items()} if file.exists() else {}


def key_of(name: str, field: FieldInfo) -> str:
    """The key that a person writes for a field."""
    return field.alias or name


def meaning(model: type[BaseModel], name: str) -> str:
    """What a field is for, in a sentence, or an empty text."""
    field, key = model.model_fields[name], key_of(name, model.model_fields[name])
    names = [*(m.__name__ for m in model.__mro__ if issubclass(m, BaseModel)), "*"]
    return field.description or next((said for n in names if (said := _meanings().get(f"{n}.{key}"))), "")


def spelt(value: object, name: str = "") -> str:
    """A value as a person writes it, with the unit that its field's name ends in; nothing as `-`."""
    if value is None or value in ({}, [], (), ""):
        return "-"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        unit = name.rpartition("_")[2]
        return spoken(value, unit) if unit in ("m", "u", "w", "kg") else f"{value:g}"
    if isinstance(value, BaseModel):
        return ", ".join(f"{key_of(n, f)}: {spelt(getattr(value, n))}" for n, f in type(value).model_fields.items())
    if isinstance(value, list | tuple):
        return ", ".join(spelt(v) for v in value)
    return str(value)


def options(model: type[BaseModel]) -> list[Row]:
    """One row per key: key, what it is unless written, what it means."""
    rows = []
    for name, field in model.model_fields.items():
        default = "must be written" if field.is_required() else spelt(field.get_default(call_default_factory=True))
        rows.append([key_of(name, field), default, meaning(model, name)])
    return rows


def gist(thing: Any) -> str:
    """The first sentence of a docstring."""
    return (getdoc(thing) or "").split("\n\n")[0].replace("\n", " ")


def inner(model: type[BaseModel]) -> list[type[BaseModel]]:
    """The models that the fields of a model hold, each once, the nearest first."""
    found: dict[type[BaseModel], None] = {}
    todo = [model]
    while todo:
        for field in todo.pop(0).model_fields.values():
            for one in _models(field.annotation):
                if one not in found and one is not model:
                    found[one] = None
                    todo.append(one)
    return list(found)


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inside in get_args(annotation):
        yield from _models(inside)
