"""The places that texts are read from: a disk, or what a program offers in its stead."""

import os
from pathlib import Path, PurePath
from typing import Protocol

from dcgen.diagnostics import Diagnostic, Rejected, Where


class Files(Protocol):
    """Files by their paths. Everything that a blueprint leads to is read from the place where the blueprint itself lies."""

    def called(self, path: PurePath) -> str:
        """What messages call a file."""

    def content(self, path: PurePath, most: int) -> bytes:
        """The first `most` + 1 bytes of a file.

        Raises:
            Rejected: there is none, or it cannot be read.
        """

    def inside(self, path: PurePath, folder: PurePath) -> PurePath | None:
        """The way from a folder to a file in it, links followed on both sides; None where the file lies elsewhere."""

    def names(self, folder: PurePath, suffix: str) -> list[str]:
        """Names of the files in a folder that end so, sorted; none where there is no such folder."""


class Disk:
    """The files of this machine."""

    def called(self, path: PurePath) -> str:
        """The path with `/`."""
        return path.as_posix()

    def content(self, path: PurePath, most: int) -> bytes:
        """The first bytes of a file.

        Raises:
            Rejected: there is none, it is a folder, or may not be read.
        """
        name = self.called(path)
        try:
            with Path(path).open("rb") as file:
                return file.read(most + 1)
        except FileNotFoundError:
            raise unread(name, f"there is no file `{name}`", "check the path") from None
        except IsADirectoryError:
            raise unread(name, f"`{name}` is a folder", "name a file") from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise unread(name, f"`{name}` cannot be read", "check its permissions", reason) from None

    def inside(self, path: PurePath, folder: PurePath) -> PurePath | None:
        """The way from a folder to a file in it; None where the file lies elsewhere or links go in a circle."""
        try:
            real, base = Path(path).resolve(), Path(folder).resolve()
        except (OSError, RuntimeError):
            return None
        return real.relative_to(base) if real.is_relative_to(base) else None

    def names(self, folder: PurePath, suffix: str) -> list[str]:
        """Names of the files in a folder that end so."""
        there = Path(folder)
        return sorted(file.name for file in there.glob(f"*{suffix}")) if os.path.isdir(there) else []


DISK = Disk()


def unread(name: str, what: str, fix: str, why: str = "") -> Rejected:
    """The rejection of a file that cannot be read."""
    return Rejected([Diagnostic("cannot-read", what, why, fix, where=Where(name))])
