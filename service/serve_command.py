"""``crokinole serve``: the service on one address, until it is told to stop."""

from __future__ import annotations

import threading
import webbrowser
from pathlib import Path

from service.errors import UsageError
from service.settings import Settings, load_settings, shown


def settings_from_words(
    *,
    host: str | None = None,
    port: int | None = None,
    data: Path | None = None,
    config: Path | None = None,
) -> Settings:
    """The settings in force. Raises :class:`~service.errors.UsageError`."""
    return load_settings(config, host=host, port=port, data_dir=data)


def print_settings(settings: Settings) -> None:
    """Print the settings as TOML, secrets masked."""
    print(shown(settings))


def run_serve(settings: Settings, *, open_page: bool) -> None:
    """Serve until a signal comes; what was accepted is finished first.

    Raises :class:`~service.errors.UsageError` when it cannot start.
    """
    from service.http.app import create_app
    from service.http.server import serve
    from service.serve_start import check_can_start

    check_can_start(settings)
    if open_page:
        # The browser is slower than the server, which starts within this second.
        threading.Timer(1.0, webbrowser.open, [f"http://{settings.host}:{settings.port}/"]).start()
    serve(create_app(settings), settings)


def write_diagnostics(settings: Settings, out: Path) -> None:
    """Write the bundle for a bug report. Raises :class:`~service.errors.UsageError` where it cannot be."""
    from service.diagnostics import write_bundle

    try:
        write_bundle(settings, out)
    except OSError as error:
        raise UsageError(f"{out} cannot be written: {error.strerror}") from error
