"""Reads `traffic:`: who sends to whom, so that throughput can be asked of it; nothing of it changes what is built."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from dcgen.design import Traffic
from dcgen.diagnostics import Path, did_you_mean
from dcgen.fabric import Site, selected
from dcgen.parts.fields import AxisName, Name, Positive, RateGbps, Ratio, Share, Strict, Text, fault, listed, one_or_many

Several = Annotated[list[Text], BeforeValidator(listed), WithJsonSchema(one_or_many({"type": "string"}))]
Axes = Annotated[list[AxisName], BeforeValidator(listed), WithJsonSchema(one_or_many({"type": "string"}))]

_NEEDS: dict[str, tuple[str, ...]] = {
    "ring": ("along",), "tree": ("along",), "shift": ("along", "by"), "many-to-one": ("to",), "gravity": ("among",), "matrix": ("rows",),
}  # fmt: skip
_MAY: dict[str, tuple[str, ...]] = {
    "all-to-all": ("among", "within"), "ring": ("among", "along"), "tree": ("among", "along"), "shift": ("among", "along", "by"),
    "worst-case": ("among",), "gravity": ("among", "mass"), "matrix": ("rows",), "many-to-one": ("among", "to"),
}  # fmt: skip


class Flow(Strict):
    """A row of a matrix: each sender of `a` sends `rate` in all, spread evenly over `b`."""

    a: Text
    b: Text
    rate_gbps: RateGbps = Field(alias="rate")


class Demand(Strict):
    """Who sends to whom at once.

    `all-to-all` among all, or `within` axes on which two agree: expert parallel groups are those of one rack, for example. `ring` and
    `tree` along an axis, all other coordinates alike: data parallel. `shift` sends `by` coordinates further, `worst-case` is the
    worst of the half-way shifts, `gravity` between parts in proportion to their masses, `matrix` what its rows say.
    """

    kind: Literal["all-to-all", "ring", "tree", "shift", "worst-case", "gravity", "matrix", "many-to-one"]
    among: Several = []
    to: Several = []
    within: Axes = []
    along: AxisName | None = None
    by: Positive | None = None
    rows: list[Flow] = []
    mass: list[Ratio] = []
    fabric: Name | None = None
    scale_up: Literal["unused", "direct", "relay"] = "unused"
    routing: Literal["adaptive", "spray", "hashed"] = "adaptive"
    queue_pairs: Positive = 1
    efficiency: Share = 1.0

    @model_validator(mode="after")
    def _complete(self) -> "Demand":
        written = {k for k in ("among", "to", "within", "along", "by", "rows", "mass") if getattr(self, k)}
        for key in _NEEDS.get(self.kind, ()):
            if key not in written:
                raise fault("missing-key", f"a traffic of kind `{self.kind}` needs `{key}:`", _example(self.kind))
        if extra := sorted(written - set(_MAY[self.kind])):
            raise fault("bad-choice", f"`{extra[0]}` means nothing to a traffic of kind `{self.kind}`", "take it out")
        if self.mass and len(self.mass) != len(self.among):
            raise fault("bad-choice", f"{len(self.mass)} masses for {len(self.among)} parts", "write one mass for each part of `among`")
        if self.kind == "gravity" and len(self.among) < 2:
            raise fault("bad-choice", "gravity acts between two parts or more", "name them in `among:`")
        return self


def _example(kind: str) -> str:
    return {
        "ring": "write for example `{kind: ring, along: su}`",
        "tree": "write for example `{kind: tree, along: su}`",
        "shift": "write for example `{kind: shift, along: su, by: 1}`",
        "many-to-one": "write for example `{kind: many-to-one, to: storage}`",
        "gravity": "write for example `{kind: gravity, among: ['compute[su=0]', 'compute[su=1]']}`",
        "matrix": "write for example `{kind: matrix, rows: [{a: 'compute[su=0]', b: storage, rate: 100G}]}`",
    }[kind]


def traffic(written: Mapping[str, Demand], fabrics: Mapping[str, Any], site: Site) -> Iterator[Traffic]:
    """Every traffic over groups, axes and a fabric that exist; what does not is said."""
    for name, demand in written.items():
        at: Path = ("traffic", name)
        if demand.fabric is not None and demand.fabric not in fabrics:
            what, fix = f"there is no fabric `{demand.fabric}`", did_you_mean(demand.fabric, fabrics)
            site.say("bad-reference", what, fix=fix, origin=(*at, "fabric"))
            continue
        texts = [(*at, "among", i) for i in range(len(demand.among))] + [(*at, "to", i) for i in range(len(demand.to))]
        found = [selected(t, site, o) for t, o in zip((*demand.among, *demand.to), texts, strict=True)]
        found += [selected(t, site, (*at, "rows", i)) for i, row in enumerate(demand.rows) for t in (row.a, row.b)]
        if None in found or not _axes_exist(demand, site, at):
            continue
        yield Traffic(
            name,
            demand.kind,
            tuple(demand.among),
            tuple(demand.to),
            tuple(demand.within),
            demand.along or "",
            demand.by or 1,
            tuple((row.a, row.b, float(row.rate_gbps)) for row in demand.rows),
            tuple(float(m) for m in demand.mass),
            demand.fabric or "",
            demand.scale_up,
            demand.routing,
            demand.queue_pairs,
            float(demand.efficiency),
            at,
        )


def _axes_exist(demand: Demand, site: Site, at: Path) -> bool:
    """Whether some group of nodes, or its ports, has every axis that is named."""
    nodes = [g for g in site.groups.values() if g.role == "node"]
    known = dict.fromkeys(a for g in nodes for a in g.sizes)
    known |= dict.fromkeys(a for g in nodes for ports in site.used[g.part].port_groups().values() for a in ports.axes)
    for key, axes in (("within", demand.within), ("along", [demand.along] if demand.along else [])):
        for axis in axes:
            if axis not in known:
                site.say("bad-reference", f"no device has an axis `{axis}`", fix=did_you_mean(axis, known), origin=(*at, key))
                return False
    return True
