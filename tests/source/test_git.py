"""Blueprints as they were committed: the text of a revision, never of the working tree."""

import os
import stat
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest

import dcgen
from dcgen.diagnostics import Rejected, phrase_all
from dcgen.source.git import Repository as Opened
from dcgen.source.git import changed
from tests.source.repository import SETTINGS, Repository

GOLDENS = Path(__file__).parents[1] / "cases" / "revisions"
PART = "part: box\nkind: node\ntitle: Box\nports: {fabric: {cage: osfp, cages: 1, lanes: 8, modes: [800G], technology: ethernet}}\n"
POD = "dcgen: 1\nname: pod\nracks: {compute: {part: gb300-nvl72, axes: {rack: 2}}}\n"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    made = Repository(tmp_path / "site")
    for name, value in SETTINGS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(made.folder)
    return made


def racks(word: str) -> int:
    design = dcgen.lay_out(dcgen.parse(dcgen.read(PurePosixPath(word))))
    return next(group.axes[0].size for group in design.groups.values())


def refused(word: str) -> str:
    with pytest.raises(Rejected) as caught:
        dcgen.parse(dcgen.read(PurePosixPath(word)))
    return phrase_all(caught.value.diagnostics)


def paths(asked: str, *places: str) -> list[str]:
    return [f"{'-' if a is None else ''}{'-' if b is None else ''}{path}" for path, a, b in changed(asked, places)]


def test_a_file_is_read_as_it_was_committed(repository: Repository) -> None:
    repository.commit({"a/pod.yaml": POD})
    repository.git("branch", "old")
    repository.commit({"a/pod.yaml": POD.replace("rack: 2", "rack: 3")})
    (repository.folder / "a/pod.yaml").write_text(POD.replace("rack: 2", "rack: 9"))
    before = {f: f.stat().st_mtime_ns for f in sorted(repository.folder.glob("a/*"))}
    assert [racks(w) for w in ("old:a/pod.yaml", "HEAD:a/pod.yaml", "main~1:a/pod.yaml", "a/pod.yaml")] == [2, 3, 2, 9]
    assert {f: f.stat().st_mtime_ns for f in sorted(repository.folder.glob("a/*"))} == before
    assert repository.git("status", "--porcelain") == "M a/pod.yaml"


def test_includes_and_parts_are_those_of_the_revision(repository: Repository) -> None:
    blueprint = "dcgen: 1\nname: pod\ninclude: racks/c.yaml\n"
    part = Path(dcgen.__file__).parent / "catalog/data/rack/gb300-nvl72.yaml"
    own = part.read_text(encoding="utf-8").replace("part: gb300-nvl72\n", "part: own-rack\n").replace("title: ", "title: Old ", 1)
    repository.commit(
        {"pod.yaml": blueprint, "racks/c.yaml": "racks: {compute: {part: own-rack, axes: {rack: 5}}}", "parts/own-rack.yaml": own}
    )
    repository.commit({"racks/c.yaml": "racks: {}", "parts/own-rack.yaml": None})
    design = dcgen.lay_out(dcgen.parse(dcgen.read(PurePosixPath("HEAD~1:pod.yaml"))))
    assert next(group.axes[0].size for group in design.groups.values()) == 5
    assert design.parts["own-rack"].title.startswith("Old ")
    assert not [r for r in design.remarks if r.code == "name-differs"], "the file's name has no revision in it"


def test_errors_name_revision_path_line_and_column(repository: Repository) -> None:
    repository.commit({"a/pod.yaml": POD + "include: inner/x.yaml\n", "a/inner/x.yaml": "racks:\n  extra: {part: gb300-nvl72, axis: 3}\n"})
    assert refused("HEAD:a/pod.yaml").startswith("HEAD:a/inner/x.yaml:2:30: error[unknown-key]")


def test_paths_count_from_the_top_or_with_a_dot_from_here(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.commit({"a/pod.yaml": POD, "b/other.yaml": "x: 1"})
    monkeypatch.chdir(repository.folder / "b")
    assert racks("HEAD:a/pod.yaml") == racks("HEAD:../a/pod.yaml") == 2
    assert "write `HEAD:./other.yaml`" in refused("HEAD:other.yaml")
    assert dcgen.read(PurePosixPath("HEAD:./other.yaml")).name == "HEAD:b/other.yaml"
    for outside in ("HEAD:../../pod.yaml", "HEAD:/etc/passwd", "HEAD:a/../../../etc/passwd"):
        assert "[cannot-read]" in refused(outside)


def test_a_file_on_disk_comes_before_a_revision(repository: Repository) -> None:
    repository.commit({"pod.yaml": POD})
    (repository.folder / "HEAD:pod.yaml").write_text(POD.replace("rack: 2", "rack: 7"))
    assert racks("HEAD:pod.yaml") == 7


def test_links_are_followed_inside_the_repository_only(repository: Repository) -> None:
    (repository.folder / "secret.yaml").write_text("racks: {}")
    (repository.folder.parent / "outside.yaml").write_text("racks: {}")
    folder = repository.folder / "a"
    folder.mkdir()
    for name, target in {
        "inside.yaml": "real/c.yaml", "up.yaml": "../secret.yaml", "out.yaml": "../../outside.yaml", "abs.yaml": "/etc/hostname",
        "self.yaml": "self.yaml", "gone.yaml": "nowhere.yaml",
    }.items():  # fmt: skip
        (folder / name).symlink_to(target)
    (repository.folder / "alias.yaml").symlink_to("a/pod.yaml")
    repository.commit({"a/pod.yaml": POD, "a/real/c.yaml": "phases: {one: [compute]}"})
    assert racks("HEAD:alias.yaml") == 2
    for name, said in {"up": "include-outside", "out": "include-outside", "abs": "include-outside", "self": "include-outside"}.items():
        repository.commit({"a/pod.yaml": POD + f"include: {name}.yaml\n"})
        assert f"[{said}]" in refused("HEAD:a/pod.yaml"), name
    repository.commit({"a/pod.yaml": POD + "include: inside.yaml\n"})
    assert dcgen.parse(dcgen.read(PurePosixPath("HEAD:a/pod.yaml"))).written.phases
    assert "[cannot-read]" in refused("HEAD:a/out.yaml")


@pytest.mark.parametrize(
    "name", ["a b.yaml", "ä\u0308.yaml", 'q"uote.yaml', "new\nline.yaml", "-n.yaml", "*.yaml", "tab\t.yaml", ":top.yaml"]
)
def test_odd_names_are_names(repository: Repository, name: str) -> None:
    repository.commit({f"x/{name}": POD})
    assert racks(f"HEAD:x/{name}") == 2
    repository.commit({f"x/{name}": POD + "\n"})
    assert paths("HEAD~1..HEAD") == [f"x/{name}"]


def test_a_name_that_is_no_text_is_spelt_out(repository: Repository) -> None:
    name = os.fsdecode(b"caf\xe9.yaml")
    (repository.folder / name).write_text("dcgen: 1\nname: x\nbad: 1\n")
    repository.commit({})
    [(path, _, after)] = changed("HEAD~0..HEAD") or [(PurePosixPath(name), None, Opened().revision("HEAD"))]
    assert after
    with pytest.raises(Rejected) as caught:
        dcgen.parse(dcgen.read(path, after))
    assert phrase_all(caught.value.diagnostics).encode("utf-8").startswith(b"HEAD:caf\\udce9.yaml:3:1: error[unknown-key]")


@pytest.mark.parametrize(
    "name", ["--output=x", "-h", "", "main..HEAD", "HEAD^{tree}", "a b", "$(touch x)", "`touch x`", "HEAD;touch x", "x\ny"]
)
def test_hostile_revisions_are_unknown(repository: Repository, name: str) -> None:
    repository.commit({"pod.yaml": POD})
    assert "[unknown-revision]" in refused(f"{name}:pod.yaml")
    assert sorted(p.name for p in repository.folder.iterdir()) == [".git", "pod.yaml"]


def test_a_range_begins_where_the_branch_does(repository: Repository) -> None:
    base = repository.commit({"pod.yaml": POD, "alone.yaml": POD.replace("pod", "alone")})
    repository.git("checkout", "-q", "-b", "work")
    repository.commit({"pod.yaml": POD.replace("rack: 2", "rack: 3")})
    repository.git("checkout", "-q", "main")
    repository.commit({"alone.yaml": POD.replace("rack: 2", "rack: 4")})
    [(path, before, after)] = changed("main...work", ["pod.yaml"])
    assert (str(path), before and before.name, after and after.name) == ("pod.yaml", base[:12], "work")
    [*_, (_, left, right)] = changed("main..work")
    assert (left and left.name, right and right.name) == ("main", "work")
    repository.git("checkout", "-q", "work")
    assert changed("main...")[0][2].name == "HEAD"  # type: ignore[union-attr]


def test_what_a_range_may_change(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    fragment, other = "phases: {one: [compute]}\n", POD.replace("name: pod", "name: other")
    files = {"a/pod.yaml": POD, "a/deep/in.yaml": fragment, "b/other.yaml": other, "shared/box.yaml": PART, "k8s.yaml": "name: x\n"}
    repository.commit(files)
    (repository.folder / "b/parts").symlink_to("../shared")
    repository.commit({})
    assert paths("HEAD..HEAD") == []
    repository.commit({"README": "nothing"})
    assert paths("HEAD~1..HEAD") == ["b/other.yaml"], "only what links lead out of may depend on other folders"
    repository.commit({"a/deep/in.yaml": fragment + "\n"})
    assert paths("HEAD~1..HEAD") == ["a/pod.yaml", "b/other.yaml"]
    assert paths("HEAD~1..HEAD", "a") == paths("HEAD~1..HEAD", "a/pod.yaml") == ["a/pod.yaml"]
    monkeypatch.chdir(repository.folder / "a")
    assert paths("HEAD~1..HEAD", ".") == paths("HEAD~1..HEAD", "./pod.yaml") == ["a/pod.yaml"]
    repository.commit({"a/pod.yaml": None, "a/new.yaml": POD.replace("pod", "new")})
    assert paths("HEAD~1..HEAD", ".") == ["-a/new.yaml", "-a/pod.yaml"]
    assert [(bool(a), bool(b)) for _, a, b in changed("HEAD~1..HEAD", ["."])] == [(False, True), (True, False)]


# ---------------------------------------------------------------------- what goes wrong, in words
def unrelated(repository: Repository) -> None:
    repository.commit({"pod.yaml": POD})
    repository.git("checkout", "-q", "--orphan", "other")
    repository.commit({}, "another beginning")


def shallow(repository: Repository) -> None:
    repository.commit({"pod.yaml": POD})
    repository.git("checkout", "-q", "-b", "work")
    repository.commit({"pod.yaml": POD.replace("rack: 2", "rack: 3")})
    repository.git("checkout", "-q", "main")
    repository.commit({"README": "on"})
    repository.git("clone", "-q", "--depth", "1", "--no-single-branch", f"file://{repository.folder}", str(repository.folder / "thin"))
    os.chdir(repository.folder / "thin")


def no_git(repository: Repository) -> None:
    repository.commit({"pod.yaml": POD})
    os.environ["PATH"] = str(repository.folder)


def no_repository(repository: Repository) -> None:
    os.environ["GIT_CEILING_DIRECTORIES"] = str(repository.folder.parent)
    os.chdir(repository.folder.parent)


def nothing(repository: Repository) -> None:
    repository.commit({"pod.yaml": POD})


CASES: dict[str, tuple[Callable[[Repository], None], str]] = {
    "unknown-revision": (nothing, "nowhere:pod.yaml"),
    "unknown-revision-shallow": (shallow, "origin/work~1:pod.yaml"),
    "unknown-revision-range": (nothing, "origin/main...HEAD"),
    "no-merge-base": (unrelated, "main...other"),
    "no-merge-base-shallow": (shallow, "origin/main...origin/work"),
    "no-repository": (no_repository, "main...HEAD"),
    "no-git": (no_git, "HEAD:pod.yaml"),
    "cannot-read": (nothing, "HEAD:pox.yaml"),
    "cannot-read-folder": (nothing, "HEAD:"),
}


@pytest.mark.parametrize("case", CASES)
def test_text_is_as_reviewed(case: str, repository: Repository, monkeypatch: pytest.MonkeyPatch, regold: bool) -> None:
    prepare, word = CASES[case]
    monkeypatch.setenv("PATH", os.environ["PATH"])
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", "")
    prepare(repository)
    with pytest.raises(Rejected) as caught:
        dcgen.changed(word) if ".." in word else dcgen.read(PurePosixPath(word))
    assert {d.status for d in caught.value.diagnostics} == {2}
    said, golden = f"$ dcgen diff {word}\n{phrase_all(caught.value.diagnostics)}\n", GOLDENS / f"{case}.txt"
    if regold:
        golden.write_text(said, encoding="utf-8")
    assert said == golden.read_text(encoding="utf-8")


def test_a_repository_that_git_refuses_is_said_in_its_words(repository: Repository) -> None:
    repository.commit({"pod.yaml": POD})
    (repository.folder / ".git/config").write_text("[core]\n\trepositoryformatversion = 99\n")
    assert "git: " in refused("HEAD:pod.yaml")


def test_a_huge_file_is_not_read_to_its_end(repository: Repository) -> None:
    repository.commit({"pod.yaml": "#" * (11 * 2**20)})
    assert "[limit-exceeded]" in refused("HEAD:pod.yaml")
    assert stat.S_ISREG((repository.folder / "pod.yaml").stat().st_mode)
