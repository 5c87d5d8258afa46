"""Colours by name: the twelve of TIA-598, in which fibres are counted, and some more that cables are sold in."""

CODE = ("blue", "orange", "green", "brown", "slate", "white", "red", "black", "yellow", "violet", "rose", "aqua")
"""The order in which TIA-598 counts; from the thirteenth on it begins again, with a stripe."""

COLOURS = {
    "blue": "#0072b2", "orange": "#e69f00", "green": "#009e73", "brown": "#8b5a2b", "slate": "#708090", "white": "#ffffff",
    "red": "#d62728", "black": "#000000", "yellow": "#f0e442", "violet": "#7b3f9e", "rose": "#f4a6c0", "aqua": "#56c5d0",
    "grey": "#9e9e9e", "magenta": "#c2185b", "lime": "#8bc34a", "turquoise": "#1abc9c", "pink": "#ff69b4", "purple": "#6a0dad",
}  # fmt: skip
"""Name -> how a screen shows it."""


def counted(number: int) -> str:
    """The colour of the thing with this number, counted from 0.

    >>> counted(0), counted(11), counted(12), counted(25)
    ('blue', 'aqua', 'blue, 1 stripe', 'orange, 2 stripes')
    """
    stripes, at = divmod(number, len(CODE))
    return CODE[at] + (f", {stripes} stripe{'s' if stripes > 1 else ''}" if stripes else "")
