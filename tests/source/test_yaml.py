"""What a file's text becomes, where each value stands, and what is refused."""

import os
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from dcgen.diagnostics import Diagnostic, Rejected, Where
from dcgen.source import Limits, Source, nodes, parse_text, read
from dcgen.units import Plain


@pytest.fixture(params=["CSafeLoader", "SafeLoader"])
def either_loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nodes, "_LOADER", getattr(yaml, request.param))


def parsed(text: str | bytes, **limits: int) -> Source:
    return parse_text(text, "f.yaml", Limits(**limits))


def refused(text: str | bytes, **limits: int) -> list[Diagnostic]:
    with pytest.raises(Rejected) as caught:
        parsed(text, **limits)
    return list(caught.value.diagnostics)


def only(text: str | bytes, **limits: int) -> Diagnostic:
    found = refused(text, **limits)
    assert len(found) == 1, found
    return found[0]


def at(d: Diagnostic) -> tuple[int, int]:
    assert d.where is not None
    assert d.where.file == "f.yaml"
    return d.where.line, d.where.column


# scalars


@pytest.mark.usefixtures("either_loader")
@pytest.mark.parametrize(
    "text", ["NO", "on", "Off", "yes", "Y", "true", "1:48", "0:48", "12:30", "08", "010", "0o17", "1e3", "1.0e+3", "12E3", "2026-01-01",
             "0x10", "1_000", ".nan", ".inf", "1.50", "=", "$su", "{{ 7*7 }}x"[9:], "NULL", "café"],
)  # fmt: skip
def test_plain_scalars_are_the_text_typed(text: str) -> None:
    value = parsed(f"a: {text}\n").data["a"]
    assert type(value) is Plain
    assert value == text


@pytest.mark.parametrize("text", ["NO", "1:48", "010", "null", "~", "", "true"])
@pytest.mark.parametrize("quote", ["'", '"'])
def test_quoted_scalars_are_str(text: str, quote: str) -> None:
    value = parsed(f"a: {quote}{text}{quote}\n").data["a"]
    assert type(value) is str
    assert value == text


def test_block_scalars_are_str() -> None:
    value = parsed("a: |\n  one\n  two\n").data["a"]
    assert (type(value), value) == (str, "one\ntwo\n")


@pytest.mark.parametrize("text", ["", "~", "null", "# nothing"])
def test_nothing_is_none(text: str) -> None:
    assert parsed(f"a: {text}\nb: [{text if text[:1] != '#' else ''}]\n").data["a"] is None


def test_keys_are_the_text_typed() -> None:
    data = parsed("NO: 1\non: 2\ntrue: 3\n010: 4\n1:48: 5\nnull: 6\n'8': 7\n").data
    assert list(data) == ["NO", "on", "true", "010", "1:48", "null", "8"]
    assert [type(k) for k in data] == [Plain] * 6 + [str]


def test_text_and_keys_are_composed() -> None:
    assert parsed("sen\u0303or: cafe\u0301\n").data == {"se\u00f1or": "caf\u00e9"}


@pytest.mark.parametrize(
    ("tag", "text", "kind"), [("!!str", "12", str), ("!!int", "'12'", Plain), ("!!float", "12", Plain), ("!!bool", "12", Plain)]
)
def test_core_tags_say_quoted_or_not(tag: str, text: str, kind: type) -> None:
    value = parsed(f"a: {tag} {text}\n").data["a"]
    assert (type(value), value) == (kind, "12")


def test_core_tags_of_nothing_and_collections() -> None:
    assert parsed("a: !!null ''\nb: !!seq [x]\nc: !!map {x: y}\nd: !!str\n").data == {"a": None, "b": ["x"], "c": {"x": "y"}, "d": ""}


_TEXT = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=12)
_DATA = st.recursive(_TEXT, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXT, inner, max_size=4), max_leaves=20)


@given(st.dictionaries(_TEXT, _DATA, min_size=1, max_size=4), st.booleans())
def test_round_trip(data: dict[str, object], flow: bool) -> None:
    text = yaml.safe_dump(data, default_style='"', default_flow_style=flow, sort_keys=False)
    source = parsed(text)
    assert source.data == data
    assert list(source.data) == list(data)


@given(st.text(max_size=60) | st.text("ab:&*-[]{}<>?!'\"|#%@\\ \t\n", max_size=30) | st.binary(max_size=60))
def test_anything_is_read_or_rejected_with_a_place(content: str | bytes) -> None:
    found: tuple[Diagnostic, ...] = ()
    try:
        parsed(content)
    except Rejected as rejected:
        found = rejected.diagnostics or (Diagnostic("bad-yaml", "no reason"),)
    assert all(d.where and d.where.line >= 1 and d.where.column >= 1 for d in found)


# places


@pytest.mark.usefixtures("either_loader")
def test_places_of_values_and_keys() -> None:
    source = parsed("name: demo\nfabrics:\n  backend:\n    leaf: {part: x1}\n  links: [a, bb]\nnone:\n")
    where = {
        (): (1, 1), ("name",): (1, 7), ("fabrics",): (3, 3), ("fabrics", "backend"): (4, 5), ("fabrics", "backend", "leaf"): (4, 11),
        ("fabrics", "backend", "leaf", "part"): (4, 18), ("fabrics", "links", 1): (5, 14), ("none",): (6, 6),
    }  # fmt: skip
    assert {path: (w.line, w.column) for path in where for w in [source.where(path)]} == where
    assert source.where(("fabrics", "backend", "leaf", "part"), key=True) == Where("f.yaml", 4, 12)
    assert source.where(("fabrics", "links", 0), key=True) == Where("f.yaml", 5, 11)


def test_a_missing_path_is_at_the_nearest_thing_written() -> None:
    source = parsed("a:\n  b:\n    c: 1\n")
    assert source.where(("a", "b", "zz", "y")) == Where("f.yaml", 3, 5)
    assert source.where(("a", "b", "zz"), key=True) == Where("f.yaml", 2, 3)
    assert source.where(("a", 0)) == Where("f.yaml", 2, 3)
    assert source.where(("zz",), key=True) == Where("f.yaml", 1, 1)


def test_list_indexes_outside_the_list_are_missing() -> None:
    source = parsed("a: [x]\n")
    assert source.where(("a", 1)) == source.where(("a", -1)) == Where("f.yaml", 1, 4)


def test_merged_values_stand_where_their_anchor_is() -> None:
    source = parsed("base: &b\n  x: 1\nr1:\n  <<: *b\n  y: 2\n")
    assert source.where(("r1", "x")) == Where("f.yaml", 2, 6)
    assert source.where(("r1", "x"), key=True) == Where("f.yaml", 2, 3)
    assert source.where(("r1", "y")) == Where("f.yaml", 5, 6)


def test_columns_count_characters_after_a_byte_order_mark() -> None:
    assert parsed("\ufeffé: [ü, x]\n").where(("é", 1)) == Where("f.yaml", 1, 8)


def test_place_fills_in_only_what_is_missing() -> None:
    source = parsed("a:\n  b: 1\n")
    elsewhere = Where("other.yaml", 9, 9)
    placed = source.place([Diagnostic("bad-name", "x", origin=("a", "b")), Diagnostic("bad-name", "y", origin=("a",), where=elsewhere)])
    assert [d.where for d in placed] == [Where("f.yaml", 2, 6), elsewhere]


# keys


@pytest.mark.usefixtures("either_loader")
def test_duplicate_keys_name_key_and_lines_at_any_depth() -> None:
    found = refused("pods:\n  p1: {racks: 4}\n  p2: {a: 1, b: 2,\n       a: 3}\n  p1: {racks: 16}\n  p1: 1\n")
    assert [d.code for d in found] == ["duplicate-key"] * 3
    assert [(d.what, at(d)) for d in found] == [
        ("`a` is written twice: lines 3 and 4", (4, 8)),
        ("`p1` is written twice: lines 2 and 5", (5, 3)),
        ("`p1` is written twice: lines 2 and 6", (6, 3)),
    ]


@pytest.mark.parametrize(
    "text", ["1: a\n'1': b\n", '"x": a\nx: b\n', "sen\u0303or: 1\nse\u00f1or: 2\n", "? a\n: 1\na: 2\n", "a: !!str x\na: y\n"]
)
def test_keys_are_compared_as_text(text: str) -> None:
    assert only(text).code == "duplicate-key"


def test_words_that_mean_the_same_to_others_are_different_keys() -> None:
    assert parsed("on: 1\ntrue: 2\nyes: 3\n1: 4\n01: 5\n").data == {"on": "1", "true": "2", "yes": "3", "1": "4", "01": "5"}


@pytest.mark.parametrize("text", ["? [a]\n: 1\n", "? {a: b}\n: 1\n", "{[a]: 1}", "?\n: 1\n", "a: &x [1]\n*x : 2\n"])
def test_keys_that_are_not_text(text: str) -> None:
    assert only(text).code == "bad-key"


@pytest.mark.usefixtures("either_loader")
def test_a_flow_mapping_without_space() -> None:
    fault = only("links:\n  - {1:2, b: 3}\n")
    assert (fault.code, at(fault)) == ("bad-yaml", (2, 6))
    assert "put a space" in fault.fix
    assert "`1: 2`" in fault.fix


def test_colons_in_flow_values_and_keys_with_values_are_fine() -> None:
    assert parsed("{a: 1:48, b: [0:48], 1:2: x, c: }").data == {"a": "1:48", "b": ["0:48"], "1:2": "x", "c": None}


# anchors and merges


@pytest.mark.usefixtures("either_loader")
def test_explicit_keys_win_over_merged_ones() -> None:
    data = parsed("base: &n {a: 18, b: 9}\nr1: {<<: *n, a: 16}\nr2: {a: 16, <<: *n}\nr3: {<<: *n}\n").data
    assert data["r1"] == data["r2"] == {"a": "16", "b": "9"}
    assert data["r3"] == {"a": "18", "b": "9"}


def test_of_a_list_of_merges_the_first_wins() -> None:
    data = parsed("a: &a {x: 1, y: 1}\nb: &b {x: 2, z: 2}\nc: {<<: [*a, *b], w: 3}\nd: &d {<<: *b, x: 4}\ne: {<<: *d}\n").data
    assert data["c"] == {"x": "1", "y": "1", "z": "2", "w": "3"}
    assert data["e"] == {"x": "4", "z": "2"}


def test_two_merge_keys_are_duplicates() -> None:
    fault = only("a: &a {x: 1}\nb:\n  <<: *a\n  <<: *a\n")
    assert (fault.code, fault.what, at(fault)) == ("duplicate-key", "`<<` is written twice: lines 3 and 4", (4, 3))


def test_a_quoted_merge_key_is_a_key() -> None:
    assert parsed("a: &a {x: 1}\nb: {'<<': *a, <<: *a}\n").data["b"] == {"<<": {"x": "1"}, "x": "1"}


@pytest.mark.parametrize("value", ["3", "[3]", "", "[[{a: 1}]]"])
def test_merging_what_is_no_mapping(value: str) -> None:
    assert only(f"a: {{<<: {value}}}\n").code == "wrong-type"


def test_nothing_is_shared() -> None:
    data = parsed("base: &n {list: [1], map: {x: 1}}\nr1: {<<: *n}\nr2: {<<: *n}\nr3: *n\n").data
    data["r1"]["list"].append("2")
    data["r1"]["map"]["x"] = "9"
    data["r3"]["new"] = "1"
    assert data["r2"] == data["base"] == {"list": ["1"], "map": {"x": "1"}}


@pytest.mark.usefixtures("either_loader")
@pytest.mark.parametrize("text", ["a: &x {b: *x}", "a: &x [*x]", "a: &x {<<: *x}", "a: &x {b: [c, {d: *x}]}"])
def test_an_alias_inside_itself(text: str) -> None:
    assert "endless-alias" in {d.code for d in refused(text)}


def test_an_alias_of_nothing_suggests_an_anchor() -> None:
    fault = only("a: &rack {x: 1}\nb: *rcak\n")
    assert (fault.code, at(fault), fault.fix) == ("bad-yaml", (2, 4), "did you mean `rack`?")


def test_an_anchor_written_twice() -> None:
    fault = only("a: &x 1\nb: &x {c: 2}\n")
    assert (fault.code, fault.what) == ("bad-yaml", "the anchor `&x` is written twice: lines 1 and 2")


def test_five_hundred_aliases_are_fine() -> None:
    data = parsed("a: &a {x: [1, 2, 3]}\nb:\n" + "  - *a\n" * 500).data
    assert len(data["b"]) == 500


# tags


@pytest.mark.usefixtures("either_loader")
@pytest.mark.parametrize(
    "value", ["!foo x", "!!binary aGk=", "!!set {a}", "!!timestamp 2026-01-01", "!!omap [a: 1]", "! x", "!<tag:example.com,2000:x> y",
              "!!python/name:os.system", "!!str [a]", "!!map [a]", "!!seq {a: 1}", "!!int {a: 1}", "!!map x"],
)  # fmt: skip
def test_other_tags_are_refused_with_line(value: str) -> None:
    fault = only(f"x: 1\na: {value}\n")
    assert (fault.code, at(fault)) == ("bad-tag", (2, 4))


def test_tags_are_never_run(tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    fault = only(f'name: !!python/object/apply:os.system ["touch {canary}"]\n')
    assert fault.code == "bad-tag"
    assert not canary.exists()


# bytes


def test_byte_order_mark_and_line_ends_change_nothing() -> None:
    text = "a: 1\nb:\n  - x\nc: |\n  one\n  two\n"
    plain = parsed(text)
    other = parsed(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert plain.data == other.data
    assert plain.where(("b", 0)) == other.where(("b", 0)) == Where("f.yaml", 3, 5)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16(encoding: str) -> None:
    fault = only("name: x\n".encode(encoding))
    assert fault.code == "bad-encoding"
    assert "UTF-16" in fault.what
    assert "byte offset 0" in fault.what


def test_latin_1_names_the_byte_offset() -> None:
    fault = only("a: ü\nb: caf\xe9\n".encode() + b"c: caf\xe9\n")
    assert (fault.code, at(fault)) == ("bad-encoding", (3, 7))
    assert "byte offset 21" in fault.what


def test_control_characters_in_the_text_all_with_line() -> None:
    found = refused(b"a: 1\nb: x\x00\nc: \x1b[0m\nd: \xc2\x85\n")
    assert [(d.code, at(d)) for d in found] == [("control-character", (2, 5)), ("control-character", (3, 4)), ("control-character", (4, 4))]
    assert "U+0000" in found[0].what


def test_an_escaped_control_character() -> None:
    fault = only('a: 1\nb: "x\\0y"\n')
    assert (fault.code, at(fault)) == ("control-character", (2, 4))


def test_a_lone_surrogate_is_refused() -> None:
    assert only("a: \ud800\n").code == "control-character"


@pytest.mark.parametrize("text", ["", "\n\n", "# design to be written\n", "---\n", "~", "null\n", "\ufeff", b""])
def test_empty_files(text: str | bytes) -> None:
    fault = only(text)
    assert (fault.code, at(fault)) == ("empty-file", (1, 1))


# syntax


@pytest.mark.usefixtures("either_loader")
@pytest.mark.parametrize(
    ("text", "place"),
    [("racks:\n\tr1: {u: 48}\n", (2, 1)), ("a:\n  b: 1\n\tc: 2\n", (3, 1)), ("a: 1\n  \tb: 2\n", (2, 3)), ("- a\n\t- b\n", (2, 1)),
     ("a: 1\n  \tb\n", (2, 3)), ("a: |\n\tx\n", (2, 1))],
)  # fmt: skip
def test_tabs(text: str, place: tuple[int, int]) -> None:
    fault = only(text)
    assert (fault.code, at(fault)) == ("tab-indent", place)
    assert "tab character; use spaces" in fault.what


def test_tabs_elsewhere_are_fine() -> None:
    assert parsed("a:\t1 # x\ty\nb: {\n\tc: 'p\tq'}\nd: |\n  x\n  \ty\n").data == {"a": "1", "b": {"c": "p\tq"}, "d": "x\n\ty\n"}


@pytest.mark.usefixtures("either_loader")
@pytest.mark.parametrize(
    ("text", "place", "words"),
    [("a: b: c\n", (1, 5), "cannot begin here"), ("a: [1, 2\nb: 3\n", (1, 4), "not closed"), ("a: {b: 1\n", (1, 4), "not closed"),
     ("x: 1\na: 'y\nb: 3\n", (2, 4), "never closed"), ("a: @x\n", (1, 4), "this character"), ("a: *\n", (1, 5), "alias"),
     ("a: 1\nb\nc: 2\n", (3, 1), "`key: value`"), ("a: x: y", (1, 5), "cannot begin here"), ("a: - b\n", (1, 4), "list item"),
     ("a: !e!x 1\n", (1, 4), "tag")],
)  # fmt: skip
def test_syntax_errors_are_for_people(text: str, place: tuple[int, int], words: str) -> None:
    fault = only(text)
    assert (fault.code, at(fault)) == ("bad-yaml", place)
    assert words in fault.what
    assert fault.fix


@pytest.mark.parametrize("text", ["a:\n  b: 1\n c: 2\n", "a: x\n- b\n", "- a\nb: 1", "a: [1]]", 'a: "x" y\n'])
def test_lines_that_do_not_line_up(text: str) -> None:
    fault = only(text)
    assert fault.code == "bad-yaml"
    assert "line up" in fault.what


def test_several_documents() -> None:
    fault = only("a: 1\n---\nb: 2\n")
    assert (fault.code, at(fault)) == ("bad-yaml", (2, 1))
    assert parsed("---\na: 1\n...\n").data == {"a": "1"}


@pytest.mark.parametrize(("text", "words"), [("- a\n", "a list"), ("just text\n", "a single text"), ("'a: 1'\n", "a single text")])
def test_the_top_is_a_mapping(text: str, words: str) -> None:
    fault = only(text)
    assert fault.code == "wrong-type"
    assert words in fault.what


def test_a_top_without_space_after_the_colon() -> None:
    assert "space after the colon" in only("name:x\n").fix


@pytest.mark.parametrize("text", ["a: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> other\n", "a: 1\n=======\n", "a: 1\n>>>>>>> x\n"])
def test_merge_conflicts(text: str) -> None:
    fault = only(text)
    assert (fault.code, at(fault)) == ("merge-conflict", (2, 1))
    assert "merge-conflict marker" in fault.what


def test_independent_errors_come_together() -> None:
    found = refused("a: !foo 1\nb: {x: 1, x: 2}\nc: *none\n? [k]\n: 1\nd: [\n")
    assert [d.code for d in found] == ["bad-tag", "duplicate-key", "bad-yaml", "bad-yaml"]
    assert [d.code for d in refused("a: \x01\n<<<<<<< x\n")] == ["control-character", "merge-conflict"]


# limits


def exceeds(name: str, number: str, text: str | bytes, **limits: int) -> None:
    fault = only(text, **limits)
    assert fault.code == "limit-exceeded"
    assert fault.why == f"the limit `{name}` is {number}"
    assert fault.where is not None


def test_file_size() -> None:
    exceeds("file", "10,485,760", b"a: " + b"x" * 10 * 2**20)
    exceeds("file", "10", "abcd: 'ééé'", file=10)


def test_scalar_size() -> None:
    exceeds("scalar", "1,048,576", "a: " + "x" * (2**20 + 1))
    exceeds("scalar", "5", "a: ééé", scalar=5)
    assert len(parsed("a: " + "x" * 2**20).data["a"]) == 2**20


@pytest.mark.parametrize("count", [101, 2_000, 100_000])
@pytest.mark.parametrize("sign", ["[", "{a: ", "- ", "? ", "[\n"])
def test_depth(sign: str, count: int) -> None:
    exceeds("depth", "100", ("a: " if sign[0] in "[{" else "") + sign * count)


@pytest.mark.usefixtures("either_loader")
def test_depth_with_either_loader() -> None:
    exceeds("depth", "100", "a: " + "[" * 2000 + "]" * 2000)
    assert parsed("a: " + "[" * 99 + "]" * 99).data


def test_depth_through_aliases() -> None:
    exceeds("depth", "100", "a0: &a0 [x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}]\n" for i in range(1, 9000)))
    chain = "a0: &a0 {x: y}\n" + "".join(f"a{i}: &a{i} {{p: *a{i - 1}}}\n" for i in range(1, 99))
    assert parsed(chain).data


def test_nodes_as_written() -> None:
    exceeds("nodes", "1,000,000", "a: [" + "x," * 1_000_000 + "]")
    exceeds("nodes", "5", "a: [1, 2]\nb: 3", nodes=5)
    assert parsed("a: [1, 2]", nodes=5).data


def test_nodes_as_repeated() -> None:
    levels = "".join(f"{c}: &{c} [{','.join(['*' + p] * 9)}]\n" for p, c in zip("abcdefgh", "bcdefghi", strict=True))
    exceeds("nodes", "1,000,000", "a: &a [x,x,x,x,x,x,x,x,x]\n" + levels)
    exceeds("nodes", "1,000,000", "a: &a {k: [" + "x," * 150 + "]}\nb:\n" + "".join(f"  k{i}: {{<<: *a}}\n" for i in range(9000)))
    # 1 + (a: list of 2 = 4) + (b: alias of 3 = 4) = 9
    exceeds("nodes", "8", "a: &a [1, 2]\nb: *a\n", nodes=8)
    assert parsed("a: &a [1, 2]\nb: *a\n", nodes=9).data


def test_aliases() -> None:
    exceeds("aliases", "10,000", "a: &a x\nb: [" + "*a," * 10_001 + "]")
    assert parsed("a: &a x\nb: [" + "*a," * 10_000 + "]").data


# files


def test_read_keeps_the_name_as_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "f.yaml").write_text("a: 1\n")
    monkeypatch.chdir(tmp_path)
    source = read(Path("sub") / "f.yaml")
    assert (source.name, source.data, source.where(("a",))) == ("sub/f.yaml", {"a": "1"}, Where("sub/f.yaml", 1, 4))


def test_read_refuses_before_reading_all(tmp_path: Path) -> None:
    (tmp_path / "f.yaml").write_text("a: 12345678\n")
    with pytest.raises(Rejected) as caught:
        read(tmp_path / "f.yaml", Limits(file=5))
    assert caught.value.diagnostics[0].code == "limit-exceeded"


def test_what_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for path, words in [
        ("none.yaml", "no file"),
        (".", "is a folder"),
        ("x\0y", "cannot be read"),
        ("n" * 300, "cannot be read"),
        ("loop", "cannot be read"),
    ]:
        with pytest.raises(Rejected) as caught:
            read(tmp_path / path)
        (fault,) = caught.value.diagnostics
        assert fault.code == "cannot-read"
        assert words in fault.what


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    (tmp_path / "f.yaml").write_text("a: 1\n")
    (tmp_path / "f.yaml").chmod(0)
    with pytest.raises(Rejected) as caught:
        read(tmp_path / "f.yaml")
    assert caught.value.diagnostics[0].code == "cannot-read"
