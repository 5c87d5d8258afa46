"""What a part file may hold, as JSON Schema for editors."""

from typing import Any, get_args

from dcgen.parts import KINDS


def schema() -> dict[str, Any]:
    """JSON Schema of a part file, made from the models: `kind` decides which of them applies."""
    defs: dict[str, Any] = {}
    words: list[str] = []
    cases: list[dict[str, Any]] = []
    for model in KINDS:
        own = model.model_json_schema(by_alias=True)
        defs |= {**own.pop("$defs", {}), model.__name__: own}
        kinds = list(get_args(model.model_fields["kind"].annotation))
        words += kinds
        # without `required`, a file that has no kind yet would have to fit every model at once
        chosen = {"properties": {"kind": {"enum": kinds}}, "required": ["kind"]}
        cases.append({"if": chosen, "then": {"$ref": f"#/$defs/{model.__name__}"}})
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "dcgen part",
        "type": "object",
        "properties": {"kind": {"enum": words}},
        "required": ["kind"],
        "allOf": cases,
        "$defs": defs,
    }
