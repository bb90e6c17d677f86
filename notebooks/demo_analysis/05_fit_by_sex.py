# SPDX-License-Identifier: Apache-2.0
"""Fit body mass on bill depth within each sex of each species."""

import numpy as np
import pandas as pd

birds = pd.read_csv("tables/clean.csv").dropna(subset=["sex"])
rows = []
for (species, sex), group in birds.groupby(["species", "sex"]):
    slope = np.polyfit(group["bill_depth_mm"], group["body_mass_g"], 1)[0]
    rows.append((species, sex, len(group), round(float(slope))))
fits = pd.DataFrame(rows, columns=["species", "sex", "birds", "g_per_mm"])
fits.to_csv("tables/slopes_by_sex.csv", index=False, lineterminator="\n")
print(fits.to_string(index=False))
