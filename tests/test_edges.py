"""Small things of estimators, exports and tables that nothing else would miss."""

import pandas as pd
import pytest

from pinetum import NBDTClassifier, TreeClassifier
from pinetum.data import Table


@pytest.fixture(scope="module")
def frame():
    return pd.DataFrame({"size": [1.0, 2, 3, 4] * 6, "kind": ["a", "a", "b", "b"] * 6})


def test_leaves_of_a_table_of_nodes_ask_for_no_column(frame):
    made = TreeClassifier().fit(frame[["size"]], frame["kind"]).to_frame()
    assert made["feature"].tolist() == ["size", "", ""]
    assert made["parent"].tolist() == [-1, 0, 0] and made["depth"].tolist() == [0, 1, 1]


def test_no_case_to_predict_is_refused_as_scikit_learn_does(frame):
    model = TreeClassifier().fit(frame[["size"]], frame["kind"])
    with pytest.raises(ValueError, match=r"0 sample\(s\) \(shape=\(0, 1\)\) while a minimum of 1"):
        model.predict(frame[["size"]][:0])


def test_a_single_cut_may_be_asked_for(frame):
    model = NBDTClassifier(max_depth=1, max_cuts=1, n0=0).fit(frame[["size"]], frame["kind"])
    assert (model.predict(frame[["size"]]) == frame["kind"]).all()


def test_what_a_column_of_nothing_says(frame):
    table = Table.from_frame(frame.assign(empty=pd.Series([None] * 24, dtype=object)), "kind")
    found = table.describe().set_index("column").loc["empty"]
    assert found["missing"] == 24 and "it holds nothing" in found["why"] + found["reason"]
