# SPDX-License-Identifier: Apache-2.0
"""Count the birds of each island in a picture."""

import matplotlib as mpl

mpl.use("agg")

import pandas as pd

birds = pd.read_csv("tables/clean.csv").replace({"species": {"Adelie": "Adélie"}})
counts = birds.groupby(["island", "species"]).size().unstack(fill_value=0)
colours = {"Adélie": "#c05a00", "Chinstrap": "#7b3fa0", "Gentoo": "#00707a"}
axes = counts.plot.barh(stacked=True, figsize=(5.6, 2.2), color=colours)
axes.set(xlabel="birds", ylabel="")
axes.legend(frameon=False, title=None, loc="center left", bbox_to_anchor=(1, 0.5))
axes.figure.tight_layout()
axes.figure.savefig(
    "figures/birds_per_island.png", dpi=100, metadata={"Software": None}
)
