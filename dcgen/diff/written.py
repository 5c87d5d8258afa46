"""What a person wrote differently, and so which changes were written and which only follow."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from dcgen.design import Design
from dcgen.design.moves import covers
from dcgen.diagnostics import Path
from dcgen.diff.model import Field

_TOLD = 3
"""Causes that are named; the others are counted."""


@dataclass(frozen=True)
class Texts:
    """What both blueprints say; `name` turns a name of the one before into its new one. `parts` are those whose data differ."""

    before: Design
    after: Design
    name: Callable[[str], str]
    parts: frozenset[str] = frozenset()

    @cached_property
    def known(self) -> bool:
        """Whether it is known what was written; a design that was saved without it, or made by a program, does not say."""
        return bool(self.before.written and self.after.written)

    @cached_property
    def differing(self) -> dict[str, Field]:
        """Dotted path -> what is said there before and after, where that is not the same."""
        old = {self._renamed(path): text for path, text in self.before.written.items()}
        new = self.after.written
        paths = [p for p in dict.fromkeys([*new, *old]) if old.get(p) != new.get(p)]
        return {p: Field(p, old.get(p, ""), new.get(p, "")) for p in paths}

    def _renamed(self, path: str) -> str:
        section, _, rest = path.partition(".")
        entry, dot, inner = rest.partition(".")
        return f"{section}.{self.name(entry)}{dot}{inner}" if section in ("racks", "fabrics") else path

    def written(self, origin: Path, part: str = "") -> bool:
        """Whether something at or below a path of the blueprint, or a part, says something else; so if nothing is known."""
        return not self.known or part in self.parts or bool(self._below([_dotted(origin)]))

    def why(self, group: str, origin: Path) -> str:
        """What a change follows from: what is written differently of its own entry or fabric, else of those it is cabled to."""
        entry = str(origin[1]) if len(origin) > 1 else group.partition("/")[0]
        own = [f"fabrics.{entry}", f"racks.{entry}"]
        joined = [f"{kind}.{n}" for n in self._joined(entry) for kind in ("racks", "fabrics")]
        found = self._below(own) or self._below(joined) or list(self.differing.values())
        parts = [f"the part {p}" for p in sorted(self.parts & self._used(entry))]
        said = [*parts, *(said_of(f) for f in found)]
        if not said:
            return "nothing that is written differs" if self.known else ""
        return "follows from " + "; ".join(said[:_TOLD]) + (f"; and {len(said) - _TOLD} more" if len(said) > _TOLD else "")

    def _below(self, prefixes: Iterable[str]) -> list[Field]:
        return [f for p, f in self.differing.items() if any(p == x or p.startswith((f"{x}.", f"{x}[")) for x in prefixes if x)]

    def _joined(self, entry: str) -> list[str]:
        """Entries that are cabled to this one."""
        ends = [[e.group.partition("/")[0] for e in b.ends] for d in (self.before, self.after) for b in d.bundles]
        return list(dict.fromkeys(n for pair in ends if entry in pair for n in pair if n != entry))

    def _used(self, entry: str) -> set[str]:
        return {g.part for d in (self.before, self.after) for n, g in d.groups.items() if covers(entry, n)}


def _dotted(origin: Path) -> str:
    """The path down to the first number: what stands in a list has no name of its own."""
    words: list[str] = []
    for word in origin:
        if isinstance(word, int):
            break
        words.append(word)
    return ".".join(words)


def said_of(f: Field) -> str:
    """`racks.compute.axes.su: 4 → 5`."""
    if f.before and f.after:
        return f"{f.name}: {f.before} → {f.after}"
    return f"{f.name}: {f.after}, which is new" if f.after else f"{f.name}, which is gone"
