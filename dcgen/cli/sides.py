"""What stands before and after a change: files, variants, folders, saved designs, commits; each read only when it is its turn."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import dcgen
from dcgen.cli.options import targets
from dcgen.diagnostics import Diagnostic, Rejected, Where, in_order

if TYPE_CHECKING:
    from dcgen import Analysis, Design, Files

Place = Callable[[Iterable[Diagnostic]], Sequence[Diagnostic]]


@dataclass(frozen=True)
class How:
    """What is the same for both sides: settings of parameters, a slice, whether flows are left out, and who hears what goes on."""

    settings: Mapping[str, str]
    only: str | None
    quick: bool
    doing: Callable[[str], None]


@dataclass(frozen=True)
class Side:
    """One design of a comparison, analysed when that is asked for. Without one, `problems` say why; `place` gives findings a line."""

    name: str
    design: "Design | None"
    place: Place
    problems: tuple[Diagnostic, ...] = ()
    quick: bool = False

    @cached_property
    def analysis(self) -> "Analysis | None":
        """What follows from it, with places; None where there is no design."""
        if self.design is None:
            return None
        found = dcgen.analyse(self.design, self.quick)
        return replace(found, findings=tuple(self.place(found.findings)))


Opener = Callable[[How], Side]


@dataclass(frozen=True)
class Pair:
    """Two designs that are one thing before and after; a side that is None has no such thing."""

    name: str
    before: Opener | None
    after: Opener | None


def pairs(before: str, after: Sequence[str]) -> list[Pair]:
    """What the words of a command line ask to compare.

    Raises:
        Rejected: a file that cannot be read, or words of different kinds.
    """
    if dcgen.is_range(before):
        return [pair for found in dcgen.changed(before, after) for pair in _of_commits(*found)]
    one, other = opened(before), opened(after[0])
    folders = [os.path.isdir(word) for word in (before, after[0])]
    if folders[0] != folders[1]:
        what = f"`{before}` and `{after[0]}`: one is a folder, the other is not"
        raise Rejected([Diagnostic("cannot-read", what, fix="name two files, or two folders", where=Where(before))])
    if len(one) == len(other) == 1 and not any(folders):
        return [Pair("", *one.values(), *other.values())]
    if not one and not other:
        what = f"neither `{before}` nor `{after[0]}` holds a blueprint"
        why = "a blueprint is a `.yaml` file with the keys `dcgen` and `name`"
        raise Rejected([Diagnostic("cannot-read", what, why, "name the folders that hold them", where=Where(before))])
    return [Pair(name, one.get(name), other.get(name)) for name in sorted({*one, *other})]


def opened(word: str) -> dict[str, Opener]:
    """The designs that a word names: by file name in a folder, by variant of a file, else under an empty name."""
    path = Path(word)
    if path.suffix == ".json":
        return {"": partial(_saved, path)}
    if not os.path.isdir(path):
        found: dict[str, Opener] = {variant or "": partial(_blueprint, file, None, variant) for file, variant in targets(path)}
        return found
    return {name: opener for file in sorted(path.glob("*.yaml")) for name, opener in _versions(file, None, file.name).items()}


def _versions(file: PurePath, files: "Files | None", name: str) -> dict[str, Opener]:
    """A blueprint and its variants; nothing for a file that is no blueprint; one that cannot be read says so when it is its turn."""
    variants: list[str] = []
    try:
        source = dcgen.read(file, files)
        if not {"dcgen", "name"} <= set(source.data):
            return {}
        variants = dcgen.variants(source)
    except Rejected:
        pass
    return {f"{name}@{v}" if v else name: partial(_blueprint, file, files, v) for v in (None, *variants)}


def _of_commits(path: PurePath, before: "Files | None", after: "Files | None") -> list[Pair]:
    one, other = ({} if files is None else _versions(path, files, str(path)) for files in (before, after))
    return [Pair(name, one.get(name), other.get(name)) for name in dict.fromkeys([*other, *one])]


def _saved(path: Path, how: How) -> Side:
    how.doing(f"reading {path}")
    return _side(str(path), lambda: dcgen.saved(path), _as_they_are, how)


def _blueprint(file: PurePath, files: "Files | None", variant: str | None, how: How) -> Side:
    name = f"{file}@{variant}" if variant else str(file)
    how.doing(f"reading {name}")
    try:
        blueprint = dcgen.parse(dcgen.read(file, files), how.settings, variant)
    except Rejected as rejected:
        return Side(name, None, _as_they_are, rejected.diagnostics)
    return _side(name, lambda: dcgen.lay_out(blueprint), partial(dcgen.place, blueprint), how)


def _side(name: str, design: "Callable[[], Design]", place: Place, how: How) -> Side:
    try:
        whole = design()
        cut = whole if how.only is None else dcgen.only(whole, how.only)
    except Rejected as rejected:
        return Side(name, None, place, tuple(in_order(place(rejected.diagnostics))))
    return Side(name, cut, place, quick=how.quick)


def _as_they_are(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(diagnostics)
