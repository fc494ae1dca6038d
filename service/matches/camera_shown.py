"""A table's camera as anybody may see it: the password in its address stays here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

#: The password of ``rtsp://user:password@host``. It may itself hold an ``@``, so the last one ends it.
_PASSWORD = re.compile(r"(?<=://)([^/:]*):([^/]*)@")

_HIDDEN = r"\1:***@"


def shown_camera(camera: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """A stored camera without its password."""
    if camera is None:
        return None
    return {**camera, "source": _PASSWORD.sub(_HIDDEN, camera["source"])}


def told_camera(told: Mapping[str, Any], stored: Mapping[str, Any] | None) -> dict[str, Any]:
    """The camera to store: what was told, or what is there when just its shown form was sent back."""
    return dict(stored) if stored is not None and told == shown_camera(stored) else dict(told)
