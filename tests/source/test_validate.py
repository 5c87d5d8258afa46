"""What is said when data does not fit a model, and where."""

from typing import Annotated, Literal, Self

import pytest
from pydantic import BaseModel, Field, model_validator

from dcgen.diagnostics import Diagnostic, Path, Rejected, Where
from dcgen.parts.fields import Count, Flag, Name, Strict, Text, fault
from dcgen.source import parse_text, validate
from dcgen.units import Plain


class Spare(Strict):
    spare: Count
    note: Text | None = None


class Tier(Strict):
    part: Name
    count: Count | None = None


class Rail(Strict):
    kind: Literal["rail"]
    rails: Count
    leaf: Tier | None = None
    rail: Count | None = None


class Clos(Strict):
    kind: Literal["clos"]
    leaf: Tier
    spine: Tier | None = None
    spares: dict[Name, Spare] = Field(default_factory=dict)


Fabric = Annotated[Rail | Clos, Field(discriminator="kind")]


class Link(Strict):
    end: Text = Field("", alias="from")
    to: Text = ""


class Site(Strict):
    name: Name
    fabrics: dict[Name, Fabric] = Field(default_factory=dict)
    several: list[Fabric] = Field(default_factory=list)
    links: list[Link] = Field(default_factory=list)
    words: list[Text] | Text = ""
    size: Literal["auto"] | Count = 0
    either: Tier | Spare | None = None
    pair: tuple[Count, Count] | None = None
    number: int = 0
    on: Flag = False
    plain_on: bool = False
    mode: Literal["even", "near"] = "even"

    @model_validator(mode="after")
    def _not_bad(self) -> Self:
        if self.name == "bad":
            raise ValueError("a site is never bad")
        if self.name == "worse":
            raise fault("name-collision", "two are worse", "rename one", "they look alike")
        return self


def rejected(text: str, model: type[BaseModel] = Site, at: Path = ()) -> list[Diagnostic]:
    with pytest.raises(Rejected) as caught:
        validate(model, parse_text(text, "f.yaml"), at=at)
    return list(caught.value.diagnostics)


def only(text: str, model: type[BaseModel] = Site, at: Path = ()) -> Diagnostic:
    found = rejected(text, model, at)
    assert len(found) == 1, found
    return found[0]


def place(d: Diagnostic) -> tuple[int, int]:
    assert d.where is not None
    return d.where.line, d.where.column


def test_what_fits_becomes_a_model() -> None:
    site = validate(Site, parse_text("name: NO\nfabrics: {a: {kind: rail, rails: 8}}\nwords: [x]\nlinks: [{from: b}]\n", "f.yaml"))
    assert (site.name, site.fabrics["a"], site.words, site.links[0].end) == ("NO", Rail(kind="rail", rails=8), ["x"], "b")


# unknown keys


def test_unknown_key_at_the_key_with_the_nearest() -> None:
    d = only("name: x\nfabrics:\n  clos:\n    kind: rail\n    rails: 1\n    rials: 8\n")
    assert (d.code, place(d), d.origin) == ("unknown-key", (6, 5), ("fabrics", "clos", "rials"))
    assert d.what.startswith("`fabrics.clos.rials`: ")
    assert d.fix.startswith("did you mean `rails`?")


def test_unknown_key_without_a_near_one_lists_what_is_known() -> None:
    assert only("name: x\nlinks: [{zzzzzz: 1}]\n").fix == "known here: `from`, `to`"


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        (
            "name: x\nspare: 2\n",
            "`spare` belongs under `fabrics.<name>.spares.<name>` or under `several[].spares.<name>`; or: did you mean `pair`?",
        ),
        ("name: x\nfrom: y\n", "`from` belongs under `links[]`"),
        ("name: x\nfabrics: {a: {kind: clos, leaf: {part: p, fabrics: {}}}}\n", "`fabrics` belongs at the top of the file"),
        ("name: x\nfabrics: {a: {kind: rail, rails: 1, spine: {part: p}}}\n", "`spine` belongs to `kind: clos`"),
    ],
)
def test_a_key_that_belongs_elsewhere(text: str, fix: str) -> None:
    class Mixed(Site):
        either: Tier | None = None

    assert only(text, Mixed).fix == fix


def test_a_key_that_belongs_under_one_name() -> None:
    class Farm(Strict):
        fabrics: dict[Name, Spare] = Field(default_factory=dict)

    assert only("spare: 1\n", Farm).fix == "`spare` belongs under `fabrics.<name>`"


def test_a_near_key_and_a_home_are_both_told() -> None:
    class Farm(Strict):
        spares: Count = 0
        fabrics: dict[Name, Spare] = Field(default_factory=dict)

    assert only("spare: 1\n", Farm).fix == "`spare` belongs under `fabrics.<name>`; or: did you mean `spares`?"


# missing keys


def test_missing_key_at_the_parent() -> None:
    d = only("name: x\nfabrics:\n  back:\n    kind: clos\n")
    assert (d.code, place(d), d.origin) == ("missing-key", (3, 3), ("fabrics", "back", "leaf"))
    assert d.what.startswith("`fabrics.back.leaf`: ")
    assert d.fix == "write `leaf: …`"


def test_missing_kind_lists_the_kinds() -> None:
    d = only("name: x\nfabrics:\n  back:\n    leaf: 1\n")
    assert (d.code, place(d), d.origin) == ("missing-key", (3, 3), ("fabrics", "back", "kind"))
    assert "known here: `rail`, `clos`" in d.fix


def test_missing_key_at_the_top() -> None:
    d = only("# no name\nmode: near\n")
    assert (d.code, d.what.split(":")[0], place(d)) == ("missing-key", "`name`", (2, 1))


# choices


@pytest.mark.parametrize("where", ["fabrics: {a: ", "several: [0, "])
def test_unknown_kind(where: str) -> None:
    tail = "}" if "{" in where else "]"
    d = next(d for d in rejected(f"name: x\n{where}{{kind: clso}}{tail}\n") if d.code == "bad-choice")
    assert d.fix == "did you mean `clos`?"
    assert d.origin[-1] == "kind"
    assert place(d) == (2, len(where) + 8)


def test_unknown_word() -> None:
    d = only("name: x\nmode: nera\n")
    assert (d.code, place(d), d.what, d.fix) == ("bad-choice", (2, 7), "`mode`: `nera` is not known here", "did you mean `near`?")


def test_word_or_number() -> None:
    d = only("name: x\nsize: atuo\n")
    assert (d.code, place(d)) == ("bad-number", (2, 7))
    assert d.fix.endswith("; or: did you mean `auto`?")


@pytest.mark.parametrize(("value", "shown"), [("[1]", "a list"), ("{a: b}", "a mapping")])
def test_a_kind_that_is_no_text(value: str, shown: str) -> None:
    d = only(f"name: x\nfabrics: {{a: {{kind: {value}}}}}\n")
    assert (d.code, d.what) == ("bad-choice", f"`fabrics.a.kind`: {shown} is not known here")


# shapes


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("fabrics: [1]", "`fabrics`: a list stands where a mapping belongs"),
        ("fabrics: {a: [1]}", "`fabrics.a`: a list stands where a mapping belongs"),
        ("fabrics: {a: rail}", "`fabrics.a`: `rail` stands where a mapping belongs"),
        ("links: {a: b}", "`links`: a mapping stands where a list belongs"),
        ("links: ['a']", '`links[0]`: the quoted text "a" stands where a mapping belongs'),
        ("either: x", "`either`: `x` stands where a mapping belongs"),
        ("words: {a: b}", "`words`: a mapping stands where a list or text belongs"),
        ("number: x", "`number`: `x` stands where a number belongs"),
        ("number: [1]", "`number`: a list stands where a number belongs"),
        ("plain_on: x", "`plain_on`: `x` stands where `true` or `false` belongs"),
        ("pair: x", "`pair`: `x` stands where a list belongs"),
    ],
)
def test_wrong_shapes(line: str, words: str) -> None:
    d = only(f"name: x\n{line}\n")
    assert d.code == "wrong-type"
    assert d.what == words
    assert d.fix


def test_the_whole_file_of_another_shape() -> None:
    d = only("a: [1]\n", at=("a",))
    assert (d.code, d.what, place(d)) == ("wrong-type", "`a`: a list stands where a mapping belongs", (1, 4))


@pytest.mark.parametrize(
    "line", ["name:", "fabrics:", "fabrics: {a: }", "links:\n  -", "mode: ~", "fabrics: {a: {kind: }}", "size: null", "on:"]
)
def test_a_key_without_a_value(line: str) -> None:
    text = f"{line}\n" if line == "name:" else f"name: x\n{line}\n"
    assert only(text).code == "no-value"


def test_bounds_are_put_into_words_and_anything_else_keeps_its_message() -> None:
    d = only("name: x\npair: [1, 2, 3]\n")
    assert (d.code, d.origin, d.fix) == ("out-of-range", ("pair",), "write at most 2 entries")
    d = only("name: bad\n")
    assert (d.code, d.what, place(d)) == ("wrong-type", "a site is never bad", (1, 1))


# dcgen's own errors


def test_own_errors_pass_through() -> None:
    d = only("name: worse\n")
    assert (d.code, d.what, d.why, d.fix) == ("name-collision", "two are worse", "they look alike", "rename one")
    d = only("name: x\nfabrics:\n  a:\n    kind: rail\n    rails: '3'\n")
    assert (d.code, d.what, d.fix, place(d)) == (
        "wrong-type",
        '`fabrics.a.rails`: the quoted text "3" is not a count',
        "remove the quotes",
        (5, 12),
    )


def test_a_bad_name_is_at_its_key() -> None:
    d = only("name: x\nfabrics:\n  back end: {kind: rail, rails: 1}\n")
    assert (d.code, place(d), d.origin) == ("bad-name", (3, 3), ("fabrics", "back end"))


def test_names_of_union_members_are_not_taken_for_keys() -> None:
    d = only("name: x\nfabrics:\n  rail:\n    kind: rail\n    rails: 1\n    rail: x\n    leaf: {part: p}\n")
    assert (d.origin, place(d)) == (("fabrics", "rail", "rail"), (6, 11))
    d = only("name: x\nfabrics:\n  rail:\n    kind: rail\n    rail: 1\n    rails: x\n")
    assert (d.origin, place(d)) == (("fabrics", "rail", "rails"), (6, 12))
    d = only("name: x\nseveral:\n  - kind: rail\n    rails: x\n")
    assert (d.origin, d.what.split(":")[0], place(d)) == (("several", 0, "rails"), "`several[0].rails`", (4, 12))


# unions, many, long


def test_of_union_members_the_one_that_came_further_is_told() -> None:
    d = only("name: x\nwords: [a, {b: c}]\n")
    assert (d.origin, d.what) == (("words", 1), "`words[1]`: a mapping stands where text belongs")


def test_every_error_once_in_one_go() -> None:
    found = rejected("name: a b\nmode: x\nlinks: [{from: [1]}, {to: [2]}]\nfabrics: {a: {kind: rail, rails: x, colour: red}}\n")
    assert sorted((d.code, d.origin) for d in found) == [
        ("bad-choice", ("mode",)),
        ("bad-name", ("name",)),
        ("bad-number", ("fabrics", "a", "rails")),
        ("unknown-key", ("fabrics", "a", "colour")),
        ("wrong-type", ("links", 0, "from")),
        ("wrong-type", ("links", 1, "to")),
    ]
    assert len(found) == len(set(found))


def test_values_are_cut_and_never_python() -> None:
    text = f"name: x\nmode: {'y' * 500}\nnumber: '{'z' * 500}'\nfabrics: {{{'k' * 500}: 1}}\nlinks: [[{{a: b}}]]\neither: [a]\n"
    for d in rejected(text):
        assert len(d.what) < 200
        assert not any(sign in d.what + d.fix for sign in ("Plain(", "Dict(", "{'", "['", "<class"))


def test_a_true_of_saved_data_is_written_as_typed() -> None:
    source = parse_text("name: x\nnumber: $n\nmode: $m\n", "f.yaml")
    with pytest.raises(Rejected) as caught:
        validate(Site, source, {"name": "x", "number": [], "mode": True})
    assert "`mode`: `true` is not known here" in {d.what for d in caught.value.diagnostics}


# places of other data


def test_replaced_data_keeps_the_places_of_the_source() -> None:
    source = parse_text("name: x\nfabrics:\n  a: {kind: rail, rails: $su}\n", "f.yaml")
    data = {"name": Plain("x"), "fabrics": {"a": {"kind": Plain("rail"), "rails": Plain("many")}}}
    with pytest.raises(Rejected) as caught:
        validate(Site, source, data)
    (d,) = caught.value.diagnostics
    assert (d.code, d.where) == ("bad-number", Where("f.yaml", 3, 26))


def test_a_section_is_placed_in_the_whole_file() -> None:
    d = only("parts:\n  - part: x\n    count: many\n", Tier, ("parts", 0))
    assert (d.origin, d.what.split(":")[0], place(d)) == (("parts", 0, "count"), "`parts[0].count`", (3, 12))


def test_a_merged_value_is_placed_at_its_anchor() -> None:
    found = rejected("name: x\nfabrics:\n  a: &a\n    kind: rail\n    rails: x\n  b: {<<: *a}\n")
    assert [(d.origin, place(d)) for d in found] == [(("fabrics", "a", "rails"), (5, 12)), (("fabrics", "b", "rails"), (5, 12))]
