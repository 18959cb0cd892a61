"""Pictures of found pruning functions and of the search for them."""

import numpy as np

from pinetum.pruning.estimates import c45, naive, synth
from pinetum.pruning.evolution.expressions import evaluate
from pinetum.report import style

SIZES = (10, 100)  # cases at the leaf
PUBLISHED = {"NEBP": naive, "WEBP": c45, "SYNTH": synth}


def plot_curves(functions, path):
    """Charged error rate over the share of wrong cases, leaves of 10 and of 100 cases."""
    fig, axes = style.figure(columns=2, height=2.8, panels=2, sharey=True)
    for ax, n in zip(axes, SIZES, strict=True):
        wrong = np.arange(0, n // 2 + 1)
        for name, estimate in PUBLISHED.items():
            ax.plot(
                wrong / n,
                estimate(np.full(len(wrong), n), n - wrong) / n,
                **style.look(name),
                markevery=0.2,
            )
        for k, found in enumerate(functions):
            rate = [
                evaluate(found.program[0], {"n": float(n), "e": float(e), "c": float(n - e)})
                for e in wrong
            ]
            color = style.PALETTE[(6 + k) % len(style.PALETTE)]
            dashes = style.DASHES[k % len(style.DASHES)]
            ax.plot(wrong / n, rate, color=color, linestyle=dashes, label=found.name)
        ax.set_title(f"leaf of {n} cases")
        ax.set_xlabel("share of cases not of the leaf's class")
    axes[0].set_ylabel("error rate charged")
    axes[0].set_ylim(bottom=min(0.0, axes[0].get_ylim()[0]), top=min(axes[0].get_ylim()[1], 2.5))
    axes[1].legend(loc="upper left", bbox_to_anchor=(1, 1))
    style.save(fig, path)


def plot_progress(history, path):
    """Rank (or errors) of the leader on training, validation and fresh data, and its size."""
    fig, axes = style.figure(columns=2, height=2.8, panels=2)
    scores = {"training": ("-", 0), "validation": ("--", 1), "test": (":", 5)}
    for k, (run, rows) in enumerate(history.groupby("run", sort=False)):
        first = rows[rows["island"] == rows["island"].min()]
        for column, (dashes, colour) in scores.items():
            label = {"test": "fresh data"}.get(column, column) if k == 0 else None
            thin = 1.6 if k == 0 else 0.7
            axes[0].plot(
                first["candidates"] / 1000,
                first[column],
                linestyle=dashes,
                color=style.PALETTE[colour],
                linewidth=thin,
                label=label,
            )
        axes[1].plot(
            first["candidates"] / 1000,
            first["size"],
            color=style.PALETTE[k % len(style.PALETTE)],
            linewidth=0.9,
            label=run,
        )
    axes[0].set_ylabel("score of the leader (first island)")
    axes[1].set_ylabel("tokens of the leader")
    for ax in axes:
        ax.set_xlabel("thousand candidates judged")
    axes[0].legend()
    axes[1].legend(loc="upper left", bbox_to_anchor=(1, 1))
    style.save(fig, path)
