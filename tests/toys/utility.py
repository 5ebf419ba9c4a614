"""Utility of a release as measured, made up."""

from alc_core.studies.utility.result import LearnedTarget, Utility


def made_target(name="job", release=0.6, original=0.8, majority=0.4, rows=100):
    return LearnedTarget(
        target=name, release_accuracy=release, original_accuracy=original,
        majority_accuracy=majority, train_rows=2 * rows, test_rows=rows, columns=3,
        original_columns=3,
    )  # fmt: skip


def made_utility(release="r", **changes):
    values = {
        "release": release, "original_fingerprint": "o", "release_fingerprints": ("f",),
        "columns": {"a": 0.05, "b": 0.05}, "pairs": (("a", "b", 0.1),),
        "column_chance": 0.01, "pair_chance": 0.02, "relations_kept": 0.9, "lacking": (),
        "unpaired": 0, "targets": (made_target(),), "bins": 20, "binning": "quantile", "seed": 0,
        "notes": (),
    }  # fmt: skip
    return Utility(**{**values, **changes})


def utility_of(store, release, **changes):
    """Made up of a release in a campaign's file, which takes it."""
    settings = store.settings
    prints = tuple(each.fingerprint for each in settings.releases[release])
    given = {"original_fingerprint": settings.original.fingerprint, "release_fingerprints": prints}
    return made_utility(release, **{**given, **changes})
