"""What discs on a board are worth, whether a shot was valid, who won, and what happens next.

Pure Python, immutable values, no pictures, no clock, no I/O. Start at `scoring.presets.preset` for rules,
`scoring.rounds.score_round` for one board, `scoring.shots.judge` for one shot, `scoring.record` for a match.
"""
