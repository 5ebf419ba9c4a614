"""The headline of a campaign that pages and reports share."""

from dataclasses import replace

from alc_core.campaign.findings.headline import campaign_headline


def test_the_headline_names_the_run_beside_other_parameters(made_up):
    view = made_up([0.95, 0.2])
    run = view.overview(view.settings.scoring)
    same = campaign_headline(run, run)
    assert (same.what_if, same.title, same.standing) == ("", same.run_title, "serious")
    assert dict(same.counts) == {
        "serious": 1, "at risk": 0, "undecided": 0, "safe": 0, "no loss": 1,
    }  # fmt: skip
    lax = campaign_headline(view.overview(replace(run.scoring, at_risk=0.98, serious=0.99)), run)
    assert lax.what_if == "at risk from 0.98, serious from 0.99"
    assert lax.standing != lax.run_standing == "serious"
    assert lax.run_title == same.title


def test_a_title_is_harmless_only_when_nothing_is_missing(made_up):
    part = made_up([0.1, 0.9], finished=1)
    overview = part.overview(part.settings.scoring)
    assert overview.standing in ("safe", "no loss")
    assert campaign_headline(overview, overview).standing == "nothing left to learn"
    whole = made_up([0.1], name="whole.alc")
    overview = whole.overview(whole.settings.scoring)
    assert campaign_headline(overview, overview).standing == overview.standing
