"""What one run wrote: `manifest.json`, by which dcgen tells its own files from those of others."""

import json
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

NAME = "manifest.json"


@dataclass(frozen=True, slots=True)
class Entry:
    """One file: its SHA-256 and its size."""

    sha256: str
    bytes: int


def text(entries: Mapping[str, Entry]) -> bytes:
    """The manifest as it is stored: sorted, without a clock."""
    files = {path: {"bytes": entries[path].bytes, "sha256": entries[path].sha256} for path in sorted(entries)}
    return (json.dumps({"files": files}, indent=2) + "\n").encode()


def own(folder: Path) -> set[str]:
    """Paths of the files in a folder that dcgen wrote: those of its manifest, and the manifest. Nothing without one."""
    path = folder / NAME
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return set()
        files = json.loads(path.read_bytes())["files"]
        return {NAME, *(p for p in files if inside(p))} if isinstance(files, dict) else set()
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return set()


def inside(path: str) -> bool:
    """Whether a path stays in its folder, on every system, and is not the manifest's own."""
    return path != NAME and not set(path) & set("\\:\0") and not {"", "..", "."} & set(path.split("/"))


def leaves(folder: Path, below: str = "") -> Iterator[tuple[str, bool]]:
    """Every file, link and empty folder under a folder, and whether it is a plain file; links are not followed."""
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda e: e.name)
    if not entries and below:
        yield below.rstrip("/"), False
    for entry in entries:
        path = f"{below}{entry.name}"
        if entry.is_dir(follow_symlinks=False):
            yield from leaves(folder / entry.name, f"{path}/")
        else:
            yield path, entry.is_file(follow_symlinks=False)
