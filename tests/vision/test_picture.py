from __future__ import annotations

import io
import os
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image, ImageCms

from calibration.pixels import AtHand
from tests.pictures import BAD_FILES, CORNERS, SIZE_PX, encoded, exif, marked, png_of_claimed_size
from vision.picture import MAX_BYTES, Picture, PictureError, PictureFault, load_picture
from vision.picture_format import READABLE, picture_format

# The stored picture is the upright one put through the inverse of what each orientation asks for.
STORED_AS = {
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}


def corner_colours(picture: Picture) -> dict[str, tuple[int, ...]]:
    at = 8
    points = {"top left": (at, at), "top right": (at, -at), "bottom left": (-at, at)}
    return {name: tuple(int(value) for value in picture.rgb[point]) for name, point in points.items()}


def assert_upright(picture: Picture) -> None:
    assert (picture.width_px, picture.height_px) == SIZE_PX
    for name, colour in corner_colours(picture).items():
        assert colour == pytest.approx(CORNERS[name], abs=12), name


@pytest.mark.parametrize("kind", READABLE)
def test_every_format_reads_as_the_same_picture(kind):
    picture = load_picture(encoded(marked(), kind))
    assert picture.format == kind
    assert_upright(picture)


@pytest.mark.parametrize("orientation", STORED_AS)
@pytest.mark.parametrize("kind", READABLE)
def test_orientation_is_honoured_exactly_once(kind, orientation):
    turn = STORED_AS[orientation]
    stored = marked() if turn is None else marked().transpose(turn)
    tags = exif(orientation=orientation)
    data = encoded(stored, kind, exif=tags.tobytes() if kind == "HEIC" else tags)
    assert_upright(load_picture(data))


@pytest.mark.parametrize("orientation", [0, 9, 255])
def test_an_orientation_that_does_not_exist_turns_nothing(orientation):
    assert_upright(load_picture(encoded(marked(), "JPEG", exif=exif(orientation=orientation))))


@pytest.mark.parametrize("kind", READABLE)
@pytest.mark.parametrize("suffix", ["jpg", "png", "txt", ""])
def test_the_suffix_is_never_asked(tmp_path: Path, kind, suffix):
    file = tmp_path / f"photo.{suffix}"
    file.write_bytes(encoded(marked(), kind))
    picture = load_picture(file)
    assert picture.format == kind
    assert picture.name == str(file)


def test_a_name_can_be_given():
    assert load_picture(encoded(marked(), "PNG"), name="round 3").name == "round 3"


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "HEIC"])
@pytest.mark.parametrize(("orientation", "size_px"), [(1, (4032, 3024)), (6, (3024, 4032))])
def test_exif_facts_are_kept_and_upright(kind, orientation, size_px):
    tags = exif(orientation, 26, (4032, 3024), ("Maker", "Phone 12\0"))
    picture = load_picture(encoded(marked(), kind, exif=tags.tobytes() if kind == "HEIC" else tags))
    assert picture.focal_35mm == 26.0
    assert picture.camera == "Maker Phone 12"
    assert picture.exif_size_px == size_px


@pytest.mark.parametrize("tags", [exif(), exif(focal_35mm=0, size_px=(0, 0)), exif(size_px=(4032, 0))])
def test_what_exif_does_not_state_is_unknown(tags):
    picture = load_picture(encoded(marked(), "JPEG", exif=tags))
    assert (picture.focal_35mm, picture.exif_size_px, picture.camera) == (None, None, "")


@pytest.mark.filterwarnings("ignore:Corrupt EXIF data")
@pytest.mark.parametrize("tags", [b"Exif\0\0not exif at all", b"Exif\0\0MM\0*\xff\xff\xff\xff"])
def test_a_photo_with_broken_exif_is_still_a_photo(tags):
    assert_upright(load_picture(encoded(marked(), "JPEG", exif=tags)))


def test_pixels_are_exactly_what_opencv_decodes(tmp_path: Path):
    data = encoded(marked(), "JPEG")
    expected = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert np.array_equal(load_picture(data).rgb[:, :, ::-1], expected)


@pytest.mark.parametrize("kind", READABLE)
def test_grey_becomes_three_equal_channels(kind):
    rgb = load_picture(encoded(Image.linear_gradient("L"), kind)).rgb.astype(int)
    assert np.ptp(rgb, axis=2).max() <= 2
    assert rgb[128, 128, 0] == pytest.approx(128, abs=3)


def test_one_bit_pictures_are_black_and_white():
    picture = load_picture(encoded(marked().convert("1"), "PNG"))
    assert set(np.unique(picture.rgb)) == {0, 255}


def test_a_palette_becomes_colours():
    picture = load_picture(encoded(marked().quantize(8), "PNG"))
    assert corner_colours(picture) == CORNERS


@pytest.mark.parametrize("kind", ["PNG", "WebP", "AVIF", "HEIC"])
def test_what_shows_through_is_white(kind):
    image = marked().convert("RGBA")
    image.paste((0, 0, 0, 0), (0, 0, *SIZE_PX))
    assert load_picture(encoded(image, kind)).rgb.min() >= 250


def test_half_transparent_is_half_white():
    picture = load_picture(encoded(Image.new("LA", SIZE_PX, (0, 128)), "PNG"))
    assert tuple(picture.rgb[0, 0]) == pytest.approx((127, 127, 127), abs=1)


def test_a_transparent_palette_colour_is_white():
    image = Image.new("P", SIZE_PX, 1)
    image.putpalette([0, 0, 0, 0, 0, 200])
    assert load_picture(encoded(image, "PNG", transparency=1)).rgb.min() == 255
    assert tuple(load_picture(encoded(image, "PNG", transparency=0)).rgb[0, 0]) == (0, 0, 200)


@pytest.mark.parametrize("channels", [1, 3, 4])
def test_sixteen_bits_are_scaled_not_clipped(channels):
    ramp = np.tile(np.arange(256, dtype=np.uint16) * 257, (100, 1))
    stored = ramp if channels == 1 else np.dstack([ramp] * 3)
    if channels == 4:
        stored = np.dstack([stored, np.full_like(ramp, 65535)])
    rgb = load_picture(cv2.imencode(".png", stored)[1].tobytes()).rgb
    for channel in range(3):
        assert np.array_equal(rgb[0, :, channel], np.arange(256))


def test_cmyk_as_adobe_stores_it():
    picture = load_picture(encoded(marked().convert("CMYK"), "JPEG"))
    assert_upright(picture)


def test_cmyk_without_adobes_mark_is_not_inverted():
    data = encoded(marked().convert("CMYK").point(lambda ink: 255 - ink), "JPEG")
    mark = data.index(b"\xff\xee")
    length = int.from_bytes(data[mark + 2 : mark + 4], "big")
    assert_upright(load_picture(data[:mark] + data[mark + 2 + length :]))


def test_a_colour_profile_does_no_harm():
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    assert_upright(load_picture(encoded(marked(), "JPEG", icc_profile=profile)))


def test_all_black_is_a_picture():
    assert load_picture(encoded(Image.new("RGB", SIZE_PX), "JPEG")).rgb.max() == 0


def test_bytes_after_the_picture_are_ignored():
    assert_upright(load_picture(encoded(marked(), "JPEG") + b"a short film, as phones append" * 50))


def test_a_phones_jpeg_with_a_second_picture_inside_is_a_photo():
    second = Image.new("RGB", (40, 30), "black")
    assert_upright(load_picture(encoded(marked(), "MPO", save_all=True, append_images=[second], quality=95)))


def test_the_pixels_cannot_be_changed():
    picture = load_picture(encoded(marked(), "JPEG"))
    with pytest.raises(ValueError, match="read-only"):
        picture.rgb[0, 0] = 0


@pytest.mark.parametrize("shape", [(80, 120), (80, 120, 4)])
def test_a_picture_of_another_shape_cannot_be_built(shape):
    with pytest.raises(ValueError, match="rgb must be"):
        AtHand(np.zeros(shape, np.uint8))


def test_fifty_megapixels_are_read():
    picture = load_picture(encoded(Image.new("L", (8192, 6144), 90), "JPEG"))
    assert (picture.width_px, picture.height_px) == (8192, 6144)


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_bad_file_is_refused_with_its_reason(tmp_path: Path, name):
    data, code = BAD_FILES[name]
    file = tmp_path / name
    file.write_bytes(data)
    with pytest.raises(PictureError) as refusal:
        load_picture(file)
    assert refusal.value.code == code
    assert refusal.value.message == str(refusal.value)
    assert "\n" not in refusal.value.message


@pytest.mark.parametrize("kind", READABLE)
@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.97])
def test_a_picture_cut_short_is_never_half_read(kind, share):
    data = encoded(marked((300, 200)).effect_spread(40), kind)
    with pytest.raises(PictureError) as refusal:
        load_picture(data[: int(len(data) * share)])
    assert refusal.value.code in (PictureFault.DAMAGED, PictureFault.NOT_A_PICTURE)


def test_a_bomb_is_refused_before_it_is_unpacked():
    bomb = png_of_claimed_size(19_000, 19_000)
    tracemalloc.start()
    try:
        with pytest.raises(PictureError, match="50 megapixels"):
            load_picture(bomb)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


def refused(path: Path | str) -> PictureFault:
    with pytest.raises(PictureError) as refusal:
        load_picture(path)
    return refusal.value.code


def test_names_that_lead_to_no_ordinary_file(tmp_path: Path):
    (tmp_path / "a.jpg").write_bytes(b"x")
    os.mkfifo(tmp_path / "pipe.jpg")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert refused(tmp_path / "none.jpg") is PictureFault.MISSING
    assert refused(tmp_path / "a.jpg" / "b.jpg") is PictureFault.MISSING
    assert refused("a\0b.jpg") is PictureFault.MISSING
    assert refused(tmp_path) is PictureFault.NOT_A_FILE
    assert refused(tmp_path / "pipe.jpg") is PictureFault.NOT_A_FILE
    assert refused("/dev/null") is PictureFault.NOT_A_FILE
    assert refused(tmp_path / "loop") is PictureFault.UNREADABLE


def test_a_file_larger_than_any_photo_is_not_even_read(tmp_path: Path):
    with (tmp_path / "huge.jpg").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    assert refused(tmp_path / "huge.jpg") is PictureFault.TOO_LARGE


@contextmanager
def ordinary_user() -> Iterator[None]:
    """Permissions do not stop root, so root steps down meanwhile."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(before)


def test_a_file_that_may_not_be_read(tmp_path: Path):
    file = tmp_path / "secret.jpg"
    file.write_bytes(encoded(marked(), "JPEG"))
    file.chmod(0)
    with ordinary_user():
        assert refused(file) is PictureFault.UNREADABLE


def test_every_fault_has_a_test_above():
    shown = {code for _, code in BAD_FILES.values()}
    assert shown | {"missing", "not_a_file", "unreadable"} == set(PictureFault)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"", None),
        (b"\xff\xd8", None),
        (b"RIFF\0\0\0\0WAVE", None),
        (b"\0\0\0\x18ftypmif1\0\0\0\0mif1avif", "AVIF"),
        (b"\0\0\0\x18ftypmif1\0\0\0\0mif1heic", "HEIC"),
        (b"\0\0\0\x14ftypqt  \0\0\0\0qt  ", "video"),
        (b"%PDF-1.7", "PDF"),
    ],
)
def test_formats_are_told_by_their_first_bytes(data, kind):
    assert picture_format(data) == kind


def test_the_file_is_closed(tmp_path: Path):
    # Under the test settings an unclosed file is an error; replacing the file must work at once as well.
    file = tmp_path / "a.png"
    file.write_bytes(encoded(marked(), "PNG"))
    first = load_picture(file)
    file.write_bytes(io.BytesIO(encoded(Image.new("RGB", SIZE_PX), "PNG")).getvalue())
    assert_upright(first)
    assert load_picture(file).rgb.max() == 0
