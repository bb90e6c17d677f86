# SPDX-License-Identifier: Apache-2.0
"""Write the report; every number in it is read from the tables."""

from pathlib import Path

import pandas as pd

REPORT = """\
# Does a deeper bill mean a heavier penguin?

## Question and data

A bill is quickly measured with callipers, and a bird is less quickly weighed.
If bill depth told the body mass, one measurement could stand in for the other.

The measurements come from three species of *Pygoscelis* penguins that bred on islands \
of the Palmer Archipelago between 2007 and 2009 [evidence1].
The published table lists {all_rows} birds [sourcefile1].
We kept the {kept} of them whose bill depth and body mass were both measured [artifact1].
Adélies were sampled on all three islands, chinstraps on Dream only and gentoos on \
Biscoe only [artifact2].

![Birds measured on each island](figures/birds_per_island.png)

## All birds together

Taken as one group, deeper bills go with lighter birds: {all_slope} g per millimetre, \
r = {all_r} [artifact3].
A negative sign is not what one expects of two sizes of one body.
An association seen in a whole population can vanish or turn round within its parts, \
which is known as Simpson's paradox [evidence2][evidence3].
The graduate admissions at Berkeley in 1973 are a well-known case [evidence4].

![Body mass against bill depth, all birds](figures/mass_by_depth_v1.svg)

## Species by species

Within each species the sign turns round [artifact4]:

- **Adélie**: {adelie} [artifact5].
- **Chinstrap**: {chinstrap} [artifact6].
- **Gentoo**: {gentoo} [artifact7].

![Body mass against bill depth, by species](figures/mass_by_depth_v2.svg)

The reason is in the means: gentoos are the heaviest birds and have the shallowest \
bills [artifact8].

| group | birds | mean depth (mm) | mean mass (g) |
| --- | ---: | ---: | ---: |
{rows}

## Sex

Males are on average structurally larger than females in this genus [evidence5].
Within one sex of one species the slope stays positive but shrinks, to between \
{low_sex} and {high_sex} g per millimetre [artifact9].

## Limits

These are three species at three islands in three years.
We fitted straight lines only and looked at no other measurement.
"""


def line(row: pd.Series) -> str:
    return (
        f"{row.g_per_mm:+.0f} g per millimetre "
        f"(95 % bootstrap interval {row.low:.0f} to {row.high:.0f})"
    )


clean = pd.read_csv("tables/clean.csv")
slopes = pd.read_csv("tables/slopes.csv").set_index("group")
sex = pd.read_csv("tables/slopes_by_sex.csv")["g_per_mm"]
text = REPORT.format(
    all_rows=len(pd.read_csv("data/penguins.csv")),
    kept=len(clean),
    all_slope=f"{slopes.g_per_mm['all birds']:.0f}".replace("-", "−"),
    all_r=f"{slopes.r['all birds']:.2f}".replace("-", "−"),
    adelie=line(slopes.loc["Adelie"]),
    chinstrap=line(slopes.loc["Chinstrap"]),
    gentoo=line(slopes.loc["Gentoo"]),
    rows="\n".join(
        f"| {row.Index.replace('Adelie', 'Adélie')} | {row.birds} | {row.depth_mm} | {row.mass_g} |"
        for row in slopes.itertuples()
    ),
    low_sex=sex.min(),
    high_sex=sex.max(),
)
Path("report.md").write_text(text, encoding="utf-8", newline="\n")
print(f"{len(text.split())} words written")
