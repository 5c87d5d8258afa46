"""Writes a design's folder so that it is always entirely the old one or entirely the new one, and nobody else's files are lost."""

import ctypes
import os
import re
import shutil
import stat
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from dcgen.cli import lock, manifest
from dcgen.cli.gallery import forms
from dcgen.cli.manifest import Entry
from dcgen.cli.steps import Artifact
from dcgen.diagnostics import Diagnostic, Rejected

T = TypeVar("T")

_HERE, _EXCHANGE = -100, 2
"""AT_FDCWD and RENAME_EXCHANGE of Linux."""


@dataclass(frozen=True, slots=True)
class Written:
    """What a run left: path in the folder -> entry; and the dead process whose lock it took over, if any."""

    files: dict[str, Entry]
    taken_from: int | None


def write(root: Path, name: str, artifacts: Callable[[], Iterable[Artifact]], gallery: bool, doing: Callable[[str], None]) -> Written:
    """Write artifacts into `root/name`, with a manifest; files there that dcgen did not write stay.

    Everything is written into `root/.dcgen-<name>-<pid>` first, which then changes places with the folder.

    Raises:
        Rejected: `output-in-use`, or `cannot-write` and nothing has changed.
        ValueError: a name that leads out of the folder, which an earlier stage must not let through.
    """
    if "/" in name or not manifest.inside(name):
        raise ValueError(f"a folder cannot be named `{name}`")
    target, work, aside = root / name, root / f".dcgen-{name}-{os.getpid()}", root / f".dcgen-{name}-old"
    with _made(root), _writing(root), lock.held(root / f".dcgen-{name}.lock") as taken_from:
        _recover(root, name)
        if os.path.lexists(target) and not _is_folder(target):
            raise Rejected([_in_the_way(target, "a folder", "only a folder can be replaced in one step")])
        try:
            work.mkdir()
            files = _fill(work, artifacts(), gallery, doing)
            if _is_folder(target):
                _keep_foreign(target, work, {*files, manifest.NAME})
            _swap(work, target, aside)
        finally:
            shutil.rmtree(work, ignore_errors=True)
    return Written(files, taken_from)


@contextmanager
def _made(root: Path) -> Iterator[None]:
    """The folder, and its parents; those that were made for nothing are removed again."""
    absent = [folder for folder in (root, *root.parents) if not os.path.lexists(folder)]
    try:
        with _writing(root):
            root.mkdir(parents=True, exist_ok=True)
        yield
    finally:
        with suppress(OSError):
            for folder in absent:
                folder.rmdir()


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        at = error.filename if isinstance(error.filename, str) and ".dcgen-" not in error.filename else path
        fix = "free some space, mend the permissions, or use another folder: -o DIR"
        raise Rejected([Diagnostic("cannot-write", f"`{at}` cannot be written", error.strerror or str(error), fix)]) from None


def _in_the_way(path: Path, wanted: str, why: str) -> Diagnostic:
    kind = "a link" if path.is_symlink() else "a folder" if path.is_dir() else "a file"
    what = f"`{path}` is {kind} that dcgen did not make, and {wanted} must stand there"
    return Diagnostic("cannot-write", what, why, "move it away, or use another folder: -o DIR", subject=str(path))


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _recover(root: Path, name: str) -> None:
    """Tidy up after a run that was killed; whoever holds the lock knows that no such folder is in use."""
    aside = root / f".dcgen-{name}-old"
    if aside.is_dir() and not os.path.lexists(root / name):
        aside.rename(root / name)
    left = re.compile(rf"\.dcgen-{re.escape(name)}-(\d+|old)")
    for entry in root.iterdir():
        if left.fullmatch(entry.name) and _is_folder(entry):
            shutil.rmtree(entry, ignore_errors=True)


def _fill(work: Path, artifacts: Iterable[Artifact], gallery: bool, doing: Callable[[str], None]) -> dict[str, Entry]:
    files: dict[str, Entry] = {}
    for artifact in _unbroken(artifacts):
        doing(f"writing {artifact.path}")
        for path, chunks in forms(artifact.path, _unbroken(artifact.chunks), gallery, artifact.rows):
            if not manifest.inside(path) or path in files:
                raise ValueError(f"an artifact cannot be named `{path}`")
            files[path] = _put(work / path, chunks)
    _put(work / manifest.NAME, [manifest.text(files)])
    return files


def _unbroken(made: Iterable[T]) -> Iterator[T]:
    """What is made, as it is made; a system error while making it is a bug of dcgen and no fault of the disk."""
    try:
        yield from made
    except OSError as error:
        raise RuntimeError(f"the content could not be made: {error}") from error


def _put(path: Path, chunks: Iterable[bytes]) -> Entry:
    """One file; while a piece is on its way to the disk the next one is made, because both take long for a large plan."""
    digest, size = sha256(), 0
    path.parent.mkdir(parents=True, exist_ok=True)

    def store(chunk: bytes) -> int:
        digest.update(chunk)
        return file.write(chunk)

    with path.open("xb") as file, ThreadPoolExecutor(1) as writer:
        on_its_way: Future[int] | None = None
        for chunk in chunks:
            size += on_its_way.result() if on_its_way else 0
            on_its_way = writer.submit(store, chunk)
        size += on_its_way.result() if on_its_way else 0
    return Entry(digest.hexdigest(), size)


def _keep_foreign(target: Path, work: Path, made: set[str]) -> None:
    """Give the new folder what is not dcgen's of the old one: hard links, so that no moment knows them in neither.

    Raises:
        Rejected: something foreign stands where a file must go.
    """
    folders = {path[:at] for path in made for at, sign in enumerate(path) if sign == "/"}
    own = manifest.own(target)
    foreign = [path for path, plain in manifest.leaves(target) if not (plain and path in own)]
    blocked = [path for path in foreign if _blocks(target / path, path, made, folders)]
    if blocked:
        why = f"no `{manifest.NAME}` of dcgen lists it, so it is kept"
        raise Rejected([_in_the_way(target / path, "a file of this design", why) for path in blocked])
    for path in foreign:
        if _is_folder(target / path):
            (work / path).mkdir(parents=True, exist_ok=True)
        else:
            (work / path).parent.mkdir(parents=True, exist_ok=True)
            _link(target / path, work / path)
    work.chmod(stat.S_IMODE(target.stat().st_mode) | stat.S_IRWXU)


def _blocks(there: Path, path: str, made: set[str], folders: set[str]) -> bool:
    above = any(path[:at] in made for at, sign in enumerate(path) if sign == "/")
    return path in made or above or (path in folders and not _is_folder(there))


def _link(source: Path, copy: Path) -> None:
    try:
        os.link(source, copy, follow_symlinks=False)
    except (OSError, NotImplementedError):  # a file system without hard links
        shutil.copy2(source, copy, follow_symlinks=False)


def _swap(work: Path, target: Path, aside: Path) -> None:
    """Put the new folder in place of the old, which ends at `work` or is gone."""
    if not os.path.lexists(target):
        work.rename(target)
        return
    if _exchange(work, target):
        return
    try:
        target.rename(aside)
        work.rename(target)
    finally:
        if aside.is_dir() and not os.path.lexists(target):
            aside.rename(target)
    shutil.rmtree(aside, ignore_errors=True)


def _exchange(one: Path, other: Path) -> bool:
    """Let two folders change places in one step; False where the system cannot, and then nothing has changed."""
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError, TypeError):
        return False
    return bool(rename(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE) == 0)
