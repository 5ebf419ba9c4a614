import pytest

import alc_core as alc
from alc_core.baselines.families import NaiveBayes
from alc_core.campaign.file.annotations import kept_settings
from alc_core.errors import ColumnError, InputError, ParameterError

JOBS = {"job": (("age", "city"), ("hours",)), "city": (("job",),)}


@pytest.fixture
def original(people):
    return alc.table_from_frame(people(300), name="people")


@pytest.fixture
def read(tmp_path, original):
    def reader(text, name="jobs.csv"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return alc.read_job_list(tmp_path / name, original)

    return reader


def planned(original, **settings):
    found = alc.plan_campaign(original, alc.swap_columns(original.frame, 0.2, seed=1), **settings)
    return [(attack.scenario.unknown, attack.scenario.known) for attack in found.attacks]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("jobs.csv", "job,age,city\njob,hours\n\ncity,job\n"),
        ("jobs.csv", "\ufeffunknown;known;\njob;age;city\njob;hours;\njob;age;city\ncity;job;\n"),
        ("jobs.csv", "\n\nUnknown,Known\njob,age,city\njob,hours\ncity,job\n"),
        ("jobs.txt", 'job\t"age"\tcity\njob\thours\ncity\tjob'),
        ("jobs.TOML", 'job = [["age", "city"], ["hours"]]\ncity = [["job"]]\n'),
    ],
)
def test_both_kinds_of_files(read, name, text):
    assert read(text, name) == JOBS


@pytest.mark.parametrize(
    ("name", "text", "error", "message"),
    [
        ("j.csv", "job,age\n\njob,ctiy\n", ColumnError, "'j.csv', line 3: .*'ctiy'.*mean 'city'"),
        ("j.csv", "jbo,age\n", ColumnError, "'j.csv', line 1: Column 'jbo' is not in 'people'"),
        ("j.csv", "job,age\njob\n", InputError, "'j.csv', line 2 names no known column"),
        ("j.csv", "job,age,job\n", InputError, "'j.csv', line 1 names a column twice"),
        ("j.csv", 'job,age\njob,"ag"e\n', InputError, "'j.csv', line 2: "),
        ("j.csv", "unknown,known\n", InputError, "names no attack"),
        ("j.toml", 'job = [["age"],\n ["ctiy"]]', ColumnError, "'j.toml', line 2: .*'ctiy'"),
        ("j.toml", 'job = ["age"]', InputError, "'j.toml', line 1: 'job' is not a list"),
        ("j.toml", "job [", InputError, "'j.toml' is not a TOML file: .*line 1"),
    ],
)
def test_what_is_wrong_is_told_with_file_and_line(read, name, text, error, message):
    with pytest.raises(error, match=message):
        read(text, name)


def test_files_that_cannot_be_read(tmp_path, original):
    with pytest.raises(InputError, match="cannot be read"):
        alc.read_job_list(tmp_path / "none.csv", original)
    with pytest.raises(InputError, match="UTF-8"):
        alc.read_job_list("latin.csv", original, content="jöb,age".encode("latin-1"))


def test_the_plan_holds_the_list_and_nothing_else(original):
    assert planned(original, job_list=JOBS) == [
        ("job", ("age", "city")), ("job", ("hours",)), ("city", ("job",)),
    ]  # fmt: skip


def test_columns_beside_the_list_are_attacked_as_usual(original):
    found = planned(original, job_list={"job": [["hours"]]}, unknown=["job", "city"], known_sets=0)
    assert found == [("job", ("hours",)), ("city", ("age", "hours", "job"))]
    with pytest.raises(InputError, match="has 'job', which is not attacked"):
        planned(original, job_list={"job": [["hours"]]}, unknown=["city"])
    with pytest.raises(ParameterError, match="No known columns. Set known_sets"):
        planned(
            original, job_list={"job": [["hours"]]}, unknown=["job", "city"], known_sets=0,
            all_others=False,
        )  # fmt: skip


@pytest.mark.parametrize(
    ("jobs", "message"),
    [
        (
            {"job": [["agee"]]},
            "Set 1 for 'job' in the list of attacks: .*'agee'",
        ),
        ({"job": [["age", "age"]]}, "in the list of attacks has 'age' twice"),
        ({"job": ["age"]}, "Set 1 for 'job' in the list of attacks is the text 'age'"),
        ({"jbo": [["age"]]}, "'jbo' is not in 'people'"),
    ],
)
def test_names_are_checked_without_a_file_too(original, jobs, message):
    with pytest.raises(ColumnError, match=message):
        planned(original, job_list=jobs)


def test_a_campaign_runs_the_list_and_its_file_keeps_it(original, tmp_path):
    release = alc.swap_columns(original.frame, 0.2, seed=1)
    plan = alc.plan_campaign(original, release, job_list=JOBS, targets=alc.Targets(count=100))
    path = tmp_path / "c.alc"
    with alc.run_campaign(
        original, release, path, plan=plan, families=(NaiveBayes(),), jobs=1
    ) as store:
        assert store.counts().finished == 3
    with alc.CampaignStore.open(path) as store:
        assert kept_settings(store).job_list == JOBS
