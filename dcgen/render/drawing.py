"""A sheet with pinned boxes, texts and lines, written as DOT. Everything a person typed arrives as text and stays text."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from unicodedata import east_asian_width

FONT = "Helvetica"
"""Widths are those of Arimo, Arial and Liberation Sans, which nearly every viewer has."""
SPARE = 1.1
"""Room for the wider letters of DejaVu Sans, which the others fall back to."""
SIZE_PT = 12
LINE = 1.2
"""Height of a line in font sizes."""

_WIDTHS = {
    222: "ijl'", 278: " !,./:;I[]\\ft·", 334: "-()`r{}|\"", 500: "Jckszvxy", 584: "+<=>~×−≤≥", 667: "ABEKPSVXY&", 722: "CDHNRUw",
    778: "GOQ", 833: "Mm", 944: "W%", 1015: "@…→⇢",
}  # fmt: skip
_WIDTH = {sign: width for width, signs in _WIDTHS.items() for sign in signs}
_USUAL = 556


def width_pt(text: str, size_pt: float = SIZE_PT) -> float:
    """How wide a text is [pt], close enough to leave room for it."""
    letters = sum(_WIDTH.get(s, 1000 if east_asian_width(s) in "WF" else _USUAL if s < "\u0250" else 800) for s in text)
    return letters * size_pt / 1000 * SPARE


def cut(text: str, most_pt: float, size_pt: float = SIZE_PT) -> str:
    """The text, or as much of it as fits and an ellipsis."""
    if width_pt(text, size_pt) <= most_pt:
        return text
    while text and width_pt(text + "…", size_pt) > most_pt:
        text = text[:-1]
    return text.rstrip() + "…"


class Look(NamedTuple):
    """Colours of a box; what a colour means is also written in the box."""

    fill: str
    line: str


LOOKS = {
    "node": Look("#dcebf7", "#0067a3"),
    "leaf": Look("#d9f0e6", "#007a59"),
    "spine": Look("#fdebd0", "#a85f00"),
    "core": Look("#f5e1ed", "#94456f"),
    "scale-up": Look("#fbf6cc", "#7a6a00"),
    "shelf": Look("#e6e6e6", "#4d4d4d"),
    "plain": Look("#ffffff", "#4d4d4d"),
}
"""Tints of a palette that stays apart for colour-blind eyes (Okabe and Ito 2008)."""


def look(role: str) -> Look:
    """Colours of a role; roles without their own share a neutral one."""
    return LOOKS.get(role, LOOKS["shelf"])


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle by its centre and size [pt]; `frame` is drawn behind everything and may hold other boxes."""

    name: str
    x_pt: float
    y_pt: float
    width_pt: float
    height_pt: float
    lines: tuple[str, ...] = ()
    style: tuple[tuple[str, str], ...] = ()
    frame: bool = False

    def overlaps(self, other: "Box") -> bool:
        """Whether the two cover a common point."""
        near_x = abs(self.x_pt - other.x_pt) * 2 < self.width_pt + other.width_pt - 0.01
        return near_x and abs(self.y_pt - other.y_pt) * 2 < self.height_pt + other.height_pt - 0.01


@dataclass
class Drawing:
    """What is put on one sheet. x grows to the right, y upward, both in points."""

    name: str
    boxes: list[Box] = field(default_factory=list)
    lines: list[tuple[str, str, tuple[tuple[str, str], ...]]] = field(default_factory=list)

    def box(
        self, x: float, y: float, width: float, height: float, text: Iterable[str] = (), *, look: Look = LOOKS["plain"],
        dashed: bool = False, double: bool = False, frame: bool = False, size_pt: float = SIZE_PT, thick: bool = False,
        rounded: bool = False,
    ) -> Box:  # fmt: skip
        """A box with centred lines of text, each cut to its width."""
        shape = ",".join(["filled", *(["dashed"] if dashed else []), *(["rounded"] if rounded else [])])
        style = {"fillcolor": look.fill, "color": look.line, "style": shape, "penwidth": "4" if thick else "1.3"}
        style |= {"peripheries": "2"} if double else {}
        style |= {"fontsize": f"{size_pt:g}"} if size_pt != SIZE_PT else {}
        lines = tuple(cut(t, width - 8, size_pt) for t in text)
        return self._add(Box(f"n{len(self.boxes)}", x, y, width, height, lines, tuple(style.items()), frame))

    def text(self, x: float, y: float, lines: Sequence[str], *, size_pt: float = SIZE_PT, bold: bool = False, left: bool = False) -> Box:
        """Text on white; `left` sets its left edge on x, else it is centred there."""
        width = max((width_pt(t, size_pt) for t in lines), default=0) * (1.1 if bold else 1) + 8
        style = {"peripheries": "0", "style": "filled", "fillcolor": "white", "fontsize": f"{size_pt:g}"}
        style |= {"fontname": f"{FONT}-Bold"} if bold else {}
        height = len(lines) * size_pt * LINE + 2
        at = x + width / 2 if left else x
        return self._add(Box(f"n{len(self.boxes)}", at, y, width, height, tuple(lines), (*style.items(), ("left", "1" if left else ""))))

    def line(self, a: Box, b: Box, *, colour: str = "#4d4d4d", width: float = 1.2, dashed: bool = False) -> None:
        """A straight line from the top of `a` to the foot of `b`, so that it crosses no neighbour of either."""
        style = {"color": colour, "penwidth": f"{width:g}", "tailport": "n", "headport": "s"} | ({"style": "dashed"} if dashed else {})
        self.lines.append((a.name, b.name, tuple(style.items())))

    def _add(self, box: Box) -> Box:
        self.boxes.append(box)
        return box

    def top(self) -> float:
        """Highest point so far [pt]."""
        return max((b.y_pt + b.height_pt / 2 for b in self.boxes), default=0)

    def overlapping(self) -> list[tuple[Box, Box]]:
        """Pairs of boxes or texts that cover each other; there should be none."""
        solid = [b for b in self.boxes if not b.frame]
        return [(a, b) for i, a in enumerate(solid) for b in solid[i + 1 :] if a.overlaps(b)]

    def source(self) -> str:
        """The sheet as DOT."""
        import graphviz

        graph = graphviz.Graph(
            "drawing",
            graph_attr={"bgcolor": "white", "splines": "line", "outputorder": "edgesfirst", "pad": "0.2", "charset": "UTF-8"},
            node_attr={"shape": "box", "fixedsize": "true", "margin": "0", "fontname": FONT, "fontsize": str(SIZE_PT)},
        )
        for box in self.boxes:
            style = dict(box.style)
            end = "\\l" if style.pop("left", "") else "\\n"
            graph.node(
                box.name, label=literal(box.lines, end), pos=f"{box.x_pt:.1f},{box.y_pt:.1f}",
                width=f"{box.width_pt / 72:.4f}", height=f"{box.height_pt / 72:.4f}", **style,
            )  # fmt: skip
        for a, b, look_of in self.lines:
            graph.edge(a, b, **dict(look_of))
        return str(graph.source)


def literal(lines: Iterable[str], end: str = "\\n") -> str:
    """Lines of text as a DOT label that shows exactly them: no markup, no escape, no character entity."""
    import graphviz

    body = "".join(graphviz.escape(line.replace("&", "&amp;")) + end for line in lines)
    label: str = graphviz.nohtml(body.removesuffix("\\n"))  # a string type of its own: what it marks is lost with `str()`
    return label
