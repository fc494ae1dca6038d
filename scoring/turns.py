"""Whose turn it is within a round, and what is left to shoot."""

from __future__ import annotations

from dataclasses import dataclass, replace

from scoring.lineup import Seat
from scoring.rules import RoundStart, ShootingOrder


@dataclass(frozen=True, slots=True)
class Turns:
    """The shooting in one round so far.

    ``due`` is the seat whose turn it is to start the round. ``opened_by`` is the seat that did start it,
    ``last`` the one that shot last; both are None before the first shot. ``shots`` counts by seat.
    """

    seats: tuple[Seat, ...]
    discs_each: int
    round_start: RoundStart
    order: ShootingOrder
    due: int
    shots: tuple[int, ...]
    opened_by: int | None = None
    last: int | None = None
    horn: bool = False

    @property
    def discs_left(self) -> tuple[int, ...]:
        """Discs not yet shot, by seat."""
        return tuple(self.discs_each - shot for shot in self.shots)

    def shots_by_side(self) -> dict[int, int]:
        """Return shots taken by side."""
        counts: dict[int, int] = {}
        for seat, shot in zip(self.seats, self.shots, strict=True):
            counts[seat.side] = counts.get(seat.side, 0) + shot
        return counts

    def may_shoot(self) -> tuple[int, ...]:
        """Return the seats that may shoot next; none when the round's shooting is over."""
        if self.last is None:
            return () if self.horn else self._starters()
        left = [seat for seat in self._next(self.last) if self.shots[seat] < self.discs_each]
        if self.horn:
            # wcc-2011 4.2.5, nca time: a side with one shot less may take one last shot.
            taken = self.shots_by_side()
            left = [seat for seat in left if taken[self.seats[seat].side] < max(taken.values())]
        return tuple(left)

    def shoot(self, seat: int) -> Turns:
        """Return the turns after that seat has shot; the caller has asked `may_shoot`."""
        shots = (*self.shots[:seat], self.shots[seat] + 1, *self.shots[seat + 1 :])
        opened_by = seat if self.opened_by is None else self.opened_by
        return replace(self, shots=shots, opened_by=opened_by, last=seat)

    def _starters(self) -> tuple[int, ...]:
        if self.round_start is RoundStart.CLOCKWISE:
            # depot 2d, traditional Stroke 2: the start moves clockwise, in singles it alternates.
            return (self.due,)
        # wcc-2011 4.1.8.1: it alternates between the sides, and either partner may begin.
        return self._of_side(self.seats[self.due].side)

    def _next(self, last: int) -> tuple[int, ...]:
        following = (last + 1) % len(self.seats)
        if self.order is ShootingOrder.CLOCKWISE:
            # depot 2a, popular 2, wcc-2011 4.1.4, printable Turn 1.
            return (following,)
        # depot 7c: after the first shot either opponent may shoot.
        return self._of_side(self.seats[following].side)

    def _of_side(self, side: int) -> tuple[int, ...]:
        return tuple(index for index, seat in enumerate(self.seats) if seat.side == side)
