"""Random tables of the tests of growers and of elimination."""

import importlib.util
from pathlib import Path

import pytest


def tools_of(folder):
    path = Path(__file__).parents[1] / folder / "conftest.py"
    spec = importlib.util.spec_from_file_location(f"tools_of_{folder}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def twin():
    return tools_of("induction")


@pytest.fixture(scope="session")
def tools():
    return tools_of("elimination")
