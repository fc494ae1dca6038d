"""One message to watchers, put into letters once for all of them."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

#: What a watcher is sent when nothing happened for a while, so that a page can tell a dead connection.
HEARTBEAT = "heartbeat"
SNAPSHOT = "snapshot"


@dataclass(frozen=True, slots=True)
class Message:
    """``text`` is the JSON of a WebSocket message, ``event`` the same as a server-sent event.

    ``t_s`` is when it was published, in seconds since the epoch.
    """

    seq: int
    t_s: float
    text: str
    event: bytes


def message(body: Mapping[str, Any]) -> Message:
    """A message from its fields, of which ``seq`` and ``t_s`` are two."""
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    # JSON has no raw line breaks, so that one data line holds it.
    event = f"id: {body['seq']}\ndata: {text}\n\n".encode()
    return Message(body["seq"], body["t_s"], text, event)


def snapshot_message(table: Mapping[str, Any]) -> Message:
    """The whole of a table as it is; ``seq`` is the number of the last message that is in it."""
    head = {"seq": table["seq"], "t_s": round(time.time(), 3), "type": SNAPSHOT}
    return message({**head, **table})


def heartbeat(seq: int) -> Message:
    """Nothing has happened since ``seq``."""
    return message({"seq": seq, "t_s": round(time.time(), 3), "type": HEARTBEAT})
