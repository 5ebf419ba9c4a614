from dataclasses import replace

import pytest

from alc_core.errors import ColumnError, ParameterError
from alc_core.studies.learning.result import (
    EPSILONS,
    PARAMETERS,
    StudySettings,
    read_epsilons,
    written_epsilons,
)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"epsilons": (0.0,)}, "epsilon must be between 0 and 1000"),
        ({"levels": (1, 2)}, "level must be between 2 and 50, not 1"),
        ({"merged": (0,)}, "merged must be between 1 and 5, not 0"),
        ({"merged": ()}, "merged must name at least one"),
        ({"repetitions": 0}, "repetitions must be between 1 and 100, not 0"),
        ({"belief": 1.0}, "belief must be between 0 and 1"),
        ({"holdout_share": 0.9}, "holdout_share must be between 0 and 0.5, not 0.9"),
        ({"rounds": 5}, "rounds must be"),
        ({"ranges": 1}, "ranges must be"),
        ({"epsilons": (), "levels": ()}, "nothing to study"),
    ],
)
def test_what_is_out_of_bounds_is_refused(quick, change, words):
    with pytest.raises(ParameterError, match=words):
        replace(quick, **change)


def test_known_and_unknown_columns_must_fit():
    with pytest.raises(ColumnError, match="both known and unknown"):
        StudySettings(unknown="job", known=("job",))
    with pytest.raises(ColumnError, match="No known column"):
        StudySettings(unknown="job", known=())


def test_values_are_put_in_order_once_each(quick):
    found = replace(quick, epsilons=(1.0, 0.1, 1.0), levels=(4, 2), merged=(2, 1, 1))
    assert (found.epsilons, found.levels, found.merged) == ((0.1, 1.0), (2, 4), (1, 2))


def test_epsilons_are_read_as_they_are_written():
    assert read_epsilons(written_epsilons(EPSILONS)) == EPSILONS
    assert read_epsilons(" 1; 0.5,0.1 ") == (0.1, 0.5, 1.0)
    assert read_epsilons("") == ()
    with pytest.raises(ParameterError, match="epsilon must be a number, not 'x'"):
        read_epsilons("0.1, x")


def test_the_usual_settings_are_those_of_the_parameters(quick):
    usual = StudySettings(unknown="job", known=("age",))
    for name in ("repetitions", "belief", "holdout_share", "rounds", "chains", "ranges", "bins"):
        assert getattr(usual, name) == PARAMETERS[name].default
