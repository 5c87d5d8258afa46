"""Throughput of the fabrics of blueprints/, intact and after losses, and beside ngraph where it is installed (`pip install .[bench]`).

python benchmarks/flow.py            tables; exits 1 when a target is missed
python benchmarks/flow.py --json     one object
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SIZES = ("gb300-superpod", "nvl72-100k", "million")
INTACT_S, LOSSES_S, MIB, FASTER = 0.05, 0.5, 200, 100
"""Targets: a million accelerators intact, all their single losses, memory beyond start-up, times as fast as ngraph."""


def timed(f: Callable[[], Any], repeat: int = 5) -> tuple[float, Any]:
    """Least of a few runs [s], after one to warm up, and the answer."""
    out, best = f(), float("inf")
    for _ in range(repeat):
        start = time.perf_counter()
        out = f()
        best = min(best, time.perf_counter() - start)
    return best, out


def mib() -> float:
    """Peak of this process; not `ru_maxrss`, which a child inherits."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) / 1024


def design_of(name: str, **settings: str) -> Any:
    import dcgen

    path = Path(name) if name.endswith(".yaml") else ROOT / "blueprints" / f"{name}.yaml"
    return dcgen.lay_out(dcgen.parse(dcgen.read(path), settings))


def ours(name: str) -> dict[str, Any]:
    """One blueprint in a process of its own: intact, after every class of single losses, with and without relaying."""
    from dcgen.analysis.flow import Question
    from dcgen.design import Traffic

    design = design_of(name)
    Question(design_of(SIZES[0]), "backend", Traffic("all-to-all", "all-to-all", scale_up="relay")).ask()  # imports and first calls
    before, rows = mib(), []
    for scale_up in ("unused", "relay"):
        traffic = Traffic("all-to-all", "all-to-all", scale_up=scale_up)
        ask, answer = timed(lambda: Question(design, "backend", traffic).ask())  # noqa: B023

        def losses() -> list[Any]:
            question = Question(design, "backend", traffic)  # noqa: B023
            return [(c, question.after([c.loss])) for c in question.survey()]

        every, found = timed(losses, 2)
        rows.append({"scale_up": scale_up, "gbps": answer.value, "status": answer.status, "s": ask, "losses_s": every,
                     "classes": len(found), "losses": sum(c.count for c, _ in found)})  # fmt: skip
    return {"name": name, "accelerators": sum(design.groups[g].count for g in ("compute/tray",)) * 4, "rows": rows, "mib": mib() - before}


UNEVEN = """dcgen: 1
name: uneven
params: {su: {default: 8, range: [1, 16]}}
racks: {compute: {part: gb300-nvl72, axes: {su: $su, rack: 8}, absent: [ABSENT]}}
fabrics:
  backend:
    kind: clos
    serves: compute.fabric
    SPREAD
    leaf: {part: q3400-ra, per: [su, rail, half=rack/4]}
    spine: {part: q3400-ra, count: SPINES}
"""


def uneven() -> list[dict[str, Any]]:
    """Spines that do not divide the uplinks, and trays missing here and there."""
    import random

    import dcgen
    from dcgen.analysis.flow import Question
    from dcgen.source import parse_text

    draw, out = random.Random(1), []
    holes = [f"compute/tray[su={draw.randrange(8)},rack={draw.randrange(8)},tray={draw.randrange(18)}]" for _ in range(100)]
    cases = {
        "8 units, 37 spines of near spread": ("", "spread: near", "37"),
        "8 units, 12 trays missing": (", ".join(f"'{h}'" for h in holes[:12]), "", "36"),
        "8 units, 100 trays missing": (", ".join(f"'{h}'" for h in dict.fromkeys(holes)), "", "36"),
        "8 units, 37 spines of near spread, 12 trays missing": (", ".join(f"'{h}'" for h in holes[:12]), "spread: near", "37"),
    }
    for name, (absent, spread, spines) in cases.items():
        text = UNEVEN.replace("ABSENT", absent).replace("    SPREAD\n", f"    {spread}\n" if spread else "").replace("SPINES", spines)
        design = dcgen.lay_out(dcgen.parse(parse_text(text, str(ROOT / "blueprints" / "uneven.yaml"))))
        s, answer = timed(lambda: Question(design, "backend").ask(), 1)  # noqa: B023
        out.append({"name": name, "s": s, "gbps": answer.value, "status": answer.status, "method": answer.method})
    return out


def beside_ngraph(name: str = "nvl72-100k") -> dict[str, Any] | None:
    """Everything that the first half of the pods can send to the second: intact, and after one spine; both tools, one process."""
    try:
        from ngraph import Link, Network, Node, analyze
    except ImportError:
        return None
    from dcgen.analysis.flow import Question
    from dcgen.analysis.flow.losses import lowered
    from dcgen.analysis.flow.project import project
    from dcgen.analysis.flow.total import total
    from dcgen.design import Traffic
    from dcgen.design.columns import columns, device_ids
    from dcgen.naming import label

    design = design_of(name)
    pods = design.groups["compute/tray"].sizes["pod"]
    half = pods // 2
    sides = f"compute[pod=0..{half - 1}]", f"compute[pod={half}..{pods - 1}]"
    traffic = Traffic("halves", "matrix", rows=((*sides, 1.0),))

    def most(lost: tuple[str, ...]) -> float:
        """With no pair limited, the sum is the maximum flow between the halves."""
        question = Question(design, "backend", traffic)
        every = [*question.lowered.missing, *lowered(question.lowered, [p for text in lost for p in question.picks(text)])]
        return total(question.lowered.net, question.demands[0], question.relay, every, 1e6)[0]

    mine, answers = timed(lambda: [most(()), most(("backend/spine[pod=0,spine=0]",))], 3)
    here = project(design, "backend")

    def build() -> Any:
        network = Network()
        names = {}
        for g in dict.fromkeys(e.group for b in here.joins for e in b.ends):
            group = here.design.groups[g]
            for i in device_ids(group).tolist():
                at = group.coordinates(i)
                side = ("first/" if at["pod"] < half else "second/") if g.endswith(".gpu") else "switch/"
                names[g, i] = side + label(g, at)
                network.add_node(Node(name=names[g, i]))
        for join in here.joins:
            c = columns(here.design, join)
            for a, b in zip(c.a.tolist(), c.b.tolist(), strict=True):
                network.add_link(Link(source=names[join.a.group, a], target=names[join.b.group, b], capacity=join.rate_gbps))
        return network

    start = time.perf_counter()
    network = build()
    built = time.perf_counter() - start
    start = time.perf_counter()
    context = analyze(network, source="^first/", sink="^second/")
    dead = {"switch/" + label("backend/spine", {"pod": 0, "spine": 0})}
    theirs = [sum(context.max_flow().values()), sum(context.max_flow(excluded_nodes=dead).values())]
    asked = time.perf_counter() - start
    return {"name": name, "dcgen_s": mine, "dcgen_gbps": answers, "ngraph_build_s": built, "ngraph_s": asked,
            "ngraph_gbps": theirs, "times": asked / mine}  # fmt: skip


def child(what: str) -> Any:
    """The answer of one part of this script, from a new process."""
    run = subprocess.run([sys.executable, __file__, "--part", what], capture_output=True, text=True, check=True, cwd=ROOT)
    return json.loads(run.stdout)


def show(found: dict[str, Any]) -> None:
    print(f"{'fabric':<18}{'accelerators':>13}  {'scale-up':<9}{'Gb/s each':>12}  {'intact':>9}{'all single losses':>19}  classes (losses)")
    for size in found["sizes"]:
        for row in size["rows"]:
            print(f"{size['name']:<18}{size['accelerators']:>13,}  {row['scale_up']:<9}{row['gbps']:>12.5f}  {1e3 * row['s']:>6.1f} ms"
                  f"{1e3 * row['losses_s']:>16.0f} ms  {row['classes']} ({row['losses']:,})")  # fmt: skip
        print(f"{'':<18}{size['mib']:.0f} MiB beyond start-up")
    print()
    for row in found["uneven"]:
        print(f"{row['name']:<54}{row['s']:>8.2f} s  {row['gbps']:.5f} Gb/s {row['status']}: {row['method']}")
    beside = found["ngraph"]
    if beside is None:
        print("\nngraph is not installed: pip install .[bench]")
        return
    print(f"\n{beside['name']}, first half of the pods to the second, intact and less a spine [Pb/s]:")
    for tool, seconds in (("dcgen", beside["dcgen_s"]), ("ngraph", beside["ngraph_s"])):
        print(f"  {tool:<8}{seconds:>9.4f} s  {', '.join(f'{x / 1e6:.6f}' for x in beside[f'{tool}_gbps'])}")
    print(f"  {beside['times']:,.0f} times as fast, without the {beside['ngraph_build_s']:.1f} s that building its graph takes")


def missed(found: dict[str, Any]) -> list[str]:
    last, out = found["sizes"][-1], []
    for row in last["rows"]:
        out += [f"{last['name']} intact: {row['s']:.3f} s"] if row["s"] > INTACT_S else []
        out += [f"{last['name']}, all losses: {row['losses_s']:.2f} s"] if row["losses_s"] > LOSSES_S else []
    out += [f"{last['name']}: {last['mib']:.0f} MiB"] if last["mib"] > MIB else []
    beside = found["ngraph"]
    if beside:
        out += [f"{beside['times']:.0f} times as fast as ngraph"] if beside["times"] < FASTER else []
        same = all(abs(a - b) <= 1e-6 * b for a, b in zip(beside["dcgen_gbps"], beside["ngraph_gbps"], strict=True))
        out += [] if same else [f"the answers differ: {beside['dcgen_gbps']} and {beside['ngraph_gbps']}"]
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    parser.add_argument("--part", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.part:
        part: Any = uneven() if chosen.part == "uneven" else beside_ngraph() if chosen.part == "ngraph" else ours(chosen.part)
        print(json.dumps(part))
        return
    found = {"sizes": [child(name) for name in SIZES], "uneven": child("uneven"), "ngraph": child("ngraph")}
    print(json.dumps(found, indent=1)) if chosen.json else show(found)
    for text in missed(found):
        print(f"target missed: {text}", file=sys.stderr)
    sys.exit(1 if missed(found) else 0)


if __name__ == "__main__":
    main()
