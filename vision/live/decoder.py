"""How the video decoder is to open a source. Apart from it, because OpenCV reads this when it is loaded."""

from __future__ import annotations

from vision.live.address import SourceAddress, SourceKind


def decoder_options(address: SourceAddress) -> dict[str, str]:
    """Environment for a process that looks at ``address``, set before OpenCV is loaded.

    Streams come over TCP, are not buffered, are studied for at most a second before they are shown, and
    may refer to nothing but the network; a film may refer to nothing but files.
    """
    if address.kind is SourceKind.STREAM:
        allowed = "rtsp,rtp,udp,tcp,tls,http,https,httpproxy,crypto"
        options = f"rtsp_transport;tcp|fflags;nobuffer|analyzeduration;1000000|protocol_whitelist;{allowed}"
    else:
        options = "protocol_whitelist;file"
    return {
        "OPENCV_FFMPEG_CAPTURE_OPTIONS": options,
        # The decoder's remarks on every torn frame help nobody.
        "OPENCV_LOG_LEVEL": "SILENT",
        "OPENCV_FFMPEG_LOGLEVEL": "-8",
    }
