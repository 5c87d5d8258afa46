"""The pages under docs/reference/ are what `make docs` writes today, and leave nothing unexplained."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "reference"
PAGES = ("codes.md", "language.md", "measures.md", "parts.md", "rules.md")


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def pages(generate: ModuleType) -> dict[str, str]:
    made: dict[str, str] = generate.pages()
    return made


@pytest.mark.parametrize("name", PAGES)
def test_page_is_current(name: str, pages: dict[str, str]) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == pages[name], "run `make docs`, and review what changes"


def test_these_are_all_pages(pages: dict[str, str]) -> None:
    assert sorted(pages) == sorted(PAGES) == sorted(p.name for p in FOLDER.iterdir())


def test_every_key_is_explained(generate: ModuleType) -> None:
    assert generate.unexplained() == [], "give the field a `description`, or docs/meanings.yaml a line"
    assert generate.outdated() == []


def test_the_example_of_a_code_is_the_case_that_is_called_like_it(generate: ModuleType) -> None:
    plain = [file for file in (ROOT / "tests" / "cases" / "errors").rglob("*.txt") if file.stem in generate.CODES]
    assert plain
    for file in plain:
        (shown,) = generate.example(file.stem)
        assert "\n".join(shown.splitlines()[1:-1]) in file.read_text(encoding="utf-8"), file.name
