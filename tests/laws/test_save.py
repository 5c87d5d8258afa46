"""Saving and loading is the identity, on the value, on the text and on the cables."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcgen.design import Decision, Design, Fabric, Media, Moved, Requirement
from dcgen.design.save import NotADesign, dump, load
from dcgen.diagnostics import CODES, Diagnostic
from dcgen.parts import Switch
from tests.laws.designs import designs, law, rows
from tests.laws.test_sockets import SWITCH

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=8)
ORIGIN = st.lists(st.one_of(TEXT, st.integers(0, 9)), max_size=3).map(tuple)
REAL = st.floats(0, 1e6, allow_nan=False)


@st.composite
def furnished(draw: st.DrawFn) -> Design:
    """A random design with everything else that a design can hold."""
    design = draw(designs())
    media = st.builds(Media, TEXT, TEXT, st.tuples(TEXT, TEXT), REAL, TEXT, TEXT)
    bundles = tuple(
        replace(
            b,
            media=tuple(draw(st.lists(media, max_size=2))),
            rate_gbps=draw(REAL),
            field_cabled=draw(st.booleans()),
            origin=draw(ORIGIN),
            layer=draw(TEXT),
        )
        for b in design.bundles
    )
    groups = {
        n: replace(g, reserved=tuple(draw(st.lists(st.integers(0, 9), max_size=2))), title=draw(TEXT), role=draw(TEXT), origin=draw(ORIGIN),
                   rack_axes=tuple(draw(st.lists(TEXT, max_size=2))), per_rack=draw(st.integers(0, 9)))
        for n, g in reversed(design.groups.items())
    }  # fmt: skip
    fabric = st.builds(Fabric, TEXT, TEXT, st.lists(TEXT, max_size=2).map(tuple), st.none() | REAL, st.booleans(), TEXT, ORIGIN)
    fabrics = {f.name: f for f in draw(st.lists(fabric, max_size=2))}
    decisions = draw(st.lists(st.builds(Decision, TEXT, TEXT, TEXT), max_size=2))
    asked = draw(st.lists(st.builds(Requirement, TEXT, TEXT, TEXT, TEXT, REAL, TEXT, st.booleans(), ORIGIN), max_size=2))
    remarks = draw(
        st.lists(
            st.builds(Diagnostic, st.sampled_from(sorted(CODES)), TEXT, TEXT, TEXT, st.sampled_from(["error", "info"]), TEXT, ORIGIN),
            max_size=2,
        )
    )
    parts = {"box": Switch.model_validate(SWITCH)}
    parameters = draw(st.dictionaries(TEXT, TEXT, max_size=3))
    design = Design(draw(TEXT), groups, bundles, parts, fabrics, tuple(decisions), tuple(asked), tuple(remarks), draw(TEXT), parameters)
    moved = tuple(draw(st.lists(st.builds(Moved, TEXT, TEXT, ORIGIN), max_size=2)))
    return replace(design, moved=moved, written=draw(st.dictionaries(TEXT, TEXT, max_size=3)))


@law(40)
@given(furnished())
def test_load_undoes_dump(design: Design) -> None:
    text = dump(design)
    back = load(text)
    assert back == design
    assert dump(design) == text == dump(back)
    assert [list(d) for d in (back.groups, back.fabrics)] == [list(d) for d in (design.groups, design.fabrics)]
    for join, again in zip(design.bundles, back.bundles, strict=True):
        assert rows(back, again) == rows(design, join)


@law(30)
@given(designs(), st.randoms())
def test_equal_designs_give_equal_bytes(design: Design, random: object) -> None:
    """What is equal is equal in every order in which its mappings were filled, and wires the same cables."""

    def turned(d: dict[str, object]) -> dict[str, object]:
        return dict(reversed(d.items()))

    bundles = tuple(replace(b, ways=turned(b.ways), sizes=turned(b.sizes), a=replace(b.a, view=turned(b.a.view))) for b in design.bundles)  # type: ignore[arg-type]
    other = replace(design, bundles=bundles)
    assert other == design
    assert dump(other) == dump(design)
    for one, two in zip(design.bundles, other.bundles, strict=True):
        assert rows(other, two) == rows(design, one)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"dcgen_design": 0}', '{"dcgen_design": 1}', '{"dcgen_design": 1, "order": 3}', "null"])
def test_what_is_no_design_is_refused(text: str) -> None:
    with pytest.raises(NotADesign):
        load(text)
