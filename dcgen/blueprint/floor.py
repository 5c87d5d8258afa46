"""From what is written about a hall to rows, trays, ducts and zones in metres."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from dcgen.blueprint.hall import HallWritten, Room, TrayWritten
from dcgen.design.hall import Duct, Hall, Row, Tray, Zone
from dcgen.diagnostics import Path, did_you_mean
from dcgen.fabric import Site, selected
from dcgen.naming import natural

ONE_ROOM = "hall"
"""What a hall of one room is called; its rows are `r0`, `r1`, ..."""
_TILES = re.compile(r"(?P<row>\w[\w-]*)(?:\[(?P<low>\d{1,5})(?:\.\.(?P<high>\d{1,5}))?\])?")


def rows_of(written: HallWritten, racks: int, site: Site) -> tuple[Row, ...]:
    """The rows of every room, as many as are written or, in a hall of one room, as are needed."""
    rooms = written.rooms or {ONE_ROOM: Room(rows=written.rows, positions=written.positions, blocked=written.blocked)}
    pitch_m = written.depth_m + written.aisle_m
    out: list[Row] = []
    for name, room in rooms.items():
        prefix, at = ("", ("hall",)) if not written.rooms else (f"{name}-", ("hall", "rooms", name))
        count = room.rows or max(1, -(-(racks + len(room.blocked)) // room.positions))
        if room.rows is None and not written.rooms:
            why = f"{racks:,} racks in rows of {room.positions} tiles"
            site.decide("hall", f"{count} rows derived", why)
        mine = {f"{prefix}r{i}": Row(f"{prefix}r{i}", name, i * pitch_m, room.positions) for i in range(count)}
        for i, text in enumerate(room.blocked):
            for row, position in tiles_of(text, mine, site, (*at, "blocked", i)):
                mine[row] = replace(mine[row], blocked=tuple(sorted({*mine[row].blocked, position})))
        out += mine.values()
    return tuple(out)


def tiles_of(text: str, rows: Mapping[str, Row], site: Site, at: Path) -> list[tuple[str, int]]:
    """The tiles that `r3`, `r3[4]` or `r3[4..9]` names; none after saying what is wrong."""
    found = _TILES.fullmatch(text.strip())
    if not found:
        site.say("bad-reference", f"`{text}` names no tiles", fix="write for example `r3`, `r3[4]` or `r3[4..9]`", origin=at)
        return []
    row = rows.get(found["row"])
    if row is None:
        site.say("bad-reference", f"`{text}`: there is no row `{found['row']}`", fix=did_you_mean(found["row"], rows), origin=at)
        return []
    low = int(found["low"] or 0)
    high = int(found["high"] or (low if found["low"] else row.positions - 1))
    if not low <= high < row.positions:
        site.say("out-of-range", f"`{text}`: the tiles of `{row.name}` run from 0 to {row.positions - 1}", origin=at)
        return []
    return [(row.name, p) for p in range(low, high + 1)]


def _named(texts: list[str], rows: tuple[Row, ...], site: Site, at: Path) -> list[Row]:
    """Rows by name, by `r0..r3`, by room, or `all`."""
    by_name, out = {r.name: r for r in rows}, list[Row]()
    for i, text in enumerate(texts):
        first, _, last = text.partition("..")
        names = sorted(by_name, key=natural)
        if text == "all":
            found = list(rows)
        elif last and first in by_name and last in by_name:
            found = [by_name[n] for n in names[names.index(first) : names.index(last) + 1]]
        else:
            found = [r for r in rows if text in (r.name, r.room)]
        if not found:
            site.say("bad-reference", f"there is no row or room `{text}`", fix=did_you_mean(text, by_name), origin=(*at, i))
        out += [r for r in found if r not in out]
    return out


def zones_of(written: HallWritten, rows: tuple[Row, ...], site: Site) -> Iterator[Zone]:
    """The zones with their rows."""
    for name, zone in written.zones.items():
        named = _named(zone.rows, rows, site, ("hall", "zones", name, "rows"))
        yield Zone(name, tuple(r.name for r in named), zone.power_w, zone.rack_power_w, tuple(zone.cooling))


def units_of(written: HallWritten, site: Site) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Group -> rack units that are written for it."""
    for text, units in written.units.items():
        found = selected(text, site, ("hall", "units", text))
        if found is not None:
            yield found.group, tuple(units)


def trays_of(written: HallWritten, hall: Hall, site: Site) -> Iterator[Tray]:
    """Those that are written, else one over each row and one across at both ends of each room."""
    plain = {"over": TrayWritten(along=["all"]), "start": TrayWritten(across="start"), "end": TrayWritten(across="end")}
    for name, tray in (written.trays or plain).items():
        height_m = written.tray_height_m if tray.height_m is None else tray.height_m
        z_m = height_m if tray.below_m is None else -tray.below_m
        blank = Tray(name, "", "", 0.0, 0.0, 0.0, z_m, tray.width_m, tray.depth_m, tray.fill)
        at: Path = ("hall", "trays", name)
        if tray.along:
            yield from _along(blank, tray, _named(tray.along, hall.rows, site, (*at, "along")), hall.pitch_m)
        else:
            yield from _across(blank, tray, _named(tray.rows or ["all"], hall.rows, site, (*at, "rows")), hall.pitch_m)


def _along(blank: Tray, tray: TrayWritten, rows: list[Row], pitch_m: float) -> Iterator[Tray]:
    for row in rows:
        low, high = tray.start or 0, row.positions - 1 if tray.stop is None else tray.stop
        name = f"{blank.name}-{row.name}" if len(rows) > 1 else blank.name
        start_m, stop_m = low * pitch_m, (high + 1) * pitch_m
        yield replace(blank, name=name, room=row.room, along=row.name, at_m=row.y_m, start_m=start_m, stop_m=stop_m)


def _across(blank: Tray, tray: TrayWritten, rows: list[Row], pitch_m: float) -> Iterator[Tray]:
    for room in dict.fromkeys(r.room for r in rows):
        mine = [r for r in rows if r.room == room]
        x = {"start": 0.0, "middle": mine[0].positions / 2, "end": float(max(r.positions for r in mine))}
        place = x[tray.across] if isinstance(tray.across, str) else (tray.across or 0) + 0.5
        name = blank.name if room == ONE_ROOM else f"{blank.name}-{room}"
        start_m, stop_m = min(r.y_m for r in mine), max(r.y_m for r in mine)
        yield replace(blank, name=name, room=room, at_m=place * pitch_m, start_m=start_m, stop_m=stop_m)


def ducts_of(written: HallWritten, rows: tuple[Row, ...], site: Site) -> Iterator[Duct]:
    """The ducts whose ends are tiles."""
    by_name = {r.name: r for r in rows}
    for name, duct in written.ducts.items():
        ends = [tiles_of(text, by_name, site, ("hall", "ducts", name, "between", i)) for i, text in enumerate(duct.between)]
        if all(ends):
            yield Duct(name, ends[0][0], ends[1][0], duct.length_m)
