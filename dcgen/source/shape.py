"""Walks models beside data: which keys a place knows, and at which other places a key would be known."""

from collections import deque
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from dcgen.diagnostics import Path

KIND = "kind"
"""The key that says which model of a union is meant."""
_MAPPINGS = (dict, Mapping, MutableMapping)
_LISTS = (list, set, frozenset, Sequence)
_MOST_PLACES = 5000

Types = tuple[Any, ...]
"""Alternatives for one place, unions taken apart."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a walk has come to: the path so far, the types that may stand there, the data that does."""

    path: Path
    types: Types
    data: Any

    def models(self) -> tuple[type[BaseModel], ...]:
        """The models that may stand here; only those of the written `kind`, where there is one."""
        found = self.members()
        kind = self.data.get(KIND) if isinstance(self.data, dict) else None
        return tuple(m for m in found if kind in kinds(m)) or found

    def members(self) -> tuple[type[BaseModel], ...]:
        """The models that may stand here, whatever `kind` is written."""
        return tuple(t for t in self.types if isinstance(t, type) and issubclass(t, BaseModel))

    def has(self, part: str | int) -> bool:
        """Whether the data has such a key or index."""
        if isinstance(self.data, dict):
            return part in self.data
        return isinstance(self.data, list) and isinstance(part, int) and 0 <= part < len(self.data)

    def step(self, part: str | int) -> "Place":
        """The place one key or index further in."""
        types: list[Any] = []
        for model in self.models():
            for key, field in keys(model).items():
                types += taken_apart(model.model_fields[field].annotation) if part in (key, field) else ()
        for one in self.types:
            types += _items(one, part)
        return Place((*self.path, part), tuple(types), self.data[part])


def follow(model: type[BaseModel], data: Any, loc: Path) -> Place:
    """The place that pydantic's `loc` means: names of union members in it, which are not in the data, are passed over."""
    place, fresh = Place((), (model,), data), True
    for part in loc:
        is_member = fresh and len(place.members()) > 1 and isinstance(place.data, dict) and place.data.get(KIND) == part
        if is_member or not place.has(part):
            fresh = fresh and not is_member
        else:
            place, fresh = place.step(part), True
    return place


def keys(model: type[BaseModel]) -> dict[str, str]:
    """Key as a person writes it -> name of the field."""
    return {field.alias or name: name for name, field in model.model_fields.items()}


def kinds(model: type[BaseModel]) -> tuple[Any, ...]:
    """The words a model takes for `kind`."""
    field = model.model_fields.get(KIND)
    return get_args(field.annotation) if field and get_origin(field.annotation) is Literal else ()


def taken_apart(annotation: Any) -> Types:
    """The alternatives of an annotation."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return taken_apart(get_args(annotation)[0])
    if origin in (Union, UnionType):
        return tuple(t for one in get_args(annotation) for t in taken_apart(one))
    return (annotation,)


@lru_cache(maxsize=16)
def homes(model: type[BaseModel]) -> dict[str, tuple[str, ...]]:
    """Key -> the places in the whole tree of a model that know it, the shallowest first; `` is the top.

    Names of a mapping are written `<name>`, places in a list `[]`.
    """
    found: dict[str, dict[str, None]] = {}
    queue: deque[tuple[str, type[BaseModel], tuple[type[BaseModel], ...]]] = deque([("", model, ())])
    for _ in range(_MOST_PLACES):
        if not queue:
            break
        place, one, above = queue.popleft()
        for key, field in keys(one).items():
            found.setdefault(key, {})[place] = None
            inner = _nested(one.model_fields[field].annotation, f"{place}.{key}" if place else key)
            queue.extend((where, m, (*above, one)) for where, m in inner if m is not one and m not in above)
    return {key: tuple(places) for key, places in found.items()}


def _items(annotation: Any, part: str | int) -> Types:
    origin: Any = get_origin(annotation)
    inner = get_args(annotation)
    if origin in _MAPPINGS:
        return taken_apart(inner[1])
    if origin in _LISTS or (origin is tuple and inner[-1] is ...):
        return taken_apart(inner[0])
    return taken_apart(inner[part]) if origin is tuple and isinstance(part, int) and part < len(inner) else ()


def _nested(annotation: Any, place: str) -> Iterator[tuple[str, type[BaseModel]]]:
    for one in taken_apart(annotation):
        if isinstance(one, type) and issubclass(one, BaseModel):
            yield place, one
            continue
        origin: Any = get_origin(one)
        for inner in get_args(one)[1:] if origin in _MAPPINGS else get_args(one) if origin in (*_LISTS, tuple) else ():
            yield from _nested(inner, f"{place}.<name>" if origin in _MAPPINGS else f"{place}[]")
