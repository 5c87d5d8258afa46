"""Turns what a person wrote into a design; never answers a question about it."""

from dcgen.blueprint.lay_out import Blueprint, lay_out, parse, schema
from dcgen.blueprint.variants import variants

__all__ = ["Blueprint", "lay_out", "parse", "schema", "variants"]
