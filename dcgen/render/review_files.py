"""Everything about a change as files: the comment, the whole report, and a picture per fabric that changes."""

from collections.abc import Iterable, Iterator, Sequence

from dcgen.diagnostics import Diagnostic
from dcgen.render.changed import changed_fabrics
from dcgen.render.engine import CannotDraw, draw
from dcgen.render.model import Artifact
from dcgen.render.pull_request import MOST_BYTES, pull_request
from dcgen.render.review import Review

SUMMARY_BYTES = 1_000_000
"""What a forge takes as the summary of a job [bytes]: less than 1 MiB."""
UNBOUNDED = 2**60
REPORT = "report.md"


def review_files(
    reviews: Sequence[Review], version: str, key: str, sides: tuple[str, str], skipped: list[Diagnostic], most_bytes: int = MOST_BYTES
) -> Iterator[Artifact]:
    """`comment.md`, `summary.md`, `report.md`, each empty when nothing changes, and `pictures/`; `skipped` hears what was not drawn."""
    for path, most, report in (("comment.md", most_bytes, REPORT), ("summary.md", SUMMARY_BYTES, REPORT), (REPORT, UNBOUNDED, "")):
        yield Artifact(path, (pull_request(reviews, version, key, sides, report, most).encode("utf-8", "backslashreplace"),))
    for number, review in enumerate(reviews, 1):
        for name, picture in pictures(review, skipped):
            yield Artifact(f"pictures/{f'{number:02}-' if len(reviews) > 1 else ''}{name}.svg", picture)


def pictures(review: Review, skipped: list[Diagnostic]) -> Iterator[tuple[str, Iterable[bytes]]]:
    """(name, SVG) of every fabric of one design in which something changes."""
    if review.diff is None or review.before is None or review.after is None or review.silent:
        return
    for drawing in changed_fabrics(review.before.design, review.after.design, review.diff):
        name = f"{review.after.design.name}-{drawing.name.removeprefix('change-')}"
        try:
            yield name, (draw(drawing.source()),)
        except CannotDraw as e:
            skipped.append(Diagnostic("drawing-skipped", f"{name}.svg was not drawn", str(e), "install what is missing", "warning", name))
