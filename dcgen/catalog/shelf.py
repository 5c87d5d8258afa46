"""Finds parts by name and opens only those that are asked for."""

from collections.abc import Collection, Iterator
from difflib import get_close_matches
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import PurePath
from typing import get_args

from dcgen.diagnostics import Diagnostic, Rejected, did_you_mean
from dcgen.parts import KINDS, Part
from dcgen.source import DISK, Files, Source, parse_text, read, validate

_SUFFIX = ".yaml"


class Shelf:
    """Parts by id: those of the user's folder first, then those that ship with dcgen.

    A file is named after its part, so names are known without opening anything.
    """

    def __init__(self, folder: PurePath | None = None, files: Files = DISK) -> None:
        """`folder`, somewhere among `files`, holds one `<part-id>.yaml` per part of the user; it need not exist."""
        own = [folder / name for name in files.names(folder, _SUFFIX)] if folder else []
        self._own = {file.stem: file for file in own}
        self._place = files
        self._ids = sorted({*_shipped(), *self._own})
        self._parts: dict[str, Part] = {}

    def ids(self) -> list[str]:
        """The names of all parts, sorted."""
        return list(self._ids)

    def get(self, part_id: str) -> Part:
        """The part of that name, read once.

        Raises:
            Rejected: no such part, or its file does not describe it.
        """
        if part_id not in self._parts:
            self._parts[part_id] = self._open(part_id)
        return self._parts[part_id]

    def all(self) -> Iterator[Part]:
        """Every part, by name.

        Raises:
            Rejected: at the first file that does not describe a part.
        """
        return (self.get(name) for name in self.ids())

    def of_kind(self, kinds: Collection[str], unreadable: list[Diagnostic], mentioning: str = "") -> Iterator[Part]:
        """Every part of these kinds, by name, in whose file a word stands; a shipped one is parsed only if it is one and has it.

        A file of the user's that describes no part is left out and said in `unreadable`: it may not even be meant for this design.
        """
        for name in self.ids():
            if name in self._own or (_shipped()[name][0] in kinds and mentioning in _text(name)):
                try:
                    part = self.get(name)
                except Rejected as e:
                    unreadable += e.diagnostics
                    continue
                if part.kind in kinds:
                    yield part

    @staticmethod
    def parse(source: Source) -> Part:
        """The part that a text describes; `kind` decides what it may say.

        Raises:
            Rejected: everything that does not fit, each at its line.
        """
        models = _models()
        if "kind" not in source.data:
            raise _rejected(source, "missing-key", (), "the part has no `kind`", f"write for example `kind: {next(iter(models))}`")
        word = source.data["kind"]
        if not isinstance(word, str) or word not in models:
            shown = f"`{word}` is not a kind of part" if isinstance(word, str) else "`kind` is not a single word"
            raise _rejected(source, "bad-choice", ("kind",), shown, did_you_mean(word if isinstance(word, str) else "", models))
        return validate(models[word], source)

    def _open(self, part_id: str) -> Part:
        own, shipped = self._own.get(part_id), _shipped().get(part_id)
        if own:
            source = read(own, files=self._place)
        elif shipped:
            source = parse_text(shipped[1].read_bytes(), f"dcgen/catalog/{shipped[1].name}")
        else:
            what = f"there is no part `{part_id}`"
            raise Rejected([Diagnostic("unknown-part", what, "neither in `parts/` nor on the shelf", self._near(part_id))])
        part = self.parse(source)
        if part.part != part_id:
            what = f"the file `{source.file.name}` describes the part `{part.part}`"
            fix = f"name the file `{part.part}{_SUFFIX}`, or the part `{part_id}`"
            raise _rejected(source, "bad-name", ("part",), what, fix, "a part is found by the name of its file")
        return part

    def _near(self, part_id: str) -> str:
        """The fix for an unknown name; part numbers differ by a digit, so one suggestion would often be the wrong one."""
        near = get_close_matches(part_id.casefold(), self.ids(), 3, 0.6)
        return f"did you mean {' or '.join(f'`{name}`' for name in near)}?" if near else did_you_mean(part_id, self.ids())


def _rejected(source: Source, code: str, origin: tuple[str, ...], what: str, fix: str, why: str = "") -> Rejected:
    return Rejected(source.place([Diagnostic(code, what, why, fix, origin=origin)]))


@cache
def _models() -> dict[str, type[Part]]:
    """The word after `kind:` -> the model that reads such a part."""
    return {word: model for model in KINDS for word in get_args(model.model_fields["kind"].annotation)}


@cache
def _text(part_id: str) -> str:
    """The text of a shipped part's file: far cheaper to read than to parse."""
    return _shipped()[part_id][1].read_text(encoding="utf-8")


@cache
def _shipped() -> dict[str, tuple[str, Traversable]]:
    """Part id -> (kind, file), for every part that ships with dcgen; the folder is the kind."""
    kinds = (kind for kind in resources.files("dcgen.catalog").joinpath("data").iterdir() if kind.is_dir())
    return {file.name.removesuffix(_SUFFIX): (kind.name, file) for kind in kinds for file in kind.iterdir() if file.name.endswith(_SUFFIX)}
