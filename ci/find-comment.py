"""Reads the answer of a forge: the numbers of our comments, one a line; without arguments, the number of the user who asks.

Arguments: the key in the comment's hidden mark, and the author, by login on GitHub and by number on GitLab. Several pages of
comments may follow each other.
"""

import json
import sys
from collections.abc import Iterator
from typing import Any


def pages(text: str) -> Iterator[Any]:
    """The values that stand one after the other in a text."""
    decoder, at = json.JSONDecoder(), 0
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        value, at = decoder.raw_decode(text, at)
        yield value


def main(words: list[str]) -> None:
    """Print what was asked for."""
    values = list(pages(sys.stdin.read()))
    if not words:
        print(values[0]["id"])
        return
    key, author = words
    for comment in (c for page in values for c in page):
        writer = comment.get("user") or comment.get("author") or {}
        ours = author in (writer.get("login"), str(writer.get("id")))
        if ours and (comment.get("body") or "").startswith(f"<!-- dcgen-diff:{key} -->"):
            print(comment["id"])


if __name__ == "__main__":
    main(sys.argv[1:])
