"""A plan as files: what to do in which order for people, every cable of every stage as tables, and the design at the end."""

from collections.abc import Iterator

from dcgen.design.save import dump
from dcgen.plan import Plan, Stage, percent
from dcgen.render.csv import Rows
from dcgen.render.markdown import md, table
from dcgen.render.model import Artifact
from dcgen.render.work import Page, whole, work_lists

HEADS = ["stage", "", "moved", "taken out", "new", "links kept", "bandwidth kept", "all to all"]
AROUND = (
    "Every link of this stage is up at its full rate on both sides, and leads where the list says (neighbour tables).",
    "Counters of symbol or FEC errors and of link flaps stay at zero, for as long as your acceptance test asks.",
    "No link that was not in the list went down: compare the number of links that are up with the one before the stage.",
    "Routing uses the new links, and traffic is spread over them; a test job gets the bandwidth it had before.",
)
"""What to look at before a next stage begins."""


def render_plan(plan: Plan) -> Iterator[Artifact]:
    """`plan.md`, `work.csv`, a work list of each stage as Markdown and CSV, and the design after the plan as `design.json`."""
    yield Artifact("plan.md", [overview(plan).encode()])
    lists = work_lists(plan)
    every = whole(lists)
    yield Artifact("work.csv", Rows(every), every.rows)
    for stage in plan.stages:
        found = lists[stage.number]
        yield Artifact(f"{found.name}.csv", Rows(found), found.rows)
        yield Artifact(f"{found.name}.md", Page([f"# {title(stage)}: work list", "", *instructions(plan, stage)], found))
    if not plan.unwritten:
        yield Artifact("design.json", [dump(plan.design).encode()])


def title(stage: Stage) -> str:
    """What a stage is called."""
    return f"Stage {stage.number}, {stage.title}"


def bandwidth(stage: Stage) -> str:
    """What a stage leaves of the bandwidth, in words."""
    if stage.share is None:
        return "100 %"
    low, high = (min([float(stage.share), *(getattr(r, f) for r in stage.residuals)]) for f in ("low", "high"))
    return percent(high) if high - low < 1e-6 else f"{percent(low)} to {percent(high)}"


def all_to_all(stage: Stage) -> str:
    """What accelerators get in a stage when all send to all, in words; nothing where it was not computed."""
    if stage.share is None or not stage.throughputs:
        return "100 %" if stage.share is None else "-"
    worst = min(stage.throughputs, key=lambda t: t.share)
    return f"{percent(worst.share)}, {worst.now_gbps:.4g} of {worst.before_gbps:.4g} Gb/s"


def instructions(plan: Plan, stage: Stage) -> list[str]:
    """What to do in a stage, as a list."""
    lines = []
    if stage.number == 0:
        lines += ["Nothing in service is touched. Put up and power the devices that come new, then plug the new cables below."]
    elif stage.share is not None:
        kept = f"Every device in service keeps at least {percent(stage.share)} of its links"
        lines += [
            f"{kept}; bandwidth that is left: {bandwidth(stage)}.",
            "",
            "Drain first: take the ports that are unplugged out of service on both sides, and see their counters of traffic stand still.",
        ]
    elif stage.title == "take away":
        lines += ["Nothing uses these cables any more. Take them out, then the devices that go."]
    else:
        lines += ["Nothing in service is touched: the cables that are unplugged belong to devices that go."]
    gone = [i for i in plan.interruptions if i.stage == stage.number]
    lines += [
        f"\n**Interruption:** {len(i.devices):,} of {md(i.group)} have no other link to {md(i.fabric)} than the one that moves."
        for i in gone
    ]
    return lines


def overview(plan: Plan) -> str:
    """The plan on one page."""
    before, after = names(plan)
    lines = [f"# From {md(before)} to {md(after)}", ""]
    if plan.nothing:
        return "\n".join([*lines, "Nothing to do: both designs have the same devices and cables.", ""])
    lines += [summary(plan), "", "## Cables", "", _layers(plan), ""]
    if plan.devices:
        lines += [
            "## Devices",
            "",
            "Those that come are put up in stage 0, those that go are taken away at the end.",
            "",
            _devices(plan),
            "",
        ]
    lines += ["## Stages", "", _stages(plan), ""]
    for stage in plan.stages:
        lines += [
            f"### {title(stage)}",
            "",
            *instructions(plan, stage),
            "",
            f"Work list: [all {len(stage.tasks):,} rows](stage-{stage.number}.md).",
            "",
        ]
        lines += [
            "Before the next stage:" if stage is not plan.stages[-1] else "At the end:",
            "",
            *(f"- [ ] {line}" for line in AROUND),
            "",
        ]
    return "\n".join([*lines, "## How this was obtained", "", *(f"- {line}" for line in obtained(plan)), ""])


def names(plan: Plan) -> tuple[str, str]:
    """What both designs are called; with the parameters in which they differ where their names do not."""
    both = plan.before, plan.after
    if plan.before.name != plan.after.name:
        return both[0].name, both[1].name
    differ = [p for p in both[1].parameters if both[0].parameters.get(p) != both[1].parameters[p]]
    said = [", ".join(f"{p}={d.parameters[p]}" for p in differ if p in d.parameters) for d in both]
    one, other = (f"{d.name} ({words})" if words else d.name for d, words in zip(both, said, strict=True))
    return one, other


def summary(plan: Plan) -> str:
    """The plan in a sentence or two."""
    if not plan.moved:
        why = ["what comes new fits in ports that are free"] if len(plan.added) else []
        why += ["what is taken away serves only what goes"] if len(plan.removed) else []
        return f"No cable that stays in service moves: {', and '.join(why) or 'only devices come or go'}."
    said = f"{plan.moved:,} of {plan.in_use:,} cables in service move, in {_many(len(plan.draining), 'stage')}"
    return f"{said}; {percent(plan.keep)} of the bandwidth is to be kept."


def _many(n: int, what: str) -> str:
    return f"{n:,} {what}" + ("" if n == 1 else "s")


def _layers(plan: Plan) -> str:
    heads = ["fabric", "layer", "before", "stay", "unplugged", "new", "after"]
    rows = [[md(x.fabric), md(x.layer), *(f"{n:,}" for n in (x.before, x.kept, x.removed, x.added, x.kept + x.added))] for x in plan.layers]
    return table(heads, rows, range(2, 7))


def _devices(plan: Plan) -> str:
    rows = [[md(d.group), *(f"{n:,}" if n else "" for n in (d.added, d.removed, d.replaced))] for d in plan.devices]
    return table(["group", "come", "go", "replaced"], rows, range(1, 4))


def _stages(plan: Plan) -> str:
    return table(HEADS, stage_rows(plan), (0, 2, 3, 4, 5, 6, 7))


def stage_rows(plan: Plan) -> list[list[str]]:
    """A row for each stage: its cables that move, are taken out and come new, and what is left meanwhile."""
    rows = []
    for s in plan.stages:
        both = int(((s.tasks.unplugged >= 0) & (s.tasks.plugged >= 0)).sum())
        out, new = int((s.tasks.unplugged >= 0).sum()) - both, int((s.tasks.plugged >= 0).sum()) - both
        kept = percent(s.share) if s.share is not None else "100 %"
        rows.append([str(s.number), s.title, *(f"{n:,}" if n else "" for n in (both, out, new)), kept, bandwidth(s), all_to_all(s)])
    return rows


def obtained(plan: Plan) -> Iterator[str]:
    """By which rules the figures came about."""
    yield (
        "*Fewest moves*: each pair of devices keeps the smaller of its old and new number of links; a cable that keeps both its "
        "sockets is not touched."
    )
    yield "*Stages*: as few as the share allows at every device, links of a pair spread over them (equitable edge colouring)."
    yield (
        "*Bandwidth kept*: of the traffic that each switch of a layer sends to all others of it, against before, or after where that "
        "is less. The lower figure is carried by a routing that was found, no routing exceeds the upper one; a single figure is both."
    )
    if any(s.throughputs for s in plan.stages):
        yield (
            "*All to all*: the rate at which every accelerator sends to all others at once, exactly, by the solver, with the cables of "
            "the stage out."
        )
    if plan.differ and not plan.unwritten:
        yield (
            f"*Design at the end*: `design.json`. It has the same devices as {md(plan.after.name)} laid out from nothing, and as many "
            f"links between any two of them as this plan says, but {plan.differ:,} cables end in other ports, because those that were "
            "there stay. Give it to the next `dcgen plan` as the design before."
        )
    for name in plan.unwritten:
        yield f"*Not written*: `design.json`, because {md(name)} is too irregular and too large; `work.csv` has every cable."


def sections(plan: Plan) -> list[tuple[str, list[str], list[list[str]]]]:
    """The plan as tables for a terminal: what moves, and the stages."""
    if plan.nothing:
        return []
    layers = [[f"{x.fabric} {x.layer}", *(f"{n:,}" for n in (x.before, x.kept, x.removed, x.added, x.kept + x.added))] for x in plan.layers]
    stages = [
        [n, what, *(cell or "0" for cell in (both, out, new)), links, *left] for n, what, both, out, new, links, *left in stage_rows(plan)
    ]
    return [
        ("From {} to {}".format(*names(plan)), ["cables", "before", "stay", "unplugged", "new", "after"], layers),
        (summary(plan), HEADS, stages),
    ]


def record(plan: Plan) -> dict[str, object]:
    """The plan as plain data, without its cables."""
    return {
        "keep": float(plan.keep),
        "moved": plan.moved,
        "in_service": plan.in_use,
        "elsewhere": plan.differ,
        "layers": [
            {"fabric": x.fabric, "layer": x.layer, "before": x.before, "stay": x.kept, "unplugged": x.removed, "new": x.added}
            for x in plan.layers
        ],
        "devices": [{"group": d.group, "come": d.added, "go": d.removed, "replaced": d.replaced} for d in plan.devices],
        "stages": [
            {
                "stage": s.number,
                "title": s.title,
                "tasks": len(s.tasks),
                "links_kept": None if s.share is None else float(s.share),
                "all_to_all": [{"fabric": t.fabric, "gbps": t.now_gbps, "before_gbps": t.before_gbps} for t in s.throughputs],
                "bandwidth": [{"fabric": r.fabric, "layer": r.layer, "low": r.low, "high": r.high} for r in s.residuals],
            }
            for s in plan.stages
        ],
    }
