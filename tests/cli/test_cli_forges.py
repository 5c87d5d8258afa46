"""Findings as forges read them, and files as `git diff` reads them."""

import json
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcgen.cli.annotations import AT_MOST, github, gitlab, harmless
from dcgen.diagnostics import Diagnostic, Where
from tests.source.repository import Repository

ROOT = Path(__file__).parents[2]
COMMAND = re.compile(r"::(?P<level>\w+) (?P<marks>[^:]*)::(?P<text>.*)")
"""What GitHub's runner makes of a line: `::name key=value,…::text`."""


def obeyed(log: str) -> list[tuple[str, dict[str, str], str]]:
    """The commands that the runner finds in a log, unescaped as it does."""
    out = []
    for line in re.split(r"\r\n|\r|\n", log):
        assert "##[" not in line
        if line.lstrip().startswith("::"):
            found = COMMAND.fullmatch(line)
            assert found, line
            marks = dict(pair.split("=", 1) for pair in found["marks"].split(","))
            out.append((found["level"], {k: unquote(v) for k, v in marks.items()}, unquote(found["text"])))
    return out


def finding(n: int = 1, severity: str = "error", what: str = "it is wrong", file: str = "a/pod.yaml") -> Diagnostic:
    return Diagnostic("port-shortage", what, severity=severity, where=Where(file, n, 2))  # type: ignore[arg-type]


def test_an_annotation_stands_at_its_line() -> None:
    [(level, marks, text)] = obeyed(
        github([Diagnostic("port-shortage", "50 % too many", "a,b: c", "buy\nmore", where=Where("a,b:c.yaml", 3, 7))])
    )
    assert (level, marks) == ("error", {"file": "a,b:c.yaml", "line": "3", "col": "7", "title": "dcgen: port-shortage"})
    assert text == "50 % too many\nbecause: a,b: c\nfix: buy\nmore"


def test_levels_and_the_most_severe_first() -> None:
    found = [finding(1, "info"), finding(2, "warning"), finding(3, "error")]
    assert [level for level, _, _ in obeyed(github(found))] == ["error", "warning", "notice"]


@pytest.mark.parametrize("n", [AT_MOST, AT_MOST + 1, 300])
def test_what_github_would_drop_is_said_in_plain_words(n: int) -> None:
    said = github([finding(i + 1, what=f"::error::fault {i}\n::set-env name=x::y") for i in range(n)])
    assert len(obeyed(said)) == AT_MOST
    assert (f"{n - AT_MOST} more" in said) == (n > AT_MOST)


@given(st.text(), st.text(), st.text())
def test_no_text_makes_a_command(what: str, why: str, file: str) -> None:
    where = Where(file or "x", 1, 1)
    many = [Diagnostic("port-shortage", what, why, subject=str(i), where=where) for i in range(AT_MOST + 2)]
    from dcgen.cli.terminal import visible

    commands = obeyed(visible(github(many)))
    assert len(commands) == AT_MOST
    assert {level for level, _, _ in commands} == {"error"}
    assert obeyed(harmless(visible(what))) == []


@pytest.mark.parametrize("text", ["::error::x", "  ::add-mask::x", "a\n\t::stop-commands::x", "say ##[error]x", "::::x"])
def test_commands_are_taken_apart(text: str) -> None:
    assert obeyed(harmless(text)) == []


def test_code_quality_keeps_its_fingerprint_when_lines_move() -> None:
    one, other = gitlab([finding(3), finding(9, what="b")]), gitlab([finding(5), finding(9, what="b")])
    assert [r["fingerprint"] for r in one] == [r["fingerprint"] for r in other]
    assert len({r["fingerprint"] for r in gitlab([finding(1), finding(2), finding(2, "info")])}) == 3
    assert one[0]["location"] == {"path": "a/pod.yaml", "lines": {"begin": 3}}
    assert [r["severity"] for r in gitlab([finding(1, s) for s in ("error", "warning", "info")])] == ["critical", "minor", "info"]


def test_check_annotates_whatever_is_wrong(dcgen_says, tmp_path: Path) -> None:
    for case, status in (("unknown-key", 2), ("port-shortage", 3)):
        ended, out, err = dcgen_says("check", ROOT / f"tests/cases/errors/{case}.yaml", "--format", "github")
        assert (ended, err) == (status, "")
        assert {m["title"] for _, m, _ in obeyed(out)} >= {f"dcgen: {case}"}
    ended, out, _ = dcgen_says("check", ROOT / "tests/cases/errors/port-shortage.yaml", "--format", "gitlab")
    assert [r["check_name"] for r in json.loads(out) if r["severity"] == "critical"] == ["port-shortage"]


def test_check_reads_several_files_and_says_all_that_is_wrong(dcgen_says) -> None:
    files = [ROOT / "tests/cases/errors" / f"{name}.yaml" for name in ("unknown-key", "port-shortage", "bad-unit")]
    ended, _, err = dcgen_says("check", *files)
    assert ended == 2
    assert all(f"[{f.stem}]" in err for f in files)


# ---------------------------------------------------------------------- git diff
PLAIN = "dcgen: 1\nname: pod\nracks: {compute: {part: gb300-nvl72, axes: {su: 4, rack: 8}}}\nrequire: [b <= 1, a <= 1]\n"
SAME = """# another order, another layout, an anchor
require:
  - a <= 1     # first
  - "b <= 1"
racks:
  compute:
    axes: &x
      rack: 8
      su: 4
    part: 'gb300-nvl72'
name: "pod"
dcgen: 1
"""


def normalized(dcgen_says, file: Path, content: str | bytes) -> str:
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    ended, out, err = dcgen_says("normalize", file)
    assert (ended, err) == (0, "")
    return out


def test_order_layout_and_comments_are_no_difference(dcgen_says, tmp_path: Path) -> None:
    out = normalized(dcgen_says, tmp_path / "a.yaml", PLAIN)
    assert out == normalized(dcgen_says, tmp_path / "b", SAME)
    assert out.splitlines() == [
        "dcgen = 1", "name = pod", "racks.compute.axes.rack = 8", "racks.compute.axes.su = 4", "racks.compute.part = gb300-nvl72",
        "require[] = a <= 1", "require[] = b <= 1",
    ]  # fmt: skip


def test_a_change_is_one_line(dcgen_says, tmp_path: Path) -> None:
    one = normalized(dcgen_says, tmp_path / "a", PLAIN).splitlines()
    other = normalized(dcgen_says, tmp_path / "b", SAME.replace("su: 4", "su: 5").replace("# first", "\n  - c <= 2")).splitlines()
    assert sorted({*one} ^ {*other}) == ["racks.compute.axes.su = 4", "racks.compute.axes.su = 5", "require[] = c <= 2"]


def test_what_reads_otherwise_is_shown_otherwise(dcgen_says, tmp_path: Path) -> None:
    said = [
        normalized(dcgen_says, tmp_path / "a", f"a: {value}\n")
        for value in ('"4"', "4", '""', "", "{}", "[]", '"null"', "[a, b]", "[b, a]")
    ]
    assert len(set(said)) == len(said)


@pytest.mark.parametrize("content", [b"a: [", b"<<<<<<< HEAD\na: 1\n", b"\xff\xfe", b"", b"a: 1\na: 2\n", b"- x\n", b"no newline: ["])
def test_what_is_no_yaml_is_printed_as_it_is(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "x.yaml"
    file.write_bytes(content)
    done = subprocess.run([sys.executable, "-m", "dcgen", "normalize", str(file)], cwd=ROOT, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, content, b"")


def test_no_such_file(dcgen_says, tmp_path: Path) -> None:
    ended, _, err = dcgen_says("normalize", tmp_path / "nowhere.yaml")
    assert ended == 2
    assert "error[cannot-read]" in err


def test_git_diff_shows_only_what_is_said_differently(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = Repository(tmp_path / "site")
    repository.commit({".gitattributes": "*.yaml diff=dcgen\n", "pod.yaml": PLAIN})
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    repository.git("config", "diff.dcgen.textconv", f"{sys.executable} -m dcgen normalize")
    (repository.folder / "pod.yaml").write_text(SAME)
    assert repository.git("diff") == ""
    (repository.folder / "pod.yaml").write_text(SAME.replace("su: 4", "su: 5"))
    changed = [line for line in repository.git("diff", "-U0").splitlines() if re.match(r"[-+][^-+]", line)]
    assert changed == ["-racks.compute.axes.su = 4", "+racks.compute.axes.su = 5"]
    (repository.folder / "pod.yaml").write_text(SAME + "x: [")
    assert "+x: [" in repository.git("diff")
