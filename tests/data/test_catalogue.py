"""The catalogue is complete and says nothing that contradicts itself."""

from pathlib import Path

import pytest

from pinetum.data.columns import feature_names, parse_columns
from pinetum.data.exact import file_content
from pinetum.data.unpack import checked
from pinetum.data.views import KEYS
from pinetum.workflow.config import check_yaml

PUBLIC = [
    "adult",
    "letter",
    "hypothyroid",
    "ionosphere",
    "soybean",
    "anneal",
    "sonar",
    "coil2000",
    "clean1",
    "clean2",
    "madelon",
    "gisette",
    "p53",
    "mushroom",
    "audiology",
    "car",
    "splice",
    "hayes-roth",
    "kr-vs-kp",
    "monks-1",
    "monks-2",
    "monks-3",
    "nursery",
    "promoters",
    "tic-tac-toe",
    "vote",
    "solar-flare",
    "hepatitis",
    "crx",
    "lymphography",
    "connect-4",
    "heart",
    "cancer",
]
STANDINS = [
    "database-marketing_standin",
    "dim_standin",
    "bright_standin",
    "prostate-snp_standin",
    "breast-snp_standin",
    "gisette_standin",
    "p53_standin",
]


def test_every_data_set_of_the_papers_has_an_entry(catalogue):
    assert list(catalogue["datasets"]) == PUBLIC + STANDINS


def test_the_catalogue_meets_its_schema():
    config = Path(__file__).parents[2] / "config"
    check_yaml(config / "catalogue.yaml", config / "schemas/catalogue.yaml")


@pytest.mark.parametrize("name", PUBLIC + STANDINS)
def test_counts_agree(catalogue, name):
    entry = catalogue["datasets"][name]
    shape, counts = entry["shape"], list(entry["shape"]["classes"].values())
    assert None in counts or sum(counts) == shape["cases"]
    assert "parts" not in entry or sum(entry["parts"].values()) == shape["cases"]
    if "read" in entry:
        assert len(feature_names(parse_columns(entry["read"]["columns"]))) == shape["features"]
    for source in entry["sources"]:
        [(kind, options)] = source.items()
        plan = {**entry, **options}
        assert kind != "package" or options["archive"] in catalogue["archives"]
        if "read" in plan:
            names = feature_names(parse_columns(entry["read"]["columns"]))
            kinds = [
                feature_names(parse_columns({**plan["read"], **file.get("read", {})}["columns"]))
                for file in plan["files"]
            ]
            assert all(theirs == names for theirs in kinds)


def test_downloads_are_pinned(catalogue):
    """Whatever comes over the network has a checksum.

    Only p53, of which none is known, has none and no download.
    """
    for name, entry in catalogue["datasets"].items():
        if any("uci" in source for source in entry["sources"]):
            for file in entry["files"]:
                assert file.get("sha256") or file.get("sha256_after_first_line"), name
                assert "labels" not in file or file["labels"]["sha256"], name
    assert all(len(archive["sha256"]) == 64 for archive in catalogue["archives"].values())


def test_at_least_27_real_sets_come_without_mirror_and_uci(catalogue):
    reachable = [
        name
        for name in PUBLIC
        if any(
            "exact" in source or "package" in source
            for source in catalogue["datasets"][name]["sources"]
        )
    ]
    assert len(reachable) == 31


def test_views_look_at_data_sets(catalogue):
    for name, view in catalogue["views"].items():
        assert view["of"] in catalogue["datasets"] and name not in catalogue["datasets"]
        assert set(view) <= KEYS


@pytest.mark.parametrize("name", ["car", "nursery", "tic-tac-toe", "monks-1", "monks-2", "monks-3"])
def test_generated_files_have_the_checksums_of_the_originals(catalogue, name, serve_from):
    for file in catalogue["datasets"][name]["files"]:
        checked(file_content(file["path"]), file, file["path"])
    source = next(source for source in catalogue["datasets"][name]["sources"] if "exact" in source)
    assert serve_from(name, source).dataset.n_cases == catalogue["datasets"][name]["shape"]["cases"]
