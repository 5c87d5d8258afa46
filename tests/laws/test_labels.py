"""One rule for what is printed at a port: the tables, the drawings and the blueprint's selectors read the same labels."""

from itertools import product

import pytest

from dcgen.design.columns import cages, columns
from dcgen.design.model import Design
from dcgen.fabric.sockets import Place, places
from dcgen.fabric.sockets import cages as cages_of
from dcgen.parts import Ports, Switch
from dcgen.tables import cable_table
from tests.tables.example import dual_plane, management, rail_design, ring, three_tiers

PATTERNS = [
    {"label": "{cage}"},
    {"label": "{port}"},
    {"label": "swp{cage}", "split_label": "swp{cage}s{sub}"},
    {"label": "{cage}", "split_label": "{cage}/{leg}"},
    {"label": "e{cage}", "split_label": "e{port}"},
]
MODES = [["1x800G"], ["2x400G"], ["1x800G", "2x400G"], ["2x400G", "4x200G"], ["1x800G", "2x400G", "8x100G"]]


def _ports(pattern: dict[str, str], modes: list[str], first: int) -> Ports:
    return Ports.model_validate({"cages": 6, "cage": "osfp", "modes": modes, "first": first, **pattern})


@pytest.mark.parametrize(("pattern", "modes", "first"), list(product(PATTERNS, MODES, [0, 1, 3])))
def test_every_port_of_every_mode_is_found_at_its_cage_by_its_label(pattern: dict[str, str], modes: list[str], first: int) -> None:
    ports = _ports(pattern, modes, first)
    words = {"part": "sw", "kind": "switch", "maker": "m", "title": "t", "fabric": "ethernet", "sources": {"s": {"title": "t"}}}
    known, cage = places(Switch.model_validate({**words, "ports": {"main": ports.model_dump(by_alias=True)}})), cages_of(ports)
    for split, _ in ports.modes:
        printed = ports.labels(split)
        assert len(set(printed)) == len(printed) == ports.count(split)
        assert [cage[text] for text in printed] == [n // split for n in range(len(printed))]
        for n, text in enumerate(printed):
            assert Place("main", n // split, n % split, split) in known[text]
            assert len({place.split for place in known[text]}) == len(known[text]), "one port of every mode"


def test_plain_counting_begins_at_first() -> None:
    assert _ports({"label": "eth{port}"}, ["2x400G"], 3).labels(2)[:3] == ["eth3", "eth4", "eth5"]
    assert _ports({"label": "{port}"}, ["1x800G"], 0).labels(1) == ["0", "1", "2", "3", "4", "5"]


def test_names_past_the_last_cage_do_not_change_the_others() -> None:
    ports = _ports({"label": "{cage}"}, ["2x400G"], 1)
    assert ports.labels(2, 20)[:12] == ports.labels(2)
    assert ports.labels(2, 20)[12:14] == ["7/1", "7/2"]


@pytest.mark.parametrize("design", [rail_design(), dual_plane(), management(), ring(), three_tiers()], ids=lambda d: d.name)
def test_every_label_of_the_cabling_plan_can_be_named(design: Design) -> None:
    printed = cable_table(design).frame()
    for join in (b for b in design.bundles if b.field_cabled):
        part, end = design.part(join.b.group), join.b
        assert isinstance(part, Switch)
        known, c = places(part), columns(design, join)
        cage, place = cages(end, c.b_port)
        want = {Place(end.block.name, int(k), int(p), end.block.split) for k, p in zip(cage, place, strict=True)}
        group = end.group.replace("/", "-")
        mine = printed.filter(layer=join.layer).filter(printed.filter(layer=join.layer)["z_device"].str.starts_with(group))
        assert want <= {found for text in mine["z_port"].unique() for found in known[text]}
