"""Every drawing of a design: DOT always, SVG where the engine draws it."""

from collections.abc import Iterator

from dcgen.design.model import Design
from dcgen.design.placement import racks
from dcgen.diagnostics import Diagnostic
from dcgen.parts import Node, Rack, Switch
from dcgen.render.drawing import Drawing
from dcgen.render.elevation import rack_view
from dcgen.render.engine import CannotDraw, draw
from dcgen.render.fabric import fabric_view
from dcgen.render.floor import floor_views
from dcgen.render.losses import loss_view
from dcgen.render.model import Artifact, Story
from dcgen.render.rail import rail_view
from dcgen.render.scale_up import scale_up_view
from dcgen.tables.book import Book, book_of


def write_drawings(story: Story) -> Iterator[Artifact]:
    """`diagrams/<view>.dot` and `.svg`; a picture that fails is a warning in `story.skipped`, and its DOT is there all the same."""
    for drawing in drawings(story.book):
        source = drawing.source()
        yield Artifact(f"diagrams/{drawing.name}.dot", (source.encode(),))
        try:
            yield Artifact(f"diagrams/{drawing.name}.svg", (draw(source),))
        except CannotDraw as e:
            said = f"diagrams/{drawing.name}.svg was not drawn"
            fix = "install what is missing, or draw the .dot beside it with `neato -n2`"
            story.skipped.append(Diagnostic("drawing-skipped", said, str(e), fix, "warning", drawing.name))


def drawings(source: Design | Book) -> Iterator[Drawing]:
    """Every view that the design has something to show in."""
    book = book_of(source)
    design = book.design
    yield from floor_views(design)
    for fabric in design.fabrics.values():
        if fabric.field_cabled:
            yield from filter(None, (fabric_view(design, fabric), rail_view(book, fabric)))
    yield from filter(None, (loss_view(design, found) for found in book.surveys))
    for group in design.groups.values():
        part = design.part(group.name)
        if isinstance(part, Rack):
            yield from filter(None, (rack_view(design, group), scale_up_view(design, group)))
        elif isinstance(part, Switch | Node) and racks(design, group).own:
            yield from filter(None, (rack_view(design, group),))
