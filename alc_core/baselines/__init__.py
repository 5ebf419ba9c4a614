"""Baselines: the best prediction for a person from the original without that person."""

from alc_core.baselines.families import Classifier, Family, default_families
from alc_core.baselines.features import Features
from alc_core.baselines.folds import BaselinePredictions, ScenarioBaseline
from alc_core.baselines.selection import Baseline, choose_families, fit_baseline

__all__ = [
    "Baseline",
    "BaselinePredictions",
    "Classifier",
    "Family",
    "Features",
    "ScenarioBaseline",
    "choose_families",
    "default_families",
    "fit_baseline",
]
