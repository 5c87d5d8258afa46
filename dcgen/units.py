"""Turns `800G`, `3 m`, `1.2 kW` into numbers in base units, and numbers into text for people; never guesses a unit."""

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction


class Plain(str):
    """A scalar as it was typed, without quotes: a number, a quantity or a name, read by the field that wants it."""

    __slots__ = ()


class UnitError(ValueError):
    """A text that is not a quantity of the wanted dimension; `fix` says what would be."""

    def __init__(self, code: str, what: str, fix: str) -> None:
        self.code, self.what, self.fix = code, what, fix
        super().__init__(what)


@dataclass(frozen=True, slots=True)
class Dimension:
    """A kind of quantity: its base unit (the suffix of field names), the units people write, an example."""

    name: str
    base: str
    units: dict[str, Fraction]
    example: str


def _f(text: str) -> Fraction:
    return Fraction(text)


_RATE = {
    "Mb/s": _f("1/1000"), "Mbps": _f("1/1000"), "Mbit/s": _f("1/1000"),
    "G": _f("1"), "Gb/s": _f("1"), "Gbps": _f("1"), "Gbit/s": _f("1"),
    "T": _f("1000"), "Tb/s": _f("1000"), "Tbps": _f("1000"), "Tbit/s": _f("1000"),
    "MB/s": _f("8/1000"), "MBps": _f("8/1000"), "GB/s": _f("8"), "GBps": _f("8"), "TB/s": _f("8000"), "TBps": _f("8000"),
}  # fmt: skip

DIMENSIONS: dict[str, Dimension] = {
    d.name: d
    for d in (
        Dimension("rate", "gbps", _RATE, "800G"),
        Dimension(
            "length", "m",
            {"mm": _f("1/1000"), "cm": _f("1/100"), "m": _f("1"), "km": _f("1000"), "in": _f("0.0254"), "ft": _f("0.3048")},
            "3 m",
        ),
        Dimension("power", "w", {"mW": _f("1/1000"), "W": _f("1"), "kW": _f("1e3"), "MW": _f("1e6"), "GW": _f("1e9")}, "142 kW"),
        Dimension("energy", "kwh", {"Wh": _f("1/1000"), "kWh": _f("1"), "MWh": _f("1000"), "GWh": _f("1000000")}, "10 MWh"),
        Dimension("mass", "kg", {"g": _f("1/1000"), "kg": _f("1"), "t": _f("1000"), "lb": _f("0.45359237")}, "1360 kg"),
        Dimension("floor load", "kg_m2", {"kg/m2": _f("1")}, "1220 kg/m2"),
        Dimension("height", "u", {"U": _f("1"), "RU": _f("1")}, "4 U"),
        Dimension(
            "time", "ns",
            {
                "ns": _f("1"), "us": _f("1e3"), "ms": _f("1e6"), "s": _f("1e9"), "min": _f("60e9"), "h": _f("3600e9"), "d": _f("86400e9"),
                "days": _f("86400e9"), "weeks": _f("604800e9"),
            },
            "5 ms",
        ),
        Dimension(
            "size", "bytes",
            {
                "B": _f("1"), "kB": _f("1e3"), "MB": _f("1e6"), "GB": _f("1e9"), "TB": _f("1e12"),
                "KiB": _f("1024"), "MiB": _f("1048576"), "GiB": _f("1073741824"), "TiB": _f("1099511627776"),
            },
            "8 GiB",
        ),
        Dimension("failure rate", "fit", {"FIT": _f("1")}, "781 FIT"),
        Dimension("share", "1", {"%": _f("1/100")}, "10 %"),
        Dimension("money", "usd", {"USD": _f("1")}, "32870 USD"),
        Dimension("ratio", "1", {}, "1.5"),
        Dimension("count", "1", {}, "8"),
    )
}  # fmt: skip

NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
_QUANTITY = re.compile(rf"({NUMBER})\s*([^\d\s.].*)?", re.ASCII)
_LEADING_ZERO = re.compile(r"[+-]?0\d+(?:\.\d*)?", re.ASCII)
_LONGEST = 40
_READINGS = {"gbps": "`Gb/s` (bits) or `GB/s` (bytes)", "GB": "`GB/s` (bytes a second) or `Gb/s` (bits a second)"}


def parse(text: str, dimension: str) -> Fraction:
    """A quantity in the base unit of `dimension`, exactly.

    Raises:
        UnitError: no number, no unit, or a unit of another dimension.

    >>> parse("1.6T", "rate"), parse("50 GB/s", "rate"), parse("0.142 MW", "power")
    (Fraction(1600, 1), Fraction(400, 1), Fraction(142000, 1))
    """
    wanted = DIMENSIONS[dimension]
    found = _QUANTITY.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    if not found:
        raise UnitError("bad-number", f"`{text[:_LONGEST]}` is not a {dimension}", f"write for example `{wanted.example}`")
    number, unit = found[1], (found[2] or "").strip()
    if _LEADING_ZERO.fullmatch(number):
        raise UnitError("bad-number", f"`{text}` has a leading zero", _without_zero(number))
    if not unit and wanted.units:
        known = " or ".join(f"`{number} {u}`" for u in list(wanted.units)[:6])
        known = "`400 Gb/s` (bits) or `400 GB/s` (bytes)".replace("400", number) if dimension == "rate" else known
        raise UnitError("bad-unit", f"`{text}` has no unit", f"write {known}")
    if unit and unit not in wanted.units:
        raise UnitError("bad-unit", f"`{text}` is not a {dimension}", _unit_fix(number, unit, wanted))
    value = _exact(number)
    if len(str(abs(value.numerator))) > 24:
        raise UnitError("out-of-range", f"`{text}` is beyond anything that can be built", f"write for example `{wanted.example}`")
    return value * (wanted.units[unit] if unit else 1)


def _exact(number: str) -> Fraction:
    _, _, exponent = number.lower().partition("e")
    if exponent and abs(int(exponent)) > 24:
        raise UnitError("out-of-range", f"`{number}` is beyond anything that can be built", "write a smaller number")
    return Fraction(number)


def _without_zero(number: str) -> str:
    digits = number.lstrip("+-").lstrip("0") or "0"
    octal = f", or `{int(digits, 8)}` if you meant octal" if digits.isdigit() and not set(digits) & set("89") else ""
    return f"write `{digits}`{octal}"


def _unit_fix(number: str, unit: str, wanted: Dimension) -> str:
    if wanted.name == "rate" and unit in _READINGS:
        return f"write {_READINGS[unit]}"
    other = next((d.name for d in DIMENSIONS.values() if unit in d.units), None)
    other = "binary rate" if unit in ("GiB/s", "MiB/s", "Gi") else other
    same = next((u for u in wanted.units if u.casefold() == unit.casefold()), None)
    if same:
        return f"write `{number} {same}`: capitals matter in units"
    if not wanted.units:
        return f"write a bare number, for example `{wanted.example}`"
    said = f"`{unit}` is a unit of {other}; " if other else ""
    return f"{said}write for example `{wanted.example}`"


def parse_any(text: str) -> tuple[Fraction, str]:
    """A quantity of whatever dimension its unit belongs to: (value, base unit).

    Raises:
        UnitError: no number, or a unit that nobody knows.

    >>> parse_any("1.5 MW"), parse_any("75%"), parse_any("3")
    ((Fraction(1500000, 1), 'w'), (Fraction(3, 4), '1'), (Fraction(3, 1), '1'))
    """
    found = _QUANTITY.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    unit = (found[2] or "").strip() if found else ""
    dimension = next((d for d in DIMENSIONS.values() if unit in d.units), DIMENSIONS["ratio"])
    return parse(text, dimension.name), dimension.base


def count(text: str) -> int:
    """A whole number; `1e3` is one, `18.0` is not.

    >>> count("1e3")
    1000
    """
    value = parse(text, "count")
    plain = text.strip().lstrip("+-")
    if value.denominator != 1 or ("." in plain and "e" not in plain.lower()):
        hint = f"write `{value.numerator}`" if value.denominator == 1 else "write a whole number"
        raise UnitError("bad-number", f"`{text}` is not a whole number", hint)
    return int(value)


def rounded(value: float | Fraction | Decimal, decimals: int) -> Decimal:
    """Half away from zero, once, before anything is written; never `-0`.

    >>> rounded(sum([0.7] * 72), 3)
    Decimal('50.4')
    """
    exact = (
        Decimal(value.numerator) / Decimal(value.denominator)
        if isinstance(value, Fraction)
        else Decimal(repr(value) if isinstance(value, float) else value)
    )
    out = exact.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP).normalize()
    out = out.quantize(Decimal(1)) if out == out.to_integral() else out
    return abs(out) if out == 0 else out


_STEPS = {
    "gbps": ((Decimal("1e6"), "Pb/s"), (Decimal("1e3"), "Tb/s"), (Decimal(1), "Gb/s")),
    "w": ((Decimal("1e9"), "GW"), (Decimal("1e6"), "MW"), (Decimal("1e3"), "kW"), (Decimal(1), "W")),
    "usd": ((Decimal("1e9"), "G USD"), (Decimal("1e6"), "M USD"), (Decimal(1), "USD")),
    "m": ((Decimal("1e3"), "km"), (Decimal(1), "m")),
    "kg": ((Decimal("1e3"), "t"), (Decimal(1), "kg")),
    "ns": (
        (Decimal("86400e9"), "d"), (Decimal("3600e9"), "h"), (Decimal("1e9"), "s"), (Decimal("1e6"), "ms"), (Decimal("1e3"), "us"),
        (Decimal(1), "ns"),
    ),
    "u": ((Decimal(1), "U"),),
    "bytes": ((Decimal("1e12"), "TB"), (Decimal("1e9"), "GB"), (Decimal("1e6"), "MB"), (Decimal("1e3"), "kB"), (Decimal(1), "B")),
    "fit": ((Decimal(1), "FIT"),),
    "GB/s": ((Decimal("1e3"), "TB/s"), (Decimal(1), "GB/s")),
}  # fmt: skip

IN_BASE = {"GB/s": ("gbps", 8.0)}
"""Units that figures are given in by custom -> (base unit of the dimension, how much of it one is)."""


def spoken(value: float | int | Decimal, unit: str) -> str:
    """A number with its unit, at most three decimals, thousands apart.

    >>> spoken(142000, "w"), spoken(103680, "1"), spoken(1.0666667, "1")
    ('142 kW', '103,680', '1.067')
    """
    number = rounded(value, 9)
    for step, name in _STEPS.get(unit, ()):
        if abs(number) >= step or step == 1:
            return f"{rounded(number / step, 3):,f} {name}"
    return f"{rounded(number, 3):,f}" + ("" if unit == "1" else f" {unit}")
