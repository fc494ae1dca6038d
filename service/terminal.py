"""A scored photo for a person at a terminal: a short table, the winner, what to look at twice and why.

Colour and width come from the terminal; in a pipe the same words come out plain.
"""

from __future__ import annotations

from collections import Counter

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from scoring.rounds import REGIONS
from service.compose import ScoredPhoto

_PIPE_WIDTH = 100


def console_for(*, stream_is_error: bool = False) -> Console:
    """A console on standard output or standard error that marks nothing up by itself."""
    console = Console(stderr=stream_is_error, highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        # A pipe has no width; rich would take 80 and fold the table.
        console.width = max(console.width, _PIPE_WIDTH)
    return console


def printable(text: str) -> str:
    """Text that stays on its line: file names may hold control characters or bytes that are no letters."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def say(console: Console, message: str) -> None:
    """One line to a person, under the command's name."""
    console.print(Text(f"crokinole: {message}"), soft_wrap=True)


def show_scored(console: Console, scored: ScoredPhoto) -> None:
    """Print one photo's score."""
    console.print(Text(printable(scored.seen.photo), style="bold"), soft_wrap=True)
    console.print(_table(scored))
    console.print(Text(f"{printable(scored.result_words)}.", style="bold"), soft_wrap=True)
    if scored.review:
        console.print(Text("Look at these again:", style="yellow"))
    teams = {disc.id: disc.team for disc in scored.seen.discs}
    for review in scored.review:
        words = f"  disc {review.disc} ({teams[review.disc]}): {printable(review.why)}"
        console.print(Text(words, style="bold yellow" if review.decides else "yellow"), soft_wrap=True)


def _table(scored: ScoredPhoto) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("side")
    # "out" is everything worth nothing: in the ditch, or on the shooting line.
    for heading in ("20", "15", "10", "5", "out", "board", "20s removed"):
        table.add_column(heading, justify="right")
    table.add_column("total", justify="right", style="bold")
    colours = _team_colours(scored)
    for side in scored.score.sides:
        label = Text("● ", style=colours.get(side.side, "")) + Text(
            printable(scored.called(side.side)), style="default"
        )
        counts = [str(side.regions[region] or "") for region in REGIONS]
        twenties = str(side.twenties) if scored.twenties_given else "-"
        table.add_row(label, *counts, str(side.board), twenties, str(side.total))
    return table


def _team_colours(scored: ScoredPhoto) -> dict[str, str]:
    """The colour most discs of each team have, as ``#rrggbb``."""
    seen: dict[str, Counter[str]] = {}
    for disc in scored.seen.discs:
        seen.setdefault(disc.team, Counter())[disc.colour] += 1
    return {team: colours.most_common(1)[0][0] for team, colours in seen.items()}
