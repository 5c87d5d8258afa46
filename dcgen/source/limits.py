"""How large, deep and repetitive a file may be, and what is said when it is more."""

from dataclasses import dataclass

from dcgen.diagnostics import Diagnostic, Where


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one file, checked before anything is built from it.

    `file` and `scalar` [bytes]; `depth` [levels]; `nodes` once every alias stands for all it repeats; `aliases` as written.
    """

    file: int = 10 * 2**20
    scalar: int = 2**20
    depth: int = 100
    nodes: int = 1_000_000
    aliases: int = 10_000

    def exceeded(self, name: str, where: Where) -> Diagnostic:
        """What to say about the first place beyond the limit called `name`."""
        what, fix = _SAID[name]
        number = f"{getattr(self, name):,}"
        return Diagnostic("limit-exceeded", what, f"the limit `{name}` is {number}", fix, where=where)


_SAID = {
    "file": ("the file is too large (bytes)", "split it into several files"),
    "scalar": ("one text in the file is too long (bytes)", "shorten it"),
    "depth": ("mappings and lists are nested too deep (levels)", "nest less"),
    "nodes": ("the file holds too many values, counting what aliases repeat", "repeat less, or split the file"),
    "aliases": ("the file uses too many aliases", "use fewer `*aliases`"),
}
