"""Staged growth moves what must move, and nothing more."""

from collections import Counter
from dataclasses import replace

import pytest

from dcgen.design import Design, Join
from dcgen.design.columns import cages, columns
from dcgen.design.settle import settle
from dcgen.design.sockets import clashes
from dcgen.design.stages import staged
from dcgen.design.wiring import links
from tests.cases.support import analysed

GB300 = """
params: {su: 4}
racks: {compute: {part: gb300-nvl72, axes: {su: $su, rack: 8}}}
fabrics:
  backend: {kind: clos, serves: compute.fabric, leaf: {part: q3400-ra, per: [su, rail, half=rack/4]}, spine: {part: q3400-ra}}
"""
STAGES = [(1, 4), (2, 8), (4, 18)]


def grown(history: list[tuple[int, int]]) -> tuple[Design, list[Join]]:
    design = analysed(GB300, su=history[-1][0]).design
    up = next(b for b in design.bundles if b.layer == "leaf-spine")
    return design, staged(up, design.groups["backend/leaf"], design.groups["backend/spine"], "su", history, 72, 144)


def plugs(design: Design, joins: list[Join]) -> set[tuple[int, ...]]:
    """Both ends of every link: flat device, cage, position."""
    out = set()
    for join in joins:
        c = columns(design, join)
        ends = [x.tolist() for side, port in ((join.a, c.a_port), (join.b, c.b_port)) for x in cages(side, port)]
        out |= set(zip(c.a.tolist(), ends[0], ends[1], c.b.tolist(), ends[2], ends[3], strict=True))
    return out


@pytest.mark.parametrize(("stages", "stay"), [(2, 288), (3, 512)])
def test_each_stage_keeps_the_most_that_can_stay(stages: int, stay: int) -> None:
    before, after = grown(STAGES[: stages - 1]), grown(STAGES[:stages])
    kept = plugs(*before) & plugs(*after)
    assert len(kept) == stay

    def pairs(design: Design, joins: list[Join]) -> Counter[tuple[int, int]]:
        return Counter((p[0], p[3]) for p in plugs(design, joins))

    old, new = pairs(*before), pairs(*after)
    assert stay == sum(min(n, new[p]) for p, n in old.items()), "no plan keeps more"


def test_three_stages_are_nine_joins_of_one_sound_design() -> None:
    design, joins = grown(STAGES)
    whole = replace(design, bundles=(*(b for b in design.bundles if b.layer != "leaf-spine"), *joins))
    assert len(joins) == 9
    assert sum(links(whole, j) for j in joins) == 2304
    assert list(clashes(whole)) == []
    assert set(Counter((p[0], p[3]) for p in plugs(whole, joins)).values()) == {4}
    assert len(settle(whole, joins).cells) == 6


def test_a_stage_that_does_not_divide_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot follow"):
        grown([(1, 4), (4, 16)])
