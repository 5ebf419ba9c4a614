"""What an attack says of everybody in the original."""

from __future__ import annotations

import numpy as np

import alc_core as alc
from alc_core.assessment.prepare import ScenarioData, prepare_scenario
from alc_core.attacks.protocol import predicted_by, prepared_by
from alc_core.releases.registry import as_release
from alc_core.tables.apart.read import as_table


def prepared(original, release, known, unknown="job", *, kinds=None, **scenario):
    """A scenario's view and targets; a release may be made of the original by a function."""
    table = as_table(original, name="original").with_kinds(kinds or {})
    made = release(table) if callable(release) else as_release(release)
    asked = alc.Scenario(known, unknown, **scenario)
    return prepare_scenario(ScenarioData.of(table, made, asked), asked)


def predicted(made, attack, seed=0):
    """What an attack, or the one of a name, predicts for the targets."""
    chosen = alc.make_attack(attack)
    predict = prepared_by(chosen, made.view, np.random.default_rng(seed))
    return predicted_by(chosen, predict, made.targets.known, made.view.unknown.size)
