"""Which way each measure is better, in one list: a comparison marks by it what a change makes worse."""

from typing import Literal

Better = Literal["higher", "lower", ""]

HIGHER = ("bisection", "bus_bandwidth", "goodput", "job_mttf", "throughput")
"""Measures, or the beginnings of their names, of which more is better."""

LOWER = (
    "accelerators_cut_off",
    "collective_time",
    "cost",
    "failures_per_year",
    "hops",
    "latency",
    "oversubscription",
    "parts_down",
    "power",
    "propagation",
)
"""Those of which less is better. What is in neither list says how large a design is: more is neither better nor worse."""


def better(measure: str) -> Better:
    """Which way a measure is better; of several beginnings the longest decides.

    >>> better("power_max"), better("bisection"), better("gpus")
    ('lower', 'higher', '')
    """
    words: dict[str, Better] = {**dict.fromkeys(HIGHER, "higher"), **dict.fromkeys(LOWER, "lower")}
    found = max((w for w in words if f"{measure}_".startswith(f"{w}_")), key=len, default="")
    return words[found] if found else ""
