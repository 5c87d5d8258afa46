import json

from dcgen.analysis.model import Analysis, Measure
from dcgen.design.save import load
from dcgen.render.data import write_data
from dcgen.render.model import Story
from tests.tables.example import rail_design

MEASURES = (
    Measure("gpus", "site", 576, "1", "counted"),
    Measure("power_max", "site", 0.1 + 0.2, "w", "added up", unknown=3, estimates=2),
    Measure("ratio", "site", float("nan"), "1", "nothing"),
    Measure("half", "site", 3.0, "1", "exact"),
)
FINDING = {
    "code": "no-optic",
    "severity": "warning",
    "subject": "<b>",
    "what": "@x",
    "why": "",
    "fix": "",
    "file": "a.yaml",
    "line": 1,
    "column": 2,
}


def _files() -> dict[str, str]:
    story = Story(Analysis(rail_design(), MEASURES, ()), (FINDING,), "9.9")
    return {a.path: a.bytes.decode() for a in write_data(story)}


def test_the_design_comes_back() -> None:
    assert load(_files()["design.json"]) == rail_design()


def test_figures_are_numbers_without_noise() -> None:
    body = json.loads(_files()["analysis.json"])
    assert [m["value"] for m in body["measures"]] == [576, 0.3, None, 3]
    assert body["measures"][1]["at_least"] is True
    assert '"value": 3,' in _files()["analysis.json"]


def test_texts_are_raw_and_the_version_is_named() -> None:
    body = json.loads(_files()["analysis.json"])
    assert body["findings"] == [FINDING]
    assert body["dcgen"] == "9.9"
    assert len(body["design_hash"]) == 16
