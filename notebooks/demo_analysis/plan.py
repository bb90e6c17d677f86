# SPDX-License-Identifier: Apache-2.0
"""The runs of the demo's analysis: what each one reads and leaves behind, and when."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Product:
    """A file that a run leaves behind, as a version of an artifact."""

    id: str
    path: str
    media_type: str
    name: str
    version: int = 1


@dataclass(frozen=True)
class Run:
    """One script: when it ran, what it read, what it left behind."""

    script: str
    start: str
    finish: str
    reads: tuple[Product, ...] = ()
    reads_raw: bool = False
    writes: tuple[Product, ...] = ()
    parent: str | None = None

    @property
    def id(self) -> str:
        return "run-" + self.script.removesuffix(".py").replace("_", "-")


CLEAN = Product("table-clean", "tables/clean.csv", "text/csv", "clean.csv")
FIG1 = Product(
    "fig-mass", "figures/mass_by_depth_v1.svg", "image/svg+xml", "mass_by_depth.svg"
)
FIG2 = Product(
    "fig-mass", "figures/mass_by_depth_v2.svg", "image/svg+xml", "mass_by_depth.svg", 2
)
SLOPES = Product("table-slopes", "tables/slopes.csv", "text/csv", "slopes.csv")
BY_SEX = Product(
    "table-sex", "tables/slopes_by_sex.csv", "text/csv", "slopes_by_sex.csv"
)
REPORT = Product("report-1", "report.md", "text/markdown", "report.md")

FITTER = "fitter"
CLEANING = Run("01_clean.py", "09:10", "09:11", reads_raw=True)
POOLED = Run("02_figure_pooled.py", "09:14", "09:15", (CLEAN,), writes=(FIG1,))
FAILING = Run("03_within_species_first_try.py", "09:21", "09:22", reads_raw=True)
SPECIES = Run(
    "04_fit_species.py", "09:26", "09:28", (CLEAN,), writes=(SLOPES,), parent=FITTER
)
SEX = Run(
    "05_fit_by_sex.py", "09:30", "09:31", (CLEAN,), writes=(BY_SEX,), parent=FITTER
)
DRAWING = Run("06_figure_species.py", "09:37", "09:38", (CLEAN, SLOPES), writes=(FIG2,))
WRITING = Run(
    "07_report.py",
    "09:55",
    "09:56",
    (CLEAN, SLOPES, BY_SEX),
    reads_raw=True,
    writes=(REPORT,),
)
