"""Reads a YAML file of a person: data as typed, and where each value stands."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any

from dcgen.diagnostics import Diagnostic, Path, Rejected, Where, placed
from dcgen.source.files import DISK, Files
from dcgen.source.limits import Limits
from dcgen.source.nodes import CONTROL, Node, compose
from dcgen.units import Plain

_CONFLICT = re.compile(r"^(?:<{7}|\|{7}|={7}|>{7})(?=\s|$)", re.MULTILINE)
_MOST_CONTROL = 50


@dataclass(frozen=True, eq=False)
class Source:
    """One file that was read.

    `data` holds dicts, lists, `Plain` (typed without quotes), `str` (quoted) and None; texts are composed (NFC), and no part of
    it is shared with another. A merged or aliased value stands where its anchor is. What it leads to is read from `files`.
    """

    name: str
    data: Any
    root: Node = field(repr=False)
    files: Files = field(default=DISK, repr=False)
    path: PurePath | None = None

    @property
    def file(self) -> PurePath:
        """Where it lies among `files`; a text from memory lies where its name says."""
        return PurePath(self.name) if self.path is None else self.path

    def where(self, path: Path, key: bool = False) -> Where:
        """The place of the value at `path`, or of its key; of the nearest thing around it that is written, if it is not."""
        node = name = self.root
        for part in path:
            inside = node.value
            if isinstance(inside, dict) and isinstance(part, str) and part in inside:
                name, node = inside[part]
            elif isinstance(inside, list) and isinstance(part, int) and 0 <= part < len(inside):
                name = node = inside[part]
            else:
                break
        found = name if key else node
        return Where(found.file or self.name, found.line, found.column)

    def place(self, diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
        """The diagnostics, each with the place of its `origin` unless it has one."""
        return tuple(placed(d, self.where(d.origin)) for d in diagnostics)


def read(path: PurePath, limits: Limits | None = None, files: Files = DISK) -> Source:
    """Read a file, from disk unless `files` lie elsewhere.

    Raises:
        Rejected: the file cannot be read, or any reason of `parse_text`.
    """
    limits = limits or Limits()
    return replace(parse_text(files.content(path, limits.file), files.called(path), limits), files=files, path=path)


def parse_text(text: str | bytes, name: str, limits: Limits | None = None) -> Source:
    """Read YAML that is already in memory; `name` is what messages call it.

    Raises:
        Rejected: not UTF-8, not YAML, beyond a limit, empty, not a mapping, or a key written twice; all that was found.
    """
    limits = limits or Limits()
    content = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if len(content) > limits.file:
        raise Rejected([limits.exceeded("file", Where(name))])
    decoded = text if isinstance(text, str) else _decoded(text, name)
    del content
    decoded = decoded.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    _refuse_unreadable(decoded, name)
    root = compose(decoded, name, limits)
    if root is None or root.nothing:
        raise _rejected("empty-file", "the file is empty", Where(name), "write `key: value` lines")
    if not isinstance(root.value, dict):
        raise _no_mapping(root, name)
    return Source(name, root.plain(), root)


def _rejected(code: str, what: str, where: Where, fix: str = "", why: str = "") -> Rejected:
    return Rejected([Diagnostic(code, what, why, fix, where=where)])


def _decoded(content: bytes, name: str) -> str:
    wide = content[:2] in (b"\xff\xfe", b"\xfe\xff") or (
        len(content) > 3 and [not b for b in content[:4]] in ([False, True] * 2, [True, False] * 2)
    )
    if wide:
        raise _rejected("bad-encoding", "the file is UTF-16, not UTF-8 (byte offset 0)", Where(name), "save it as UTF-8")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8")
        where = Where(name, before.count("\n") + 1, len(before) - before.rfind("\n"))
        what = f"byte 0x{content[error.start]:02X} at byte offset {error.start} is not UTF-8"
        raise _rejected("bad-encoding", what, where, "save the file as UTF-8", "it may be Latin-1 or Windows-1252") from None


def _refuse_unreadable(text: str, name: str) -> None:
    """Refuse what no YAML reader would explain well: control characters and the marks of an unfinished merge."""
    faults: list[Diagnostic] = []
    for sign in CONTROL.finditer(text):
        what = f"the file holds the control character U+{ord(sign[0]):04X}"
        faults.append(Diagnostic("control-character", what, fix="remove it", where=_spot(text, sign.start(), name)))
        if len(faults) == _MOST_CONTROL:
            break
    mark = _CONFLICT.search(text)
    if mark:
        what = f"the line begins with the merge-conflict marker `{mark[0]}`"
        fix = "finish the merge: keep one side and remove the markers"
        faults.append(
            Diagnostic(
                "merge-conflict", what, "two versions of the file were left side by side", fix, where=_spot(text, mark.start(), name)
            )
        )
    if faults:
        raise Rejected(faults)


def _spot(text: str, index: int, name: str) -> Where:
    return Where(name, text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index))


def _no_mapping(root: Node, name: str) -> Rejected:
    shape = "a list" if isinstance(root.value, list) else "a single text"
    glued = isinstance(root.value, Plain) and ":" in root.value
    fix = "put a space after the colon: `key: value`" if glued else "write `key: value` lines"
    return _rejected("wrong-type", f"{shape} stands where the file's mapping belongs", Where(name, root.line, root.column), fix)
