"""Which of several ways to make a link is preferred: the words of `media:`, and what each counts."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BeforeValidator, WithJsonSchema

from dcgen.fabric.media import Option, Plug, Shelf, options
from dcgen.parts.fields import Strict, listed, one_or_many

Word = Literal["dac", "acc", "aoc", "optic", "lpo"]
CUSTOM = {"twisted-pair": 0, "dac": 0, "acc": 1, "aoc": 2, "fibre": 3}
"""What costs and draws least first, where figures are missing: passive copper, active copper, active optical, transceivers."""


class MediaPolicy(Strict):
    """What links may be made of, and which of that is taken where several reach.

    `cheapest` and `lowest-power` go by the parts' figures where all have one, else by custom: dac, acc, aoc, optic. `fewest-kinds`
    takes one kind for a whole bundle. `lpo` are linear transceivers, which a switch must be able to drive.
    """

    policy: Literal["cheapest", "lowest-power", "fewest-kinds", "shortest-reach"] = "shortest-reach"
    allow: Annotated[list[Word], BeforeValidator(listed), WithJsonSchema(one_or_many({"enum": ["dac", "acc", "aoc", "optic", "lpo"]}))] = [
        "dac", "acc", "aoc", "optic",
    ]  # fmt: skip


UNWRITTEN = MediaPolicy(allow=["optic"])
"""What holds where no `media:` is written."""


def allowed(shelf: Shelf, a: Plug, b: Plug, rate_gbps: float, policy: MediaPolicy) -> list[Option]:
    """Every way to join two cages that the policy permits, the shortest reach first."""
    if a.ports.cage == b.ports.cage == "rj45":
        return options(shelf, a, b, rate_gbps)
    found = [o for word in policy.allow if word in ("dac", "acc", "aoc") for o in options(shelf, a, b, rate_gbps, word)]
    light = options(shelf, a, b, rate_gbps) if {"optic", "lpo"} & set(policy.allow) else []
    return sorted([*found, *_light(light, policy)], key=lambda o: o.reach_m)


def _light(light: list[Option], policy: MediaPolicy) -> list[Option]:
    return [o for o in light if ("lpo" if any(x and x.linear for x in o.optics) else "optic") in policy.allow]


def price_usd(option: Option, splits: tuple[int, int]) -> float | None:
    """What one link costs: its share of the cable and of the transceivers; None where a price is missing."""
    prices = [option.cable.price_usd, *(o.price_usd for o in option.optics if o)]
    shares = [option.per_cable, *(n for o, n in zip(option.optics, splits, strict=True) if o)]
    if any(p is None for p in prices):
        return None
    return sum(float(p.value) / n for p, n in zip(prices, shares, strict=True) if p)


def power_w(option: Option, splits: tuple[int, int]) -> float | None:
    """What one link draws at most at both ends [W]; None where a figure is missing."""
    figures = [o.power.max_w for o in option.optics if o]
    shares = [n for o, n in zip(option.optics, splits, strict=True) if o]
    if option.medium in ("dac", "twisted-pair"):
        return option.cable.power.max_w.value / option.per_cable if option.cable.power.max_w else 0.0
    if option.medium in ("acc", "aoc"):
        figures, shares = [option.cable.power.max_w], [option.per_cable]
    if any(f is None for f in figures):
        return None
    return sum(f.value / n for f, n in zip(figures, shares, strict=True) if f)


def failure_rate_fit(option: Option, splits: tuple[int, int]) -> float | None:
    """Failures of one link in 1e9 hours; None where a figure is missing."""
    figures = [option.cable.failure_rate_fit, *(o.failure_rate_fit for o in option.optics if o)]
    shares = [option.per_cable, *(n for o, n in zip(option.optics, splits, strict=True) if o)]
    if any(f is None for f in figures):
        return None
    return sum(f.value / n for f, n in zip(figures, shares, strict=True) if f)


def preferred(found: Sequence[Option], policy: MediaPolicy, splits: tuple[int, int]) -> tuple[Option, str]:
    """The one that the policy takes among several that all reach, and why in words; of equals the first, which reaches least far."""
    if policy.policy in ("cheapest", "lowest-power"):
        if len(found) == 1:
            return found[0], "the only kind that reaches"
        figure = price_usd if policy.policy == "cheapest" else power_w
        word = "price" if policy.policy == "cheapest" else "power"
        known = [figure(o, splits) for o in found]
        if None not in known:
            best = min(range(len(found)), key=lambda i: (known[i] or 0.0, CUSTOM[found[i].medium], found[i].reach_m))
            return found[best], f"{policy.policy} by {word}"
        best = min(range(len(found)), key=lambda i: (CUSTOM[found[i].medium], known[i] is None, known[i] or 0.0))
        return found[best], f"{policy.policy} by custom (dac, acc, aoc, optic): some of what reaches has no {word}"
    return found[0], "the shortest reach that covers it"
