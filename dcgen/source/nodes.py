"""Turns YAML events into a tree of nodes with places, counting as it goes; never builds what is beyond the limits."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import yaml

from dcgen.diagnostics import Diagnostic, Rejected, Where, did_you_mean
from dcgen.source.limits import Limits
from dcgen.source.syntax import explain, tab_indent, tabs
from dcgen.units import Plain

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_CORE = "tag:yaml.org,2002:"
_TAGS = {"text": ("str", "int", "float", "bool", "null"), "list": ("seq",), "mapping": ("map",)}
_MOST_FAULTS = 1000
NOTHING = ("", "~", "null")
"""Texts that mean no value when they stand without quotes."""
CONTROL = re.compile("[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
"""What cannot be printed; line breaks that only some programs see are among it, because they shift line numbers."""


@dataclass(slots=True)
class Node:
    """One value as written, and its place. A mapping keeps each key's node beside its value's; merge keys are worked in.

    `file` is set only in what was included from another file.
    """

    value: "str | list[Node] | dict[str, tuple[Node, Node]]"
    line: int
    column: int
    file: str = ""

    def plain(self) -> Any:
        """The data without places: nothing in it is shared, however often an alias repeats it."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, (_, node) in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        return None if self.nothing else self.value

    @property
    def nothing(self) -> bool:
        """Whether no value stands here."""
        return isinstance(self.value, Plain) and self.value in NOTHING


def compose(text: str, name: str, limits: Limits) -> Node | None:
    """The tree of a file's only document, or None when there is no document.

    Raises:
        Rejected: syntax errors and everything `_Builder` finds.
    """
    builder = _Builder(text, name, limits)
    try:
        builder.run(text)
    except yaml.MarkedYAMLError as error:
        builder.faults.append(explain(error, text, name, limits))
    if builder.faults:
        raise Rejected(dict.fromkeys(builder.faults))
    return builder.root


@dataclass(slots=True)
class _Open:
    """A mapping or list whose end has not been read; `children` are keys and values in turn, or items."""

    event: Any
    children: list[Node] = field(default_factory=list)
    size: int = 1
    height: int = 1


@dataclass(slots=True)
class _Anchor:
    """What an alias would stand for: so many nodes, so many levels; no node yet while it is open."""

    line: int
    node: Node | None
    size: int = 1
    height: int = 0


class _Builder:
    """Takes the events of one file. Never recursive, so that nesting cannot overflow anything before it is refused."""

    def __init__(self, text: str, name: str, limits: Limits) -> None:
        self.root: Node | None = None
        self.faults: list[Diagnostic] = []
        self._name, self._limits = name, limits
        self._tabs = tabs(text)
        self._stack: list[_Open] = []
        self._anchors: dict[str, _Anchor] = {}
        self._nodes = self._aliases = self._documents = 0
        self._takers: dict[type, Callable[[Any], None]] = {
            yaml.ScalarEvent: self._scalar, yaml.AliasEvent: self._alias, yaml.DocumentStartEvent: self._document,
            yaml.MappingStartEvent: self._open, yaml.SequenceStartEvent: self._open,
            yaml.MappingEndEvent: self._close, yaml.SequenceEndEvent: self._close,
        }  # fmt: skip

    def run(self, text: str) -> None:
        """Work in every event. Where there could be too many, they are counted first, which is several times faster than building."""
        takers, counted = self._takers, 0
        if len(text) > self._limits.nodes:
            for event in yaml.parse(text, Loader=_LOADER):
                counted += isinstance(event, yaml.NodeEvent)
                if counted > self._limits.nodes:
                    self._stop("nodes", event)
        for event in yaml.parse(text, Loader=_LOADER):
            taker = takers.get(type(event))
            if taker:
                taker(event)

    def _where(self, event: Any) -> Where:
        return Where(self._name, event.start_mark.line + 1, event.start_mark.column + 1)

    def _fault(self, code: str, what: str, at: Node | Where, fix: str = "", why: str = "") -> None:
        where = Where(self._name, at.line, at.column)
        self.faults.append(Diagnostic(code, what, why, fix, where=where))
        if len(self.faults) >= _MOST_FAULTS:
            raise Rejected(self.faults)

    def _stop(self, name: str, event: Any) -> None:
        raise Rejected([*self.faults, self._limits.exceeded(name, self._where(event))])

    def _add(self, node: Node, event: Any, size: int = 1, height: int = 0, fresh: int = 1) -> None:
        """Put a finished node where it belongs; `fresh` of its nodes have not been counted yet."""
        self._nodes += fresh
        if self._nodes > self._limits.nodes:
            self._stop("nodes", event)
        if not self._stack:
            self.root = node
            return
        frame = self._stack[-1]
        frame.children.append(node)
        frame.size += size
        if height >= frame.height:
            frame.height = height + 1

    def _document(self, event: Any) -> None:
        self._documents += 1
        if self._documents > 1:
            fix = "remove the `---`, or use two files"
            self._fault("bad-yaml", "a second document begins here", self._where(event), fix, "a file holds one")
            raise Rejected(self.faults)

    def _tag(self, event: Any, kind: str) -> str:
        """The explicit tag without its prefix, or an empty text."""
        tag = str(event.tag or "")
        short = tag.removeprefix(_CORE)
        if tag and (short == tag or short not in _TAGS[kind]):
            what = f"the tag `{f'!!{short}' if short != tag else tag:.60}` is not read here"
            self._fault("bad-tag", what, self._where(event), "remove it, or put the text in quotes", "tags are never run")
        return short

    def _scalar(self, event: Any) -> None:
        text, start = event.value, event.start_mark
        if len(text) * 4 > self._limits.scalar and len(text.encode()) > self._limits.scalar:
            self._stop("scalar", event)
        bare, tag = event.style in (None, ""), event.tag and self._tag(event, "text")
        if self._tabs and bare:
            self._tab_within(event)
        if not text.isprintable() and (sign := CONTROL.search(text)):
            self._fault("control-character", f"the text holds the control character U+{ord(sign[0]):04X}", self._where(event), "remove it")
        text = text if text.isascii() else unicodedata.normalize("NFC", text)
        node = Node(text if tag == "str" or not (bare or tag) else Plain(text), start.line + 1, start.column + 1)
        if event.anchor:
            self._anchor(event, _Anchor(start.line + 1, node))
        self._add(node, event)

    def _tab_within(self, event: Any) -> None:
        """A tab before a further line of a text without quotes: some readers join the lines, some refuse it."""
        first, last = event.start_mark.line + 1, event.end_mark.line + 1
        flow = bool(self._stack and self._stack[-1].event.flow_style)
        line = next((n for n in range(first, last) if n in self._tabs), None)
        if line is not None and not flow:
            self.faults.append(tab_indent(self._name, line, self._tabs[line]))

    def _alias(self, event: Any) -> None:
        self._aliases += 1
        if self._aliases > self._limits.aliases:
            self._stop("aliases", event)
        where, name = self._where(event), event.anchor
        known = self._anchors.get(name)
        if known is None:
            self._fault("bad-yaml", f"there is no `&{name}` before the alias `*{name}`", where, did_you_mean(name, self._anchors))
        elif known.node is None:
            self._fault("endless-alias", f"the alias `*{name}` stands inside `&{name}` itself", where, "write the value out")
        if known is None or known.node is None:
            self._add(Node({}, where.line, where.column), event)
            return
        if len(self._stack) + known.height > self._limits.depth:
            self._stop("depth", event)
        self._add(known.node, event, known.size, known.height, known.size)

    def _anchor(self, event: Any, anchor: _Anchor) -> None:
        first = self._anchors.get(event.anchor)
        if first:
            what = f"the anchor `&{event.anchor}` is written twice: lines {first.line} and {anchor.line}"
            self._fault("bad-yaml", what, self._where(event), "rename one")
        self._anchors[event.anchor] = anchor

    def _open(self, event: Any) -> None:
        self._stack.append(_Open(event))
        if len(self._stack) > self._limits.depth:
            self._stop("depth", event)
        if event.tag:
            self._tag(event, "mapping" if isinstance(event, yaml.MappingStartEvent) else "list")
        if event.anchor:
            self._anchor(event, _Anchor(event.start_mark.line + 1, None))

    def _close(self, _: Any) -> None:
        frame = self._stack.pop()
        event, start = frame.event, frame.event.start_mark
        value = self._mapping(frame) if isinstance(event, yaml.MappingStartEvent) else frame.children
        node = Node(value, start.line + 1, start.column + 1)
        if event.anchor:
            self._anchors[event.anchor] = _Anchor(start.line + 1, node, frame.size, frame.height)
        self._add(node, event, frame.size, frame.height)

    def _mapping(self, frame: _Open) -> dict[str, tuple[Node, Node]]:
        own: dict[str, tuple[Node, Node]] = {}
        merged: dict[str, tuple[Node, Node]] = {}
        merge: Node | None = None
        for key, value in zip(frame.children[::2], frame.children[1::2], strict=True):
            text, plain = key.value, isinstance(key.value, Plain)
            if not isinstance(text, str) or (plain and not text):
                self._fault("bad-key", "a key must be a text, and this is not", key, "write `key: value`")
                continue
            if plain and ":" in text and frame.event.flow_style and value.value == "" and isinstance(value.value, Plain):
                # `{1:2}` is a single key `1:2` for YAML, which nobody means
                fix = f"put a space: `{text[:30].replace(':', ': ', 1)}`"
                self._fault("bad-yaml", f"`{text[:60]}` has no space after the colon", key, fix)
            is_merge = plain and text == "<<"
            first = merge if is_merge else own[text][0] if text in own else None
            if first:
                what = f"`{text[:60]}` is written twice: lines {first.line} and {key.line}"
                self._fault("duplicate-key", what, key, "remove or rename one")
            elif is_merge:
                merge, merged = key, self._merged(value)
            else:
                own[text] = (key, value)
        return merged | own

    def _merged(self, value: Node) -> dict[str, tuple[Node, Node]]:
        """What `<<` brings in; of a list, the earlier mapping wins."""
        out: dict[str, tuple[Node, Node]] = {}
        for source in value.value if isinstance(value.value, list) else [value]:
            if isinstance(source.value, dict):
                for key, pair in source.value.items():
                    out.setdefault(key, pair)
            else:
                self._fault("wrong-type", "`<<` merges mappings, and this is not one", source, "write `<<: *anchor` of a mapping")
        return out
