"""A file as sorted lines, `racks.compute.axes.su = 4`: the same for every order, layout, comment and anchor of what is written."""

import json
import re
from collections.abc import Iterator
from typing import Any

from dcgen.diagnostics import Rejected
from dcgen.naming import NAME
from dcgen.source.nodes import NOTHING
from dcgen.source.yaml import parse_text
from dcgen.units import Plain

UNORDERED = {"require", "absent", "include", "allow"}
"""Lists whose order means nothing: each item is a line of its own, so that a new one is one line more."""


def flat(text: bytes) -> str | None:
    """The lines of a file, or None where it is no YAML that dcgen reads: in the middle of a merge, for example."""
    try:
        data = parse_text(text, "file").data
    except Rejected:
        return None
    return "".join(f"{line}\n" for line in sorted(_lines(data, "", "")))


def _lines(value: Any, path: str, key: str) -> Iterator[str]:
    if isinstance(value, dict) and value:
        for name, inner in value.items():
            yield from _lines(inner, f"{path}.{_key(name)}" if path else _key(name), name)
    elif isinstance(value, list) and key in UNORDERED and all(isinstance(v, str) for v in value):
        yield from (f"{path}[] = {_text(v)}" for v in value)
    elif isinstance(value, list) and any(isinstance(v, dict | list) for v in value):
        for item in value:  # named by what it says, so that a new item in the middle is no change of those behind it
            inside = ", ".join(sorted(_lines(item, "", ""))) if isinstance(item, dict) else _text(item)
            yield f"{path}[] = {inside}"
    else:
        yield f"{path} = {_text(value)}"


def _key(name: str) -> str:
    return name if NAME.fullmatch(name) else json.dumps(name, ensure_ascii=False)


def _text(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_text(v) for v in value)}]"
    if isinstance(value, dict) or value is None:
        return "{}" if isinstance(value, dict) else "(nothing)"
    same = re.fullmatch(r"[^\W\d](.*\S)?", value) and value not in NOTHING  # what reads the same with and without quotes
    return str(value) if same or isinstance(value, Plain) else json.dumps(str(value), ensure_ascii=False)
