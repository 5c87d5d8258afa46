"""What an editor accepts is what the models accept."""

from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from dcgen import catalog

FILES = sorted((Path(catalog.__file__).parent / "data").glob("*/*.yaml"))
VALIDATOR = jsonschema.Draft202012Validator(catalog.schema())


class EditorLoader(yaml.SafeLoader):
    """Scalars as YAML 1.2 editors see them: dates are text."""

    yaml_implicit_resolvers = {
        sign: [r for r in resolvers if r[0] != "tag:yaml.org,2002:timestamp"]
        for sign, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


def load(text: str) -> Any:
    return yaml.load(text, EditorLoader)


def test_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(catalog.schema())


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_shipped_part_passes(file: Path) -> None:
    assert [e.message for e in VALIDATOR.iter_errors(load(file.read_text()))] == []


@pytest.mark.parametrize("change", [{"kind": "swich"}, {"kind": "optic"}, {"colour": "red"}, {"ports": 3}, {"kind": None}])
def test_wrong_part_fails(change: dict[str, Any]) -> None:
    data = load(next(f for f in FILES if f.stem == "qm9700").read_text())
    assert list(VALIDATOR.iter_errors({**data, **change}))
