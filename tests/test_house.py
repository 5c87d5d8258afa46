"""The plan of the house, held by a test: who may import whom, which library has which door, and the habits of every room.

Read with `ast` and the standard library alone, so that it also speaks when a room does not import.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HOUSE = ROOT / "dcgen"

KERNEL = {"units", "naming", "diagnostics"}
PLAN: dict[str, set[str]] = {
    "units": set(),
    "naming": set(),
    "diagnostics": {"naming"},
    "parts": KERNEL,
    "design": KERNEL | {"parts"},
    # authoring: from text to a design
    "source": KERNEL,
    "catalog": KERNEL | {"parts", "source"},
    "fabric": KERNEL | {"parts", "design"},
    "blueprint": KERNEL | {"parts", "design", "source", "catalog", "fabric"},
    # answering: from a design to files
    "analysis": KERNEL | {"parts", "design"},
    "tables": KERNEL | {"parts", "design", "analysis"},
    "diff": KERNEL | {"parts", "design", "analysis", "tables"},
    "plan": KERNEL | {"parts", "design", "analysis", "tables", "diff"},
    "render": KERNEL | {"parts", "design", "analysis", "tables", "diff", "plan"},
    # the front door, and the person in front of it
    "dcgen": KERNEL | {"parts", "design", "source", "catalog", "fabric", "blueprint", "analysis", "tables", "diff", "plan", "render"},
    "cli": {"dcgen", "diagnostics", "units"},
}
"""Room -> rooms that it may import."""

DOORS: dict[str, set[str]] = {
    "yaml": {"source"},
    "pydantic": {"source", "parts", "fabric", "blueprint"},
    "pydantic_core": {"source", "parts", "fabric", "blueprint"},
    "networkx": {"design", "analysis"},
    "numpy": {"design", "analysis", "plan"},
    "highspy": {"analysis", "plan"},
    "polars": {"tables", "render"},
    "jinja2": {"render"},
    "graphviz": {"render"},
    "xlsxwriter": {"render"},
    "typer": {"cli"},
    "rich": {"cli"},
    "click": {"cli"},
}
"""Library -> rooms that may import it."""

HEAVY = ("numpy", "highspy", "polars", "networkx", "jinja2", "graphviz", "rich", "xlsxwriter")
"""Libraries that are imported when they are needed, and never for `dcgen --version`."""

COUNTS = {
    "a", "across", "b", "cables", "left", "per_cable", "position", "positions", "right", "stop", "tray",
    "accelerators", "after", "aliases", "before", "bytes", "cage", "cages", "capacity", "chips", "column", "count", "cpus", "depth", "device", "domain", "domains",
    "domain_racks", "estimates", "fan", "final_fan", "feeds", "file", "first", "height", "kept", "lanes", "lasers", "last", "legs", "lengthened", "line", "links",
    "least", "level", "lines", "min_order", "pack", "years",
    "modules", "n", "nodes", "outlets", "per_module", "per_rack", "phases", "ports", "ports_per_chip", "quantity", "ranks",
    "relabelled", "renamed", "repatched", "replaced", "reserved", "room", "same", "rows", "scalar", "size", "split", "start", "sub", "supplies", "switches", "taken_from", "tier", "units", "unknown",
    "members", "used", "vital",
    "added", "apart", "devices", "differ", "in_use", "local", "moved", "number", "offset", "removed", "stage", "stages",
    "by", "cell", "head", "k", "queue_pairs", "next", "own", "pairs", "parent", "root", "sign", "tail", "times", "wire",
}  # fmt: skip
"""Whole numbers that count, number or limit something: no unit."""

RATIOS = {
    "efficiency",
    "fill",
    "missing",
    "needed",
    "ordered",
    "owned",
    "pieces",
    "keep",
    "after",
    "before",
    "order_after",
    "order_before",
    "high",
    "low",
    "others_share",
    "total_share",
    "weight",
    "oversubscription",
    "share",
    "liquid_share",
    "value",
    "bound",
    "level",
    "per_1000_node_days",
}
"""Real numbers that are ratios, or that carry their unit in a field beside them."""

SUFFIX = re.compile(r".+_(gbps|m|m2|kg_m2|w|kwh|kg|u|ns|s|1|usd|gb|bytes|fit|k|lpm|pt)")
"""Units, as they end a name."""

WHOLE = {"int", "Count", "Positive"}
REAL = {
    "float", "Decimal", "Fraction", "Ratio", "Share", "RateGbps", "LengthM", "MoneyUsd",
    "PowerFigure", "LengthFigure", "MassFigure", "HeightFigure", "TimeFigure", "NumberFigure", "MoneyFigure", "Figure",
    "RateFigure", "FailureRateFigure", "TimeNs", "SizeBytes",
}  # fmt: skip

GENERIC = {"generic", "various", "several", "standard", "cat6a", "orv3", "login", "management", "storage", "support"}
"""Words of the shelf that name no maker and no product."""

REGISTERED = {
    "FAMILIES": "fabric",
    "KINDS": "parts",
    "METRICS": "analysis",
    "RULES": "analysis/rules",
    "TABLES": "tables",
    "RENDERERS": "render",
}

FILES = sorted(HOUSE.rglob("*.py"))


def tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def short(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def room(file: Path) -> str:
    first = file.relative_to(HOUSE).parts[0].removesuffix(".py")
    return {"__init__": "dcgen", "__main__": "cli"}.get(first, first)


def at(file: Path, node: ast.AST) -> str:
    return f"{short(file)}:{getattr(node, 'lineno', 1)}"


def nodes(*kinds: type[ast.AST], outside: Iterable[str] = ()) -> Iterator[tuple[Path, ast.AST]]:
    """Every node of these kinds in the house, without the files of some rooms."""
    for file in FILES:
        if room(file) not in outside:
            yield from ((file, n) for n in ast.walk(tree(file)) if isinstance(n, kinds))


def called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id if isinstance(call.func, ast.Name) else ""


def text_of(node: ast.AST | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def listed(faults: Iterable[str]) -> None:
    """Fail with all of them at once."""
    found = sorted(set(faults))
    if found:
        pytest.fail("\n  ".join([f"{len(found)} found", *found]), pytrace=False)


# ---------------------------------------------------------------------- who may import whom
def imports(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    assert isinstance(node, ast.ImportFrom)
    return [f"{node.module}.{alias.name}" for alias in node.names]


def test_rooms_and_plan_are_the_same() -> None:
    assert {room(f) for f in FILES} == set(PLAN), "a new room gets its line in PLAN, and a decision in docs/decisions"


def test_imports_follow_the_plan() -> None:
    faults = []
    for file, node in nodes(ast.Import, ast.ImportFrom):
        here = room(file)
        for name in imports(node):
            top, _, rest = name.partition(".")
            there = rest.split(".")[0] if rest.split(".")[0] in PLAN else "dcgen"
            if top == "dcgen" and there not in PLAN.get(here, set()) | {here}:
                faults.append(f"{at(file, node)}: {here} may not import {there}")
    listed(faults)


def test_libraries_come_in_by_their_doors() -> None:
    listed(
        f"{at(file, node)}: {top} has no door in {room(file)}"
        for file, node in nodes(ast.Import, ast.ImportFrom)
        for top in {name.split(".")[0] for name in imports(node)} - {"None", "dcgen", *sys.stdlib_module_names}
        if room(file) not in DOORS.get(top, set())
    )


def test_no_relative_imports() -> None:
    listed(at(file, node) for file, node in nodes(ast.ImportFrom) if isinstance(node, ast.ImportFrom) and node.level)


@pytest.mark.parametrize("module", ["dcgen", "dcgen.cli"])
def test_start_is_light(module: str) -> None:
    asked = f"import sys, {module}; print(*set({HEAVY!r}) & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


# ---------------------------------------------------------------------- only the command line touches the world
def test_only_the_command_line_prints_writes_and_exits() -> None:
    faults = []
    for file, node in nodes(ast.Call, ast.Raise, outside={"cli"}):
        if isinstance(node, ast.Raise):
            raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            word = "raise SystemExit" if isinstance(raised, ast.Name) and raised.id == "SystemExit" else ""
        else:
            assert isinstance(node, ast.Call)
            word = touches(node)
        faults += [f"{at(file, node)}: {word}"] if word else []
    listed(faults)


def touches(call: ast.Call) -> str:
    """What a call does to screen, disk or process, or nothing."""
    name = called(call)
    if name in ("write_text", "write_bytes") or (name in ("print", "exit", "quit") and isinstance(call.func, ast.Name)):
        return name
    if ast.unparse(call.func) in ("sys.exit", "os._exit", "sys.stdout.write", "sys.stderr.write"):
        return ast.unparse(call.func)
    if name == "open":
        arguments = call.args[0 if isinstance(call.func, ast.Attribute) else 1 :]
        mode = text_of(next((k.value for k in call.keywords if k.arg == "mode"), arguments[0] if arguments else None))
        return f"open(…, {mode!r})" if set(mode) & set("wax+") else ""
    return ""


def test_other_programs_are_run_in_two_places() -> None:
    """Git is asked in one module, the drawing engine in another; each is called by a fixed list of words."""
    doors = {"dcgen/source/git.py", "dcgen/render/engine.py"}
    found = {short(f) for f, n in nodes(ast.Import, ast.ImportFrom) if any(name.split(".")[0] == "subprocess" for name in imports(n))}
    assert found == doors
    listed(at(f, n) for f, n in nodes(ast.keyword) if isinstance(n, ast.keyword) and n.arg == "shell")


def test_templates_do_not_calculate() -> None:
    faults = []
    for file in sorted((ROOT / "templates").rglob("*")):
        text = re.sub(r"\{#.*?#\}", "", file.read_text(encoding="utf-8"), flags=re.DOTALL) if file.is_file() else ""
        for code in re.findall(r"\{\{-?(.*?)-?\}\}|\{%-?(.*?)-?%\}", text, flags=re.DOTALL):
            bare = re.sub(r"'[^']*'|\"[^\"]*\"", "''", "".join(code))
            if re.search(r"[-+*/%]|\|\s*(sum|round|abs|int|float)\b", bare):
                faults.append(f"{short(file)}: {''.join(code).strip()}: compute it in a table or measure")
    listed(faults)


# ---------------------------------------------------------------------- data stays data
def shelf_words() -> set[str]:
    """Makers, part ids, and the product names that part ids begin with, longer than three letters."""
    words = set()
    for file in (HOUSE / "catalog" / "data").rglob("*.yaml"):
        words |= {file.stem, *(w for w in file.stem.split("-")[:1] if len(w) > 3)}
        found = re.search(r"^maker:\s*['\"]?([^'\"#\n]+)", file.read_text(encoding="utf-8"), re.MULTILINE)
        words |= {w.strip() for w in re.split(r"[,/&]| and ", found[1])} if found else set()
    return {w.casefold() for w in words if len(w) >= 3} - GENERIC


def test_no_maker_and_no_part_is_named_in_code() -> None:
    words = shelf_words()
    assert len(words) > 20, "the shelf is where the words come from"
    named = re.compile(rf"(?<![\w-])({'|'.join(sorted(map(re.escape, words), key=len, reverse=True))})(?![\w-])", re.IGNORECASE)
    faults = []
    for file in FILES:
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            faults += [f"{short(file)}:{number}: {word}" for word in named.findall(line)]
    listed(faults)


def scalar(annotation: ast.AST) -> set[str]:
    """Names of the types in an annotation that is one value: `int`, `RateGbps | None`, `Annotated[int, ...]`."""
    if text_of(annotation):
        return scalar(ast.parse(text_of(annotation), mode="eval").body)
    if isinstance(annotation, ast.BinOp):
        return scalar(annotation.left) | scalar(annotation.right)
    if isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value) == "Annotated" and isinstance(annotation.slice, ast.Tuple):
        return scalar(annotation.slice.elts[0])
    return {annotation.id} if isinstance(annotation, ast.Name) else set()


def test_numbers_carry_their_unit() -> None:
    faults = []
    for file, node in nodes(ast.ClassDef):
        assert isinstance(node, ast.ClassDef)
        for field in (f for f in node.body if isinstance(f, ast.AnnAssign) and isinstance(f.target, ast.Name)):
            name, kinds = ast.unparse(field.target), scalar(field.annotation)
            known = RATIOS if kinds & REAL else COUNTS
            if kinds & (WHOLE | REAL) and name not in known and not SUFFIX.fullmatch(name):
                faults.append(f"{at(file, field)}: {node.name}.{name} has no unit: {ast.unparse(field.annotation)}")
    listed(faults)


# ---------------------------------------------------------------------- nothing without a case
def cases() -> str:
    """All that tests and cases say, this file left out."""
    said = [f for f in (ROOT / "tests").rglob("*") if f.suffix in (".py", ".yaml", ".txt", ".md", ".csv") and f != Path(__file__)]
    return "\n".join(f"{f.stem}\n{f.read_text(encoding='utf-8', errors='replace')}" for f in said)


def entries(registry: str) -> list[str]:
    """The names in a tuple such as `RULES`."""
    for node in tree(HOUSE / REGISTERED[registry] / "__init__.py").body:
        targets = [node.target] if isinstance(node, ast.AnnAssign) else node.targets if isinstance(node, ast.Assign) else []
        if [ast.unparse(t) for t in targets] == [registry]:
            assert isinstance(node, ast.AnnAssign | ast.Assign)
            assert isinstance(node.value, ast.Tuple), f"{registry} is a tuple, one entry a line"
            return [ast.unparse(entry) for entry in node.value.elts]
    raise AssertionError(f"no {registry} in {REGISTERED[registry]}")


@pytest.mark.parametrize("registry", REGISTERED)
def test_every_registered_thing_has_a_case(registry: str) -> None:
    said = cases()
    for_people = {name: re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).replace("_", "-").lower() for name in entries(registry)}
    assert for_people
    listed(
        f"{registry}: no test and no case names {name} or {word}"
        for name, word in for_people.items()
        if not re.search(rf"(?<![\w-])({name}|{word})(?![\w-])", said)
    )


def codes() -> list[str]:
    """The codes of diagnostics, read from the table."""
    for node in tree(HOUSE / "diagnostics.py").body:
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "CODES":
            assert isinstance(node.value, ast.Dict)
            return [text_of(key) for key in node.value.keys]
    raise AssertionError("no CODES in diagnostics")


def test_every_code_is_used() -> None:
    used = {text_of(n) for file, n in nodes(ast.Constant, outside={"diagnostics"})}
    listed(f"{code}: nothing in dcgen says it" for code in codes() if code not in used)


def test_every_code_that_is_used_exists() -> None:
    known, speakers = set(codes()), {"Diagnostic", "say", "remark", "fault", "UnitError", "_say", "_fault", "_rejected"}
    calls = ((file, node) for file, node in nodes(ast.Call) if isinstance(node, ast.Call) and called(node) in speakers)
    listed(
        f"{at(file, node)}: {word} is not in CODES"
        for file, node in calls
        for word in map(text_of, node.args[:2])
        if re.fullmatch(r"[a-z]+(-[a-z]+)+", word) and word not in known
    )


def sets(function: ast.FunctionDef) -> set[str]:
    """Names that a function gives a set."""
    given = [(n.targets, n.value) for n in ast.walk(function) if isinstance(n, ast.Assign)]
    return {t.id for targets, value in given for t in targets if isinstance(t, ast.Name) and a_set(value, set())}


def a_set(value: ast.AST, names: set[str]) -> bool:
    """Whether an expression is plainly a set: a literal, a comprehension, `set(...)`, or a name that was given one."""
    if isinstance(value, ast.BinOp):
        return a_set(value.left, names) or a_set(value.right, names)
    calls = isinstance(value, ast.Call) and called(value) in ("set", "frozenset")
    return isinstance(value, ast.Set | ast.SetComp) or calls or (isinstance(value, ast.Name) and value.id in names)


def test_nearest_words_come_in_an_order() -> None:
    """Of two words that are equally near the first wins: out of a set that would be another one in the next run."""
    faults = []
    for file, function in nodes(ast.FunctionDef):
        assert isinstance(function, ast.FunctionDef)
        for call in ast.walk(function):
            if isinstance(call, ast.Call) and called(call) in ("did_you_mean", "nearest"):
                pieces = [p.value if isinstance(p, ast.Starred) else p for a in call.args[1:] for p in getattr(a, "elts", [a])]
                faults += [f"{at(file, call)}: {ast.unparse(p)} is a set" for p in pieces if a_set(p, sets(function))]
    listed(faults)


def test_every_code_has_a_golden_or_a_test_that_provokes_it() -> None:
    goldens = [f.stem for f in (ROOT / "tests" / "cases").rglob("*.yaml")]
    collectors = {Path(__file__), ROOT / "tests" / "cases" / "test_errors.py"}
    said = "\n".join(f.read_text(encoding="utf-8") for f in (ROOT / "tests").rglob("*.py") if f not in collectors)
    listed(
        f"{code}: no tests/cases/errors/{code}.yaml, and no test says it"
        for code in codes()
        if not any(g == code or g.startswith(f"{code}-") for g in goldens) and not re.search(rf"\b{code}\b", said)
    )


# ---------------------------------------------------------------------- what a visitor reads first
def test_rooms_open_with_one_sentence() -> None:
    faults = []
    for file in FILES:
        if file.name == "__init__.py" and file.parent != HOUSE:
            opening = ast.get_docstring(tree(file)) or ""
            if "\n" in opening or ". " in opening or not opening.endswith(".") or "; never " not in opening:
                faults.append(f"{short(file)}: not one sentence such as `Turns X into Y; never Z.`: {opening!r}")
    listed(faults)


def texts() -> Iterator[Path]:
    """Files of the project, without what tools leave behind."""
    skipped = {"__pycache__", "build", "dist", "node_modules"}
    for file in ROOT.rglob("*"):
        parts = file.relative_to(ROOT).parts
        hidden = any(p.startswith(".") and p not in (".ci", ".github", ".gitignore", ".gitattributes") for p in parts)
        if file.is_file() and not hidden and not skipped & set(parts) and not any(p.endswith(".egg-info") for p in parts):
            yield file


def test_nothing_knows_the_machine_it_was_written_on() -> None:
    # written in pieces, because this file is read too
    words = ("(?<![\\w.-])/wo" + "rk/", "py" + "pi\\.org", "python" + "hosted", "(?<![\\w])\\.lib" + "rary\\b")
    foreign = re.compile("|".join(words))
    faults = []
    for file in texts():
        for number, line in enumerate(file.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
            faults += [f"{short(file)}:{number}: {found[0]}" for found in foreign.finditer(line)]
    listed(faults)


def test_mirror() -> None:
    """No judgement: the ten longest files and functions, shown by `make mirror`."""
    files = [(f.read_text(encoding="utf-8").count("\n"), short(f)) for f in FILES]
    functions = [
        (n.end_lineno - n.lineno + 1, f"{at(f, n)} {n.name}")
        for f, n in nodes(ast.FunctionDef)
        if isinstance(n, ast.FunctionDef) and n.end_lineno
    ]
    for title, found in (("longest files", files), ("longest functions", functions)):
        print(f"\n{title}", *(f"{lines:5} {name}" for lines, name in sorted(found, reverse=True)[:10]), sep="\n")
