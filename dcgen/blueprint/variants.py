"""What-if versions of a blueprint: each sets a few values by their dotted names."""

from collections.abc import Iterator
from typing import Any

from dcgen.diagnostics import Diagnostic, Path, Rejected, did_you_mean
from dcgen.parts.fields import fault
from dcgen.source import Source, grafted

_FIXED = {
    "dcgen": "a file is written in one version of the language",
    "include": "files are included before a variant is put in",
    "name": "a design is called after the blueprint and the variant",
    "params": "a variant sets values; parameters are set with `--set`",
    "variants": "one variant is put in at a time",
}
"""What no variant sets, and why."""


def setting(dotted: Any) -> Any:
    """The dotted name of something that a variant may set."""
    head = dotted.split(".")[0] if isinstance(dotted, str) else ""
    if head in _FIXED:
        raise fault("bad-variant", f"`{head}` cannot be set by a variant", "take the line out of the variant", _FIXED[head])
    return dotted


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
        if path[0] in _FIXED:
            what = f"`{dotted}` cannot be set by a variant"
            problems.append(Diagnostic("bad-variant", what, _FIXED[path[0]], "take the line out of the variant", origin=origin))
            continue
        try:
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
