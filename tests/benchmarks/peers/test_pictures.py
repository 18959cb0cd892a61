"""Pictures of rivals show every table that both answered, and say who is ahead by colour."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgba
from PIL import Image

from pinetum.report.style import PALETTE, colour
from pinetum_benchmarks.peers import figures, summary
from pinetum_benchmarks.peers.measure import COLUMNS
from pinetum_benchmarks.peers.page import publish
from pinetum_benchmarks.peers.questions import QUESTIONS


@pytest.fixture
def frame():
    """pystreed takes twice as long and errs as much, CART a quarter with fewer errors on three
    tables of five.
    """
    rows = []
    for number in range(5):
        for label, package, seconds, errors in (
            ("pinetum", "pinetum", 1.0, 10),
            ("pystreed", "pystreed", 2.0, 10),
            ("CART", "scikit-learn", 0.25, 9 if number < 3 else 12),
            ("gosdt", "gosdt", None, None),
        ):
            rows.append(row(f"d{number}", "data sets", label, package, seconds, errors))
    for size in (100, 1000):
        rows.append(row(f"made, rows {size}", "rows", "pinetum", "pinetum", size / 100, 1))
        rows.append(
            row(
                f"made, rows {size}",
                "rows",
                "pystreed",
                "pystreed",
                1.0 if size == 100 else None,
                1,
            )
        )
    return summary.pd.DataFrame(rows, columns=COLUMNS)


def row(dataset, part, label, package, seconds, errors):
    found = {
        "question": "optimal",
        "part": part,
        "dataset": dataset,
        "variant": "max_depth 3",
        "contestant": label,
    }
    found |= {
        "package": package,
        "version": "1",
        "status": "time_limit" if seconds is None else "ok",
    }
    if seconds is not None:
        found |= {
            "seconds": seconds,
            "seconds_low": 0.9 * seconds,
            "seconds_high": 1.1 * seconds,
            "errors": errors,
        }
    return found


def test_a_dot_for_every_table_and_hollow_where_ours_is_worse(frame):
    fig, ax = plt.subplots()
    figures.draw_ratios(ax, frame, "optimal", ["pystreed", "CART"])
    dots = [each for each in ax.collections if hasattr(each, "get_sizes") and len(each.get_sizes())]
    solid, hollow = ([], [])
    for each in dots:
        white = len(each.get_facecolor()) and np.allclose(each.get_facecolor()[0], to_rgba("white"))
        (hollow if white else solid).append(np.sort(each.get_offsets()[:, 0]).tolist())
        assert np.allclose(each.get_edgecolor()[:1], to_rgba(colour("pinetum")))
    assert sorted(solid) == [[0.5] * 5, [4.0] * 2] and [4.0] * 3 in hollow
    assert [text.get_text() for text in ax.texts] == ["0.5", "4"]
    plt.close(fig)


def test_a_series_ends_in_a_cross_where_a_contestant_gave_up(frame):
    fig, ax = plt.subplots()
    figures.draw_series(ax, frame[frame["part"] == "rows"], "rows", legend=True)
    lines = {line.get_label(): line.get_xdata().tolist() for line in ax.lines}
    assert lines == {"pinetum": [100, 1000], "pystreed": [100]}
    (cross,) = ax.collections
    assert cross.get_offsets().tolist() == [[1000, 1]]
    plt.close(fig)


def test_all_pictures_are_drawn_and_published(frame, tmp_path, monkeypatch):
    drawn, kept = tmp_path / "figures/peers", []
    drawn.mkdir(parents=True)
    monkeypatch.setattr(
        figures, "save", lambda fig, png, save=figures.save: (kept.append(fig), save(fig, png))
    )
    figures.question(frame, drawn / "optimal.png")
    figures.overview(summary.pd.DataFrame(summary.summary_rows(frame)), drawn / "overview.png")
    assert [label.get_text() for label in kept[0].axes[0].get_yticklabels()] == ["pystreed", "CART"]
    tones = {line.get_color() for line in kept[1].axes[0].lines}
    assert {PALETTE[0], PALETTE[1]} <= tones  # one rival behind, one ahead
    figures.question(
        frame.iloc[:0], drawn / "minimum.png"
    )  # nobody answered: an empty picture that says so
    made = tmp_path / "index.md"
    made.write_text("![all](../figures/peers/overview.png) ![one](../figures/peers/optimal.png)\n")
    pictures = sorted(drawn.glob("*.png"))
    assert [path.stem for path in pictures] == ["minimum", "optimal", "overview"]
    publish(made, pictures, tmp_path / "notes/peers.md", tmp_path / "docs/figures")
    page = (tmp_path / "notes/peers.md").read_text()
    assert (
        page
        == "![all](../docs/figures/peers_overview.png) ![one](../docs/figures/peers_optimal.png)\n"
    )
    made.write_text(f"# All\n\n## {QUESTIONS['optimal'].title}\n\nnew\n")
    older = (
        f"# Old\n\n## {QUESTIONS['speed'].title}\n\nkept\n\n##"
        f" {QUESTIONS['optimal'].title}\n\nold\n"
    )
    (tmp_path / "notes/peers.md").write_text(older)
    (tmp_path / "docs/figures/peers_overview.png").write_bytes(b"of all questions")
    publish(made, pictures, tmp_path / "notes/peers.md", tmp_path / "docs/figures")
    parts = [
        "# All\n",
        f"## {QUESTIONS['speed'].title}\n\nkept\n",
        f"## {QUESTIONS['optimal'].title}\n\nnew\n",
    ]
    assert (tmp_path / "notes/peers.md").read_text() == "\n".join(parts)
    assert (tmp_path / "docs/figures/peers_overview.png").read_bytes() == b"of all questions"
    for path in pictures[:2]:
        with Image.open(tmp_path / f"docs/figures/peers_{path.name}") as image:
            assert min(image.size) > 50
