"""Figures take any text as it stands, and one that cannot be drawn costs no result."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from pinetum.report import style

ODD = [
    "$0k_$50k",
    "cost_$_per_$",
    "a\\b^{",
    "$\\undefined{$",
    "x_1 & <b>",
    "%s #1",
    "日本 ☃",
    "_hidden",
    "line\nbreak",
    "",
]


@pytest.fixture(autouse=True)
def all_forms(monkeypatch):
    """Whatever a job that ran in this process was asked to write."""
    monkeypatch.setattr(style, "VECTOR_FORMS", ["svg", "pdf"])


def test_any_name_can_stand_anywhere(tmp_path):
    fig, axes = style.figure(2, 3, panels=2)
    for number, name in enumerate(ODD):
        axes[0].plot([1, 10], [number + 1, 100 * number + 1], label=name)
        axes[0].text(1, 1, name)
        axes[0].annotate(name, (2, 2))
    axes[0].set_xscale("log")
    axes[0].set_yscale("log")
    axes[1].bar(range(len(ODD)), range(len(ODD)))
    axes[1].set_xticks(range(len(ODD)), ODD)
    axes[0].set_title(ODD[0])
    axes[1].set_xlabel(ODD[1])
    fig.suptitle(ODD[3])
    axes[0].legend(title="$ $")
    axes[1].yaxis.set_major_locator(plt.MaxNLocator(19))
    style.save(fig, tmp_path / "odd.png")
    svg = (tmp_path / "odd.svg").read_text(encoding="utf-8")
    assert "$0k_$50k" in svg and "10¹" in svg and "mathdefault" not in svg


def test_labels_of_logarithmic_axes_are_written_plainly():
    fig, ax = style.figure()
    ax.set_yscale("log")
    ax.set_ylim(1e-3, 1e4)
    style.write_plainly(fig)
    fig.canvas.draw()
    labels = [label.get_text() for label in ax.get_yticklabels() if label.get_text()]
    assert "10⁻²" in labels and "10³" in labels and not any("$" in label for label in labels)
    ax.set_ylim(2, 9)
    fig.canvas.draw()
    minor = [label.get_text() for label in ax.get_yticklabels(minor=True) if label.get_text()]
    assert any("×10⁰" in label for label in minor)
    plt.close(fig)


def test_a_figure_that_cannot_be_drawn_says_so(tmp_path, capfd):
    plt.close("all")  # what other tests of this process left open
    with style.guarded(tmp_path / "f.png"):
        style.figure()
        raise ValueError("no such $marker$")
    assert (tmp_path / "f.png").exists() and not plt.get_fignums()
    assert (
        "could not be drawn" in (tmp_path / "f.svg").read_text()
        and "no such $marker$" in capfd.readouterr().err
    )
    with pytest.raises(KeyboardInterrupt), style.guarded(tmp_path / "g.png"):
        raise KeyboardInterrupt


def test_trees_with_odd_names_are_drawn(tmp_path):
    from pinetum.trees import Tree

    tree = Tree(
        feature=np.array([0, -1, -1], dtype=np.int32),
        threshold=np.full(3, np.nan),
        cut=np.full(3, -1, dtype=np.int32),
        child_start=np.array([0, 2, 2, 2], dtype=np.int32),
        children=np.array([1, 2], dtype=np.int32),
        counts=np.array([[2.0, 2], [2, 0], [0, 2]]),
        label=np.array([0, 0, 1], dtype=np.int32),
        feature_names=("cost_$_per_$",),
        class_names=("$0k_$50k", "$\\frac{$"),
        values=(("$x^$", "_$_$"),),
    )
    with plt.rc_context({"text.parse_math": True}):  # a user's own setting
        tree.plot().figure.savefig(tmp_path / "t.png")
    plt.close("all")
