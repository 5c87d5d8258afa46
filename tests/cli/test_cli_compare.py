"""`build --check`, and long tables in short."""

from pathlib import Path

import pytest

from dcgen.cli.gallery import forms
from tests.cli.conftest import tree, whole

DEMO = Path("output/demo")


def long(rows: int) -> str:
    return "id,note\n" + "".join(f'{n},"two\nlines"\n' for n in range(rows))


def test_check_finds_missing_different_and_unexpected_files(run, blueprint):
    run("build", blueprint())
    ended = run("build", "demo.yaml", "--check")
    assert (ended.status, ended.out, ended.err) == (0, "output/demo: just as this version makes it\n", "")
    (DEMO / "notes.md").write_text("mine")
    assert run("build", "demo.yaml", "--check").status == 0
    (DEMO / "bom.csv").write_text("a,b\n1,3\n")
    before = tree(DEMO)
    ended = run("build", blueprint(files={"bom.csv": "a,b\n1,2\n", "racks.csv": "r\n"}), "--check")
    assert ended.status == 3
    assert "`output/demo/bom.csv` differs\n    because: the first difference is in line 2" in ended.err
    assert "`output/demo/racks.csv` is missing" in ended.err
    assert "`output/demo/drawings/site.svg` is not made any more" in ended.err
    assert "`output/demo/manifest.json` differs" in ended.err
    assert ended.err.count("error[output-differs]") == 4
    assert tree(DEMO) == before
    assert run("build", "demo.yaml", "--check", "--format", "json").json["status"] == 3


@pytest.mark.parametrize(("text", "why"), [("a,b\n1,2\n3", "it goes on after line 3"), ("a,b\n", "the first difference is in line 2")])
def test_check_of_longer_and_shorter_files(run, blueprint, text, why):
    run("build", blueprint())
    (DEMO / "bom.csv").write_text(text)
    assert f"because: {why}\n" in run("build", "demo.yaml", "--check").err


def test_check_follows_no_link(run, blueprint):
    run("build", blueprint())
    (DEMO / "bom.csv").rename("bom.csv")
    (DEMO / "bom.csv").symlink_to("../../bom.csv")
    (DEMO / "drawings").rename("drawings")
    (DEMO / "drawings").symlink_to("../../drawings")
    ended = run("build", "demo.yaml", "--check")
    assert (ended.status, ended.err.count("error[output-differs]")) == (3, 2)
    assert "`output/demo/bom.csv` is a link" in ended.err


def test_check_without_a_folder(run, blueprint):
    ended = run("build", blueprint(), "--check")
    assert (ended.status, ended.err.count("output-differs")) == (3, 1)
    assert not Path("output").exists()


def test_check_counts_broken_rules_too(run, blueprint):
    run("build", blueprint(findings=[["requirement-broken", "error"]]))
    assert run("build", "demo.yaml", "--check").status == 3
    ended = run("build", blueprint(findings=[["no-optic", "error"]]), "--check")
    assert (ended.status, "nothing was compared" in ended.err) == (3, True)


def test_gallery_keeps_long_tables_in_short(run, blueprint):
    file = blueprint(files={"cables.csv": long(201), "deep/ports.csv": long(5000), "bom.csv": long(200)})
    run("build", file, "--gallery")
    assert set(tree(DEMO)) == {
        "bom.csv", "cables.count", "cables.head.csv", "deep/ports.count", "deep/ports.head.csv", "findings.json", "manifest.json",
    }  # fmt: skip
    assert whole(DEMO)
    assert (DEMO / "cables.head.csv").read_text() == long(20)
    assert (DEMO / "cables.count").read_text() == "201\n"
    assert (DEMO / "deep/ports.count").read_text() == "5000\n"
    assert (DEMO / "bom.csv").read_text() == long(200)
    assert run("build", file, "--check").status == 0
    assert run("build", file, "--check", "--gallery").status == 0


def test_check_of_a_gallery_sees_a_changed_count(run, blueprint):
    run("build", blueprint(files={"cables.csv": long(300)}), "--gallery")
    ended = run("build", blueprint(files={"cables.csv": long(301)}), "--check")
    assert "cables.count` differs" in ended.err
    assert "cables.head.csv" not in ended.err
    ended = run("build", blueprint(files={"cables.csv": long(30)}), "--check")
    assert "cables.csv` is missing" in ended.err
    assert "cables.head.csv` is not made any more" in ended.err


@pytest.mark.parametrize("size", [1, 2, 7, 1000, 10**6])
@pytest.mark.parametrize("ending", ["\n", ""])
def test_long_tables_are_cut_alike_however_they_arrive(size, ending):
    text = (long(250) + f"last{ending}").encode()
    chunks = [text[at : at + size] for at in range(0, len(text), size)]
    assert {p: b"".join(c) for p, c in forms("x.csv", chunks, True)} == {"x.head.csv": long(20).encode(), "x.count": b"251\n"}
    assert list(forms("x.csv", [b""], True)) == [("x.csv", [b""])]
