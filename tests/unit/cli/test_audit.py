"""``alc audit`` on a log that is whole, and on one that is not."""

from alc_core.team.audit import AuditLog, verify


def test_a_whole_log_passes_and_one_without_a_line_does_not(run, tmp_path):
    path = tmp_path / "audit.jsonl"
    log = AuditLog(path)
    for who in "abc":
        log.record("login", who)
    done = run("audit", path)
    assert done.code == 0
    assert verify([path])[2] in done.out
    lines = path.read_text().splitlines(keepends=True)
    path.write_text(lines[0] + lines[2])
    done = run("audit", path)
    assert done.code == 2
    assert "line 2" in done.err
