# SPDX-License-Identifier: Apache-2.0
"""Fit body mass on bill depth within each species, standard library only."""

import csv
import statistics
from collections import defaultdict
from pathlib import Path

groups = defaultdict(list)
with Path("data/penguins.csv").open(encoding="utf-8", newline="") as file:
    for row in csv.DictReader(file):
        pair = float(row["bill_depth_mm"]), float(row["body_mass_g"])
        groups[row["species"]].append(pair)

for species, pairs in groups.items():
    depth, mass = zip(*pairs, strict=True)
    print(species, statistics.linear_regression(depth, mass).slope)
