import numpy as np
import pandas as pd
import pytest

from alc_core.tables.role_names import topic_of, weight_reason

LIKE_BODIES = pd.Series(np.linspace(45, 120, 200))
LIKE_COUNTS = pd.Series(np.linspace(15, 90_000, 200))
AROUND_ONE = pd.Series(np.linspace(0.2, 1.8, 200))

SURE = [
    "PWGTP", "PWGTP80", "WGTP", "wgtp1", "fnlwgt", "final_weight_wgt", "A_FNLWGT", "HSUP_WGT",
    "PERWT", "HHWT", "ASECWT", "WTFINL", "WTSUPP", "EARNWT", "WTMEC2YR", "WTINT2YR", "_FINALWT",
    "_LLCPWT", "W_FSTUWT", "W_FSTURWT1", "SPFWT0", "pweight", "dweight", "pspwght", "anweight",
    "hv005", "V005", "RB050", "PB040", "DB090", "survey_weight", "sampleWeight", "sampling weight",
    "household_weight", "replicate_weight_3", "expansion_factor", "weight_post_stratified",
    "phrf", "hhrf", "Hochrechnungsfaktor", "Haushaltsgewicht_hochrechnung", "Gewichtungsfaktor",
    "wghtpew", "Design-Gewicht", "pondération", "coef_ponderation", "IPONDI", "EXTRI",
    "poids_sondage", "FACTOREL", "factor_elevacion", "factor de expansión", "FAC_TRI", "facexp",
    "pond", "Personengewicht",
]  # fmt: skip
MAYBE = ["weight", "WEIGHTS", "wt", "Gewicht", "poids", "peso", "final_weight", "person_weight"]
NEVER = [
    "birth_weight", "bwt", "bodyWeight", "Geburtsgewicht", "weight_kg", "poids_naissance", "bwght",
    "weight_class_of_car", "overweight", "hours", "age", "income", "weighted_score_of_test",
    "factor", "coefficient", "postcode", "population", "student", "wealth", "fact", "extra",
    "analysis_factor", "risk_factor", "design", "normal", "height", "responder", "probation",
]  # fmt: skip


@pytest.mark.parametrize("name", SURE)
def test_names_of_survey_weights_in_several_languages(name):
    for values in (LIKE_BODIES, LIKE_COUNTS, AROUND_ONE):
        assert weight_reason(name, values, ["age", "height"])


@pytest.mark.parametrize("name", MAYBE)
def test_a_plain_weight_is_one_of_a_survey_unless_it_may_be_that_of_a_body(name):
    assert weight_reason(name, LIKE_BODIES, ["age"]) is None
    assert weight_reason(name, LIKE_COUNTS, ["age"])
    assert weight_reason(name, AROUND_ONE, ["age"])
    # 3 200 grams at birth: what else is in the table tells.
    assert weight_reason(name, LIKE_COUNTS, ["age", "gestation_weeks"]) is None
    assert weight_reason(name, LIKE_COUNTS, ["Größe"]) is None


@pytest.mark.parametrize("name", NEVER)
def test_other_names_are_never_taken_for_weights(name):
    assert weight_reason(name, LIKE_COUNTS, [name]) is None


def test_only_numbers_are_weights():
    assert weight_reason("PWGTP", pd.Series(["a", "b", "3"]), []) is None
    assert weight_reason("PWGTP", pd.Series([None, None], dtype=float), []) is None
    assert weight_reason("PWGTP", pd.Series([-1.0, 0.0]), []) is None
    assert weight_reason("PWGTP", pd.Series(["12", "310", None]), [])
    assert weight_reason("PWGTP1", pd.Series([-5, 12, 300]), []), "replicates may be negative"


@pytest.mark.parametrize(
    "name",
    ["POBP", "Place of birth", "birthplace", "COUNTRY_OF_BIRTH", "BirthCountry", "Geburtsort",
     "lieu de naissance", "luogo di nascita", "geboorteland"],
)  # fmt: skip
def test_where_somebody_was_born_is_their_origin(name):
    assert topic_of(name) == "race or origin"


@pytest.mark.parametrize("name", ["Date of birth", "birth_year", "Geburtsjahr", "naissance"])
def test_when_somebody_was_born_is_their_age(name):
    assert topic_of(name) == "age or birth"
