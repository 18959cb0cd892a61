"""Whether verdicts hang on the seed: the comparisons of two runs that differ in nothing else.

`python tools/seeds.py first/comparison.csv second/comparison.csv picture.png` prints what
changed and draws z against z.
"""

import sys

import pandas as pd

from pinetum.report import style
from pinetum.report.comparison import STANDARD_ERRORS
from pinetum.report.printed import number
from pinetum.report.rows import KEY
from pinetum.report.verdicts import VERDICTS
from pinetum.workflow.jobs import read_text

FIRM = 2.0  # standard errors within which a verdict may not change
JUDGED = ("within", "outside")


def beside(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    """The numbers that both runs judge: z and verdict of each, whether it is firm in the first,
    whether it changed.

    Firm are numbers without sampling error, and those judged by standard errors that lie within two
    of them.
    """
    columns = ["paper", *KEY, "basis"]
    both = first.merge(second, on=columns, suffixes=("", "_second"))
    both = both[both["verdict"].isin(JUDGED) & both["verdict_second"].isin(JUDGED)]
    z = both["z"].map(number).astype(float)
    sampled = both["basis"] == "error"
    firm = both["basis"].eq("digits") | (sampled & (z.abs() < FIRM))
    return both[[*columns, "published"]].assign(
        z=z,
        z_second=both["z_second"].map(number).astype(float),
        verdict=both["verdict"],
        verdict_second=both["verdict_second"],
        firm=firm,
        changed=both["verdict"] != both["verdict_second"],
    )


def draw(pairs: pd.DataFrame, png) -> None:
    """z of the second run against z of the first, one dot a number judged by standard errors."""
    fig, axis = style.figure(1, 3.2)
    dots = pairs[(pairs["basis"] == "error") & pairs["z"].notna() & pairs["z_second"].notna()]
    for changed, verdict in ((False, "within"), (True, "outside")):
        some = dots[dots["changed"] == changed]
        label = f"{len(some)} {'verdicts differ' if changed else 'verdicts agree'}"
        axis.scatter(
            some["z"].clip(-8, 8),
            some["z_second"].clip(-8, 8),
            s=9,
            color=VERDICTS[verdict].colour,
            label=label,
        )
    for side in (-STANDARD_ERRORS, STANDARD_ERRORS):
        axis.axvline(side, color="#999999", lw=0.6, ls="--")
        axis.axhline(side, color="#999999", lw=0.6, ls="--")
    axis.set_xlabel("z with the first seed")
    axis.set_ylabel("z with the second seed")
    axis.legend()
    style.save(fig, png)


if __name__ == "__main__":
    found = beside(read_text(sys.argv[1]), read_text(sys.argv[2]))
    print(found[found["changed"]].drop(columns=["firm", "changed"]).to_string(index=False))
    changes, firm = int(found["changed"].sum()), int((found["changed"] & found["firm"]).sum())
    print(
        f"{changes} of {len(found)} verdicts differ, {firm} of the {int(found['firm'].sum())} firm"
        " ones"
    )
    draw(found, sys.argv[3])
