"""What a blueprint did not write: every default and every derived value, with its reason."""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from dcgen.blueprint.lay_out import Blueprint
from dcgen.blueprint.meanings import Row, key_of, meaning, spelt
from dcgen.design import Design, Join
from dcgen.design.placement import racks
from dcgen.design.wiring import ports_needed
from dcgen.diagnostics import Path
from dcgen.fabric import Family
from dcgen.units import spoken

COLUMNS = ["where", "value", "because"]


def defaults(blueprint: Blueprint, design: Design) -> list[Row]:
    """Rows of `where, value, because`: fields in the order of the language, then what no field holds."""
    told: set[str] = set()
    rows = list(_fields(blueprint.written, (), design, told))
    rows += [[d.subject, d.what, d.why] for d in design.decisions if d.subject not in told]
    placed = [(g, racks(design, g)) for g in design.groups.values() if g.role != "rack"]
    return rows + [[g.name, f"in {r.count:,} rack{'s' if r.count != 1 else ''}", f"placement rule: {r.rule}"] for g, r in placed]


def _fields(model: BaseModel, path: Path, design: Design, told: set[str]) -> Iterator[Row]:
    kind = type(model)
    for name, field in kind.model_fields.items():
        at, value = (*path, key_of(name, field)), getattr(model, name)
        if name in model.model_fields_set:
            yield from _within(value, at, design, told)
            continue
        derived = _derived(name, path, design, told)
        if derived is None:
            owner = getattr(model, "kind", "") if isinstance(model, Family) else ""
            source = f"default of `{owner}`" if owner else "default"
            derived = spelt(value, name), ": ".join(filter(None, (source, meaning(kind, name))))
        yield [".".join(map(str, at)), *derived]


def _within(value: Any, path: Path, design: Design, told: set[str]) -> Iterator[Row]:
    """What was not written inside something that was."""
    if isinstance(value, BaseModel):
        yield from _fields(value, path, design, told)
    elif isinstance(value, Mapping):
        for key, one in value.items():
            yield from _within(one, (*path, key), design, told)
    elif isinstance(value, list):
        for i, one in enumerate(value):
            yield from _within(one, (*path, i), design, told)


def _derived(name: str, path: Path, design: Design, told: set[str]) -> tuple[str, str] | None:
    """(value, why) of a field that the layout works out; None where it keeps its default."""
    groups = {g.name: g for g in design.groups.values() if g.origin == path}
    below = [b for b in design.bundles if b.origin == path]
    if name == "count" and groups:
        return _count(groups, design, told)
    if name == "uplinks":
        found = [(b, ports_needed(design, b, 0)) for b in design.bundles if b.a.group in groups and b.b.group not in groups]
        return _each([(b, f"{n} ports") for b, n in found], "what the oversubscription allows")
    if name == "oversubscription" and groups and len(path) == 3:
        fabric = design.fabrics.get(str(path[1]))
        allowed = [r for tier, r in fabric.oversubscription.items() if tier in groups] if fabric else []
        return (spelt(allowed[0]), f"that of `{path[1]}`") if allowed else None
    if name == "per_rack":
        mine = [racks(design, g) for g in groups.values() if g.role == "node" and not g.inside]
        return (f"{mine[0].per_rack}", f"placement rule: {mine[0].rule}") if mine else None
    return _of_links(name, below)


def _count(groups: Mapping[str, Any], design: Design, told: set[str]) -> tuple[str, str] | None:
    decided = [d for d in design.decisions if d.subject in groups]
    told |= {d.subject for d in decided}
    if decided:
        return "; ".join(d.what for d in decided), "; ".join(d.why for d in decided)
    return "; ".join(f"{g.count:,}" for g in groups.values()), "; ".join(g.counting() for g in groups.values())


def _of_links(name: str, bundles: list[Join]) -> tuple[str, str] | None:
    """What was chosen for the links that a part of the blueprint makes."""
    media = [(b, m) for b in bundles for m in b.media]
    if name == "length_m":
        return _each([(b, f"{m.length_m:g} m") for b, m in media], "; ".join(dict.fromkeys(m.basis for _, m in media)))
    if name == "medium":
        return _each([(b, m.medium) for b, m in media], "; ".join(dict.fromkeys(m.why for _, m in media)))
    if name == "rate_gbps":
        return _each([(b, spoken(b.rate_gbps, "gbps")) for b in bundles], "the rate that the ports of both ends have")
    if name == "split":
        return _each([(b, f"{b.b.block.split}") for b in bundles], "ports per cage of the mode that has the rate")
    return None


def _each(values: list[tuple[Join, str]], why: str) -> tuple[str, str] | None:
    """One value where all bundles agree, else one for each."""
    if not values:
        return None
    different = dict.fromkeys(v for _, v in values)
    return next(iter(different)) if len(different) == 1 else ", ".join(f"{b.name} {v}" for b, v in values), why
