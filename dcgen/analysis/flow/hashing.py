"""Flows that are hashed, each to one of several links, whole: how full the fullest link is, exactly."""

from math import ceil, exp, lgamma, log

MOST_FLOWS = 20_000


def most_on_one(flows: int, links: int) -> float:
    """Expected number of flows on the fullest of `links` equal links, each flow on one of them at random.

    The law of the maximum: P(max <= r) = n! / m^n × the coefficient of x^n in (sum of x^i / i! for i <= r) ^ m.

    Raises:
        ValueError: nothing to hash, or too many flows to say exactly.

    >>> round(most_on_one(8, 8), 9), round(most_on_one(32, 8), 9)
    (2.597232819, 7.047784072)
    """
    least, total = ceil(flows / links), 0.0
    for r in range(least, flows + 1):
        within = at_most(flows, links, r)
        total += 1 - within
        if within > 1 - 1e-15:
            break
    return least + total


def at_most(flows: int, links: int, r: int) -> float:
    """Probability that no link has more than `r` flows.

    >>> round(at_most(8, 8, 1), 12)
    0.002403259277
    """
    import numpy as np

    if flows < 1 or links < 1 or flows > MOST_FLOWS:
        raise ValueError(f"{flows:,} flows on {links:,} links")
    if r * links < flows:
        return 0.0
    mean = flows / links  # loads as if they were independent and Poisson, given that they add up
    one = np.array([exp(i * log(mean) - mean - lgamma(i + 1)) for i in range(min(r, flows) + 1)])
    power, result, n = one, np.ones(1), links
    while n:
        if n & 1:
            result = np.convolve(result, power)[: flows + 1]
        power = np.convolve(power, power)[: flows + 1] if n > 1 else power
        n >>= 1
    if len(result) <= flows:
        return 0.0
    return min(1.0, float(result[flows]) / exp(flows * log(flows) - flows - lgamma(flows + 1)))


def slowest_flow(flows: int, links: int, queue_pairs: int = 1) -> float:
    """Rate of the slowest flow over that of an even spread; with `queue_pairs`, each flow is hashed in so many equal parts.

    >>> round(slowest_flow(8, 8), 3), round(slowest_flow(64, 64), 3), round(slowest_flow(32, 8), 3)
    (0.385, 0.253, 0.568)
    """
    number = flows * queue_pairs
    even = number / links
    return min(1.0, even / most_on_one(number, links)) if even >= 1 else min(1.0, 1 / most_on_one(number, links))
