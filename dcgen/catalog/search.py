"""Finds parts by words, and says all that is known of one, for people."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from dcgen.catalog.shelf import Shelf
from dcgen.naming import natural
from dcgen.parts import Cable, MoneyFigure, Node, Optic, Part, Ports, Rack, Switch
from dcgen.units import spoken

Section = tuple[str, list[str], list[list[str]]]
"""Title, columns, rows."""

_EXPECTED = ("power_typical_w", "power_max_w", "mass_kg", "height_u", "price_usd")
"""Figures that every part could have; where one is unknown, the card says so."""
_KIND_WORDS = {
    "accelerator": ("gpu", "gpus"),
    "node": ("server", "host"),
    "tray": ("server", "node"),
    "switch": ("leaf", "spine", "core", "switches"),
    "optic": ("transceiver", "module", "optics"),
    "nic": ("adapter",),
    "laser": ("els",),
}
"""What people also call a kind, or use it for."""
_UNITS = {"w": "w", "kg": "kg", "m": "m", "u": "u", "usd": "usd", "gbps": "gbps", "gb": "GB", "k": "K", "lpm": "l/min"}


def search(shelf: Shelf, words: Sequence[str]) -> list[Part]:
    """Parts that every word describes, in natural order: their names and numbers, technology, cages, port rates (`800G`), use.

    Raises:
        Rejected: a file on the shelf describes no part.
    """
    wanted = [word.casefold() for text in words for word in text.split()]
    found = [part for part in shelf.all() if _described(part, wanted)]
    return sorted(found, key=lambda part: natural(part.part))


def card(part: Part) -> list[Section]:
    """Everything a part says, as sections; empty sections are left out."""
    sections: list[Section] = [
        (f"{part.part}: {part.title}", ["", ""], list(_facts(part))),
        ("Figures", ["figure", "value", "trust", "source", "note"], list(_figures(part))),
        (
            "Contents",
            ["name", "count", "part"],
            [[n, str(c.count), c.part] for n, c in part.contents.items()] if isinstance(part, Rack) else [],
        ),
        (
            "Ports",
            ["group", "cages", "cage", "modes", "optics", "axes", "protocols", "labels"],
            [_sockets(name, ports) for name, ports in part.port_groups().items()],
        ),
        *((f"Sockets of {name}", ["at", "port", "os"], _mapped(ports)) for name, ports in part.port_groups().items()),
        ("Lengths", ["length", "part number"], _lengths(part)),
        ("Conflicts", ["figure", "values", "chosen"], [[c.figure, "; ".join(c.values), c.chosen or ""] for c in part.conflicts]),
        (
            "Sources",
            ["name", "title", "tier", "read", "address"],
            [[name, s.title, s.tier, s.read or "", s.url or ""] for name, s in part.sources.items()],
        ),
    ]
    return [section for section in sections if section[2]]


def _described(part: Part, words: Sequence[str]) -> bool:
    said, exact = _said(part), {*_KIND_WORDS.get(part.kind, ()), *_rates(part)}
    return all(word in said or word in exact for word in words)


def _said(part: Part) -> str:
    """What words may be a piece of."""
    names = [part.part, part.title, part.maker, part.kind, part.part_number or "", *part.aliases]
    if isinstance(part, Cable):
        names += [part.medium, *part.fits, *part.protocols, part.connector or "", *(x.part_number or "" for x in part.lengths)]
    if isinstance(part, Optic):
        names += [part.reach_class, part.fibre, part.connector, *part.fits, *part.protocols]
    if isinstance(part, Switch):
        names.append(part.fabric)
    if isinstance(part, Node) and part.accelerators:
        names.append("gpu")
    for ports in _sought(part):
        names += [ports.cage, *ports.protocols, *([] if ports.optics == "pluggable" else [ports.optics])]
    return "\n".join(names).casefold()


def _sought(part: Part) -> list[Ports]:
    """Its ports, without those by which a switch is managed: nobody looks for a switch by them."""
    return [ports for name, ports in part.port_groups().items() if not (isinstance(part, Switch) and name.startswith("mgmt"))]


def _rates(part: Part) -> Iterator[str]:
    """The rates of its ports as people type them: `800g`, `1600g`, `1.6t`. Of an optic also that of the whole module."""
    rates_gbps = {rate for ports in _sought(part) for _, rate in ports.modes}
    if isinstance(part, Optic | Cable) and part.port_rate_gbps:
        rates_gbps |= {part.port_rate_gbps, part.ports * part.port_rate_gbps}
    for rate_gbps in rates_gbps:
        yield f"{rate_gbps:g}g"
        yield f"{rate_gbps / 1000:g}t"


def _facts(part: Part) -> Iterator[list[str]]:
    """What is no figure: first what every part has, then what its kind adds."""
    common = {"maker": part.maker, "kind": part.kind, "part number": part.part_number, "also called": ", ".join(part.aliases)}
    common |= {"status": part.status, "confidence": part.confidence, "cooling": part.cooling}
    yield from ([key, text] for key, text in common.items() if text)
    for name, written in type(part).model_fields.items():
        value = getattr(part, name)
        if name not in Part.model_fields and value != written.default and (text := _plain(name, value)):
            yield [_words(name), text]
    if isinstance(part, Switch) and part.lasers:
        lasers = part.lasers
        yield ["laser modules", f"{lasers.modules} of {lasers.per_module} lasers" + (f", {lasers.part}" if lasers.part else "")]
    if part.notes:
        yield ["notes", part.notes]


def _plain(name: str, value: object) -> str:
    """A single value or a list of names as text; nothing for what has a section of its own."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(x, str) for x in value):
        return ", ".join(value)
    return _valued(name, value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def _valued(name: str, value: float | Decimal) -> str:
    """A number with the unit that ends the name of its field."""
    unit = _UNITS.get(name.rpartition("_")[2] if "_" in name else "", "1")
    return spoken(value, unit)


def _words(name: str) -> str:
    stem, _, unit = name.rpartition("_")
    return (stem if stem and unit in _UNITS else name).replace("_", " ")


def _figures(part: Part) -> Iterator[list[str]]:
    found = {_full(name): figure for name, figure in part.figures().items()}
    for name in [*found, *(n for n in _EXPECTED if n not in found)]:
        figure = found.get(name)
        if figure is None:
            yield [_words(name), "unknown", "", "", ""]
            continue
        dated = f"as of {figure.date}" if isinstance(figure, MoneyFigure) and figure.date else ""
        trust = "estimate" if figure.estimate else ""
        yield [
            _words(name),
            _valued(name, figure.value),
            trust,
            figure.source or part.source or "",
            "; ".join(filter(None, (dated, figure.note))),
        ]


def _full(name: str) -> str:
    """`typical_w` and its like are drawn power."""
    return f"power_{name}" if name in ("typical_w", "max_w") else name


def _sockets(name: str, ports: Ports) -> list[str]:
    modes = ", ".join(f"{split} × {spoken(rate_gbps, 'gbps')}" for split, rate_gbps in ports.modes)
    light = [ports.optics, ports.reach_class or "", ports.connector or ""] if ports.optics != "pluggable" else [ports.optics]
    axes = " × ".join(f"{axis} {size}" for axis, size in ports.axes.items())
    return [name, str(ports.cages), ports.cage, modes, " ".join(filter(None, light)), axes, ", ".join(ports.protocols), _labels(ports)]


def _labels(ports: Ports) -> str:
    """The first and the last label in the first mode."""
    if ports.map:
        return f"{ports.map[0].port} … {ports.map[-1].port}" if len(ports.map) > 1 else ports.map[0].port
    split = ports.modes[0][0]
    last = ports.first + ports.cages - 1
    ends = [
        ports.port_label(ports.first, 0, split, ports.first),
        ports.port_label(last, split - 1, split, ports.first + ports.count(split) - 1),
    ]
    return " … ".join(dict.fromkeys(ends))


def _mapped(ports: Ports) -> list[list[str]]:
    return [[", ".join(f"{axis} {x}" for axis, x in entry.at.items()), entry.port, entry.os or ""] for entry in ports.map]


def _lengths(part: Part) -> list[list[str]]:
    return [[spoken(x.length_m, "m"), x.part_number or ""] for x in part.lengths] if isinstance(part, Cable) else []


__all__ = ["Section", "card", "search"]
