from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.pictures import encoded, exif, marked, noise
from vision.picture import PictureError, PictureFault, load_picture, open_picture
from vision.picture_jpeg import jpeg_pixels

ROOT = Path(__file__).parents[2]
WHOLE = encoded(noise(), "JPEG")
MIDDLE = len(WHOLE) // 2
DAMAGED = {
    "a block lost": WHOLE[:MIDDLE] + WHOLE[MIDDLE + 4096 :],
    "a block of zeros": WHOLE[:MIDDLE] + bytes(4096) + WHOLE[MIDDLE + 4096 :],
    "a block of another place": WHOLE[:MIDDLE] + WHOLE[2000:6096] + WHOLE[MIDDLE + 4096 :],
    "cut": WHOLE[:MIDDLE],
    "cut, but with an end": WHOLE[:MIDDLE] + b"\xff\xd9",
}


@pytest.mark.parametrize("data", DAMAGED.values(), ids=DAMAGED)
def test_a_jpeg_damaged_in_the_middle_is_refused_and_nothing_else_is_said(data, capfd):
    with pytest.raises(PictureError) as refusal:
        load_picture(data)
    assert refusal.value.code is PictureFault.DAMAGED
    assert capfd.readouterr() == ("", "")


def test_a_whole_jpeg_is_read_in_silence(capfd):
    assert np.abs(jpeg_pixels(encoded(marked(), "JPEG")).astype(int) - np.array(marked())).mean() < 3
    assert capfd.readouterr() == ("", "")


def test_padding_at_the_end_of_the_last_line_is_no_damage(capfd):
    padded = WHOLE[:-2] + bytes(2) + WHOLE[-2:]
    assert np.array_equal(jpeg_pixels(padded), jpeg_pixels(WHOLE))
    assert capfd.readouterr() == ("", "")


def test_what_others_write_meanwhile_still_gets_there():
    program = """
import os, sys
from vision import picture_jpeg
with picture_jpeg._heard() as heard:
    os.write(2, b"first\\n50 %Corrupt JPEG data: bad Huffman code\\nlast\\n")
assert len(heard) == 1
"""
    run = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, check=True)
    assert run.stderr == b"first\n50 %last\n"


@pytest.mark.skipif(os.name != "posix", reason="closes a file descriptor as a POSIX shell does")
def test_a_process_without_standard_error_reads_photos_too(tmp_path: Path):
    (tmp_path / "a.jpg").write_bytes(WHOLE)
    program = "import sys; from vision.picture import load_picture; print(load_picture(sys.argv[1]).width_px)"
    command = ["sh", "-c", 'exec "$@" 2>&-', "sh", sys.executable, "-c", program, str(tmp_path / "a.jpg")]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    assert run.stdout == "400\n"


LARGE = encoded(marked((1900, 1300)), "JPEG")


def test_a_large_jpeg_can_be_looked_at_before_all_of_it_is_decoded(capfd):
    picture = open_picture(LARGE)
    reduced = picture.pixels.reduced()
    assert reduced is not None
    assert (reduced.shape, picture.width_px, picture.height_px) == ((650, 950, 3), 1900, 1300)
    assert np.array_equal(picture.rgb, load_picture(LARGE).rgb)
    blocks = picture.rgb.reshape(650, 2, 950, 2, 3).mean((1, 3))
    assert np.abs(reduced - blocks).mean() < 1.0
    assert capfd.readouterr() == ("", "")


def test_the_reduced_copy_is_upright_too():
    picture = open_picture(encoded(marked((1900, 1300)), "JPEG", exif=exif(orientation=6)))
    reduced = picture.pixels.reduced()
    assert reduced is not None
    assert (picture.width_px, picture.height_px, reduced.shape) == (1300, 1900, (950, 650, 3))
    assert np.abs(reduced - picture.rgb.reshape(950, 2, 650, 2, 3).mean((1, 3))).mean() < 1.0


def test_damage_is_told_when_all_pixels_are_asked_for_and_nothing_else_is_said(capfd):
    large = encoded(noise((1900, 1300)), "JPEG")
    middle = len(large) // 2
    picture = open_picture(large[:middle] + large[middle + 4096 :])
    for _ in range(2):
        with pytest.raises(PictureError) as refusal:
            _ = picture.rgb
        assert refusal.value.code is PictureFault.DAMAGED
    with pytest.raises(PictureError):
        open_picture(large[:middle])
    assert capfd.readouterr() == ("", "")


def test_damage_in_the_middle_of_other_formats_is_refused_too():
    """Also of a PNG, whose EXIF data may lie behind its pixels: looking for them must not hide the damage."""
    png = encoded(noise(), "PNG")
    middle = len(png) // 2
    for broken in (png[:middle] + bytes(64) + png[middle + 64 :], png[:middle] + png[middle + 500 :]):
        with pytest.raises(PictureError) as refusal:
            load_picture(broken)
        assert refusal.value.code is PictureFault.DAMAGED
