"""One photo as a person sees it: any format a phone writes becomes the same array of pixels.

Formats differ in who turns the picture upright: OpenCV does it for JPEG, Pillow never, pillow-heif always.
Here every decoder hands over the pixels as stored, and they are turned once, in one place.
"""

from __future__ import annotations

import io
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageChops, ImageFile

from calibration.pixels import AtHand, Pixels
from vision.memory import keep_freed_memory
from vision.picture_errors import PictureError, PictureFault
from vision.picture_exif import exif_facts
from vision.picture_format import READABLE, picture_format
from vision.picture_jpeg import JpegOnItsWay, jpeg_pixels

__all__ = [
    "MAX_BYTES",
    "MAX_PIXELS",
    "Picture",
    "PictureError",
    "PictureFault",
    "load_picture",
    "open_picture",
]

MAX_PIXELS = 51_000_000
"""50 megapixels as cameras count them: their sensors run to 8192 x 6144."""
MAX_SIDE_PX = 20_000
MIN_SIDE_PX = 64
"""Below this the lines of a board are thinner than anything that can be found."""
_REDUCED_PX = 900
"""Longer side of the copy that a JPEG is reduced to at least: what the board is first looked for in."""
MAX_BYTES = 512_000_000
"""More than a 50-megapixel picture takes in any of the formats, uncompressed 16-bit colour included."""


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A photo, upright and at full resolution.

    ``focal_35mm`` is EXIF's focal length as for 35 mm film. ``exif_size_px`` is the width and height that
    EXIF states, turned upright like the picture: where it differs from the real size, the photo has been
    cropped or scaled since it was taken, and a crop makes the focal length wrong. ``camera`` is the maker and
    model, ``taken`` the time by the camera's clock; empty when not stated.
    """

    pixels: Pixels
    name: str
    format: str
    focal_35mm: float | None = None
    exif_size_px: tuple[int, int] | None = None
    camera: str = ""
    taken: str = ""

    @property
    def rgb(self) -> NDArray[np.uint8]:
        """All pixels (height, width, 3). Raises :class:`PictureError` where `open_picture` says so."""
        return self.pixels.whole()

    @property
    def width_px(self) -> int:
        """Width of the upright picture."""
        return self.pixels.size_px[0]

    @property
    def height_px(self) -> int:
        """Height of the upright picture."""
        return self.pixels.size_px[1]


def load_picture(source: Path | str | bytes, name: str | None = None) -> Picture:
    """The picture in a file, or in the bytes of one. Raises :class:`PictureError`.

    ``name`` is what the picture is called in results; by default the path as given.
    """
    picture = open_picture(source, name)
    picture.pixels.whole()
    return picture


def open_picture(source: Path | str | bytes, name: str | None = None) -> Picture:
    """The same, back as soon as there is something to look at.

    The pixels of a large JPEG may still be on their way: its ``rgb`` waits for them and raises
    :class:`PictureError` where they are damaged.
    """
    keep_freed_memory()
    data = source if isinstance(source, bytes) else _file_bytes(Path(source))
    if name is None:
        name = "picture" if isinstance(source, bytes) else str(source)
    kind = _readable_format(data)
    try:
        image = _open(data, kind)
    except Image.DecompressionBombError as error:
        raise _too_large() from error
    # Decoders fed a broken file raise whatever their parser trips over: OSError, SyntaxError, struct.error.
    except Exception as error:
        raise _damaged() from error
    _check_one_frame(image, kind)
    _check_size(*image.size)
    with _damage_told():
        # Before the EXIF data are read: for a PNG's that decodes it too, and passes over what is damaged.
        stored = None if _is_plain_jpeg(image) else _stored(image)
    facts = exif_facts(image)
    with _damage_told():
        pixels = _pixels_of(data, image.size, stored, facts.orientation)
    return Picture(
        pixels=pixels,
        name=name,
        format=kind,
        focal_35mm=facts.focal_35mm,
        exif_size_px=facts.size_px,
        camera=facts.camera,
        taken=facts.taken,
    )


def _file_bytes(path: Path) -> bytes:
    try:
        info = path.stat()
        if stat.S_ISDIR(info.st_mode):
            raise PictureError(PictureFault.NOT_A_FILE, "this is a folder: name the photos in it")
        # A pipe or a device may never end, so only ordinary files are read.
        if not stat.S_ISREG(info.st_mode):
            raise PictureError(
                PictureFault.NOT_A_FILE, "this is not an ordinary file: save the photo to one first"
            )
        if info.st_size > MAX_BYTES:
            raise _too_large()
        return path.read_bytes()
    # ValueError: a name with a zero byte in it, which no file can have.
    except (FileNotFoundError, NotADirectoryError, ValueError) as error:
        raise PictureError(PictureFault.MISSING, "there is no such file: check the name") from error
    except PermissionError as error:
        raise PictureError(
            PictureFault.UNREADABLE, "this file may not be read: change its permissions or copy it"
        ) from error
    except OSError as error:
        raise PictureError(
            PictureFault.UNREADABLE, "the system cannot read this file: copy the photo again"
        ) from error


def _readable_format(data: bytes) -> str:
    if not data:
        raise PictureError(PictureFault.EMPTY, "the file is empty: copy the photo again")
    kind = picture_format(data)
    formats = f"{', '.join(READABLE[:-1])} or {READABLE[-1]}"
    if kind is None:
        raise PictureError(PictureFault.NOT_A_PICTURE, f"this is not a picture: give a {formats} file")
    if kind not in READABLE:
        raise PictureError(
            PictureFault.UNSUPPORTED_FORMAT, f"this is a {kind} file: save the photo as {formats}"
        )
    return kind


def _open(data: bytes, kind: str) -> ImageFile.ImageFile:
    """The picture's header, read by the one parser for its format; pixels stay undecoded.

    The format is known, so Pillow's search through its parsers, with its own idea of too many pixels, is
    not used.
    """
    stream = io.BytesIO(data)
    match kind:
        case "JPEG":
            from PIL.JpegImagePlugin import JpegImageFile

            return JpegImageFile(stream)
        case "PNG":
            from PIL.PngImagePlugin import PngImageFile

            return PngImageFile(stream)
        case "WebP":
            from PIL.WebPImagePlugin import WebPImageFile

            return WebPImageFile(stream)
        case "AVIF":
            from PIL.AvifImagePlugin import AvifImageFile

            return AvifImageFile(stream)
        case _:
            from pillow_heif import HeifImageFile

            return HeifImageFile(stream)  # type: ignore[no-untyped-call]


def _check_one_frame(image: ImageFile.ImageFile, kind: str) -> None:
    # A HEIC file may hold further pictures beside its main one (bursts, depth); that is not animation.
    if kind != "HEIC" and getattr(image, "is_animated", False):
        raise PictureError(
            PictureFault.ANIMATED, "this is an animation, not a photo: save the one frame to be read"
        )


def _check_size(width_px: int, height_px: int) -> None:
    if width_px * height_px > MAX_PIXELS or max(width_px, height_px) > MAX_SIDE_PX:
        raise _too_large()
    if min(width_px, height_px) < MIN_SIDE_PX:
        raise PictureError(
            PictureFault.TOO_SMALL,
            f"{width_px} x {height_px} pixels are too few to see a board in: give the original photo",
        )


def _too_large() -> PictureError:
    return PictureError(PictureFault.TOO_LARGE, "the picture is too large: scale it to 50 megapixels or less")


def _damaged() -> PictureError:
    return PictureError(PictureFault.DAMAGED, "the picture is damaged or incomplete: copy the photo again")


@contextmanager
def _damage_told() -> Iterator[None]:
    """Whatever a decoder raises means a damaged file, unless there is too little memory."""
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:
        if isinstance(error, cv2.error) and error.code == cv2.Error.StsNoMem:
            raise MemoryError from error
        raise _damaged() from error


def _is_plain_jpeg(image: ImageFile.ImageFile) -> bool:
    return image.format == "JPEG" and image.mode in ("RGB", "L")


def _pixels_of(
    data: bytes, size_px: tuple[int, int], stored: NDArray[np.uint8] | None, orientation: int
) -> Pixels:
    """The pixels, upright: those ``stored``, or of a JPEG that is still to be decoded."""
    if stored is not None:
        return AtHand(_upright(stored, orientation))
    reduction = max((by for by in (1, 2, 4, 8) if max(size_px) >= by * _REDUCED_PX), default=1)
    if reduction > 1:
        return _OnTheirWay(JpegOnItsWay(data, reduction), size_px, orientation)
    return AtHand(_upright(jpeg_pixels(data), orientation))


class _OnTheirWay:
    """The upright pixels of a JPEG that is being decoded."""

    def __init__(self, jpeg: JpegOnItsWay, stored_px: tuple[int, int], orientation: int) -> None:
        self._jpeg = jpeg
        self._orientation = orientation
        self._reduced = _upright(jpeg.reduced, orientation)
        self._whole: NDArray[np.uint8] | None = None
        self.size_px = stored_px if orientation < 5 else (stored_px[1], stored_px[0])

    def whole(self) -> NDArray[np.uint8]:
        if self._whole is None:
            with _damage_told():
                whole = _upright(self._jpeg.whole(), self._orientation)
                if whole.shape[1::-1] != self.size_px:
                    raise ValueError("two headers give two sizes")
            self._whole = whole
        return self._whole

    def reduced(self) -> NDArray[np.uint8]:
        return self._reduced


def _stored(image: ImageFile.ImageFile) -> NDArray[np.uint8]:
    """The pixels as stored, as uint8 RGB."""
    if image.mode.startswith("I;16"):
        # Pillow would clip to 255 instead of scaling.
        grey = (np.asarray(image) >> 8).astype(np.uint8)
        return np.repeat(grey[:, :, np.newaxis], 3, axis=2)
    return np.array(_opaque_rgb(image))


def _opaque_rgb(image: Image.Image) -> Image.Image:
    if image.has_transparency_data:
        layer = image.convert("RGBA")
        paper = Image.new("RGB", layer.size, "white")
        paper.paste(layer, mask=layer.getchannel("A"))
        return paper
    if image.mode == "CMYK" and "adobe" not in image.info:
        # Pillow takes every CMYK JPEG to be stored inverted, as Adobe does; files without its mark are not.
        return ImageChops.invert(image).convert("RGB")
    return image.convert("RGB")


def _upright(stored: NDArray[np.uint8], orientation: int) -> NDArray[np.uint8]:
    """The pixels turned as EXIF orientation 1 to 8 asks (TIFF 6.0, tag 274), read-only."""
    turned: cv2.typing.MatLike = stored
    if orientation in (5, 7):
        turned = cv2.transpose(turned)
    match orientation:
        case 2:
            turned = cv2.flip(turned, 1)
        case 3 | 7:
            turned = cv2.rotate(turned, cv2.ROTATE_180)
        case 4:
            turned = cv2.flip(turned, 0)
        case 6:
            turned = cv2.rotate(turned, cv2.ROTATE_90_CLOCKWISE)
        case 8:
            turned = cv2.rotate(turned, cv2.ROTATE_90_COUNTERCLOCKWISE)
    upright = turned.astype(np.uint8, copy=False)
    upright.flags.writeable = False
    return upright
