"""The catalogue, the mirror when it is there, and data sets read once per run."""

import os
from pathlib import Path

import pytest

from pinetum.data import sources
from pinetum.data.loading import load_catalogue
from pinetum.data.sources import Setting

ROOT = Path(__file__).parents[2]
CATALOGUE = load_catalogue(ROOT / "config/catalogue.yaml")


@pytest.fixture(scope="session")
def catalogue():
    return CATALOGUE


@pytest.fixture(scope="session")
def mirror():
    folder = os.environ.get("PINETUM_MIRROR", "")
    if not Path(folder, "car/car.data").is_file():
        pytest.skip(
            "needs a mirror: set PINETUM_MIRROR to a folder laid out as UCI lays out its files"
        )
    return folder


@pytest.fixture(scope="session")
def downloads(tmp_path_factory):
    """Folder of downloads, kept between runs where $PINETUM_DOWNLOADS names one."""
    return Path(os.environ.get("PINETUM_DOWNLOADS") or tmp_path_factory.mktemp("downloads"))


@pytest.fixture(scope="session")
def serve_from(downloads):
    """One named source of one data set, whatever the other sources are."""

    def serve(name, source, mirror=""):
        entry = CATALOGUE["datasets"][name] | {"sources": [source]}
        return sources.serve(name, entry, Setting(mirror, downloads, CATALOGUE["archives"]))

    return serve


@pytest.fixture(scope="session")
def from_mirror(mirror, serve_from):
    """Data sets of the mirror by name, each read once."""
    read = {}

    def get(name):
        if name not in read:
            source = next(
                source for source in CATALOGUE["datasets"][name]["sources"] if "mirror" in source
            )
            read[name] = serve_from(name, source, mirror).dataset
        return read[name]

    return get


def pytest_collection_modifyitems(config, items):
    """Tests that need the package index run when they are asked for: `pytest -m network`."""
    if "network" in config.option.markexpr:
        return
    for item in items:
        if item.get_closest_marker("network"):
            item.add_marker(
                pytest.mark.skip(reason="needs the package index: run `pytest -m network`")
            )
