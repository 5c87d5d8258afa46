"""One writer at a time: a lock file that names its holder, and that the system lets go when the holder dies."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

from dcgen.diagnostics import Diagnostic, Rejected

_TRIES, _PAUSE_S = 25, 0.02


@contextmanager
def held(path: Path) -> Iterator[int | None]:
    """Hold the lock at `path`; gives the process id of a dead holder that it was taken from, or None.

    The file holds `pid start`, the start of the process in clock ticks since boot where the system tells it.

    Raises:
        Rejected: `output-in-use` while another run holds it.
        OSError: no file can be made there.
    """
    handle = None
    try:
        with _undisturbed():
            handle, before = _taken(path)
        yield before
    finally:
        if handle is not None:
            with suppress(OSError):
                os.ftruncate(handle, 0)
                path.unlink()
            os.close(handle)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Ctrl-C waits until the end: a lock file that is made but not yet known to be ours would stay."""
    came: list[tuple[int, FrameType | None]] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: came.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came and callable(before):
        before(*came[0])


def _taken(path: Path) -> tuple[int, int | None]:
    pid, flags = None, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    for _ in range(_TRIES):
        handle = os.open(path, flags, 0o666)
        ours = _lock(handle) and _still(handle, path)
        pid, start = _holder(handle)
        if ours and not (pid and start and _started(pid) == start):
            os.ftruncate(handle, 0)
            os.lseek(handle, 0, os.SEEK_SET)
            os.write(handle, f"{os.getpid()} {_started(os.getpid())}\n".encode())
            return handle, pid
        os.close(handle)
        if pid and _started(pid) == start:
            break
        time.sleep(_PAUSE_S)  # the holder is between taking the lock and writing its name, or just gone
    who = f"pid {pid}" if pid else "another run"
    what = f"`{path.parent}` is in use by {who}, which writes the same design"
    fix = "wait until it has ended, or use another folder: -o DIR"
    raise Rejected([Diagnostic("output-in-use", what, "two runs at once would mix their files", fix)])


def _lock(handle: int) -> bool:
    """Whether the system gives the lock. A file system without locks always does: then the name in the file decides."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(handle, 1 << 20, os.SEEK_SET)  # far behind the text, which others must be able to read
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return True
    return True


def _still(handle: int, path: Path) -> bool:
    """Whether the path still leads to the file that was opened: the last holder removes it."""
    try:
        return os.path.samestat(os.fstat(handle), path.lstat())
    except FileNotFoundError:
        return False


def _holder(handle: int) -> tuple[int | None, str]:
    os.lseek(handle, 0, os.SEEK_SET)
    pid, _, start = os.read(handle, 100).decode(errors="replace").strip().partition(" ")
    return (int(pid) if pid.isascii() and pid.isdigit() else None), start


def _started(pid: int) -> str:
    """When a living process began, in ticks since boot; empty for a dead one and where the system does not tell."""
    try:
        state, *fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (OSError, ValueError):
        return ""
    return "" if state in "ZX" else fields[18]
