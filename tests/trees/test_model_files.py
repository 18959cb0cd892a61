"""Model files: what was written comes back.

Whatever else a file holds, it is refused before anything is built.
"""

import json
import random

import numpy as np
import pandas as pd
import pytest

from pinetum.data import DataError, Table
from pinetum.induction import Grower, c45
from pinetum.models import KINDS, TableModel, load, save
from pinetum.separators.tree import PlaneTree
from pinetum.trees import Tree


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(3)
    size, colour = rng.integers(0, 9, 120) / 2, rng.choice(["red", "green", "blue"], 120)
    kind = np.where((size > 2) ^ (colour == "red"), "a", "b")
    frame = pd.DataFrame({"size": size, "colour": colour, "kind": kind})
    frame.loc[::11, "size"] = np.nan
    frame.loc[::13, "colour"] = None
    return frame


@pytest.fixture(scope="module")
def model(frame):
    table = Table.from_frame(frame, "kind")
    return TableModel.of(Grower(table, c45()).grow(), table)


PLANES = PlaneTree(
    weights=np.array([[1.0, 0.5], [0, 0], [0, 0]]),
    offset=np.array([0.25, 0, 0]),
    left=np.array([1, -1, -1]),
    right=np.array([2, -1, -1]),
    counts=np.array([[3.0, 2], [3, 0], [0, 2]]),
    label=np.array([0, 0, 1]),
)


def test_a_model_of_a_table_comes_back_and_takes_new_cases(model, frame, tmp_path):
    save(model, tmp_path / "m.json")
    again = load(tmp_path / "m.json")
    new = pd.concat(
        [frame, pd.DataFrame({"size": [None, "1.5"], "colour": ["pink", None], "kind": "a"})]
    )
    assert again.predict(new).tolist() == model.predict(new).tolist()
    np.testing.assert_array_equal(again.predict_proba(new), model.predict_proba(new))
    table = Table.from_frame(frame, "kind")
    codes = model.model.predict(table)
    assert again.predict(frame).tolist() == [table.class_names[code] for code in codes]
    save(again, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "m.json").read_bytes()


def test_planes_come_back(tmp_path):
    save(PLANES, tmp_path / "m.json")
    again = load(tmp_path / "m.json")
    points = np.random.default_rng(0).normal(size=(50, 2))
    np.testing.assert_array_equal(again.predict_proba(points), PLANES.predict_proba(points))


def test_every_kind_is_where_the_registry_says():
    import importlib

    for name, module in KINDS.items():
        found = getattr(importlib.import_module(module), name)
        assert (
            found.__module__ == module and hasattr(found, "to_dict") and hasattr(found, "from_dict")
        )


def spoilt(content, **changes):
    return {**content, **changes}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"children": [10**8, 2, 3, 4, 5]}, r"children: 100000000 is not from 1 to 5"),
        ({"children": [0, 1, 2, 3, 4]}, r"children: 0 is not from 1"),
        ({"children": [2, 1, 1, 4, 5]}, r"children: not one tree"),
        ({"children": [1, 2, 3, 5, 4]}, None),  # another order is still a tree
        ({"children": [4, 2, 3, 1, 5]}, r"children: not one tree"),
        ({"child_start": [0, 3, 5, 5, 5, 5, 5]}, r"not one branch per value"),
        ({"child_start": [0, 3, 3, 3, 5, 5, 4]}, r"child_start: not the beginnings"),
        ({"label": [0, 0, 99, 1, 0, 0]}, r"label: 99 is not from 0 to 1"),
        ({"label": [0, 0, 1, 1, 0]}, r"label: 5 entries instead of 6"),
        ({"label": [0, 0, 1.5, 1, 0, 0]}, r"label: not whole numbers"),
        ({"label": [0, 0, True, 1, 0, 0]}, None),  # numpy reads a list with numbers as numbers
        ({"feature": [7, -1, -1, 1, -1, -1]}, r"feature: 7 is not from -1 to 1"),
        ({"feature": [10**400, -1, -1, 1, -1, -1]}, r"feature: not"),
        ({"feature": []}, r"feature: \[\] breaks the rule minItems"),
        ({"threshold": [None] * 6}, r"threshold: wanted at splits of numbers"),
        ({"threshold": [None, None, None, "x", None, None]}, r"threshold: not numbers"),
        ({"cut": [1, -1, -1, 1, -1, -1]}, r"threshold: wanted at splits"),
        ({"counts": [[1, 2]] * 5}, r"counts: shape \(5, 2\) instead of \(6, 2\)"),
        ({"counts": [[1, -2]] * 6}, r"counts: -2.0 is not from 0.0"),
        ({"counts": [[1], [1, 2]] * 3}, r"counts: not"),
        ({"counts": 5}, r"counts: 5 is not of type array"),
        ({"classes": ["a", "a"]}, r"breaks the rule uniqueItems"),
        ({"classes": []}, r"classes: \[\] breaks the rule minItems"),
        ({"values": [["r", "g", "b"]]}, r"values: 1 domains for 2 features"),
        (
            {"format": "pinetum tree 2"},
            r"not a tree: format is 'pinetum tree 2', expected 'pinetum tree 1'",
        ),
        ({"run": "rm -rf"}, r"unknown key run"),
    ],
)
def test_a_tree_that_is_none_is_refused(changes, message):
    content = {
        "format": "pinetum tree 1",
        "features": ["colour", "size"],
        "classes": ["a", "b"],
        "values": [["r", "g", "b"], None],
        "feature": [0, -1, -1, 1, -1, -1],
        "threshold": [None, None, None, 1.5, None, None],
        "cut": [-1, -1, -1, 1, -1, -1],
        "child_start": [0, 3, 3, 3, 5, 5, 5],
        "children": [1, 2, 3, 4, 5],
        "counts": [[1, 2]] * 6,
        "label": [0, 0, 1, 1, 0, 0],
    }
    assert Tree.from_dict(content).sizes.nodes == 6
    if message is None:
        Tree.from_dict({**content, **changes}).predict(np.array([[0, 1.0], [2, 2]]))
        return
    with pytest.raises(DataError, match=message):
        Tree.from_json(json.dumps({**content, **changes}))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ('{"format": "pinetum model", "x": NaN}', "NaN is not JSON"),
        ('{"format": 1, "format": 2}', "a key is given twice"),
        ('{"format": "pinetum model"}', "version None cannot be read"),
        (
            '{"format": "pinetum model", "version": "2.0", "kind": "Tree", "model": {}}',
            r"version 2\.0 is later than 1",
        ),
        (
            '{"format": "pinetum model", "version": "1.9", "kind": "Tree", "model": {}}',
            r"version 1\.9 is later than 1",
        ),
        (
            '{"format": "pinetum model", "version": "0.9", "kind": "Tree", "model": {}}',
            r"no longer read",
        ),
        (
            '{"format": "pinetum model", "version": "1.0", "kind": "os.system", "model": {}}',
            r"'os.system' is not a kind",
        ),
        (
            '{"format": "pinetum model", "version": "1.0", "kind": "Tree", "model": {}}',
            r"not a tree: format is None",
        ),
        ('{"format": "pickle"}', "not a model that Pinetum wrote"),
        ("\x80\x04", "not JSON"),
    ],
)
def test_a_file_that_is_no_model_is_refused(tmp_path, text, message):
    path = tmp_path / "m.json"
    path.write_text(text)
    with pytest.raises(DataError, match=message) as caught:
        load(path)
    assert "m.json" in str(caught.value)


def test_what_cannot_be_saved_says_so(tmp_path):
    with pytest.raises(DataError, match="dict is not a model that can be saved; these can: Tree"):
        save({}, tmp_path / "m.json")
    with pytest.raises(DataError, match=r"none\.json: no such file"):
        load(tmp_path / "none.json")


ODD = [
    None,
    True,
    -1,
    0,
    1,
    99,
    10**8,
    2**31,
    2**63,
    10**400,
    0.5,
    1e308,
    "",
    "x",
    [],
    [[]],
    {},
    {"a": 1},
    [1, 2],
    ["a"],
]


def changed(content, rng):
    """One part of a nested content replaced, taken out, doubled or moved."""
    place, key, parents = content, None, []
    while isinstance(place, (dict, list)) and place and (key is None or rng.random() < 0.75):
        key = rng.choice(list(place) if isinstance(place, dict) else range(len(place)))
        parents.append((place, key))
        place = place[key]
    holder, key = parents[-1]
    how = rng.randrange(4)
    if how == 0:
        holder[key] = rng.choice(ODD)
    elif how == 1:
        del holder[key]
    elif how == 2 and isinstance(holder, list):
        holder.insert(
            rng.randrange(len(holder) + 1), rng.choice([rng.choice(holder), rng.choice(ODD)])
        )
    elif isinstance(holder, list):
        rng.shuffle(holder)
    return content


def survives_changes(text, path, points, rng, count):
    """Files changed in structure and in bytes: a model that works, or one `DataError`."""
    good = 0
    for number in range(count):
        if number % 4:
            content = json.loads(text)
            for _ in range(rng.choice((1, 1, 2, 4))):
                content = changed(content, rng)
            data = json.dumps(content).encode()
        else:
            data = bytearray(text.encode())
            for _ in range(rng.choice((1, 2, 5))):
                data[rng.randrange(len(data))] = rng.choice(b'0123456789-e.[]{},:" \x00\xffabtn')
        path.write_bytes(data)
        try:
            model = load(path)
        except DataError as fault:
            assert path.name in str(fault)
            continue
        except Exception as other:
            raise AssertionError(
                f"{type(other).__name__}: {other} on {bytes(data)[:2000]!r}"
            ) from other
        try:
            model.predict(points)
        except ValueError:
            continue  # a model of other columns
        good += 1
    assert 0 < good < count


def test_mutated_models_of_tables(model, frame, tmp_path):
    save(model, tmp_path / "m.json")
    survives_changes(
        (tmp_path / "m.json").read_text(), tmp_path / "m.json", frame, random.Random(1), 1500
    )


def test_mutated_planes(tmp_path):
    save(PLANES, tmp_path / "m.json")
    points = np.zeros((3, 2))
    survives_changes(
        (tmp_path / "m.json").read_text(), tmp_path / "m.json", points, random.Random(2), 1000
    )


def grown_by_hand(inner):
    """A tree of many nodes in as few characters as a file of ours can have."""
    nodes = 2 * inner + 1
    is_inner = np.arange(nodes) < inner
    return Tree(
        feature=np.where(is_inner, 0, -1).astype(np.int32),
        threshold=np.where(is_inner, 0.5, np.nan),
        cut=np.where(is_inner, 0, -1).astype(np.int32),
        child_start=np.concatenate(([0], np.cumsum(2 * is_inner))).astype(np.int32),
        children=np.arange(1, nodes, dtype=np.int32),
        counts=np.ones((nodes, 2)),
        label=np.zeros(nodes, dtype=np.int32),
        feature_names=("x",),
        class_names=("a", "b"),
        values=(None,),
    )


def test_reading_takes_a_small_multiple_of_the_file(tmp_path, monkeypatch):
    import tracemalloc

    path = tmp_path / "m.json"
    monkeypatch.setattr("pinetum.models.FREE_MEMORY", 0)
    save(grown_by_hand(5_000), path)
    assert load(path).n_nodes == 10_001
    lists, objects, names = "[[]" + ",[]" * 150_000 + "]", '{"a":1}', '{"a":'
    head = '{"format": "pinetum model", "version": "1.1", "kind": "Tree", "model": {"a": '
    for body in (lists, f"[{objects}{f',{objects}' * 9_999}]", names * 10_000 + "1"):
        path.write_text(f"{head}{body}" + "}}")
        tracemalloc.start()
        with pytest.raises(DataError, match=r"m.json: .* bytes that take up to .* `memory_mb`"):
            load(path)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 2 * path.stat().st_size
    path.write_text(f"{head}{lists}" + "}}")
    with pytest.raises(DataError, match="not a tree: format is None"):
        load(path, memory_mb=100)
    with pytest.raises(DataError, match=r"450,.* bytes that take up to 1 MB"):
        load(path, memory_mb=1)  # by its size alone, before it is read


@pytest.mark.parametrize(
    "entry", ["[]", "[1]", "{}", '{"a":1}', '"ab%d"', "1.5", "1", '"\\u00e9%d"', '["é%d"]']
)
def test_what_is_read_takes_no_more_than_was_reckoned(entry, tmp_path):
    import tracemalloc

    from pinetum.models import BYTES_OF

    items = ",".join(entry.replace("%d", str(i)) for i in range(20_000))
    path = tmp_path / "m.json"
    path.write_text(f'{{"format": "other", "a": [{items}]}}', encoding="utf-8")
    data = path.read_bytes()
    reckoned = len(data) * (3 if data.isascii() else 9)
    reckoned += sum(each * data.count(mark) for mark, each in BYTES_OF.items())
    tracemalloc.start()
    with pytest.raises(DataError, match="not a model that Pinetum wrote"):
        load(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < reckoned + 50_000
