"""Our side of the paper's statements."""

from pathlib import Path

import pandas as pd
import pytest

from pinetum.distinct.study import summary
from pinetum.report.comparison import compare, read_published

PUBLISHED = Path(__file__).parents[2] / "config/published/distinct.csv"


def records(dataset):
    runs = [(m, order, distinct) for m, distinct in ((8, 9), (4, 27)) for order in ("ascending", "descending", "fixed")]
    orders = pd.DataFrame(
        {
            "dataset": dataset,
            "m": m,
            "order": order,
            "build": "shared",
            "status": "ok",
            "features": 14,
            "cases": 99,
            "distinct": distinct,
            "ratio": 1.0 if order == "ascending" else 1.5,
            "seconds": 1.0,
        }
        for m, order, distinct in runs
    )
    enumeration = orders[orders["order"] == "ascending"].assign(seconds_estimated=None)
    exhaustive = pd.DataFrame({"dataset": dataset, "m": [8, 4], "trees": 2**14, "seconds_estimated": 100.0})
    searches = pd.DataFrame(
        {
            "dataset": dataset,
            "m": [8, 4],
            "split": 0,
            "top_errors": 5,
            "sbe_errors": 4,
            "errors": [2, 3],
            "status": "ok",
        }
    )
    return enumeration, orders, exhaustive, searches


@pytest.mark.parametrize("dataset", ["adult", "sonar"])
def test_another_data_set_is_not_compared_with_what_the_paper_says_of_adult(dataset):
    made = summary.reproduce(read_published(PUBLISHED), *records(dataset))
    of_adult = made[made["row"] == "Adult"].set_index("column")
    if dataset == "adult":
        assert (of_adult["status"] == "ok").all()
        assert of_adult.loc["cases", "reproduced"] == 99
        assert of_adult.loc["ascending order builds least", "reproduced"] == "yes"
        assert of_adult.loc["smaller m, smaller exhaustive/distinct", "reproduced"] == "yes"
    else:
        assert (of_adult["status"] == "not_run").all() and of_adult["reproduced"].isna().all()
    assert made.set_index("column").loc["more trees with smaller m", "reproduced"] == "yes"


def test_adult_out_of_reach_is_told_from_adult_left_out():
    enumeration, orders, exhaustive, searches = records("adult")
    made = summary.reproduce(
        read_published(PUBLISHED), enumeration, orders.assign(status="no_data"), exhaustive[:0], searches[:0]
    )
    assert set(made.loc[made["row"] == "Adult", "status"]) == {"no_data"}


@pytest.mark.parametrize(
    ("read", "ratio", "verdict"),
    [
        ("ascending", 1.04, "within"),
        ("ascending", 1.06, "outside"),
        ("descending", 1.04, "outside"),
        ("fixed", 1.04, "outside"),
    ],
)
def test_wrong_orders_of_removal_are_refused_by_the_printed_ratio(read, ratio, verdict):
    """The paper prints 1.0 built trees for each distinct one, to one decimal; orders that build more are refused."""
    enumeration, orders, exhaustive, searches = records("adult")
    orders.loc[orders["order"] == "ascending", "ratio"] = ratio
    swapped = orders.replace({"order": {"ascending": read, read: "ascending"}})
    published = read_published(PUBLISHED)
    made = summary.reproduce(published, enumeration, swapped, exhaustive, searches)
    found = compare("distinct", published, made).set_index("column")["verdict"]
    assert found["built/distinct, ascending"] == verdict
    assert found["ascending order builds least"] == ("within" if read == "ascending" else "outside")
