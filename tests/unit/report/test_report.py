"""The headline of a campaign that pages and reports share."""

import re
import shlex
from dataclasses import replace
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest

import alc_core as alc
from alc_core.campaign.file.annotations import accepted_codes, keep_accepted, keep_facts, keep_plan
from alc_core.campaign.findings.decisions import Choice, decide
from alc_core.campaign.plan.planner import CampaignPlan
from alc_core.candidates.decision import ReleaseChoice, decide_release
from alc_core.candidates.lines import candidate_lines
from alc_core.errors import CancelledError, InputError
from alc_core.explain.context import AttackContext, FamiliarNumbers, keep_context
from alc_core.explain.drivers import AttackPair, attack_losses, contribution_sentence, contributions
from alc_core.figures.looks import LOOKS
from alc_core.releases.samples.demo import demo_file, load_demo, write_demos
from alc_core.report.html import releases
from alc_core.report.html.attacks import FEWEST_POINTS, points_per_curve
from alc_core.report.html.document import release_page, report_html
from alc_core.report.html.releases import attack_matrix, scope_sentence
from alc_core.report.html.scenario import (
    THINNED_OUT,
    campaign_command,
    report_command,
    scenario_facts,
)
from alc_core.report.options import ReportDetails, ReportOptions, keep_details, kept_details
from alc_core.report.sections import Depth, Section
from alc_core.review.attack_words import plain_sentence
from alc_core.review.campaign import verdict_blocks
from alc_core.review.campaign_words import (
    headline,
    overview_title,
    release_sentences,
    stopped_sentences,
    title_standing,
)
from alc_core.review.release_words import line_sentence
from alc_core.runtime.progress import Reporter
from alc_core.scoring.parameters import ScoringParameters
from alc_core.studies.utility.result import KEPT_UTILITIES
from alc_core.tables.apart.read import read_table
from alc_core.tables.checks.facts import Fact, FactKind, FileFacts
from alc_core.tables.roles import ColumnRole, RoleInForce, Roles
from tests.toys.campaigns import run_quickly
from tests.toys.utility import made_target, utility_of

NASTY = "</script><script>alert(1)</script><b>&amp; *x* `$y$` \u202e\U0001f600 =1+1 {{7*7}} <!--"


class Reader(HTMLParser):
    """Text, elements and attributes of a document."""

    def __init__(self, document):
        super().__init__()
        self.words, self.tags, self.values, self._script = [], [], [], False
        self.feed(document)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.values += [value for _, value in attrs if value]
        self._script = tag in ("script", "style")

    def handle_endtag(self, tag):
        self._script = False

    def handle_data(self, data):
        if not self._script:
            self.words.append(data)

    @property
    def text(self):
        return re.sub(r"\s+", " ", " ".join(self.words))


@pytest.fixture
def view(made_up):
    return made_up([0.95, 0.75, 0.3], releases=("weak.csv", "strong.csv"), notes=["A note."])


def test_full_report_says_what_was_found_in_the_words_of_the_other_outputs(view, options):
    document = Reader(report_html(view, options(view))).text
    overview = view.overview(view.settings.scoring)
    assert overview_title(overview) in document
    assert headline(overview) in document
    worst = view.assessment(overview.worst)
    assert plain_sentence(worst) in document
    for table in (view.settings.original, *view.settings.releases["weak.csv"]):
        assert table.fingerprint in document
    assert "A note. (all attacks)" in document
    assert "Seed 3" in document
    for source in (
        "P. Francis and D. Wagner (2025)",
        "E. B. Wilson (1927)",
        "arXiv 2602.09235",
        "alpha = 3 and R_min = 0.0001",
        "Others may do more.",
    ):
        assert source in document
    assert alc.__version__ in document


def test_measured_declared_and_decided_are_told_apart(view, options):
    document = report_html(view, options(view))
    kinds = re.findall(
        r'<h2 id="([\w-]+)"><span>[^<]*</span>(?:<span class="kind">(\w+)</span>)?', document
    )
    empty = {Section.MEASURES, Section.LEARNING, Section.RISK_NUMBERS, Section.RAPID,
             Section.THREAT, Section.HOLDOUT, Section.STUDIES}  # fmt: skip
    empty |= {Section.DECISION, Section.DECISIONS}
    assert [section for section, _ in kinds] == [s for s in Section if s not in empty]
    told = dict(kinds)
    assert {told[s] for s in ("verdict", "data", "flagged", "attacks", "notes")} == {"measured"}
    assert {told[s] for s in ("declared", "scenario")} == {"declared"}
    assert 'Decision <span class="kind">decided</span>' in document


@pytest.mark.parametrize(
    ("unknown", "others"),
    [
        ("col5", "col0, col1, col2, col3, col4, col6, col7, col8, col9, col10 and col11"),
        ("col5 >= 50", "col0, col1, col2, col3, col4, col6, col7, col8, col9, col10 and col11"),
        ("col10 & col11", "col0, col1, col2, col3, col4, col5, col6, col7, col8 and col9"),
    ],
)
def test_what_is_worked_out_is_attacked_and_so_are_the_columns_it_takes(made_up, unknown, others):
    assert scope_sentence(made_up([0.3], unknown=unknown)) == (
        f"Tested: {unknown}. Not tested: {others}."
    )


@pytest.mark.parametrize(
    ("attacked", "absent", "said"),
    [
        ("abcde", (), "All columns were tested except f."),
        ("abcd", ("f",), "All shared columns were tested except e."),
        ("abcd", (), "All columns were tested except e and f."),
        ("abc", (), "Tested: a, b and c. Not tested: d, e and f."),
        ("abcdef", (), "All 6 columns were tested."),
    ],
)
def test_of_columns_attacked_and_not_the_fewer_are_named(attacked, absent, said):
    attacks = [
        SimpleNamespace(scenario=SimpleNamespace(unknown=name, wanted=name)) for name in attacked
    ]
    settings = SimpleNamespace(
        kinds=dict.fromkeys("abcdef", "categorical"), original=SimpleNamespace(columns=6)
    )
    assert releases._scope(attacks, settings, absent) == said


def test_the_first_page_is_signed_below_what_is_decided_and_set_so_that_it_fits(view, options):
    document = report_html(view, options(view, depth=Depth.SHORT))
    front = document[document.index('class="front"') :]
    assert front.index("<h1>") < front.index('class="signature"') < front.index("<table")
    parts = releases.release_parts(view, view.settings.scoring)
    sizes = [
        releases.front_size([{**part, "why": "So it is. " * words} for part in 5 * parts[:1]])
        for words in (0, 20, 30, 40)
    ]
    points = [points for points, fits in sizes if fits]
    assert points == sorted(points, reverse=True)
    assert len(set(points)) >= 3
    assert 'class="front"' in front


@pytest.mark.parametrize(
    "more",
    [
        {"texts": ["What is said of the campaign as a whole. " * 15] * 3},
        {"texts": ["A note."] * 30},
        {"opening": "Publish this one and that one; " * 30},
    ],
)
def test_all_that_stands_on_the_first_page_counts_and_what_is_more_flows_on(
    view, options, monkeypatch, more
):
    parts = 5 * releases.release_parts(view, view.settings.scoring)[:1]
    bare, (points, _) = releases.front_size(parts), releases.front_size(parts, **more)
    assert bare[1]
    assert points < bare[0]
    assert releases.front_size(parts, texts=["So it is. " * 900])[1] is False
    monkeypatch.setattr("alc_core.report.html.document.release_parts", lambda *_: 9 * parts)
    document = report_html(view, options(view, depth=Depth.SHORT))
    assert 'class="front long"' in document
    assert ".front.long, " in document


def test_the_legend_tells_verdicts_and_what_undoes_a_release(view):
    (part, *_) = releases.release_parts(view, view.settings.scoring)
    undone = {**part, "line": replace(part["line"], linked=True, standing="at risk")}
    undone["standing"] = undone["line"].shown_standing
    found = releases.front_legend([part, part, undone])
    assert [word for word, *_ in found] == [LOOKS[part["standing"]].word, "Rows lead to people"]
    assert "by the tables" in found[-1][-1]
    many = replace(part["line"], linked=False, copied=None, standing="below limit")
    ((word, _, meaning),) = releases.front_legend([{**part, "line": many, "standing": "at risk"}])
    assert (many.exposes_many, word) == (True, "Exposes people")
    assert "no attack clearly above" in meaning


def test_where_all_columns_are_attacked_it_says_what_else_is(made_up):
    view = made_up([0.3])
    every = [*map(str, view.settings.kinds), "col5 >= 50"]
    (first, *_) = view.judged
    attacks = [replace(first, scenario=alc.Scenario(["known"], name)) for name in every]
    seen = SimpleNamespace(
        settings=view.settings, tested=attacks, store=view.store, release=None,
        attacked_releases=view.attacked_releases, absent=lambda _: (),
    )  # fmt: skip
    said = scope_sentence(seen)
    assert said == f"All {len(every) - 1} columns were tested, and col5 >= 50."
    seen.tested = [*attacks, replace(attacks[0], release="hardly tried")]
    seen.attacked_releases = (*view.attacked_releases, "hardly tried")
    told = scope_sentence(seen)
    assert told.startswith(f"{first.release}: {said} hardly tried: Tested: {every[0]}.")


@pytest.mark.parametrize("depth", list(Depth))
def test_the_same_campaign_and_options_give_the_same_bytes(view, options, depth):
    chosen = options(view, depth=depth)
    again = type(view)(view.store)
    assert report_html(view, chosen) == report_html(again, chosen)


def test_only_chosen_sections_are_there_and_no_chart_means_no_plotly(view, options):
    chosen = options(view, sections=(Section.LIMITS, Section.VERDICT))
    document = report_html(view, chosen)
    assert re.findall(r'<h2 id="([\w-]+)"', document) == ["verdict", "limits"]
    assert len(document) < 60_000
    assert "<script" not in document


def test_the_short_report_tells_of_each_release_and_needs_no_script(view, options):
    document = report_html(view, options(view, depth=Depth.SHORT))
    assert "<script" not in document
    assert len(document) < 40_000
    text = Reader(document).text
    for line in candidate_lines(view, view.settings.scoring, {}):
        assert " ".join(line_sentence(line).split()) in text
    assert "ALC by release" in text


def test_of_many_attacks_the_short_report_shows_the_worst_on_each_column(made_up, monkeypatch):
    view = made_up([0.3, 0.95], releases=("weak.csv", "strong.csv"))
    standing = view.overview(view.settings.scoring).results.set_index("number")["standing"]
    apart = attack_matrix(view, view.settings.scoring, {0: "a", 1: "a", 2: "b", 3: "b"})
    assert {known for _, known, _ in apart["rows"]} == {"knowing a", "knowing b"}
    both = made_up(
        [0.3, 0.95], releases=("weak.csv", "strong.csv"), by=("best row match", "model"),
        name="both.alc",
    )  # fmt: skip
    apart = attack_matrix(both, both.settings.scoring, {0: "a", 2: "a"})
    assert {known for _, known, _ in apart["rows"]} == {
        "knowing a, by best row match", "knowing a, by model"
    }  # fmt: skip
    monkeypatch.setattr(releases, "_APART", 1)
    found = attack_matrix(view, view.settings.scoring, {})
    assert {known for _, known, _ in found["rows"]} == {"worst of 1"}
    cells = {
        unknown: dict(zip(found["releases"], (cell[0] for cell in cells), strict=True))
        for unknown, _, cells in found["rows"]
    }
    names = "weak.csv", "strong.csv"
    assert cells == {
        "col4": dict(zip(names, (standing[0], standing[1]), strict=True)),
        "col5": dict(zip(names, (standing[2], standing[3]), strict=True)),
    }
    assert found["left_out"] == 0
    monkeypatch.setattr(releases, "_MATRIX_ROWS", 1)
    assert attack_matrix(view, view.settings.scoring, {})["left_out"] == 1


@pytest.mark.parametrize("depth", list(Depth))
def test_what_has_no_result_yet_is_said_first(made_up, options, depth):
    view = made_up([0.3, 0.3, 0.95], finished=2)
    assert "Interim: 1 of 3 attacks has no result yet." in report_html(
        view, options(view, depth=depth)
    )
    whole = made_up([0.3, 0.3], name="whole.alc")
    assert "Interim" not in report_html(whole, options(whole, depth=depth))


def test_every_flagged_attack_has_a_card_with_its_chart_worst_first(view, options):
    document = report_html(view, options(view))
    results = view.overview(view.settings.scoring).results
    flagged = results["number"][~results["standing"].isin(["below limit", "no loss"])].tolist()
    assert re.findall(r'<article class="card [\w-]+" id="a(\d+)"', document) == list(
        map(str, flagged)
    )
    assert {f"attack-{n}" for n in flagged} <= set(re.findall(r'data-chart="([\w-]+)"', document))


def test_without_a_flagged_attack_the_highest_loss_is_shown(made_up, options):
    view = made_up([0.1, 0.11])
    document = report_html(view, options(view))
    assert "No attack needs a decision. This one has the highest loss" in document
    assert document.count("<article") == 1


def test_names_and_notes_show_literally_and_run_nothing(made_up, options):
    view = made_up(
        [0.95, 0.3], releases=(f"r {NASTY}",), original=f"o {NASTY}", prefix=f"c {NASTY}",
        notes=[f"n {NASTY}"], targets=alc.Targets(where={f"c {NASTY}1": (f"v {NASTY}",)}),
    )  # fmt: skip
    worst = view.overview(view.settings.scoring).worst
    decide(
        view.store, worst, Choice.REDUCE, note=f"d {NASTY}", standing="serious", alc=0.9,
        scoring=view.settings.scoring,
    )  # fmt: skip
    details = ReportDetails(
        date="2026-01-31", assessor=f"a {NASTY}", purpose=f"p {NASTY}", description=NASTY
    )
    for depth in Depth:
        document = report_html(
            view, options(view, depth=depth, details=details, campaign_file=f"f {NASTY}.alc")
        )
        read = Reader(document)
        wanted = re.sub(r"\s+", " ", NASTY)
        for kind in "ropacd":
            assert f"{kind} {wanted}" in read.text, (depth, kind)
        assert read.tags.count("script") == (3 if depth is Depth.FULL else 0)
        assert "49" not in re.findall(r"\{\{(.*?)\}\}|(49)", read.text)
        assert not any(NASTY in value for value in read.values)


@pytest.mark.parametrize("down_sample", [True, False])
def test_a_frequent_value_is_said_to_be_halved_only_where_it_is(made_up, options, down_sample):
    view = made_up([0.3], down_sample=down_sample)
    document = Reader(report_html(view, options(view, sections=(Section.METHODS,)))).text
    assert (THINNED_OUT in document) == down_sample
    told = dict(scenario_facts(view, view.settings.scoring))["Dominant value"]
    assert told == (THINNED_OUT if down_sample else "not reduced")


def test_who_is_taken_to_know_which_column_is_told(view, options):
    assert "Roles of the columns" not in Reader(report_html(view, options(view))).text
    roles = Roles(
        of_columns={
            "fnlwgt": RoleInForce(role=ColumnRole.WEIGHT, reason="its name"),
            "age": RoleInForce(role=ColumnRole.KNOWN, reason="as you set it", by_user=True),
        }
    )
    keep_plan(view.store, CampaignPlan(attacks=(), roles=roles))
    document = Reader(report_html(view, options(view))).text
    assert (
        "Roles of the columns may be known (not attacked): age (set by hand); survey weight "
        "(not known, not attacked, not used as a weight): fnlwgt"
    ) in document


def test_nothing_of_a_secret_value_is_in_the_report(people, tmp_path, options):
    secret = "Wolpertinger-4711"
    frame = people(900)
    frame.loc[frame.index[::3], "job"] = secret
    with run_quickly(frame, frame.copy(), tmp_path / "c.alc") as store:
        view = alc.CampaignView(store)
        for depth in Depth:
            assert secret not in report_html(view, options(view, depth=depth))


def test_decisions_are_told_with_what_they_were_about_and_whether_that_holds(view, options):
    overview = view.overview(view.settings.scoring)
    worst = overview.worst
    standing, loss = overview.stands(worst)
    decide(
        view.store, worst, Choice.REDUCE, note="Drop it", standing=standing, alc=loss,
        scoring=view.settings.scoring,
    )  # fmt: skip
    text = Reader(report_html(view, options(view))).text
    assert "▼ To be reduced" in text
    assert "Drop it" in text
    assert "The verdict has changed" not in text
    lax = ScoringParameters(at_risk=0.98, serious=0.99)
    text = Reader(report_html(view, options(view, scoring=lax))).text
    assert "The verdict has changed. Check the decision" in text
    assert "(with at-risk limit 0.5, serious limit 0.75)" in text


def test_other_parameters_than_the_run_are_said(view, options):
    scoring = ScoringParameters(alpha=2.0)
    text = Reader(report_html(view, options(view, scoring=scoring))).text
    worst = view.overview(scoring).worst
    low, high = view.assessment(worst).rescore(alpha=2.0).decisive_interval
    assert "Scored with other parameters: alpha 2" in text
    assert "≈" not in text
    assert f"95% interval {low:.2f} to {high:.2f}" in text


def test_familiar_numbers_stand_beside_alc_where_the_campaign_has_them(view, options):
    worst = view.overview(view.settings.scoring).worst
    assert "k-anonymity of the known" not in report_html(view, options(view))
    familiar = FamiliarNumbers(
        people=5000, k=2, in_small_classes=0.4, unique=0.31, majority=0.44, majority_before=0.44
    )
    keep_context(view.store, worst, AttackContext(familiar=familiar))
    document = Reader(report_html(view, options(view))).text
    assert "31% of people have unique values" in document


def test_a_row_says_by_which_attack_only_where_there_are_several(made_up, options):
    one = made_up([0.95, 0.9])
    assert "col3, by" not in Reader(report_html(one, options(one))).text
    two = made_up([0.95, 0.9], name="two.alc", by=("best row match", "another <i>attack</i>"))
    text = Reader(report_html(two, options(two))).text
    for attack in ("best row match", "another <i>attack</i>"):
        assert f"col1, col2 and col3, by {attack}" in text


def test_what_is_missing_and_failed_is_told(made_up, options):
    view = made_up([0.9, 0.3, 0.3], finished=1)
    view.store.add_failure(2, "The column has too few <i>values</i>.", seconds=0.1)
    view.refresh()
    document = report_html(view, options(view))
    text = Reader(document).text
    assert "The column has too few <i>values</i>." in text
    assert "1 planned attack has not run yet" in text
    one = Reader(report_html(view, options(view, depth=Depth.SHORT))).text
    assert "1 failed and 1 still to run" in one


def test_a_campaign_without_any_result_still_makes_a_report(made_up, options):
    view = made_up([0.9], finished=0)
    for depth in Depth:
        text = Reader(report_html(view, options(view, depth=depth))).text
        assert "No attack has a result" in text


def test_making_it_can_be_cancelled(view, options):
    with pytest.raises(CancelledError):
        report_html(view, options(view), reporter=Reporter(cancel=lambda: True))


def test_the_policy_of_the_document_allows_no_request(view, options):
    document = report_html(view, options(view))
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', document)
    assert "default-src 'none'" in policy
    assert "eval" not in policy
    own = document.replace(document.split("<script>")[1], "")
    assert not re.findall(r'(?:src|href)="(?!#)[^"]*"', own)
    assert not re.findall(r"url\(|@import", own)


def test_five_hundred_flagged_attacks_with_a_chart_each_stay_below_eight_megabytes(
    made_up, options, monkeypatch
):
    # Every further attack adds the same, or less: what charts share is written once.
    monkeypatch.setattr("alc_core.report.html.attacks.points_per_curve", lambda _: FEWEST_POINTS)
    assert points_per_curve(500) == FEWEST_POINTS
    familiar = FamiliarNumbers(
        people=5000, k=2, in_small_classes=0.4, unique=0.31, majority=0.44, majority_before=0.44
    )
    sizes = {}
    for number in (45, 65):
        view = made_up([0.9] * number, known=8, prefix="a column name ", name=f"{number}.alc")
        assert view.overview(view.settings.scoring).asking == number
        for attack in view.attacks:
            keep_context(view.store, attack.number, AttackContext(familiar=familiar))
        document = report_html(view, options(view))
        assert len(set(re.findall(r'data-chart="(attack-\d+)"', document))) == number
        sizes[number] = len(document.encode())
    each = (sizes[65] - sizes[45]) / 20
    assert sizes[45] + 455 * each <= 8 * 2**20


def test_what_drives_an_attack_stands_in_its_card(view, options, monkeypatch):
    pair = AttackPair(attribute="col2", with_it=0, without_it=4)
    monkeypatch.setattr(
        "alc_core.report.html.document.attack_pairs", lambda attacks, losses: (pair,)
    )
    losses = attack_losses(view.rescored(view.settings.scoring))
    told = contribution_sentence(contributions(0, [pair], losses))
    document = Reader(report_html(view, options(view))).text
    assert document.count(f"Which facts matter {told}") == 1


def test_one_page_tells_utility_and_decisions_in_full(view, options):
    note = "Coarsen to three levels; " * 12 + "by the release team."
    decide(
        view.store, 0, Choice.REDUCE, note=note, standing="serious", alc=0.9,
        scoring=view.settings.scoring,
    )  # fmt: skip
    assert "Utility" not in Reader(report_html(view, options(view, depth=Depth.SHORT))).text
    utility = utility_of(
        view.store, "weak.csv", columns={"col1": 0.01}, pairs=(("col1", "col2", 0.04),),
        targets=(made_target("col1", 0.52, 0.61),),
    )  # fmt: skip
    KEPT_UTILITIES.keep(view.store, utility)
    text = Reader(report_html(view, options(view, depth=Depth.SHORT))).text
    assert "90% of relations between columns kept" in text
    assert "models 52% accurate (trained on the original: 61%)" in text
    assert note in text


def test_the_full_report_draws_where_the_utility_goes(view, options):
    whole = utility_of(
        view.store, "weak.csv", columns={"col1": 0.01, "col2": 0.02},
        pairs=(("col1", "col2", 0.44),), targets=(made_target("col1", 0.52, 0.81, rows=300),),
    )  # fmt: skip
    KEPT_UTILITIES.keep(view.store, whole)
    document = report_html(view, options(view))
    assert "Usefulness of weak.csv" in document
    drawn = re.findall(r'data-chart="releases-\d+-([\w-]+)"', document)
    assert drawn[-2:] == ["pair-differences", "model-losses"]
    text = Reader(document).text
    assert "Largest distances: 'col1' and 'col2' (0.44)." in text
    assert "Models lose most for 'col1': 52% correct, " in text
    KEPT_UTILITIES.keep(view.store, replace(whole, pairs=(), targets=()))
    text = Reader(report_html(view, options(view))).text
    assert "No column was predicted." in text
    short = Reader(report_html(view, options(view, depth=Depth.SHORT))).text
    assert "Usefulness of" not in short


@pytest.mark.parametrize("depth", list(Depth))
def test_the_first_page_is_the_decision_on_each_release(view, options, depth):
    scoring = view.settings.scoring
    first, *others = candidate_lines(view, scoring, {})
    decide_release(
        view.store, first, ReleaseChoice.CONDITIONS, scoring=scoring, reasons=f"r {NASTY}",
        conditions="Under contract", name="B. Officer", day="2026-01-31",
    )  # fmt: skip
    document = report_html(view, options(view, depth=depth))
    assert document.index('id="decision"') < document.index("<h2")
    text = Reader(document).text
    assert "Publish with conditions" in text
    assert "Decided by B. Officer on 31 January 2026." in text
    assert f"r {NASTY}" in text
    assert "Under contract" in text
    opened = ", ".join(line.release for line in others)
    assert f"Publish {first.release} under conditions. No decision yet: {opened}." in text
    decide_release(view.store, first, ReleaseChoice.CONDITIONS, scoring=scoring)
    assert "Conditions: none entered" in Reader(report_html(view, options(view, depth=depth))).text


def test_the_page_about_one_release_is_the_first_page_of_that_one(made_up, options):
    view = made_up([0.95, 0.3], releases=("weak.csv", "other.csv"))
    for line in candidate_lines(view, view.settings.scoring, {}):
        page = Reader(release_page(view, line.release, options(view)))
        (other,) = {"weak.csv", "other.csv"} - {line.release}
        assert "1 release tested with 2 attacks" in page.text
        assert line.title in page.text
        assert f"release {line.release}" in page.text
        assert other not in page.text
        assert page.tags.count("h2") == 0, "one page"
        assert "With the release" in release_page(view, line.release, options(view))
    with pytest.raises(InputError, match="Unknown release 'neither'"):
        release_page(view, "neither", options(view))


def test_the_page_about_a_release_without_a_result_says_so(made_up, options):
    view = made_up([0.95], releases=("weak.csv", "other.csv"), finished=1)
    text = Reader(release_page(view, "other.csv", options(view))).text
    assert "Interim: 1 of 1 attacks has no result yet." in text
    assert "weak.csv" not in text


def test_the_headline_names_the_run_beside_other_parameters(made_up):
    view = made_up([0.95, 0.2])
    run = view.overview(view.settings.scoring)
    title, *_, numbers, chance = verdict_blocks(run, run)
    assert title.standing == "serious"
    assert {each.title.split(" ", 1)[1]: each.value for each in numbers.metrics} == {
        "Serious": "1", "At risk": "0", "Inconclusive": "0", "Below limit": "0", "No loss": "1",
    }  # fmt: skip
    assert chance.quiet
    lax = view.overview(replace(run.scoring, at_risk=0.98, serious=0.99))
    other, *_, said = verdict_blocks(lax, run, view.flips(lax.scoring))
    assert other.standing != "serious"
    assert said.text.startswith(
        "Scored with other parameters: at-risk limit 0.98, serious limit 0.99. The run: "
        f"{title.text}. 1 attack changes"
    )


def test_a_title_is_harmless_only_when_nothing_is_missing(made_up):
    part = made_up([0.1, 0.9], finished=1)
    overview = part.overview(part.settings.scoring)
    assert overview.standing in ("below limit", "no loss")
    assert title_standing(overview) == "not testable"
    whole = made_up([0.1], name="whole.alc")
    overview = whole.overview(whole.settings.scoring)
    assert title_standing(overview) == overview.standing


def words(command):
    return shlex.split(command.replace("\\\n", " "))


def test_the_campaign_is_made_again_from_its_own_file_and_its_tables(made_up):
    view = made_up([0.3], releases=("weak one.csv", "it's.csv"), original="people $HOME.csv")
    assert words(campaign_command(view.store, "my review.alc")) == [
        "alc", "campaign", "--original", "people $HOME.csv",
        "--release", "weak one.csv=weak one.csv", "--release", "it's.csv=it's.csv",
        "--like", "my review.alc", "--out", "my review-again.alc",
    ]  # fmt: skip


def test_accepted_questions_are_in_the_command(made_up):
    view = made_up([0.3])
    keep_accepted(view.store, ["renamed-labels"])
    keep_accepted(view.store, ["scale"])
    keep_accepted(view.store, [])
    assert accepted_codes(view.store) == ("renamed-labels", "scale")
    assert "--accept renamed-labels,scale" in campaign_command(view.store, "c.alc")


def test_the_report_names_every_option_that_is_not_the_default(made_up):
    view = made_up([0.3])
    plain = ReportOptions(scoring=view.settings.scoring, campaign_file="c.alc", html="r.html")
    assert words(report_command(view.store, plain)) == [
        "alc",
        "report",
        "c.alc",
        "--html",
        "r.html",
    ]
    keep_details(view.store, ReportDetails(purpose="Open data", date="2026-01-31"))
    changed = ReportOptions(
        scoring=ScoringParameters(alpha=2.5, loss="absolute"), campaign_file="c.alc",
        html="r.html", pdf="r.pdf", depth=Depth.SHORT,
        sections=(Section.LIMITS, Section.VERDICT, Section.GLOSSARY),
        details=ReportDetails(purpose="Open data", date="2026-01-31", assessor="-- O'Neil; rm"),
    )  # fmt: skip
    assert words(report_command(view.store, changed)) == [
        "alc", "report", "c.alc", "--html", "r.html", "--pdf", "r.pdf", "--depth", "short",
        "--section", "limits", "--alpha", "2.5", "--loss", "absolute",
        "--assessor=-- O'Neil; rm", "--date", "2026-01-31",
    ]  # fmt: skip


def test_declarations_are_kept_in_the_file_beside_decisions(made_up):
    view = made_up([0.9])
    assert kept_details(view.store) == ReportDetails()
    decide(
        view.store, 0, Choice.REDUCE, note="x", standing="serious", alc=0.9,
        scoring=view.settings.scoring,
    )  # fmt: skip
    details = ReportDetails(assessor="A", purpose="P", date="2026-01-31", assumptions="B")
    keep_details(view.store, details)
    assert kept_details(view.store) == details


def test_what_is_no_date_and_an_empty_choice_are_refused():
    with pytest.raises(InputError, match=r"'31.1.2026' is not a date. Enter year, month and day"):
        ReportDetails(date="31.1.2026")
    with pytest.raises(InputError, match=r"No chosen section is in a"):
        ReportOptions(scoring=ScoringParameters(), depth=Depth.SHORT, sections=(Section.METHODS,))


def test_the_command_of_the_demo_writes_its_files_first(tmp_path):
    demo = load_demo("fair")
    write_demos(tmp_path)
    for table in (demo.original, *(each.tables[0] for each in demo.releases.values())):
        written = read_table(tmp_path / demo_file(table.name))
        assert len(written) == len(table)
        assert written.kinds == table.kinds


@pytest.mark.parametrize("found", [450, None])
def test_numbers_of_one_person_that_return_are_told_with_what_to_do(made_up, options, found):
    made = made_up([0.3])
    counted = Fact(
        kind=FactKind.COPIED_NUMBERS, count=found or 0, of=900, expected=9.0, columns=("income",)
    )
    facts = FileFacts(table="t.csv", facts=(counted,) if found else ())
    keep_facts(made.store, {"weak.csv": (facts,)})
    told = (
        "original's unique numbers: 450 of 900, against 9 by chance.",
        "Round or group the numbers",
    )
    short = options(made, depth=Depth.SHORT)
    for document in (release_page(made, "weak.csv", short), report_html(made, short)):
        assert all((each in document) == bool(found) for each in told)


def test_columns_kept_together_are_told_whatever_the_verdict(made_up, options):
    made = made_up([0.3])
    kept = Fact(kind=FactKind.OWN_TOGETHER, count=800, of=810, expected=2.0, columns=("age", "job"))
    keep_facts(made.store, {"weak.csv": (FileFacts(table="t.csv", facts=(kept,)),)})
    told = "for 800 of the 810 people singled out (by chance: 2)."
    assert told in report_html(made, options(made, depth=Depth.SHORT))
    scoring = made.settings.scoring
    (said,) = stopped_sentences(candidate_lines(made, scoring, {}))
    assert release_sentences(made, candidate_lines(made, scoring, {}), scoring) == []
    assert told in said
