"""Boxes: carved, met and read in digits, against plain enumeration."""

from itertools import product
from math import prod

from hypothesis import given, settings
from hypothesis import strategies as st

from dcgen.design.region import Box, carve, interval_digits, meet, volume

SMALL = settings(derandomize=True, deadline=None, database=None, max_examples=150)
RANGE = st.tuples(st.integers(0, 4), st.integers(0, 3)).map(lambda r: range(r[0], r[0] + r[1]))
HOLES = st.lists(st.dictionaries(st.sampled_from("xy"), RANGE, max_size=2), max_size=3)


def points(box: Box) -> set[tuple[int, ...]]:
    return set(product(*box.values()))


@SMALL
@given(st.fixed_dictionaries({"x": RANGE, "y": RANGE}), HOLES)
def test_carve_leaves_what_no_hole_has_in_disjoint_boxes(full: Box, holes: list[Box]) -> None:
    left = carve(full, holes)
    want = points(full) - {p for h in holes for p in points(full) if all(dict(zip("xy", p, strict=True))[a] in r for a, r in h.items())}
    assert sum(volume(b) for b in left) == len(want)
    assert {p for b in left for p in points(b)} == want


@SMALL
@given(st.fixed_dictionaries({"x": RANGE, "y": RANGE}), st.dictionaries(st.sampled_from("xy"), RANGE))
def test_meet_is_the_common_part(a: Box, b: Box) -> None:
    both = points(a) & points({**a, **b})
    found = meet(a, b)
    assert points(found) == both if found else not both


@SMALL
@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.data())
def test_an_interval_in_digits(sizes: list[int], data: st.DataObject) -> None:
    low = data.draw(st.integers(0, prod(sizes)))
    high = data.draw(st.integers(low, prod(sizes)))
    boxes = interval_digits(low, high, sizes)
    assert len(boxes) <= 2 * len(sizes) - 1
    numbers = []
    for box in boxes:
        for digits in product(*box):
            n = 0
            for size, x in zip(sizes, digits, strict=True):
                n = n * size + x
            numbers.append(n)
    assert sorted(numbers) == list(range(low, high))
