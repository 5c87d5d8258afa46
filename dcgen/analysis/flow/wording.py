"""Answers in words."""

from collections.abc import Iterator

from dcgen.analysis.flow.answer import Throughput
from dcgen.units import spoken


def said(found: Throughput) -> str:
    """How it was found, how sure it is, and what binds."""
    words = [found.traffic, *([f"{found.lost} lost"] if found.lost else []), f"per {found.each}"]
    words += [bracket(found) if found.status == "bracket" else found.status, found.method]
    words += [f"binding: {'; '.join(binding(found))}"] if found.binding else []
    words += [f"0, because {found.why}" if found.status == "cut off" else found.why] if found.why else []
    return ", ".join(w for w in words if w)


def percent(share: float | None) -> str:
    """`85.6 %`; nothing where there is no figure. What is not whole is never printed as whole."""
    if share is None:
        return ""
    text = f"{100 * share:.2f}".rstrip("0").rstrip(".")
    return f"{text} %" if share >= 1 - 1e-9 or text != "100" else "> 99.99 %"


def bracket(found: Throughput) -> str:
    """`between 400 Gb/s and 410 Gb/s`."""
    return f"between {spoken(found.low or 0, found.unit)} and {spoken(found.high or 0, found.unit)}"


def binding(found: Throughput, most: int = 2) -> Iterator[str]:
    """The links that bind, with their share of the price where they are not alone: `76 %: backend/leaf → backend/spine`."""
    for b in found.binding[:most]:
        share = "" if b.share > 0.9999 else f"{100 * b.share:.0f} %: "
        yield f"{share}{b.name}, {b.links:,} links of {spoken(b.total_gbps, 'gbps')} together"
