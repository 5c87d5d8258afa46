"""The port map of every switch: what is used, what is free, and what is kept for something that is absent."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from dcgen.design.model import Design, DeviceGroup, Join
from dcgen.tables.layout import mixed, rate_of, reserved, splits, switch_groups, users
from dcgen.tables.model import Column, Table

if TYPE_CHECKING:
    import polars as pl

    from dcgen.design.columns import Ints
    from dcgen.tables.labels import Devices

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


def port_table(design: Design) -> Table:
    """One row per port of every switch that exists.

    `used` holds a link; `kept` would hold one if what is absent were there, and names it; `reserved` stays empty for a stated
    reason; `free` is left, at the rate it can run.
    """
    return Table("ports", COLUMNS, sum(_count(design, g) for g in switch_groups(design)), lambda: _frames(design))


def _count(design: Design, group: DeviceGroup) -> int:
    names = design.part(group.name).port_groups()
    if any(mixed(design, group, name) for name in names):
        return _group(design, _complete(design), group).height
    return group.count * sum(sum(splits(design, group, name)) for name in names)


def _frames(design: Design) -> "Iterator[pl.DataFrame]":
    complete = _complete(design)
    for group in switch_groups(design):
        yield _group(design, complete, group)


def _complete(design: Design) -> Design:
    """The design with nothing absent."""
    groups = {name: replace(g, absent=()) for name, g in design.groups.items()}
    return replace(design, groups=groups, bundles=tuple(replace(b, gone=()) for b in design.bundles))


def _group(design: Design, complete: Design, group: DeviceGroup) -> "pl.DataFrame":
    import polars as pl

    from dcgen.tables.labels import devices

    named = devices(design, group)
    frames = []
    for rank, sockets in enumerate(design.part(group.name).port_groups()):
        taken = [_taken(design, complete, join, side, named) for join, side in users(design, group, sockets)]
        rows = pl.concat([*taken, _free(design, group, sockets, taken, named)])
        frames.append(_labelled(design, group, sockets, rows).with_columns(pl.lit(rank).alias("rank")))
    rows = pl.concat(frames).sort("row", "rank", "cage", "place")
    at = rows["row"].to_numpy()
    return rows.with_columns(named.label.gather(at).alias("device"), named.rack_label.gather(named.rack[at]).alias("rack")).select(
        column.name for column in COLUMNS
    )


def _taken(design: Design, complete: Design, join: Join, side: int, named: "Devices") -> "pl.DataFrame":
    """Ports of one end of a bundle on switches that exist, used or kept."""
    import polars as pl

    from dcgen.design.columns import alive, cages, columns

    every, now = columns(complete, next(b for b in complete.bundles if b.name == join.name)), columns(design, join)
    every = every[alive(design.groups[join.ends[side].group])[every.b if side else every.a]]
    device, port = (every.b, every.b_port) if side else (every.a, every.a_port)
    width = int(port.max(initial=0)) + 1
    used = pl.Series(device * width + port).is_in(
        pl.Series((now.b if side else now.a) * width + (now.b_port if side else now.a_port)).implode()
    )
    cage, place = cages(join.ends[side], port)
    far_device, far_port = _far(design, join, 1 - side, *((every.a, every.a_port) if side else (every.b, every.b_port)))
    return pl.DataFrame(
        {
            "row": named.row[device],
            "cage": cage,
            "place": place,
            "used": used,
            "far_device": far_device,
            "far_port": far_port,
        }
    ).select(
        "row",
        "cage",
        "place",
        pl.lit(join.ends[side].block.split, pl.Int64).alias("split"),
        pl.when("used").then(pl.lit("used")).otherwise(pl.lit("kept")).alias("state"),
        "far_device",
        "far_port",
        pl.lit(join.rate_gbps or None, pl.Float64).alias("rate_gbps"),
        pl.lit(join.fabric or None, pl.String).alias("fabric"),
    )


def _far(design: Design, join: Join, side: int, device: "Ints", port: "Ints") -> "tuple[pl.Series, pl.Series]":
    """Labels of the devices and sockets at the other end."""
    from dcgen.design.columns import cages
    from dcgen.tables.labels import devices, sockets

    end = join.ends[side]
    cage, place = cages(end, port)
    at = cage * end.block.split + place
    names = sockets(design.part(end.group), end.block.name, end.block.split, int(at.max(initial=-1)) + 1)
    return devices(design, design.groups[end.group]).labels(device), names.label.gather(at)


def _free(design: Design, group: DeviceGroup, sockets: str, taken: "list[pl.DataFrame]", named: "Devices") -> "pl.DataFrame":
    """Ports that nothing touches, not even a port of the same cage run in another way, on every switch that exists."""
    import polars as pl

    from dcgen.design.columns import device_ids

    ports, run = design.part(group.name).port_groups()[sockets], splits(design, group, sockets)
    every = pl.DataFrame({"cage": range(len(run)), "split": run}, schema={"cage": pl.Int64, "split": pl.Int64}).with_columns(
        pl.int_ranges("split").alias("place")
    )
    left = pl.DataFrame({"row": named.row[device_ids(group)]}).join(every.explode("place"), how="cross")
    for frame in taken:
        ours, theirs = pl.col("split_right"), pl.col("split")
        touched = frame.join(every.select("cage", split_right="split"), on="cage").select(
            "row", "cage", pl.int_ranges(pl.col("place") * ours // theirs, -(-(pl.col("place") + 1) * ours // theirs)).alias("place")
        )
        left = left.join(touched.explode("place"), on=["row", "cage", "place"], how="anti")
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
