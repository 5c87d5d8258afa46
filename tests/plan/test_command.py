"""`dcgen plan` as it is typed: what it prints and writes, and what it says to a call that makes no sense."""

import json
import re
import shutil
from pathlib import Path

import pytest

from dcgen.cli import run

POD = """dcgen: 1
name: pod
params: {su: {default: 1, range: [1, 16]}}
racks: {compute: {part: gb300-nvl72, axes: {su: $su, rack: 8}}}
fabrics:
  backend: {kind: clos, serves: compute.fabric, leaf: {part: q3400-ra, per: [su, rail, half=rack/4]}, spine: {part: q3400-ra}}
"""
ERRORS = Path(__file__).parent / "errors"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("pod.yaml").write_text(POD, encoding="utf-8")
    return tmp_path


def said(words: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    status = run(words.split())
    out, err = capsys.readouterr()
    return status, out, err


@pytest.mark.usefixtures("here")
def test_a_plan_is_written_with_every_cable(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = said("plan pod.yaml pod.yaml --set-after su=2 -o made", capsys)
    assert (status, err) == (0, "")
    assert "backend leaf-spine     576   288        288  864  1,152" in out
    folder = Path("made/pod.plan-from-pod")
    assert {f.name for f in folder.iterdir()} == {
        "plan.md", "work.csv", "design.json", "manifest.json", *(f"stage-{n}.{kind}" for n in range(3) for kind in ("md", "csv"))
    }  # fmt: skip
    lists = [(folder / f"stage-{n}.csv").read_text(encoding="utf-8").splitlines() for n in range(3)]
    assert [len(x) - 1 for x in lists] == [864, 288, 288]
    assert (folder / "work.csv").read_text(encoding="utf-8").splitlines() == [lists[0][0], *(row for x in lists for row in x[1:])]
    pages = [(folder / f"stage-{n}.md").read_text(encoding="utf-8") for n in range(3)]
    assert [len(re.findall(r"^\| \d", page, re.MULTILINE)) for page in pages] == [864, 288, 288]
    assert "| 1 | move | backend-spine-spine0:" in pages[1]
    status, out, _ = said(f"plan {folder}/design.json pod.yaml --set-after su=4 --dry-run", capsys)
    assert status == 0
    assert "backend leaf-spine   1,152    512        640  1,792  2,304" in out


@pytest.mark.usefixtures("here")
def test_programs_get_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = said("plan pod.yaml pod.yaml --set-after su=2 --dry-run --format json", capsys)
    found = json.loads(out)
    assert (status, found["status"], found["moved"], found["in_service"], found["files"]) == (0, 0, 288, 1152, [])
    assert [s["links_kept"] for s in found["stages"]] == [None, 0.75, 0.75]
    assert found["stages"][1]["bandwidth"] == [{"fabric": "backend", "layer": "leaf-spine", "low": 0.75, "high": 0.75}]
    status, out, _ = said("plan pod.yaml pod.yaml --set-after su=2 --keep 99% --format json", capsys)
    found = json.loads(out)
    assert (status, found["status"], found["moved"], found["findings"][0]["code"]) == (3, 3, None, "keep-not-met")


@pytest.mark.usefixtures("here")
def test_the_same_design_is_nothing_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert said("plan pod.yaml pod.yaml", capsys) == (0, "nothing to do: pod and pod have the same devices and cables\n", "")
    assert not Path("output").exists()


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    "case",
    [
        "keep-not-met: pod.yaml pod.yaml --set-after su=2 --keep 100%",
        "keep-above: pod.yaml pod.yaml --set-after su=2 --keep 150%",
        "keep-below: pod.yaml pod.yaml --keep -1%",
        "keep-nan: pod.yaml pod.yaml --keep NaN",
        "keep-bare: pod.yaml pod.yaml --keep 75",
        "keep-infinite: pod.yaml pod.yaml --keep inf%",
        "bad-design: none.json pod.yaml",
        "bad-design-cut: cut.json pod.yaml",
        "bad-design-other: other.json pod.yaml",
        "bad-design-name: name.json pod.yaml",
        "bad-parameter: other.json pod.yaml --set-before su=2",
        "missing: gone.json pod.yaml",
        "suffix: pod.txt pod.yaml",
        "variant: pod.yaml pod.yaml@large",
        "broken: pod.yaml broken.yaml",
    ],
    ids=lambda case: str(case).split(":")[0],
)
def test_mistakes_are_said(case: str, capsys: pytest.CaptureFixture[str], regold: bool) -> None:
    name, words = case.split(": ")
    Path("none.json").write_text('{"a": 1}', encoding="utf-8")
    Path("cut.json").write_text(saved()[:1000], encoding="utf-8")
    Path("other.json").write_text(saved().replace('"group": "backend/spine"', '"group": "backend/core"'), encoding="utf-8")
    Path("name.json").write_text(saved().replace('"name": "pod"', '"name": "../pod"'), encoding="utf-8")
    Path("broken.yaml").write_text(POD.replace(", half=rack/4", ""), encoding="utf-8")
    status, out, err = said(f"plan {words}", capsys)
    assert out == ""
    text = f"{err}exit status {status}\n"
    golden = ERRORS / f"{name}.txt"
    if regold:
        ERRORS.mkdir(exist_ok=True)
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")
    assert not Path("output").exists()


def saved() -> str:
    import dcgen
    from dcgen.design.save import dump

    return dump(dcgen.lay_out(dcgen.parse(dcgen.read(Path("pod.yaml")))))


def test_the_whole_tree_of_a_plan_is_the_same_every_time(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = []
    for _ in range(2):
        said("plan pod.yaml pod.yaml --set-after su=2", capsys)
        texts.append({f.name: f.read_bytes() for f in (here / "output" / "pod.plan-from-pod").iterdir()})
        shutil.rmtree(here / "output")
    assert texts[0] == texts[1]
