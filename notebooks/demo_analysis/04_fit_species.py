# SPDX-License-Identifier: Apache-2.0
"""Fit body mass on bill depth: all birds, then each species on its own."""

import numpy as np
import pandas as pd

RESAMPLES = 2000


def slope(depth, mass):
    return np.polyfit(depth, mass, 1)[0]


def fit(group, birds, random):
    depth, mass = birds["bill_depth_mm"].to_numpy(), birds["body_mass_g"].to_numpy()
    draws = random.integers(0, len(birds), size=(RESAMPLES, len(birds)))
    low, high = np.percentile([slope(depth[i], mass[i]) for i in draws], [2.5, 97.5])
    return {
        "group": group,
        "birds": len(birds),
        "depth_mm": round(float(depth.mean()), 1),
        "mass_g": round(float(mass.mean())),
        "g_per_mm": round(float(slope(depth, mass))),
        "low": round(float(low)),
        "high": round(float(high)),
        "r": round(float(np.corrcoef(depth, mass)[0, 1]), 2),
    }


birds = pd.read_csv("tables/clean.csv")
groups = {"all birds": birds, **dict(iter(birds.groupby("species")))}
random = np.random.default_rng(2014)
fits = pd.DataFrame([fit(name, group, random) for name, group in groups.items()])
fits.to_csv("tables/slopes.csv", index=False, lineterminator="\n")
print(fits.to_string(index=False))
