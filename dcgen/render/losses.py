"""Throughput against losses: for each kind of device and link one column of bars, intact and after one loss, two, three …"""

from dcgen.analysis.flow.surveys import Surveyed
from dcgen.design.model import Design
from dcgen.render.drawing import Drawing, Look, cut, look
from dcgen.render.wording import title
from dcgen.units import spoken

TALL_PT, BAR_PT, GAP_PT, PANEL_PT, DEEP_PT = 120.0, 40.0, 4.0, 260.0, 206.0
ACROSS = 4
"""Panels in a row."""


def loss_view(design: Design, found: Surveyed) -> Drawing | None:
    """The panels of one fabric; None where nothing was surveyed."""
    if not found.declines or not found.intact.value:
        return None
    drawing = Drawing(f"losses-{found.fabric}" + ("-relayed" if found.scale_up == "relay" else ""))
    columns = min(ACROSS, len(found.declines))
    width = max(columns * PANEL_PT, 620.0)
    for i, (kind, shares) in enumerate(found.declines.items()):
        tone = look(design.groups[kind].role) if kind in design.groups else look("plain")
        _panel(drawing, kind, shares, (i % columns) * PANEL_PT, -(i // columns) * DEEP_PT, tone)
    _words(drawing, design, found, width)
    return drawing


def _panel(drawing: Drawing, kind: str, shares: list[float], x: float, y: float, tone: Look) -> None:
    """Bars from the left: intact, after the first loss, the second …, each with its share."""
    drawing.text(x + PANEL_PT / 2, y + TALL_PT + 42, [cut(kind, PANEL_PT - 12)], bold=True)
    for lost, share in enumerate(shares):
        at = x + 20 + (lost + 0.5) * (BAR_PT + GAP_PT)
        height = max(share * TALL_PT, 2.0)
        drawing.box(at, y + height / 2, BAR_PT, height, look=tone)
        drawing.text(at, y + height + 11, [f"{100 * share:.0f} %" if share in (0, 1) else f"{100 * share:.1f}"], size_pt=11)
        drawing.text(at, y - 11, [str(lost)], size_pt=11)


def _words(drawing: Drawing, design: Design, found: Surveyed, width: float) -> None:
    foot = min(b.y_pt for b in drawing.boxes)
    value = spoken(found.intact.value or 0, found.intact.unit)
    drawing.text(width / 2, TALL_PT + 110, [cut(title(design), width, 16)], size_pt=16, bold=True)
    how = {"unused": "the fabric alone", "relay": "scale-up links carry their share and relay"}.get(found.scale_up, found.scale_up)
    what = f"{found.fabric}: throughput of all to all after losses, in % of the {value} of each {found.intact.each} when intact; {how}"
    drawing.text(width / 2, TALL_PT + 86, [cut(what, width)])
    note = "below the bars: how many are lost; each further loss is the worst that can follow those before it"
    drawing.text(width / 2, foot - 22, [cut(note, width, 11)], size_pt=11)
