"""The page on minimal trees runs as it stands, and says what is so."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs/minimal_trees.md"


def test_the_page_on_minimal_trees_runs(capsys):
    names = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL):
        exec(block, names)
    model, table, broken = names["model"], names["table"], names["broken"]
    said = capsys.readouterr().out
    assert model.status_ == "optimal" and "trees are as good" in said
    plans = [tree.depth for _, tree in model.pareto_front("depth", "nodes")]
    assert plans[0] == model.costs_["depth"] <= len(names["fixed"])
    assert names["dear"].status_ == "optimal" and names["dear"].gap_ == 0
    told = [model.tree_.class_names[c] for c in model.tree_.predict(model._cases(table))]
    assert all(gate in answer.split(" and ") for gate, answer in zip(broken, told, strict=True))
    assert any(" and " in answer for answer in told)
