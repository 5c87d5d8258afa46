"""The port map of every switch: what is used, what is free, and what is kept for something that is absent."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dcgen.design.model import Design, DeviceGroup, End, Join
from dcgen.design.sockets import splits, users
from dcgen.tables.book import Book, book_of
from dcgen.tables.layout import mixed, rate_of, reserved, switch_groups
from dcgen.tables.model import AT_ONCE, Column, Table

if TYPE_CHECKING:
    import polars as pl

    from dcgen.design.columns import Columns, Ints

COLUMNS = (
    Column("device"),
    Column("rack"),
    Column("port"),
    Column("state"),
    Column("far_device"),
    Column("far_port"),
    Column("rate_gbps", "number", "gbps"),
    Column("fabric"),
)


def port_table(source: Design | Book) -> Table:
    """One row per port of every switch that exists: first those that a bundle ends on, then those that only come inside a rack.

    `used` holds a link; `kept` would hold one if what is absent were there, and names it; `reserved` stays empty for a stated
    reason; `free` is left, at the rate it can run.
    """
    book = book_of(source)
    plugged = {e.group for b in book.design.bundles for e in b.ends}
    groups = sorted(switch_groups(book.design), key=lambda g: bool(g.inside) and g.name not in plugged)
    return Table("ports", COLUMNS, sum(_count(book, g) for g in groups), lambda: (f for g in groups for f in _frames(book, g)))


def _count(book: Book, group: DeviceGroup) -> int:
    names = book.design.part(group.name).port_groups()
    if any(mixed(book.design, group, name) for name in names):
        return sum(frame.height for frame in _frames(book, group))
    return group.count * _per_device(book.design, group)


def _per_device(design: Design, group: DeviceGroup) -> int:
    return sum(sum(splits(design, group.name, name)) for name in design.part(group.name).port_groups())


@dataclass(frozen=True, slots=True)
class _Used:
    """Ports of one end of a bundle on switches that exist, as columns: row of the device, cage, place in it; and the far end.

    `missing` are the rows of links that would be there if nothing were absent.
    """

    join: Join
    near: End
    far: End
    row: "Ints"
    cage: "Ints"
    place: "Ints"
    far_device: "Ints"
    far_port: "Ints"
    missing: "Ints | None"


def _frames(book: Book, group: DeviceGroup) -> "Iterator[pl.DataFrame]":
    """The ports of a group, a range of devices at a time."""
    from dcgen.design.columns import device_ids

    design, rows = book.design, book.devices(group.name).row[device_ids(group)]
    plugs = {name: [_used(book, *end) for end in users(design, group.name, name)] for name in design.part(group.name).port_groups()}
    step = max(1, AT_ONCE // max(1, _per_device(design, group)))
    for start in range(0, len(rows), step):
        yield _devices(book, group, plugs, rows[start : start + step])


def _devices(book: Book, group: DeviceGroup, plugs: dict[str, list[_Used]], rows: "Ints") -> "pl.DataFrame":
    import polars as pl

    frames = []
    for rank, (sockets, used) in enumerate(plugs.items()):
        taken = _moved_in([_taken(book, u, int(rows[0]), int(rows[-1])) for u in used])
        some = pl.concat([*taken, _free(book.design, group, sockets, taken, rows)])
        frames.append(_labelled(book.design, group, sockets, some).with_columns(pl.lit(rank, pl.Int64).alias("rank")))
    named, key = book.devices(group.name), pl.col("row")
    for name in ("rank", "cage", "place"):  # one number sorts several times as fast as four columns
        key = key * (pl.col(name).max() + 1) + pl.col(name)
    found = pl.concat(frames).sort(key)
    at = found["row"].to_numpy()
    return found.with_columns(named.label.gather(at).alias("device"), named.rack_label.gather(named.rack[at]).alias("rack")).select(
        column.name for column in COLUMNS
    )


def _moved_in(taken: "list[pl.DataFrame]") -> "list[pl.DataFrame]":
    """Without the ports kept for something absent in whose place another device is plugged in."""
    import polars as pl

    kept, used = pl.col("state") == "kept", [frame.filter(state="used") for frame in taken]
    if len(taken) < 2 or not any(frame.select(kept.any()).item() for frame in taken):
        return taken
    plugs = pl.concat(used).select("row", "cage", "place", "split")
    return [pl.concat([now, frame.filter(kept).join(plugs, on=plugs.columns, how="anti")]) for now, frame in zip(used, taken, strict=True)]


def _used(book: Book, join: Join, side: int) -> _Used:
    from dcgen.design.columns import alive, cages

    whole = book.complete
    every = whole.columns(next(b for b in whole.design.bundles if b.name == join.name))
    group = book.design.groups[join.ends[side].group]
    if group.absent:
        every = every[alive(group)[every.b if side else every.a]]
    device, port, far, far_port = _seen_from(every, side)
    missing = None if whole is book else _missing(book.columns(join), every, side)
    ends = join.ends[side], join.ends[1 - side]
    return _Used(join, *ends, book.devices(group.name).row[device], *cages(join.ends[side], port), far, far_port, missing)


def _seen_from(c: "Columns", side: int) -> "tuple[Ints, Ints, Ints, Ints]":
    return (c.b, c.b_port, c.a, c.a_port) if side else (c.a, c.a_port, c.b, c.b_port)


def _missing(now: "Columns", every: "Columns", side: int) -> "Ints":
    """Rows of `every` whose port holds no link now."""
    import polars as pl

    device, port, *_ = _seen_from(every, side)
    here, at, *_ = _seen_from(now, side)
    width = int(port.max(initial=0)) + 1
    there = pl.Series(device * width + port).is_in(pl.Series(here * width + at).implode())
    return (~there).arg_true().cast(pl.Int64).to_numpy()


def _taken(book: Book, used: _Used, first: int, last: int) -> "pl.DataFrame":
    """Ports of one end of a bundle, used or kept, on the devices of these rows."""
    import polars as pl

    here = ((used.row >= first) & (used.row <= last)).nonzero()[0]
    join, end = used.join, used.far
    kept = pl.Series(here).is_in(pl.Series([] if used.missing is None else used.missing, dtype=pl.Int64).implode())
    return pl.DataFrame({"row": used.row[here], "cage": used.cage[here], "place": used.place[here]}).with_columns(
        pl.lit(used.near.block.split, pl.Int64).alias("split"),
        pl.when(kept).then(pl.lit("kept")).otherwise(pl.lit("used")).alias("state"),
        book.devices(end.group).labels(used.far_device[here]).alias("far_device"),
        _sockets_of(book.design, end, used.far_port[here]).alias("far_port"),
        pl.lit(join.rate_gbps or None, pl.Float64).alias("rate_gbps"),
        pl.lit(join.fabric or None, pl.String).alias("fabric"),
    )


def _sockets_of(design: Design, end: End, port: "Ints") -> "pl.Series":
    """Labels of the sockets of these ports."""
    from dcgen.design.columns import cages
    from dcgen.tables.labels import sockets

    cage, place = cages(end, port)
    at = cage * end.block.split + place
    return sockets(design.part(end.group), end.block.name, end.block.split, int(at.max(initial=-1)) + 1).label.gather(at)


def _free(design: Design, group: DeviceGroup, sockets: str, taken: "list[pl.DataFrame]", rows: "Ints") -> "pl.DataFrame":
    """Ports that nothing touches, not even a port of the same cage run in another way, on the devices of these rows."""
    import polars as pl

    ports, run = design.part(group.name).port_groups()[sockets], splits(design, group.name, sockets)
    every = pl.DataFrame({"cage": range(len(run)), "split": run}, schema={"cage": pl.Int64, "split": pl.Int64}).with_columns(
        pl.int_ranges("split").alias("place")
    )
    widest = max(run)
    key = ((pl.col("row") * len(run) + pl.col("cage")) * widest + pl.col("place")).alias("key")
    left = pl.DataFrame({"row": rows}).join(every.explode("place"), how="cross").with_columns(key)
    for frame in taken:
        ours, theirs = pl.col("split_right"), pl.col("split")
        touched = frame.select("row", "cage", "place", "split").join(every.select("cage", split_right="split"), on="cage")
        if not touched.select((ours == theirs).all()).item():
            low, high = pl.col("place") * ours // theirs, -(-(pl.col("place") + 1) * ours // theirs)
            touched = touched.with_columns(pl.int_ranges(low, high).alias("place")).explode("place")
        left = left.join(touched.select(key), on="key", how="anti")
    rates = {split: rate_of(ports, split) for split in run}
    return left.select(
        "row",
        "cage",
        "place",
        "split",
        pl.when(pl.col("cage").is_in(reserved(design, group, sockets))).then(pl.lit("reserved")).otherwise(pl.lit("free")).alias("state"),
        pl.lit(None, pl.String).alias("far_device"),
        pl.lit(None, pl.String).alias("far_port"),
        pl.col("split").replace_strict(rates, default=None, return_dtype=pl.Float64).alias("rate_gbps"),
        pl.lit(None, pl.String).alias("fabric"),
    )


def _labelled(design: Design, group: DeviceGroup, sockets: str, rows: "pl.DataFrame") -> "pl.DataFrame":
    """The rows with the label of each port, which depends on how its cage is run."""
    import polars as pl

    from dcgen.tables.labels import sockets as names

    parts = []
    for (split,), some in rows.group_by("split", maintain_order=True):
        at = some["cage"] * split + some["place"]
        count = int(at.max() or 0) + 1
        parts.append(some.with_columns(names(design.part(group.name), sockets, int(split), count).label.gather(at).alias("port")))
    return pl.concat(parts) if parts else rows.with_columns(pl.lit(None, pl.String).alias("port"))
