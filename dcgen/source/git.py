"""Reads files as they were committed: a revision of a Git repository as a place for texts. Nothing is checked out or changed."""

import os
import subprocess
from collections.abc import Sequence
from functools import cached_property
from pathlib import PurePath, PurePosixPath
from typing import NamedTuple

from dcgen.diagnostics import Diagnostic, Rejected
from dcgen.source.files import unread

MOST_LINKS = 40
"""Symbolic links that may lead from one to the next."""
_SHORT = 12
"""Digits of a commit that people see."""
_LONGEST_LINK = 4096
_SHALLOW = (
    "a part of the history was never fetched: this is a shallow clone",
    "fetch it: `git fetch --unshallow`, or in CI `fetch-depth: 0` for actions/checkout, `GIT_DEPTH: 0` for GitLab",
)


class Entry(NamedTuple):
    """One line of a tree: `kind` is `blob`, `tree` or `commit` (a submodule)."""

    mode: str
    kind: str
    digest: str

    @property
    def is_link(self) -> bool:
        """Whether it is a symbolic link."""
        return self.mode == "120000"


class Repository:
    """The repository around the working folder, asked through the `git` command."""

    def __init__(self) -> None:
        """The repository of the current folder.

        Raises:
            Rejected: no Git on this machine, no repository here, or one that Git refuses to read.
        """
        self._trees: dict[str, dict[str, Entry]] = {}
        done = self._run("rev-parse", "--show-prefix")
        if done.returncode:
            raise Rejected([_unusable(done.stderr.decode(errors="backslashreplace"))])
        self.prefix = os.fsdecode(done.stdout).rstrip("\n")
        """The way from the top of the working tree to the current folder, with `/` at its end unless it is the top."""

    def revision(self, name: str) -> "Revision":
        """The commit that a name such as `main`, `HEAD~2` or `v1` stands for.

        Raises:
            Rejected: there is none.
        """
        # what begins with a dash would be an option for git, and never is a revision
        done = None if not name or name[0] == "-" or "\0" in name else self._run("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
        if done is None or done.returncode:
            raise Rejected([self._unknown(name)])
        return Revision(self, done.stdout.decode().strip(), name)

    def between(self, asked: str) -> tuple["Revision", "Revision"]:
        """Both sides of a range: `A...B` begins where B was branched off A, `A..B` at A itself; an empty name is `HEAD`.

        Raises:
            Rejected: an unknown revision, or histories that do not meet.
        """
        left, dots, right = asked.partition("...") if "..." in asked else asked.partition("..")
        a, b = self.revision(left or "HEAD"), self.revision(right or "HEAD")
        if dots == "..":
            return a, b
        done = self._run("merge-base", a.commit, b.commit)
        if done.returncode:
            what = f"no commit is known from which both `{a.name}` and `{b.name}` come"
            said = _SHALLOW if self.shallow else ("their histories have nothing in common", f"compare the two: `{a.name}..{b.name}`")
            raise Rejected([Diagnostic("no-merge-base", what, *said)])
        base = done.stdout.decode().split()[0]
        return Revision(self, base, base[:_SHORT]), b

    @cached_property
    def shallow(self) -> bool:
        """Whether a part of the history was never fetched."""
        return self._run("rev-parse", "--is-shallow-repository").stdout.strip() == b"true"

    def differing(self, before: str, after: str) -> list[PurePosixPath]:
        """Paths that two commits do not have alike."""
        return self._paths("diff-tree", "-r", "-z", "--name-only", "--no-renames", before, after)

    def blueprints(self, commit: str) -> list[PurePosixPath]:
        """Paths of the blueprints of a commit."""
        keys = (word for key in ("dcgen", "name") for word in ("-e", f"^[\"']?{key}[\"']?[[:space:]]*:"))
        found = self._paths("grep", "-z", "-l", "-a", "-E", "--no-color", "--full-name", "--all-match", *keys, commit, "--", ":(top)*.yaml")
        return [PurePosixPath(path.as_posix().partition(":")[2]) for path in found]

    def _paths(self, *words: str) -> list[PurePosixPath]:
        return [PurePosixPath(path) for path in os.fsdecode(self._run(*words).stdout).split("\0") if path]

    def tree(self, digest: str) -> dict[str, Entry]:
        """Name -> entry of one folder."""
        if digest not in self._trees:
            done = self._run("ls-tree", "-z", "--full-tree", digest)
            lines = (line.split("\t", 1) for line in os.fsdecode(done.stdout).split("\0") if line)
            self._trees[digest] = {name: Entry(*head.split(" ")) for head, name in lines}
        return self._trees[digest]

    def blob(self, digest: str, most: int) -> bytes:
        """The first bytes of a file's content; git stops when nobody reads on."""
        with subprocess.Popen(
            ["git", "cat-file", "blob", digest],
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as git:
            assert git.stdout
            return git.stdout.read(most)

    def _unknown(self, name: str) -> Diagnostic:
        what = f"there is no revision `{name}` in this repository"
        if self.shallow:
            return Diagnostic("unknown-revision", what, *_SHALLOW)
        fix = "name a branch, a tag or a commit; `git fetch origin` brings those of others, called `origin/main`, for example"
        return Diagnostic("unknown-revision", what, fix=fix)

    def _run(self, *words: str) -> subprocess.CompletedProcess[bytes]:
        try:
            return subprocess.run(["git", *words], env=_environment(), stdin=subprocess.DEVNULL, capture_output=True, check=False)
        except OSError as error:
            fix = "install Git, or compare files: `dcgen diff BEFORE.yaml AFTER.yaml`"
            raise Rejected([Diagnostic("no-git", "the command `git` does not run", error.strerror or str(error), fix)]) from None


class Revision:
    """The files of one commit; paths count from the top of the repository."""

    def __init__(self, repository: Repository, commit: str, name: str) -> None:
        """`commit` is its full digest, `name` what messages call it."""
        self.repository, self.commit, self.name = repository, commit, name

    def called(self, path: PurePath) -> str:
        """`REVISION:path`, as Git itself takes it."""
        return f"{self.name}:{shown(path)}"

    def content(self, path: PurePath, most: int) -> bytes:
        """The first bytes of a file.

        Raises:
            Rejected: the commit has no such file.
        """
        name, found = self.called(path), self._walk(path)
        if found is None:
            raise unread(name, f"there is no file `{shown(path)}` in `{self.name}`", self._hint(path))
        if found[1].kind != "blob":
            what = "is a folder" if found[1].kind == "tree" else "is another repository (a submodule)"
            raise unread(name, f"`{name}` {what}", "name a file")
        return self.repository.blob(found[1].digest, most + 1)

    def inside(self, path: PurePath, folder: PurePath) -> PurePath | None:
        """The way from a folder to a file in it, links followed; None where the file lies elsewhere, or there is none of them."""
        file, base = self._walk(path), self._walk(folder)
        if base is None:
            return None
        real = PurePosixPath(*file[0]) if file else self._absent(path)
        return real.relative_to(PurePosixPath(*base[0])) if real and real.is_relative_to(PurePosixPath(*base[0])) else None

    def names(self, folder: PurePath, suffix: str) -> list[str]:
        """Names of the files in a folder that end so."""
        return sorted(name for name, entry in self.entries(folder).items() if name.endswith(suffix) and entry.kind == "blob")

    def entries(self, folder: PurePath) -> dict[str, Entry]:
        """Name -> entry of a folder; nothing where there is none."""
        found = self._walk(folder)
        return self.repository.tree(found[1].digest) if found and found[1].kind == "tree" else {}

    def has_links(self, folder: PurePath) -> bool:
        """Whether a symbolic link lies in a blueprint's folder or among the parts beside it."""
        return any(entry.is_link for there in (folder, folder / "parts") for entry in self.entries(there).values())

    def _absent(self, path: PurePath) -> PurePosixPath | None:
        """Where a file that is not there would lie; None for a link that leads nowhere, or out of the repository."""
        above = self._walk(path.parent)
        return PurePosixPath(*above[0], path.name) if above and path.name not in self.entries(path.parent) else None

    def _hint(self, path: PurePath) -> str:
        prefix = self.repository.prefix
        if prefix and self._walk(PurePosixPath(prefix) / path):
            return (
                f"paths count from the top of the repository: write `{self.name}:./{shown(path)}`, or `{self.name}:{prefix}{shown(path)}`"
            )
        return f"`git ls-tree -r --name-only {self.name}` lists what there is"

    def _walk(self, path: PurePath) -> tuple[tuple[str, ...], Entry] | None:
        """The path of a file or folder without links in it, and what it is; None if there is none, or it leads out of the repository."""
        top = Entry("040000", "tree", self.commit)
        way: list[tuple[str, Entry]] = []
        ahead, links = list(reversed(path.parts)), 0
        while ahead:
            part = ahead.pop()
            here = way[-1][1] if way else top
            if part == ".." and way:
                way.pop()
                continue
            entry = self.repository.tree(here.digest).get(part) if here.kind == "tree" else None
            if entry is None:  # also what begins with `/` or climbs above the top
                return None
            if not entry.is_link:
                way.append((part, entry))
                continue
            links += 1
            target = PurePosixPath(os.fsdecode(self.repository.blob(entry.digest, _LONGEST_LINK)))
            if links > MOST_LINKS:
                return None
            ahead += reversed(target.parts)
        return tuple(name for name, _ in way), way[-1][1] if way else top


def shown(path: PurePath) -> str:
    """A path as text: bytes of a name that are not UTF-8 are spelt out."""
    return path.as_posix().encode("utf-8", "backslashreplace").decode()


def located(word: str) -> tuple[Revision, PurePath] | None:
    """What `REVISION:path` names; a path that begins with `./` or `../` counts from the current folder. None without a colon.

    Raises:
        Rejected: no repository, no such revision, or a path that leads out of it.
    """
    name, colon, path = word.partition(":")
    if not colon:
        return None
    repository = Repository()
    revision = repository.revision(name)
    if path.startswith(("./", "../")):
        path = os.path.normpath(repository.prefix + path)
    if path.startswith(("/", "../")) or path == "..":
        raise unread(word, f"`{path}` lies outside the repository", "write a path from the top of the repository, without `/` before it")
    return revision, PurePosixPath(path)


def is_range(word: str) -> bool:
    """Whether a word is `A...B` or `A..B`, and no path: no revision's name holds two dots.

    >>> [is_range(w) for w in ("origin/main...HEAD", "v1..", "../pod.yaml", "main:a..b.yaml", "pod.yaml")]
    [True, True, False, False, False]
    """
    return ".." in word and not any(sign in word for sign in ("../", "/..", ":", "\0"))


def changed(asked: str, places: Sequence[str] = ()) -> list[tuple[PurePath, Revision | None, Revision | None]]:
    """Blueprints that a range may change, each with the commits that have it; `places` are folders or files to keep to.

    A blueprint is a `.yaml` file with the keys `dcgen` and `name`. It reads nothing outside its folder, unless a link leads there.

    Raises:
        Rejected: what `Repository.between` refuses, or a place where neither commit has a blueprint.
    """
    repository = Repository()
    before, after = repository.between(asked)
    touched = repository.differing(before.commit, after.commit)
    near = {folder for path in touched for folder in path.parents}
    kept = [PurePosixPath(os.path.normpath(repository.prefix + place)) for place in places]
    sides = [(side, set(repository.blueprints(side.commit))) for side in (before, after)] if touched or kept else []
    known = {path for _, paths in sides for path in paths}
    if empty := [p for p, k in zip(places, kept, strict=True) if not any(path.is_relative_to(k) for path in known)]:
        why, fix = f"neither commit of {asked} has one there", "name a folder or file as it stands in the repository"
        raise Rejected([Diagnostic("cannot-read", f"`{place}` holds no blueprint", why, fix) for place in empty])
    out: list[tuple[PurePath, Revision | None, Revision | None]] = []
    for path in sorted(known):
        wanted = not kept or any(path.is_relative_to(place) for place in kept)
        if wanted and (path.parent in near or any(side.has_links(path.parent) for side, _ in sides)):
            one, other = (side if path in paths else None for side, paths in sides)
            out.append((path, one, other))
    return out


def _unusable(said: str) -> Diagnostic:
    fix = "go into the working tree of a repository, or compare files: `dcgen diff BEFORE.yaml AFTER.yaml`"
    if "not a git repository" in said:
        return Diagnostic("no-repository", "the current folder is in no Git repository", "a revision was named", fix)
    reason = next((line.removeprefix("fatal: ") for line in said.splitlines() if line), "it did not say why")
    return Diagnostic("no-repository", "Git does not read the repository of the current folder", f"git: {reason}", "mend that first")


def _environment() -> dict[str, str]:
    """The same words in every country, no question, no lock, no pager."""
    return {**os.environ, "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0"}
