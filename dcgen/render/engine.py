"""Runs the pinned drawing engine: DOT in, picture out."""

import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

ENGINE = "graphviz-pure"
TIMEOUT_S = 60
"""A drawing with pinned positions takes well under a second."""


class CannotDraw(Exception):
    """No picture came out; the text says why."""


@cache
def engine() -> Path:
    """The program of the `graphviz-pure` package. Its own, never one that happens to be on the path.

    Raises:
        CannotDraw: it is not installed.
    """
    try:
        for file in files(ENGINE) or ():
            if file.stem == ENGINE and file.parent.name in ("bin", "Scripts"):
                found = Path(str(file.locate())).resolve()
                if found.is_file():
                    return found
    except PackageNotFoundError:
        pass
    raise CannotDraw(f"the program `{ENGINE}` is not installed: pip install {ENGINE}")


def draw(source: str, form: str = "svg") -> bytes:
    """The picture of a DOT text whose nodes all have a position in points.

    Raises:
        CannotDraw: the engine is missing, fails, or takes too long.
    """
    try:
        done = subprocess.run(
            [str(engine()), "-Kneato", "-n2", f"-T{form}"], input=source.encode(), capture_output=True, timeout=TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired:
        raise CannotDraw(f"`{ENGINE}` took longer than {TIMEOUT_S} s") from None
    except OSError as e:
        raise CannotDraw(f"`{ENGINE}` does not run: {e.strerror}") from e
    if done.returncode or not done.stdout:
        raise CannotDraw(f"`{ENGINE}` ended with status {done.returncode}")
    return done.stdout
