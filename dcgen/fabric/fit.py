"""Whether the transceivers and the cable that somebody named go together and into the cages at both ends; and what would."""

from collections.abc import Iterator
from dataclasses import dataclass

from dcgen.diagnostics import Path
from dcgen.fabric.base import Site
from dcgen.fabric.media import Option, Plug, options
from dcgen.parts import Cable, Optic


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts that were named for a bundle: a cable, and transceivers for the lower and the upper end."""

    cable: str | None
    optics: tuple[str, ...] = ()


def fitting(name: str, parts: Parts, a: Plug, b: Plug, rate_gbps: float, site: Site, at: Path) -> Option | None:
    """What was named as one way to make the link; None after saying what does not fit, and what would."""
    optics = [site.part(o, (*at, "optics", i), (Optic,)) for i, o in enumerate(parts.optics)]
    cable = site.part(parts.cable, (*at, "cable"), (Cable,)) if parts.cable else None
    if None in optics or (parts.cable and cable is None):
        return None
    pair = [o for o in optics if isinstance(o, Optic)]
    ends = _at_ends(pair, a, b)
    wrong = list(_faults(a, b, ends, cable if isinstance(cable, Cable) else None, rate_gbps))
    every = [o for medium in ("dac", "acc", "aoc", None) for o in options(site.shelf, a, b, rate_gbps, medium)]
    if not wrong:
        named = {p for p in (*parts.optics, parts.cable) if p}
        found = [o for o in every if named <= {p.part for p in o.parts} and (bool(pair) == any(o.optics) or not pair)]
        if found:
            return found[0]
        wrong = [("fibre-mismatch", "they do not make a link", "no fibre, cable or far end on the shelf goes with them")]
    fits = next((o for o in every if o.medium == "fibre"), next(iter(every), None))
    names = ", ".join(f"`{p}`" for p in dict.fromkeys(p.part for p in fits.parts)) if fits else ""
    fix = f"{names} would fit" if fits else "nothing on the shelf fits both ends"
    for code, what, why in wrong:
        site.say(code, f"{name}: {what}", why, fix, name, at)
    return None


def _at_ends(pair: list[Optic], a: Plug, b: Plug) -> tuple[Optic | None, Optic | None]:
    """The transceiver of each end: one that is named alone stands at both, but not where the optics are co-packaged."""
    if len(pair) == 1:
        alone = [None if p.ports.optics == "co-packaged" else pair[0] for p in (a, b)]
        return (alone[0], alone[1]) if any(alone) else (pair[0], pair[0])
    return (pair[0], pair[1]) if pair else (None, None)


def _faults(
    a: Plug, b: Plug, ends: tuple[Optic | None, Optic | None], cable: Cable | None, rate_gbps: float
) -> Iterator[tuple[str, str, str]]:
    """(code, what, why) of everything that does not fit, end by end, then between the ends."""
    for word, plug, optic in zip(("lower", "upper"), (a, b), ends, strict=True):
        if optic is not None:
            yield from _in_cage(word, plug, optic, rate_gbps)
    if cable is not None and cable.medium != "fibre":
        for word, plug in (("lower", a), ("upper", b)):
            if plug.ports.cage not in cable.fits:
                why = f"it fits {', '.join(cable.fits)}, the cage is {plug.ports.cage}"
                yield "optic-fit", f"`{cable.part}` does not go into the {word} end", why
        if cable.port_rate_gbps not in (None, rate_gbps):
            yield "optic-rate", f"`{cable.part}` carries {cable.port_rate_gbps:g}G", f"the link runs at {rate_gbps:g}G"
    x, y = ends
    if x and y:
        yield from _between(x, y)
    if x and cable is not None and cable.medium == "fibre" and (cable.fibre, cable.connector) != (x.fibre, x.connector):
        why = f"the transceiver needs {x.fibre} with {x.connector}, the cable is {cable.fibre} with {cable.connector}"
        yield "fibre-mismatch", f"`{x.part}` and `{cable.part}` do not go together", why


def _between(x: Optic, y: Optic) -> Iterator[tuple[str, str, str]]:
    """What keeps two transceivers from talking to each other."""
    for key, word in (("reach_class", "classes"), ("fibre", "fibre modes"), ("connector", "connectors"), ("lane_rate_gbps", "lane rates")):
        below, above = getattr(x, key), getattr(y, key)
        if below != above:
            code = "optic-rate" if key == "lane_rate_gbps" else "fibre-mismatch"
            yield code, f"`{x.part}` and `{y.part}` have different {word}", f"{_said(below)} below, {_said(above)} above"


def _said(value: object) -> str:
    return f"{value:g}G a lane" if isinstance(value, float) else str(value)


def _in_cage(word: str, plug: Plug, optic: Optic, rate_gbps: float) -> Iterator[tuple[str, str, str]]:
    ports = plug.ports
    if ports.optics == "co-packaged":
        why = "the light comes out of the faceplate: leave the transceiver of this end out"
        yield "optic-fit", f"`{optic.part}` has no cage at the {word} end, its optics are co-packaged", why
        return
    if ports.cage not in optic.fits:
        why = f"it fits {', '.join(optic.fits)} (body and heat sink), the cage is {ports.cage}"
        yield "optic-fit", f"`{optic.part}` does not go into the {word} end", why
    elif optic.ports != plug.split:
        yield "optic-fit", f"`{optic.part}` has {optic.ports} ports", f"the cage at the {word} end is run as {plug.split}"
    if optic.port_rate_gbps != rate_gbps:
        yield "optic-rate", f"`{optic.part}` runs at {optic.port_rate_gbps:g}G", f"the link runs at {rate_gbps:g}G"
    elif ports.lane_rate_gbps not in (None, optic.lane_rate_gbps):
        why = f"the {word} port has lanes of {ports.lane_rate_gbps:g}G: an equal port rate is not enough"
        yield "optic-rate", f"`{optic.part}` has lanes of {optic.lane_rate_gbps:g}G", why
    if plug.protocol and plug.protocol not in optic.protocols:
        yield "optic-fit", f"`{optic.part}` does not speak {plug.protocol}", f"it is for {', '.join(optic.protocols)}"
