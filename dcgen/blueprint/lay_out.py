"""From a blueprint to a design: parameters in, parts looked up, racks and fabrics laid out, all mistakes gathered."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from dcgen.blueprint.collectives import collectives, look_up_inner_parts, upkeep
from dcgen.blueprint.labels import labels
from dcgen.blueprint.links import lay_out_links
from dcgen.blueprint.model import PARAMETER, Written
from dcgen.blueprint.moved import moves
from dcgen.blueprint.parameters import substituted
from dcgen.blueprint.phases import phases
from dcgen.blueprint.procurement import extras, spares
from dcgen.blueprint.racks import lay_out_racks
from dcgen.blueprint.requirements import expectations, requirements
from dcgen.blueprint.said import said
from dcgen.blueprint.standing import lay_out_hall, relieve
from dcgen.blueprint.stock import stock
from dcgen.blueprint.traffic import traffic
from dcgen.blueprint.variants import varied
from dcgen.catalog import Shelf as Catalog
from dcgen.design import Design, Fabric, Join, Labels, Spares
from dcgen.design.wiring import WiringError, agreed, links, port_orders
from dcgen.diagnostics import Diagnostic, Path, Rejected
from dcgen.fabric import Shelf, Site, measured
from dcgen.naming import labels_in_common, look_alikes
from dcgen.parts import Node
from dcgen.source import Source, included, validate

MOST_ACCELERATORS = 20_000_000
MOST_LINKS = 200_000_000


@dataclass(frozen=True, slots=True)
class Blueprint:
    """A blueprint as read: what was written, with parameters put in, and the file it came from; `said` is the same, flat, as typed."""

    written: Written
    source: Source
    parameters: dict[str, str]
    variant: str = ""
    said: Mapping[str, str] = field(default_factory=dict)


def parse(source: Source, settings: Mapping[str, str] | None = None, variant: str | None = None) -> Blueprint:
    """Check what was written, with its includes and one variant's values put in, against the language.

    Raises:
        Rejected: with every independent mistake, placed in the file.
    """
    source = varied(included(source), variant)
    data, parameters = substituted(source, settings or {})
    written = validate(Written, source, data)
    assert isinstance(written, Written)
    return Blueprint(written, source, parameters, variant or "", said(data))


def lay_out(blueprint: Blueprint, catalog: Catalog) -> Design:
    """Turn what was written into groups and bundles.

    Raises:
        Rejected: what cannot be built, with the numbers.
    """
    written = blueprint.written
    unreadable: list[Diagnostic] = []
    site = Site(catalog.get, Shelf(lambda kind, word: catalog.of_kind((kind,), unreadable, word)))
    site.hall, site.policy = written.hall is not None, written.media
    made: list[Fabric | Join] = []
    for name, racks in written.racks.items():
        made += lay_out_racks(name, racks, site)
    if not site.problems:
        for name, family in written.fabrics.items():
            try:
                laid = list(family.lay_out(name, site, ("fabrics", name)))
            except WiringError as e:
                _cannot_be_wired(str(e), name, site, ("fabrics", name))
                continue
            for fabric in laid:
                if isinstance(fabric, Fabric):
                    site.offer(fabric, [b for b in laid if isinstance(b, Join)])
            made += laid
        made += lay_out_links(written.links, site)
    together = () if site.problems else tuple(collectives(written.collectives, site))
    sent = () if site.problems else tuple(traffic(written.traffic, written.fabrics, site))
    look_up_inner_parts(site, catalog.ids())
    built = {} if site.problems else phases(written.phases, site)  # a group that could not be laid out is no second mistake
    wanted = (*requirements(written.require, site), *expectations(written.expect))
    owned = tuple(stock(written.have, site))
    added = () if site.problems else tuple(extras(written.extras, site))
    store = Spares() if site.problems else spares(written.spares, site)
    printed = Labels() if site.problems else labels(written.labels, site)
    renamed = () if site.problems else tuple(moves(written.moved, site))  # a name that was not laid out is no second mistake
    _look_alikes(written, site)
    site.problems += _printed_twice(site)
    site.remarks += [replace(d, severity="warning", fix=d.fix or "mend it, or take it out of `parts/`") for d in dict.fromkeys(unreadable)]
    file = blueprint.source.file
    if file.suffix and file.stem != written.name:
        site.remark(
            "name-differs",
            f"the file is called `{file.name}`, the design `{written.name}`",
            fix="give both one name",
            origin=("name",),
        )
    for join in (m for m in made if isinstance(m, Join)):
        _says_one_thing(join, site)
    if site.problems:
        raise Rejected(blueprint.source.place(site.problems))
    design = Design(
        name=written.name + (f"@{blueprint.variant}" if blueprint.variant else ""),
        title=written.title or "",
        groups=site.groups,
        bundles=tuple(m for m in made if isinstance(m, Join)),
        fabrics={m.name: m for m in made if isinstance(m, Fabric)},
        parts=dict(sorted(site.used.items())),
        decisions=tuple(site.decisions),
        requirements=wanted,
        remarks=tuple(site.remarks),
        parameters=blueprint.parameters,
        have=owned,
        extras=added,
        spares=store,
        labels=printed,
        phases=built,
        traffic=sent,
        collectives=together,
        upkeep=upkeep(written.reliability),
        moved=renamed,
        written=dict(blueprint.said),
    )
    _small_enough(design, blueprint)
    return _in_hall(design, blueprint, site) if written.hall else design


def _in_hall(design: Design, blueprint: Blueprint, site: Site) -> Design:
    """The design with its racks on tiles and its cables measured."""
    assert blueprint.written.hall
    standing = lay_out_hall(blueprint.written.hall, design, site)
    if standing:
        kept = dict(site.used), list(site.decisions), list(site.remarks)
        out = measured(standing, site)
        if not site.problems and (relieved := relieve(out, site)):
            site.used, site.decisions, site.remarks = kept[0], [*kept[1], site.decisions[-1]], kept[2]
            out = measured(replace(standing, hall=relieved), site)
    if site.problems or not standing:
        raise Rejected(blueprint.source.place(site.problems))
    return out


def _says_one_thing(join: Join, site: Site) -> None:
    """A family should have refused what cannot be wired in words of its own; this is the last place to say it."""
    try:
        port_orders(join, *agreed(Design("", site.groups), join)[:2])
    except WiringError as e:
        _cannot_be_wired(str(e), join.name, site, join.origin)


def _cannot_be_wired(what: str, subject: str, site: Site, origin: Path) -> None:
    fix = "give both ends the same coordinates in `per:`"
    site.say("bad-per", what, "the two ends of these links do not fit each other", fix, subject=subject, origin=origin)


def _printed_twice(site: Site) -> Iterator[Diagnostic]:
    """Groups of different names whose devices would carry the same labels."""
    for one, other, printed in labels_in_common({name: group.sizes for name, group in site.groups.items()}):
        what = f"a device of `{one}` and one of `{other}` are both called `{printed}`"
        why = "a device is called after its group and its axes, joined by `-`"
        yield Diagnostic("name-collision", what, why, "rename an axis or an entry", subject=other, origin=site.groups[other].origin)


def _look_alikes(written: Written, site: Site) -> None:
    for key, names in (("racks", written.racks), ("fabrics", written.fabrics)):
        for one, other in look_alikes(names):
            points = "; ".join(f"{k} is {' '.join(f'U+{ord(c):04X}' for c in k)}" for k in (one, other))
            site.remark("look-alike", f"`{one}` and `{other}` look the same on screen", points, "rename one", origin=(key, other))


def _small_enough(design: Design, blueprint: Blueprint) -> None:
    """Counts are multiplied before anything is expanded."""
    accelerators = sum(g.declared * p.accelerators for g in design.groups.values() if isinstance(p := design.parts[g.part], Node))
    devices = max((g.declared for g in design.groups.values()), default=0)
    problems = []
    for number, most, what in ((accelerators, MOST_ACCELERATORS, "accelerators"), (devices, MOST_ACCELERATORS, "devices of one group")):
        if number > most:
            problems.append(
                Diagnostic(
                    "too-big", f"{number:,} {what}, the limit is {most:,}", fix="check the counts that are multiplied", origin=("racks",)
                )
            )
    if not problems:
        total = sum(links(design, b) for b in design.bundles if b.field_cabled)
        if total > MOST_LINKS:
            problems.append(
                Diagnostic(
                    "too-big",
                    f"{total:,} links, the limit is {MOST_LINKS:,}",
                    fix="check the counts that are multiplied",
                    origin=("fabrics",),
                )
            )
    if problems:
        raise Rejected(blueprint.source.place(problems))


def schema() -> dict[str, Any]:
    """JSON Schema of a blueprint, made from the models; where a word is chosen, a parameter may stand too."""
    made = {"$schema": "https://json-schema.org/draft/2020-12/schema", **Written.model_json_schema(by_alias=True)}
    return {**_with_parameters(made), "title": "dcgen blueprint"}


def _with_parameters(node: Any) -> Any:
    if isinstance(node, list):
        return [_with_parameters(v) for v in node]
    if not isinstance(node, dict):
        return node
    inner = {k: _with_parameters(v) for k, v in node.items()}
    if "enum" not in inner:
        return inner
    about = {k: inner.pop(k) for k in ("default", "description", "title") if k in inner}
    return {"anyOf": [inner, {"type": "string", "pattern": PARAMETER}], **about}
