"""What was acknowledged is there after a crash, and nothing is there twice. docs/decisions/040-service.md."""

from __future__ import annotations

from pathlib import Path

from benchmarks.service_crash import crash, faults_in
from benchmarks.service_people import Onlooker, Scorekeeper
from service.matches.tables import ensure_table
from service.store import Store


def test_a_server_killed_at_any_moment_loses_nothing_and_repeats_nothing(
    database_url: str, tmp_path: Path
) -> None:
    outcome = crash(database_url, tmp_path, kills=5, seed=20)
    assert outcome.faults == []
    # It was under load, was killed while somebody waited, and was watched: else nothing is proven.
    assert outcome.acknowledged > 20 and outcome.retries > 0 and outcome.seen > 5


def test_the_proof_sees_what_is_lost(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'crokinole.db'}")
    store.migrate()
    with store.write() as connection:
        ensure_table(connection, "T0")
    keeper = Scorekeeper("", "T0", 1, None, {"T0.0": "m_gone", "T0.1": "m_gone"})  # type: ignore[arg-type]
    onlooker = Onlooker("", "T0", None, seen=[1])  # type: ignore[arg-type]
    faults = faults_in(store, [keeper], onlooker)
    store.close()
    assert len(faults) == 3
    assert any("m_gone is lost" in fault for fault in faults)
    assert any("T0.1 is lost" in fault for fault in faults)
    assert any("onlooker saw" in fault for fault in faults)
