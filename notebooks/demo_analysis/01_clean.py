# SPDX-License-Identifier: Apache-2.0
"""Keep the birds whose bill depth and body mass were both measured."""

import pandas as pd

birds = pd.read_csv("data/penguins.csv")
kept = birds.dropna(subset=["bill_depth_mm", "body_mass_g"])
kept = kept[["species", "island", "sex", "year", "bill_depth_mm", "body_mass_g"]]
kept.to_csv("tables/clean.csv", index=False, lineterminator="\n")
print(f"{len(kept)} of {len(birds)} birds kept")
