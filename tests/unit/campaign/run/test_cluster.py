import os
import signal
import sys
import threading

import pytest

from alc_core.campaign.run import workers
from alc_core.errors import AlcError, InputError
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
@pytest.mark.parametrize("victims", [1, 2])
def test_results_are_the_same_and_a_killed_worker_costs_a_retry_not_the_run(
    campaign, undisturbed, tmp_path, cluster, victims
):
    path = tmp_path / "c.alc"
    killed = []

    def kill(now):
        if now.of == "attacks" and now.done >= 2 and len(killed) < victims:
            cluster.wait_for_workers(2)
            with distributed.Client(cluster.scheduler_address, set_as_default=False) as client:
                killed.extend(list(client.run(os.getpid).values())[:victims])
            for pid in killed:
                os.kill(pid, signal.SIGKILL)

    with campaign.run(path, scheduler=cluster.scheduler_address, progress=kill) as store:
        assert len(killed) == victims
        assert store.failures() == {}
        assert same_results(store, undisturbed)


# Last of all: it is the end of the cluster.
def test_a_cluster_that_goes_away_keeps_what_is_finished(
    campaign, undisturbed, tmp_path, cluster, monkeypatch
):
    monkeypatch.setattr(workers, "_WAIT_FOR_WORKERS", 3)
    path = tmp_path / "c.alc"
    closing = threading.Event()

    def close(now):
        if now.of == "attacks" and now.done >= 2 and not closing.is_set():
            closing.set()
            cluster.scale(0)

    with pytest.raises(AlcError, match="has no worker"):
        campaign.run(path, scheduler=cluster.scheduler_address, progress=close)
    with campaign.run(path) as store:
        assert same_results(store, undisturbed)


def test_no_scheduler_is_told_in_one_line_and_leaves_no_file(campaign, tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "_WAIT_FOR_SCHEDULER", 1)
    with pytest.raises(InputError, match="There is no Dask scheduler at 'tcp://127.0.0.1:9'"):
        campaign.run(tmp_path / "c.alc", scheduler="tcp://127.0.0.1:9")
    assert not (tmp_path / "c.alc").exists()
