from __future__ import annotations

from types import ModuleType

import pytest

import calibration.errors
import scoring.errors
from calibration.equipment import EquipmentError
from calibration.errors import CameraFileError, FitError, NoBoardError
from scoring.errors import BadFact, IllegalEvent, ScoringError, ScoringMisuse, UnknownKey
from service.errors import FAILURES, ExitStatus, Failure, UsageError, failure_of
from vision.picture_errors import PictureError, PictureFault


@pytest.mark.parametrize("code", PictureFault)
def test_every_picture_fault_is_not_a_picture(code):
    failure = failure_of(PictureError(code, "what to do"))
    assert failure == Failure(code.value, "what to do", ExitStatus.NOT_A_PICTURE)


@pytest.mark.parametrize(
    ("error", "code", "status"),
    [
        (NoBoardError("only two rings"), "no_board", 4),
        (FitError("too few points"), "no_board", 4),
        (CameraFileError("no such key"), "bad_camera", 2),
        (EquipmentError("board.x"), "bad_equipment", 2),
        (UnknownKey("x"), "bad_rules", 2),
        (UsageError("no"), "usage", 2),
        (UsageError("no", "unknown_team"), "unknown_team", 2),
    ],
)
def test_every_failure_has_a_code_and_a_status(error, code, status):
    failure = failure_of(error)
    assert (failure.code, failure.status) == (code, status)
    assert failure.message == str(error)


def test_a_message_is_one_line():
    assert failure_of(UsageError("first\n  second")).message == "first second"


def errors_of(module: ModuleType) -> set[type[Exception]]:
    return {kind for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, Exception)}


def test_no_error_of_calibration_is_left_without_a_status():
    assert errors_of(calibration.errors)
    assert all(issubclass(kind, FAILURES) for kind in errors_of(calibration.errors))


def test_of_scoring_only_what_people_type_is_a_failure():
    # The rest says that measured facts contradict each other, which nobody who types can cause or mend.
    bugs = {kind for kind in errors_of(scoring.errors) if not issubclass(kind, FAILURES)}
    assert bugs == {ScoringError, BadFact, IllegalEvent, ScoringMisuse}


@pytest.mark.parametrize("bug", [BadFact("a bug"), KeyError("a bug")])
def test_a_bug_is_not_dressed_up_as_a_failure(bug):
    assert not isinstance(bug, FAILURES)
    with pytest.raises(TypeError, match="a bug"):
        failure_of(bug)
