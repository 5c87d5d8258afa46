"""What a person types arrives as typed; parameters, selectors, schema."""

import json
from pathlib import Path

import jsonschema
import pytest
import yaml

import dcgen
from dcgen.diagnostics import Rejected
from tests.cases.support import ROOT, analysed, cables, errors, value

BLUEPRINTS = sorted((ROOT / "blueprints").glob("*.yaml"))


def codes(text: str, **settings: object) -> list[str]:
    with pytest.raises(Rejected) as refused:
        analysed(text, **settings)
    return sorted({d.code for d in refused.value.diagnostics})


def test_words_that_yaml_takes_for_something_else_stay_words() -> None:
    text = """
racks:
  NO: {part: dgx-h100, axes: {on: 2, Y: 2}}
  off: {part: dgx-h100, axes: {off: 1}}
  12E3: {part: dgx-h100, axes: {node: 1e1}}
"""
    analysis = analysed(text)
    assert {"NO/node", "off/node", "12E3/node"} <= set(analysis.design.groups)
    assert value(analysis, "devices", "12E3/node") == 10
    from dcgen.design.save import dump

    assert "True" not in dump(analysis.design)
    assert "False" not in dump(analysis.design)


def test_leading_zeros_keep_three_racks_apart() -> None:
    analysis = analysed("racks: {007: {part: dgx-h100}, 08: {part: dgx-h100}, 009: {part: dgx-h100}, 010: {part: dgx-h100}}")
    assert list(analysis.design.groups) == ["007/node", "08/node", "009/node", "010/node"]


def test_templates_and_shell_words_are_text() -> None:
    title = "{{ 7*7 }} ${x} $(id) {% for a in b %}"
    assert analysed(f"title: '{title}'").design.title == title


def test_parameters_take_settings_within_their_range() -> None:
    assert value(analysed("blueprints/gb300-superpod.yaml", su=4), "gpus") == 2304
    for setting in (0, 17, "4 kW", "-1", "four"):
        with pytest.raises(Rejected) as refused:
            analysed("blueprints/gb300-superpod.yaml", su=setting)
        assert {d.code for d in refused.value.diagnostics} <= {"bad-parameter", "bad-number", "out-of-range"}
    with pytest.raises(Rejected) as refused:
        analysed("blueprints/gb300-superpod.yaml", sus=4)
    assert refused.value.diagnostics[0].fix == "did you mean `su`?"


def test_a_parameter_stands_only_as_a_whole_value() -> None:
    text = "params: {su: 2}\ntitle: costs $su a piece\nnotes: '$su'\nracks: {compute: {part: dgx-h100, axes: {su: $su}}}"
    design = analysed(text).design
    assert design.title == "costs $su a piece"
    assert design.groups["compute/node"].count == 2


def test_all_independent_errors_at_once() -> None:
    text = """
racks:
  a: {part: dgx-h10, axes: {n: 1}}
  b: {part: qm9700}
  c: {part: dgx-h100, absent: ["c/node[x=1]"]}
require: [nonsense, gpus(site) >= 3 parsecs]
"""
    assert codes(text) == ["bad-requirement", "bad-selector", "unknown-part", "wrong-kind"]


def test_a_part_beside_the_blueprint_wins_over_the_shelf(tmp_path: Path) -> None:
    shipped = (ROOT / "dcgen" / "catalog" / "data" / "node" / "dgx-h100.yaml").read_text(encoding="utf-8")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "dgx-h100.yaml").write_text(shipped.replace("accelerators: 8", "accelerators: 6"), encoding="utf-8")
    (tmp_path / "own.yaml").write_text("dcgen: 1\nname: own\nracks: {compute: {part: dgx-h100, axes: {node: 2}}}\n", encoding="utf-8")
    analysis = dcgen.analyse(dcgen.lay_out(dcgen.parse(dcgen.read(tmp_path / "own.yaml"))))
    assert value(analysis, "gpus") == 12


def test_order_and_spelling_change_nothing(tmp_path: Path) -> None:
    from dcgen.design.save import dump

    one = """
racks: {a: {part: dgx-h100, axes: {su: 2, node: 4}}}
fabrics:
  f: {kind: clos, serves: a.fabric, leaf: {part: qm9700, per: [su, rail]}, spine: {part: qm9700}}
title: t
"""
    two = """
title: 't'
fabrics:
  f:
    spine:   {part: qm9700}
    leaf: {per: [su, rail], part: qm9700}   # a comment
    serves: a.fabric
    kind: clos
racks: {a: {axes: {su: 2, node: 4}, part: dgx-h100}}
"""
    assert dump(analysed(one).design) == dump(analysed(two).design)


@pytest.mark.parametrize("file", BLUEPRINTS, ids=lambda p: p.stem)
def test_shipped_blueprints_are_short_and_fit_the_schema(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.startswith("# yaml-language-server: $schema=../docs/blueprint.schema.json\n")
    assert len(text.splitlines()) <= 60
    jsonschema.validate(yaml.safe_load(text), dcgen.schema())
    assert errors(analysed(f"blueprints/{file.name}")) == {}


def test_the_committed_schema_is_current() -> None:
    assert json.loads((ROOT / "docs" / "blueprint.schema.json").read_text(encoding="utf-8")) == dcgen.schema()


def test_the_schema_refuses_what_dcgen_refuses() -> None:
    validator = jsonschema.Draft202012Validator(dcgen.schema())
    good = yaml.safe_load((ROOT / "blueprints" / "gb300-superpod.yaml").read_text(encoding="utf-8"))
    assert validator.is_valid(good)
    for change in ({"fabrik": {}}, {"racks": []}, {"dcgen": 2}, {"name": "../x"}):
        assert not validator.is_valid({**good, **change})


def test_links_of_a_big_design_are_counted_without_rows() -> None:
    assert value(analysed("blueprints/nvl72-100k.yaml"), "links") == 311_040


def test_an_empty_plan_has_no_rows() -> None:
    assert cables("notes: nothing") == []
