"""Turns groups and bundles into one small exact value, and answers what it holds; never knows text, files or money."""

from dcgen.design.model import (
    Axis,
    Block,
    Deal,
    Decision,
    Design,
    DeviceGroup,
    End,
    Fabric,
    Join,
    Line,
    Media,
    Mesh,
    Pack,
    Requirement,
    Stock,
    Table,
)

__all__ = [
    "Axis",
    "Block",
    "Deal",
    "Decision",
    "Design",
    "DeviceGroup",
    "End",
    "Fabric",
    "Join",
    "Line",
    "Media",
    "Mesh",
    "Pack",
    "Requirement",
    "Stock",
    "Table",
]
