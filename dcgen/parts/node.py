"""A compute tray or server that runs one operating system."""

from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, model_validator

from dcgen.parts.base import NumberFigure, Part, Ports
from dcgen.parts.fields import Count, Name, PartId, Positive, apart, fault


class Node(Part):
    """Accelerators, processors and NIC ports behind one operating system."""

    kind: Literal["node", "tray"]
    accelerator: PartId | None = None
    accelerators: Count = 0
    cpus: Count = 0
    ports: Annotated[dict[Name, Ports], BeforeValidator(apart)] = {}
    per_rack: Positive | None = None
    memory_gb: NumberFigure | None = None

    @model_validator(mode="after")
    def _ports_have_modes(self) -> Self:
        for name, ports in self.ports.items():
            if len(ports.modes) != 1:
                raise fault(
                    "part-contradiction",
                    f"ports `{name}` of a node have {len(ports.modes)} modes",
                    "a NIC port has one; list another port group",
                )
        return self

    def port_groups(self) -> dict[str, Ports]:
        """The NIC ports by group."""
        return self.ports
