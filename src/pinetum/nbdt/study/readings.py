"""What the paper leaves open of 3-ID3: each choice changed alone, on the same folds, judged on the paper's numbers."""

import pandas as pd

from pinetum.report.readings import DEFAULT, judge_readings

# reading -> what it changes of the options of 3-ID3; its records have this name for their method
READINGS = {
    "3-ID3: three levels of nodes, two tests": {"max_depth": 2},
    "3-ID3: gain ratio": {"criterion": "gain_ratio"},
    "3-ID3: splits without gain are refused": {"zero_gain": False},
}


def judged(reproduce, folds, published) -> pd.DataFrame:
    """`readings.csv`; `reproduce` makes the rows of the study from records of the folds."""
    found = {DEFAULT: reproduce(folds)}
    touched = published["item"].isin(["Average error", "Order of the averages", "Paired t-tests", "Figure 4"])
    for reading in READINGS:
        if (folds["method"] == reading).any():
            changed = folds[folds["method"] != "3-ID3"].replace({"method": {reading: "3-ID3"}})
            found[reading] = reproduce(changed)[touched.to_numpy()]
    return judge_readings(published, found)
