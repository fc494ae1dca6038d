"""The workers: what one photo may take, and that the next one is read all the same."""

from __future__ import annotations

import io
import multiprocessing
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from service.photos import worker
from service.photos.jobs import Done, Failed, Options, Read, ReadJob
from service.photos.pool import GAVE_UP, TOO_LONG, QueueFull, WorkerPool

SAMPLES = Path(__file__).parents[3] / "sample_images"
PATIENCE_S = 120.0


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    small = tmp_path / "small.jpg"
    with Image.open(SAMPLES / "kitchen-table.jpg") as image:
        image.resize((800, 600)).save(small)
    return small


def job(photo: Path, options: Options | None = None) -> ReadJob:
    return ReadJob(photo, photo.name, photo.with_name("drawn.png"), options or Options())


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    made = WorkerPool(1, 3)
    yield made
    made.stop(PATIENCE_S)


def workers() -> list[multiprocessing.process.BaseProcess]:
    return [process for process in multiprocessing.active_children() if process.name == "photos"]


def test_a_photo_is_read_and_then_drawn(pool: WorkerPool, photo: Path) -> None:
    done = pool.submit(job(photo)).result(PATIENCE_S)
    assert isinstance(done, Read)
    assert (done.media_type, done.reading["photo"]) == ("image/jpeg", "small.jpg")
    # there is one worker: when it has answered the next it has drawn the last
    pool.submit(job(photo.with_name("no such photo"))).result(PATIENCE_S)
    with Image.open(photo.with_name("drawn.png")) as drawing:
        assert drawing.format == "PNG"


def test_failures_have_the_codes_of_the_command_line_and_no_options_in_their_words(
    pool: WorkerPool, photo: Path
) -> None:
    asked = {
        "usage": Options(sides="Anna"),
        "bad_rules": Options(rules="no-such-rules"),
        "bad_equipment": Options(equipment="/etc/passwd"),
    }
    for code, options in asked.items():
        failed = pool.submit(job(photo, options)).result(PATIENCE_S)
        assert isinstance(failed, Failed) and failed.code == code
        assert "--" not in failed.message


def test_a_worker_that_dies_costs_one_photo(pool: WorkerPool, photo: Path) -> None:
    assert isinstance(pool.submit(job(photo)).result(PATIENCE_S), Read)
    waiting = pool.submit(job(photo))
    while not (waiting.running() or waiting.done()):
        time.sleep(0.001)
    for process in workers():
        process.kill()
    assert waiting.result(PATIENCE_S) in (GAVE_UP, None) or isinstance(waiting.result(), Read)
    assert isinstance(pool.submit(job(photo)).result(PATIENCE_S), Read)


def test_a_photo_that_takes_too_long_is_given_up_and_its_worker_with_it(photo: Path) -> None:
    hasty = WorkerPool(1, 1, timeout_s=0.001)
    first, second = hasty.submit(job(photo)), hasty.submit(job(photo))
    assert first.result(PATIENCE_S) == second.result(PATIENCE_S) == TOO_LONG
    hasty.stop(PATIENCE_S)


def test_a_full_queue_says_so_and_a_dropped_job_leaves_its_place(photo: Path) -> None:
    pool = WorkerPool(1, 1)
    jobs = [pool.submit(job(photo)), pool.submit(job(photo))]
    assert pool.is_full
    with pytest.raises(QueueFull):
        pool.submit(job(photo))
    assert jobs[1].cancel()
    assert not pool.is_full
    assert isinstance(jobs[0].result(PATIENCE_S), Read)
    pool.stop(PATIENCE_S)
    with pytest.raises(QueueFull):
        pool.submit(job(photo))


def test_a_picture_cannot_take_more_memory_than_its_worker_may(tmp_path: Path) -> None:
    flat = io.BytesIO()
    Image.new("RGB", (7000, 7000), "white").save(flat, "PNG", compress_level=1)
    (tmp_path / "flat.png").write_bytes(flat.getvalue())
    pool = WorkerPool(1, 1, memory_bytes=600_000_000)
    done: Done = pool.submit(job(tmp_path / "flat.png")).result(PATIENCE_S)
    pool.stop(PATIENCE_S)
    assert done == worker.OUT_OF_MEMORY


def test_the_first_worker_is_started_when_a_photo_is_expected_and_no_sooner(photo: Path) -> None:
    others = {process.pid for process in workers()}
    pool = WorkerPool(2, 2)
    assert {process.pid for process in workers()} == others
    pool.expect()
    (ahead,) = {process.pid for process in workers()} - others
    pool.expect()
    assert isinstance(pool.submit(job(photo)).result(PATIENCE_S), Read)
    assert {process.pid for process in workers()} - others == {ahead}
    pool.stop(PATIENCE_S)


def test_nothing_is_left_running() -> None:
    others = len(workers())
    pool = WorkerPool(2, 2)
    pool.expect()
    pool.stop(PATIENCE_S)
    pool.expect()
    assert (pool.taken, len(workers())) == (0, others)
