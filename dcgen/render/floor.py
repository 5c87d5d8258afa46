"""The floor plan of a hall: rows with their racks, to scale along the row, and the trays over them."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from dcgen.design.hall import Hall, Row, Tray, tile
from dcgen.design.model import Design
from dcgen.naming import label
from dcgen.render.drawing import LOOKS, Drawing, Look, cut, look, width_pt
from dcgen.render.wording import count, title
from dcgen.units import rounded

TILE_PT, RACK_PT, GAP_PT = 66.0, 46.0, 62.0
"""Width of a tile, depth of a rack, and the space between two rows, in which the tray is drawn."""
SMALL_PT = 8
SINGLE = 300
"""Racks of a room up to which each is drawn by itself; above, neighbours of one group share a box."""
TRAY = Look("#f3e3cf", "#9a5b13")


@dataclass(frozen=True, slots=True)
class Stretch:
    """Neighbouring tiles that are drawn as one: what stands there, or nothing."""

    first: int
    count: int
    lines: tuple[str, ...]
    look: Look
    dashed: bool = False


def floor_views(design: Design) -> Iterator[Drawing]:
    """One sheet per room; nothing without a hall."""
    hall = design.hall
    for room in dict.fromkeys(r.room for r in hall.rows) if hall else ():
        assert hall is not None
        yield _room(design, hall, room)


def _room(design: Design, hall: Hall, room: str) -> Drawing:
    rows = [r for r in hall.rows if r.room == room]
    alone = len({r.room for r in hall.rows}) == 1
    drawing = Drawing("floor" if alone else f"floor-{room}")
    standing = {(row, at): (group, rack) for row, at, group, rack in hall.tiles() if hall.by_name[row].room == room}
    y = {r.name: -i * (RACK_PT + GAP_PT) for i, r in enumerate(rows)}
    wide = max(r.positions for r in rows) * TILE_PT
    for tray in sorted((t for t in hall.trays if t.room == room), key=lambda t: bool(t.along)):  # racks hide what crosses over them
        _tray(design, hall, tray, rows, y, wide, drawing)
    for row in rows:
        _row(design, hall, row, standing, y[row.name], drawing)
    _words(design, hall, room, rows, standing, wide, drawing)
    return drawing


def _row(design: Design, hall: Hall, row: Row, standing: dict[tuple[str, int], tuple[str, int]], y: float, drawing: Drawing) -> None:
    drawing.text(-width_pt(row.name, 11) - 34, y, [row.name], size_pt=11, bold=True, left=True)
    single = len(standing) <= SINGLE
    for s in _stretches(design, row, standing, single):
        x, width = (s.first + s.count / 2) * TILE_PT, s.count * TILE_PT - 3
        drawing.box(x, y, width, RACK_PT, s.lines, look=s.look, dashed=s.dashed, size_pt=SMALL_PT)
    marks = range(row.positions) if single else range(0, row.positions, 5)
    for at in marks:
        drawing.text((at + 0.5) * TILE_PT, y - RACK_PT / 2 - 7, [str(at)], size_pt=7)


def _stretches(design: Design, row: Row, standing: dict[tuple[str, int], tuple[str, int]], single: bool) -> Iterator[Stretch]:
    def kind(at: int) -> tuple[str, int]:
        there = standing.get((row.name, at))
        if there is None:
            return ("x" if at in row.blocked else "", 0)
        return there[0], at if single else there[1] - at

    for (group, _), some in groupby(range(row.positions), kind):
        tiles = list(some)
        if group in ("", "x"):
            said = "blocked" if group else "free"
            yield Stretch(tiles[0], len(tiles), (said,), look("shelf") if group else LOOKS["plain"], dashed=not group)
            continue
        role = design.groups[group].role
        colours = look("node" if role == "rack" else role)
        yield Stretch(tiles[0], len(tiles), _text(design, group, [standing[row.name, t][1] for t in tiles]), colours)


def _text(design: Design, group: str, racks: list[int]) -> tuple[str, ...]:
    """The label of a rack on as many lines as it has coordinates; of several racks the first and the last one."""
    names = [_rack(design, group, n) for n in (racks[0], racks[-1])]
    if len(racks) == 1:
        return (*_lines(names[0][0]), *names[0][1:])
    return (group, count(len(racks), "rack"), " ".join(names[0][1:]), "to " + " ".join(names[1][1:]))


def _lines(name: str) -> tuple[str, ...]:
    """A name on one line, or on two where it is too long for a tile."""
    head, dash, tail = name.partition("-")
    return (name,) if not dash or width_pt(name, SMALL_PT) < TILE_PT - 11 else (head + dash, tail)


def _rack(design: Design, group: str, rack: int) -> tuple[str, ...]:
    g = design.groups[group]
    if g.role == "rack":
        at: dict[str, int] = {}
        for axis, size in reversed(g.sizes.items()):
            rack, at[axis] = divmod(rack, size)
        return (label(group, {}), *(f"{axis}{at[axis]}" for axis in g.sizes))
    return label(group, {}), f"rack{rack}"


def _tray(design: Design, hall: Hall, tray: Tray, rows: list[Row], y: dict[str, float], wide: float, drawing: Drawing) -> None:
    """A tray along a row is drawn above it, one across behind the tiles it crosses, at the ends of the rows beside them."""
    scale = TILE_PT / hall.pitch_m
    if tray.along:
        x, width = (tray.start_m + tray.stop_m) / 2 * scale, (tray.stop_m - tray.start_m) * scale
        drawing.box(x, y[tray.along] + RACK_PT / 2 + 12, width, 13, [f"tray {_said(design, tray)}"], look=TRAY, size_pt=SMALL_PT)
        return
    crossed = [y[r.name] + RACK_PT / 2 + 12 for r in rows if tray.start_m - 1e-6 <= r.y_m <= tray.stop_m + 1e-6]
    if len(crossed) > 1:
        x = tray.at_m * scale
        x += -8 if x < 1 else 8 if x > wide - 1 else 0
        drawing.box(x, (crossed[0] + crossed[-1]) / 2, 9, crossed[0] - crossed[-1] + 13, frame=True, look=TRAY)


def _said(design: Design, tray: Tray) -> str:
    """A tray with its section, and what lies in its fullest stretch."""
    size = f", {tray.width_m * 1000:g} × {tray.depth_m * 1000:g} mm" if tray.width_m and tray.depth_m else ""
    mine = [x for x in design.loads if x.tray.name == tray.name]
    most = max(mine, key=lambda x: (x.section_m2, x.cables), default=None)
    if most is None or not most.cables:
        return f"{tray.name}{size}, empty"
    share = f"at least {100 * most.fill_1:.0f} %" if most.unknown and most.fill_1 else f"{100 * most.fill_1:.0f} %" if most.fill_1 else ""
    filled = f" filled {share} with" if share else ""
    return f"{tray.name}{size}:{filled} at most {count(most.cables, 'cable')}"


def _words(
    design: Design, hall: Hall, room: str, rows: list[Row], standing: dict[tuple[str, int], tuple[str, int]], wide: float, drawing: Drawing
) -> None:
    top, most = drawing.top() + 30, max(wide, 700)
    drawing.text(0, top + 44, [cut(title(design), most, 16)], size_pt=16, bold=True, left=True)
    free = sum(r.positions - len(r.blocked) for r in rows) - len(standing)
    what = f"{count(len(standing), 'rack')} in {count(len(rows), 'row')}, {count(free, 'free tile')}; tiles count from 0"
    drawing.text(0, top + 22, [cut(f"floor plan of {room}: {what}", most)], left=True)
    foot = min(b.y_pt - b.height_pt / 2 for b in drawing.boxes) - 24
    x = 0.0
    for group in dict.fromkeys(group for group, _ in standing.values()):
        role, width = design.groups[group].role, width_pt(group, 10) + 20
        drawing.box(x + width / 2, foot, width, 18, [group], look=look("node" if role == "rack" else role), size_pt=10)
        x += width + 10
    lines = [cut(t, most, 10) for t in _legend(design, hall, room)]
    drawing.text(0, foot - 20 - len(lines) * 7, lines, left=True, size_pt=10)


def _legend(design: Design, hall: Hall, room: str) -> Iterator[str]:
    """What the drawing cannot show to scale: distances, trays across the rows, ducts, and the rule that placed the racks."""
    yield f"pitch {_m(hall.pitch_m)}, rows {_m(hall.row_pitch_m)} apart; to scale along the rows only"
    for tray in hall.trays:
        if tray.room == room and not tray.along:
            yield f"tray across the rows: {_said(design, tray)}"
    for duct in hall.ducts:
        if room in (hall.by_name[duct.a[0]].room, hall.by_name[duct.b[0]].room):
            yield f"duct {duct.name}: {tile(*duct.a)} to {tile(*duct.b)}, {_m(duct.length_m) if duct.length_m else 'length unknown'}"
    yield hall.rule


def _m(metres: float) -> str:
    return f"{rounded(metres, 3)} m"
