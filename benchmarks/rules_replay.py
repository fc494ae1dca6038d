"""How fast a match is replayed: a full match of 100 events should take under a millisecond.

Run ``python -m benchmarks.rules_replay``; it prints one table row a kind of match. Times are the best of
several runs on an otherwise idle machine; the target is `TARGET_MS`.
"""

from __future__ import annotations

import timeit

from scoring.events import Event, MeasuredRound, RoundScored, ShotTaken, TypedRound, Undo
from scoring.lineup import Lineup
from scoring.presets import preset
from scoring.record import Record, append, correct, replay
from scoring.regions import Lie
from scoring.rounds import RoundDisc
from scoring.shots import Verdict

#: A whole match of 100 events, in milliseconds.
TARGET_MS = 1.0

_LIES = (Lie.clear(15), Lie.clear(10), Lie.touching(10), Lie.clear(5))


def measured(extra_a: int, extra_b: int) -> MeasuredRound:
    """Twelve discs left on the board and some 20s, level but for the extra 20s."""
    discs = tuple(RoundDisc(number, "AB"[number % 2], _LIES[number // 2 % 4]) for number in range(12))
    return MeasuredRound(discs, (("A", 1 + extra_a), ("B", 1 + extra_b)))


def tournament_match() -> Record:
    """Every shot of a game that goes to a sudden-death round, measured, corrected, undone: 100 events."""
    record = Record(Lineup.single("A", "B"), preset("nca", "sudden_death"))
    for extras in ((1, 0), (0, 0), (0, 1), (0, 0), (1, 0)):
        for _ in range(16):
            record = append(record, ShotTaken(replay(record).may_shoot[0], Verdict.VALID))
        record = append(record, RoundScored(measured(*extras)))
        record = correct(record, len(record.events) - 1, measured(*extras), "looked again")
        record = append(record, Undo(len(record.events) - 1))
    while len(record.events) < 100:
        # Undoing an undo brings the correction back, and so on.
        record = append(record, Undo(len(record.events) - 1))
    return record


def long_match() -> Record:
    """A hundred rounds typed in, to a target nobody reaches early."""
    events: list[Event] = [RoundScored(TypedRound.of({"A": 20, "B": 20})) for _ in range(99)]
    events.append(RoundScored(TypedRound.of({"A": 120, "B": 20})))
    return Record(Lineup.single("A", "B"), preset("depot", "conventional"), 0, tuple(events))


def measured_match() -> Record:
    """A hundred measured rounds."""
    events = tuple(RoundScored(measured(0, 0)) for _ in range(100))
    return Record(Lineup.single("A", "B"), preset("depot", "conventional"), 0, events)


def best_ms(record: Record, runs: int = 15, each: int = 10) -> float:
    """Return the best time of one replay in milliseconds."""
    return min(timeit.repeat(lambda: replay(record), number=each, repeat=runs)) / each * 1000.0


def main() -> None:
    """Print the table."""
    print("| match | events | replay (ms) |")
    print("|---|---|---|")
    for build in (tournament_match, long_match, measured_match):
        record = build()
        print(f"| {build.__name__.replace('_', ' ')} | {len(record.events)} | {best_ms(record):.2f} |")
    print(f"\nTarget for a whole match of 100 events: under {TARGET_MS:.0f} ms.")


if __name__ == "__main__":
    main()
