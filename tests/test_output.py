"""The committed gallery: `output/` holds what this version makes of every blueprint in `blueprints/`, and nothing else.

Tables are compared in the form in which they are kept: in short as committed, whole after somebody built a blueprint in place.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OUTPUT = ROOT / "output"
BLUEPRINTS = sorted(ROOT.glob("blueprints/*.yaml"))
MACHINE = re.compile(r"(?<![\w.:/-])/(?:home|root|tmp|work|usr|var|mnt|Users|private)/|\b[A-Z]:\\")
MOST_BYTES = 12_000_000
"""Larger than this, the gallery is no longer something to have in a repository."""


@pytest.mark.parametrize("blueprint", BLUEPRINTS, ids=lambda p: p.stem)
def test_output_is_what_this_version_makes(blueprint: Path, dcgen_says: Callable[..., tuple[int, str, str]]) -> None:
    status, out, err = dcgen_says("build", blueprint, "-o", OUTPUT, "--check")
    assert status == 0, f"run `make output`, and review what changes\n{err}"
    assert out.endswith("just as this version makes it\n")


def test_every_folder_has_its_blueprint() -> None:
    assert sorted(p.name for p in OUTPUT.iterdir()) == sorted(p.stem for p in BLUEPRINTS)


def test_no_file_says_where_it_was_made() -> None:
    for file in filter(Path.is_file, OUTPUT.rglob("*")):
        text = file.read_text(encoding="utf-8")
        assert str(ROOT) not in text, file
        assert not MACHINE.search(text), file


def test_it_stays_small() -> None:
    assert sum(p.stat().st_size for p in OUTPUT.rglob("*") if p.is_file()) < MOST_BYTES
