"""Quantities: bits and bytes, watts and megawatts, leading zeros, half away from zero."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dcgen.naming import Selector, collisions, label, look_alikes, natural, parse_selector
from dcgen.units import DIMENSIONS, UnitError, count, parse, parse_any, rounded, spoken


@pytest.mark.parametrize(
    ("text", "dimension", "value"),
    [
        ("400 Gb/s", "rate", 400), ("400Gbps", "rate", 400), ("50 GB/s", "rate", 400), ("50GBps", "rate", 400), ("800G", "rate", 800),
        ("1.6T", "rate", 1600), ("1.8 TB/s", "rate", 14400), ("132 kW", "power", 132_000), ("132000 W", "power", 132_000),
        ("0.132 MW", "power", 132_000), ("78 in", "length", Fraction("1.9812")), ("20 ft", "length", Fraction("6.096")),
        ("1e3", "count", 1000), ("1.0e3", "count", 1000), ("1.0e+3", "count", 1000), ("10 %", "share", Fraction(1, 10)), ("4U", "height", 4),
    ],
)  # fmt: skip
def test_reads(text: str, dimension: str, value: Fraction) -> None:
    assert parse(text, dimension) == value


@pytest.mark.parametrize(
    ("text", "dimension", "fix"),
    [
        ("gbps", "rate", "800G"), ("400gbps", "rate", "bits"), ("400 GB", "rate", "bytes a second"), ("400", "rate", "(bits) or"),
        ("400 GiB/s", "rate", "binary"), ("132 kWh", "power", "unit of energy"), ("3 mw", "power", "capitals matter"), ("5", "length", "5 mm"),
        ("010", "count", "8` if you meant octal"), ("08", "count", "write `8`"), ("1_000", "count", ""), ("inf", "ratio", ""), (".nan", "ratio", ""),
        ("1e99", "count", "smaller"), ("1:48", "count", ""), ("0x10", "count", ""), ("3 km", "power", "unit of length"),
    ],
)  # fmt: skip
def test_refuses_and_says_how(text: str, dimension: str, fix: str) -> None:
    with pytest.raises(UnitError) as refused:
        parse(text, dimension)
    assert fix in refused.value.fix


def test_milli_and_mega_are_apart() -> None:
    assert parse("1 mW", "power") * 10**9 == parse("1 MW", "power")


@pytest.mark.parametrize("text", ["18.0", "18.5", "1.5e0"])
def test_counts_are_whole(text: str) -> None:
    with pytest.raises(UnitError):
        count(text)


@given(
    st.fractions(min_value=0, max_value=10**6, max_denominator=1000),
    st.sampled_from([(d.name, u) for d in DIMENSIONS.values() for u in d.units]),
)
@settings(derandomize=True, deadline=None)
def test_a_quantity_survives_its_unit(value: Fraction, kind: tuple[str, str]) -> None:
    dimension, unit = kind
    decimal = Decimal(value.numerator) / Decimal(value.denominator)
    text = f"{decimal:.6f}"
    assert parse(f"{text} {unit}", dimension) == Fraction(text) * DIMENSIONS[dimension].units[unit]
    assert parse_any(f"{text} {unit}")[0] == parse(f"{text} {unit}", next(d.name for d in DIMENSIONS.values() if unit in d.units))


def test_rounding_is_half_away_from_zero_and_never_minus_zero() -> None:
    assert [rounded(x, 0) for x in (0.5, 1.5, 2.5, -0.5, -0.4)] == [1, 2, 3, -1, 0]
    assert str(rounded(-0.0, 3)) == "0"
    assert rounded(sum([0.7] * 72), 3) == Decimal("50.4") == rounded(0.7 * 72, 3)
    assert spoken(1_220_000.0, "w") == "1.22 MW"


def test_natural_order_is_total() -> None:
    names = ["Ethernet1/10", "Ethernet1/2", "Ethernet1/49/1", "Ethernet1/49", "Ethernet1/50", "rack10", "rack2", "p01", "p1"]
    assert sorted(names, key=natural) == [
        "Ethernet1/2",
        "Ethernet1/10",
        "Ethernet1/49",
        "Ethernet1/49/1",
        "Ethernet1/50",
        "p01",
        "p1",
        "rack2",
        "rack10",
    ]
    assert len({natural(n) for n in names}) == len(names)


_AXIS = st.from_regex(r"[a-z]{1,6}", fullmatch=True)


@given(
    st.from_regex(r"[a-z]{1,5}(/[a-z]{1,5})?", fullmatch=True),
    st.dictionaries(_AXIS, st.tuples(st.integers(0, 99), st.integers(0, 99)), max_size=4),
    st.sampled_from(["", "swp4s0", "1/1/1"]),
)
@settings(derandomize=True, deadline=None)
def test_selectors_parse_back(group: str, ranges: dict[str, tuple[int, int]], port: str) -> None:
    selector = Selector(group, tuple((a, min(r), max(r)) for a, r in ranges.items()), port)
    assert parse_selector(str(selector)) == selector


def test_labels_and_collisions() -> None:
    assert label("backend/leaf", {"su": 3, "rail": 5}) == "backend-leaf-su3-rail5"
    assert collisions(["señor", "sen\u0303or", "pod"]) == [("señor", "sen\u0303or")]
    assert collisions(["a_b", "a-b"]) == [("a_b", "a-b")]
    assert look_alikes(["pod-a", "pod-\u0430"]) == [("pod-a", "pod-\u0430")]
