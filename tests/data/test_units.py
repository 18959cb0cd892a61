"""Money, percentages, clock times and short dates: numbers and dates, named with the rule used."""

import warnings

import numpy as np
import pandas as pd
import pytest

from pinetum import TreeClassifier, load, save
from pinetum.data import DataWarning, Table
from pinetum.data.cells import read_dates, read_numbers


@pytest.mark.parametrize(
    ("texts", "numbers", "unit"),
    [
        (["$12,345", "$980.50", "-$7"], [12345, 980.5, -7], "$"),
        (["€ 4,807.51", "€ 12.00"], [4807.51, 12], "€"),
        (["1.234,50 €", "7,20 €"], [1234.5, 7.2], "€"),
        (["54.6%", "7 %", "-0.5%"], [54.6, 7, -0.5], "%"),
        (["4,1 %", "12,0 %", "k.A."], [4.1, 12, np.nan], "%"),
        (["CHF 1'200.00", "CHF 80.50"], [1200, 80.5], "CHF"),
        (["($7.00)", "$9.00"], [-7, 9], "$"),
        (["(1,234.50)", "12.00"], [-1234.5, 12], ""),
        (["17:54", "0:06", "23:59:30"], [17.9, 0.1, 23 + 59.5 / 60], "time"),
    ],
)
def test_numbers_with_a_unit_are_numbers(texts, numbers, unit):
    read = read_numbers(texts)
    assert read.unit == unit and not read.strange
    np.testing.assert_allclose(read.values, numbers)


@pytest.mark.parametrize(
    "texts",
    [["5%", "5"], ["$5", "€5"], ["25:10", "1:00"], ["2 kr", "2 km"], ["a%", "b%"], ["(1)", "(2)"]],
)
def test_what_has_no_common_unit_is_no_number(texts):
    assert read_numbers(texts).strange


@pytest.mark.parametrize(
    ("texts", "first"),
    [
        (["5.8.24", "31.12.99"], "2024-08-05"),
        (["05/28/24", "1/2/03"], "2024-05-28"),
        (["28/5/24", "1/2/03"], "2024-05-28"),
        (["5.8.2024", "1.2.03"], None),
        (["5/8/24", "1/2/03"], None),
        (["1.2.10", "12.3.11"], None),
    ],
)
def test_short_dates_are_dates_where_their_order_is_clear(texts, first):
    dates = read_dates(texts)
    assert dates is None if first is None else str(dates[0])[:10] == first


def test_models_read_new_cells_with_their_unit(tmp_path):
    rng = np.random.default_rng(0)
    price, share = rng.integers(100, 9000, 60), rng.integers(0, 1000, 60) / 10
    frame = pd.DataFrame({"price": [f"${p:,}" for p in price], "share": [f"{s} %" for s in share]})
    frame["start"] = [f"{h}:{m:02d}" for h, m in zip(price % 24, price % 60, strict=True)]
    frame["day"] = [f"{d}.{m}.24" for d, m in zip(1 + price % 28, 1 + price % 12, strict=True)]
    frame["y"] = np.where(price > 4000, "dear", "cheap")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        table = Table.from_frame(frame, "y", dates={"day": ["month"]})
    kinds = table.describe().set_index("column")
    assert kinds.loc[["price", "share", "start", "day"], "type"].tolist() == ["number"] * 3 + [
        "date"
    ]
    assert "each with $" in kinds.loc["price", "why"] and "clock times" in kinds.loc["start", "why"]
    model = TreeClassifier().fit(table)
    save(model, tmp_path / "model.json")
    new = frame.assign(price=["$9,000", "100"] * 30)
    assert list(load(tmp_path / "model.json").predict(new)[:2]) == ["dear", "cheap"]
