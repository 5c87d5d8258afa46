"""How long a signal takes: light in glass, copper, error correction, bits onto a wire; and what a switch hop was measured to take."""

from dataclasses import dataclass

LIGHT_M_PER_NS = 0.299792458
FIBRE_INDEX = 1.4682
"""Group index of single-mode fibre near 1310 nm."""
FIBRE_NS_PER_M = FIBRE_INDEX / LIGHT_M_PER_NS
COPPER_NS_PER_M = 4.65
"""Middle of the 4.3 to 5 ns/m of copper cables: an estimate, and at most 3 m of it."""
COPPER = ("dac", "acc", "twisted-pair")

CODEWORD_BITS = 5440
LINE_OVERHEAD = 1.0625
DECODE_NS = 37.0
INTERLEAVED = {100: 1, 200: 2, 400: 2, 800: 4, 1600: 4}
"""Rate of a port [Gb/s] -> codewords of RS(544,514) that share the line, each of 10-bit symbols (IEEE 802.3)."""

MESSAGE_BYTES = 64
"""Size of the message whose latency is given: that of the measurements below."""


def propagation_ns(length_m: float, medium: str = "fibre") -> float:
    """One way through a cable [ns].

    >>> round(propagation_ns(1000), 1), round(propagation_ns(2, "dac"), 1)
    (4897.4, 9.3)
    """
    return length_m * (COPPER_NS_PER_M if medium in COPPER else FIBRE_NS_PER_M)


def codewords_ns(bits: float, line_gbps: float) -> float:
    """Until so many interleaved bits have come in at the rate of the line [ns]."""
    return bits / line_gbps


def fec_ns(rate_gbps: float) -> float:
    """What a receiver waits to correct errors [ns]: the interleaved codewords must be complete, then they are decoded.

    0 at rates that have no such correction.

    >>> fec_ns(400), fec_ns(800), fec_ns(10)
    (62.6, 62.6, 0.0)
    """
    n = INTERLEAVED.get(round(rate_gbps))
    return codewords_ns(n * CODEWORD_BITS, rate_gbps * LINE_OVERHEAD) + DECODE_NS if n else 0.0


def serialization_ns(size_bytes: float, rate_gbps: float) -> float:
    """Until the last bit is on the wire [ns].

    >>> serialization_ns(4096, 400)
    81.92
    """
    return 8 * size_bytes / rate_gbps


@dataclass(frozen=True, slots=True)
class Hop:
    """Measured from application to application, 64 bytes: through one leaf, and through leaf, spine and leaf [ns]."""

    same_leaf_ns: float
    cross_leaf_ns: float

    @property
    def switch_ns(self) -> float:
        """One more switch with its cable and error correction: the second way passes two more."""
        return (self.cross_leaf_ns - self.same_leaf_ns) / 2

    @property
    def ends_ns(self) -> float:
        """What is left for software and both network cards."""
        return self.same_leaf_ns - self.switch_ns


MEASURED = {"infiniband": Hop(2800, 3700), "ethernet": Hop(3600, 5600)}
"""Technology -> what was measured on it: arXiv 2505.09343, Table 5. Within 20 % for other hardware of the time."""
