"""The comment in a pull request: whatever was typed stays text, whatever the size it fits, and nothing is said about nothing."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

import dcgen
from dcgen.analysis import analyse
from dcgen.diagnostics import Diagnostic, Where
from dcgen.diff import compare
from dcgen.diff.model import BomLine, Cables, Change, Devices, Diff, Effect, Field, Verdict
from dcgen.render.markdown import BREAK
from dcgen.render.pull_request import LEAST_BYTES, MOST_BYTES, mark, pull_request
from dcgen.render.review import Review
from dcgen.source import parse_text

CASES = sorted(p for p in (Path(__file__).parents[1] / "cases" / "review").iterdir() if p.is_dir())
READER = MarkdownIt("commonmark").enable("table")
"""Reads CommonMark with GitHub's tables and with HTML, as both forges do before they look for references."""
OURS = re.compile(r"</?details>|<summary>[\w ,.:/-]*</summary>|</?sub>|<!-- dcgen-diff:[\w.-]* -->")
LINKED = re.compile(
    r"(?<!\w)@\w|(?<![\w&])#\d|(?<!\w)!\d|\bGH-\d|://|\bwww\.|(?<!\w)&\d|(?<!\w)%\w|(?<!\w)~\w|:\w+:|\b(?=\d*[a-f])[0-9a-f]{7,40}\b",
    re.IGNORECASE,
)
"""What a forge links, outside code: mentions, issues, merge requests, addresses, epics, milestones, labels, emoji, commits."""

NASTY = [
    "@team", "#123", "GH-45", "!12", "<img src=x onerror=alert(1)>", "a|b", "`", "``` x", "\n\n# heading", "[x](http://e.com)", "</details>",
    "<!--", "-->", "deadbeef1", "www.example.com", "http://e.com", "a\\", "*b*", "_c_", "~~d~~", "&lt;", "$x$", ":tada:", "x@y.zz", "\u202e",
    "<details>", "| --- |", "```diff", "~~~", "&amp;#64;", "[^1]", "![i](x)", "<b>", "~bug", "%1", "&5", "owner/repo#1", "\r\n- [ ] x",
]  # fmt: skip
typed = st.one_of(st.sampled_from(NASTY), st.lists(st.sampled_from(NASTY), max_size=4).map(" ".join), st.text(max_size=30))


def made(*names: str, many: int = 1) -> Diff:
    """A diff in which every text that somebody may have typed is one of the names."""
    at = lambda i: names[i % len(names)]  # noqa: E731
    fields = (Field(at(0), at(1), at(2)), Field(at(1), "", at(0)))
    where = Where(at(0), 3, 4)
    found = Diagnostic("port-shortage", f"`{at(0)}` and {at(1)}", f"because {at(2)}", at(0), "error", at(1), where=where)
    changes = [
        Change(sign, kind, f"{at(i)}{i}", 3, "devices", fields, i % 2 == 0, at(1), why=at(2), hint=at(0))  # type: ignore[arg-type]
        for i in range(many)
        for sign, kind in (("-", at(1)), ("+", "devices"), ("~", "bundle"), (">", "label"))
    ]
    return Diff(
        at(0),
        at(1),
        tuple(changes),
        tuple(Devices(f"{at(i)}{i}", at(1), at(2), at(0), 4, 9, 3, 1, 1, 1) for i in range(many)),
        tuple(Cables(f"{at(i)}{i}", at(1), at(2), 9, 12, 3, 1, 1, 1, 1) for i in range(many)),
        tuple(Effect("oversubscription", f"{at(i)}{i}", "1", 1, 2, "worse") for i in range(many)),
        tuple(Verdict(f"{at(i)}{i} <= 1", "holds", "broken", at(1), f"`{at(2)}` is {at(0)}") for i in range(many)),
        tuple(replace(found, subject=str(i)) for i in range(many)),
        (replace(found, severity="warning"),),
        tuple(BomLine(f"{at(i)}{i}", at(1), "switch", 3.0, at(2), "each", 1, 4, 1, 4) for i in range(many)),
    )


def written(diff: Diff, *more: Review, most: int = MOST_BYTES, report: str = "") -> str:
    return pull_request([Review(diff.before, diff), *more], "1.0", report=report, most_bytes=most)


def well_formed(text: str) -> tuple[str, str]:
    """(text outside code, text in code); fails where anything that is not ours is markup."""
    outside, inside = [], []
    for token in READER.parse(text):
        assert token.type in {
            "heading_open", "heading_close", "paragraph_open", "paragraph_close", "inline", "fence", "html_block", "bullet_list_open",
            "bullet_list_close", "list_item_open", "list_item_close", "table_open", "table_close", "thead_open", "thead_close", "tbody_open",
            "tbody_close", "tr_open", "tr_close", "th_open", "th_close", "td_open", "td_close",
        }, token.type  # fmt: skip
        if token.type == "fence":
            inside.append(token.content)
        if token.type == "html_block":
            assert OURS.sub("", token.content).strip() == "", token.content
        for child in token.children or ():
            assert child.type in ("text", "code_inline", "strong_open", "strong_close", "html_inline", "softbreak"), (
                child.type,
                child.content,
            )
            if child.type == "html_inline":
                assert OURS.fullmatch(child.content), child.content
            (inside if child.type == "code_inline" else outside).append(child.content)
    assert text.count("\n<details>\n") == text.count("\n</details>\n")
    return "\n".join(outside), "\n".join(inside)


@given(st.lists(typed, min_size=3, max_size=3))
@settings(max_examples=60, deadline=None)
def test_what_was_typed_is_never_markup_and_never_links(names: list[str]) -> None:
    broken = Review(names[0], problems=made(*names).new)
    for text in (written(made(*names)), written(made(*names), broken)):
        outside, _ = well_formed(text)
        assert not LINKED.search(outside), LINKED.search(outside)


@pytest.mark.parametrize("name", [n for n in NASTY if not set(n) & set("\n\r\u202e")])
def test_what_was_typed_can_be_read(name: str) -> None:
    outside, inside = well_formed(written(made(name, "b", "c")))
    assert " ".join(name.split()) in " ".join(f"{outside}\n{inside}".replace(BREAK, "").split())


def test_signs_stand_in_the_first_column() -> None:
    [fence] = [t.content for t in READER.parse(written(made("a", "b", "c"))) if t.type == "fence"]
    assert {line[0] for line in fence.splitlines()} == {"-", "+", "!"}


@pytest.mark.parametrize("most", [LEAST_BYTES, 6_000, 15_000, 60_000])
@pytest.mark.parametrize("name", ["plain", "ü" * 400, "😀" * 300, "`" * 300, "|" * 300])
@pytest.mark.parametrize("designs", [1, 20])
def test_the_largest_change_fits(name: str, most: int, designs: int) -> None:
    diff = made(name, "b", "c", many=300)
    text = written(diff, *(Review(f"{name}{i}", diff) for i in range(designs - 1)), most=most, report="full.md")
    assert len(text.encode()) <= most
    well_formed(text)
    assert "omitted, full report: full.md" in text
    assert "**300 requirements broken.**" in text
    assert "Cables: pull 1,500, remove 600, re-patch 300" in text, "totals are never left out"


@given(st.integers(LEAST_BYTES, 70_000), st.integers(1, 120), typed)
@settings(max_examples=15, deadline=None)
def test_the_bound_holds_for_every_size(most: int, many: int, name: str) -> None:
    text = written(made(name, "b", "c", many=many), most=most)
    assert len(text.encode()) <= most
    well_formed(text)


def test_less_room_says_less_and_first_of_all_about_pieces() -> None:
    diff = made("a", "b", "c", many=300)
    sizes = [len(written(diff, most=most)) for most in (4_000, 8_000, 30_000, 10**9)]
    assert sizes == sorted(sizes)
    piece = replace(diff.changes[0], within="somewhere")
    whole = written(replace(diff, changes=(*diff.changes[:1], *[piece] * 3000)), most=10**9)
    assert whole.count("somewhere") == 0
    assert len(whole.splitlines()) > 3000
    short = written(replace(diff, changes=(*diff.changes[:1], *[piece] * 3000)), most=250_000)
    assert "9,000 lines omitted (parts of the above)" in short


def test_nothing_is_said_about_nothing() -> None:
    same = Diff("a", "a")
    assert pull_request([], "1.0") == pull_request([Review("a", same)], "1.0") == ""
    two = pull_request([Review("a", same), Review("b", made("x", "y", "z"))], "1.0")
    assert two.startswith("<!-- dcgen-diff:pull-request -->\n\n### dcgen: `b`\n")


def test_a_side_that_cannot_be_read_is_told_first_with_what_is_known() -> None:
    before = (CASES[1] / "before.yaml").read_text()
    known = analyse(dcgen.lay_out(dcgen.parse(parse_text(before, "pod.yaml"))), quick=True)
    wrong = Diagnostic("bad-yaml", "`x` is wrong", where=Where("HEAD:pod.yaml", 2, 1))
    text = pull_request([Review("a", made("x", "y", "z")), Review("pod.yaml", problems=(wrong,), before=known)], "1.0")
    assert text.index("#### `pod.yaml`") < text.index("#### `a`")
    assert "cannot be read as it is **after the change**" in text
    assert "**error** bad-yaml at `HEAD:pod.yaml:2:1`: `x` is wrong" in text
    assert re.search(r"\| GPUs +\| +1,152 \|", text)


@pytest.mark.parametrize("key", ["pods", "a b", "--> <script>", "", "ä", "..--.."])
def test_the_mark_is_a_comment_whatever_the_key(key: str) -> None:
    assert re.fullmatch(r"<!-- dcgen-diff:[A-Za-z0-9._-]* -->", mark(key))
    assert "--" not in mark(key)[4:-3]


# ---------------------------------------------------------------------- ten edits, as reviewers see them
def reviewed(case: Path) -> str:
    sides = []
    for side in ("before", "after"):
        blueprint = dcgen.parse(parse_text((case / f"{side}.yaml").read_text(encoding="utf-8"), "blueprints/pod.yaml"))
        analysis = dcgen.analyse(dcgen.lay_out(blueprint))
        sides.append(replace(analysis, findings=dcgen.place(blueprint, analysis.findings)))
    return pull_request([Review("blueprints/pod.yaml", compare(*sides), *sides)], "VERSION")


@pytest.mark.parametrize("case", CASES, ids=lambda p: p.name)
def test_a_realistic_edit_reads_as_reviewed(case: Path, regold: bool) -> None:
    said, golden = reviewed(case), case / "comment.md"
    if regold:
        golden.write_text(said, encoding="utf-8")
    assert said == golden.read_text(encoding="utf-8")
    well_formed(said)


def test_a_file_in_another_order_says_nothing() -> None:
    assert reviewed(next(c for c in CASES if c.name == "reorder-the-file")) == ""
