"""Reads `collectives:` and `reliability:`: what the accelerators do together, and what is assumed of repairs and checkpoints."""

from collections.abc import Container, Iterator, Mapping
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from dcgen.design import Collective, Upkeep
from dcgen.design.ranks import accelerators
from dcgen.diagnostics import Path
from dcgen.fabric import Site, selected
from dcgen.naming import Selector
from dcgen.parts import Accelerator, Laser, Nic, Node, Switch
from dcgen.parts.collective import Operation, SizeBytes
from dcgen.parts.fields import Share, Strict, Text, fault, listed, one_or_many, quantity

_DAY_NS = 86400e9
_PERIOD = WithJsonSchema({"type": ["string", "number"], "examples": ["24 h", "14 days"]})
PeriodNs = Annotated[float, BeforeValidator(quantity("time", 0, 3650 * _DAY_NS, "ten years are enough for anything")), _PERIOD]
Level = Annotated[Share, BeforeValidator(quantity("share", 0.5, 0.999999)), WithJsonSchema({"type": "string", "examples": ["99 %"]})]
Interruptions = Annotated[float, BeforeValidator(quantity("ratio", 0, 1e6)), WithJsonSchema({"type": ["number", "string"]})]


class Exchange(Strict):
    """An operation that all accelerators of a set do together, each with `size` of data, as the field counts it.

    `auto` takes the fastest algorithm that the parts support; a named one is taken as it is.
    """

    op: Operation
    over: Annotated[list[Text], BeforeValidator(listed), WithJsonSchema(one_or_many({"type": "string"}))] = Field(min_length=1)
    size_bytes: SizeBytes = Field(alias="size")
    algorithm: Literal["auto", "ring", "tree", "hierarchical", "in-network"] = "auto"

    @model_validator(mode="after")
    def _can_do_it(self) -> "Exchange":
        only = {"tree": ("all-reduce",), "in-network": ("all-reduce",), "ring": ("all-reduce", "all-gather", "reduce-scatter")}
        if self.op not in only.get(self.algorithm, (self.op,)):
            what = f"no `{self.algorithm}` algorithm does an `{self.op}`"
            raise fault("bad-choice", what, "write `algorithm: auto`", f"it does {' or '.join(only[self.algorithm])}")
        return self


class Reliability(Strict):
    """What is assumed of repairs, spares and checkpoints; none of it changes what is built.

    `repair` is an assumption: a part is replaced the next day. `lead_time` and `level` size the spares, `checkpoint` and `restart`
    the loss to interruptions; five minutes to restart are those of a published study (Kokolis et al., HPCA 2025).
    `per_1000_node_days` is a measured rate of interruptions, taken in place of the sum over parts.
    """

    repair_ns: PeriodNs = Field(Upkeep().repair_ns, alias="repair")
    lead_time_ns: PeriodNs = Field(Upkeep().lead_ns, alias="lead_time")
    level: Level = Upkeep().level
    checkpoint_ns: PeriodNs = Field(Upkeep().write_ns, alias="checkpoint")
    restart_ns: PeriodNs = Field(Upkeep().restart_ns, alias="restart")
    per_1000_node_days: Interruptions | None = None


def upkeep(written: Reliability) -> Upkeep:
    """The assumptions as the design carries them."""
    return Upkeep(
        written.repair_ns, written.lead_time_ns, written.level, written.checkpoint_ns, written.restart_ns, written.per_1000_node_days
    )


def collectives(written: Mapping[str, Exchange], site: Site) -> Iterator[Collective]:
    """Every exchange over groups that exist; one over fewer than two accelerators is said."""
    for name, exchange in written.items():
        at: Path = ("collectives", name)
        found = [_named(text, site, (*at, "over", i)) for i, text in enumerate(exchange.over)]
        if None in found:
            continue
        over = tuple(dict.fromkeys(s for one in found if one for s in _computing(one, site)))
        ranks = sum(n for _, n in accelerators(over, site.groups, site.used))
        if ranks < 2:
            what = f"`{name}`: {' and '.join(f'`{t}`' for t in exchange.over)} holds {ranks} accelerator{'' if ranks == 1 else 's'}"
            fix = "name racks or nodes that have accelerators"
            site.say("bad-reference", what, "a collective takes two ranks or more", fix, origin=(*at, "over"))
            continue
        yield Collective(name, exchange.op, over, exchange.size_bytes, exchange.algorithm, at)


def look_up_inner_parts(site: Site, known: Container[str]) -> None:
    """Accelerators, NICs and lasers of what is used go into the design, where somebody has described them: their figures are asked for."""
    inner: set[str | None] = set()
    for part in site.used.values():
        if isinstance(part, Node):
            inner |= {part.accelerator, *(p.nic for p in part.ports.values())}
        elif isinstance(part, Switch) and part.lasers:
            inner.add(part.lasers.part)
    for name in sorted(n for n in inner if n and n not in site.used and n in known):
        site.part(name, (), (Accelerator, Laser, Nic))


def _named(text: str, site: Site, origin: Path) -> Selector | None:
    found = selected(text, site, origin)
    if found and found.port:
        what = f"`{text}` names a port; a collective is over devices"
        site.say("bad-selector", what, fix=f"write `{text.split(':', maxsplit=1)[0]}`", origin=origin)
        return None
    return found


def _computing(found: Selector, site: Site) -> Iterator[Selector]:
    """The selector for each group of nodes that it names, itself or inside its rack."""
    for group in site.groups.values():
        part = site.used.get(group.part)
        if found.group in (group.name, group.inside) and isinstance(part, Node) and part.accelerators:
            yield Selector(group.name, found.ranges)
