"""What one rail of a fabric consists of: some leaves, the racks below and the spines above them, and one path by its labels."""

from dataclasses import dataclass, field

from dcgen.design.model import DeviceGroup, Join
from dcgen.tables.book import Book
from dcgen.units import spoken

LEAVES, SPINES, RACKS = 8, 12, 8
"""Most that are drawn one by one; what the path runs through is among them."""


@dataclass
class Rail:
    """Leaves and spines as flat indexes, racks by label in the order of choice, links counted between them.

    `fixed` are the coordinates that tell this rail from the others; `nodes` counts the nodes of each rack; `path` names device
    and socket at each end of two cables, `path_spine` is where it ends, if there is a spine, and `ways` is how long each cable is.
    """

    access: Join
    up: Join | None = None
    fixed: dict[str, int] = field(default_factory=dict)
    leaves: list[int] = field(default_factory=list)
    racks: list[str] = field(default_factory=list)
    nodes: dict[str, int] = field(default_factory=dict)
    below: dict[tuple[str, int], int] = field(default_factory=dict)
    spines: list[int] = field(default_factory=list)
    above: dict[tuple[int, int], int] = field(default_factory=dict)
    path: tuple[str, ...] = ()
    first_rack: str = ""
    path_spine: tuple[int, ...] = ()
    ways: tuple[str, ...] = ()


def select_rail(book: Book, access: Join) -> Rail | None:
    """The rail of the first link of a bundle between nodes and leaves; None if it has no links."""
    import polars as pl

    design = book.design
    node, leaf = design.groups[access.a.group], design.groups[access.b.group]
    c = book.columns(access)
    if not len(c):
        return None
    rail = Rail(access, next((b for b in design.of(access.fabric) if b.a.group == leaf.name != b.b.group), None))
    cabled = pl.Series(c.b).unique().sort().to_list()
    rail.fixed = {axis: x for axis, x in leaf.coordinates(cabled[0]).items() if axis in _fixed_axes(leaf, node)}
    rail.leaves = [b for b in cabled if rail.fixed.items() <= leaf.coordinates(b).items()]
    c = c[pl.Series(c.b).is_in(rail.leaves[:LEAVES]).to_numpy()]
    named = book.devices(node.name)
    cables = pl.DataFrame({"order": named.rack[named.row[c.a]], "rack": named.racks(c.a), "leaf": c.b, "node": c.a})
    counted = cables.group_by("order", "rack", "leaf").len().sort("order", "leaf")
    rail.below = {(rack, b): n for rack, b, n in counted.select("rack", "leaf", "len").iter_rows()}
    rail.nodes = dict(cables.group_by("rack").agg(pl.col("node").n_unique()).iter_rows())
    _select_up(book, rail)
    _follow(book, rail)
    rail.racks = _in_turn(rail.below, rail.leaves[:LEAVES], rail.first_rack)
    if set(rail.path_spine) & set(rail.spines[SPINES:]):
        rail.spines = [*rail.path_spine, *(s for s in rail.spines if s not in rail.path_spine)]
    return rail


def _fixed_axes(leaf: DeviceGroup, node: DeviceGroup) -> set[str]:
    """The rail and the plane, and of the axes that leaves share with nodes the outermost."""
    shared = [a for a in leaf.sizes if a in node.sizes]
    return {a for a in leaf.sizes if a in ("rail", "plane")} | set(shared[:1] if len(leaf.sizes) > 1 else ())


def _in_turn(below: dict[tuple[str, int], int], leaves: list[int], first: str) -> list[str]:
    """Racks so that the path's is there and every leaf has one before any has a second; both parts in the order racks are filled."""
    of_leaf = {b: [r for r, x in below if x == b] for b in leaves}
    turns = max((len(x) for x in of_leaf.values()), default=0)
    chosen = list(dict.fromkeys([first, *(racks[n] for n in range(turns) for racks in of_leaf.values() if n < len(racks))]))
    order = list(dict.fromkeys(r for r, _ in below))
    return [r for r in order if r in set(chosen[:RACKS])] + [r for r in order if r in set(chosen[RACKS:])]


def _select_up(book: Book, rail: Rail) -> None:
    import polars as pl

    if rail.up is None:
        return
    c = book.columns(rail.up)
    cables = pl.DataFrame({"leaf": c.a, "spine": c.b}).filter(pl.col("leaf").is_in(rail.leaves[:LEAVES]))
    rail.spines = cables["spine"].unique().sort().to_list()
    rail.above = {(a, b): n for a, b, n in cables.group_by("leaf", "spine").len().sort("leaf", "spine").iter_rows()}


def _follow(book: Book, rail: Rail) -> None:
    """One path in the words of the cabling plan: NIC socket, leaf socket, the leaf's first uplink, spine socket."""
    first = rail.leaves[0]
    low, _ = _first_cable(book, rail.access, first, upper=True)
    rail.first_rack = low["a_rack"]
    rail.path = (f"{low['a_device']}  {low['a_port']}", f"{low['z_device']}  {low['z_port']}")
    rail.ways = (low["way"],)
    if rail.up and any(a == first for a, _ in rail.above):
        high, spine = _first_cable(book, rail.up, first, upper=False)
        rail.path_spine = (spine,)
        rail.ways = (*rail.ways, high["way"])
        rail.path = (*rail.path, f"{high['a_device']}  {high['a_port']}", f"{high['z_device']}  {high['z_port']}")


def _first_cable(book: Book, join: Join, device: int, upper: bool) -> tuple[dict[str, str], int]:
    """The cable of the lowest port of a device: labels of both ends, and the flat index of the upper one."""
    from dcgen.design.columns import cages
    from dcgen.tables.labels import sockets

    c = book.columns(join)
    here, port = (c.b, c.b_port) if upper else (c.a, c.a_port)
    at_device = (here == device).nonzero()[0]
    row = at_device[port[at_device].argmin()]
    out: dict[str, str] = {}
    for letter, end, flat, n in (("a", join.a, c.a, c.a_port), ("z", join.b, c.b, c.b_port)):
        named, (cage, place) = book.devices(end.group), cages(end, n[row : row + 1])
        at_socket = int(cage[0]) * end.block.split + int(place[0])
        out[f"{letter}_device"] = named.labels(flat[row : row + 1])[0]
        out[f"{letter}_rack"] = named.racks(flat[row : row + 1])[0]
        out[f"{letter}_port"] = sockets(book.design.part(end.group), end.block.name, end.block.split, at_socket + 1).label[at_socket]
    out["way"] = _way(book, join, int(row))
    return out, int(c.b[row])


def _way(book: Book, join: Join, row: int) -> str:
    """How far one cable runs, between which tiles, and how long it is ordered; nothing without a hall."""
    routes, floor, c = book.routes(join), book.design.floor, book.columns(join)
    if routes is None or floor is None:
        return ""
    a, z = (book.tiles[int(floor.racks(end.group)[flat])] for end, flat in ((join.a, c.a[row]), (join.b, c.b[row])))
    length_m = join.media[int(book.rungs(join)[row])].length_m if join.media else 0.0
    way = spoken(float(routes.length_m[row]), "m") if routes.known[row] else "unknown"
    return f"{a} to {z}, way {way}" + (f", ordered {spoken(length_m, 'm')}" if length_m else "")
