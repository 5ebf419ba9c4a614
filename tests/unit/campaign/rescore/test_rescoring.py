from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import alc_core as alc
from alc_core.baselines.families import NaiveBayes
from alc_core.campaign.columns import Columns, RunIntervals
from alc_core.campaign.rescore.rescoring import flips, highest_points, rescore
from alc_core.errors import InputError
from alc_core.scenario.scenario import Targets
from alc_core.scoring.curves import best_measure, measure_at, measure_counts
from alc_core.scoring.intervals import normal_quantile, prc_variance, wilson_interval
from alc_core.scoring.outcomes import Outcomes, Rest, bootstrap
from alc_core.scoring.parameters import LoopParameters, ScoringParameters
from alc_core.scoring.readings import EXPOSED, judged, reading_intervals
from alc_core.scoring.verdict import (
    FLAGGED,
    HARMLESS,
    OUTCOMES,
    SEVERITY,
    Verdict,
    code_of,
    judge,
    severity_of,
)
from tests.toys.judged import assessment_of
from tests.toys.paired import curve_of, flat, paired, points_of, table_of, table_of_pairs
from tests.toys.plain_readings import simulated

RUN = ScoringParameters()
GRID = [
    ScoringParameters(),
    ScoringParameters(alpha=1, r_min=1e-2),
    ScoringParameters(alpha=8, r_min=1e-6, confidence=0.8),
    ScoringParameters(alpha=0.5, confidence=0.99, max_interval_width=0.2),
    ScoringParameters(alpha=2.5, r_min=0.3, loss="absolute", max_interval_width=0.05),
    ScoringParameters(at_risk=0.1, serious=0.2),
]


@pytest.fixture(scope="module")
def assessments():
    demo = alc.load_demo("fair")
    loop = LoopParameters(min_targets=600, decide_within=600, resamples=200)
    found = {}
    for number, (release, targets) in enumerate(
        [
            ("20%", Targets(count=800)),
            ("80%", Targets(count=800)),
            ("20%", Targets(count=400, where={"educ": ("some college",)})),
        ]
    ):
        name = next(name for name in demo.releases if release in name)
        scenario = alc.Scenario(demo.scenario.known, demo.scenario.unknown, targets=targets)
        if targets.where:
            known = [column for column in demo.scenario.known if column != "educ"]
            scenario = alc.Scenario(known, demo.scenario.unknown, targets=targets)
        found[number + 5] = alc.assess(
            demo.original, demo.releases[name], scenario, loop=loop, families=(NaiveBayes(),)
        )
    return found


def assert_same_point(found, row, measure):
    assert found.predictions[row] == measure.predictions
    assert found.true_predictions[row] == measure.true_predictions
    for name in ("prc", "precision", "measured_precision", "recall"):
        assert getattr(found, name)[row] == getattr(measure, name)
    assert (found.precision_low[row], found.precision_high[row]) == measure.measured_interval


@pytest.mark.parametrize("scoring", GRID)
def test_real_assessments_are_rescored_as_one_by_one(assessments, scoring):
    curves = table_of(assessments, cap=scoring.precision_cap)
    found = rescore(curves, scoring, run_scoring=RUN)
    assert found.numbers.tolist() == list(assessments)
    assert {a.outcomes.attack.recall_scale < 1 for a in assessments.values()} == {True, False}
    for row, assessment in enumerate(assessments.values()):
        single = assessment.rescore(**scoring.to_dict())
        assert found.own.alc[row] == single.alc
        assert found.among_rest.alc[row] == single.alc_rest
        assert_same_point(found.attack, row, single.attack)
        assert_same_point(found.baseline, row, single.baseline)
        assert_same_point(found.attack_rest, row, single.attack_rest)
        assert_same_point(found.baseline_rest, row, single.baseline_rest)
        assert found.rest_share[row] == pytest.approx(single.rest_share, abs=1e-15)
        assert found.exposed[row] == single.exposed
        assert found.exposed_low[row] <= single.exposed <= found.exposed_high[row]


def test_at_the_runs_scoring_intervals_and_verdicts_are_exact(assessments):
    curves = table_of(assessments)
    for scoring in (RUN, ScoringParameters(at_risk=0.05, serious=0.1)):
        found = rescore(curves, scoring, run_scoring=RUN)
        assert found.exact.all()
        for row, assessment in enumerate(assessments.values()):
            single = assessment.rescore(**scoring.to_dict())
            for name, each in (("alc", found.own), ("alc_rest", found.among_rest)):
                assert (each.low[row], each.high[row]) == single.interval_of(name)
            assert (found.exposed_low[row], found.exposed_high[row]) == single.exposed_interval
            assert OUTCOMES[found.outcome[row]] == single.verdict
            assert found.by_rest[row] == (single.decisive == "alc_rest")
            decided = found.decisive
            assert decided.alc[row] == single.decisive_alc
            assert (decided.low[row], decided.high[row]) == single.decisive_interval


@pytest.mark.parametrize("scoring", GRID)
def test_the_highest_prc_of_each_curve_is_the_definitions(assessments, scoring):
    shown = {n: a.rescore(**scoring.to_dict()) for n, a in assessments.items()}
    curves = table_of(shown)
    for side, name in ((curves.attack, "highest"), (curves.rest, "highest_rest")):
        found = highest_points(curves, side, scoring).T
        assert found == pytest.approx(np.array([getattr(a.points, name) for a in shown.values()]))


def test_elsewhere_intervals_come_near_the_bootstrap(assessments):
    curves = table_of(assessments)
    for change in ({"alpha": 2.0}, {"r_min": 1e-5}, {"confidence": 0.8}, {"loss": "absolute"}):
        scoring = ScoringParameters(**change)
        found = rescore(curves, scoring, run_scoring=RUN)
        assert not found.exact.any()
        for name, each in (("alc", found.own), ("alc_rest", found.among_rest)):
            assert np.all((each.low < each.alc) & (each.alc < each.high))
            for row, assessment in enumerate(assessments.values()):
                low, high = assessment.rescore(**change).interval_of(name)
                near = {"abs": 0.5 * (high - low)}
                assert max(each.low[row], 0) == pytest.approx(max(low, 0), **near)  # no loss below
                assert each.high[row] == pytest.approx(high, **near)


def test_attacks_of_an_old_file_have_approximate_intervals_and_new_ones_exact_ones(assessments):
    curves = table_of(assessments)
    old = replace(
        curves,
        own=RunIntervals.of([(np.nan, np.nan)] * 3),
        among_rest=RunIntervals.of([(np.nan, np.nan)] * 3),
    )
    both = Columns.concat([old, replace(curves, numbers=curves.numbers + 10)])
    found = rescore(both, RUN, run_scoring=RUN)
    assert found.exact.tolist() == [False] * 3 + [True] * 3
    for name in ("own", "among_rest"):
        each = getattr(found, name)
        assert np.array_equal(each.alc[:3], each.alc[3:])
        assert np.array_equal(each.low[3:], getattr(curves, name).low)
        widths = (each.high - each.low)[:3] / (each.high - each.low)[3:]
        assert np.all((widths > 0.4) & (widths < 2.5))
        assert np.all((each.low < each.alc) & (each.alc < each.high))
    assert found.only([5, 15]).exact.tolist() == [False, True]
    moved = rescore(both, ScoringParameters(alpha=2), run_scoring=RUN, run=found)
    assert not moved.exact.any()
    assert np.isfinite(moved.own.low).all()


def test_the_runs_result_can_be_given(assessments):
    curves = table_of(assessments)
    run = rescore(curves, RUN, run_scoring=RUN)
    scoring = ScoringParameters(alpha=2)
    given, found = (rescore(curves, scoring, run_scoring=RUN, run=r) for r in (run, None))
    assert np.array_equal(given.own.low, found.own.low)
    assert np.array_equal(given.among_rest.high, found.among_rest.high)
    limits = ScoringParameters(at_risk=0.01, serious=0.02)
    given_too, found = (rescore(curves, limits, run_scoring=RUN, run=r) for r in (run, None))
    assert given_too.scoring == limits
    assert np.array_equal(given_too.outcome, found.outcome)
    assert np.array_equal(given_too.own.low, found.own.low)
    assert np.array_equal(given_too.by_rest, found.by_rest)


@st.composite
def random_curves(draw):
    """Two curves of the same targets."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    attempts = draw(st.sampled_from([30, 400, 3000, 50_000]))
    scale = draw(st.sampled_from([1.0, 1.0, 0.03, 0.0007]))
    sides = []
    for _ in range(2):
        points = draw(st.integers(1, 60))
        made = np.unique(np.append(rng.integers(1, attempts + 1, points), attempts))
        share = rng.choice([0.0, 0.5, 0.9, 1.0, rng.random()])
        true = np.cumsum(rng.binomial(np.diff(made, prepend=0), share))
        sides.append(curve_of(made, true, attempts=attempts, recall_scale=scale))
    return tuple(sides)


@given(
    pairs=st.lists(random_curves(), min_size=1, max_size=4),
    alpha=st.floats(0.05, 40),
    r_min=st.floats(1e-9, 0.99),
    confidence=st.floats(0.01, 0.999),
    width=st.floats(0.01, 1),
    loss=st.sampled_from(["relative", "absolute"]),
)
def test_any_curve_is_measured_by_the_definition(pairs, alpha, r_min, confidence, width, loss):
    scoring = ScoringParameters(
        alpha=alpha, r_min=r_min, confidence=confidence, max_interval_width=width, loss=loss
    )
    found = rescore(table_of_pairs(pairs, scoring=scoring), scoring, run_scoring=scoring)
    for row, (attack, baseline) in enumerate(pairs):
        points = points_of(paired(attack, baseline), scoring)
        for name in ("attack", "baseline", "attack_rest", "baseline_rest"):
            assert_same_point(getattr(found, name), row, getattr(points, name))
        losses = points.losses(loss)
        assert (found.own.alc[row], found.among_rest.alc[row]) == tuple(losses.values())
        intervals = {
            name: (float(each.low[row]), float(each.high[row]))
            for name, each in (("alc", found.own), ("alc_rest", found.among_rest))
        }
        verdict, chosen = judged(points, intervals, scoring)
        assert (OUTCOMES[found.outcome[row]], found.by_rest[row]) == (verdict, chosen == "alc_rest")
        assert found.exposed[row] == points.gain
        assert found.rest_share[row] == pytest.approx(points.rest / attack.attempts, abs=1e-12)


def test_of_equally_good_points_the_one_of_highest_recall_is_chosen():
    # None is right, so that the lower bound is 0 at any recall.
    none = curve_of([970, 980, 990, 1000], [0, 0, 0, 0])
    values = measure_counts(none.predictions, none.true_predictions, none.recall, RUN).prc_low
    assert set(values) == {0.0}
    found = rescore(table_of_pairs([(none, none)]), RUN, run_scoring=RUN)
    assert found.attack.predictions[0] == best_measure(none, RUN).predictions == 1000


def test_below_r_min_the_recall_itself_is_the_prc():
    rare = curve_of([500, 900], [0, 0], attempts=1000)
    scoring = ScoringParameters(r_min=0.7)
    found = rescore(table_of_pairs([(rare, rare)]), scoring, run_scoring=scoring)
    assert found.attack.predictions[0] == 500
    assert found.attack.prc[0] == 0.5


def test_one_threshold_and_very_few_targets():
    one = curve_of([1000], [600])
    few = curve_of([10, 30], [5, 15])
    scarce = [(-0.9, 0.8)]
    found = rescore(
        table_of_pairs([(one, one), (few, few)], own=[(-0.1, 0.1), *scarce]), RUN, run_scoring=RUN
    )
    assert found.own.alc.tolist() == [0, 0]
    assert [OUTCOMES[code] for code in found.outcome] == ["no loss", "inconclusive"]
    assert found.attack.predictions.tolist() == [1000, best_measure(few, RUN).predictions]
    width = found.attack.precision_high - found.attack.precision_low
    assert (width > RUN.max_interval_width).tolist() == [False, True]


def test_the_baseline_is_measured_at_the_attacks_number_of_predictions():
    attack = curve_of([3, 200, 1000], [3, 190, 400])
    baseline = curve_of([50, 450, 1000], [47, 247, 400])
    ties = curve_of([1000], [400])
    found = rescore(table_of_pairs([(attack, baseline), (attack, ties)]), RUN, run_scoring=RUN)
    assert found.attack.predictions.tolist() == [200, 200]
    # 47 of the first 50 and half of the next 150; 40% of any 200 in the other.
    assert found.baseline_rest.true_predictions.tolist() == [122, 80]
    for row, each in enumerate((baseline, ties)):
        assert_same_point(found.baseline_rest, row, measure_at(each, 200, RUN))


def test_the_baseline_is_measured_beyond_those_whom_it_knows():
    attack = curve_of([400, 1000], [390, 560])
    baseline = curve_of([100, 300, 1000], [99, 290, 640])
    found = rescore(table_of_pairs([(attack, baseline)]), RUN, run_scoring=RUN)
    assert found.rest_share.tolist() == [0.7]
    # Of the attack's first 400 predictions 300 are about those whom the guess knows.
    assert found.attack_rest.predictions.tolist() == [100]
    assert found.attack_rest.true_predictions.tolist() == [90]
    # Half of the other 700.
    assert found.baseline_rest.predictions.tolist() == [100]
    assert found.baseline_rest.true_predictions.tolist() == [50]
    assert found.attack_rest.recall.tolist() == found.baseline_rest.recall.tolist() == [0.1]
    # The first 100 of the 350 whom it gets right: all of them, and the attack ten less.
    assert found.exposed.tolist() == [-10]


def test_nothing_left_is_an_outcome_unless_a_reading_is_flagged():
    attack, sure = curve_of([1000], [999]), curve_of([1000], [980])
    for own, expected in (
        ((0.4, 0.9), "not testable"),
        ((-0.5, 0.1), "not testable"),
        ((0.6, 0.9), "at risk"),
        ((0.8, 0.9), "serious"),
    ):
        found = rescore(table_of_pairs([(attack, sure)], own=[own]), RUN, run_scoring=RUN)
        assert [OUTCOMES[code] for code in found.outcome] == [expected]
    strict = ScoringParameters(max_interval_width=0.01)
    curves = table_of_pairs([(attack, sure)], own=[(0.4, 0.9)], scoring=strict)
    found = rescore(curves, strict, run_scoring=RUN)
    assert OUTCOMES[found.outcome[0]] != "not testable"


def test_curves_of_another_cap_are_refused():
    curves = table_of_pairs([(curve_of([1000], [800]), curve_of([1000], [500]))])
    wider = ScoringParameters(max_interval_width=0.2)
    with pytest.raises(InputError, match="reach precision 0.95, the scoring 0.9"):
        rescore(curves, wider, run_scoring=RUN)


def test_no_attack_at_all():
    found = rescore(table_of({}), ScoringParameters(alpha=2), run_scoring=RUN)
    assert len(found) == 0
    assert len(flips(found, found)) == 0


def test_an_interval_that_never_varied_gets_the_plain_error():
    sure = curve_of([1000], [1000])
    other = curve_of([400, 1000], [400, 700])
    run = rescore(table_of_pairs([(sure, sure)]), RUN, run_scoring=RUN)
    loss = run.own.alc[0]
    curves = table_of_pairs([(sure, other)], own=[(loss, loss)])
    found = rescore(curves, ScoringParameters(alpha=1), run_scoring=RUN)
    for each in (found.own, found.among_rest):
        assert np.isfinite(each.low).all()
        assert np.isfinite(each.high).all()
    endless = table_of_pairs([(sure, other)], own=[(-np.inf, 1.0)])
    found = rescore(endless, ScoringParameters(alpha=1), run_scoring=RUN)
    assert found.own.low[0] < found.own.alc[0] < found.own.high[0] <= 1


@pytest.mark.parametrize(("width", "varies"), [(0.1, False), (0.02, True)])
def test_the_variance_of_a_capped_precision_is_that_of_recall_alone(width, varies):
    scoring = ScoringParameters(max_interval_width=width)
    options = {"attempts": np.array([2000]), "recall_scale": np.ones(1), "scoring": scoring}
    everyone = prc_variance(np.array([2000]), np.array([1960]), **options)
    assert (everyone[0] > 1e-12) == varies
    half = prc_variance(np.array([1000]), np.array([980]), **options)
    assert half[0] > 1e-12


def test_the_standard_error_is_that_of_the_bootstrap_at_a_fixed_threshold():
    rng = np.random.default_rng(3)
    attempts, made, true = 2000, 900, 600
    scoring = ScoringParameters(alpha=2, r_min=1e-3)
    state = rng.multinomial(
        attempts, [true / attempts, (made - true) / attempts, 1 - made / attempts], size=20_000
    )
    drawn, right = state[:, 0] + state[:, 1], state[:, 0]
    values = measure_counts(drawn, right, drawn / attempts, scoring).prc
    variance = prc_variance(
        np.array([made]),
        np.array([true]),
        attempts=np.array([attempts]),
        recall_scale=np.ones(1),
        scoring=scoring,
    )
    assert np.sqrt(variance[0]) == pytest.approx(values.std(), rel=0.03)


def test_quantiles_are_those_of_the_wilson_interval():
    for confidence in (0.5, 0.8, 0.95, 0.999):
        z = normal_quantile(confidence)
        low, high = (float(b) for b in wilson_interval(0, 50, confidence=confidence))
        assert (low, high) == pytest.approx((0, z * z / (50 + z * z)), abs=1e-15)


bounded = st.tuples(st.floats(-2, 1), st.floats(-2, 1), st.floats(-2, 1)).map(sorted)


@given(
    attacks=st.lists(
        st.tuples(bounded, bounded, st.booleans(), st.booleans(), st.booleans()), min_size=1
    ),
    limits=st.lists(st.floats(0.01, 1), min_size=2, max_size=2, unique=True),
)
def test_verdicts_follow_the_plain_rule(attacks, limits):
    """Any number of attacks at once, against the rule in plain words."""
    scoring = ScoringParameters(at_risk=min(limits), serious=max(limits))

    def plain(low, loss, high):
        named = [
            "no loss" if x <= 0 else "below limit" if x < scoring.at_risk
            else "at risk" if x < scoring.serious else "serious"
            for x in (low, loss, high)
        ]  # fmt: skip
        if named[2] in HARMLESS:
            return named[1]
        return "inconclusive" if named[0] in HARMLESS else named[0]

    def expected(own, among, nothing, unmatched, unconverged):
        found = [(SEVERITY.index(plain(*each)), each[1]) for each in (own, among)]
        by_rest = found[1] > found[0]
        verdict = str(SEVERITY[found[by_rest][0]])
        if verdict not in FLAGGED and unconverged:
            verdict = "did not converge"
        elif verdict not in FLAGGED and nothing:
            verdict = "not testable"
        elif verdict in HARMLESS and unmatched:
            verdict = "inconclusive"
        return verdict, by_rest

    own, among = (np.array([a[side] for a in attacks]).T[[1, 0, 2]] for side in (0, 1))
    nothing, unmatched, unconverged = np.array([a[2:] for a in attacks]).T
    codes, by_rest = judge(
        (own, among), scoring,
        nothing_left=nothing, unmatched=unmatched, unconverged=unconverged,
    )  # fmt: skip
    found = list(zip([OUTCOMES[code] for code in codes], by_rest.tolist(), strict=True))
    assert found == [expected(*attack) for attack in attacks]


def test_codes_stand_for_verdicts():
    assert [OUTCOMES[code_of(v)] for v in Verdict] == list(Verdict)
    assert severity_of(np.array([code_of(v) for v in SEVERITY])).tolist() == list(
        range(len(SEVERITY))
    )


def test_flips_name_the_attacks_and_count_all():
    codes = {name: code_of(name) for name in OUTCOMES}

    def result(*names):
        outcome = np.array([codes[name] for name in names], dtype=np.int8)
        return SimpleNamespace(numbers=np.array([3, 1, 7]), outcome=outcome)

    before = result("below limit", "at risk", "below limit")
    after = result("below limit", "serious", "not testable")
    found = flips(before, after)
    assert found.numbers.tolist() == [1, 7]
    assert [OUTCOMES[code] for code in found.before] == ["at risk", "below limit"]
    assert [OUTCOMES[code] for code in found.after] == ["serious", "not testable"]
    assert found.counts.sum() == 3
    assert found.counts[codes["below limit"], codes["below limit"]] == 1
    assert found.counts[codes["at risk"], codes["serious"]] == 1
    assert len(flips(before, before)) == 0


def test_limits_alone_flip_verdicts_exactly(assessments):
    curves = table_of(assessments)
    before = rescore(curves, RUN, run_scoring=RUN)
    after = rescore(curves, ScoringParameters(at_risk=1e-4, serious=2e-4), run_scoring=RUN)
    changed = flips(before, after)
    assert after.exact.all()
    assert len(changed) == np.sum(before.outcome != after.outcome) > 0


@pytest.mark.parametrize("known", [0.0, 0.4])
def test_approximate_intervals_track_a_synthetic_bootstrap(known):
    outcomes = simulated(2000, seed=8, known=known)
    rest = Rest.of(outcomes, RUN.precision_cap)
    assert (rest.known > 500) == (known > 0)
    counts = bootstrap(outcomes, cap=RUN.precision_cap, resamples=300, seed=0)

    def intervals(scoring):
        return reading_intervals(points_of(outcomes, scoring), counts, scoring)

    run = intervals(RUN)
    curves = replace(
        table_of_pairs(
            [(outcomes.attack, outcomes.baseline)], own=[run["alc"]], among_rest=[run["alc_rest"]]
        ),
        rest=flat([rest.attack]),
        gain=rest.gain,
        exposed=RunIntervals.of([run[EXPOSED]]),
    )
    for alpha in (1.0, 2.0, 5.0):
        scoring = ScoringParameters(alpha=alpha)
        found = rescore(curves, scoring, run_scoring=RUN)
        for name, each in (("alc", found.own), ("alc_rest", found.among_rest)):
            low, high = intervals(scoring)[name]
            assert each.low[0] == pytest.approx(low, abs=0.35 * (high - low))
            assert each.high[0] == pytest.approx(high, abs=0.35 * (high - low))
        assert found.exposed_low[0] <= found.exposed[0] <= found.exposed_high[0]


def test_approximate_intervals_of_people_exposed_track_the_bootstrap_where_the_point_stays():
    rng = np.random.default_rng(2)
    known, told = np.arange(2000) < 600, np.arange(2000) < 1300
    outcomes = Outcomes.from_predictions(
        told * 1.0, rng.random(2000) < np.where(told, 0.93, 0.3),
        known * 1.0, rng.random(2000) < np.where(known, 0.97, 0.4),
    )  # fmt: skip
    run = assessment_of(outcomes)
    assert run.attack_rest.predictions == 700
    curves = table_of({0: run})
    exact = rescore(curves, RUN, run_scoring=RUN)
    assert (exact.exposed_low[0], exact.exposed_high[0]) == run.exposed_interval
    for change in ({"alpha": 2.0}, {"r_min": 1e-5}, {"confidence": 0.8}, {"loss": "absolute"}):
        low, high = run.rescore(**change).exposed_interval
        found = rescore(curves, ScoringParameters(**change), run_scoring=RUN)
        assert found.exposed[0] == run.exposed
        assert found.exposed_low[0] == pytest.approx(low, abs=0.2 * (high - low))
        assert found.exposed_high[0] == pytest.approx(high, abs=0.2 * (high - low))
