"""`dcgen diff` from the command line, with real blueprints."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dcgen.cli import run as run_words
from tests.cli.test_cli_answers import ROOT, on_terminal
from tests.diff.pods import POD, edited

LARGER = edited(("default: 2", "default: 3"))


class Ended:
    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err

    @property
    def json(self) -> dict:
        return json.loads(self.out)


@pytest.fixture
def go(tmp_path, monkeypatch, capsys):
    """Run words in a folder that holds `old.yaml` and `new.yaml` (and what else is given)."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.yaml").write_text(POD)
    (tmp_path / "new.yaml").write_text(LARGER)

    def run(*words: str, **files: str) -> Ended:
        for name, text in files.items():
            file = Path(name.replace("__", "/") + ".yaml")
            file.parent.mkdir(exist_ok=True)
            file.write_text(text)
        status = run_words(["diff", *words])
        said = capsys.readouterr()
        return Ended(status, said.out, said.err)

    return run


def test_the_sentence_comes_first_and_the_status_is_nought_unless_asked(go):
    ended = go("old.yaml", "new.yaml", "--quick")
    assert (ended.status, ended.err) == (0, "")
    assert ended.out.startswith(
        "pod: removes no device; adds 8 compute/rack, 8 backend/leaf, 4 backend/spine; cables: 1,152 to pull, 768 to re-patch;"
    )
    titles = [line for line in ended.out.splitlines() if line in ("Changes", "Cables", "Effects", "Bill of materials")]
    assert titles == ["Changes", "Cables", "Effects", "Bill of materials"]
    assert "worse" in ended.out
    assert "\x1b" not in ended.out


@pytest.mark.parametrize(("words", "status"), [(("old.yaml", "new.yaml"), 4), (("old.yaml", "old.yaml"), 0)])
def test_exit_code(go, words, status):
    assert go(*words, "--exit-code", "--quick").status == status
    assert go(*words, "--exit-code", "--quick", "--format", "json").status == status


def test_no_change_is_one_line(go):
    assert go("old.yaml", "old.yaml").out == "pod: no change\n"


def test_variants_and_settings(go):
    both = edited(("require:", "variants: {wide: {racks.compute.axes.su: 4}}\nrequire:"))
    assert "adds 16 compute/rack" in go("v.yaml", "v.yaml@wide", "--quick", v=both).out
    assert go("old.yaml", "new.yaml", "--set", "su=5", "--quick").out == "pod: no change\n"
    ended = go("v.yaml@*", "v.yaml@*", "--quick")
    assert ended.out == "2 of 2 are the same\n"


def test_a_slice_of_both(go):
    assert "no change" in go("old.yaml", "new.yaml", "--only", "compute", "--set", "su=3", "--quick").out
    assert "adds 8 compute/rack" in go("old.yaml", "new.yaml", "--only", "su=2", "--quick").out
    ended = go("old.yaml", "new.yaml", "--only", "nowhere", "--quick")
    assert (ended.status, "error[bad-selector]" in ended.err) == (2, True)


def test_only_some_tables_and_only_if_large(go):
    ended = go("old.yaml", "new.yaml", "--show", "cables", "--show", "bill", "--quick")
    assert [t for t in ("Changes", "Cables", "Effects", "Bill") if f"\n{t}" in ended.out] == ["Cables", "Bill"]
    assert "backend/leaf-spine" in go("old.yaml", "new.yaml", "--only-if", "pulled >= 10", "--quick").out
    ended = go("old.yaml", "new.yaml", "--only-if", "pulled >= 10000", "--exit-code", "--quick")
    assert (ended.status, ended.out) == (0, "1 change less than was asked for\n")
    assert go("old.yaml", "new.yaml", "--only-if", "pulled >= 10000", "--only-if", "gpus > 1", "--exit-code", "--quick").status == 4
    ended = go("old.yaml", "new.yaml", "--only-if", "puled >= 1", "--quick")
    assert (ended.status, "error[bad-threshold]" in ended.err, "did you mean `pulled`?" in ended.err) == (2, True, True)


def test_folders_are_compared_by_file_name(go):
    small = edited(("name: pod", "name: other"))
    files = {"a__pod": POD, "a__other": small, "a__same": edited(("name: pod", "name: same")), "a__part": "maker: x\n"}
    files |= {"b__pod": LARGER, "b__third": edited(("name: pod", "name: third")), "b__same": edited(("name: pod", "name: same"))}
    ended = go("a", "b", "--exit-code", "--quick", **files)
    assert ended.status == 4
    heads = [line for line in ended.out.splitlines() if line.endswith(".yaml")]
    assert heads == ["other.yaml", "pod.yaml", "third.yaml"]
    assert "other: removes 16 compute/rack" in ended.out
    assert "third: removes no device; adds 16 compute/rack" in ended.out
    assert ended.out.endswith("1 of 4 are the same\n")
    assert go("a", "b/pod.yaml").status == 2


def test_of_a_side_that_does_not_parse_the_other_is_shown(go):
    broken = POD.replace("racks:", "<<<<<<< ours\nracks:")
    for words in (("broken.yaml", "new.yaml"), ("new.yaml", "broken.yaml")):
        ended = go(*words, "--quick", broken=broken)
        assert ended.status == 2
        assert "broken.yaml:4:1: error[merge-conflict]" in ended.err
        assert "nothing could be compared; this is new.yaml alone" in ended.err
        assert "GPUs          1,728" in ended.out
    ended = go("broken.yaml", "new.yaml", "--quick", "--format", "json")
    assert (ended.json["status"], [f["code"] for f in ended.json["findings"]], ended.json["designs"]) == (2, ["merge-conflict"], [])


def test_in_a_folder_one_that_does_not_parse_keeps_no_other_from_being_told(go):
    ended = go("a", "b", "--quick", a__pod=POD, a__x="dcgen: 1\n", b__pod=LARGER, b__x="dcgen: 1\nname: x\n<<<<<<< a\n")
    assert ended.status == 2
    assert "adds 8 compute/rack" in ended.out


def test_an_unknown_rename_is_wrong_input_at_its_line(go):
    lines = "name: pod\nmoved: [{from: bakcend, to: fabric}]\n"
    renamed = edited(("  backend:", "  fabric:"), ("(backend)", "(fabric)"), ("name: pod\n", lines))
    ended = go("old.yaml", "new.yaml", "--quick", new=renamed)
    assert ended.status == 2
    assert ended.err.startswith("new.yaml:3:16: error[unknown-moved]: there was no `bakcend` in the version before")


def test_saved_designs_carry_their_parts(go, tmp_path):
    assert run_words(["build", "old.yaml", "-o", "out"]) in (0, 3)
    saved = tmp_path / "out" / "pod" / "design.json"
    assert go(str(saved), "old.yaml", "--quick").out.endswith("pod: no change\n")
    text = saved.read_text()
    (tmp_path / "other.json").write_text(text.replace('"title": "', '"title": "Better ', 1))
    ended = go(str(saved), "other.json", "--quick", "--exit-code")
    assert ended.status == 4
    assert "part " in ended.out or "title" in ended.out
    (tmp_path / "bad.json").write_text("{}")
    assert go("bad.json", "old.yaml", "--quick").status == 2


def test_json_is_stable_and_has_no_clock(go):
    first, again = (go("old.yaml", "new.yaml", "--quick", "--format", "json").out for _ in range(2))
    assert first == again
    data = json.loads(first)
    assert (data["format"], data["status"], [d["name"] for d in data["designs"]]) == (1, 0, ["new.yaml"])


@pytest.mark.parametrize(
    "words", [("old.yaml",), ("old.yaml", "new.yaml", "old.yaml"), ("old.yaml", "new.yaml", "--show", "x"), ("none.yaml", "new.yaml")]
)
def test_words_that_make_no_sense(go, words):
    assert go(*words).status == 2


@pytest.mark.parametrize("form", ["text", "json"])
def test_hash_seed_folder_and_locale_change_nothing(tmp_path, form):
    (tmp_path / "elsewhere").mkdir()
    said = set()
    for seed, folder, locale in (("1", ".", "C"), ("2", "elsewhere", "C.UTF-8"), ("77", "elsewhere", "tr_TR.UTF-8")):
        here = tmp_path / folder
        (here / "old.yaml").write_text(POD)
        (here / "new.yaml").write_text(LARGER)
        env = os.environ | {"PYTHONHASHSEED": seed, "LC_ALL": locale, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
        words = [sys.executable, "-m", "dcgen", "diff", "old.yaml", "new.yaml", "--quick", "--all", "--format", form]
        done = subprocess.run(words, cwd=here, env=env, capture_output=True, check=True)
        said.add(done.stdout)
    assert len(said) == 1


def test_colour_only_on_a_terminal_that_wants_it(tmp_path):
    (tmp_path / "old.yaml").write_text(POD)
    (tmp_path / "new.yaml").write_text(LARGER)
    assert "\x1b[32m+" in seen(tmp_path, TERM="xterm")
    assert "\x1b[1;31mworse" in seen(tmp_path, TERM="xterm")
    for env in ({"NO_COLOR": "1", "TERM": "xterm"}, {"TERM": "dumb"}):
        assert "\x1b[32m" not in seen(tmp_path, **env)
        assert "worse" in seen(tmp_path, **env)


def seen(tmp_path: Path, **env: str) -> str:
    """What a person sees on a wide terminal."""
    return on_terminal(tmp_path, "diff", "old.yaml", "new.yaml", "--quick", module="dcgen", COLUMNS="200", **env)


def test_folders_and_places_without_blueprints_are_refused_not_equal(
    tmp_path: Path, dcgen_says: Callable[..., tuple[int, str, str]]
) -> None:
    status, out, err = dcgen_says("diff", tmp_path, tmp_path)
    assert (status, out) == (2, "")
    assert "holds a blueprint" in err


def test_a_name_too_long_for_the_disk_is_an_error_for_people(dcgen_says: Callable[..., tuple[int, str, str]]) -> None:
    for words in (("check", "m" * 300 + ".yaml"), ("diff", "m" * 5000 + ":a.yaml", "b.yaml")):
        status, out, err = dcgen_says(*words)
        assert (status, out) == (2, "")
        assert "internal error" not in err
