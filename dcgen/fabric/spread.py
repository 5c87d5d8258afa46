"""How many switches a tier needs, and why."""

from fractions import Fraction
from math import ceil


def uplinks(down_gbps: float, up_rate_gbps: float, oversubscription: float) -> int:
    """Uplinks of a switch so that downlink capacity is at most `oversubscription` times uplink capacity.

    >>> uplinks(72 * 800, 800, 1.67)
    44
    """
    return ceil(Fraction(str(down_gbps)) / (Fraction(str(oversubscription)) * Fraction(str(up_rate_gbps))))


def least_even(fan: int, up: int, radix: int) -> int | None:
    """Fewest upper switches that have the ports and divide the uplinks of a lower one; None if no divisor is large enough.

    Published leaf-spine tables follow this rule: 24 leaves with 32 uplinks on 64 ports take 16 spines, not 12.

    >>> least_even(24, 32, 64), least_even(32, 72, 144)
    (16, 18)
    """
    need = max(1, -(-fan * up // radix))
    return next((s for s in range(need, up + 1) if up % s == 0), None)


def down_ports(cages: int, split: int, split_up: int, rate: float, rate_up: float, oversubscription: float) -> int:
    """Most downlinks of a switch that leave room for the uplinks they need.

    >>> down_ports(32, 2, 2, 400, 400, 1)
    32
    """
    for down in range(cages * split, 0, -1):
        up = uplinks(down * rate, rate_up, oversubscription)
        if -(-down // split) + -(-up // split_up) <= cages:
            return down
    return 0
