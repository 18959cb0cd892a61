"""The verdicts and kinds of evidence: one word, one colour and one mark for each, wherever they are
shown.
"""

from typing import NamedTuple


class Verdict(NamedTuple):
    word: str
    mark: str  # behind our number in a table
    colour: str  # on white; of Okabe and Ito's palette where it marks an agreement or a miss
    dark: str  # on the page's dark ground
    about: str


class Evidence(NamedTuple):
    shape: str  # a marker of matplotlib
    headline: bool
    about: str


VERDICTS = {
    "within": Verdict(
        "within",
        "",
        "#0072B2",
        "#79b8ff",
        "agrees with the printed number, by the basis of its row",
    ),
    "outside": Verdict(
        "outside", "!", "#D55E00", "#ff9d5c", "does not agree; the explanation says what moves it"
    ),
    "undecided": Verdict(
        "undecided",
        "?",
        "#5B3FA0",
        "#c3aef5",
        "could hardly have been otherwise: nearly any number, or the opposite, would have passed",
    ),
    "timing": Verdict(
        "timing", "", "#8A7A00", "#d6c95a", "a speed, shown beside the paper's and never judged"
    ),
    "no_data": Verdict(
        "no data", "no data", "#777777", "#9da7b3", "the data, or a part of them, were not found"
    ),
    "not_run": Verdict(
        "not run",
        "not run",
        "#999999",
        "#848d97",
        "this run left it out, or repeated it too seldom",
    ),
}

EVIDENCE = {
    "prediction": Evidence(
        "o", True, "nothing was chosen by looking at this number or at what it is made of"
    ),
    "reading": Evidence("^", True, "a reading of the paper was chosen by looking at this table"),
    "fit": Evidence("s", False, "a parameter, a form or a view of the data was fitted to it"),
    "echo": Evidence("x", False, "a setting, a shape that the loader checks, true by construction"),
}
HEADLINE = tuple(name for name, evidence in EVIDENCE.items() if evidence.headline)
