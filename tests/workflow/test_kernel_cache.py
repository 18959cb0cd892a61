"""Machine code is kept where nobody else can write it, is never stale, and damage to it costs a
compilation.
"""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import numba
import pytest

from pinetum import kernel_cache

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
PROGRAM = (
    "import numpy as np; from pinetum.trees.kernels.dropping import totals_of;"
    " print(totals_of(np.ones((2, 3))))"
)


def run(program=PROGRAM, code=0, **environment):
    environment = {
        key: str(value)
        for key, value in {**os.environ, "PYTHONWARNINGS": "always", **environment}.items()
    }
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True,
        text=True,
        env={k: v for k, v in environment.items() if v != "UNSET"},
        check=False,
    )
    assert done.returncode == code, done.stderr
    return done


DAMAGE = {
    "cut": lambda data: data[: len(data) // 2],
    "empty": lambda data: b"",
    "noise": lambda data: b"\x93NUMPY" * 99,
    "tail": lambda data: data + b"\x00x",
}


def test_damaged_entries_are_dropped_and_made_again(tmp_path):
    assert run(PINETUM_KERNEL_CACHE=tmp_path).stdout == "[3. 3.]\n"
    files = sorted(tmp_path.rglob("*.nb[ci]"))
    assert len(files) == 2
    for file in files:
        data = file.read_bytes()
        assert not kernel_cache.is_damaged(data)
        for damage in DAMAGE.values():
            file.unlink()
            file.write_bytes(damage(data))
            assert kernel_cache.is_damaged(file.read_bytes())
    done = run(PINETUM_KERNEL_CACHE=tmp_path)
    assert done.stdout == "[3. 3.]\n" and done.stderr.count("damaged, compiled anew") == 2
    assert not any(kernel_cache.is_damaged(file.read_bytes()) for file in files)


def test_a_flipped_byte_of_machine_code_is_found(tmp_path):
    """Whatever byte it is: the pickle around the code may stay whole, so the sum of the file
    tells.
    """
    assert run(PINETUM_KERNEL_CACHE=tmp_path).stdout == "[3. 3.]\n"
    file = next(tmp_path.rglob("*.nbc"))
    data, folder = file.read_bytes(), tmp_path / file.relative_to(tmp_path).parts[0]
    at = data.index(b"\x7fELF") + 2000
    with open(file, "r+b") as place:
        place.seek(at)
        place.write(bytes([data[at] ^ 16]))
    assert not kernel_cache.is_damaged(file.read_bytes())
    done = run(PINETUM_KERNEL_CACHE=tmp_path)
    assert done.stdout == "[3. 3.]\n" and done.stderr.count("damaged, compiled anew") == 1
    for sums in ("", "[1]", '{"a": 3}', '{"a": [1, "x"]}'):  # a spoilt list of sums is as none
        (folder / "sums.json").write_text(sums)
        assert run(PINETUM_KERNEL_CACHE=tmp_path).stderr == ""
    assert str(file.relative_to(folder)) in (folder / "sums.json").read_text()


def test_code_that_checks_bounds_is_kept_apart(tmp_path):
    for checks in ("0", "1", "0"):
        assert run(PINETUM_KERNEL_CACHE=tmp_path, NUMBA_BOUNDSCHECK=checks).stdout == "[3. 3.]\n"
    assert len(list(tmp_path.rglob("*.nbc"))) == 2


@pytest.mark.parametrize("chosen", [True, False], ids=["chosen", "default"])
@pytest.mark.parametrize("fault", ["writable by others", "of another user", "not a folder"])
def test_a_folder_that_is_not_private_keeps_nothing(tmp_path, chosen, fault):
    root = tmp_path / "cache" if chosen else tmp_path / "pinetum" / "kernels"
    root.parent.mkdir(exist_ok=True, parents=True)
    if fault == "not a folder":
        root.write_text("")
    else:
        root.mkdir()
        if fault == "writable by others":
            root.chmod(0o777)
        elif os.geteuid():
            pytest.skip("needs root to give a folder away")
        else:
            os.chown(root, 12345, 12345)
    if chosen:
        done = run(PINETUM_KERNEL_CACHE=root, code=1)
        assert (
            "PINETUM_KERNEL_CACHE: " in done.stderr
            and "set PINETUM_KERNEL_CACHE to a folder that is" in done.stderr
        )
    else:
        done = run(PINETUM_KERNEL_CACHE="", XDG_CACHE_HOME=tmp_path)
        assert (
            done.stdout == "[3. 3.]\n"
            and "kernels are compiled anew in every process" in done.stderr
        )
    assert not root.is_dir() or not list(root.iterdir())


@pytest.mark.parametrize("home", ["", "relative"])
def test_an_empty_or_relative_cache_home_is_the_users_own(tmp_path, monkeypatch, home):
    monkeypatch.setenv("PINETUM_KERNEL_CACHE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", home)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert kernel_cache.cache_root() == tmp_path / ".cache" / "pinetum" / "kernels"
    monkeypatch.setenv("HOME", "")
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # a user without a home
    assert "not an absolute path" in kernel_cache.fault_of_root(kernel_cache.cache_root())


def test_a_new_folder_is_the_users_alone(tmp_path):
    assert kernel_cache.fault_of_root(tmp_path / "a" / "b") == ""
    assert (tmp_path / "a" / "b").stat().st_mode & 0o777 == 0o700


def test_importing_pinetum_changes_nothing_in_numba():
    """Every class and module attribute below `numba`, before and after all modules of the
    package.
    """
    program = """
    import pkgutil, sys, types, importlib
    import numba, numba.typed, numba.experimental, numba.extending
    import pandas, sklearn, scipy, matplotlib, pyarrow, highspy, pulp

    def attributes():
        found = {}
        for name, module in sorted(sys.modules.items()):
            if name.split(".")[0] not in ("numba", "llvmlite") or not isinstance(module, types.ModuleType):
                continue
            for key, value in vars(module).items():
                found[name, key] = id(value)
                if isinstance(value, type) and value.__module__.split(".")[0] in ("numba", "llvmlite"):
                    for inner, member in vars(value).items():
                        found[f"{value.__module__}.{value.__qualname__}", inner] = id(member)
        return found

    import numpy as np
    kept = numba.njit(lambda x: x + 1)  # what numba itself sets up on first use
    kept(1)
    before, keep = attributes(), [vars(m).copy() for m in sys.modules.values() if isinstance(m, types.ModuleType)]
    import pinetum
    count = 0
    for module in pkgutil.walk_packages(pinetum.__path__, "pinetum."):
        importlib.import_module(module.name)
        count += 1
    after = attributes()
    # A package gains its own submodules as attributes when they are first imported: that is Python's doing.
    changed = [key for key in before if key in after and before[key] != after[key]]
    gone = [key for key in before if key not in after]
    fresh = [key for key in after if key not in before and key[0] in {k[0] for k in before}
             and f"{key[0]}.{key[1]}" not in sys.modules and not key[1].startswith("__")]
    print(count, changed, gone, fresh)
    """  # noqa: E501
    count, rest = run(program).stdout.split(" ", 1)
    assert int(count) > 100 and rest == "[] [] []\n"


def test_the_cache_lies_in_no_source_folder():
    source = Path(kernel_cache.__file__).parent
    assert not list(source.rglob("*.nbi")) and not list(source.rglob("*.nbc"))


AREA = """
from pinetum.jit import kernel


@kernel
def area(shape):
    return shape.width * shape.height
"""
SHAPES = """
from typing import NamedTuple


class Shape(NamedTuple):
    width: float
    height: float
"""
MEASURE = """
import warnings
warnings.simplefilter("error")
from {shapes} import Shape
from mine.kernels.area import area
print(area(Shape(2.0, 3.0)), sum(area.compiled.stats.cache_hits.values()))
"""


def place(folder, shapes):
    """A package of one kernel, and of a class elsewhere that it takes."""
    (folder / "mine" / "kernels").mkdir(parents=True, exist_ok=True)
    (folder / "mine" / "kernels" / "area.py").write_text(AREA)
    (folder / f"{shapes}.py").write_text(SHAPES)
    return MEASURE.format(shapes=shapes)


def test_machine_code_is_found_from_another_place_and_without_a_class_that_moved(tmp_path):
    cache = {"PINETUM_KERNEL_CACHE": tmp_path / "cache", "PINETUM_JIT": "always"}
    for folder, shapes, told in [
        ("here", "shapes", "6.0 0\n"),
        ("here", "shapes", "6.0 1\n"),
        ("there", "shapes", "6.0 1\n"),
        ("elsewhere", "figures", "6.0 0\n"),
        ("elsewhere", "figures", "6.0 1\n"),
    ]:
        program = place(tmp_path / folder, shapes)
        done = run(program, PYTHONPATH=tmp_path / folder, **cache)
        assert done.stdout == told and done.stderr == ""
