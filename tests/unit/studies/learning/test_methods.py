import pytest

from alc_core import table_from_frame
from alc_core.errors import InputError, ParameterError
from alc_core.studies.learning.methods import METHODS, make_release

KNOWN = ("district", "age")


@pytest.fixture
def table(town):
    return table_from_frame(town.assign(private="not released"), name="town")


@pytest.mark.parametrize(
    ("method", "values", "name", "kind"),
    [
        ("anatomy", {}, "Anatomy ℓ = 4", "groups"),
        ("anatomy", {"level": 2, "merged": 3}, "Anatomy ℓ = 2, 3 merged", "groups"),
        ("mondrian", {"k": 10}, "k-anonymity k = 10", "rows"),
        ("mondrian", {"level": 2}, "k-anonymity k = 5, ℓ = 2", "rows"),
        ("counts", {"epsilon": 0.5}, "Counts ε = 0.5", "counts"),
        ("swapping", {"share": 0.3}, "Swapped 30 %", "rows"),
    ],
)
def test_each_method_makes_a_release_of_the_columns_asked_for(table, method, values, name, kind):
    release = make_release(table, method, unknown="job", known=KNOWN, values=values)
    assert (release.name, release.kind) == (name, kind)
    told = {column for each in release.tables for column in each.columns}
    assert {*KNOWN, "job"} <= told
    assert "private" not in told


@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_makes_the_same_release(table, method):
    def made(seed):
        release = make_release(table, method, unknown="job", known=KNOWN, values={}, seed=seed)
        return [each.fingerprint for each in release.tables]

    assert made(1) == made(1) != made(2)


def test_swapping_keeps_every_column_s_values(table, town):
    release = make_release(table, "swapping", unknown="job", known=KNOWN, values={"share": 1.0})
    frame = release.tables[0].frame
    for column in ("district", "job"):
        assert frame[column].value_counts().to_dict() == town[column].value_counts().to_dict()


def test_what_cannot_be_made_is_refused(table, town):
    with pytest.raises(ParameterError, match="no method 'noise'. Choose one of anatomy"):
        make_release(table, "noise", unknown="job", known=KNOWN, values={})
    with pytest.raises(ParameterError, match="epsilon must be between 0 and 1000"):
        make_release(table, "counts", unknown="job", known=KNOWN, values={"epsilon": 0.0})
    with pytest.raises(InputError, match="5-diverse"):
        make_release(table, "anatomy", unknown="job", known=KNOWN, values={"level": 5})


def test_every_parameter_says_what_it_may_be():
    for method in METHODS.values():
        for parameter in method.parameters:
            parameter.check(parameter.default)
            assert parameter.help.endswith(".")
