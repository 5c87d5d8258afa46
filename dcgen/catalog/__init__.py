"""Turns the name of a part into the part, from a user's folder or the shipped shelf; never says what a part is."""

from dcgen.catalog.netbox import imported
from dcgen.catalog.schema import schema
from dcgen.catalog.search import card, search
from dcgen.catalog.shelf import Shelf

__all__ = ["Shelf", "card", "imported", "schema", "search"]
