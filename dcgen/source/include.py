"""Puts the files that a blueprint includes into it: one tree, in which every value still knows its own file."""

from dataclasses import replace
from pathlib import PurePath, PurePosixPath

from dcgen.diagnostics import Diagnostic, Path, Rejected, Where
from dcgen.source.nodes import Node
from dcgen.source.yaml import Source, read

DEEPEST = 20
"""Files that may include one another in a chain."""
_OWN = ("name", "title", "notes", "include")
"""Keys that an included file keeps to itself."""


def included(source: Source) -> Source:
    """The source with everything under its `include:` put in.

    Sections of both files are put together: mappings by key, lists one after the other; a key that two files write is an error.
    What the including file says of itself (`name`, `title`, `notes`) stays.

    Raises:
        Rejected: paths that leave the blueprint's folder, circles, keys written twice, and what is wrong in an included file.
    """
    if not isinstance(source.root.value, dict) or "include" not in source.root.value:
        return source
    root = _Gather(source).gather(source, ())
    return replace(source, data=root.plain(), root=root)


class _Gather:
    def __init__(self, blueprint: Source) -> None:
        self._files, self._folder = blueprint.files, blueprint.file.parent
        self._done: set[PurePath] = set()

    def gather(self, source: Source, chain: tuple[PurePath, ...]) -> Node:
        """The tree of one file with its includes, deepest first; `chain` leads to it, each file by its way from the folder."""
        own = source.root
        assert isinstance(own.value, dict)
        chain = (*chain, self._files.inside(source.file, self._folder) or PurePath(source.file.name))
        sections: dict[str, tuple[Node, Node]] = {}
        problems: list[Diagnostic] = []
        for i, path in enumerate(self._paths(source)):
            where = source.where(("include", i))
            file = self._safe(path, source, where, chain)
            if file in self._done:
                continue
            self._done.add(file)
            inner = self._read(file, where, chain)
            if not isinstance(inner.root.value, dict):
                raise Rejected([Diagnostic("wrong-type", f"`{path}` is not a mapping", fix="write `key: value` lines", where=where)])
            tree = self.gather(inner, chain)
            assert isinstance(tree.value, dict)
            _merge(sections, {k: v for k, v in tree.value.items() if k not in (*_OWN, "dcgen")}, problems)
        _merge(sections, {k: v for k, v in own.value.items() if k != "include"}, problems)
        if problems:
            raise Rejected(problems)
        return replace(own, value=sections)

    def _paths(self, source: Source) -> list[str]:
        written = source.data.get("include", [])
        found = written if isinstance(written, list) else [written]
        wrong = [x for x in found if not isinstance(x, str)]
        if wrong:
            where = source.where(("include",))
            raise Rejected([Diagnostic("wrong-type", "`include` lists file names", fix="write `include: [pods/p7.yaml]`", where=where)])
        return [str(x) for x in found]

    def _safe(self, path: str, source: Source, where: Where, chain: tuple[PurePath, ...]) -> PurePath:
        """The way to the file, if it lies inside the blueprint's folder and is not being read already."""
        pure = PurePosixPath(path)
        odd = pure.is_absolute() or "://" in path or "\\" in path or pure.suffix != ".yaml"
        file = None if odd else self._files.inside(source.file.parent / path, self._folder)
        if file is None:
            what = f"`{path}` is not a `.yaml` file inside the blueprint's folder"
            raise Rejected([Diagnostic("include-outside", what, fix="write a path below the blueprint, with `/`", where=where)])
        if file in chain or len(chain) > DEEPEST:
            said = " -> ".join(p.name for p in (*chain, pure))
            raise Rejected([Diagnostic("include-cycle", f"files include each other: {said}", fix="take one `include:` out", where=where)])
        return file

    def _read(self, file: PurePath, where: Where, chain: tuple[PurePath, ...]) -> Source:
        try:
            found = read(self._folder / file, files=self._files)
        except Rejected as e:
            via = f"included at {where}" + (f", from {' -> '.join(p.name for p in chain)}" if len(chain) > 1 else "")
            raise Rejected([replace(d, why=f"{d.why}; {via}" if d.why else via) for d in e.diagnostics]) from None
        return replace(found, root=_of_file(found.root, found.name))


def _of_file(node: Node, file: str) -> Node:
    """The same tree, each value with the file that it stands in."""
    value = node.value
    if isinstance(value, dict):
        value = {k: (_of_file(name, file), _of_file(inner, file)) for k, (name, inner) in value.items()}
    elif isinstance(value, list):
        value = [_of_file(inner, file) for inner in value]
    return Node(value, node.line, node.column, file)


def _merge(into: dict[str, tuple[Node, Node]], more: dict[str, tuple[Node, Node]], problems: list[Diagnostic]) -> None:
    for key, (name, node) in more.items():
        before = into.get(key)
        if before is None:
            into[key] = (name, node)
        elif isinstance(before[1].value, dict) and isinstance(node.value, dict):
            inner = dict(before[1].value)
            for k, v in node.value.items():
                if k in inner:
                    first = inner[k][0]
                    what = f"`{key}.{k}` is written in two files: {first.file}:{first.line} and here"
                    where = Where(v[0].file, v[0].line, v[0].column)
                    problems.append(Diagnostic("duplicate-key", what, fix="remove or rename one", where=where))
                inner[k] = v
            into[key] = (name, replace(node, value=inner))
        elif isinstance(before[1].value, list) and isinstance(node.value, list):
            into[key] = (name, replace(node, value=[*before[1].value, *node.value]))
        else:
            into[key] = (name, node)


def grafted(source: Source, path: Path, of: Path) -> Source:
    """The source with the value at `of` also standing at `path`, in place of what is there; nothing there takes the key away.

    Raises:
        KeyError: the mapping that `path` ends in is not written.
    """
    value = _at(source.root, of)
    root = _with(source.root, path, value)
    return replace(source, data=root.plain(), root=root)


def _at(node: Node, path: Path) -> Node:
    for part in path:
        if isinstance(node.value, dict) and isinstance(part, str):
            node = node.value[part][1]
        elif isinstance(node.value, list) and isinstance(part, int):
            node = node.value[part]
    return node


def _with(node: Node, path: Path, value: Node) -> Node:
    head, *rest = path
    if isinstance(node.value, dict) and isinstance(head, str):
        if not rest and value.nothing:
            return replace(node, value={k: v for k, v in node.value.items() if k != head})
        name = node.value[head][0] if head in node.value else value
        below = _with(node.value[head][1], tuple(rest), value) if rest else value
        return replace(node, value={**node.value, head: (name, below)})
    if isinstance(node.value, list) and isinstance(head, int):
        item = _with(node.value[head], tuple(rest), value) if rest else value
        return replace(node, value=[*node.value[:head], item, *node.value[head + 1 :]])
    raise KeyError(head)
