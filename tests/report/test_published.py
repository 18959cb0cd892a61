"""config/published: as many rows per table as were counted on the papers' pages, each once, each
with its basis.

That every number is typed as printed is not tested here: the papers are not part of the project.
"""

from collections import Counter
from pathlib import Path

import pytest

from pinetum.report.comparison import read_published
from pinetum.report.origins import origin_of, origins_in, read_origins, read_parts
from pinetum.report.rows import KEY

FOLDER = Path(__file__).parents[2] / "config" / "published"
# Numbers per table, with the count that gives them.
CELLS = {
    "distinct": {
        "Section 4.2": (
            7
        ),  # Examples 4.7 to 4.9: cases, features, the overhead close to 1, four statements
        "Figure 4 left": 1,  # the range 1 to 1.35
        "Section 6.2": 6,  # Anneal's two times, their ratio, 2^39 trees; the time-out, growth
        "Section 6.4": (
            3
        ),  # SBE better than top, optimal better than SBE, SBE nearest to it at small m
    },
    "elimination": {
        # 13 rows x 8 columns = 104 cells; 3 ratios and 6 optimal errors are a dash: 95;
        # and 13 + 13 + 7 errors are printed with their deviation
        "Table 1": 13 * 8 - 3 - 6 + 13 + 13 + 7,
        "Section 6 text": (
            14
        ),  # repeats, folds, shares, m; up to 100 times in four ways, the time-out; four statements
        "Figure 5 text": 7,  # two statements on Adult, three on Ionosphere, two on Anneal
    },
    "pruning": {
        "Table 1": 6 * 6,  # 0 to 4 removed and all; the number of data sets and five ranks
        "Table 1, as printed": 6 * 5,  # the same ranks, against Figure 1 without our charge
        "Table 1, marks": 6 * 4,  # a sign, or none, at every rank but SYNTH's own
        "Table 2": 15 * 5 * 2,  # 14 data sets and the average; rank and error
        "Table 3": 15 * 5,  # 14 data sets and the average
        # sizes of the study; ranks on generated data, the Friedman test; four statements; the same
        # of SYNTH as printed (3 + 4); our own search, lowest rank and error, NEBP, most
        "Text": 4 + 3 + 4 + 3 + 4 + 2 + 2 + 1 + 1,
    },
    "nbdt": {
        "Table 1": 11 * 3,
        "Average error": 5,  # 1-NBDT, 2-, 3- and 4-OPTNBDT, 3-ID3
        "Order of the averages": 2,  # their order, and that all lie below 3-ID3
        "Paired t-tests": 5,  # two against 3-ID3; three neighbours in depth
        "Figure 4": (
            8
        ),  # deeper is better on four data sets, the stump on three; `often` below 3-ID3
        "Figure 5": 1,
        "Figure 6": 3,  # `virtually identical`; 4-OPTNBDT too long on snp; 3-ID3 fairly independent
        "Section 4 text": 5,  # 5 folds, 20 times, eighteen parts; same answers; none superior
    },
    "greedy_dp": {
        **{f"Table {group}": 16 * 5 for group in (1, 2, 3, 4)},  # impurities x costs
        "Table 5": 5 * 2,  # costs x the two best heuristics
        "Text": (
            12
        ),  # experiments, groups, tables of a group; shape of a table (4); counts of what is compared (5)  # noqa: E501
    },
    "separators": {
        "Table 1": 3 * 5,
        "Table 2": 6 * 2 * 5,  # data sets x (error, features) x methods
        # Marketing 3, Heart 3, Cancer 4, Dim and Bright 2 each, Sonar 2, House 4, and ten folds
        "Data sets": 3 + 3 + 4 + 4 + 2 + 4 + 1,
        "Computing time": 5,
        "Statements": 10,
    },
}


def published(study):
    return read_published(FOLDER / f"{study}.csv")


def test_sentences_have_the_weakest_evidence_of_what_they_stand_on():
    pruning = published("pruning")
    pruning = pruning[pruning["item"] != "Table 1, as printed"]
    plus = pruning["column"].str.contains("SYNTH") & ~pruning["column"].str.startswith("as printed")
    plus |= pruning["item"].isin(["Table 1", "Table 1, marks"]) & (pruning["column"] != "data sets")
    plus |= (pruning["item"] == "Table 2") & pruning["column"].str.endswith("rank")
    assert set(pruning.loc[plus, "evidence"]) == {"fit"}
    separators = published("separators")
    sentences = separators[(separators["item"] == "Statements")]
    made_of = sentences["column"].str.contains("FM|Algorithm|always best")
    assert set(sentences.loc[made_of, "evidence"]) == {"reading"}
    elimination = published("elimination")
    figure = elimination["item"] == "Figure 5 text"
    assert set(elimination.loc[figure, "evidence"]) == {"reading"}


def test_what_the_loader_checks_is_no_agreement():
    shapes = {"nbdt": "Table 1", "separators": "Data sets"}
    for study, item in shapes.items():
        frame = published(study)
        assert set(frame.loc[frame["item"] == item, "evidence"]) <= {"echo", "fit"}


@pytest.mark.parametrize("study", CELLS)
def test_every_table_has_the_rows_that_were_counted_on_its_page(study):
    frame = published(study)
    assert Counter(frame["item"]) == CELLS[study]
    assert not frame.duplicated(KEY).any()
    assert (frame["published"] != "").all()


def test_no_paper_is_forgotten():
    assert {path.stem for path in FOLDER.glob("*.csv")} == set(CELLS)


def test_rows_carry_what_their_source_could_not_give(tmp_path):
    path = tmp_path / "availability.csv"
    path.write_text(
        "dataset,status,part,note\ncoil2000,ok,yes,the training half"
        " only\nletter,ok,,\np53,no_data,,unreachable\n"
    )
    names = {"coil2000": ["coil2000", "coil-view"], "p53": ["p53"]}
    origins = read_origins([path], names)
    assert read_parts([path], names) == ["coil2000", "coil_view"]
    sentence = "coil2000: the training half only"
    assert origin_of("Coil2000, testing", origins) == origin_of("coil-view", origins) == sentence
    assert origins_in(["letter", "coil2000", "coil-view", "p53", 3], origins) == [sentence]
