"""Turns what a person wrote into a design; never answers a question about it."""

from dcgen.blueprint.lay_out import Blueprint, lay_out, parse, schema

__all__ = ["Blueprint", "lay_out", "parse", "schema"]
