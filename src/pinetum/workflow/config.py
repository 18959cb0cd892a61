"""Check the configuration before any job: which file, which key, which value, what is allowed."""

from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path

import yaml

from pinetum.visible import visible


class ConfigError(ValueError):
    def __init__(self, text):
        super().__init__(visible(text))


class OnceLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Plain data as from the safe loader.

    A key that stands twice in a mapping is an error, not the last one's.
    """

    def construct_mapping(self, node, deep=False):
        seen = {}
        for key, _ in node.value:
            if key.tag != "tag:yaml.org,2002:merge" and isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    first = seen[key.value].line + 1
                    raise yaml.constructor.ConstructorError(
                        None,
                        None,
                        f"the key {key.value!r} is given twice (first in line {first})",
                        key.start_mark,
                    )
                seen[key.value] = key.start_mark
        return super().construct_mapping(node, deep)


@cache
def load_yaml(path):
    try:
        with open(path, encoding="utf-8") as file:
            return yaml.load(file, Loader=OnceLoader) or {}
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{path}: not UTF-8 text ({error.reason} at byte {error.start})"
        ) from error
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        raise ConfigError(f"{path}: not valid YAML: {error}") from error


def expanded(node, folder: Path, root: dict):
    """A schema with what it refers to in the place of `$ref`.

    It refers to `#/$defs/name`, `file.yaml`, `file.yaml#/$defs/name`, or to the names of a registry
    of the package: `pinetum.nbdt.methods#/SEARCHES`.
    """
    if isinstance(node, list):
        return [expanded(item, folder, root) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        file, _, place = node["$ref"].partition("#")
        target: dict
        if file.startswith("pinetum."):
            target = {"enum": list(getattr(import_module(file), place.strip("/")))}
        else:
            target = root = load_yaml(str(folder / file)) if file else root
            for key in place.split("/")[1:]:
                target = target[key]
            if "$defs" in target:  # a schema inside a file
                root = target
        node = target | {key: value for key, value in node.items() if key != "$ref"}
    return {
        key: expanded(value, folder, root)
        for key, value in node.items()
        if key not in ("$defs", "$schema")
    }


def load_schema(path) -> dict:
    """A schema of its own file, with all it refers to.

    That of the configuration with a section for every study.
    """
    from pinetum.workflow.studies import complete_schema, with_overrides

    path = Path(path)
    schema = load_yaml(str(path))
    if path.name != "config.yaml":
        return expanded(schema, path.parent, schema)
    schema = complete_schema(schema)
    return with_overrides(expanded(schema, path.parent, schema))


def merged(base: dict, over: dict) -> dict:
    """`over` laid upon `base` key by key, as Snakemake does with configuration files."""
    both = dict(base)
    for key, value in over.items():
        below = base.get(key)
        both[key] = (
            merged(below if isinstance(below, dict) else {}, value)
            if isinstance(value, dict)
            else value
        )
    return both


def complete_config(config: dict, defaults, schemas, files=(), datasets=()) -> dict:
    """The configuration laid upon the files `defaults`, checked."""
    whole: dict = {}
    for file in defaults:
        whole = merged(whole, load_yaml(str(file)))
    for file in files:  # Snakemake has read them, but keeps the last of doubled keys in silence
        if not isinstance(load_yaml(str(file)), dict):
            raise ConfigError(f"{file}: not a configuration; write `key: value` lines")
    check_keys(config, files)
    schema = load_schema(Path(schemas) / "config.yaml")
    whole = with_types(merged(whole, config), schema)
    check(whole, schema, files, datasets)
    return whole


def check_keys(config, files=(), place=()) -> None:
    """Raise a `ConfigError` where a key is no text (YAML reads 123, yes, null and ~ as something
    else), or where a value is `.nan`, which is neither below nor above any limit of a schema.
    """
    if isinstance(config, dict):
        for key, value in config.items():
            if not isinstance(key, str):
                where = source_of([*place, key], files)
                name = ".".join(map(str, [*place, key]))
                raise ConfigError(
                    f"{where}: {name}: the key is {key!r}, which is no text; write it in quotes"
                )
            check_keys(value, files, (*place, key))
    elif isinstance(config, list):
        for number, value in enumerate(config):
            check_keys(value, files, (*place, number))
    elif isinstance(config, float) and config != config:
        name = ".".join(map(str, place))
        raise ConfigError(
            f"{source_of(list(place), files)}: {name} = {config}: no number; give one, or leave"
            " it out"
        )


def with_types(value, schema: dict):
    """Numbers and truth values where `--config` left their texts: Snakemake reads all that stands
    in braces as text.
    """
    if isinstance(value, dict):
        known, others = schema.get("properties", {}), schema.get("additionalProperties")
        others = others if isinstance(others, dict) else {}
        return {key: with_types(item, known.get(key, others)) for key, item in value.items()}
    if isinstance(value, list):
        return [with_types(item, schema.get("items", {})) for item in value]
    kinds = schema.get("type", "string")
    if isinstance(value, str) and "string" not in kinds:
        parsed = yaml.safe_load(value) if value.strip() else value
        return parsed if isinstance(parsed, (bool, int, float)) else value
    return value


def check(config: dict, schema: dict, files=(), datasets=()) -> None:
    """Raise a `ConfigError` with one line per fault.

    `datasets` are the names that the format `dataset` allows.
    """
    import jsonschema

    formats = jsonschema.FormatChecker(formats=())
    formats.checks("dataset")(lambda name: name is None or name in datasets)
    validator = jsonschema.Draft202012Validator(schema, format_checker=formats)
    faults = sorted(
        validator.iter_errors(config), key=lambda fault: list(map(str, fault.absolute_path))
    )
    if faults:
        raise ConfigError(
            "\n".join(dict.fromkeys(describe(fault, files, datasets) for fault in faults))
        )


def check_yaml(path, schema_path) -> None:
    """Raise a `ConfigError` with one line per fault of a YAML file."""
    check(load_yaml(str(path)), load_schema(schema_path), [str(path)])


def check_tables(config: dict, catalogue: dict, files=()) -> None:
    """Raise a `ConfigError` where a user's table has a data set's name or no file."""
    faults = []
    for name, table in config["tables"].items():
        where = source_of(["tables", name], files)
        if name in catalogue["datasets"] or name in catalogue.get("views", {}):
            faults.append(
                f"{where}: tables.{name}: a data set of the catalogue has this name; give the table"
                " another"
            )
        if not Path(table["path"]).is_file():
            faults.append(
                f"{where}: tables.{name}.path = {table['path']!r}: no such file; mend the path or"
                " drop the table"
            )
    if faults:
        raise ConfigError("\n".join(faults))


def describe(fault, files=(), datasets=()) -> str:
    keys = [str(key) for key in fault.absolute_path]
    if fault.validator == "additionalProperties":
        known = sorted(fault.schema.get("properties", {}))
        wrong = sorted(set(fault.instance) - set(known))
        where = source_of([*keys, wrong[0]], files)
        return (
            f"{where}: {'.'.join([*keys, wrong[0]])}: unknown key; allowed here: {', '.join(known)}"
        )
    if "propertyNames" in fault.absolute_schema_path and fault.validator == "pattern":
        where, name = (
            source_of([*keys, fault.instance], files),
            ".".join([*keys, repr(fault.instance)]),
        )
        allowed_names = fault.validator_value.replace("(?!\\n)", "")
        return f"{where}: {name}: not a name; allowed are names like {allowed_names}"
    about = fault.schema.get("description", "")
    value = repr(fault.instance)
    value = value if len(value) <= 80 else value[:77] + "..."
    where = source_of(keys, files, fault.instance)
    says = f"{where}: {'.'.join(keys) or '(top)'} = {value}: {allowed(fault, datasets)}"
    return says + (f" ({about})" if about else "")


def allowed(fault, datasets=()) -> str:
    rule, schema = fault.validator, fault.validator_value
    if rule == "format":
        near = get_close_matches(str(fault.instance), datasets) or datasets
        return "no data set or view of config/catalogue.yaml; near: " + ", ".join(near)
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


def source_of(keys, files, value=None) -> str:
    """The last of the configuration files that sets these keys, to this value if it is a single
    one.
    """
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
            if value is None or isinstance(value, (dict, list)) or node == value:
                return str(path)
    return "--config"
