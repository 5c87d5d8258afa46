"""Puts every rack on a tile of the hall, and says what cannot stand or be cabled there."""

from dataclasses import replace

from dcgen.blueprint.floor import ducts_of, rows_of, tiles_of, trays_of, units_of, zones_of
from dcgen.blueprint.hall import HallWritten
from dcgen.design import Design
from dcgen.design.hall import STOCKED_M, Hall, tile
from dcgen.design.placement import racks
from dcgen.diagnostics import Path
from dcgen.fabric import Site, selected

Tile = tuple[str, int]
Standing = tuple[str, int]
"""(group, number of the rack in the order they are filled)."""


def lay_out_hall(written: HallWritten, design: Design, site: Site) -> Design | None:
    """The design with its racks on tiles; None after saying what is wrong."""
    from dcgen.design.arrange import arrange, owners

    before, count = len(site.problems), sum(owners(design).values())
    hall = _empty(written, count, site)
    said = {} if site.problems[before:] else _said(written, design, hall, site)
    if site.problems[before:]:
        return None
    done = arrange(design, hall, said, written.network)
    if done.left:
        (first, rack), finds = done.left[0], "find" if len(done.left) > 1 else "finds"
        what = f"{len(done.left):,} of {count:,} racks {finds} no tile, the first is rack {rack} of {first}"
        fix = "write more `rows:`, more `positions:`, or give the zones more"
        site.say("no-free-tile", what, done.why, fix, first, ("hall", "rows") if written.rows else ("hall",))
        return None
    for group in done.unknown_power:
        what = f"{group}: a rack's power is unknown, and its zone counts it as 0"
        site.remark("unknown-figure", what, "", "give the part a figure", group, ("hall", "zones"))
    _islands(done.hall, site)
    site.decide("hall", f"{count:,} racks in {len(done.hall.rows)} rows, {done.hall.free_tiles:,} tiles free", done.hall.rule)
    return replace(design, hall=done.hall)


def _empty(written: HallWritten, racks: int, site: Site) -> Hall:
    """The hall before any rack stands in it."""
    rows = rows_of(written, racks, site)
    hall = Hall(
        rows=rows, zones=tuple(zones_of(written, rows, site)), pitch_m=written.pitch_m, depth_m=written.depth_m, aisle_m=written.aisle_m,
        rack_u=written.rack_height_u, unit=written.unit, units=tuple(units_of(written, site)), lead_m=written.lead_m,
        slack_m=written.slack_m, stocked_m=tuple(sorted({x for x in written.lengths if x})) or STOCKED_M,
        diameters=tuple(written.diameters.items()), rack_mass_kg=written.rack_mass_kg, rack_limit_kg=written.rack_limit_kg,
        foot_limit_kg=written.foot_limit_kg, floor_limit_kg_m2=written.floor_limit_kg_m2, rule=_rule(written),
    )  # fmt: skip
    return replace(hall, trays=tuple(trays_of(written, hall, site)), ducts=tuple(ducts_of(written, rows, site)))


def _rule(written: HallWritten) -> str:
    where = "in the middle of their row" if written.network == "middle" else "at the end of their row"
    said = f"racks in the order of their coordinates, network racks amid those they serve, {where}"
    return said if written.place == "auto" else f"as written; the rest: {said}"


def _said(written: HallWritten, design: Design, hall: Hall, site: Site) -> dict[Standing, Tile]:
    """Racks that have their tiles written: (group, rack) -> (row, position)."""
    from dcgen.design.refine import flat_of_box
    from dcgen.design.routes import rack_numbers

    out: dict[Standing, Tile] = {}
    for text, places in ({} if written.place == "auto" else written.place).items():
        at: Path = ("hall", "place", text)
        found = selected(text, site, at)
        if found is None:
            continue
        group = design.groups[found.group]
        owner = racks(design, group).group
        numbers = dict.fromkeys(rack_numbers(design, group)[flat_of_box(design, group.name, found.box)].tolist())
        tiles = [t for i, place in enumerate(places) for t in tiles_of(place, hall.by_name, site, (*at, i))]
        if tiles and len(tiles) < len(numbers):
            what = f"`{text}` are {len(numbers):,} racks, {len(tiles):,} tiles are named for them, short by {len(numbers) - len(tiles):,}"
            site.say("no-free-tile", what, fix="name more tiles, or fewer racks", subject=owner, origin=at)
        _stand([(owner, rack) for rack in numbers], tiles, hall, out, site, at)
    return out


def _stand(racks: list[Standing], tiles: list[Tile], hall: Hall, out: dict[Standing, Tile], site: Site, at: Path) -> None:
    """Put racks on tiles, one after the other; stops at the first that cannot stand there."""
    for standing, place in zip(racks, tiles, strict=False):
        holder = next((s for s, there in out.items() if there == place), standing)
        why = "the tile is blocked" if place[1] in hall.by_name[place[0]].blocked else ""
        why = why or (f"it holds rack {holder[1]} of {holder[0]}" if holder != standing else "")
        why = why or ("the rack has another tile already" if out.get(standing, place) != place else "")
        if why:
            what = f"rack {standing[1]} of {standing[0]} cannot stand on {tile(*place)}"
            site.say("tile-taken", what, why, "name another tile", standing[0], at)
            return
        out[standing] = place


def _islands(hall: Hall, site: Site) -> None:
    """Racks under no tray, and trays that do not hang together: no cable gets there."""
    from dcgen.design.trays import Network

    network, at = Network(hall), ("hall", "trays")
    bare = [(row, p, group, rack) for row, p, group, rack in hall.tiles() if not network.attachments(row, p)]
    if bare:
        (row, p, group, rack), have = bare[0], "racks have" if len(bare) > 1 else "rack has"
        what = f"{len(bare):,} {have} no tray, the first is rack {rack} of {group} on {tile(row, p)}"
        site.say("tray-island", what, "a cable leaves a rack only over a tray of its row", f"let a tray run along `{row}`", group, at)
    for duct in network.unattached:
        what, fix = f"the duct `{duct.name}` ends where there is no tray", "let it begin at a tile under a tray"
        site.say("tray-island", what, fix=fix, origin=("hall", "ducts", duct.name))
    used = {a.tray for row, p, _, _ in hall.tiles() for a in network.attachments(row, p)}
    islands = [i for i in network.islands() if i & used]
    if len(islands) > 1 and not bare:
        lone = sorted(islands[1] & used)
        names, meet = ", ".join(f"`{hall.trays[i].name}`" for i in lone[:3]), "meets" if len(lone) == 1 else "meet"
        what = f"the trays fall apart into {len(islands)} islands; {names} {meet} none of the others"
        rooms = {hall.trays[i].room for i in islands[0] | islands[1]}
        fix = "write a duct between the rooms" if len(rooms) > 1 else "let a tray run `across` all rows"
        site.say("tray-island", what, "trays meet where one crosses another within both", fix, origin=at)


def relieve(design: Design, site: Site) -> Hall | None:
    """The hall with detours round trays that are too full; None where nothing has to go round."""
    if design.hall is None or not any(t.width_m and t.depth_m for t in design.hall.trays):
        return None
    from dcgen.design.detours import relieved

    hall = relieved(design)
    if not hall.detours:
        return None
    what = f"cables between {len(hall.detours):,} pairs of racks make a detour"
    site.decide("hall", what, "a tray of their shortest way is full; taken one after the other, the least detour first")
    return hall
