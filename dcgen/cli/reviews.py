"""What `dcgen diff` gives a forge: a comment, annotations, and a folder with all of it and the pictures."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import dcgen
from dcgen.cli import annotations, terminal
from dcgen.cli.options import answer
from dcgen.cli.output import write
from dcgen.cli.steps import Artifact
from dcgen.diagnostics import INPUT, Diagnostic, Rejected, in_order, status

if TYPE_CHECKING:
    from dcgen import Review

LEAST_BYTES = 4_000


class Form(StrEnum):
    """How a comparison is written on standard output."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    GITHUB = "github"
    GITLAB = "gitlab"


Format = Annotated[
    Form,
    typer.Option(
        "--format", help="Tables for people, one JSON object, a comment in Markdown, annotations for GitHub, or Code Quality for GitLab."
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="DIR",
        help="Write comment.md, summary.md, report.md, diff.json and pictures/ into a folder; the .md files are empty without a change.",
        show_default=False,
    ),
]
Key = Annotated[
    str, typer.Option("--key", metavar="WORD", help="Stands in the hidden mark of the comment: tells those of several jobs apart.")
]
MaxBytes = Annotated[int, typer.Option("--max-bytes", min=LEAST_BYTES, help="The longest comment, in bytes of UTF-8.")]


@dataclass(frozen=True)
class Job:
    """What is compared, as it was typed, and the options of a comment."""

    before: str
    after: Sequence[str]
    key: str
    most_bytes: int

    @property
    def sides(self) -> tuple[str, str]:
        """The words for both sides."""
        if dcgen.is_range(self.before):
            left, _, right = re.split(r"(\.\.\.?)", self.before, maxsplit=1)
            return left or "HEAD", right or "HEAD"
        return self.before, self.after[0]


def comment(reviews: "Sequence[Review]", job: Job) -> None:
    """The comment on standard output; nothing when nothing changes."""
    text = dcgen.comment(reviews, job.key, job.sides, job.most_bytes)
    if text:
        terminal.raw(text.encode("utf-8", "backslashreplace"))


def annotate(findings: Sequence[Diagnostic], job: Job, gitlab: bool) -> None:
    """Findings as a forge reads them, at lines of the version that is checked out."""
    placed = [_as_checked_out(d, job) for d in in_order(findings)]
    if gitlab:
        terminal.json(annotations.gitlab(placed))
    elif placed:
        terminal.out(annotations.github(placed))


@contextmanager
def said_to(form: Form) -> Iterator[None]:
    """What is refused is said in the form that was asked for, as long as a program reads it."""
    try:
        yield
    except Rejected as rejected:
        found = status(rejected.diagnostics) or INPUT
        if form is Form.JSON:
            answer(found, rejected.diagnostics, format=1, designs=[])
        elif form is Form.GITHUB:
            terminal.out(annotations.github(rejected.diagnostics))
        elif form is Form.GITLAB:
            terminal.json(annotations.gitlab(rejected.diagnostics))
        else:
            raise
        raise typer.Exit(found) from None


def _as_checked_out(d: Diagnostic, job: Job) -> Diagnostic:
    """A place in the version afterwards without its revision; one in another version is said, and is no line of the forge's."""
    if d.where is None:
        return d
    after = f"{job.sides[1].partition(':')[0]}:"
    if d.where.file.startswith(after):
        return replace(d, where=replace(d.where, file=d.where.file.removeprefix(after)))
    if ":" in d.where.file:
        return replace(d, where=None, what=f"{d.where}: {d.what}")
    return d


def keep(folder: Path, reviews: "Sequence[Review]", record: Mapping[str, object], job: Job, doing: Callable[[str], None]) -> None:
    """Write everything about the change into a folder, in one step; what is not dcgen's in it stays.

    Raises:
        Rejected: it cannot be written.
    """
    skipped: list[Diagnostic] = []

    def files() -> Iterator[Artifact]:
        yield _Json("diff.json", [(terminal.as_json(record) + "\n").encode()])
        yield from dcgen.produce_review(reviews, job.key, job.sides, skipped, job.most_bytes)

    there = folder.absolute()
    write(there.parent, there.name, files, False, doing)
    terminal.findings(skipped)


@dataclass(frozen=True)
class _Json:
    path: str
    chunks: Iterable[bytes]
    rows: int | None = None
