"""Turns data into a model, and every way in which it does not fit into a diagnostic at its place."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from dcgen.diagnostics import CODES, Diagnostic, Path, Rejected, did_you_mean, nearest
from dcgen.source.shape import KIND, Place, follow, homes, keys, kinds
from dcgen.source.yaml import Source
from dcgen.units import Plain

_M = TypeVar("_M", bound=BaseModel)
_LONGEST = 40
_MOST_HOMES = 6
_WANTED = {
    "a mapping": re.compile(r"(model|dict|model_attributes|dict_attributes|mapping|dataclass)_type"),
    "a list": re.compile(r"(list|tuple|set|frozen_set|iterable)_type"),
    "text": re.compile(r"string_(type|sub_type|unicode)"),
    "a number": re.compile(r"(int|float|decimal)_(type|parsing|from_float|parsing_size)"),
    "`true` or `false`": re.compile(r"bool_(type|parsing)"),
}
_STANDS = " stands where "
_BOUNDS = {
    "greater_than": ("gt", "is not more than {}", "write a number above {}"),
    "greater_than_equal": ("ge", "is less than {}", "write {} or more"),
    "less_than": ("lt", "is not less than {}", "write a number below {}"),
    "less_than_equal": ("le", "is more than {}", "write {} or less"),
    "too_short": ("min_length", "has too few entries", "write entries, at least {}"),
    "too_long": ("max_length", "has too many entries", "write at most {} entries"),
    "string_too_short": ("min_length", "is too short", "write at least {} signs"),
    "string_too_long": ("max_length", "is too long", "write at most {} signs"),
}
"""Error of pydantic -> where it keeps the bound, what a value beyond the bound is, and what to write."""
_FIXES = {"a mapping": "write `key: value` lines, indented below the key", "a list": "write `- item` lines, or `[one, two]`"}
_RANK = {"wrong-type": 0, "bad-choice": 1}


def validate(model: type[_M], source: Source, data: Any = None, at: Path = ()) -> _M:
    """The model that the text at `at` describes.

    `data` is what stands at `at` when something was replaced in a copy of it; its places are still those of the source.

    Raises:
        Rejected: everything that does not fit, each at its line.
    """
    if data is None:
        data = source.data
        for part in at:
            data = data[part]
    try:
        return model.model_validate(data)
    except ValidationError as error:
        reader = _Reader(model, source, data, at)
        found = [reader.diagnostic(e) for e in error.errors(include_url=False)]
    raise Rejected(_of_unions(found))


class _Reader:
    """Knows one model, its data and its file while pydantic's errors are put into words."""

    def __init__(self, model: type[BaseModel], source: Source, data: Any, at: Path) -> None:
        self._model, self._source, self._data, self._at = model, source, data, at

    def diagnostic(self, error: Mapping[str, Any]) -> Diagnostic:
        """One error of pydantic, in dcgen's words and at its place."""
        kind, loc, context = error["type"], error["loc"], error.get("ctx", {})
        if kind in ("missing", "extra_forbidden"):
            parent = follow(self._model, self._data, loc[:-1])
            return self._missing(parent, loc[-1]) if kind == "missing" else self._unknown(parent, loc[-1])
        place = follow(self._model, self._data, loc)
        if kind in CODES and (place.data is not None or loc[-1:] == ("[key]",)):
            what, fix, why = (str(context.get(part, "")) for part in ("what", "fix", "why"))
            return self._say(kind, place.path, _unspelt(what or error["msg"], place.data), fix, why, key=loc[-1:] == ("[key]",))
        if kind.startswith("union_tag") and isinstance(place.data, dict):
            choices = [str(k) for m in place.models() for k in kinds(m)]
            if KIND not in place.data:
                return self._missing(place, KIND, did_you_mean("", choices))
            return self._choice(place.step(KIND), choices)
        if place.data is None:
            if place.path and isinstance(place.path[-1], int):
                return self._say(
                    "no-value", place.path, "an entry is written here, and nothing in it", "write a value, or remove the entry"
                )
            return self._say("no-value", place.path, "a key is written here, and no value after it", "write a value, or remove the key")
        if kind in ("literal_error", "enum"):
            return self._choice(place, (c.strip("'") for c in re.split(r", | or ", str(context.get("expected", "")))))
        return self._beyond(place, kind, context) if kind in _BOUNDS else self._wrong(place, kind, error["msg"])

    def _say(self, code: str, path: Path, what: str, fix: str = "", why: str = "", key: bool = False) -> Diagnostic:
        """A diagnostic that begins with the path; its place is the value's, or the key's."""
        full = (*self._at, *path)
        return Diagnostic(code, f"`{_dotted(full)}`: {what}" if full else what, why, fix, origin=full, where=self._source.where(full, key))

    def _missing(self, parent: Place, name: str | int, choices: str = "") -> Diagnostic:
        fix = f"write `{name}: …`{f'; {choices}' if choices else ''}"
        return self._say("missing-key", (*parent.path, name), "this key must be written, and is not", fix, key=True)

    def _unknown(self, parent: Place, name: str | int) -> Diagnostic:
        known = list(dict.fromkeys(k for m in parent.models() for k in keys(m)))
        near = nearest(str(name), known)
        fixes = [self._home(str(name), parent), f"did you mean `{near}`?" if near else ""]
        fix = "; or: ".join(f for f in fixes if f) or did_you_mean(str(name), known)
        return self._say("unknown-key", (*parent.path, name), "this place knows no such key", fix, key=True)

    def _home(self, name: str, parent: Place) -> str:
        """Where in the file a key that is unknown here belongs; nothing when it is known in too many places to tell."""
        other_kinds = [f"`{KIND}: {k}`" for m in parent.members() if name in keys(m) for k in kinds(m)]
        if other_kinds:
            return f"`{_short(name)}` belongs to {' or '.join(other_kinds)}"
        places = homes(self._model).get(name, ())
        if not 0 < len(places) <= _MOST_HOMES:
            return ""
        full = [".".join(part for part in (_dotted(self._at), place) if part) for place in places[:2]]
        told = [f"under `{place}`" if place else "at the top of the file" for place in full]
        return f"`{_short(name)}` belongs {' or '.join(told)}"

    def _choice(self, place: Place, choices: Iterable[str]) -> Diagnostic:
        if place.data is None:
            return self._say("no-value", place.path, "a key is written here, and no value after it", "write a value")
        fix = did_you_mean(str(place.data)[:_LONGEST] if isinstance(place.data, str) else "", choices)
        return self._say("bad-choice", place.path, f"{_shown(place.data)} is not known here", fix)

    def _wrong(self, place: Place, kind: str, message: str) -> Diagnostic:
        # a text has attributes for pydantic, so that a union asks it for its `kind`
        wanted = "a mapping" if kind.startswith("union_tag") else next((w for w, sign in _WANTED.items() if sign.fullmatch(kind)), "")
        if wanted:
            fix = _FIXES.get(wanted, f"write {wanted}")
            return self._say("wrong-type", place.path, f"{_shown(place.data)}{_STANDS}{wanted} belongs", fix)
        said = message.removeprefix("Value error, ").removeprefix("Assertion failed, ")
        return self._say("wrong-type", place.path, f"{_shown(place.data)} does not fit here: {said}" if place.path else said)

    def _beyond(self, place: Place, kind: str, context: Mapping[str, Any]) -> Diagnostic:
        """A value beyond a bound of its field."""
        key, said, fix = _BOUNDS[kind]
        bound = f"{context[key]:g}"
        shape = "the mapping" if isinstance(place.data, dict) else "the list" if isinstance(place.data, list) else "the text"
        what = f"{shape} is empty" if place.data in ({}, [], "") else f"{_shown(place.data)} {said.format(bound)}"
        return self._say("out-of-range", place.path, what, fix.format(bound))


def _of_unions(found: list[Diagnostic]) -> list[Diagnostic]:
    """One diagnostic per mistake: a value that fits no member of a union is an error of every member.

    An error inside the value tells more than one about its shape; of two about the same value, the one of higher rank does.
    """
    around = {d.origin[:n] for d in found for n in range(len(d.origin))}
    best: dict[Path, int] = {}
    words: dict[Path, str] = {}
    for d in found:
        best[d.origin] = max(best.get(d.origin, 0), _RANK.get(d.code, 2))
        words |= {d.origin: d.fix} if d.code == "bad-choice" else {}
    out: dict[tuple[object, ...], Diagnostic] = {}
    for d in found:
        if d.code in _RANK and (d.origin in around or best[d.origin] > _RANK[d.code]):
            continue
        kept = replace(d, fix=f"{d.fix}; or: {words[d.origin]}") if d.origin in words and d.code != "bad-choice" else d
        shape = _STANDS in d.what
        before = out.setdefault((d.code, d.origin, "" if shape or d.code == "no-value" else d.what), kept)
        if shape and d.what not in before.what:
            both = f"{before.what.removesuffix(' belongs')} or {d.what.rpartition(_STANDS)[2]}"
            out[d.code, d.origin, ""] = replace(before, what=both)
    return list(out.values())


def _dotted(path: Path) -> str:
    """`links[3].to`."""
    return "".join(f"[{p}]" if isinstance(p, int) else f".{_short(p)}" for p in path).removeprefix(".")


def _unspelt(what: str, data: Any) -> str:
    """What a field said about a mapping or list, without how Python spells that."""
    if not isinstance(data, dict | list):
        return what
    spelt = str(data)
    return re.sub(r"`([\[{][^`]*)`", lambda found: _shown(data) if spelt.startswith(found[1]) else found[0], what)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


def _shown(value: Any) -> str:
    """A value as a person would name it."""
    if value is None or isinstance(value, bool):
        return "nothing" if value is None else f"`{str(value).lower()}`"
    if isinstance(value, dict | list | tuple):
        return "a mapping" if isinstance(value, dict) else "a list"
    quoted = isinstance(value, str) and not isinstance(value, Plain)
    return f'the quoted text "{_short(str(value))}"' if quoted else f"`{_short(str(value))}`"
