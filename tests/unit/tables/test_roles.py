import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.errors import ColumnError, InputError
from alc_core.tables.read import table_from_frame
from alc_core.tables.role_names import topic_of, weight_reason
from alc_core.tables.roles import (
    ColumnRole,
    Roles,
    known_and_protected,
    known_by_others,
    may_have,
    protecting,
    suggest_roles,
)


@pytest.fixture(scope="module")
def table():
    n = 200
    frame = pd.DataFrame(
        {
            "id": np.arange(n),
            "age": np.arange(n) % 60,
            "income": np.arange(n) % 7,
            "PWGTP": np.arange(n) % 90 + 1,
            "home": np.arange(n) // 2,
        }
    )
    return table_from_frame(frame, name="people")


def roles(table, **options):
    return Roles.of(table, table.columns, **options)


def test_suggestions_stand_where_the_user_says_nothing(table):
    found = roles(table, chosen={"age": "may be known", "income": "to be protected"})
    assert found.columns_by_role == {
        ColumnRole.KNOWN: ("age",),
        ColumnRole.PROTECTED: ("income",),
        ColumnRole.BOTH: ("home",),
        ColumnRole.WEIGHT: ("PWGTP",),
        ColumnRole.IDENTIFIER: ("id",),
    }
    assert found.by_user == {"age": ColumnRole.KNOWN}, "income is protected anyway"
    assert found.of_columns["age"].reason == "as you set it"
    assert found.role("no such column") is ColumnRole.BOTH


def test_columns_that_say_whose_record_it_is_are_identifiers(table):
    found = roles(table, naming=["home", None])
    assert found.role("home") is ColumnRole.IDENTIFIER
    with pytest.raises(ColumnError, match="'home' of 'people' cannot be 'both': it is the person"):
        roles(table, naming=["home"], chosen={"home": "both"})


def test_what_cannot_be_is_refused_by_name(table):
    with pytest.raises(ColumnError, match="'ages' is not in 'people'.*Did you mean 'age'"):
        roles(table, chosen={"ages": "both"})
    with pytest.raises(InputError, match="role of column 'age' cannot be 'secret'. Choose one"):
        roles(table, chosen={"age": "secret"})
    message = "'id' of 'people' cannot be 'both'.*kind 'identifier'.*Change the kind"
    with pytest.raises(ColumnError, match=message):
        roles(table, chosen={"id": ColumnRole.BOTH})
    assert not may_have(table, "id", ColumnRole.KNOWN)
    assert may_have(table, "id", ColumnRole.LEFT_OUT)
    assert may_have(table.with_kinds({"id": "continuous"}), "id", ColumnRole.KNOWN)


def test_to_protect_some_columns_lets_the_others_be_known(table):
    chosen = protecting(roles(table), ["age"])
    found = roles(table, chosen=chosen)
    assert found.having(ColumnRole.PROTECTED) == ("age",)
    assert found.having(ColumnRole.KNOWN) == ("income", "home")
    assert found.role("PWGTP") is ColumnRole.WEIGHT


def test_what_others_know_is_changed_by_the_roles_of_few_columns():
    table = table_from_frame(pd.DataFrame({"age": [30, 40], "income": [1, 2], "city": ["a", "b"]}))
    roles = Roles.of(table, table.columns, chosen={"city": "may be known"})
    changed = known_by_others(roles, ["income", "city"])
    assert changed == {"age": ColumnRole.PROTECTED, "income": ColumnRole.BOTH}
    again = Roles.of(table, table.columns, chosen={"city": "may be known", **changed})
    assert known_and_protected(again, table.columns) == (("income", "city"), ("age",))


def suggestions(frame, *released):
    table = table_from_frame(frame)
    return {s.column: s for s in suggest_roles(table, released or table.columns)}


@pytest.mark.parametrize(
    ("name", "rather"),
    [
        ("age", "known"), ("Geschlecht", "known"), ("ZIP code", "known"), ("région", "known"),
        ("estado_civil", "known"), ("maritalStatus", "known"), ("Größe", "known"),
        ("education_num", "known"), ("Familienstand", "known"), ("ethnicity", "known"),
        ("diagnosis", "unknown"), ("Einkommen", "unknown"), ("salaire_net", "unknown"),
        ("religion", "unknown"), ("voted_2020", "unknown"), ("drug_use", "unknown"),
        ("HIV", "unknown"), ("affairs", "unknown"), ("arrests", "unknown"), ("debt", "unknown"),
        ("santé", "unknown"), ("household_income", "unknown"), ("weight", "unknown"),
        ("Avg_Utilization_Ratio", "unknown"), ("revolving balance", "unknown"),
        ("Kontostand", "unknown"), ("late payments", "unknown"), ("solde_moyen", "unknown"),
        ("systolic", "unknown"), ("glucose", "unknown"), ("Total_Trans_Amt", "unknown"),
        ("years with the bank", "unknown"), ("months_inactive", "unknown"),
        ("diag", "unknown"), ("DIAG01", "unknown"), ("main_diag", "unknown"), ("dx1", "unknown"),
        ("Hauptdiagnose", "unknown"), ("icd10", "unknown"), ("hiv_status", "unknown"),
        ("hivpos", "unknown"), ("comorbidity", "unknown"), ("tumour", "unknown"),
        ("household size", "known"), ("home ownership", "known"), ("education level", "known"),
    ],
)  # fmt: skip
def test_names(name, rather):
    found = suggestions(pd.DataFrame({name: ["a", "b"]}))[name]
    assert found.rather == rather
    assert found.role is (ColumnRole.BOTH if rather == "known" else ColumnRole.PROTECTED)
    assert "the name suggests" in found.reason
    assert found.by_name


def test_an_occupation_is_sensitive_and_known_all_the_same():
    found = suggestions(pd.DataFrame({"Beruf": ["a", "b"]}))["Beruf"]
    assert (found.role, found.rather) == (ColumnRole.BOTH, "unknown")


def test_identifiers_ignored_and_absent_columns():
    frame = pd.DataFrame(
        {
            "person_id": np.arange(100),
            "empty": [None] * 100,
            "same": [1] * 100,
            "flag": ["yes", None] * 50,
            "absent": ["a", "b"] * 50,
            "age": np.arange(100) % 30,
        }
    )
    found = {
        column: (suggestion.role, suggestion.reason)
        for column, suggestion in suggestions(
            frame, "person_id", "empty", "same", "age", "flag"
        ).items()
    }
    assert found["person_id"][0] is ColumnRole.IDENTIFIER
    assert found["empty"] == (ColumnRole.LEFT_OUT, "not usable: all values are missing")
    assert found["same"] == (ColumnRole.LEFT_OUT, "says nothing: constant: a single number")
    assert found["flag"][0] is ColumnRole.BOTH, "whether there is a value may be the secret"
    assert found["absent"] == (ColumnRole.LEFT_OUT, "in no release")
    assert found["age"][0] is ColumnRole.BOTH


@pytest.mark.parametrize(
    "name",
    ["SERIALNO", "hhid", "Haushalts-Nr", "household_number", "idhog", "caseid", "persnr", "idno"],
)
def test_numbers_of_households_and_records(name):
    households = [f"2018HU{number // 3:05d}" for number in range(600)]
    frame = pd.DataFrame({name: households, "sex": ["m", "f"] * 300})
    assert suggestions(frame)[name].role is ColumnRole.IDENTIFIER
    few = pd.DataFrame({name: np.arange(600) % 12})
    assert suggestions(few)[name].role is ColumnRole.BOTH, "twelve values are no numbers of records"


def test_columns_whose_name_says_nothing():
    frame = pd.DataFrame(
        {
            "q1": ["a", "b"] * 150,
            "q2": [f"v{k % 150}" for k in range(300)],
            "q3": np.arange(300) % 60 + 0.5,
            "q4": pd.date_range("2020-01-01", periods=300),
            "q5": np.random.default_rng(0).normal(3000, 500, 300),
        }
    )
    found = suggestions(frame)
    assert {c: found[c].rather for c in ("q1", "q2", "q3", "q4")} == {
        "q1": "unknown", "q2": "known", "q3": "unknown", "q4": "known",
    }  # fmt: skip
    assert {found[c].role for c in ("q1", "q2", "q4")} == {ColumnRole.BOTH}
    assert found["q3"].role is ColumnRole.PROTECTED, "a quantity is nothing that others know"
    assert "150 distinct values" in found["q2"].reason
    assert found["q4"].reason == "dates, often known to others"
    assert found["q5"].role is ColumnRole.PROTECTED
    assert found["q5"].reason == "100% of the numbers are unique: too exact to know"


def test_a_reason_argues_for_its_role():
    frame = pd.DataFrame({name: drawn(name) for name in ("ages", "hours", "few", "zip", "years")})
    frame = frame.set_axis([f"v{n}" for n in range(frame.shape[1])], axis=1)
    frame["v6"], frame["v7"] = np.arange(2000) % 7 / 10, drawn("yes or no")
    frame["region"], frame["balance"], frame["health"], frame["job"] = "a", "b", "c", "d"
    frame.loc[0, ["region", "balance", "health", "job"]] = "e"
    for found in suggestions(frame).values():
        open_to_others = ("often known to others", "others may know it", "may be known")
        known = any(words in found.reason for words in open_to_others)
        secret = "rarely know" in found.reason or (found.reason.endswith("sensitive") and not known)
        assert (known, secret) == (found.role is ColumnRole.BOTH, not known), found


def test_the_users_choice_of_kind_counts():
    table = table_from_frame(pd.DataFrame({"q": ["a", "b"]})).with_kinds({"q": "ignore"})
    (suggestion,) = suggest_roles(table, table.columns)
    assert (suggestion.role, suggestion.reason) == (
        ColumnRole.LEFT_OUT,
        "not usable: as you set it",
    )


def drawn(kind):
    """Return 2 000 values that look like those of a real column."""
    random = np.random.default_rng(7)
    return {
        "ages": lambda: np.clip(random.normal(45, 18, 2000).astype(int), 17, 90),
        "hours": lambda: np.where(random.random(2000) < 0.5, 40, random.integers(1, 99, 2000)),
        "income": lambda: random.lognormal(10.4, 0.9, 2000).round(-2).astype(int),
        "income or N": lambda: np.where(
            random.random(2000) < 0.2, "N", random.lognormal(10, 1, 2000).astype(int).astype(str)
        ),
        "few": lambda: random.integers(1, 8, 2000),
        "zip": lambda: random.integers(10001, 10300, 2000),
        "years": lambda: random.integers(1935, 2006, 2000),
        "towns": lambda: [f"Town {n}" for n in random.integers(0, 300, 2000)],
        "sexes": lambda: random.choice(["Male", "Female"], 2000),
        "statuses": lambda: random.choice(["Never-married", "Divorced", "Widowed"], 2000),
        "degrees": lambda: random.choice(["Bachelors", "HS-grad", "Masters", "9th"], 2000),
        "yes or no": lambda: random.choice(["yes", "no"], 2000),
    }[kind]()


@pytest.mark.parametrize(
    ("values", "known", "unknown"),
    [
        # Where the name tells: American surveys, Adult, sdcMicro, EU-SILC, health surveys
        ("ages", "AGEP A_AGE RIDAGEYR age leeftijd idade ålder wiek età", "inctot"),
        ("few", "SEX MAR SCHL COW RAC1P RELP RELSHIPP HISP CIT ESR", "DREM DDRS DIS HICOV"),
        ("few", "a_maritl RIAGENDR DMDMARTL pb220a urbrur hhcivil relat", "OCCP INDP HINS4 PAP"),
        ("few", "workclass education-num marital-status native_country kön", "religião zdrowie"),
        ("few", "geslacht stato_civile opleiding woonplaats regione", "beroep inkomen reddito"),
        ("income", "PUMA ST POBP", "PINCP WAGP HINCP PERNP INCWAGE expend savings capital-gain"),
        ("hours", "WKHP UHRSWORK hours.per.week JWMNP", "POVPIP"),
        # Where it does not, the values
        ("ages", "v1", ""), ("years", "v2", ""), ("zip", "v3", ""), ("towns", "v4", ""),
        ("sexes", "v5", ""), ("statuses", "v6", ""), ("degrees", "v7", ""),
        ("income", "", "v8"), ("income or N", "", "v9"), ("hours", "", "v10"), ("few", "", "v11"),
        ("yes or no", "", "v12"),
    ],
)  # fmt: skip
def test_columns_are_suggested_as_who_knows_data_would(values, known, unknown):
    known, unknown = known.split(), unknown.split()
    found = suggestions(pd.DataFrame(dict.fromkeys([*known, *unknown], drawn(values))))
    assert {c: found[c].rather for c in found} == {
        **dict.fromkeys(known, "known"), **dict.fromkeys(unknown, "unknown"),
    }  # fmt: skip


def test_amounts_are_secrets_and_ages_are_not():
    found = suggestions(pd.DataFrame({"a": drawn("ages"), "b": drawn("income")}))
    assert (found["a"].role, found["b"].role) == (ColumnRole.BOTH, ColumnRole.PROTECTED)


RANDHIE_SECRETS = {"mdvis", "lncoins", "lpi", "fmde", "physlm", "disea", "self_rated_health"}


@pytest.mark.parametrize("name", ["fair", "randhie"])
def test_every_column_of_the_demos_is_attacked(name):
    original = alc.load_demo(name).original
    found = {s.column: s.role for s in suggest_roles(original, original.columns)}
    assert all(role.is_protected for role in found.values())
    protected = {column for column, role in found.items() if not role.may_be_known}
    assert protected == {"fair": {"religious", "affairs"}, "randhie": RANDHIE_SECRETS}[name]


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
