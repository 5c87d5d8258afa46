"""A front door without a house: the blueprint is JSON and says what each verb gives. Run as a script it is the `dcgen` command.

Keys: name, findings [[code, severity]], measures {name: value}, files {path: text}, pause_s (before each half of a file),
reject (code that `parse` refuses with), crash (text of an exception), interrupt (path at which Ctrl-C comes).
"""

import json
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import dcgen
from dcgen.diagnostics import Diagnostic, Rejected, Where


@dataclass(frozen=True)
class Measure:
    measure: str
    subject: str
    value: float
    unit: str = "1"
    method: str = "fake"
    unknown: int = 0
    estimates: int = 0
    falls: bool = False


@dataclass(frozen=True)
class Artifact:
    path: str
    chunks: Iterable[bytes]
    rows: int | None = None


def read(path: Path) -> Any:
    if not path.exists():
        raise Rejected([Diagnostic("cannot-read", f"`{path}` does not exist", where=Where(str(path)))])
    return SimpleNamespace(path=path, data=json.loads(path.read_text()))


def variants(source: Any) -> list[str]:
    return []


def parse(source: Any, settings: Mapping[str, str], variant: str | None = None) -> Any:
    data = source.data | ({"settings": dict(settings)} if settings else {})
    if "crash" in data:
        raise RuntimeError(data["crash"])
    if "reject" in data:
        raise Rejected([Diagnostic(data["reject"], "this is wrong", "it is", "mend it", where=Where(str(source.path), 3, 7))])
    return SimpleNamespace(source=source, data=data)


def lay_out(blueprint: Any) -> Any:
    if "no_layout" in blueprint.data:
        raise Rejected([Diagnostic(blueprint.data["no_layout"], "cannot be built", origin=("fabrics",))])
    return SimpleNamespace(name=blueprint.data.get("name", "demo"), data=blueprint.data)


def analyse(design: Any, quick: bool = False) -> Any:
    findings = tuple(Diagnostic(code, f"{code} here", severity=severity) for code, severity in design.data.get("findings", []))
    measures = tuple(Measure(name, "site", value) for name, value in design.data.get("measures", {"gpus": 1152}).items())
    return SimpleNamespace(design=design, measures=measures, findings=findings)


def place(blueprint: Any, diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(d if d.where else replace(d, where=Where(str(blueprint.source.path), 1, 1)) for d in diagnostics)


def produce(
    analysis: Any, findings: list[dict[str, object]], skipped: list[Any] | None = None, workbook: bool = False
) -> Iterator[Artifact]:
    data = analysis.design.data
    for path, text in data.get("files", {}).items():
        yield Artifact(path, _chunks(path, text, data))
    yield Artifact("findings.json", [json.dumps([f["code"] for f in findings]).encode()])


def _chunks(path: str, text: str, data: dict[str, Any]) -> Iterator[bytes]:
    half = len(text) // 2
    for piece in (text[:half], text[half:]):
        time.sleep(data.get("pause_s", 0))
        yield piece.encode()
    if data.get("interrupt") == path:
        raise KeyboardInterrupt
    if data.get("render_fails") == path:
        raise FileNotFoundError(2, "No such file or directory", "some-helper")


def schema(what: str = "blueprint") -> dict[str, Any]:
    return {"title": what}


def describe(design: Any, selector: str | None = None) -> list[tuple[str, list[str], list[list[str]]]]:
    if selector == "nowhere":
        raise Rejected([Diagnostic("bad-selector", "`nowhere` names nothing")])
    return [("groups", ["group", "count"], [["compute/tray[su=0]", "18"], ["leaf", "1,152"]]), ("more", ["a"], [[selector or "all"]])]


VERBS = {f.__name__: f for f in (read, variants, parse, lay_out, analyse, place, produce, schema, describe)}


if __name__ == "__main__":
    for name, verb in VERBS.items():
        setattr(dcgen, name, verb)
    from dcgen.cli import main

    sys.argv[0] = "dcgen"
    main()
