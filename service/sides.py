"""Who plays: ``--sides`` and ``--twenties`` as typed, and how they fit the teams seen in a photo."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from service.errors import UsageError

_MOST_SIDES = 4
_MOST_TWENTIES = 99


@dataclass(frozen=True, slots=True)
class Sides:
    """Names and removed 20s by team word; both may be empty. Words are in lower case."""

    names: Mapping[str, str] = field(default_factory=dict)
    twenties: Mapping[str, int] = field(default_factory=dict)

    @property
    def expected(self) -> int:
        """How many teams to tell apart: two, or as many as were named."""
        return max(2, len(self.names))

    def teams(self, seen: Iterable[str]) -> tuple[str, ...]:
        """The teams of a round: those seen, and those asked for that have no disc left.

        A word that was not seen can only be a team without discs, so it is accepted while a team is still
        missing, and is a slip of the keyboard otherwise: then raises :class:`UsageError`. There are always
        two; a side nobody saw or named is called ``other``.
        """
        seen = tuple(seen)
        teams = list(seen)
        for word in (*self.names, *self.twenties):
            if word in teams:
                continue
            if len(teams) >= self.expected:
                raise UsageError(f"no team {word!r} in this photo: it has {_listed(seen)}", "unknown_team")
            teams.append(word)
        for spare in ("other",) if teams else ("dark", "light"):
            if len(teams) < 2:
                teams.append(spare)
        return tuple(teams)


def sides_from_text(sides: str | None, twenties: Iterable[str]) -> Sides:
    """``dark=Anna,light=Ben`` and several ``TEAM=N`` as values. Raises :class:`UsageError`.

    A 20 may be credited to a team word or to the name that ``--sides`` gives it.
    """
    names = _names(sides) if sides is not None else {}
    team_of = {name.casefold(): team for team, name in names.items()}
    counts: dict[str, int] = {}
    for item in twenties:
        word, count = _pair(item, "--twenties", "dark=2")
        team = word if word in names else team_of.get(word, word)
        if team in counts:
            raise UsageError(f"--twenties gives {team!r} twice")
        counts[team] = _count(count, item)
    return Sides(names, counts)


def _names(text: str) -> dict[str, str]:
    names: dict[str, str] = {}
    for item in text.split(","):
        team, name = _pair(item, "--sides", "dark=Anna,light=Ben")
        if team in names:
            raise UsageError(f"--sides names {team!r} twice")
        names[team] = name
    if len({name.casefold() for name in names.values()}) < len(names):
        raise UsageError("--sides gives two teams the same name")
    if len(names) > _MOST_SIDES:
        raise UsageError(f"--sides names {len(names)} teams: at most {_MOST_SIDES} can play")
    return names


def _pair(item: str, option: str, example: str) -> tuple[str, str]:
    """A team word in lower case and what it is given."""
    team, _, value = (part.strip() for part in item.partition("="))
    if not team or not value:
        raise UsageError(f"{option} is written like {example}, not {item!r}")
    return team.casefold(), value


def _count(text: str, item: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= _MOST_TWENTIES):
        raise UsageError(f"--twenties counts discs, 0 to {_MOST_TWENTIES}, like dark=2, not {item!r}")
    return int(text)


def _listed(words: tuple[str, ...]) -> str:
    return " and ".join(words) or "no discs"
