"""Parts whose figures cannot be right are refused, each with the code that tells why."""

import pytest

from dcgen.diagnostics import Diagnostic, Rejected
from dcgen.parts import Part, Rack, Switch
from dcgen.source import parse_text, validate

HEAD = "part: x\nmaker: us\ntitle: Test\nsources: {us: {title: our bench}}\n"
SWITCH = (
    HEAD
    + """kind: switch
fabric: ethernet
ports:
  main: {cages: 32, cage: osfp, modes: [1x800G, 2x400G], lanes: 8, label: "{cage}", split_label: "{cage}/{leg}"}
"""
)
RACK = (
    HEAD
    + """kind: rack
contents: {tray: {part: a, count: 18}, shelf: {part: b, count: 4}}
"""
)


def refused(model: type[Part], text: str, old: str, new: str) -> Diagnostic:
    validate(model, parse_text(text, "x.yaml"))
    assert old in text
    with pytest.raises(Rejected) as e:
        validate(model, parse_text(text.replace(old, new), "x.yaml"))
    (found,) = e.value.diagnostics
    return found


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("1x800G", "1x0G", "out-of-range"),
        ("cages: 32", "cages: 1000000", "out-of-range"),
        ("[1x800G, 2x400G]", "[]", "out-of-range"),
        ("[1x800G, 2x400G]", "[2x400G, 1x800G, 2x400G]", "part-contradiction"),
        ('"{cage}/{leg}"', '"{cage}"', "part-contradiction"),
        ('"{cage}/{leg}"', '"{leg}"', "part-contradiction"),
        ('label: "{cage}"', 'label: "p{leg}"', "part-contradiction"),
        ('label: "{cage}"', "label: {cage: 1}", "wrong-type"),
        ("  main: {", "  Main: {cages: 1, cage: osfp, modes: [1x800G]}\n  main: {", "name-collision"),
    ],
)
def test_sockets_of_a_switch(old: str, new: str, code: str) -> None:
    found = refused(Switch, SWITCH, old, new)
    assert found.code == code
    assert "should have" not in found.what
    assert "{'" not in found.what


@pytest.mark.parametrize(("old", "new", "code"), [("count: 18", "count: 1000000", "out-of-range"), ("shelf:", "Tray:", "name-collision")])
def test_contents_of_a_rack(old: str, new: str, code: str) -> None:
    assert refused(Rack, RACK, old, new).code == code


def test_legs_that_run_together_are_refused() -> None:
    text = SWITCH.replace("2x400G", "16x50G").replace("lanes: 8", "lanes: 16")
    assert refused(Switch, text, '"{cage}/{leg}"', '"{cage}{leg}"').code == "part-contradiction"


def test_editors_know_the_limits() -> None:
    schema = Switch.model_json_schema()["$defs"]["Ports"]["properties"]["cages"]
    assert (schema["minimum"], schema["maximum"]) == (1, 4096)
    assert Rack.model_json_schema()["$defs"]["Content"]["properties"]["count"]["maximum"] == 1000
