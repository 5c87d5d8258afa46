"""The report: what was asked, what was decided and why, what came out, and how far to trust it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dcgen.analysis.flow.survey import LossRow
from dcgen.analysis.flow.surveys import Surveyed
from dcgen.analysis.flow.wording import binding, percent
from dcgen.analysis.model import Measure
from dcgen.design.model import Design, Fabric, Join, Upkeep
from dcgen.design.phases import cables_by_phase, devices_by_phase
from dcgen.design.placement import racks
from dcgen.design.wiring import links
from dcgen.render.markdown import md, table
from dcgen.render.model import Artifact, Story
from dcgen.render.shipped import templates
from dcgen.render.verdicts import verdicts
from dcgen.render.wording import count, fabric_title, measure_name, rate, span, title
from dcgen.tables.bom import bom_table
from dcgen.tables.failures import failure_table
from dcgen.tables.layout import budgets, switch_groups
from dcgen.units import rounded, spoken

SITE = "site"


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
        losses=[_losses(s) for s in story.book.surveys],
        collectives=_measures([m for m in measures if m.subject in {c.name for c in design.collectives}]),
        failures=_failures(design),
        upkeep=_upkeep(design.upkeep),
        bom=_bom(lines),
        total=_total(lines, measures),
        lengths=_lengths(design),
        placing=_placing(design),
        unknown=[md(_doubt(m)) for m in measures if m.unknown or m.estimates],
        methods=table(["measure", "subject", "obtained as"], [[md(_name(m)), md(m.subject), md(_short(m.method))] for m in measures]),
    )


def _name(m: Measure) -> str:
    return measure_name(m.measure)


def _short(method: str, most: int = 400) -> str:
    return method if len(method) <= most else method[:most].rstrip() + " …"


def _value(m: Measure) -> str:
    return m.bound + spoken(m.value, m.unit)


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
        doubt = _doubt(m).rpartition(": ")[2]
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
    rows = [[md(b.name), md(b.layer), f"{links(design, b):,}", rate(b.rate_gbps), *_media(design, b)] for b in bundles]
    switches = {g.name for g in switch_groups(design)}
    ports = [
        [md(b.group), md(b.sockets), f"{b.ports:,}", f"{b.used:,}", f"{b.reserved:,}", f"{b.free:,}"]
        for name in names
        if name in switches
        for b in budgets(design, design.groups[name])
    ]
    asked = {f"{fabric.name}/{t.name}" for t in design.traffic}
    mine = [m for m in measures if m.subject in (fabric.name, *asked) or (m.subject in fabric.tiers and m.measure != "devices")]
    return FabricPart(
        fabric_title(fabric),
        fabric.kind,
        fabric.field_cabled,
        table(["devices", "role", "count", "counted as", "part", "racks"], tiers, right=[2]),
        table(["bundle", "layer", "links", "rate", "medium", "cable", "length", "optics"], rows, right=[2, 3, 6]),
        table(["switches", "sockets", "ports", "used", "reserved", "free"], ports, right=[2, 3, 4, 5]) if ports else "",
        _measures(mine),
    )


def _media(design: Design, join: Join) -> list[str]:
    """Medium, cable, length and optics of a bundle, each kind once."""
    names = dict.fromkeys(o for m in join.media for o in m.optics if o)
    optics = " / ".join(design.parts[o].title if o in design.parts else o for o in names)
    words = (" / ".join(filter(None, dict.fromkeys(x))) for x in ([m.medium for m in join.media], [m.cable for m in join.media]))
    return [*map(md, words), span([m.length_m for m in join.media if m.length_m]), md(optics)]


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
        rows.append(
            [*(md(c) for c in cells[:5]), f"{rounded(line['quantity'], 3):,f}", power, price, md(line["estimate"] or ""), md(cells[5])]
        )
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
    said += _ordered(lines)
    return "; ".join(said)


def _ordered(lines: list[dict[str, Any]]) -> list[str]:
    """What the order comes to where it is another sum, and how many prices and spares in it are estimates or unknown."""
    ordered = [line for line in lines if line["to_order"]]
    priced = [line for line in ordered if line["unit_price_usd"] is not None]
    said = []
    if any(line["to_order"] != line["quantity"] for line in priced):
        value = spoken(sum(line["to_order"] * line["unit_price_usd"] for line in priced), "usd")
        said.append(f"of that to order, spares included: {'at least ' if len(priced) < len(ordered) else ''}{value}")
    guessed = sum("estimate" in (line["price_basis"] or "").split(", ") for line in priced)
    said += [f"{count(guessed, 'price')} estimated"] if guessed else []
    unknown = sum(line["spares"] is None for line in lines)
    return said + ([f"spares of {count(unknown, 'line')} unknown"] if unknown else [])


def _losses(found: Surveyed) -> dict[str, str]:
    """One fabric of the section on losses: a heading, and what each single loss leaves, or why nothing can be said."""
    how = ", scale-up links relaying" if found.scale_up == "relay" else ""
    each = "" if found.intact.value is None else f": {spoken(found.intact.value, found.intact.unit)} of each {found.intact.each}"
    rows = [
        [md(r.place), f"{r.count:,}", *(percent(x) for x in (r.share, r.others_share, r.total_share)), md(_binds(r))] for r in found.rows
    ]
    headers = ["one lost", "count", "throughput", "of the others", "in all", "what binds"]
    return {"title": f"{found.fabric}{how}{each}", "table": table(headers, rows, right=[1, 2, 3, 4]) if rows else "", "why": found.why}


def _binds(row: LossRow) -> str:
    return f"0, because {row.after.why}" if row.after.status == "cut off" else next(iter(binding(row.after, 1)), row.after.why)


def _failures(design: Design) -> str:
    """Expected failures of each class and part; what nobody knows the rate of says so."""
    rows = []
    for line in failure_table(design).frame().to_dicts():
        rate = line["failure_rate_fit"]
        cells = ["unknown"] * 3
        if rate is not None:
            about = "≈ " if line["estimate"] == "yes" else ""
            cells = [f"{about}{rate:g}", f"{rounded(line['failures_per_year'], 2):,}", f"{line['spares']:,}"]
        rows.append(
            [md(line["class"]), md(line["part"]), f"{line['count']:,}", *cells, f"{line['stop_a_job']:,}", md(line["source"] or "")]
        )
    headers = ["class", "part", "count", "FIT", "failures a year", "spares", "stop a job", "source"]
    return table(headers, rows, right=[2, 3, 4, 5, 6]) if rows else ""


def _upkeep(keep: Upkeep) -> str:
    """What the figures of failures rest on, in a sentence."""
    return (
        f"Assumed: repaired in {spoken(keep.repair_ns, 'ns')}; spares last {spoken(keep.lead_ns, 'ns')} with a probability of "
        f"{rounded(100 * keep.level, 4)} %; a checkpoint takes {spoken(keep.write_ns, 'ns')}, a restart {spoken(keep.restart_ns, 'ns')}."
    )


def _lengths(design: Design) -> str:
    """Where each bundle's cable length and medium come from."""
    rows = [
        [md(b.name), f"{rounded(m.length_m, 3)} m" if m.length_m else "", md(m.basis), md(m.why)]
        for b in design.bundles
        if b.field_cabled
        for m in b.media
    ]
    return table(["bundle", "length", "basis", "medium chosen because"], rows, right=[1]) if rows else ""


def _placing(design: Design) -> str:
    """How many racks each group fills, by which rule."""
    found = [(g, racks(design, g)) for g in design.groups.values()]
    rows = [[md(g.name), f"{r.count:,}", md(r.rule)] for g, r in found if r.own]
    return table(["group", "racks", "rule"], rows, right=[1]) if rows else ""
