"""What a blueprint says, as a flat mapping: a comparison tells by it what was written and what merely follows."""

from collections.abc import Iterator, Mapping
from typing import Any

_ABOUT = ("dcgen", "name", "title", "notes", "params", "include", "variants", "moved")
"""Keys that say nothing about what is built, or whose values have been put in elsewhere."""


def said(data: Mapping[str, Any]) -> dict[str, str]:
    """Dotted path -> value as typed, with parameters, includes and a variant put in; the order of keys says nothing."""
    return {path: text for key in sorted(data) if key not in _ABOUT for path, text in _flat(key, data[key])}


def _flat(path: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict) and value:
        for key in sorted(value, key=str):
            yield from _flat(f"{path}.{key}", value[key])
    elif isinstance(value, list) and any(isinstance(v, dict | list) for v in value):
        yield from sorted({f"{path}[{_spelt(item)}]": "yes" for item in value}.items())
    else:
        yield path, _spelt(value)


def _spelt(value: Any) -> str:
    """One value, however deep, as a short text."""
    if isinstance(value, dict):
        return ", ".join(f"{k}: {_spelt(value[k])}" for k in sorted(value, key=str))
    if isinstance(value, list):
        return f"[{', '.join(map(_spelt, value))}]"
    return "-" if value is None else str(value)
