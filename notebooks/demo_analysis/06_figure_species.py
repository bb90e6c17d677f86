# SPDX-License-Identifier: Apache-2.0
"""Draw body mass against bill depth again, one line for each species."""

import matplotlib as mpl

mpl.use("svg")
mpl.rcParams["svg.hashsalt"] = "penguins"

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

COLOURS = {"Adelie": "#c05a00", "Chinstrap": "#7b3fa0", "Gentoo": "#00707a"}
MARKS = {"Adelie": "o", "Chinstrap": "^", "Gentoo": "s"}

birds = pd.read_csv("tables/clean.csv")
slopes = pd.read_csv("tables/slopes.csv").set_index("group")

figure, axes = plt.subplots(figsize=(5.2, 3.6), layout="constrained")
for species, group in birds.groupby("species"):
    x, y = group["bill_depth_mm"], group["body_mass_g"]
    style = {"color": COLOURS[species], "label": species.replace("Adelie", "Adélie")}
    axes.scatter(x, y, s=14, alpha=0.5, marker=MARKS[species], linewidths=0, **style)
    ends = np.array([x.min(), x.max()])
    line = y.mean() + slopes.loc[species, "g_per_mm"] * (ends - x.mean())
    axes.plot(ends, line, color=COLOURS[species], linewidth=2)
axes.set(xlabel="bill depth (mm)", ylabel="body mass (g)", title="Species by species")
axes.legend(frameon=False)
figure.savefig("figures/mass_by_depth_v2.svg", metadata={"Date": None, "Creator": None})
print(f"{birds['species'].nunique()} species drawn")
