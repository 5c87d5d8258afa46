"""Whether a design's folder holds what this version of dcgen makes, byte for byte; writes nothing."""

import os
import stat
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from dcgen.cli import manifest
from dcgen.cli.gallery import forms, head_of
from dcgen.cli.manifest import Entry
from dcgen.cli.steps import Artifact
from dcgen.diagnostics import Diagnostic

FIX = "run the same command without --check, and look at what changes"


def differences(folder: Path, artifacts: Iterable[Artifact], gallery: bool, doing: Callable[[str], None]) -> list[Diagnostic]:
    """One finding per file that is missing, different or not made any more.

    Files that no manifest lists are nobody's business. A table is compared in the form in which it is kept.
    """
    if folder.is_symlink() or not folder.is_dir():
        return [_differs(folder, "is not there, or is not a folder")]
    found: list[Diagnostic] = []
    made: dict[str, Entry] = {}
    for artifact in artifacts:
        doing(f"comparing {artifact.path}")
        for path, chunks in forms(artifact.path, artifact.chunks, gallery or _in_short(folder, artifact.path), artifact.rows):
            made[path] = _compared(folder, path, chunks, found)
    _compared(folder, manifest.NAME, [manifest.text(made)], found)
    gone = sorted(manifest.own(folder) - set(made) - {manifest.NAME})
    found += [_differs(folder / path, "is not made any more") for path in gone if os.path.lexists(folder / path)]
    return found


def _in_short(folder: Path, path: str) -> bool:
    return path.endswith(".csv") and (folder / head_of(path)).exists() and not (folder / path).exists()


def _differs(path: Path, what: str, why: str = "") -> Diagnostic:
    return Diagnostic("output-differs", f"`{path}` {what}", why, FIX, subject=str(path))


def _compared(folder: Path, path: str, chunks: Iterable[bytes], found: list[Diagnostic]) -> Entry:
    """Read content and file side by side; notes the first difference and gives the entry of the content."""
    digest, size, line, open_ = sha256(), 0, 1, _opened(folder, path)
    differs = open_ is None
    if open_ is None:
        found.append(_differs(folder / path, "is a link" if (folder / path).is_symlink() else "is missing"))
    for chunk in chunks:
        digest.update(chunk)
        size += len(chunk)
        there = open_.read(len(chunk)) if open_ and not differs else chunk
        if there != chunk:
            differs = True
            same = next((i for i, (a, b) in enumerate(zip(there, chunk, strict=False)) if a != b), len(there))
            found.append(_differs(folder / path, "differs", f"the first difference is in line {line + chunk[:same].count(10)}"))
        line += chunk.count(10)
    if open_:
        if not differs and open_.read(1):
            found.append(_differs(folder / path, "differs", f"it goes on after line {line}"))
        open_.close()
    return Entry(digest.hexdigest(), size)


def _opened(folder: Path, path: str) -> BinaryIO | None:
    """The plain file, or None; no link on the way is followed."""
    try:
        if any((folder / up).is_symlink() for up in Path(path).parents) or not stat.S_ISREG((folder / path).lstat().st_mode):
            return None
        return (folder / path).open("rb")
    except (FileNotFoundError, NotADirectoryError):
        return None
