"""Check the configuration before any job: which file, which key, which value, what is allowed."""

from functools import cache
from pathlib import Path

import yaml


class ConfigError(ValueError):
    pass


@cache
def load_yaml(path):
    try:
        with open(path, encoding="utf-8") as file:
            return yaml.load(file, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)) or {}
    except yaml.YAMLError as error:
        raise ConfigError(f"{path}: not valid YAML: {error}") from error


def check(config: dict, schema_path, files=()) -> None:
    """Fill in the schema's defaults and raise a `ConfigError` with one line per fault."""
    import jsonschema
    from referencing import Registry, Resource

    schema_path = Path(schema_path)
    registry = Registry().with_resources(
        (path.name, Resource.from_contents(load_yaml(path))) for path in sorted(schema_path.parent.glob("*.yaml"))
    )
    validator = jsonschema.Draft202012Validator(load_yaml(schema_path), registry=registry)
    faults = sorted(validator.iter_errors(config), key=lambda fault: list(map(str, fault.absolute_path)))
    if faults:
        raise ConfigError("\n".join(describe(fault, files) for fault in faults))


def describe(fault, files=()) -> str:
    keys = [str(key) for key in fault.absolute_path]
    if fault.validator == "additionalProperties":
        known = sorted(fault.schema.get("properties", {}))
        wrong = sorted(set(fault.instance) - set(known))
        where = source_of([*keys, wrong[0]], files)
        return f"{where}: {'.'.join([*keys, wrong[0]])}: unknown key; allowed here: {', '.join(known)}"
    about = fault.schema.get("description", "")
    value = repr(fault.instance)
    value = value if len(value) <= 80 else value[:77] + "..."
    return f"{source_of(keys, files)}: {'.'.join(keys) or '(top)'} = {value}: {allowed(fault)}" + (
        f" ({about})" if about else ""
    )


def allowed(fault) -> str:
    rule, schema = fault.validator, fault.validator_value
    if rule == "enum":
        return "allowed are " + ", ".join(map(str, schema))
    if rule in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"):
        low = fault.schema.get("minimum", fault.schema.get("exclusiveMinimum", "-inf"))
        high = fault.schema.get("maximum", fault.schema.get("exclusiveMaximum", "inf"))
        return f"allowed is {low} to {high}"
    if rule == "type":
        return "must be " + (schema if isinstance(schema, str) else " or ".join(schema))
    if rule == "required":
        missing = [key for key in schema if key not in fault.instance]
        return f"misses {', '.join(missing)}"
    return fault.message


def source_of(keys, files) -> str:
    """The last of the configuration files that sets these keys."""
    for path in reversed(list(files)):
        node = load_yaml(str(path))
        for key in keys:
            if isinstance(node, dict) and key in node:
                node = node[key]
            elif isinstance(node, list) and str(key).isdigit() and int(key) < len(node):
                node = node[int(key)]
            else:
                break
        else:
            return str(path)
    return "--config"
