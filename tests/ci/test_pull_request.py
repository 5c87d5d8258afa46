"""The scripts of the action and of the GitLab job, run against a real repository; `gh` and `curl` only write down what they get."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.source.repository import SETTINGS, Repository

ROOT = Path(__file__).parents[2]
POD = """dcgen: 1
name: pod
racks: {compute: {part: gb300-nvl72, axes: {rack: 2}}}
fabrics:
  backend: {kind: clos, serves: compute.fabric, leaf: {part: q3400-ra, per: [rail]}, spine: {part: q3400-ra}}
require: [gpus(site) <= 144]
"""
FORGE = r"""#!{python}
# Answers as a forge would: comments.json holds what is there, calls.jsonl what was asked.
import json, sys
from pathlib import Path
home, words = Path({home!r}), sys.argv[1:]
config = sys.stdin.read() if "--config" in words else ""
file = next((w.partition("@")[2] for w in words if "body@" in w or w.startswith("body=@")), "")
call = {{"words": words, "body": Path(file).read_text() if file else None, "config": config}}
with (home / "calls.jsonl").open("a") as log:
    log.write(json.dumps(call) + "\n")
if (home / "deny").exists() and file:
    sys.exit("HTTP 403: Resource not accessible by integration")
address = next(w for w in words if "/" in w and not w.startswith(("/", "-", "body")))
comments = json.loads((home / "comments.json").read_text())
if not file and address.endswith("/user"):
    print(json.dumps({{"id": 7, "username": "bot"}}))
elif not file and "&page=" in address and not address.endswith("page=1"):
    print("[]")
elif not file:
    print(json.dumps(comments[:1]) + json.dumps(comments[1:]) if "--paginate" in words else json.dumps(comments))
"""


class Room:
    """A repository with a branch that is reviewed, and a forge that writes down what it is told."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.repository = folder, Repository(folder / "site")
        self.bin = folder / "bin"
        self.bin.mkdir()
        for name, text in {
            "gh": FORGE.format(python=sys.executable, home=str(folder)),
            "curl": FORGE.format(python=sys.executable, home=str(folder)),
            "dcgen": f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m dcgen "$@"\n',
        }.items():
            (self.bin / name).write_text(text)
            (self.bin / name).chmod(0o755)
        self.comments([])
        self.repository.commit({"blueprints/pod.yaml": POD})
        self.repository.git("update-ref", "refs/remotes/origin/main", "HEAD")

    def comments(self, found: list[dict[str, object]]) -> None:
        (self.folder / "comments.json").write_text(json.dumps(found))

    def calls(self) -> list[dict[str, str]]:
        log = self.folder / "calls.jsonl"
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []

    def run(self, **environment: str) -> tuple[int, str]:
        (self.folder / "calls.jsonl").unlink(missing_ok=True)
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("GITHUB", "CI_", "GITLAB", "GH_", "RUNNER"))}
        done = subprocess.run(
            ["bash", str(ROOT / "ci/pull-request.sh")], cwd=self.repository.folder, capture_output=True, text=True, check=False,
            env={**clean, **SETTINGS, "PATH": f"{self.bin}:{os.environ['PATH']}", "DCGEN_PATH": "blueprints", **environment},
        )  # fmt: skip
        return done.returncode, done.stdout + done.stderr

    def on_github(self, **more: str) -> tuple[int, str]:
        files = {"GITHUB_STEP_SUMMARY": str(self.folder / "summary"), "GITHUB_OUTPUT": str(self.folder / "output")}
        for file in files.values():
            Path(file).write_text("")
        there = {
            "GITHUB_BASE_REF": "main",
            "GITHUB_REPOSITORY": "o/site",
            "DCGEN_PULL_REQUEST": "5",
            "RUNNER_TEMP": str(self.folder),
            "GH_TOKEN": "t",
        }
        return self.run(**files, **there, **more)

    def on_gitlab(self, **more: str) -> tuple[int, str]:
        base = self.repository.git("rev-parse", "origin/main")
        there = {
            "CI_MERGE_REQUEST_IID": "5",
            "CI_PROJECT_ID": "3",
            "CI_API_V4_URL": "https://gitlab.example/api/v4",
            "DCGEN_TOKEN": "s3cret",
        }
        return self.run(**there, CI_MERGE_REQUEST_DIFF_BASE_SHA=base, **more)

    def outputs(self) -> dict[str, str]:
        text = (self.folder / "output").read_text()
        plain = dict(re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE))
        return plain | {name: value for name, _, value in re.findall(r"^(\w+)<<(\S+)\n(.*)\n\2$", text, re.MULTILINE)}


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


GROWN = POD.replace("rack: 2", "rack: 3")
OURS = {"id": 11, "body": "<!-- dcgen-diff:designs -->\n\nold", "user": {"login": "github-actions[bot]", "id": 41898282}}
THEIRS = {"id": 9, "body": "<!-- dcgen-diff:designs -->\n\nforged", "user": {"login": "mallory", "id": 1}}
OTHER_KEY = {"id": 10, "body": "<!-- dcgen-diff:other -->", "user": {"login": "github-actions[bot]", "id": 41898282}}


def test_nothing_is_said_as_long_as_nothing_changes(room: Room) -> None:
    room.repository.commit({"README": "x", "blueprints/pod.yaml": "# a remark\n" + POD})
    status, said = room.on_github()
    assert (status, said.strip()) == (0, "")
    assert [c["body"] for c in room.calls()] == [None], "it looks for an old comment, and writes none"
    assert (room.folder / "summary").read_text() == ""
    assert room.outputs()["changed"] == "false"


def test_a_change_makes_one_comment_annotations_a_summary_and_outputs(room: Room) -> None:
    room.repository.commit({"blueprints/pod.yaml": GROWN})
    room.comments([THEIRS, OTHER_KEY])
    status, said = room.on_github()
    assert status == 0
    assert "::error file=blueprints/pod.yaml,line=6,col=11,title=dcgen%3A requirement-broken::" in said
    look, write = room.calls()
    assert look["words"][:2] == ["api", "--paginate"]
    assert write["words"][:5] == ["api", "--silent", "--method", "POST", "repos/o/site/issues/5/comments"]
    assert write["body"].startswith(
        "<!-- dcgen-diff:designs -->\n\n### dcgen: `blueprints/pod.yaml`\n\n**1 requirement broken.** Adds 72 GPUs"
    )
    assert (room.folder / "summary").read_text() == write["body"]
    outputs = room.outputs()
    assert (outputs["changed"], outputs["status"]) == ("true", "0")
    kept = {p.relative_to(outputs["report"]).as_posix() for p in Path(outputs["report"]).rglob("*.*")}
    assert {"comment.md", "report.md", "summary.md", "diff.json", "pictures/pod-backend.svg"} <= kept


def test_the_next_run_writes_over_its_own_comment(room: Room) -> None:
    room.repository.commit({"blueprints/pod.yaml": GROWN})
    room.comments([THEIRS, OTHER_KEY, OURS])
    room.on_github()
    assert [c["words"][3:5] for c in room.calls()[1:]] == [["PATCH", "repos/o/site/issues/comments/11"]]


def test_an_old_comment_is_told_that_nothing_changes_any_more(room: Room) -> None:
    room.repository.commit({"README": "x"})
    room.comments([OURS])
    status, _ = room.on_github()
    assert status == 0
    _, write = room.calls()
    assert write["words"][3:5] == ["PATCH", "repos/o/site/issues/comments/11"]
    assert write["body"].startswith("<!-- dcgen-diff:designs -->\n\ndcgen: **nothing changes any more.**")


def test_a_token_that_may_not_write_is_no_fault_of_the_design(room: Room) -> None:
    room.repository.commit({"blueprints/pod.yaml": GROWN})
    (room.folder / "deny").touch()
    status, said = room.on_github()
    assert status == 0
    assert "dcgen: the comment could not be written; the report is in" in said
    assert (room.folder / "summary").read_text() != ""


def test_a_side_that_cannot_be_read_is_told_and_fails(room: Room) -> None:
    room.repository.commit({"blueprints/pod.yaml": POD + "x: [\n", "blueprints/other.yaml": POD.replace("name: pod", "name: other")})
    status, said = room.on_github()
    assert status == 2
    assert "::error file=blueprints/pod.yaml,line=8,col=1,title=dcgen%3A bad-yaml::" in said
    body = room.calls()[-1]["body"]
    assert "cannot be read as it is **after the change**" in body
    assert "`blueprints/other.yaml`" in body
    assert room.outputs()["status"] == "2"


def test_a_shallow_clone_says_what_to_do(room: Room) -> None:
    room.repository.git("checkout", "-q", "-b", "work")
    room.repository.commit({"blueprints/pod.yaml": GROWN})
    thin = room.folder / "thin"
    words = ("clone", "-q", "--depth", "1", "--no-single-branch", "--branch", "work")
    room.repository.git(*words, f"file://{room.repository.folder}", str(thin))
    room.repository.folder = thin
    status, said = room.on_github()
    assert status == 2
    assert "fetch-depth: 0" in said
    assert [c for c in room.calls() if c["body"]] == []


@pytest.mark.parametrize("hostile", ["$(touch hacked)", "`touch hacked`", "; touch hacked", "--output=hacked", "x\n::error::y", "a b"])
@pytest.mark.parametrize("name", ["DCGEN_PATH", "DCGEN_BASE", "DCGEN_KEY", "DCGEN_AUTHOR"])
def test_inputs_are_never_run(room: Room, name: str, hostile: str) -> None:
    room.repository.commit({"blueprints/pod.yaml": GROWN})
    _, said = room.on_github(**{name: hostile})
    assert not list(room.folder.rglob("hacked"))
    assert not any(line.startswith("::error::y") for line in said.splitlines())
    for call in room.calls():
        body = call["body"] or ""
        assert not body or re.match(r"<!-- dcgen-diff:[\w.-]* -->\n", body)


def test_texts_of_a_blueprint_make_no_command_and_no_mention(room: Room) -> None:
    title = "'::error::owned @team #12 <!-- --> ##[add-mask]x'"
    room.repository.commit({"blueprints/pod.yaml": GROWN.replace("name: pod", f"name: pod\ntitle: {title}\nx{'y' * 30}: 1")})
    _, said = room.on_github()
    commands = [line for line in said.splitlines() if line.lstrip().startswith("::") or "##[" in line]
    assert all(re.match(r"::(error|warning|notice) file=blueprints/pod.yaml,", c) for c in commands)
    assert commands


def test_gitlab_gets_one_note_and_a_code_quality_report(room: Room) -> None:
    room.repository.commit({"blueprints/pod.yaml": GROWN})
    room.comments([{**THEIRS, "author": {"id": 1}, "user": None}, {**OTHER_KEY, "author": {"id": 7}, "user": None}])
    status, said = room.on_gitlab()
    assert (status, said) == (0, "")
    *_, write = room.calls()
    assert write["words"][-1] == "https://gitlab.example/api/v4/projects/3/merge_requests/5/notes"
    assert "POST" in write["words"]
    assert write["body"].startswith("<!-- dcgen-diff:designs -->")
    assert all("s3cret" not in " ".join(c["words"]) and 'PRIVATE-TOKEN: s3cret"' in c["config"] for c in room.calls())
    report = json.loads((room.repository.folder / "gl-code-quality-report.json").read_text())
    assert [(r["check_name"], r["location"]) for r in report] == [
        ("requirement-broken", {"path": "blueprints/pod.yaml", "lines": {"begin": 6}})
    ]

    room.comments([{**THEIRS, "author": {"id": 1}}, {"id": 12, "body": OURS["body"], "author": {"id": 7}}])
    room.on_gitlab()
    *_, write = room.calls()
    assert write["words"][-1].endswith("/notes/12")
    assert "PUT" in write["words"]


def test_gitlab_without_a_change_is_silent(room: Room) -> None:
    room.repository.commit({"README": "x"})
    assert room.on_gitlab()[0] == 0
    assert [c for c in room.calls() if c["body"]] == []
    assert json.loads((room.repository.folder / "gl-code-quality-report.json").read_text()) == []


def test_outside_of_a_review_it_says_what_is_missing(room: Room) -> None:
    status, said = room.run()
    assert status == 2
    assert "set DCGEN_BASE" in said


# ---------------------------------------------------------------------- what is declared
def test_the_action_hands_its_inputs_over_by_the_environment_alone() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    steps = action["runs"]["steps"]
    assert action["runs"]["using"] == "composite"
    assert all(step["shell"] == "bash" and "${{" not in step["run"] for step in steps)
    used = set(re.findall(r"inputs\.(\w+)", json.dumps(steps)))
    assert used == set(action["inputs"])
    script = (ROOT / "ci/pull-request.sh").read_text()
    handed = [name for step in steps for name in step.get("env", {}) if name.startswith("DCGEN")]
    assert [name for name in handed if name not in script] == []
    made = {value["value"].split("outputs.")[1].split()[0] for value in action["outputs"].values()}
    assert made == set(action["outputs"])
    assert all(re.search(rf"\b{name}(=|<<)", script) for name in made)


def test_the_gitlab_job_and_the_hooks_name_things_that_exist() -> None:
    job = yaml.safe_load((ROOT / "ci/gitlab-ci.yml").read_text())["dcgen-review"]
    assert job["variables"]["GIT_DEPTH"] == "0"
    assert "ci/pull-request.sh" in " ".join(job["script"])
    hooks = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    assert set(hooks) == {"dcgen-check", "dcgen-output-fresh"}
    assert all(hook["require_serial"] and hook["language"] == "python" for hook in hooks.values())
    assert re.search(hooks["dcgen-check"]["files"], "site/blueprints/pod.yaml")
    assert not re.search(hooks["dcgen-check"]["files"], "blueprints/parts/box.yaml")


def test_hooks_judge_the_files_they_are_given(room: Room) -> None:
    hooks = {hook["id"]: hook["entry"].split() for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    folder = room.repository.folder
    (folder / "blueprints/other.yaml").write_text(POD.replace("name: pod", "name: other"))
    files = ["blueprints/other.yaml", "blueprints/pod.yaml"]

    def ends(hook: str) -> int:
        words = [str(room.bin / "dcgen"), *hooks[hook][1:], *files]
        return subprocess.run(words, cwd=folder, capture_output=True, check=False).returncode

    assert (ends("dcgen-check"), ends("dcgen-output-fresh")) == (0, 3)
    subprocess.run([str(room.bin / "dcgen"), "build", "--gallery", *files], cwd=folder, capture_output=True, check=True)
    assert ends("dcgen-output-fresh") == 0
    (folder / "blueprints/pod.yaml").write_text(GROWN)
    assert (ends("dcgen-check"), ends("dcgen-output-fresh")) == (3, 3)


@pytest.mark.skipif(not shutil.which("shellcheck"), reason="shellcheck is not installed")
def test_the_script_has_no_trap() -> None:
    assert subprocess.run(["shellcheck", str(ROOT / "ci/pull-request.sh")], capture_output=True, check=False).stdout == b""
