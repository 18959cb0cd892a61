"""Content of JSON files against a schema, before anything is built from it."""

from functools import cache
from json import dumps, loads

from pinetum.data.errors import DataError, shown

CURE = "the file is damaged or was not written by Pinetum: write it again"


@cache
def _validator(text):
    import jsonschema

    return jsonschema.Draft202012Validator(loads(text))


def validated(content, schema: dict, file=None):
    """The content, or a `DataError` that says where it differs from the schema."""
    fault = next(_validator(dumps(schema)).iter_errors(content), None)
    if fault is not None:
        place = ".".join(map(str, fault.absolute_path)) or "the whole"
        raise DataError(f"{place}: {_said(fault)}", file=file, cure=CURE)
    return content


def _said(fault) -> str:
    rule, wanted = fault.validator, fault.validator_value
    if rule == "type":
        return f"{shown(fault.instance)} is not of type {wanted}"
    if rule == "required":
        return "misses " + ", ".join(key for key in wanted if key not in fault.instance)
    if rule == "additionalProperties":
        return "unknown key " + ", ".join(sorted(set(fault.instance) - set(fault.schema["properties"])))[:200]
    return f"{shown(fault.instance)} breaks the rule {rule} {shown(wanted)}"
