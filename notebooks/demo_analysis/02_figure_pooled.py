# SPDX-License-Identifier: Apache-2.0
"""Draw body mass against bill depth, all birds as one group."""

import matplotlib as mpl

mpl.use("svg")
mpl.rcParams["svg.hashsalt"] = "penguins"

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

birds = pd.read_csv("tables/clean.csv")
x, y = birds["bill_depth_mm"], birds["body_mass_g"]
slope, start = np.polyfit(x, y, 1)
ends = np.array([x.min(), x.max()])

figure, axes = plt.subplots(figsize=(5.2, 3.6), layout="constrained")
axes.scatter(x, y, s=12, alpha=0.5, color="#555555", linewidths=0)
axes.plot(ends, start + slope * ends, color="#b3261e", linewidth=2)
axes.set(xlabel="bill depth (mm)", ylabel="body mass (g)", title="All birds together")
figure.savefig("figures/mass_by_depth_v1.svg", metadata={"Date": None, "Creator": None})
print(f"slope {slope:.1f} g per mm")
