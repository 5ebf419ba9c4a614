"""Values that may mean "no value": asked on the command line, and answered."""

import shlex

import numpy as np
import pytest

from tests.unit.cli.conftest import ended


@pytest.fixture(scope="module")
def files(tmp_path_factory, people):
    folder = tmp_path_factory.mktemp("doubt")
    frame = people(800)
    rng = np.random.default_rng(0)
    frame["grade"] = rng.choice([*map(str, range(1, 13)), "K"], 800)
    frame["dept"] = rng.choice(["01", "02", "03", "2A", "2B"], 800)
    frame["loan"] = rng.choice(["granted", "refused, late", "refused", "no answer"], 800)
    frame.to_csv(folder / "original.csv", index=False)
    frame.sample(frac=1, random_state=1).to_csv(folder / "release.csv", index=False)
    return folder


@pytest.fixture
def check(capsys, files):
    def _check(unknown, *arguments, command=("check",)):
        tables = ("--original", files / "original.csv", "--release", files / "release.csv")
        code = ended(*command, *tables, "--known", "age,city", "--unknown", unknown, *arguments)
        captured = capsys.readouterr()
        return code, captured.out + captured.err

    return _check


@pytest.mark.parametrize(("unknown", "option"), [("grade", "grade=K"), ("loan", "")])
def test_a_doubtful_value_is_asked_with_both_answers(check, unknown, option):
    code, text = check(unknown)
    assert code == 1
    assert f"--accept no-value:{unknown}" in text
    use = shlex.split(text.split("Use: ")[1].splitlines()[0])
    assert not option or use == ["--missing", option]
    answers = use, ("--accept", "no-value"), ("--missing", f"{unknown}="), ("--include-missing",)
    for answer in answers:
        assert "to fix or answer" not in check(unknown, *answer)[1]


@pytest.mark.parametrize(
    ("answer", "code"), [((), 2), (("--missing", "grade=K"), 0), (("--missing", "grade="), 0)]
)
def test_an_attack_waits_for_the_answer(check, answer, code):
    run = ("--targets", 60, "--quiet")
    assert check("grade", *run, *answer, command=("assess",))[0] == code
