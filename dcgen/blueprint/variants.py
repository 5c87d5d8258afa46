"""What-if versions of a blueprint: each sets a few values by their dotted names."""

from collections.abc import Iterator

from dcgen.diagnostics import Diagnostic, Path, Rejected, did_you_mean
from dcgen.source import Source, grafted


def variants(source: Source) -> list[str]:
    """Names of the variants that a blueprint declares, in the order they are written."""
    written = source.data.get("variants") if isinstance(source.data, dict) else None
    return list(written) if isinstance(written, dict) else []


def varied(source: Source, variant: str | None) -> Source:
    """The source with one variant's values in place; errors about them point at the variant's own lines.

    Raises:
        Rejected: no such variant, or it sets something that is not there.
    """
    if not variant:
        return source
    known = variants(source)
    if variant not in known:
        what = f"`{source.name}` has no variant `{variant}`"
        raise Rejected(source.place([Diagnostic("unknown-variant", what, fix=did_you_mean(variant, known), origin=("variants",))]))
    written = source.data["variants"][variant]
    problems: list[Diagnostic] = []
    for dotted in written if isinstance(written, dict) else ():
        origin: Path = ("variants", variant, dotted)
        path = tuple(_path(source.data, dotted))
        try:
            if path[0] in ("variants", "params", "dcgen", "name"):
                raise KeyError(path[0])
            source = grafted(source, path, origin)
        except KeyError:
            parent = source.data
            for key in path[:-1]:
                parent = parent.get(key) if isinstance(parent, dict) else None
            fix = did_you_mean(str(path[-1]), parent) if isinstance(parent, dict) else "name something that the blueprint writes"
            problems.append(Diagnostic("bad-variant", f"`{dotted}` cannot be set by a variant", fix=fix, origin=origin))
    if problems:
        raise Rejected(source.place(problems))
    return source


def _path(data: object, dotted: str) -> Iterator[str]:
    """Keys of a dotted name; where a key itself has dots, the longest one that is written wins."""
    words = dotted.split(".")
    while words:
        n = next((n for n in range(len(words), 0, -1) if isinstance(data, dict) and ".".join(words[:n]) in data), 1)
        key, words = ".".join(words[:n]), words[n:]
        data = data.get(key) if isinstance(data, dict) else None
        yield key
