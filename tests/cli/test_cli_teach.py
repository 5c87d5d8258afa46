"""The commands that help to begin and to understand, on the real house: init, explain, parts, show --defaults, --only."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import dcgen
from dcgen.diagnostics import CODES
from tests.cli.conftest import ROOT
from tests.conftest import Said

Says = Callable[..., Said]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# ---------------------------------------------------------------------- init
def test_a_new_blueprint_checks_clean_and_knows_its_schema(dcgen_says: Says) -> None:
    status, out, err = dcgen_says("init", "pod-7.yaml")
    assert (status, err) == (0, "")
    assert out.splitlines()[0] == "blueprint.schema.json is written"
    assert out.splitlines()[1].startswith("pod-7.yaml is written; next: `dcgen check pod-7.yaml`")
    lines = Path("pod-7.yaml").read_text().splitlines()
    assert lines[:2] == ["# yaml-language-server: $schema=blueprint.schema.json", "# $schema: blueprint.schema.json"]
    assert lines[3].startswith("name: pod-7 ")
    assert json.loads(Path("blueprint.schema.json").read_text()) == dcgen.schema()
    status, out, err = dcgen_says("check", "pod-7.yaml")
    assert (status, "error" in err, "name-differs" in err) == (0, False, False)
    assert dcgen_says("check", "pod-7.yaml", "--set", "su=2")[0] == 0


def test_without_a_file_it_is_printed_and_nothing_written(dcgen_says: Says) -> None:
    status, out, _ = dcgen_says("init")
    assert status == 0
    assert "name: my-site " in out
    assert list(Path().iterdir()) == []


def test_nothing_is_overwritten(dcgen_says: Says) -> None:
    Path("mine.yaml").write_text("mine")
    Path("blueprint.schema.json").write_text("mine too")
    status, _, err = dcgen_says("init", "mine.yaml")
    assert status == 2
    assert "error[cannot-write]: `mine.yaml` is there already" in err
    assert Path("mine.yaml").read_text() == "mine"
    said = "other.yaml is written; next: `dcgen check other.yaml`, then `dcgen show other.yaml`\n"
    assert dcgen_says("init", "other.yaml") == (0, said, "")
    assert Path("blueprint.schema.json").read_text() == "mine too"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("con.yaml",), "bad-name"),
        (("my site.yaml",), "bad-name"),
        (("site.yml",), "rename it to `site.yaml`"),
        (("none/deep/site.yaml",), "cannot-write"),
        (("site.yaml", "--like", "no such thing"), "no shipped blueprint is like `no such thing`"),
    ],
)
def test_what_cannot_be_written_is_not(dcgen_says: Says, words: tuple[str, ...], said: str) -> None:
    status, _, err = dcgen_says("init", *words)
    assert status == 2
    assert said in err
    assert list(Path().iterdir()) == []


def test_another_blueprint_is_copied_under_the_new_name(dcgen_says: Says) -> None:
    dcgen_says("init", "first.yaml")
    text = Path("first.yaml").read_text()
    Path("first.yaml").write_text(text.replace("One scalable unit", "Mine"))
    assert dcgen_says("init", "second.yaml", "--like", "first.yaml")[0] == 0
    second = Path("second.yaml").read_text()
    assert "title: Mine" in second
    assert "name: second " in second
    assert second.count("$schema") == 2
    assert dcgen_says("init", "--like", "gb200 superpod")[1].splitlines()[3] == "name: my-site"
    assert dcgen_says("init", "--like", "gb300-superpod-4su")[::2] == (0, "")


def test_words_choose_a_blueprint_by_its_name_first(dcgen_says: Says) -> None:
    for words, chosen in (("superpod gb200", "gb200-superpod"), ("dual plane", "hgx-dual-plane"), ("rails of 72", "dgx-b300-xdr")):
        status, out, err = dcgen_says("init", "--like", words)
        assert (status, err) == (0, f"`{words}` is most like `{chosen}`, which is copied\n")
        assert (ROOT / "blueprints" / f"{chosen}.yaml").read_text().splitlines()[-1] == out.splitlines()[-1]


def test_what_is_no_blueprint_is_said_in_plain_words(dcgen_says: Says) -> None:
    assert "error[cannot-read]: `..` is a folder" in dcgen_says("check", "..")[2]
    dcgen_says("init", "site.yaml")
    status, _, err = dcgen_says("check", "site.yaml", "--format", "xml")
    assert (status, "'xml'" in err, "Value error" in err) == (2, True, False)


def test_parts_are_found_by_what_the_help_shows(dcgen_says: Says) -> None:
    _, out, _ = dcgen_says("parts", "--help")
    examples = [line.split("#")[0].split()[2:] for line in out.splitlines() if line.strip().startswith("dcgen parts") and "#" in line]
    for words in examples:
        assert "ID" in words or dcgen_says("parts", *words)[0] == 0, words
    assert len(examples) > 1


def test_every_shipped_blueprint_can_be_begun_with(dcgen_says: Says) -> None:
    for model in sorted((ROOT / "blueprints").glob("*.yaml")):
        assert dcgen_says("init", f"new-{model.stem}.yaml", "--like", model.stem)[::2] == (0, ""), model
    assert dcgen_says("check", "new-hpn-pod.yaml")[0] == 0
    assert Path("parts/hpn-host.yaml").read_bytes() == (ROOT / "blueprints" / "parts" / "hpn-host.yaml").read_bytes()


# ---------------------------------------------------------------------- explain
@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("port-shortage", [CODES["port-shortage"][1], "every switch has the ports", "Why", "Example", "Source"]),
        ("stock_surplus", ["more of a part is owned"]),
        ("bad-unit", [CODES["bad-unit"][1], "2 when it is an error"]),
        ("oversubscription", ["1 is non-blocking"]),
        ("power_max", ["power of the site"]),
        ("clos", ["Leaves over endpoints", "oversubscription", "must be written", "pack"]),
        ("switch", ["a kind of part", "fabric"]),
        ("blueprint", ["racks", "fabrics"]),
    ],
)
def test_a_word_is_explained(dcgen_says: Says, word: str, said: list[str]) -> None:
    status, out, err = dcgen_says("explain", word)
    assert (status, err) == (0, "")
    for text in said:
        assert text in out


def test_everything_that_can_be_explained_is_listed_and_explained(dcgen_says: Says) -> None:
    listed = json.loads(dcgen_says("explain", "--format", "json")[1])["sections"]
    words = {row[0] for section in listed for row in section["rows"]}
    assert {*CODES, "clos", "gpus", "rack"} <= words
    for word in words:
        assert dcgen.explain(word)


def test_an_unknown_word_gets_the_nearest(dcgen_says: Says) -> None:
    status, out, err = dcgen_says("explain", "port-shortge")
    assert (status, out) == (2, "")
    assert "did you mean `port-shortage`?" in err


def test_every_measure_has_its_words() -> None:
    from dcgen.analysis import METRICS
    from dcgen.analysis.glossary import entries
    from tests.tables.example import dual_plane, management, rail_design

    known = {word for sort, word, *_ in entries() if sort == "measures"}
    found = {m.measure for d in (rail_design(), dual_plane(), management()) for metric in METRICS for m in metric(d)}
    assert found <= known


# ---------------------------------------------------------------------- parts
def test_parts_are_found_by_words_and_shown(dcgen_says: Says) -> None:
    every = json.loads(dcgen_says("parts", "--format", "json")[1])["sections"][0]
    assert every["columns"] == ["id", "kind", "title", "maker", "trust"]
    some = json.loads(dcgen_says("parts", "switch", "nvidia", "--format", "json")[1])["sections"][0]["rows"]
    assert 0 < len(some) < len(every["rows"])
    name = some[0][0]
    status, out, err = dcgen_says("parts", "show", name)
    assert (status, err) == (0, "")
    assert out.startswith(f"{name}: ")
    assert "Sources" in out
    assert dcgen_says("explain", name)[1] == out


def test_parts_that_are_not_there(dcgen_says: Says) -> None:
    status, out, err = dcgen_says("parts", "no-such-word")
    assert (status, out, "error[unknown-part]: no part is described by `no-such-word`" in err) == (2, "", True)
    status, out, err = dcgen_says("parts", "show", "q3400-rb")
    assert (status, out, "did you mean" in err) == (2, "", True)


def test_own_parts_are_on_the_shelf_too(dcgen_says: Says) -> None:
    Path("mine").mkdir()
    text = "part: my-gpu\nkind: accelerator\nmaker: Me\ntitle: My GPU\nsources: {sheet: {title: own}}\n"
    Path("mine/my-gpu.yaml").write_text(text)
    assert "My GPU" in dcgen_says("parts", "my-gpu", "--parts", "mine")[1]
    assert dcgen_says("parts", "my-gpu")[0] == 2


def test_a_device_type_becomes_a_part(dcgen_says: Says) -> None:
    ports = "\n".join(f"  - {{name: Ethernet{n}, type: 400gbase-x-osfp}}" for n in range(4))
    Path("x1.yaml").write_text(f"manufacturer: Acme\nmodel: X1\nslug: acme-x1\nu_height: 1\ninterfaces:\n{ports}\n")
    status, out, err = dcgen_says("parts", "import", "x1.yaml")
    assert status == 0
    assert "maker: Acme" in out
    assert err.startswith("missing: ")


# ---------------------------------------------------------------------- show --defaults
def test_what_was_not_written_is_shown_with_its_reason(dcgen_says: Says) -> None:
    dcgen_says("init", "site.yaml")
    (section,) = json.loads(dcgen_says("show", "site.yaml", "--defaults", "--format", "json")[1])["sections"]
    assert section["columns"] == ["where", "value", "because"]
    rows = {where: (value, why) for where, value, why in section["rows"]}
    assert rows["fabrics.backend.spine.count"][0] == "4 derived"
    assert "links on 144 ports" in rows["fabrics.backend.spine.count"][1]
    assert rows["fabrics.backend.leaf.length"] == ("30 m", "assumed")
    assert rows["fabrics.backend.leaf.rate"][0] == "800 Gb/s"
    assert rows["fabrics.backend.leaf.uplinks"][0] == "72 ports"
    assert rows["fabrics.backend.spread"][0] == "even"
    assert rows["backend/leaf"] == ("in 1 rack", "placement rule: 10 to a rack: 42 U usable")
    assert "fabrics.backend.kind" not in rows
    assert "fabrics.backend.oversubscription" not in rows


def test_defaults_are_of_the_whole(dcgen_says: Says) -> None:
    dcgen_says("init", "site.yaml")
    assert dcgen_says("show", "site.yaml", "backend", "--defaults")[0] == 2


# ---------------------------------------------------------------------- --only
def test_a_slice_is_checked_shown_and_built_apart(dcgen_says: Says) -> None:
    dcgen_says("init", "site.yaml")
    status, out, err = dcgen_says("check", "site.yaml", "--only", "rack=0..3,half=0", "--set", "su=2")
    assert status == 0
    assert out.startswith("site.only-rack0..3-half0\n")
    assert "GPUs             576\n" in out
    assert "info[slice]: this is a slice" in err
    leaves = next(line for line in dcgen_says("show", "site.yaml", "--only", "rail=2")[1].splitlines() if line.startswith("backend/leaf"))
    assert leaves.split()[1] == "2"
    assert dcgen_says("build", "site.yaml", "--only", "su=0")[0] == 0
    assert [p.name for p in Path("output").iterdir()] == ["site.only-su0"]
    assert dcgen_says("build", "site.yaml", "--only", "su=0", "--check")[0] == 0


def test_a_slice_of_nothing_is_an_error_with_the_nearest(dcgen_says: Says) -> None:
    dcgen_says("init", "site.yaml")
    for command in ("check", "build", "show"):
        status, out, err = dcgen_says(command, "site.yaml", "--only", "bakend")
        assert (status, out) == (2, "")
        assert "did you mean `backend`?" in err
