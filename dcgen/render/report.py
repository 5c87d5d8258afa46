"""The report: what was asked, what was decided and why, what came out, and how far to trust it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dcgen.analysis.model import Measure
from dcgen.design.model import Design, Fabric, Media
from dcgen.design.phases import cables_by_phase, devices_by_phase
from dcgen.design.placement import racks
from dcgen.design.wiring import links
from dcgen.render.markdown import md, table
from dcgen.render.model import Artifact, Story
from dcgen.render.shipped import templates
from dcgen.render.verdicts import verdicts
from dcgen.render.wording import count, fabric_title, rate, title
from dcgen.tables.bom import bom_table
from dcgen.tables.layout import budgets, switch_groups
from dcgen.units import rounded, spoken

SITE = "site"
NAMES = {"gpus": "GPUs", "cpus": "CPUs", "power_max": "power, maximum", "power_typical": "power, typical"}
"""Beginnings of names of measures that are not read aloud as they are written."""


@dataclass(frozen=True, slots=True)
class FabricPart:
    """One fabric of the report, as text and tables."""

    title: str
    kind: str
    cabled: bool
    tiers: str
    bundles: str
    ports: str
    measures: str


def write_report(story: Story) -> Iterator[Artifact]:
    """`report.md`."""
    yield Artifact("report.md", (_report(story).encode(),))


def _report(story: Story) -> str:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    design, measures = story.design, story.analysis.measures
    lines = bom_table(design).frame().to_dicts()
    environment = Environment(
        loader=FileSystemLoader(templates()), undefined=StrictUndefined, autoescape=False, trim_blocks=True, lstrip_blocks=True,
        keep_trailing_newline=True,
    )  # fmt: skip
    environment.filters["md"] = md
    return environment.get_template("report.md.j2").render(
        title=title(design),
        name=design.name,
        version=story.version,
        design_hash=story.design_hash,
        parameters=design.parameters,
        summary=_measures([m for m in measures if m.subject == SITE], subject=False),
        decisions=design.decisions,
        fabrics=[_fabric(design, f, measures) for f in design.fabrics.values()],
        findings=story.findings,
        verdicts=table(["requirement", "found", "verdict"], [[md(x) for x in v] for v in verdicts(design, measures, story.findings)])
        if design.requirements
        else "",
        phases=_phases(design) if design.phases else "",
        bom=_bom(lines),
        total=_total(lines, measures),
        lengths=_lengths(design),
        placing=_placing(design),
        unknown=[md(_doubt(m)) for m in measures if m.unknown or m.estimates],
        methods=table(["measure", "subject", "obtained as"], [[md(_name(m)), md(m.subject), md(_short(m.method))] for m in measures]),
    )


def _name(m: Measure) -> str:
    start = next((n for n in NAMES if m.measure == n or m.measure.startswith(f"{n}_")), "")
    rest = m.measure.removeprefix(start).strip("_").replace("_", " ")
    return ": ".join(filter(None, (NAMES.get(start), rest)))


def _short(method: str, most: int = 400) -> str:
    return method if len(method) <= most else method[:most].rstrip() + " …"


def _value(m: Measure) -> str:
    return ("at least " if m.at_least else "") + spoken(m.value, m.unit)


def _doubt(m: Measure) -> str:
    said = [f"{m.unknown:,} without a figure"] if m.unknown else []
    said += [f"{m.estimates:,} estimated"] if m.estimates else []
    return f"{_name(m)} of {m.subject}: {', '.join(said)}"


def _measures(found: list[Measure], subject: bool = True) -> str:
    """A table of measures with what is uncertain about each."""
    if not found:
        return ""
    rows = []
    for m in found:
        doubt = _doubt(m).partition(": ")[2]
        rows.append([md(_name(m)), *([md(m.subject)] if subject else []), md(_value(m)), md(doubt)])
    headers = ["measure", *(["subject"] if subject else []), "value", "of its parts"]
    return table(headers, rows, right=[len(headers) - 2])


def _fabric(design: Design, fabric: Fabric, measures: tuple[Measure, ...]) -> FabricPart:
    bundles = design.of(fabric.name)
    names = [g for g in design.groups if any(e.group == g for b in bundles for e in b.ends)]
    tiers = [
        [md(name), md(g.role), f"{g.count:,}", md(g.counting()), md(design.part(name).title), md(racks(design, g).rule)]
        for name in names
        for g in [design.groups[name]]
    ]
    rows = [[md(b.name), md(b.layer), f"{links(design, b):,}", rate(b.rate_gbps), *_media(design, b.media)] for b in bundles]
    switches = {g.name for g in switch_groups(design)}
    ports = [
        [md(b.group), md(b.sockets), f"{b.ports:,}", f"{b.used:,}", f"{b.reserved:,}", f"{b.free:,}"]
        for name in names
        if name in switches
        for b in budgets(design, design.groups[name])
    ]
    mine = [m for m in measures if m.subject == fabric.name or (m.subject in fabric.tiers and m.measure != "devices")]
    return FabricPart(
        fabric_title(fabric),
        fabric.kind,
        fabric.field_cabled,
        table(["devices", "role", "count", "counted as", "part", "racks"], tiers, right=[2]),
        table(["bundle", "layer", "links", "rate", "medium", "cable", "length", "optics"], rows, right=[2, 3, 6]),
        table(["switches", "sockets", "ports", "used", "reserved", "free"], ports, right=[2, 3, 4, 5]) if ports else "",
        _measures(mine),
    )


def _media(design: Design, media: Media | None) -> list[str]:
    if media is None:
        return ["", "", "", ""]
    optics = " / ".join(design.parts[o].title if o in design.parts else o for o in dict.fromkeys(media.optics) if o)
    length = f"{rounded(media.length_m, 3)} m" if media.length_m else ""
    return [md(media.medium), md(media.cable), length, md(optics)]


def _phases(design: Design) -> str:
    """How many devices and cables come with each phase, in the order they are built; what is in none stands first."""
    cables = cables_by_phase(design)
    rows = [[md(name or "in no phase"), f"{n:,}", f"{cables[name]:,}"] for name, n in devices_by_phase(design).items()]
    return table(["phase", "devices", "cables"], rows, right=[1, 2])


def _bom(lines: list[dict[str, Any]]) -> str:
    """The bill of materials without the columns that only machines need."""
    rows = []
    for line in lines:
        power = "" if line["unit_power_max_w"] is None else spoken(line["unit_power_max_w"], "w")
        price = "" if line["unit_price_usd"] is None else spoken(line["unit_price_usd"], "usd")
        length = "" if line["length_m"] is None else f"{rounded(line['length_m'], 3)} m"
        cells = (line["part"], line["part_number"] or "", line["kind"], line["description"], length, line["bought"])
        rows.append([*(md(c) for c in cells[:5]), f"{line['quantity']:,}", power, price, md(line["estimate"] or ""), md(cells[5])])
    headers = ["part", "part number", "kind", "description", "length", "quantity", "power each, max", "price each", "estimate", "bought"]
    return table(headers, rows, right=[4, 5, 6, 7]) if rows else ""


def _total(lines: list[dict[str, Any]], measures: tuple[Measure, ...]) -> str:
    """Power and price of all lines; a sum that lacks a figure is a lower bound and says how much it lacks."""
    power = next((m for m in measures if (m.measure, m.subject) == ("power_max", SITE)), None)
    said = [f"maximum power {_value(power)}" + (f" ({_doubt(power).partition(': ')[2]})" if power.unknown else "")] if power else []
    priced = [line for line in lines if line["unit_price_usd"] is not None]
    bare = sum(line["unit_price_usd"] is None and not str(line["bought"]).startswith("in ") for line in lines)
    total = spoken(sum(line["quantity"] * line["unit_price_usd"] for line in priced), "usd")
    said += [f"price at least {total} ({count(bare, 'line')} unpriced)" if bare else f"price {total}"]
    return "; ".join(said)


def _lengths(design: Design) -> str:
    """Where each bundle's cable length and medium come from."""
    rows = [
        [md(b.name), f"{rounded(b.media.length_m, 3)} m" if b.media.length_m else "", md(b.media.basis), md(b.media.why)]
        for b in design.bundles
        if b.media and b.field_cabled
    ]
    return table(["bundle", "length", "basis", "medium chosen because"], rows, right=[1]) if rows else ""


def _placing(design: Design) -> str:
    """How many racks each group fills, by which rule."""
    found = [(g, racks(design, g)) for g in design.groups.values()]
    rows = [[md(g.name), f"{r.count:,}", md(r.rule)] for g, r in found if r.own]
    return table(["group", "racks", "rule"], rows, right=[1]) if rows else ""
