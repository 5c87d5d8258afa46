"""How long dcgen takes, beside baselines of the same run: `python benchmarks/bench.py [--json]`.

Whole processes are started as a shell starts them, with compiled bytecode (as `pip install` leaves it); the least of several runs
counts, because everything else that the machine does only adds. Stages are timed inside one process, and the cabling plan is set
beside the bare cost of writing the same rows from ready columns.
"""

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from time import perf_counter
from typing import Any

ROOT = Path(__file__).parents[1]
SMALL, LARGE, MILLION = "blueprints/gb300-superpod.yaml", "blueprints/nvl72-100k.yaml", "blueprints/million.yaml"
HOLES, HALL = "thousand-holes", "nvl72-100k-hall"
LIBRARIES = "import pydantic, yaml, numpy, polars, networkx"

PROCESSES: dict[str, tuple[list[str], float | None]] = {
    "python -c pass": (["-c", "pass"], None),
    "python -c 'import libraries'": (["-c", LIBRARIES], None),
    "dcgen --version": (["-m", "dcgen", "--version"], 0.2),
    "dcgen check gb300-superpod": (["-m", "dcgen", "check", SMALL], 0.5),
    "dcgen build gb300-superpod": (["-m", "dcgen", "build", SMALL, "-o", "{out}"], 1.5),
    "dcgen check nvl72-100k": (["-m", "dcgen", "check", LARGE], None),
    "dcgen build nvl72-100k": (["-m", "dcgen", "build", LARGE, "-o", "{out}"], 6.0),
    "dcgen diff million, 64 pods": (["-m", "dcgen", "diff", MILLION, "{out}/fewer.yaml", "--quick"], None),
    "dcgen build nvl72-100k in a hall": (["-m", "dcgen", "build", "{out}/" + HALL + ".yaml", "-o", "{out}"], 12.0),
    "dcgen check million": (["-m", "dcgen", "check", MILLION], None),
    "dcgen build million": (["-m", "dcgen", "build", MILLION, "-o", "{out}"], 12.0),
    "dcgen build million, near spread": (["-m", "dcgen", "build", MILLION, "--set", "spread=near", "-o", "{out}"], None),
    "dcgen build million, 1,000 holes": (["-m", "dcgen", "build", "{out}/" + HOLES + ".yaml", "-o", "{out}"], None),
}
"""What is called -> (words after `python`, target [s])."""

MOST_MIB = 1024.0
"""Target for the peak memory of every process [MiB]."""


def process(words: list[str], folder: Path) -> tuple[float, float, float]:
    """(wall time [s], processor time [s], peak resident memory [MiB]) of one process."""
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    env |= {"PYTHONPYCACHEPREFIX": str(folder / "bytecode"), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, *(w.format(out=folder / "out") for w in words)]
    start = perf_counter()
    child = subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    took = perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{' '.join(command)} ended with {child.returncode}")
    return took, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)


def with_holes(folder: Path) -> None:
    """The million with a thousand compute trays missing, scattered by a fixed rule over pods, racks and trays."""
    gone = "\n".join(f'    - "compute/tray[pod={n * 37 % 65},rack={n * 101 % 224},tray={n * 7 % 18}]"' for n in range(1000))
    text = (ROOT / MILLION).read_text(encoding="utf-8").replace("name: million", f"name: {HOLES}")
    whole = "  compute: {part: gb300-nvl72, axes: {pod: $pods, rack: 224}}"
    split = f"  compute:\n    part: gb300-nvl72\n    axes: {{pod: $pods, rack: 224}}\n    absent:\n{gone}"
    (folder / "out").mkdir(exist_ok=True)
    (folder / "out" / f"{HOLES}.yaml").write_text(text.replace(whole, split), encoding="utf-8")
    (folder / "out" / "fewer.yaml").write_text(text.replace("default: 65", "default: 64"), encoding="utf-8")


def in_a_hall(folder: Path) -> None:
    """The 103,680 GPUs on tiles of one hall: every cable measured along the trays, and its medium chosen by that."""
    text = (ROOT / LARGE).read_text(encoding="utf-8").replace("name: nvl72-100k", f"name: {HALL}")
    (folder / "out").mkdir(exist_ok=True)
    (folder / "out" / f"{HALL}.yaml").write_text(f"{text}\nhall: {{positions: 40}}\nmedia: {{policy: cheapest}}\n", encoding="utf-8")


def processes(runs: int, folder: Path) -> list[dict[str, Any]]:
    """Least times and largest memory of each process, after one run that compiles."""
    out: list[dict[str, Any]] = []
    with_holes(folder)
    in_a_hall(folder)
    for name, (words, target) in PROCESSES.items():
        process(words, folder)
        found = [process(words, folder) for _ in range(runs)]
        wall, busy, mib = zip(*found, strict=True)
        out.append({"name": name, "s": min(wall), "cpu_s": min(busy), "mib": max(mib), "target_s": target})
    return out


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = perf_counter()
    done = work()
    return perf_counter() - start, done


def size(chunks: Iterable[bytes]) -> int:
    """Bytes of an artifact, made and thrown away chunk by chunk."""
    return sum(len(chunk) for chunk in chunks)


def stages(blueprint_file: str) -> list[dict[str, Any]]:
    """Stages of a large build in one process, and the same cable rows from ready columns."""
    sys.path.insert(0, str(ROOT))
    import dcgen

    t_read, blueprint = timed(lambda: dcgen.parse(dcgen.read(ROOT / blueprint_file)))
    t_lay_out, design = timed(lambda: dcgen.lay_out(blueprint))
    t_analyse, analysis = timed(lambda: dcgen.analyse(design))
    seconds: dict[str, float] = {}
    sizes: dict[str, int] = {}
    work = dcgen.produce(analysis, [])
    while True:
        t_made, artifact = timed(lambda: next(work, None))
        if artifact is None:
            break
        name = "drawings" if artifact.path.startswith("diagrams/") else artifact.path
        t_written, n = timed(lambda: size(artifact.chunks))  # noqa: B023
        seconds[name], sizes[name] = seconds.get(name, 0) + t_made + t_written, sizes.get(name, 0) + n
    rows = [("read and parse", t_read, 0), ("lay out", t_lay_out, 0), ("analyse", t_analyse, 0)]
    rows += [(name, s, sizes[name]) for name, s in seconds.items()]
    rows.append(("baseline: the same cable rows from ready columns", *ready_columns(design)))
    return [{"name": name, "s": s, "bytes": n} for name, s, n in rows]


EDITS: dict[str, tuple[str, str, str]] = {
    "one pod absent": ("rack: 224}}", "rack: 224}, absent: ['compute[pod=3]']}", "rule unchanged"),
    "1,000 trays absent": ("", "", "rule unchanged"),
    "16 racks a leaf": ("block=rack/14]", "block=rack/16]", "another rule"),
    "64 pods": ("default: 65", "default: 64", "another rule"),
}
"""Edit of the million -> (text, what takes its place, whether the wiring rule is the same)."""
DIFF_TARGET_S = 0.5
"""Target for a comparison whose wiring rule is the same, both designs being ready [s]."""


def diffs() -> list[dict[str, Any]]:
    """Comparisons of the million with edits of it, everything but the comparison done before, least of three; and what it costs to
    make all cables of both as columns, the least that comparing them row by row could cost."""
    sys.path.insert(0, str(ROOT))
    import dcgen
    from dcgen.design.columns import columns

    def analysed(text: str) -> Any:
        from dcgen.source import parse_text

        return dcgen.analyse(dcgen.lay_out(dcgen.parse(parse_text(text, str(ROOT / MILLION)))), quick=True)

    text = (ROOT / MILLION).read_text(encoding="utf-8")
    before, out = analysed(text), []
    for name, (old, new, rule) in EDITS.items():
        with tempfile.TemporaryDirectory() as folder:
            with_holes(Path(folder))
            holed = (Path(folder) / "out" / f"{HOLES}.yaml").read_text(encoding="utf-8")
        after = analysed(text.replace(old, new) if old else holed)
        took = min(timed(lambda: dcgen.compare(before, after))[0] for _ in range(3))  # noqa: B023
        pairs = [(d, b) for d in (before.design, after.design) for b in d.bundles if b.field_cabled]
        base = min(timed(lambda: [columns(d, b) for d, b in pairs])[0] for _ in range(2))  # noqa: B023
        target = DIFF_TARGET_S if rule == "rule unchanged" else None
        out.append({"name": name, "rule": rule, "s": took, "baseline_s": base, "target_s": target})
    return out


def ready_columns(design: Any) -> tuple[float, int]:
    """(time to write the cabling plan whose columns are in memory already [s], bytes)."""
    import io

    import polars as pl

    from dcgen.tables import cable_table

    frame = pl.concat(list(cable_table(design).chunks())).rechunk()
    out = io.BytesIO()
    took, _ = timed(lambda: frame.write_csv(out, quote_style="necessary"))
    return took, out.tell()


def show(found: dict[str, Any]) -> None:
    print(f"{found['python']}, {found['machine']}, {found['cores']} cores, load {found['load']:.1f} when it began\n")
    bare, libraries = (p["s"] for p in found["processes"][:2])
    print(f"{'process':<32}{'s':>8}{'cpu s':>8}{'× pass':>9}{'× imports':>11}{'MiB':>7}{'target':>9}")
    for p in found["processes"]:
        target = "" if p["target_s"] is None else f"< {p['target_s']:g} s"
        print(f"{p['name']:<32}{p['s']:>8.2f}{p['cpu_s']:>8.2f}{p['s'] / bare:>9.1f}{p['s'] / libraries:>11.2f}{p['mib']:>7.0f}{target:>9}")
    for name, each in found["stages"].items():
        base = each[-1]
        print(f"\n{'stage of build ' + name:<52}{'s':>8}{'× baseline':>12}{'MB':>8}")
        for s in each:
            print(f"{s['name']:<52}{s['s']:>8.2f}{s['s'] / base['s']:>12.2f}{s['bytes'] / 1e6:>8.1f}")


def show_diffs(found: list[dict[str, Any]]) -> None:
    print(f"\n{'million against itself with':<32}{'s':>8}{'× columns of both':>20}{'target':>9}")
    for d in found:
        target = "" if d["target_s"] is None else f"< {d['target_s']:g} s"
        print(f"{d['name'] + ', ' + d['rule']:<40}{d['s']:>8.3f}{d['s'] / d['baseline_s']:>12.2f}{target:>9}")


def missed(found: dict[str, Any]) -> list[str]:
    """What does not meet its target."""
    slow = [f"{p['name']}: {p['s']:.2f} s" for p in found["processes"] if p["target_s"] and p["s"] >= p["target_s"]]
    slow += [f"diff of {d['name']}: {d['s']:.2f} s" for d in found["diffs"] if d["target_s"] and d["s"] >= d["target_s"]]
    return slow + [f"{p['name']}: {p['mib']:.0f} MiB" for p in found["processes"] if p["mib"] >= MOST_MIB]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    parser.add_argument("--runs", type=int, default=3, help="runs of each process (default 3)")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found: dict[str, Any] = {
            "python": f"Python {platform.python_version()}",
            "machine": platform.machine(),
            "cores": os.cpu_count(),
            "load": os.getloadavg()[0],
            "processes": processes(chosen.runs, Path(folder)),
            "stages": {Path(file).stem: stages(file) for file in (LARGE, MILLION)},
            "diffs": diffs(),
            "peak_mib_of_stages": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        }
    if chosen.json:
        print(json.dumps(found, indent=1))
    else:
        show(found)
        show_diffs(found["diffs"])
    for text in missed(found):
        print(f"target missed: {text}", file=sys.stderr)
    sys.exit(1 if missed(found) else 0)


if __name__ == "__main__":
    main()
