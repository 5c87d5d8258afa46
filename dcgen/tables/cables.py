"""The cabling plan: one row per cable that is pulled, the lower tier first."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dcgen.design.model import Design, Join
from dcgen.design.wiring import links
from dcgen.tables.book import Book, book_of
from dcgen.tables.model import AT_ONCE, Column, Table

if TYPE_CHECKING:
    import polars as pl

    from dcgen.design.columns import Ints

COLUMNS = (
    Column("cable"),
    Column("fabric"),
    Column("a_rack"),
    Column("a_unit"),
    Column("a_device"),
    Column("a_port"),
    Column("z_rack"),
    Column("z_unit"),
    Column("z_device"),
    Column("z_port"),
    Column("medium"),
    Column("part"),
    Column("length_m", "number", "m"),
    Column("length_basis"),
    Column("rate_gbps", "number", "gbps"),
    Column("layer"),
    Column("a_optic"),
    Column("z_optic"),
    Column("a_os"),
    Column("phase"),
)

OF_A_HALL = (
    Column("route_m", "number", "m"),
    Column("a_tile"),
    Column("z_tile"),
    Column("leg", "count"),
)
"""Columns that only a design with a hall has."""


def cable_table(source: Design | Book) -> Table:
    """One row per cable, bundle by bundle, within a bundle by the upper device and its port; of a cable with legs one row per leg.

    A cable is called by the socket at its upper end: a socket holds one cable, and growth elsewhere does not rename it. A cable with
    legs is called by the cage at its one plug. A U position that nothing gives is empty. A cable belongs to the later phase of its
    two ends.
    """
    book = book_of(source)
    design = book.design
    pulled = [b for b in design.bundles if b.field_cabled]
    return Table("cables", _columns(design), sum(links(design, b) for b in pulled), lambda: _frames(book, pulled))


def _columns(design: Design) -> tuple[Column, ...]:
    return (*COLUMNS, *OF_A_HALL) if design.hall else COLUMNS


def _frames(book: Book, pulled: list[Join]) -> "Iterator[pl.DataFrame]":
    for join in pulled:
        yield from (frame for _, frame in bundle_rows(book, join))


def bundle_rows(book: Book, join: Join) -> "Iterator[tuple[Ints, pl.DataFrame]]":
    """The rows of one bundle, some at a time, and which of its links each is."""
    import polars as pl

    from dcgen.design.columns import cages
    from dcgen.tables.labels import phase_names, sockets

    design, lower, upper = book.design, book.devices(join.a.group), book.devices(join.b.group)
    c = book.columns(join)
    places = []
    for end, port in zip(join.ends, (c.a_port, c.b_port), strict=True):
        cage, place = cages(end, port)
        places.append(cage * end.block.split + place)
    a, z = (
        sockets(design.part(e.group), e.block.name, e.block.split, int(p.max(initial=-1)) + 1)
        for e, p in zip(join.ends, places, strict=True)
    )
    socket = c.b * (int(places[1].max(initial=0)) + 1) + places[1]
    order = pl.Series(socket).arg_sort().to_numpy()
    for start in range(0, len(order), AT_ONCE):
        rows = order[start : start + AT_ONCE]
        frame = pl.DataFrame(
            {
                "a_rack": lower.racks(c.a[rows]),
                "a_device": lower.labels(c.a[rows]),
                "a_port": a.label.gather(places[0][rows]),
                "z_rack": upper.racks(c.b[rows]),
                "z_device": upper.labels(c.b[rows]),
                "z_port": z.label.gather(places[1][rows]),
                "a_os": a.os.gather(places[0][rows]),
                "phase": phase_names(design, lower.phase[c.a[rows]], upper.phase[c.b[rows]]),
            }
        )
        frame = frame.with_columns(_alike(join)).with_columns(_media(book, join, rows))
        if design.hall:
            frame = frame.with_columns(_in_hall(book, join, rows, frame["cable"]))
        yield rows, frame.select(column.name for column in _columns(design))


def _media(book: Book, join: Join, rows: "Ints") -> "list[pl.Series]":
    """What each of these cables is made of."""
    import polars as pl

    media, rung = join.media, book.rungs(join)[rows] if len(join.media) > 1 else None
    texts: dict[str, list[str]] = {
        "medium": [m.medium for m in media],
        "part": [m.cable for m in media],
        "length_basis": [m.basis for m in media],
        "a_optic": [m.optics[0] for m in media],
        "z_optic": [m.optics[1] for m in media],
    }
    series = [pl.Series(name, [v or None for v in values] or [None], dtype=pl.String) for name, values in texts.items()]
    series.append(pl.Series("length_m", [m.length_m or None for m in media] or [None], dtype=pl.Float64))
    return [s.gather(rung) if rung is not None else s.new_from_index(0, len(rows)) for s in series]


def _in_hall(book: Book, join: Join, rows: "Ints", cable: "pl.Series") -> "list[pl.Series]":
    """How far each of these cables runs, between which tiles and units; a way that is not all measured is left out."""
    import polars as pl

    c, routes, floor = book.columns(join), book.routes(join), book.design.floor
    assert routes is not None
    assert floor is not None
    out = [pl.Series("route_m", routes.length_m[rows]).set(~pl.Series(routes.known[rows]), None)]
    for word, end, device in (("a", join.a, c.a), ("z", join.b, c.b)):
        units = pl.Series(floor.units(end.group)[device[rows]]).fill_nan(None)
        out.append(pl.Series(f"{word}_unit", units.cast(pl.String).str.strip_suffix(".0")))
        out.append(book.tiles.gather(floor.racks(end.group)[device[rows]]).alias(f"{word}_tile"))
    return [*out, *_legs(book, join, rows, cable)]


def _legs(book: Book, join: Join, rows: "Ints", cable: "pl.Series") -> "list[pl.Series]":
    """The number of each leg, and the name of its cable: the cage of the one plug that all legs share."""
    import polars as pl

    from dcgen.design.columns import cages
    from dcgen.design.tally import fan_side, per_cable

    several = pl.Series([per_cable(book.design, m) > 1 for m in join.media] or [False])
    if not several.any():
        return [pl.Series("leg", [None], dtype=pl.Int64).new_from_index(0, len(rows))]
    side, c = fan_side(join), book.columns(join)
    end, device, port = join.ends[side], (c.b if side else c.a)[rows], (c.b_port if side else c.a_port)[rows]
    cage, place = cages(end, port)
    whole = book.design.part(end.group).printed(end.block.name, 1, int(cage.max(initial=-1)) + 1)
    named = pl.DataFrame(
        {
            "device": book.devices(end.group).labels(device),
            "cage": pl.Series(whole, dtype=pl.String).gather(cage),
            "place": place,
            "has": several.gather(book.rungs(join)[rows]),
            "socket": cable,
        }
    )
    has = pl.col("has")
    return named.select(
        pl.when(has).then(pl.concat_str("device", pl.lit(":"), "cage")).otherwise("socket").alias("cable"),
        pl.when(has).then(pl.col("place") + 1).cast(pl.Int64).alias("leg"),
    ).get_columns()


def _alike(join: Join) -> "list[pl.Expr]":
    """The cells that all cables of a bundle share."""
    import polars as pl

    texts = {"fabric": join.fabric, "a_unit": "", "z_unit": "", "layer": join.layer}
    return [
        pl.concat_str("z_device", pl.lit(":"), "z_port").alias("cable"),
        *(pl.lit(value or None, pl.String).alias(name) for name, value in texts.items()),
        pl.lit(join.rate_gbps or None, pl.Float64).alias("rate_gbps"),
    ]
