"""All designs of a pull request as one comment that fits, however much changes; nothing when nothing does."""

import re
from collections.abc import Iterator, Sequence

from dcgen.render.markdown import code, visible
from dcgen.render.review import Review, headline, least_lines, pieces
from dcgen.render.room import Room
from dcgen.render.wording import count

MOST_BYTES = 60_000
"""What GitHub (65,536) and GitLab (1,000,000) both take, with room for what a forge adds [bytes of UTF-8]."""
LEAST_BYTES = 4_000
"""Less than this holds no totals."""
_SHORTEST = 8
"""No line of a list is shorter [bytes]."""
_STEPS = (None, 100, 40, 15, 6, 3)
"""Lines of each list, fewer at each step."""


def pull_request(
    reviews: Sequence[Review], version: str, key: str = "pull-request", sides: tuple[str, str] = ("", ""), report: str = "",
    most_bytes: int = MOST_BYTES,
) -> str:  # fmt: skip
    """The comment, or an empty text.

    It begins with a hidden mark that holds `key`, by which the next run finds it. Where it would be too long, pieces of changes
    are left out first, then the middle of lists, then lists, then whole designs; never totals, and never without saying so.

    Args:
        reviews: The designs, of which those that do not change are only counted.
        version: That of dcgen.
        key: Tells the comments of several jobs apart.
        sides: What is compared, as people call it.
        report: Where everything can be read.
        most_bytes: Upper bound [bytes of UTF-8].
    """
    told = [r for r in reviews if not r.silent]
    if not told:
        return ""
    told.sort(key=lambda r: not r.problems)
    frame = _Frame(told, len(reviews), version, key, sides, report)
    text = ""
    for text in frame.versions(most_bytes):
        if len(text.encode("utf-8", "replace")) <= most_bytes:
            break
    return text


def mark(key: str) -> str:
    """The hidden line by which a comment is found again.

    >>> mark("pods --> x")
    '<!-- dcgen-diff:pods-x -->'
    """
    return f"<!-- dcgen-diff:{re.sub('[^A-Za-z0-9._]+', '-', key).strip('-')} -->"


class _Frame:
    """What stands around the designs, and the ever shorter versions of the whole."""

    def __init__(self, told: Sequence[Review], of: int, version: str, key: str, sides: tuple[str, str], report: str) -> None:
        self._told, self._of, self._version, self._key, self._sides, self._report = told, of, version, key, sides, report

    def versions(self, most_bytes: int) -> Iterator[str]:
        """From everything to hardly anything; what cannot fit is not even made."""
        for lines in _STEPS:
            for whole in (True, False) if lines is None else (False,):
                room = Room(lines, pieces=whole, report=self._report)
                if sum(least_lines(r, room) for r in self._told) * _SHORTEST <= most_bytes:
                    yield self._text(room, len(self._told))
        for shown in _fewer(len(self._told)):
            yield self._text(Room(3, pieces=False, lists=False, report=self._report), shown)
        for lines in (1, 0):
            yield self._text(Room(lines, pieces=False, lists=False, report=self._report), 1)

    def _text(self, room: Room, shown: int) -> str:
        lines = [mark(self._key), "", *self._title()]
        for review in self._told[:shown]:
            lines += ["", *([f"#### {code(review.name)}", ""] if len(self._told) > 1 else []), *pieces(review, room)]
        if left := self._told[shown:]:
            lines += [
                "",
                f"**{count(len(left), 'more design')} changed**: {room.left_out(len(left)) if self._report else 'not shown here'}",
            ]
        return "\n".join(lines).rstrip() + f"\n\n{self._footer()}\n"

    def _title(self) -> list[str]:
        if len(self._told) == 1:
            return [f"### dcgen: {code(self._told[0].name)}"]
        broken = sum(bool(r.problems) for r in self._told)
        said = f"### dcgen: {count(len(self._told), 'design')} of {self._of:,} changed"
        return [said, *(["", f"**{count(broken, 'design')} cannot be read.**"] if broken else [])]

    def _footer(self) -> str:
        sides = f" · {code(self._sides[0])} → {code(self._sides[1])}" if all(self._sides) else ""
        one = self._told[0] if len(self._told) == 1 else None
        designs = " → ".join(one.digests) if one and one.diff else ""
        report = f" · full report: {code(self._report)}" if self._report else ""
        return f"<sub>dcgen {visible(self._version)}{f' · design {designs}' if designs else ''}{sides}{report}</sub>"


def _fewer(n: int) -> Iterator[int]:
    while n > 1:
        yield n
        n //= 2
    yield 1


__all__ = ["LEAST_BYTES", "MOST_BYTES", "Review", "headline", "mark", "pull_request"]
