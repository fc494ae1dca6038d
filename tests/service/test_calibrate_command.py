"""``calibrate`` as people run it, on photographs of the chart by a camera that is known."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from calibration.camera import Camera
from calibration.camera_file import load_camera_file
from calibration.chart import HEIGHT_MM
from calibration.chart_pdf import PAPERS, chart_pdf
from tests.calibration.charts import good_poses, photograph
from tests.pictures import BAD_FILES, exif, noise
from tests.service.test_cli import crokinole

CAMERA = Camera(940.0, 645.0, 475.0, -0.08)
SIZE_PX = (1280, 960)
MODEL = ("Maker", "Model 8")


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("chart")
    taken = []
    for at, pose in enumerate(good_poses(CAMERA, SIZE_PX, 430.0)[:10]):
        path = folder / f"{at}.jpg"
        picture = Image.fromarray(photograph(pose.view(CAMERA), SIZE_PX, seed=at))
        picture.save(path, quality=92, exif=exif(focal_35mm=26, size_px=SIZE_PX, camera=MODEL))
        taken.append(path)
    return taken


def test_a_camera_is_measured_from_photos(photos: list[Path], tmp_path: Path):
    run = crokinole("calibrate", "camera", *photos, "--out", tmp_path / "camera.toml", "--name", "mine")
    assert run.returncode == 0, run.stderr
    camera = load_camera_file(tmp_path / "camera.toml")
    for found, true in (
        (camera.f_px, CAMERA.f_px),
        (camera.cx_px, CAMERA.cx_px),
        (camera.cy_px, CAMERA.cy_px),
        (camera.k1, CAMERA.k1),
    ):
        assert abs(found.mean - true) < 3 * found.sigma
    assert camera.f_px.mean == pytest.approx(CAMERA.f_px, rel=0.003)
    assert (camera.width_px, camera.height_px, camera.photos) == (*SIZE_PX, 10)
    assert (camera.name, camera.camera_model) == ("mine", "Maker Model 8")
    assert camera.distance_mm == pytest.approx(445, rel=0.1)
    for word in ("focal length", "principal point", "k1", "residual", "0.jpg", "9.jpg"):
        assert word in run.stdout
    assert run.stderr.count("corners") == 10


def test_photos_that_cannot_be_used_are_told_and_left_out(photos: list[Path], tmp_path: Path):
    (tmp_path / "text.jpg").write_bytes(BAD_FILES["text.jpg"][0])
    noise(SIZE_PX).save(tmp_path / "noise.png")
    words = ("calibrate", "camera", *photos, tmp_path / "noise.png")
    run = crokinole(*words)
    assert run.returncode == 4
    assert "noise.png: no chart is seen" in run.stderr
    (tmp_path / "camera.toml").write_text(run.stdout, encoding="utf-8")
    assert load_camera_file(tmp_path / "camera.toml").name == "Maker Model 8"
    # A file that is no picture has the lower status, and the highest is returned.
    assert crokinole(*words, tmp_path / "text.jpg").returncode == 4
    assert crokinole("calibrate", "camera", *photos, tmp_path / "text.jpg").returncode == 3


def test_photos_of_different_cameras_are_refused(photos: list[Path], tmp_path: Path):
    with Image.open(photos[0]) as photo:
        photo.resize((640, 480)).save(tmp_path / "small.jpg")
        photo.rotate(90, expand=True).save(tmp_path / "upright.jpg")
        photo.save(tmp_path / "other.jpg", exif=exif(camera=("Maker", "Model 9")))
        photo.save(tmp_path / "zoomed.jpg", exif=exif(focal_35mm=52))
    for name, word in {
        "small.jpg": "differ in size",
        "upright.jpg": "same way up",
        "other.jpg": "different cameras",
        "zoomed.jpg": "different lenses or zoom",
    }.items():
        run = crokinole("calibrate", "camera", photos[0], tmp_path / name)
        assert (run.returncode, run.stdout) == (4, "")
        assert word in run.stderr


def test_a_cropped_photo_is_left_out_and_too_few_are_refused(photos: list[Path], tmp_path: Path):
    with Image.open(photos[0]) as photo:
        photo.save(tmp_path / "cut.jpg", exif=exif(size_px=(1280, 1200)))
    run = crokinole("calibrate", "camera", tmp_path / "cut.jpg", *photos[:4], "--out", tmp_path / "c.toml")
    assert run.returncode == 4
    assert "cut.jpg: the photo has been cropped" in run.stderr
    assert "4 photos with the chart are too few" in run.stderr
    assert not (tmp_path / "c.toml").exists()


@pytest.mark.parametrize("paper", PAPERS)
def test_the_chart_is_written(paper: str, tmp_path: Path):
    run = crokinole("calibrate", "chart", tmp_path / "chart.pdf", "--paper", paper)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    assert (tmp_path / "chart.pdf").read_bytes() == chart_pdf(PAPERS[paper])
    assert PAPERS[paper].height_mm > HEIGHT_MM


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("chart", "chart.txt"), "must end in .pdf"),
        (("chart", "none/chart.pdf"), "there is no folder"),
        (("chart", "chart.pdf", "--paper", "a5"), "a4 or letter"),
        (("chart", "folder.pdf"), "cannot be written"),
        (("camera", "a.jpg", "--out", "a.jpg"), "must end in .toml"),
        (("camera", "a.jpg", "--bar-mm", "3"), "--bar-mm cannot be 3"),
        (("camera",), "Missing argument"),
    ],
)
def test_wrong_usage_is_told_in_one_line(words: tuple[str, ...], said: str, tmp_path: Path):
    (tmp_path / "folder.pdf").mkdir()
    run = crokinole("calibrate", *words, cwd=tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    assert said in run.stderr
    assert "Traceback" not in run.stderr


def test_no_readable_photo_at_all(tmp_path: Path):
    run = crokinole("calibrate", "camera", "none.jpg", cwd=tmp_path)
    assert (run.returncode, run.stdout) == (3, "")
    assert run.stderr == "crokinole: none.jpg: there is no such file: check the name\n"
