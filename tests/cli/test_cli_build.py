"""The output folder: what is written, kept, refused and compared."""

import json
import os
from pathlib import Path

import pytest

from dcgen.cli import output
from tests.cli.conftest import names, tree, whole

DEMO = Path("output/demo")
NEW = {"bom.csv": "a,b\n3,4\n", "racks.csv": "r\n"}


@pytest.fixture(params=["exchange", "two renames"])
def either_swap(request, monkeypatch):
    """With and without the system call that lets two folders change places."""
    if request.param == "two renames":
        monkeypatch.setattr(output, "_exchange", lambda one, other: False)


def test_a_build_writes_files_and_manifest_and_nothing_else(run, blueprint):
    ended = run("build", blueprint())
    assert (ended.status, ended.err) == (0, "")
    assert ended.out.endswith("output/demo: 3 files, 16 bytes\n")
    assert set(tree(DEMO)) == {"bom.csv", "drawings/site.svg", "findings.json", "manifest.json"}
    assert whole(DEMO)
    assert names("output") == ["demo"]


def test_the_next_build_removes_what_is_no_longer_made(run, blueprint, either_swap):
    run("build", blueprint())
    assert run("build", blueprint(files=NEW)).status == 0
    assert whole(DEMO)
    assert not (DEMO / "drawings").exists()
    assert names("output") == ["demo"]


def test_two_builds_give_the_same_bytes(run, blueprint):
    run("build", blueprint(), "-o", "one")
    run("build", blueprint(), "-o", "deep/er/two")
    assert tree(Path("one")) == tree(Path("deep/er/two"))


def test_findings_and_exit_status(run, blueprint):
    wish = [["requirement-broken", "error"], ["expectation-broken", "error"]]
    assert run("build", blueprint(findings=wish)).status == 3
    assert json.loads((DEMO / "findings.json").read_text()) == ["expectation-broken", "requirement-broken"]
    before = tree(DEMO)
    ended = run("build", blueprint(findings=[["no-optic", "error"]], files=NEW))
    assert (ended.status, tree(DEMO)) == (3, before)
    assert "nothing was written" in ended.err
    ended = run("build", "demo.yaml", "--keep-going")
    assert (ended.status, set(tree(DEMO))) == (3, {*NEW, "findings.json", "manifest.json"})
    assert "in spite of no-optic: no-optic here" in ended.out


def test_wrong_input_is_never_written_and_strict_counts_warnings(run, blueprint):
    assert run("build", blueprint(findings=[["bad-selector", "error"]]), "--keep-going").status == 2
    assert run("build", blueprint(findings=[["look-alike", "warning"]]), "--strict").status == 3
    assert not Path("output").exists()
    assert run("build", "demo.yaml", "--strict", "--keep-going").status == 3
    assert whole(DEMO)
    assert run("build", "demo.yaml").status == 0


@pytest.mark.parametrize("data", [{"reject": "bad-unit"}, {"crash": "x"}, {"render_fails": "bom.csv"}, {"interrupt": "bom.csv"}])
@pytest.mark.parametrize("before", [True, False])
def test_a_run_that_fails_changes_nothing(run, blueprint, data, before):
    if before:
        run("build", blueprint())
    was = tree(Path())
    assert run("build", blueprint("other.yaml", **data, files=NEW)).status in {1, 2, 130}
    Path("other.yaml").unlink()
    assert tree(Path()) == was
    assert Path("output").exists() is before
    assert not before or names("output") == ["demo"]


def test_a_failing_helper_is_a_bug_and_not_the_disk(run, blueprint):
    ended = run("build", blueprint(render_fails="bom.csv"))
    assert ended.status == 1
    assert "some-helper" in ended.err


def test_an_interrupt_says_so(run, blueprint):
    ended = run("build", blueprint(interrupt="bom.csv"))
    assert (ended.status, ended.out, ended.err) == (130, "", "dcgen: interrupted\n")


def test_files_of_others_stay(run, blueprint, either_swap):
    run("build", blueprint())
    (DEMO / "notes.md").write_text("mine")
    (DEMO / "drawings/photo.png").write_text("photo")
    (DEMO / "empty/inside").mkdir(parents=True)
    (DEMO / "out").symlink_to("../../elsewhere")
    (DEMO / "gone").symlink_to("nowhere")
    inode, mode = (DEMO / "notes.md").stat().st_ino, 0o750
    DEMO.chmod(mode)
    Path("elsewhere").mkdir()
    Path("elsewhere/secret").write_text("s")
    assert run("build", blueprint(files=NEW)).status == 0
    assert set(tree(DEMO)) == {*NEW, "findings.json", "manifest.json", "notes.md", "drawings/photo.png"}
    assert (DEMO / "notes.md").stat().st_ino == inode
    assert (DEMO / "empty/inside").is_dir()
    assert (DEMO / "out").readlink() == Path("../../elsewhere")
    assert (DEMO / "gone").is_symlink()
    assert tree(Path("elsewhere")) == {"secret": b"s"}
    assert DEMO.stat().st_mode & 0o777 == mode
    assert run("build", "demo.yaml", "--check").status == 0


def test_files_of_others_stay_without_hard_links(run, blueprint, monkeypatch):
    run("build", blueprint())
    (DEMO / "notes.md").write_text("mine")
    (DEMO / "out").symlink_to("../../elsewhere")

    def refuse(*_, **__):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    assert run("build", "demo.yaml").status == 0
    assert (DEMO / "notes.md").read_text() == "mine"
    assert (DEMO / "out").is_symlink()


def put_file(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("mine")


def put_link(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.symlink_to("/etc/hosts")


@pytest.mark.parametrize(
    ("there", "put"),
    [
        ("racks.csv", put_file),
        ("racks.csv/notes.md", put_file),
        ("racks.csv", lambda p: p.mkdir()),
        ("racks.csv", put_link),
        ("bom.csv", put_link),
        ("manifest.json", put_link),
        ("plans", put_file),
        ("plans", put_link),
    ],
)
def test_what_stands_in_the_way_is_named_and_kept(run, blueprint, there, put):
    run("build", blueprint())
    put(DEMO / there)
    before, hosts = tree(DEMO), Path("/etc/hosts").read_bytes()
    ended = run("build", blueprint(files={**NEW, "plans/floor.svg": "x"}))
    assert ended.status == 2
    assert f"error[cannot-write]: `output/demo/{there}` is " in ended.err
    assert tree(DEMO) == before
    assert names("output") == ["demo"]
    assert Path("/etc/hosts").read_bytes() == hosts


def test_an_empty_folder_is_no_obstacle_to_files_below_it(run, blueprint):
    run("build", blueprint())
    (DEMO / "plans").mkdir()
    assert run("build", blueprint(files={"plans/floor.svg": "x"})).status == 0


@pytest.mark.parametrize("text", ["", "[]", '{"files": 3}', '{"files": {"../../demo.yaml": {}}}', "{" * 100_000])
def test_a_strange_manifest_is_nobodys(run, blueprint, text):
    DEMO.mkdir(parents=True)
    (DEMO / "manifest.json").write_text(text)
    (DEMO / "bom.csv").write_text("mine")
    ended = run("build", blueprint())
    assert ended.status == 2
    assert (DEMO / "bom.csv").read_text() == "mine"
    assert Path("demo.yaml").exists()


def link_elsewhere() -> None:
    Path("elsewhere").mkdir()
    DEMO.symlink_to("../elsewhere")


@pytest.mark.parametrize("put", [lambda: DEMO.write_text("x"), link_elsewhere, lambda: DEMO.symlink_to("nowhere")])
def test_only_a_folder_is_replaced(run, blueprint, put):
    Path("output").mkdir()
    put()
    ended = run("build", blueprint())
    assert ended.status == 2
    assert "error[cannot-write]: `output/demo` is a " in ended.err
    assert names("output") == ["demo"]
    assert not Path("elsewhere").exists() or not names("elsewhere")


def test_an_output_folder_that_cannot_be(run, blueprint):
    blueprint()
    ended = run("build", "demo.yaml", "-o", "demo.yaml/below")
    assert (ended.status, "error[cannot-write]" in ended.err) == (2, True)
    assert run("build", "demo.yaml", "-o", "demo.yaml").status == 2


def test_a_full_disk(run, blueprint, monkeypatch):
    run("build", blueprint())
    before = tree(DEMO)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(output, "_put", full)
    ended = run("build", blueprint(files=NEW))
    assert ended.status == 2
    assert "because: No space left on device" in ended.err
    assert tree(DEMO) == before


@pytest.mark.parametrize("path", ["../x", "/x", "a/../../x", "a//b", "./x", "manifest.json", "a\\b", "c:x", ""])
def test_no_artifact_leaves_the_folder(run, blueprint, path):
    assert run("build", blueprint(files={path: "x"})).status == 1
    assert names(".") == ["demo.yaml"]


@pytest.mark.parametrize("name", ["..", "../x", "a/b", "", "."])
def test_no_name_leaves_the_folder(run, blueprint, name):
    assert run("build", blueprint(name=name)).status == 1
    assert names(".") == ["demo.yaml"]


def test_leftovers_of_killed_runs_are_cleaned_and_those_of_others_are_not(run, blueprint):
    for name in (".dcgen-demo-999999", ".dcgen-demo-old", ".dcgen-other-999999", ".dcgen-demo-2-999999", ".dcgen-demo-x"):
        Path("output", name).mkdir(parents=True)
        Path("output", name, "f").write_text("x")
    run("build", blueprint())
    assert names("output") == [".dcgen-demo-2-999999", ".dcgen-demo-x", ".dcgen-other-999999", "demo"]


def test_a_folder_put_aside_by_a_killed_run_comes_back(run, blueprint):
    run("build", blueprint())
    (DEMO / "notes.md").write_text("mine")
    DEMO.rename("output/.dcgen-demo-old")
    assert run("build", blueprint(findings=[["no-optic", "error"]], files=NEW)).status == 3
    assert run("build", blueprint(files=NEW)).status == 0
    assert (DEMO / "notes.md").read_text() == "mine"
    assert names("output") == ["demo"]


def test_a_swap_that_fails_half_way_is_undone(run, blueprint, monkeypatch):
    run("build", blueprint())
    before = tree(DEMO)
    monkeypatch.setattr(output, "_exchange", lambda one, other: False)
    rename = Path.rename

    def fail_once(self, to):
        if to.name == "demo" and ".dcgen-demo-old" not in str(self):
            raise OSError(5, "Input/output error")
        return rename(self, to)

    monkeypatch.setattr(Path, "rename", fail_once)
    assert run("build", blueprint(files=NEW)).status == 2
    assert tree(DEMO) == before
    assert names("output") == ["demo"]


def test_json(run, blueprint):
    answer = run("build", blueprint(findings=[["look-alike", "warning"]]), "--format", "json").json
    assert (answer["status"], answer["folder"]) == (0, "output/demo")
    assert answer["files"] == ["bom.csv", "drawings/site.svg", "findings.json"]
    assert [f["code"] for f in answer["findings"]] == ["look-alike"]
    for data in ({"findings": [["no-optic", "error"]]}, {"reject": "bad-unit"}):
        answer = run("build", blueprint(**data), "--format", "json").json
        assert (answer["folder"], answer["files"], answer["status"] > 0) == (None, [], True)
