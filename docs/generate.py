"""Writes docs/reference/ from the models, the shelf and the docstrings: `python docs/generate.py`, part of `make docs`."""

import inspect
import re
import sys
import typing
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel

import dcgen
from dcgen.analysis import METRICS
from dcgen.analysis.rules import RULES
from dcgen.blueprint.model import Written
from dcgen.catalog import Shelf
from dcgen.diagnostics import CODES
from dcgen.fabric import FAMILIES
from dcgen.parts import KINDS, Cable, Figure, Node, Optic, Part, Ports, Power, Rack, Switch, SwitchTray
from dcgen.units import DIMENSIONS, spoken

ROOT = Path(__file__).parents[1]
MEANINGS: dict[str, str] = yaml.safe_load((ROOT / "docs" / "meanings.yaml").read_text(encoding="utf-8"))
SHELF_PART = "Name of a part: of `parts/` beside the blueprint, or of the shelf."
MADE = "<!-- Made by `make docs`; do not edit. -->\n"


def pages() -> dict[str, str]:
    """File name -> text, for every page of the reference."""
    made = {"language": language(), "parts": parts(), "measures": measures(), "rules": rules(), "codes": codes()}
    return {f"{name}.md": text.rstrip("\n") + "\n" for name, text in made.items()}


def table(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table."""
    lines = [list(columns), *(list(row) for row in rows)]
    lines.insert(1, ["---"] * len(lines[0]))
    return "\n".join("| " + " | ".join(cell.replace("\n", " ").replace("|", "\\|") for cell in line) + " |" for line in lines) + "\n"


def words(name: str) -> str:
    """`SwitchTray` as `switch tray`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()


def doc(thing: object) -> str:
    """The docstring of a thing."""
    return inspect.getdoc(thing) or ""


# ------------------------------------------------------------------ the language
TITLES = {
    "Written": "The file", "AxisWritten": "Axis", "HallWritten": "Hall", "TrayWritten": "Tray", "DuctWritten": "Duct",
    "ZoneWritten": "Zone",
}  # fmt: skip


def language() -> str:
    """What may be written in a blueprint."""
    known = list(dict.fromkeys(within(Written)))
    return "\n".join(
        [
            "# The language\n",
            MADE,
            "A blueprint is one YAML file. What it may hold follows from the models that read it. An unknown key is an error that names",
            "the nearest known one; a value is read as it was typed, so `NO`, `010` and `1:48` stay what they look like.\n",
            "Every quantity carries its unit; a bare number is a count or a ratio:\n",
            table(
                ["quantity", "units", "for example"],
                ([d.name, ", ".join(f"`{u}`" for u in d.units), f"`{d.example}`"] for d in DIMENSIONS.values() if d.units),
            ),
            "A device has an **address**, `compute/tray[su=0,rack=5,tray=3]`, its group and its coordinates, counted from 0. A",
            "**selector** leaves coordinates out or gives ranges, `backend/leaf[su=0..3]`. `:` and a label name a port of it.\n",
            *(model_section(m, "##", known) for m in known),
        ]
    )


def within(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    """A model and those that its fields hold, in the order they are written."""
    yield model
    for field in model.model_fields.values():
        for found in models_of(field.annotation, field.metadata):
            yield from within(found)


def models_of(annotation: Any, metadata: Iterable[object] = ()) -> list[type[BaseModel]]:
    """Models that a type annotation holds."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [m for arg in typing.get_args(annotation) for m in models_of(arg)]


def title_of(model: type[BaseModel]) -> str:
    """What a model is called as a heading."""
    return TITLES.get(model.__name__, words(model.__name__).capitalize())


def model_section(model: type[BaseModel], level: str, known: list[type[BaseModel]], leave_out: Iterable[str] = ()) -> str:
    """A model with a row for each key."""
    schema = schema_of(model)
    rows = []
    for name, field in model.model_fields.items():
        key = field.alias or name
        if key in leave_out:
            continue
        written = schema["properties"][key]
        links = [m for m in models_of(field.annotation) if m in known]
        default = "required" if key in schema.get("required", ()) else default_of(written.get("default"), name)
        figure = next((m for m in models_of(field.annotation) if issubclass(m, Figure)), None)
        said = figure_form(figure) if figure else form(written, schema.get("$defs", {}), links)
        rows.append([f"`{key}`", said, default, meaning(model, key, written)])
    heading = f"Family `{model.model_fields['kind'].annotation.__args__[0]}`" if model in FAMILIES else title_of(model)  # type: ignore[union-attr]
    return f"{level} {heading}\n\n{doc(model)}\n\n" + table(["key", "written as", "default", "meaning"], rows)


@cache
def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """The model's own JSON Schema; a figure may also be written bare, so its mapping is one case of two."""
    schema = model.model_json_schema(by_alias=True)
    if model is Figure:
        schema = next(case for case in schema["anyOf"] if "properties" in case)
        schema["properties"]["value"] = {"examples": [d.example for d in DIMENSIONS.values() if d.name in ("power", "length", "mass")]}
    return schema


def figure_form(figure: type[Figure]) -> str:
    """A physical figure, with an example in its unit."""
    dimension = DIMENSIONS.get(words(figure.__name__).removesuffix(" figure"), DIMENSIONS["ratio"])
    return f"[figure](#figure): `{dimension.example}` …"


def default_of(value: object, name: str = "") -> str:
    """A default as it would be written, with the unit that its field's name ends in."""
    if value is None or isinstance(value, list | dict):
        return ""
    unit = name.rpartition("_")[2]
    if isinstance(value, float) and unit in ("m", "u", "w", "kg"):
        return f"`{spoken(value, unit)}`"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def meaning(model: type[BaseModel], key: str, written: dict[str, Any]) -> str:
    """What a key is for: as its model says, else as meanings.yaml does."""
    said = written.get("description")
    if said and said != SHELF_PART and "$ref" not in written:
        return str(said)
    return MEANINGS.get(f"{model.__name__}.{key}") or MEANINGS.get(f"*.{key}") or ""


def unexplained() -> list[str]:
    """Keys of the language and of part files that nothing explains."""
    models = {*within(Written), Part, Power, Ports, *KINDS}
    keys = ((m, f.alias or n, schema_of(m)["properties"][f.alias or n]) for m in models for n, f in m.model_fields.items())
    return sorted(f"{m.__name__}.{key}" for m, key, written in keys if not meaning(m, key, written))


def outdated() -> list[str]:
    """Entries of meanings.yaml that explain nothing any more."""
    models = {m.__name__: m for m in (*within(Written), Part, Figure, Power, Ports, *KINDS)}
    known = {f"{name}.{f.alias or n}" for name, m in models.items() for n, f in m.model_fields.items()}
    return sorted(set(MEANINGS) - known - {f"*.{k.split('.')[1]}" for k in known})


def form(written: dict[str, Any], defs: dict[str, Any], links: list[type[BaseModel]]) -> str:
    """How a value is written, in words, with links to the models it may hold."""
    to = {m.__name__: f"[{title_of(m).lower()}](#{anchor(m)})" for m in links}
    if written.get("description") == SHELF_PART:
        return "name of a part"
    kinds = {"integer": "whole number", "number": "number", "boolean": "`true` or `false`", "array": "list", "object": "mapping"}
    match written:
        case {"$ref": str(ref)}:
            name = ref.rsplit("/", 1)[-1]
            return to.get(name) or form(defs[name], defs, links)
        case {"const": value}:
            return f"`{value}`"
        case {"enum": list(values)}:
            return ", ".join(f"`{v}`" for v in values)
        case {"anyOf": [one, {"type": "array", "items": item}]} if one == item:
            return f"{form(one, defs, links)}; one or a list"
        case {"anyOf": list(cases)} | {"oneOf": list(cases)}:
            real = [c for c in cases if c.get("type") != "null" and c.get("pattern") != r"^\$\w"]
            return " or ".join(dict.fromkeys(form(c, defs, links) for c in real))
        case {"examples": list(examples)}:
            return ", ".join(f"`{e}`" for e in examples) + " …"
        case {"prefixItems": list(items)}:
            return f"list of {len(items)}"
        case {"type": "array", "items": dict(item)}:
            return f"list of {form(item, defs, links)}"
        case {"patternProperties": dict(found)}:
            return f"by name: {form(next(iter(found.values())), defs, links)}"
        case {"additionalProperties": dict(inner)}:
            return f"by name: {form(inner, defs, links)}"
        case {"type": "object"} if links:
            return " or ".join(to.values())
        case {"type": ["string", "number"] | "string"}:
            return "text"
        case {"type": str(kind)}:
            return kinds.get(kind, kind)
    return "any value"


def anchor(model: type[BaseModel]) -> str:
    """The id of a model's heading."""
    title = f"Family {model.model_fields['kind'].annotation.__args__[0]}" if model in FAMILIES else title_of(model)  # type: ignore[union-attr]
    return title.lower().replace(" ", "-")


# ------------------------------------------------------------------ the shelf
def parts() -> str:
    """The shelf by kind, and what a part file may hold."""
    text = [
        "# Parts\n",
        MADE,
        "What ships with dcgen, by kind. `≈` marks an estimate; a figure that is not given is unknown. *Trust* is how far the figures",
        "of a part can be relied on as a whole, with the first of its sources. How to add your own:",
        "[describe a part](../how-to/describe-a-part.md).\n",
    ]
    shelf = list(Shelf().all())
    for model in KINDS:
        for kind in typing.get_args(model.model_fields["kind"].annotation):
            found = [p for p in shelf if p.kind == kind]
            rows = ([f"`{p.part}`", p.title, p.maker, "; ".join(figures(p)), trust(p)] for p in found)
            text += [f"## {kind}\n", table(["part", "title", "maker", "main figures", "trust"], rows)] if found else []
    common = [f.alias or n for n, f in Part.model_fields.items()]
    known = [Part, Ports, Power, *KINDS]
    text += ["## What a part file may hold\n", "Every part has the keys of the first table, and those of its kind.\n"]
    text += [model_section(Part, "###", known), *(model_section(m, "###", known) for m in (Figure, Power, Ports))]
    text += [model_section(m, "###", known, common) for m in KINDS]
    return "\n".join(text)


def trust(part: Part) -> str:
    """How far a part's figures can be relied on, and its source."""
    source = part.sources[part.source] if part.source else next(iter(part.sources.values()))
    return f"{part.confidence}; {f'[{source.tier}]({source.url})' if source.url else source.tier}"


def figures(part: Part) -> Iterator[str]:
    """The figures that a reader compares parts of a kind by."""
    match part:
        case Switch():
            yield from (sockets(p) for p in part.ports.values() if p.cage != "rj45" or len(part.ports) == 1)
        case Node():
            if part.accelerators:
                yield f"{part.accelerators} × {part.accelerator or 'accelerator'}"
            yield from (f"{name}: {sockets(p)}" for name, p in part.ports.items())
        case Rack():
            yield " + ".join(f"{c.count} {c.part}" for c in part.contents.values())
        case Optic():
            yield f"{part.ports} × {part.port_rate_gbps:g}G {part.reach_class}, {part.fibre}, {part.connector}, {part.reach_m.value:g} m"
        case Cable():
            yield part.medium + (f" {part.fibre}, {part.connector}" if part.fibre else f" {', '.join(part.fits)}")
            yield f"up to {part.reach_m.value:g} m" + (f", {len(part.lengths)} lengths" if part.lengths else "")
        case SwitchTray():
            yield f"{part.chips} chips × {part.ports_per_chip} ports × {part.port_rate_gbps:g}G"
    for name, figure in part.figures().items():
        base = name.rsplit("_", 1)[-1]
        if name in ("max_w", "typical_w", "price_usd", "capacity_w", "memory_gb", "height_u"):
            said = f"{figure.value:g} GB" if base == "gb" else f"{figure.value:g} U" if base == "u" else spoken(float(figure.value), base)
            kind = {"max_w": "max ", "typical_w": "typical "}.get(name, "")
            yield f"{kind}{'≈ ' if figure.estimate else ''}{said}"


def sockets(ports: Ports) -> str:
    """A group of ports in short."""
    modes = " or ".join(f"{n}x{rate:g}G" for n, rate in ports.modes)
    axes = f" ({', '.join(f'{a} {n}' for a, n in ports.axes.items())})" if ports.axes else ""
    return f"{ports.cages} {ports.cage} of {modes}{axes}" + (", co-packaged" if ports.optics == "co-packaged" else "")


# ------------------------------------------------------------------ measures, rules, codes
def measures() -> str:
    """Every metric, with what it gave for the shipped blueprints."""
    files = sorted(ROOT.glob("blueprints/*.yaml"))
    designs = [dcgen.lay_out(dcgen.parse(dcgen.read(f))) for f in files]
    text = [
        "# Measures\n",
        MADE,
        "What dcgen says about a design, with unit and method. `require: [measure(subject) <= bound]` asks for one: the subject is",
        "`site`, a fabric (`backend`), a group (`backend/leaf`) or a bundle of links (`backend/leaf-spine`); one that only parts of the",
        "subject have must hold for each of them. `count(selector)` and `links(selector)` count devices and links of a selection, as in",
        "`links(backend/leaf[su=0]) == 1152`.\n",
    ]
    for metric in METRICS:
        seen: dict[tuple[str, str], dict[str, None]] = {}
        for design in designs:
            for m in metric(design):
                seen.setdefault((m.measure, m.unit), {})[m.subject] = None
        rows = (
            [
                f"`{n}`",
                {"1": "", "gbps": "Gb/s", "w": "W", "ns": "ns, us, ms, s, h or d"}.get(u, u),
                ", ".join(f"`{s}`" for s in list(of)[:3]),
            ]
            for (n, u), of in seen.items()
        )
        text += [
            f"## {metric.__name__.replace('_', ' ').capitalize()}\n",
            doc(metric) + "\n",
            table(["measure", "unit", "for example of"], rows),
        ]
    return "\n".join(text)


LABELS = ("What it checks", "Why", "Example", "Source")


def rules() -> str:
    """Every rule by the questions that its docstring answers."""
    text = ["# Design rules\n", MADE, "What is checked in every design that is well formed.\n"]
    for rule in RULES:
        code = rule.__name__.replace("_", "-")
        text += [f"## {code}\n"]
        text += [f"- **{label}**: {said}" for label, said in answers(rule)] + [f"- **Message**: [`{code}`](codes.md#{code})\n"]
    return "\n".join(text)


def answers(rule: Callable[..., object]) -> Iterator[tuple[str, str]]:
    """Label and text of each part of a rule's docstring."""
    pieces = re.split(rf"^({'|'.join(LABELS)}): ", doc(rule), flags=re.MULTILINE)
    yield from zip(pieces[1::2], (" ".join(p.split()) for p in pieces[2::2]), strict=True)


def codes() -> str:
    """Every code, with the message of its case in the tests."""
    text = [
        "# Codes\n",
        MADE,
        "Every message has a code that is never used for anything else later. The number is the exit status when it is an error: 2, the",
        "input is wrong; 3, a design rule is broken. The examples are those of the test suite.\n",
    ]
    for code, (status, said) in CODES.items():
        text += [f"## {code}\n", f"{said} Exit status {status}.\n", *example(code)]
    return "\n".join(text)


def example(code: str) -> Iterator[str]:
    """The message of the golden that is called like this code, else of the first that has it."""
    for golden in sorted((ROOT / "tests/cases/errors").rglob(f"{code}*.txt"), key=lambda file: (file.stem != code, file)):
        lines = golden.read_text(encoding="utf-8").splitlines()
        at = next((i for i, line in enumerate(lines) if f"[{code}]: " in line), None)
        if at is not None:
            end = next(i for i in range(at + 1, len(lines) + 1) if i == len(lines) or not lines[i].startswith("    "))
            yield "\n".join(["```text", *lines[at:end], "```\n"])
            return


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "reference"
    folder.mkdir(parents=True, exist_ok=True)
    for page, written in pages().items():
        (folder / page).write_text(written, encoding="utf-8")
