"""What the documents show is so: their blueprints build, their commands answer as printed, their links lead somewhere.

A comment on the line before a fence says more about a block, its entries parted by `; `:

- `file: NAME`: the block is that file, in a folder of the page (a whole blueprint is called after its `name:` otherwise)
- `into: NAME`: its top-level keys take the place of those of a file that the page showed before, or are added to it
- `error: CODE`: checking it must end with that error

Commands of ```console blocks run in that folder, one after the other. `pytest --regold` rewrites what they print.
"""

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

import dcgen
from dcgen.cli import run
from dcgen.diagnostics import Rejected
from dcgen.tables import bom, cables

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md")), *sorted(ROOT.glob("docs/how-to/*.md"))]
LINKED = sorted({*PAGES, *ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benchmarks/*.md")})
BLOCK = re.compile(r"(?:^<!-- (?P<marks>.+?) -->\n)?^```(?P<kind>\w+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
SECTION = re.compile(r"^(?=[^\s#])", re.MULTILINE)
LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")


def page_id(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


class Page:
    """The folder of one page while its blocks are gone through from top to bottom."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.status = folder, 0
        shutil.copytree(ROOT / "blueprints", folder / "blueprints")

    def keep(self, body: str, marks: dict[str, str]) -> Path | None:
        """Write a YAML block where it belongs; the blueprint to check, if it changed one."""
        name = re.search(r"^name: (\S+)$", body, re.MULTILINE)
        whole = body.startswith("dcgen: 1\n")
        if "into" in marks:
            file = self.folder / marks["into"]
            file.write_text(merged(file.read_text(encoding="utf-8"), body), encoding="utf-8")
        elif "file" in marks or whole:
            file = self.folder / (marks.get("file") or f"{name[1] if name else 'blueprint'}.yaml")
            file.parent.mkdir(exist_ok=True)
            file.write_text(body, encoding="utf-8")
        else:
            return None
        return file if whole or "into" in marks else None

    def answer(self, command: str) -> list[str]:
        """What a terminal shows after a command, line by line."""
        if command == "echo $?":
            return [str(self.status)]
        words = shlex.split(command, comments=True)
        if words[0] == "dcgen" and not set(words) & {"|", ">", "<"}:
            said = TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True)
            with redirect_stdout(said), redirect_stderr(said):
                self.status = run(words[1:])
            return said.buffer.getvalue().decode().splitlines()  # type: ignore[attr-defined]
        script = f'dcgen() {{ {shlex.quote(sys.executable)} -m dcgen "$@"; }}\n{command}'
        done = subprocess.run(["bash", "-c", script], cwd=self.folder, capture_output=True, text=True, check=False)
        self.status = done.returncode
        return (done.stderr + done.stdout).splitlines()


def merged(text: str, body: str) -> str:
    """The text with the top-level sections of `body` in place of its own, or after them."""
    sections = {s.split(":")[0]: s for s in SECTION.split(text) if s}
    for section in SECTION.split(body):
        if section:
            sections[section.split(":")[0]] = section if section.endswith("\n") else section + "\n"
    return "".join(sections.values())


def errors(file: Path) -> set[str]:
    try:
        blueprint = dcgen.parse(dcgen.read(file))
        found = dcgen.analyse(dcgen.lay_out(blueprint), quick=True).findings
    except Rejected as rejected:
        found = rejected.diagnostics
    return {d.code for d in found if d.severity == "error"}


def commands(body: str) -> Iterator[tuple[str, list[str]]]:
    """Each command of a console block with the lines that follow it."""
    for piece in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, *lines = piece.splitlines()
        yield command, lines


def like(shown: list[str], said: list[str]) -> bool:
    """Whether the lines are those said; a line `...` stands for any number of them."""
    pattern = "".join(r"(?:.*\n)*" if line == "..." else re.escape(line) + "\n" for line in shown)
    return re.fullmatch(pattern, "".join(f"{line.rstrip()}\n" for line in said)) is not None


def rewritten(shown: list[str], said: list[str]) -> list[str]:
    """What is said now, shortened in the same place as before; untouched where it still holds, or is shortened in several places,
    which only a person can choose anew."""
    if like(shown, said) or shown.count("...") > 1:
        return shown
    said = [line.rstrip() for line in said]
    if "..." not in shown:
        return said
    head, tail = shown.index("..."), len(shown) - shown.index("...") - 1
    return [*said[:head], "...", *said[len(said) - tail :]]


def test_writing_anew_leaves_alone_what_holds_and_what_a_person_shortened() -> None:
    said = ["head", "derived", "rows", "total"]
    assert rewritten(["...", "derived", "..."], said) == ["...", "derived", "..."]
    assert rewritten(["...", "gone", "..."], said) == ["...", "gone", "..."]
    assert rewritten(["head", "...", "sum"], said) == ["head", "...", "total"]
    assert rewritten(["old"], said) == said


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_blocks_are_true(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, regold: bool) -> None:
    folder, wrong = Page(tmp_path), []
    monkeypatch.chdir(tmp_path)

    def visit(block: re.Match[str]) -> str:
        marks = dict(m.split(": ", 1) for m in (block["marks"] or "").split("; ") if ": " in m)
        if block["kind"] == "yaml" and (file := folder.keep(block["body"], marks)):
            found, wanted = errors(file), {marks["error"]} if "error" in marks else set()
            if found != wanted:
                wrong.append(f"{file.name} gives the errors {found or 'none'}, {wanted or 'none'} wanted:\n{block['body']}")
        if block["kind"] != "console":
            return block[0]
        text = ""
        for command, shown in commands(block["body"]):
            said = folder.answer(command)
            if not like(shown, said):
                by_hand = "shorten it by hand:\n" * (shown.count("...") > 1)
                wrong.append(by_hand + "\n".join([f"$ {command}", *said]))
            text += "\n".join([f"$ {command}", *rewritten(shown, said)]) + "\n"
        return block[0].replace(block["body"], text)

    text = BLOCK.sub(visit, page.read_text(encoding="utf-8"))
    if regold:
        page.write_text(text, encoding="utf-8")
        wrong = [w for w in wrong if not w.startswith("$ ")]
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.parametrize("page", LINKED, ids=page_id)
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), f"{page_id(page)} links to {target}"
        if anchor:
            assert anchor in anchors(file), f"{page_id(page)} links to {target}, which has {sorted(anchors(file))}"


def anchors(page: Path) -> set[str]:
    """The ids that a page's headings get where Markdown is shown."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", h).strip().lower().replace(" ", "-") for h in headings}


def test_every_column_is_explained() -> None:
    page = (ROOT / "docs" / "how-to" / "read-the-tables.md").read_text(encoding="utf-8")
    for columns in (cables.COLUMNS, bom.COLUMNS):
        assert [c.name for c in columns if f"`{c.name}`" not in page] == []


def test_the_readme_has_the_line_that_ci_runs() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert sum(line.startswith("python3 -m venv .venv && ") and line.endswith("pytest") for line in lines) == 1
