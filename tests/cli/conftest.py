"""A command line with a fake front door, in this process (`run`) and in another (`command`)."""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import dcgen
from dcgen.cli import run as run_words
from tests.cli.fake_front import VERBS

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Ended:
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Callable[..., Ended]:
    """Run words in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    for name, verb in VERBS.items():
        monkeypatch.setattr(dcgen, name, verb, raising=False)

    def go(*words: str) -> Ended:
        status = run_words(words)
        said = capsys.readouterr()
        return Ended(status, said.out, said.err)

    return go


@pytest.fixture
def blueprint(tmp_path: Path) -> Callable[..., str]:
    """Write a blueprint of the fake kind; gives its path from the empty folder."""

    def write(file: str = "demo.yaml", **data: object) -> str:
        (tmp_path / file).write_text(json.dumps({"files": {"bom.csv": "a,b\n1,2\n", "drawings/site.svg": "<svg/>"}, **data}))
        return file

    return write


@pytest.fixture
def command(tmp_path: Path) -> Callable[..., "subprocess.Popen[str]"]:
    """Start words in a process of their own."""

    def start(*words: str, **more: Any) -> "subprocess.Popen[str]":
        environment = os.environ | {"PYTHONPATH": str(ROOT)} | more.pop("env", {})
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | more
        line = [sys.executable, "-m", "tests.cli.fake_front", *words]
        return subprocess.Popen(line, cwd=tmp_path, env=environment, text=True, **streams)

    return start


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def names(folder: str) -> list[str]:
    """What lies in a folder."""
    return sorted(p.name for p in Path(folder).iterdir())


def whole(folder: Path) -> bool:
    """Whether a folder holds exactly the files of its manifest, each as it says."""
    files = tree(folder)
    listed = json.loads(files.pop("manifest.json"))["files"]
    return listed == {p: {"bytes": len(c), "sha256": hashlib.sha256(c).hexdigest()} for p, c in files.items()}
