# SPDX-License-Identifier: Apache-2.0
"""Random histories of writers, crashes and the app: nothing that counts is lost."""

from __future__ import annotations

import os
import random
import tempfile
from contextlib import ExitStack
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from smemkit.stores.jsonl import JsonlStore
from tests.store_crashes import quick, units
from tests.store_history import World

FULL = os.environ.get("HYPOTHESIS_PROFILE") == "full"
DICE = st.integers(0, 2**32).map(random.Random)


class Histories(RuleBasedStateMachine):
    """Every step is one thing that happens to a folder."""

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()
        self.stack.enter_context(quick())
        folder = self.stack.enter_context(tempfile.TemporaryDirectory())
        self.world = World(Path(folder) / "memory")

    @rule(dice=DICE)
    def we_write(self, dice):
        self.world.write(dice)

    @rule(dice=DICE)
    def we_crash(self, dice):
        self.world.crash(dice)

    @rule(dice=DICE, broken=st.booleans())
    def the_disk_is_full(self, dice, broken):
        self.world.full(dice, broken=broken)

    @rule(dice=DICE, dies=st.booleans())
    def the_app_writes(self, dice, dies):
        self.world.app_writes(dice, dies=dies)

    @rule()
    def the_app_goes_on(self):
        self.world.app_goes_on()

    @rule(half=st.booleans())
    def the_app_compacts(self, half):
        self.world.app_compacts(half=half)

    @rule(another=st.booleans())
    def we_compact(self, another):
        self.world.compact()
        if another:  # one that knows only what the files say
            self.world.store = JsonlStore(self.world.folder)

    @rule()
    def we_repair(self):
        self.world.repair()

    @rule()
    def another_process_takes_over(self):
        self.world.store = JsonlStore(self.world.folder)

    @invariant()
    def what_counts_is_there(self):
        self.world.check()

    def teardown(self):
        try:
            self.world.finish()
        finally:
            self.stack.close()


Histories.TestCase.settings = settings(
    max_examples=2_000 if FULL else 80, stateful_step_count=25
)
TestHistories = Histories.TestCase


@settings(max_examples=100 if FULL else 4)
@given(dice=DICE, app=st.booleans())
def test_the_last_batch_of_any_history_cut_at_every_byte_is_whole_or_absent(dice, app):
    """Earlier batches are whole, one more write works, and the app reads it.

    The cuts of the write are steps too: the batch may follow one that died.
    """
    with quick(), tempfile.TemporaryDirectory() as top:
        world = World(Path(top) / "whole")
        world.write(dice)
        for _ in range(dice.randrange(4)):
            step = dice.choice([world.write, world.crash, app_writes(world)])
            step(dice)
        written = world.watched_write(dice)
        for left in range(units(written[1]) + 1):
            twin = world.twin(Path(top) / str(left))
            twin.stand_at(*written, left)
            twin.check()
            if app:
                twin.app_writes(random.Random(left), dies=False)
                twin.check()
            twin.finish()


def app_writes(world):
    return lambda dice: world.app_writes(dice, dies=False)
