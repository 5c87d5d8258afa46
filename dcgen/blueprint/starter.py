"""A blueprint to begin with: the shipped one, or a copy of another under a new name."""

import re
from pathlib import Path

from dcgen.blueprint.meanings import shipped
from dcgen.diagnostics import Diagnostic, Rejected, did_you_mean

_OLD_HEAD = re.compile(r"\A(?:#[^\n]*\$schema[^\n]*\n)+")
_NAME = re.compile(r"^name:[^\n#]*?(?=[ \t]*(?:#|$))", re.MULTILINE)


def starter(name: str, like: str = "", schema: str = "") -> tuple[str, Path]:
    """(text of a new blueprint of that name, the file that it copies).

    `schema` is the file that editors read, named for two kinds of them.

    `like` is the path of a blueprint, the name of a shipped one, or words that a shipped one holds.

    Raises:
        Rejected: nothing is like that.
    """
    model = _model(like)
    text = model.read_text(encoding="utf-8")
    head = f"# yaml-language-server: $schema={schema}\n# $schema: {schema}\n" if schema else ""  # the second for JetBrains
    return head + _NAME.sub(lambda _: f"name: {name}", _OLD_HEAD.sub("", text), count=1), model


def _model(like: str) -> Path:
    if not like:
        return Path(__file__).with_name("starter.yaml")
    if Path(like).is_file():
        return Path(like)
    folder = shipped("blueprints", "_blueprints")
    known = {file.stem: file for file in sorted(folder.glob("*.yaml"))}
    if like in known:
        return known[like]
    words = like.casefold().split()
    texts = {file: f"{stem}\n{file.read_text(encoding='utf-8')}".casefold() for stem, file in known.items()}
    found = [file for file, text in texts.items() if all(word in text for word in words)]
    if not found:
        what = f"no shipped blueprint is like `{like}`"
        raise Rejected([Diagnostic("bad-choice", what, "none holds all of these words", did_you_mean(like, known))])

    def rank(file: Path) -> tuple[int, int, int]:
        """Words in the name, then words in the title, then the shorter name."""
        title = next((line for line in texts[file].splitlines() if line.startswith("title:")), "")
        return sum(word in file.stem.casefold() for word in words), sum(word in title for word in words), -len(file.stem)

    return max(found, key=rank)
