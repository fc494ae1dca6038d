"""Which side each team of a photo is: as people say, then by the sides' colours, then what is left over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from service.matches.refusals import Impossible


def sides_of_teams(
    seen: Sequence[str], given: Mapping[str, str], colours: Mapping[str, str], sides: Sequence[str]
) -> dict[str, str]:
    """Return the side of each team word.

    ``seen`` are the words of the photo, ``given`` word to side as people said, ``colours`` side to word as
    the match was set up. One word and one side left over belong together. Raises `Impossible` when it is
    not clear.
    """
    for side in given.values():
        if side not in sides:
            raise Impossible(f"There is no side {side!r}; there are {', '.join(sides)}.")
    teams = dict(given)
    for side, word in colours.items():
        if side not in teams.values():
            teams.setdefault(word, side)
    if len(set(teams.values())) < len(teams):
        raise Impossible("Two teams of the photo cannot be the same side.")
    words = [word for word in seen if word not in teams]
    left = [side for side in sides if side not in teams.values()]
    if len(words) == 1 and len(left) == 1:
        teams[words[0]] = left[0]
        words = []
    if words:
        raise Impossible(
            f'Say which side plays {" and ".join(words)}, like "teams": {{"{words[0]}": "{sides[0]}"}}.'
        )
    return teams
