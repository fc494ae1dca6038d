"""``crokinole serve``: the service on one address, until it is told to stop."""

from __future__ import annotations

import threading
import webbrowser
from pathlib import Path

from service.settings import Settings, load_settings, shown


def settings_from_words(
    *, host: str | None, port: int | None, data: Path | None, config: Path | None
) -> Settings:
    """The settings in force. Raises :class:`~service.errors.UsageError`."""
    return load_settings(config, host=host, port=port, data_dir=data)


def print_settings(settings: Settings) -> None:
    """Print the settings as TOML, secrets masked."""
    print(shown(settings))


def run_serve(settings: Settings, *, open_page: bool) -> None:
    """Serve until a signal comes; what was accepted is finished first."""
    from service.http.app import create_app
    from service.http.server import serve

    if open_page:
        # The browser is slower than the server, which starts within this second.
        threading.Timer(1.0, webbrowser.open, [f"http://{settings.host}:{settings.port}/"]).start()
    serve(create_app(settings), settings)
