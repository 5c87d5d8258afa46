"""Every table that can be asked for by name, and the ways to ask for less, more or another order of it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dcgen.diagnostics import Diagnostic, Rejected, did_you_mean, nearest
from dcgen.tables.bom import bom_table
from dcgen.tables.book import Book
from dcgen.tables.bundles import bundle_table
from dcgen.tables.cables import cable_table
from dcgen.tables.cuts import cut_table
from dcgen.tables.failures import failure_table
from dcgen.tables.label_sheet import device_label_table, label_table
from dcgen.tables.lead_times import lead_time_table
from dcgen.tables.losses import loss_table
from dcgen.tables.model import Column, Table
from dcgen.tables.plan import MORE, Cut, known_phase, known_rack, plan_table
from dcgen.tables.ports import port_table
from dcgen.tables.racks import rack_table
from dcgen.tables.splits import split_table
from dcgen.tables.tree import tree_table

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class Asked:
    """What of a table is wanted: columns in this order, rows of one rack or phase, cables from both ends, shares of the bill."""

    columns: Sequence[str] = ()
    rack: str = ""
    phase: str = ""
    both_ways: bool = False
    by: str = ""


def _bom(book: Book, asked: Asked) -> Table:
    return split_table(book, asked.by) if asked.by else bom_table(book)


def _cables(book: Book, asked: Asked) -> Table:
    _known(asked.columns, (*cable_table(book).columns, *MORE), "cables")
    return plan_table(book, asked.columns, Cut(asked.rack, asked.phase, asked.both_ways))


SHEETS: dict[str, Callable[[Book, Asked], Table]] = {
    "bom": _bom,
    "bundles": lambda book, _: bundle_table(book),
    "cables": _cables,
    "cuts": lambda book, _: cut_table(book),
    "device-labels": lambda book, _: device_label_table(book),
    "failures": lambda book, _: failure_table(book),
    "labels": lambda book, _: label_table(book),
    "lead-times": lambda book, _: lead_time_table(book),
    "losses": lambda book, _: loss_table(book),
    "ports": lambda book, _: port_table(book),
    "racks": lambda book, _: rack_table(book),
    "tree": lambda book, _: tree_table(book),
}
"""Name -> what makes it."""

_RACK_OF = ("rack", "near_rack")
"""Columns that say in which rack a row is at work."""


def sheet(book: Book, name: str, asked: Asked) -> Table:
    """A table as it is asked for.

    Raises:
        Rejected: no such table, column, rack or phase, or a table that has no such thing.
    """
    if name not in SHEETS:
        raise Rejected([Diagnostic("bad-choice", f"there is no table `{name}`", fix=did_you_mean(name, SHEETS))])
    if asked.by and name != "bom":
        raise Rejected([Diagnostic("bad-choice", f"`{name}` is not split", fix="only the table `bom` is split by something")])
    if asked.both_ways and name != "cables":
        raise Rejected([Diagnostic("bad-choice", f"`{name}` has one way only", fix="only the table `cables` has two ways")])
    table = SHEETS[name](book, asked)
    if name != "cables":
        table = _some(book, table, asked)
    return _chosen(table, asked.columns)


def _some(book: Book, table: Table, asked: Asked) -> Table:
    """Only the rows of a rack or phase."""
    import polars as pl

    names, keep = [c.name for c in table.columns], []
    if asked.rack:
        known_rack(book, asked.rack)
        column = next((n for n in _RACK_OF if n in names), None) or _missing(table, "rack")
        keep.append(pl.col(column) == asked.rack)
    if asked.phase:
        known_phase(book, asked.phase)
        keep.append(pl.col("phase" if "phase" in names else _missing(table, "phase")) == asked.phase)
    if not keep:
        return table
    found = [frame.filter(keep) for frame in table.chunks()]
    return Table(table.name, table.columns, sum(f.height for f in found), lambda: iter(found))


def _missing(table: Table, what: str) -> str:
    fix = f"it has {', '.join(f'`{c.name}`' for c in table.columns)}"
    raise Rejected([Diagnostic("unknown-column", f"the rows of `{table.name}` have no {what}", fix=fix)])


def _chosen(table: Table, wanted: Sequence[str]) -> Table:
    """Only these columns, in this order; all if none is named."""
    if not wanted:
        return table
    _known(wanted, table.columns, table.name)
    by_name = {c.name: c for c in table.columns}

    def frames() -> "Iterator[pl.DataFrame]":
        return (frame.select(wanted) for frame in table.chunks())

    return Table(table.name, tuple(by_name[w] for w in wanted), table.rows, frames, table.note)


def _known(wanted: Sequence[str], columns: Sequence[Column], name: str) -> None:
    """Refuse columns that are not there, or twice, with the list of those that are."""
    names = [c.name for c in columns]
    unknown = [w for w in dict.fromkeys(wanted) if w not in names]
    problems = []
    if unknown:
        said = " and ".join(f"`{w}`" for w in unknown)
        near = [f"did you mean `{n}`?" for w in unknown if (n := nearest(w, names))]
        problems.append(
            Diagnostic("unknown-column", f"`{name}` has no column {said}", f"its columns are {', '.join(names)}", " ".join(near))
        )
    twice = [w for w in dict.fromkeys(wanted) if wanted.count(w) > 1]
    problems += [Diagnostic("unknown-column", f"`{w}` is asked for twice", fix="name it once") for w in twice]
    if problems:
        raise Rejected(problems)
