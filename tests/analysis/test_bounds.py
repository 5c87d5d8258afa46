"""Bounds without symmetry, and the law of hashed flows, against published figures and brute force."""

from itertools import product

import pytest

from dcgen.analysis.flow.bounds import matching_bound, mean_distance, universal_limit
from dcgen.analysis.flow.hashing import at_most, most_on_one, slowest_flow


@pytest.mark.parametrize(("each", "most"), [(8, 111_000), (7, 256_000), (6, 3_970_000)])
def test_largest_fabric_of_radix_32_with_full_throughput(each: int, most: int) -> None:
    """Namyar et al., SIGCOMM 2021, print 111K, 256K and 3.97M terminals."""
    step = each * 10
    found = next(n for n in range(int(most * 1.01) // step * step, 0, -step) if universal_limit(n, 32, each) >= 1)
    assert found == pytest.approx(most, rel=0.002)


def test_moore_bound_by_hand() -> None:
    assert mean_distance(4, 3) == 1
    assert mean_distance(10, 3) == pytest.approx((3 * 1 + 6 * 2) / 9)  # the Petersen graph
    assert mean_distance(6, 2) == pytest.approx((2 * 1 + 2 * 2 + 1 * 3) / 5)  # a ring of six
    with pytest.raises(ValueError, match="1 devices"):
        mean_distance(1, 3)


def test_matching_bound_by_hand() -> None:
    """A ring of six, a terminal each: opposite pairs are 3 apart, 12 directed links over 18."""
    ring = [[((i + 1) % 6, 1.0), ((i - 1) % 6, 1.0)] for i in range(6)]
    assert matching_bound(ring, [1] * 6) == pytest.approx(12 / 18)
    # leaf and spine: four leaves of two terminals, two spines; leaves are 2 apart
    near = [[(4, 1.0), (5, 1.0)] for _ in range(4)] + [[(i, 1.0) for i in range(4)] for _ in range(2)]
    assert matching_bound(near, [2, 2, 2, 2, 0, 0]) == pytest.approx(16 / (4 * 2 * 2))
    with pytest.raises(ValueError, match="cannot reach"):
        matching_bound([[], []], [1, 1])


@pytest.mark.parametrize(
    ("flows", "links", "none_meets", "fullest"),
    [(8, 8, 0.002403259277, 2.5972328186), (16, 16, 1.1342267e-6, 3.0782467973), (32, 32, 1.8004142e-13, 3.5329409933),
     (64, 64, 3.2203165e-27, 3.9577368641), (32, 8, 0.0, 7.0477840716), (256, 32, 0.0, 14.3840303044)],
)  # fmt: skip
def test_law_of_collisions(flows: int, links: int, none_meets: float, fullest: float) -> None:
    assert at_most(flows, links, 1) == pytest.approx(none_meets, rel=1e-6)
    assert most_on_one(flows, links) == pytest.approx(fullest, rel=1e-9)


@pytest.mark.parametrize(("flows", "links"), [(1, 3), (2, 3), (4, 3), (5, 2), (3, 5)])
def test_law_of_collisions_by_counting(flows: int, links: int) -> None:
    loads = [max(at.count(link) for link in range(links)) for at in product(range(links), repeat=flows)]
    assert most_on_one(flows, links) == pytest.approx(sum(loads) / len(loads))
    for r in range(1, flows + 1):
        assert at_most(flows, links, r) == pytest.approx(sum(x <= r for x in loads) / len(loads))


def test_more_queue_pairs_spread_better() -> None:
    shares = [slowest_flow(72, 72, q) for q in (1, 4, 16)]
    assert shares == sorted(shares)
    assert 0.2 < shares[0] < 0.3
    assert 0.55 < shares[2] < 1
