"""Turns YAML text into plain data with a place for every value, and data into validated models; never runs what a text says."""

from dcgen.source.files import DISK, Files
from dcgen.source.include import grafted, included
from dcgen.source.limits import Limits
from dcgen.source.validate import validate
from dcgen.source.yaml import Source, parse_text, read

__all__ = ["DISK", "Files", "Limits", "Source", "grafted", "included", "parse_text", "read", "validate"]
