"""How fast accelerators of one scale-up domain exchange data, as somebody measured it."""

from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from dcgen.parts.fields import Name, Positive, RateGbps, Strict, Text, fault, quantity

Operation = Literal["all-reduce", "all-gather", "reduce-scatter", "all-to-all"]
"""What all ranks of a set do together."""

SizeBytes = Annotated[
    int,
    BeforeValidator(lambda value: round(quantity("size", 1, 10**15)(value))),
    WithJsonSchema({"type": ["string", "number"], "examples": ["8 GiB", "512 MB"]}),
]
"""How much data: KiB, MiB, GiB are powers of 1024, kB, MB, GB of 1000."""

TimeNs = Annotated[float, BeforeValidator(quantity("time", 0, 1e18)), WithJsonSchema({"type": ["string", "number"], "examples": ["18 us"]})]


class Point(Strict):
    """One measurement: so much data a rank, so long."""

    size_bytes: SizeBytes = Field(alias="size")
    time_ns: TimeNs = Field(alias="time")


class Measured(Strict):
    """One operation on `ranks` accelerators of a domain: a line fitted to measurements, measured points, or both.

    The line is time = `latency` + factor × size / `bus_rate`, with the factor that turns data into bus bandwidth.
    """

    op: Operation
    ranks: Positive
    latency_ns: TimeNs | None = Field(None, alias="latency")
    bus_rate_gbps: RateGbps | None = Field(None, alias="bus_rate")
    points: list[Point] = []
    source: Name
    note: Text | None = None

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if (self.latency_ns is None) != (self.bus_rate_gbps is None) or (self.bus_rate_gbps is None and not self.points):
            raise fault("missing-key", "a measured collective needs `latency` and `bus_rate`, or `points`", "add what is missing")
        sizes = [p.size_bytes for p in self.points]
        if sizes != sorted(set(sizes)):
            raise fault("part-contradiction", "points of a measured collective are not in order of size", "sort them, each size once")
        if self.ranks < 2 or self.bus_rate_gbps == 0 or any(p.time_ns == 0 for p in self.points):
            raise fault("out-of-range", "a collective takes two ranks or more, a rate and a time above zero", "correct the figure")
        return self
