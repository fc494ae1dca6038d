"""Whether a photo shows a board finely and sharply enough for a line call at all.

The uncertainty of each gap grows with blur and with small pictures; these limits are where the picture no
longer shows what is measured, and where no uncertainty can be trusted.
"""

from __future__ import annotations

import numpy as np

from calibration.board import FittedBoard
from vision.linecall_errors import LineCallError, LineCallFault

LEAST_PX_PER_MM = 0.7  # a painted line of usual width is a pixel wide
MOST_BLUR_MM = 1.2  # one sigma of the blur: beyond, errors have outgrown their sigmas (docs/decisions/032)


def require_sharp(photo: str, board: FittedBoard) -> None:
    """Raise :class:`LineCallError` when a photo is too small or too blurred to tell."""
    scale = board.view.scale_px_per_mm()
    if scale < LEAST_PX_PER_MM:
        raise LineCallError(
            LineCallFault.TOO_SMALL,
            f"the board is too small in the picture: {scale:.2f} pixels a millimetre, and a line call needs "
            f"{LEAST_PX_PER_MM:g}: go nearer, or give the original photo",
            photo,
        )
    blur_px = float(np.median([line.blur_px for line in board.lines]))
    if blur_px / scale > MOST_BLUR_MM:
        raise LineCallError(
            LineCallFault.TOO_BLURRED,
            f"the picture is too blurred: edges are smeared over {2 * blur_px:.1f} pixels "
            f"({2 * blur_px / scale:.1f} mm), and a line call needs {2 * MOST_BLUR_MM:g} mm or less: hold "
            "the camera still and let it focus",
            photo,
        )
