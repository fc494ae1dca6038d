"""A table's camera, whole: a real stream, a real server, one tap."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from websockets.sync.client import ClientConnection

from benchmarks.service_processes import free_port
from service.client import Client, Refused
from tests.service.camera.streams import mjpeg_stream, rtsp_stream
from tests.service.running import PATIENCE_S, Running, heard, running

SAMPLES = Path(__file__).parents[3] / "sample_images"
SAMPLE = SAMPLES / "kitchen-table.jpg"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("cameras"), uploads_per_minute=10_000) as started:
        yield started


@pytest.fixture
def client(service: Running) -> Iterator[Client]:
    with Client(service.address) as made:
        yield made


def true_totals() -> list[int]:
    totals: dict[str, int] = json.loads(SAMPLE.with_suffix(".json").read_text(encoding="utf-8"))["totals"]
    return sorted(totals.values())


def captured(client: Client, table: str) -> dict[str, Any]:
    """What one tap gives, when the camera has had time to begin."""
    ends = time.monotonic() + 3 * PATIENCE_S
    while True:
        try:
            return client.capture(table)
        except Refused as refused:
            assert refused.code in ("no_frames", "source_lost", "not_still", "no_board"), refused
            assert time.monotonic() < ends, refused


def told(socket: ClientConnection, type: str) -> dict[str, Any]:
    """The next message of that type. Heartbeats go on for ever, so the time is limited here."""
    ends = time.monotonic() + 3 * PATIENCE_S
    while (message := heard(socket))["type"] != type:
        assert time.monotonic() < ends, f"no {type!r} came"
    return message


@pytest.mark.parametrize("stream", [mjpeg_stream, rtsp_stream])
def test_a_round_is_scored_from_a_stream_also_after_it_was_cut(
    service: Running, client: Client, stream: Any
) -> None:
    table, port = stream.__name__, free_port()
    with stream(SAMPLE, port) as address:
        client.set_table(table, camera={"source": address})
        with service.watching(table) as socket:
            assert told(socket, "source")["state"] == "back"
            reading = captured(client, table)
            assert sorted(side["total"] for side in reading["sides"]) == true_totals()
            heard_of = told(socket, "reading")
            assert heard_of["reading"] == reading["id"]
    # Since the reading: that the stream was cut may be told before or after this watcher comes.
    with service.watching(table, f"?since={heard_of['seq']}") as socket:
        assert told(socket, "source")["state"] == "lost"
        with pytest.raises(Refused) as refused:
            client.capture(table)
        assert (refused.value.status, refused.value.code) == (409, "source_lost")
        with stream(SAMPLE, port):
            assert told(socket, "source")["state"] == "back"
            again = captured(client, table)
    # the same position is read the same from other frames of it
    assert again["sides"] == reading["sides"]
    client.set_table(table, camera=None)


def test_the_preview_shows_the_board_with_its_lines_and_evidence_is_kept(client: Client) -> None:
    with mjpeg_stream(SAMPLE, free_port()) as address:
        client.set_table("preview", camera={"source": address})
        reading = captured(client, "preview")
        seen = cv2.imdecode(np.frombuffer(client.preview("preview"), np.uint8), cv2.IMREAD_COLOR_RGB)
        kept = cv2.imdecode(np.frombuffer(client.photo(reading["photo_sha256"]), np.uint8), cv2.IMREAD_COLOR)
        client.set_table("preview", camera=None)
    assert kept.shape == (reading["height_px"], reading["width_px"], 3)
    factor = seen.shape[1] / reading["width_px"]
    line = np.array(reading["board"]["lines_px"]["5"]) * factor
    at = np.rint(line[::6]).astype(int)
    # the preview's lines are green, where the reading has the 5 line
    near = [seen[y - 1 : y + 2, x - 1 : x + 2].reshape(-1, 3).astype(int) for x, y in at]
    green = [bool((pixels[:, 1] - pixels[:, 0] > 60).any()) for pixels in near]
    assert np.mean(green) > 0.9


def test_a_table_without_a_camera_says_so(client: Client) -> None:
    client.set_table("bare", event_name="")
    for ask in (client.capture, client.preview):
        with pytest.raises(Refused) as refused:
            ask("bare")
        assert (refused.value.status, refused.value.code) == (409, "no_camera")


def test_a_process_may_leave_the_cameras_to_another(tmp_path: Path) -> None:
    with running(tmp_path, cameras=False) as service, Client(service.address) as client:
        client.set_table("hall", camera={"source": "0"})
        for ask in (client.capture, client.preview):
            with pytest.raises(Refused) as refused:
                ask("hall")
            assert (refused.value.status, refused.value.code) == (409, "cameras_elsewhere")


def test_a_camera_that_never_answers_is_lost(client: Client) -> None:
    client.set_table("dead", camera={"source": f"http://127.0.0.1:{free_port()}/nothing"})
    with pytest.raises(Refused) as refused:
        client.preview("dead")
    assert refused.value.code in ("no_frames", "source_lost")
    assert refused.value.status == 409
    client.set_table("dead", camera=None)
