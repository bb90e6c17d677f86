# SPDX-License-Identifier: Apache-2.0
"""What the demo's researcher read and said: papers, evidence, claims.

The papers are real; the findings are told in our words (`PARAPHRASE`), none is a quote.
"""

from __future__ import annotations

import csv
from pathlib import Path

SESSION = "penguins"
GOAL = (
    "Does bill depth tell the body mass of a penguin? "
    "Use the Palmer Archipelago data, and report within species too."
)

PAPERS = {
    "gorman": {
        "link": "https://doi.org/10.1371/journal.pone.0090081",
        "title": "Ecological Sexual Dimorphism and Environmental Variability within a "
        "Community of Antarctic Penguins (Genus Pygoscelis)",
        "identifier": "10.1371/journal.pone.0090081",
        "year": "2014",
        "authors": ["Kristen B. Gorman", "Tony D. Williams", "William R. Fraser"],
    },
    "horst": {
        "link": "https://doi.org/10.32614/RJ-2022-020",
        "title": "Palmer Archipelago Penguins Data in the palmerpenguins R Package - "
        "An Alternative to Anderson's Irises",
        "identifier": "10.32614/RJ-2022-020",
        "year": "2022",
        "authors": ["Allison M. Horst", "Alison Presmanes Hill", "Kristen B. Gorman"],
    },
    "simpson": {
        "link": "https://doi.org/10.1111/j.2517-6161.1951.tb00088.x",
        "title": "The Interpretation of Interaction in Contingency Tables",
        "identifier": "10.1111/j.2517-6161.1951.tb00088.x",
        "year": "1951",
        "authors": ["E. H. Simpson"],
    },
    "kievit": {
        "link": "https://doi.org/10.3389/fpsyg.2013.00513",
        "title": "Simpson's paradox in psychological science: a practical guide",
        "identifier": "10.3389/fpsyg.2013.00513",
        "year": "2013",
        "authors": [
            "Rogier A. Kievit",
            "Willem E. Frankenhuis",
            "Lourens J. Waldorp",
            "Denny Borsboom",
        ],
    },
    "bickel": {
        "link": "https://doi.org/10.1126/science.187.4175.398",
        "title": "Sex Bias in Graduate Admissions: Data from Berkeley",
        "identifier": "10.1126/science.187.4175.398",
        "year": "1975",
        "authors": ["P. J. Bickel", "E. A. Hammel", "J. W. O'Connell"],
    },
}

EVIDENCE = {
    "evidence1": (
        "horst",
        "The data set holds body measurements of three Pygoscelis species, collected "
        "2007 to 2009 on islands of the Palmer Archipelago, Antarctica.",
        "abstract",
    ),
    "evidence2": (
        "simpson",
        "An association found in each of two subpopulations can be absent when they "
        "are put together in one table.",
        "worked examples",
    ),
    "evidence3": (
        "kievit",
        "Subgroups can show an association whose sign is the opposite of the one seen "
        "in the population that they make up.",
        "abstract",
    ),
    "evidence4": (
        "bickel",
        "Pooled over departments, admissions to Berkeley for fall 1973 look biased "
        "against women; department by department, next to nothing of it is left.",
        "abstract",
    ),
    "evidence5": (
        "gorman",
        "In Pygoscelis penguins the males have the larger bodies: their mean structural "
        "size exceeds that of females of the same species.",
        "abstract",
    ),
}

CLAIMS = (
    (
        "The data are body measurements of three penguin species from 2007 to 2009.",
        ["evidence1"],
    ),
    ("The published table lists {all_rows} birds.", ["sourcefile1"]),
    ("{kept} birds have both bill depth and body mass.", ["artifact1"]),
    (
        "Adélies were sampled on three islands, chinstraps and gentoos on one each.",
        ["artifact2"],
    ),
    (
        "Over all birds, body mass falls by {fall} g per millimetre of bill depth.",
        ["artifact3"],
    ),
    (
        "An association in a population can vanish or reverse within its subgroups.",
        ["evidence2", "evidence3"],
    ),
    (
        "Pooled, the 1973 admissions at Berkeley show a bias that departments do not.",
        ["evidence4"],
    ),
    ("Within each species, body mass rises with bill depth.", ["artifact4"]),
    ("Adélies gain {Adelie} g per millimetre of bill depth.", ["artifact5"]),
    ("Chinstraps gain {Chinstrap} g per millimetre of bill depth.", ["artifact6"]),
    ("Gentoos gain {Gentoo} g per millimetre of bill depth.", ["artifact7"]),
    ("Gentoos are the heaviest and have the shallowest bills.", ["artifact8"]),
    ("Male Pygoscelis penguins are on average larger than females.", ["evidence5"]),
    (
        "Within one sex of one species the slope is {low_sex} to {high_sex} g per mm.",
        ["artifact9"],
    ),
)

ARTIFACTS = {
    "artifact1": ("table-clean", 1),
    "artifact2": ("fig-islands", 1),
    "artifact3": ("fig-mass", 1),
    "artifact4": ("fig-mass", 2),
    "artifact5": ("table-slopes", 1),
    "artifact6": ("table-slopes", 1),
    "artifact7": ("table-slopes", 1),
    "artifact8": ("table-slopes", 1),
    "artifact9": ("table-sex", 1),
}


def numbers() -> dict[str, object]:
    """Return the numbers of the claims, read from the workspace's tables."""
    slopes = {row["group"]: row for row in rows("tables/slopes.csv")}
    by_sex = [int(row["g_per_mm"]) for row in rows("tables/slopes_by_sex.csv")]
    species = {
        name: row["g_per_mm"] for name, row in slopes.items() if name != "all birds"
    }
    return {
        "all_rows": len(rows("data/penguins.csv")),
        "kept": len(rows("tables/clean.csv")),
        "fall": -int(slopes["all birds"]["g_per_mm"]),
        "low_sex": min(by_sex),
        "high_sex": max(by_sex),
        **species,
    }


def rows(path: str) -> list[dict[str, str]]:
    with Path(path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
