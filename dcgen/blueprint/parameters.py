"""Puts parameters in: `$su` stands for a whole value; a setting from outside wins over the default."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from dcgen.blueprint.model import is_reference
from dcgen.diagnostics import Diagnostic, Path, Rejected, did_you_mean
from dcgen.source import Source
from dcgen.units import Plain, UnitError, parse_any

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def substituted(source: Source, settings: Mapping[str, str]) -> tuple[Any, dict[str, str]]:
    """(data with every `$name` replaced, the value of every parameter as text).

    Raises:
        Rejected: unknown or missing parameters, values outside their range.
    """
    written = source.data.get("params") if isinstance(source.data, dict) else None
    declared = written if isinstance(written, dict) else {}
    problems: list[Diagnostic] = []
    at: Path = ("params",)
    problems += [
        Diagnostic("bad-parameter", f"`--set {name}`: there is no parameter `{name}`", fix=did_you_mean(name, declared), origin=at)
        for name in settings
        if name not in declared
    ]
    values = {k: v for k, v in ((k, _value(k, declared, settings, problems)) for k in declared) if v is not None}
    data = {k: v if k == "params" else _put(v, values, declared, (k,), problems) for k, v in source.data.items()}
    if problems:
        raise Rejected(source.place(problems))
    return data, {k: str(v) for k, v in sorted(values.items())}


def _written(name: str, declared: Mapping[str, Any], settings: Mapping[str, str]) -> tuple[dict[str, Any], Any]:
    """(what is declared of a parameter, the value that it is given)."""
    spec = declared[name] if isinstance(declared[name], dict) else {"default": declared[name]}
    return spec, Plain(settings[name]) if name in settings else spec.get("default")


def _followed(name: str, declared: Mapping[str, Any], settings: Mapping[str, str]) -> Any:
    """The value that a parameter comes to where it is given as another one; a diagnostic where it comes to none."""
    at: Path = ("params", name)
    passed, value = [name], _written(name, declared, settings)[1]
    while is_reference(value):
        other = str(value)[1:]
        if other not in declared:
            return Diagnostic("bad-parameter", f"`{value}`: there is no parameter `{other}`", fix=did_you_mean(other, declared), origin=at)
        if other in passed:
            circle = " is ".join(f"`${p}`" for p in [*passed, other])
            what = f"parameter `{name}` comes to no value: {circle}"
            return Diagnostic("bad-parameter", what, "they refer to each other in a circle", "give one of them a value", origin=at)
        passed.append(other)
        value = _written(other, declared, settings)[1]
    return value


def _value(name: str, declared: Mapping[str, Any], settings: Mapping[str, str], problems: list[Diagnostic]) -> Any:
    at: Path = ("params", name)
    written, value = _written(name, declared, settings)[0], _followed(name, declared, settings)
    if isinstance(value, Diagnostic):
        problems.append(value)
        return None
    if value is None:
        problems.append(
            Diagnostic("bad-parameter", f"parameter `{name}` has no value", fix=f"give it a `default:`, or `--set {name}=…`", origin=at)
        )
        return None
    limits, choices = written.get("range"), written.get("choices")
    said = f"`{name}` = {value}" + (" (from --set)" if name in settings else "")
    if isinstance(choices, list) and str(value) not in {str(c) for c in choices}:
        problems.append(
            Diagnostic("bad-parameter", f"{said} is not a choice", fix=f"choose {', '.join(f'`{c}`' for c in choices)}", origin=at)
        )
    if isinstance(limits, list) and len(limits) == 2:
        problems += _outside(said, value, limits, written.get("default"), at)
    return value


def _outside(said: str, value: Any, limits: list[Any], default: Any, at: Path) -> Iterable[Diagnostic]:
    ends = [str(v) for v in limits]
    whole = all(v.isdecimal() for v in ends) and "." not in str(default)
    kind = "a whole number" if whole else "a number" if all(map(_NUMBER.fullmatch, ends)) else ""
    other = f"{said} is not {kind}", f"set it to {kind} from {limits[0]} to {limits[1]}"
    try:
        (low, unit_low), (high, unit_high), (x, unit) = (parse_any(str(v)) for v in (*limits, value))
    except UnitError as e:
        what, fix = other if kind else (f"{said} cannot be compared with its range: {e.what}", e.fix)
        return [Diagnostic("bad-parameter", what, fix=fix, origin=at)]
    if {unit_low, unit_high} != {unit}:
        what, fix = other if kind else (f"{said} and its range have different units", "write all three in one dimension")
        return [Diagnostic("bad-parameter", what, fix=fix, origin=at)]
    if not low <= x <= high:
        return [
            Diagnostic(
                "bad-parameter", f"{said} is outside {limits[0]} to {limits[1]}", fix=f"set it to {limits[0]} to {limits[1]}", origin=at
            )
        ]
    return []


def _put(value: Any, values: Mapping[str, Any], declared: Mapping[str, Any], at: Path, problems: list[Diagnostic]) -> Any:
    if isinstance(value, dict):
        return {k: _put(v, values, declared, (*at, k), problems) for k, v in value.items()}
    if isinstance(value, list):
        return [_put(v, values, declared, (*at, i), problems) for i, v in enumerate(value)]
    if not is_reference(value):
        return value
    name = str(value)[1:]
    if name not in declared:
        problems.append(
            Diagnostic("bad-parameter", f"`{value}`: there is no parameter `{name}`", fix=did_you_mean(name, declared), origin=at)
        )
    return values.get(name, value)
