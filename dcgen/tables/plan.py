"""The cabling plan as somebody asks for it: more columns, both ways, the sheet of one rack or of one phase."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dcgen.design.model import Design, Join
from dcgen.diagnostics import Diagnostic, Rejected, did_you_mean
from dcgen.naming import natural
from dcgen.tables.book import Book
from dcgen.tables.cables import bundle_rows, cable_table
from dcgen.tables.model import Column, Table

if TYPE_CHECKING:
    import polars as pl

    from dcgen.design.columns import Ints

MORE = (
    Column("a_label"),
    Column("z_label"),
    Column("colour"),
    Column("rail", "count"),
    Column("rail_colour"),
    Column("bundle"),
    Column("a_print"),
    Column("z_print"),
)
"""Columns that are made only when somebody asks for them."""

_OTHER = {"a_label": "z_label", "z_label": "a_label", "a_print": "z_print", "z_print": "a_print"}
"""Column -> the same of the other end, which takes its place when a cable is turned."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Which cables: those with an end in a rack, that end first; those of a phase; each once, or once from either end."""

    rack: str = ""
    phase: str = ""
    both_ways: bool = False


def plan_table(book: Book, wanted: Collection[str] = (), cut: Cut | None = None) -> Table:
    """The cabling plan with these columns of `MORE` behind its own.

    Raises:
        Rejected: a rack or phase that is not there.
    """
    cut = cut or Cut()
    if cut.phase:
        known_phase(book, cut.phase)
    if cut.rack:
        known_rack(book, cut.rack)
    total = cable_table(book)
    columns = (*total.columns, *(c for c in MORE if c.name in wanted))
    ways = {**dict.fromkeys(wanted), **{_OTHER.get(w, w): None for w in wanted}} if cut.rack or cut.both_ways else wanted

    def frames() -> "Iterator[pl.DataFrame]":
        for frame in wide_frames(book, ways):
            here = both_ways(frame) if cut.both_ways and not cut.rack else frame
            yield (_cut(here, cut) if cut.rack or cut.phase else here).select(c.name for c in columns)

    if not (cut.rack or cut.phase):
        return Table("cables", columns, total.rows * (2 if cut.both_ways else 1), frames)
    sheet = _sheet(list(frames()), cut)
    return Table("cables", columns, sum(f.height for f in sheet), lambda: iter(sheet))


def wide_frames(book: Book, wanted: Collection[str]) -> "Iterator[pl.DataFrame]":
    """Rows of the cabling plan with some of the columns of `MORE`."""
    for join in (b for b in book.design.bundles if b.field_cabled):
        more = _More(book, join, {c.name for c in MORE} & {*wanted, *_needed(book.design, wanted)})
        for rows, frame in bundle_rows(book, join):
            yield more.beside(rows, frame)


def _needed(design: Design, wanted: Collection[str]) -> set[str]:
    """Columns that a label is made of."""
    pattern = design.labels.cable if {"a_print", "z_print"} & set(wanted) else ""
    return ({"a_label", "z_label"} if "_label}" in pattern else set()) | ({"colour"} if "{colour}" in pattern else set())


class _More:
    """The columns of one bundle that somebody asks for, made once and cut into the same pieces as its rows."""

    def __init__(self, book: Book, join: Join, wanted: set[str]) -> None:
        import polars as pl

        from dcgen.tables.bundles import bundle_names
        from dcgen.tables.printed import colour, device_texts, rail_colours, rails

        self._pattern, self._wanted = book.design.labels.cable, wanted
        self._series: dict[str, pl.Series] = {}
        self._alike = {"colour": colour(book.design, join)} if "colour" in wanted else {}
        c = book.columns(join)
        for end, flat, side in ((join.a, c.a, "a"), (join.b, c.b, "z")):
            if f"{side}_label" in wanted:
                texts = device_texts(book, book.design.groups[end.group])
                self._series[f"{side}_label"] = texts.gather(book.devices(end.group).row[flat])
        if {"rail", "rail_colour"} & wanted:
            found = rails(book, join)
            number = pl.Series(found) if found is not None else pl.Series([None] * len(c), dtype=pl.Int64)
            self._series |= {"rail": number, "rail_colour": rail_colours(number)}
        if "bundle" in wanted:
            self._series["bundle"] = bundle_names(book, join)

    def beside(self, rows: "Ints", frame: "pl.DataFrame") -> "pl.DataFrame":
        """These rows with their columns."""
        import polars as pl

        from dcgen.tables.printed import cable_text

        out = frame.with_columns(
            *(series.gather(rows).alias(name) for name, series in self._series.items()),
            *(pl.lit(value, pl.String).alias(name) for name, value in self._alike.items()),
        )
        texts = {"a_print": ("a_", "z_"), "z_print": ("z_", "a_")}
        return out.with_columns(cable_text(self._pattern, *texts[n]).alias(n) for n in texts if n in self._wanted)


def both_ways(frame: "pl.DataFrame") -> "pl.DataFrame":
    """Every cable twice, the second time from its other end."""
    import polars as pl

    return pl.concat([frame.with_row_index("n"), turned(frame).with_row_index("n")]).sort("n", maintain_order=True).drop("n")


def turned(frame: "pl.DataFrame") -> "pl.DataFrame":
    """The same cables seen from their other ends."""
    import polars as pl

    names = set(frame.columns)
    other = {n: f"{'z' if n[0] == 'a' else 'a'}{n[1:]}" for n in frame.columns if n[:2] in ("a_", "z_")}
    return frame.with_columns((pl.col(far) if far in names else pl.lit(None, frame.schema[n])).alias(n) for n, far in other.items())


def _cut(frame: "pl.DataFrame", cut: Cut) -> "pl.DataFrame":
    """Only the cables of a phase or rack; the end in the rack comes first."""
    import polars as pl

    here = frame.filter(pl.col("phase") == cut.phase) if cut.phase else frame
    if not cut.rack:
        return here
    ours, theirs = here.filter(pl.col("a_rack") == cut.rack), here.filter(pl.col("z_rack") == cut.rack)
    again = theirs if cut.both_ways else theirs.filter(pl.col("a_rack") != cut.rack)
    return pl.concat([ours, turned(again)])


def _sheet(found: "list[pl.DataFrame]", cut: Cut) -> "list[pl.DataFrame]":
    """The rows of a rack in the natural order of its devices and ports."""
    import polars as pl

    if not cut.rack or not found:
        return found
    whole = pl.concat(found)
    keys = [(natural(d), natural(p)) for d, p in whole.select("a_device", "a_port").rows()]
    return [whole[sorted(range(len(keys)), key=keys.__getitem__)]]


def known_phase(book: Book, phase: str) -> None:
    """Refuse a phase that is not there. Raises Rejected."""
    phases = book.design.phases
    if phase not in phases:
        fix = did_you_mean(phase, phases) if phases else "write `phases:` in the blueprint"
        raise Rejected([Diagnostic("bad-reference", f"there is no phase `{phase}`", fix=fix)])


def known_rack(book: Book, rack: str) -> None:
    """Refuse a rack that is not there. Raises Rejected."""
    racks = dict.fromkeys(r for g in book.design.groups for r in book.devices(g).rack_label.to_list())
    if rack not in racks:
        raise Rejected([Diagnostic("bad-reference", f"there is no rack `{rack}`", fix=did_you_mean(rack, racks))])
