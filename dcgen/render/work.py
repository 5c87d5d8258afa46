"""The work lists of a plan: every cable of a stage, as rows of a table and as a page."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from dcgen.plan import Plan, Stage
from dcgen.plan.cables import Cables
from dcgen.tables.book import Book
from dcgen.tables.model import AT_ONCE, Column, Table

if TYPE_CHECKING:
    import polars as pl

    from dcgen.design.columns import Ints

ENDS = ("a_rack", "a_device", "a_port", "z_rack", "z_device", "z_port")
COLUMNS = (
    Column("stage", "count"),
    Column("task", "count"),
    Column("action"),
    Column("stays"),
    Column("fabric"),
    Column("layer"),
    Column("old_cable"),
    *(Column(f"unplug_{name}") for name in ENDS),
    Column("new_cable"),
    *(Column(f"plug_{name}") for name in ENDS),
    Column("part"),
    Column("length_m", "number", "m"),
)
ACTIONS = {
    "move": "one end stays plugged, the other one goes into another socket",
    "exchange": "the cable is taken out, and another one is put in that begins in the same socket",
    "remove": "the cable is taken out",
    "add": "a new cable",
}
"""What each action of a work list means."""


def work_lists(plan: Plan) -> dict[int, Table]:
    """The work list of every stage, by its number."""
    books = Book(plan.before), Book(plan.after)
    return {s.number: Table(f"stage-{s.number}", COLUMNS, len(s.tasks), _maker(plan, books, s)) for s in plan.stages}


def whole(lists: dict[int, Table]) -> Table:
    """The work lists of all stages as one."""
    return Table("work", COLUMNS, sum(t.rows for t in lists.values()), lambda: _all(lists))


def _maker(plan: Plan, books: tuple[Book, Book], stage: Stage) -> "Callable[[], Iterator[pl.DataFrame]]":
    return lambda: work(plan, books, stage)


def _all(lists: dict[int, Table]) -> "Iterator[pl.DataFrame]":
    for found in lists.values():
        yield from found.chunks()


def work(plan: Plan, books: tuple[Book, Book], stage: Stage) -> "Iterator[pl.DataFrame]":
    """The rows of one stage's work list."""
    import polars as pl

    tasks = stage.tasks
    for start in range(0, len(tasks), AT_ONCE):
        rows = slice(start, start + AT_ONCE)
        old, new = tasks.unplugged[rows], tasks.plugged[rows]
        out = _described(plan, books[0], plan.removed, old, "unplug_", "old_cable", False)
        come = _described(plan, books[1], plan.added, new, "plug_", "new_cable", True)
        both = (old >= 0) & (new >= 0)
        frame = pl.concat([out, come.select(pl.all().name.suffix("_new"))], how="horizontal").with_columns(
            pl.Series("both", both),
            pl.Series("exchange", tasks.exchange[rows]),
            pl.Series("end", tasks.stays[rows]),
            pl.lit(stage.number, pl.Int64).alias("stage"),
            (pl.int_range(pl.len()) + start + 1).alias("task"),
        )
        changed = pl.when(pl.col("exchange") > 0).then(pl.lit("exchange")).otherwise(pl.lit("move"))
        single = pl.when(pl.col("old_cable").is_null()).then(pl.lit("add")).otherwise(pl.lit("remove"))
        renamed = {f"{n}_new": n for n in come.columns if n.startswith(("plug_", "new_"))}
        shared = [pl.coalesce(f"{n}_new", n).alias(n) for n in ("fabric", "layer", "part", "length_m")]
        yield (
            frame.rename(renamed)
            .with_columns(
                pl.when("both").then(changed).otherwise(single).alias("action"),
                pl.when(pl.col("end") == 0).then(pl.lit("a")).when(pl.col("end") == 1).then(pl.lit("z")).otherwise(None).alias("stays"),
                *shared,
            )
            .select(c.name for c in COLUMNS)
        )


def _described(plan: Plan, book: Book, cables: Cables, rows: "Ints", prefix: str, name: str, later: bool) -> "pl.DataFrame":
    """Both ends of some cables as they are printed; nothing where the row is -1."""
    import polars as pl

    from dcgen.tables.labels import sockets

    asked = pl.DataFrame({"row": pl.Series(rows, dtype=pl.Int64)}).with_row_index("at")
    inventory, parts = plan.inventory, []
    there = asked.filter(pl.col("row") >= 0)["row"].to_numpy()
    kinds = cables.kind[there]
    for kind in sorted(set(kinds.tolist())):
        k, mine = inventory.kinds[kind], there[kinds == kind]
        cells: dict[str, pl.Series | str | float | None] = {}
        for side, end in enumerate("az"):
            place = inventory.ground.places[k.places[side]]
            group = place.after if later else place.before
            assert group is not None
            device, at = (x[mine] for x in cables.ends(side))
            flat, named = place.flat(device, group), book.devices(group.name)
            names = sockets(book.design.part(group.name), k.blocks[side], k.splits[side], int(at.max()) + 1)
            cells |= {f"{end}_rack": named.racks(flat), f"{end}_device": named.labels(flat), f"{end}_port": names.label.gather(at)}
        length = inventory.lengths.get((kind, later)) or None
        frame = pl.DataFrame({"row": mine, **{f"{prefix}{n}": cells[n] for n in ENDS}})
        texts = {"fabric": k.fabric, "layer": k.layer, "part": k.part}
        parts.append(
            frame.with_columns(
                pl.concat_str(f"{prefix}z_device", pl.lit(":"), f"{prefix}z_port").alias(name),
                *(pl.lit(text or None, pl.String).alias(n) for n, text in texts.items()),
                pl.lit(length, pl.Float64).alias("length_m"),
            )
        )
    text = [*(f"{prefix}{n}" for n in ENDS), name, "fabric", "layer", "part"]
    empty = pl.DataFrame(schema={"row": pl.Int64, **dict.fromkeys(text, pl.String), "length_m": pl.Float64})
    return asked.join(pl.concat([empty, *parts]), on="row", how="left").sort("at").drop("at", "row")


class Page:
    """The work list of a stage as Markdown, row by row, made as often as it is read."""

    def __init__(self, opening: Sequence[str], rows: Table) -> None:
        self._opening, self._rows = opening, rows

    def __iter__(self) -> Iterator[bytes]:
        import polars as pl

        heads = ["task", "action", "unplug", "plug into", "stays", "new cable", "old cable", "part", "length"]
        begin = [*self._opening, "", *(f"- *{action}*: {meaning}" for action, meaning in ACTIONS.items()), ""]
        yield "\n".join([*begin, "| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]).encode() + b"\n"
        for frame in self._rows.chunks():
            safe = [pl.col(c.name).str.replace_all(r"([\\`*_\[\]|~$<>&#@])", r"\$1") for c in COLUMNS if c.kind == "text"]
            frame = frame.with_columns(safe).with_columns(_end("unplug", "a"), _end("unplug", "z"), _end("plug", "a"), _end("plug", "z"))
            moves, stays = pl.col("action") == "move", pl.col("stays") == "a"
            cells = [
                pl.col("task").cast(pl.String),
                pl.col("action"),
                pl.when(moves & stays).then("unplug z").when(moves).then("unplug a").otherwise(_both("unplug")),
                pl.when(moves & stays).then("plug z").when(moves).then("plug a").otherwise(_both("plug")),
                pl.when(moves & stays).then("plug a").when(moves).then("plug z").otherwise(None),
                pl.col("new_cable"),
                pl.col("old_cable"),
                pl.col("part"),
                pl.concat_str(pl.col("length_m").cast(pl.Int64).cast(pl.String), pl.lit(" m")),
            ]
            line = pl.concat_str(pl.lit("| "), pl.concat_str((c.fill_null("") for c in cells), separator=" | "), pl.lit(" |"))
            yield ("\n".join(frame.select(line.alias("line"))["line"]) + "\n").encode()


def _end(what: str, end: str) -> "pl.Expr":
    import polars as pl

    at = f"{what}_{end}"
    return pl.concat_str(f"{at}_device", pl.lit(":"), f"{at}_port", pl.lit(" ("), f"{at}_rack", pl.lit(")")).alias(f"{what} {end}")


def _both(what: str) -> "pl.Expr":
    import polars as pl

    return pl.concat_str(f"{what} a", pl.lit(" – "), f"{what} z")
