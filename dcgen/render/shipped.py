"""Where the templates are: inside the package when it was installed, beside it in a checkout."""

from pathlib import Path

_PACKAGE = Path(__file__).parent.parent


def templates() -> Path:
    """The folder of templates."""
    inside = _PACKAGE / "_templates"
    return inside if inside.is_dir() else _PACKAGE.parent / "templates"
