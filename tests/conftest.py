"""What every test may ask for: whether goldens are being rewritten, and a way to run the command line in process."""

from collections.abc import Callable

import pytest

from dcgen.cli import run as obey

Said = tuple[int, str, str]
"""(exit status, standard output, standard error)."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--regold", action="store_true", help="rewrite golden files instead of failing; review them with git diff")


@pytest.fixture
def regold(request: pytest.FixtureRequest) -> bool:
    """Whether a test that compares with a golden file writes the file first."""
    return bool(request.config.getoption("--regold"))


@pytest.fixture
def dcgen_says(capfd: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """`dcgen_says("check", path)` runs that command line and gives what a shell would see of it."""

    def say(*words: object) -> Said:
        capfd.readouterr()
        status = obey([str(word) for word in words])
        out, err = capfd.readouterr()
        return status, out, err

    return say
