"""A progress bar for many photos, on standard error and only where somebody watches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rich.console import Console
from rich.progress import Progress, TaskID


@dataclass(frozen=True, slots=True)
class PhotoProgress:
    """A bar over the photos of one run; without a bar it does nothing."""

    bar: Progress | None
    task: TaskID

    @contextmanager
    def one_done(self) -> Iterator[None]:
        """Take the bar away while a photo's result is printed, then show it one step further."""
        if self.bar is None:
            yield
            return
        self.bar.stop()
        yield
        self.bar.advance(self.task)
        self.bar.start()


@contextmanager
def progress_bar(console: Console, photos: int) -> Iterator[PhotoProgress]:
    """A bar for several photos on a terminal; for a single photo, or in a pipe, none."""
    if photos < 2 or not console.is_terminal:
        yield PhotoProgress(None, TaskID(0))
        return
    bar = Progress(console=console, transient=True)
    with bar:
        yield PhotoProgress(bar, bar.add_task("reading photos", total=photos))
