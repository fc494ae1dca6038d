"""What a scene is: plain frozen records that say everything about one picture.

Lengths are millimetres in the board frame (origin at the hole's centre, playing surface at z = 0, z up),
angles are degrees, colours are sRGB in 0..1 unless a name says ``linear``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Colour = tuple[float, float, float]
Place = Literal["board", "hole", "ditch", "off"]
Profile = Literal["barrel", "chamfer", "fillet"]
Thing = Literal["cup", "plate", "phone", "arm", "shoe", "bar"]


@dataclass(frozen=True)
class Equipment:
    """Dimensions of a board and its discs, in millimetres."""

    ring_radii_mm: tuple[float, float, float] = (101.6, 203.2, 304.8)
    """To the middle of the painted 15, 10 and 5 lines."""
    line_width_mm: float = 1.6
    hole_diameter_mm: float = 34.9
    hole_depth_mm: float = 6.0
    surface_diameter_mm: float = 660.4
    ditch_depth_mm: float = 19.0
    ditch_width_mm: float = 62.0
    frame_width_mm: float = 22.0
    frame_height_mm: float = 38.0
    """Frame's top above the ditch's floor."""
    frame_sides: int = 8
    """8 for an octagon, 0 for a round frame."""
    peg_count: int = 8
    peg_diameter_mm: float = 8.0
    peg_height_mm: float = 19.0
    peg_phase_deg: float = 22.5
    disc_diameter_mm: float = 31.75
    disc_bottom_diameter_mm: float = 29.2
    disc_thickness_mm: float = 10.0
    disc_profile: Profile = "barrel"
    disc_dish_mm: float = 0.0
    """Depth of the shallow hollow in a disc's top face; its rim stays at full thickness."""

    def __post_init__(self) -> None:
        """Refuse dimensions that cannot be a board."""
        inner, middle, outer = self.ring_radii_mm
        if not self.hole_diameter_mm / 2 < inner < middle < outer <= self.surface_diameter_mm / 2:
            raise ValueError("ring radii must grow from the hole to the surface's edge")
        if not self.disc_bottom_diameter_mm < self.disc_diameter_mm:
            raise ValueError("a disc's bottom must be smaller than its widest diameter")

    @property
    def surface_radius_mm(self) -> float:
        """Radius of the playing surface."""
        return self.surface_diameter_mm / 2

    @property
    def frame_inner_mm(self) -> float:
        """Inner radius (round) or apothem (octagon) of the frame."""
        return self.surface_radius_mm + self.ditch_width_mm

    @property
    def frame_outer_mm(self) -> float:
        """Outer radius or apothem of the frame."""
        return self.frame_inner_mm + self.frame_width_mm

    @property
    def frame_top_mm(self) -> float:
        """Height of the frame's top in the board frame."""
        return self.frame_height_mm - self.ditch_depth_mm

    @property
    def table_z_mm(self) -> float:
        """Height of the table top in the board frame."""
        return -self.ditch_depth_mm - 12.0


@dataclass(frozen=True)
class Material:
    """A surface: procedural wood of a palette and a grain, or plain paint, under an optional varnish."""

    kind: Literal["wood", "paint", "tiles", "cloth"] = "paint"
    colour: Colour = (0.5, 0.5, 0.5)
    palette: str = "maple"
    grain: Literal["straight", "curly", "burl"] = "straight"
    angle_deg: float = 0.0
    roughness: float = 0.3
    """Varnish roughness; 1 and above means matt, without varnish."""


@dataclass(frozen=True)
class BoardLook:
    """Colours and print of a board."""

    surface: Material = Material("wood")
    second: Material | None = None
    """Wood of the strip beyond a straight joint, for two-tone boards."""
    joint_mm: float = 150.0
    joint_angle_deg: float = 0.0
    line_colour: Colour = (0.08, 0.06, 0.05)
    line_opacity: float = 0.95
    numerals: bool = True
    numeral_height_mm: float = 14.0
    logo: str = ""
    quadrant_phase_deg: float = 0.0
    hole_colour: Colour = (0.45, 0.05, 0.1)
    ditch: Material = Material("paint", (0.12, 0.1, 0.1), roughness=2.0)
    frame: Material = Material("wood", palette="mahogany")
    peg_colour: Colour = (0.75, 0.65, 0.5)
    table: Material = Material("wood", palette="oak", roughness=0.5)
    table_radius_mm: float = 0.0
    """Radius of a round table under the board; 0 for one without an end."""


@dataclass(frozen=True)
class Team:
    """A side's discs."""

    name: str
    colour: Colour
    wood: bool = False
    shade_spread: float = 0.05
    """Relative spread of lightness from disc to disc."""
    roughness: float = 0.3


@dataclass(frozen=True)
class Disc:
    """One disc where it lies: the centre of its bottom face, and its lean if it rests on the hole's edge."""

    team: int
    x_mm: float
    y_mm: float
    z_mm: float = 0.0
    place: Place = "board"
    lean_deg: float = 0.0
    lean_azimuth_deg: float = 0.0
    """Direction in which the raised side of a leaning disc points."""


@dataclass(frozen=True)
class Clutter:
    """A thing that is neither board nor disc."""

    kind: Thing
    x_mm: float
    y_mm: float
    z_mm: float
    angle_deg: float = 0.0
    colour: Colour = (0.6, 0.6, 0.6)


@dataclass(frozen=True)
class Camera:
    """Pinhole camera, OpenCV convention (x right, y down, z forward; pixel centres at whole numbers)."""

    width_px: int
    height_px: int
    focal_px: float
    centre_px: tuple[float, float]
    """Principal point."""
    rotation: tuple[tuple[float, float, float], ...]
    """Board frame to camera frame, row by row."""
    position_mm: tuple[float, float, float]
    dist_k1: float = 0.0
    """Radial distortion: x_d = x (1 + k1 r^2), normalised coordinates, as OpenCV's first coefficient."""
    tilt_deg: float = 0.0
    azimuth_deg: float = 0.0
    roll_deg: float = 0.0
    focal_35mm: float | None = None
    """What the EXIF block says; of the whole photo, also where the picture is a crop of it."""


@dataclass(frozen=True)
class Light:
    """The room: an environment of distant light, and optionally a lamp near the board."""

    tags: tuple[str, ...] = ("soft",)
    ceiling: float = 1.0
    walls: float = 0.45
    floor: float = 0.15
    windows: tuple[tuple[float, float, float, float, float], ...] = ()
    """Each: azimuth, elevation, half width, half height (degrees), radiance."""
    lamps: tuple[tuple[float, float, float, float], ...] = ()
    """Each: azimuth, elevation, angular radius (degrees), radiance."""
    warmth: float = 0.0
    """-1 bluish to 1 yellowish."""
    near_lamp: tuple[float, float, float, float, float] | None = None
    """A square light facing down: x, y, z, half size (mm), radiance."""


@dataclass(frozen=True)
class Sensor:
    """From radiance to bytes."""

    samples: int = 25
    psf_sigma_px: float = 0.45
    aperture_mm: float = 0.0
    """Radius of the lens opening, for physical defocus."""
    focus_offset_mm: float = 0.0
    """Plane in focus, beyond (+) or before (-) the board's centre along the axis."""
    vignetting: float = 0.15
    exposure_ev: float = 0.0
    shot_noise: float = 0.006
    """Standard deviation of noise at mid grey, in linear full scale."""
    read_noise: float = 0.0015
    cast: Colour = (1.0, 1.0, 1.0)
    """White balance error: gain per channel."""
    contrast: float = 0.0
    sharpen: float = 0.0
    jpeg_quality: int = 90
    subsampling: int = 2


@dataclass(frozen=True)
class Scene:
    """Everything about one picture."""

    name: str
    seed: int
    equipment: Equipment
    look: BoardLook
    teams: tuple[Team, ...]
    discs: tuple[Disc, ...]
    camera: Camera
    light: Light
    sensor: Sensor
    clutter: tuple[Clutter, ...] = ()
    tags: tuple[str, ...] = field(default=())
