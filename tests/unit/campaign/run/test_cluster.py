import os
import signal
import sys

import pytest

import alc_core as alc
from alc_core.campaign.run import workers
from alc_core.errors import AlcError, InputError
from alc_core.releases.registry import as_releases
from tests.toys.failing import Waiting
from tests.unit.campaign.conftest import same_results

distributed = pytest.importorskip("distributed")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address=":0",
        silence_logs="CRITICAL",
        local_directory=str(tmp_path_factory.mktemp("dask")),
    ) as made:
        yield made


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_results_are_the_same_and_killed_workers_cost_retries_not_the_run(
    campaign, undisturbed, tmp_path, cluster
):
    path = tmp_path / "c.alc"
    killed, victims = [], {2: 1, 6: 2}  # first one, later both

    def kill(now):
        reached = [done for done in victims if now.of == "attacks" and now.done >= done]
        for done in reached:
            cluster.wait_for_workers(2)
            with distributed.Client(cluster.scheduler_address, set_as_default=False) as client:
                now_killed = list(client.run(os.getpid).values())[: victims.pop(done)]
            for pid in now_killed:
                os.kill(pid, signal.SIGKILL)
            killed.extend(now_killed)

    with campaign.run(path, scheduler=cluster.scheduler_address, progress=kill) as store:
        assert len(killed) == 3
        assert store.failures() == {}
        assert same_results(store, undisturbed)


# Last of all: it is the end of the cluster.
def test_a_cluster_that_goes_away_keeps_what_is_finished(campaign, tmp_path, cluster, monkeypatch):
    monkeypatch.setattr(workers, "_WAIT_FOR_WORKERS", 3)
    plan = alc.plan_campaign(
        campaign.original, as_releases(campaign.releases), unknown=["job"], known_sets=0,
        named=[["age"], ["city"], ["hours"]], all_others=False, attacks=["most frequent"],
        targets=alc.Targets(count=600),
    )  # fmt: skip
    attack, path, closing = Waiting(poisoned_by="hours"), tmp_path / "c.alc", []
    attack.folder = str(tmp_path)

    def close(now):
        if now.of == "attacks" and now.done >= 2 and not closing:
            closing.append(True)
            cluster.scale(0)

    def run(**options):
        return campaign.run(path, plan=plan, seed=0, attacks=[attack], **options)

    with pytest.raises(AlcError, match="has no worker"):
        run(scheduler=cluster.scheduler_address, progress=close)
    with alc.CampaignStore.open(path) as store:
        missing = {each.number for each in store.missing()}
        finished = {each.number for each in store.attacks} - missing
        kept = {number: store.assessment(number).to_dict() for number in finished}
    assert 2 <= len(kept) <= 4
    (tmp_path / "gone").touch()
    with run() as store:
        assert (store.counts().finished, store.failures()) == (6, {})
        assert all(store.assessment(number).to_dict() == each for number, each in kept.items())


def test_no_scheduler_is_told_in_one_line_and_leaves_no_file(campaign, tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "_WAIT_FOR_SCHEDULER", 1)
    with pytest.raises(InputError, match="No Dask scheduler at 'tcp://127.0.0.1:9'"):
        campaign.run(tmp_path / "c.alc", scheduler="tcp://127.0.0.1:9")
    assert not (tmp_path / "c.alc").exists()
