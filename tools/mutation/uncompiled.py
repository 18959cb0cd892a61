"""A pytest plugin for runs without the compiler: a limit of CPU seconds for each test, and how long
each took.

A test that takes more than `PINETUM_TEST_SECONDS` fails. Under coverage.py every test is a context
of its own. With `PINETUM_TEST_TIMES` the CPU seconds of the tests that passed are written to that
file.
"""

import contextlib
import json
import os
import signal
import time

import pytest

SECONDS = float(os.environ.get("PINETUM_TEST_SECONDS", "20"))
TIMES = {}


class TooSlowError(BaseException):
    """Not an `Exception`, so that no test takes it for a fault of what it tests."""


def stop(*_):
    raise TooSlowError(f"more than {SECONDS} CPU seconds")


def measuring():
    try:
        from coverage import Coverage
    except ImportError:
        return None
    return Coverage.current()


@contextlib.contextmanager
def limited(seconds):
    signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_setup(item):
    with limited(4 * SECONDS):  # what many tests share may take longer
        yield


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    coverage = measuring()
    if coverage:
        coverage.switch_context(item.nodeid)
    begin = time.process_time()
    with limited(SECONDS):
        outcome = yield
    if outcome.excinfo is None:
        TIMES[item.nodeid] = round(time.process_time() - begin, 3)


def pytest_sessionfinish():
    if os.environ.get("PINETUM_TEST_TIMES"):
        with open(os.environ["PINETUM_TEST_TIMES"], "w", encoding="utf-8") as file:
            json.dump(TIMES, file)
