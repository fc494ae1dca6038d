"""The address of a camera may hold a password: it is kept for the camera and shown to nobody."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import select

from service.matches.camera_shown import shown_camera
from service.matches.tables import list_tables, set_table, snapshot
from service.store import Store
from service.store.feed import messages_after
from service.store.tables import tables


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("rtsp://anna:secret@10.0.0.7:554/live", "rtsp://anna:***@10.0.0.7:554/live"),
        ("rtsp://anna:se@cr:et@10.0.0.7/live", "rtsp://anna:***@10.0.0.7/live"),
        ("http://:secret@phone.local/video", "http://:***@phone.local/video"),
        ("http://phone.local:8080/video?at=a:b@c", "http://phone.local:8080/video?at=a:b@c"),
        ("0", "0"),
        ("game.mp4", "game.mp4"),
    ],
)
def test_a_password_is_hidden_and_nothing_else(source: str, shown: str) -> None:
    assert shown_camera({"source": source}) == {"source": shown}


def test_the_password_is_stored_shown_nowhere_and_survives_being_sent_back(store: Store) -> None:
    told = {"source": "rtsp://anna:secret@10.0.0.7/live"}
    with store.write() as connection:
        answer = set_table(connection, "A", event_name=None, camera=told, keeps_camera=False)
    with store.write() as connection:
        # What a page does that shows the address in a field and saves it unchanged.
        set_table(connection, "A", event_name="Open", camera=answer["camera"], keeps_camera=False)
    with store.read() as connection:
        assert connection.execute(select(tables.c.camera)).scalar_one() == told
        told_to_all = [snapshot(connection, "A"), list_tables(connection), messages_after(connection, "A", 0)]
    assert "secret" not in json.dumps(told_to_all) and "***" in json.dumps(told_to_all)
