"""Turns a design into rows and columns; never measures or judges it."""

from dcgen.tables.bom import bom_table
from dcgen.tables.book import Book
from dcgen.tables.cables import cable_table
from dcgen.tables.failures import failure_table
from dcgen.tables.losses import loss_table
from dcgen.tables.model import Column, Table
from dcgen.tables.ports import port_table
from dcgen.tables.racks import rack_table

TABLES = (
    bom_table,
    cable_table,
    failure_table,
    loss_table,
    port_table,
    rack_table,
)

__all__ = ["TABLES", "Book", "Column", "Table", "bom_table", "cable_table", "failure_table", "loss_table", "port_table", "rack_table"]
