"""The command line. Every import that takes time waits until a command needs it, so ``--help`` is instant."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    help="Reads the score of a crokinole round from one photo of the board.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
rules_app = typer.Typer(help="List the rule presets.")
equipment_app = typer.Typer(help="List the equipment presets.")
calibrate_app = typer.Typer(
    help="Measure a camera or a board once, for better readings.", no_args_is_help=True
)
app.add_typer(rules_app, name="rules")
app.add_typer(equipment_app, name="equipment")
app.add_typer(calibrate_app, name="calibrate")


def main() -> None:
    """Run the command line and leave with its exit status."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal without the letters for a name or a plus-minus sign shows a question mark instead.
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    if not sys.warnoptions:
        # Libraries' remarks to programmers mean nothing to people: what matters is a result or an error.
        warnings.simplefilter("ignore")
    try:
        app()
    finally:
        _flush_or_forget()


def _flush_or_forget() -> None:
    """Write what is still held back; where nobody reads any more, drop it without a word."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        # the interpreter flushes once more as it ends, and would complain
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@app.command()
def score(
    photos: Annotated[list[str], typer.Argument(metavar="PHOTO", help="Photos of a board, one a round.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a photo, one line each.")] = False,
    annotate: Annotated[
        Path | None,
        typer.Option(metavar="OUT", help="Draw the result on the photo: a picture file, or a folder."),
    ] = None,
    equipment: Annotated[
        str | None, typer.Option(metavar="NAME|FILE", help="Board and discs; measured when not given.")
    ] = None,
    rules: Annotated[
        str | None, typer.Option(metavar="NAME|FILE", help="Rules in force; nca when not given.")
    ] = None,
    twenties: Annotated[
        list[str] | None,
        typer.Option(metavar="TEAM=N", help="20s removed during play; repeat for each team."),
    ] = None,
    sides: Annotated[
        str | None, typer.Option(metavar="TEAM=NAME,...", help="Names, like dark=Anna,light=Ben.")
    ] = None,
    camera: Annotated[Path | None, typer.Option(metavar="FILE", help="The camera's own calibration.")] = None,
) -> None:
    """Read each photo and say who has what.

    Exit status: 0 all read, 2 wrong usage, 3 not a readable picture, 4 no board.
    One bad photo does not stop the rest; the highest status is returned.
    """
    with _usage_errors():
        from service.score import PhotoSeeing
        from service.score_command import order_from_words, run_score

        order = order_from_words(
            equipment=equipment,
            rules=rules,
            twenties=twenties or (),
            sides=sides,
            camera=camera,
            annotate=annotate,
        )
        status = run_score(photos, order, PhotoSeeing(), as_json=as_json)
    raise typer.Exit(status)


@app.command()
def linecall(
    photos: Annotated[
        list[str], typer.Argument(metavar="PHOTO", help="Photos of one position; more make a call surer.")
    ],
    at: Annotated[
        str | None,
        typer.Option(
            metavar="X,Y", help="Rule on the disc there (pixels of the first photo), not on all close ones."
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(metavar="OUT.png", help="Draw the evidence; with several discs OUT-3.png for disc 3."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    equipment: Annotated[
        str | None, typer.Option(metavar="NAME|FILE", help="Board and discs; measured when not given.")
    ] = None,
    camera: Annotated[Path | None, typer.Option(metavar="FILE", help="The camera's own calibration.")] = None,
    theme: Annotated[str, typer.Option(metavar="light|dark", help="The drawing's ground.")] = "light",
) -> None:
    """Rule on one disc, or on every close one: is it on the line?

    Exit status: 0 ruled (too close to call counts), 2 wrong usage or nothing to rule on, 3 not a readable
    picture, or one too blurred or too small, 4 no board. The highest of all photos is returned.
    """
    with _usage_errors():
        from service.linecall_command import order_from_words, run_linecall

        order = order_from_words(at=at, equipment=equipment, camera=camera, report=report, theme=theme)
        status = run_linecall(photos, order, as_json=as_json)
    raise typer.Exit(status)


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on; 127.0.0.1 when not given.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on; 8020 when not given.")] = None,
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where photos and the database are kept.")
    ] = None,
    config: Annotated[Path | None, typer.Option(metavar="FILE", help="Settings in a TOML file.")] = None,
    print_settings: Annotated[
        bool, typer.Option("--print-settings", help="Print the settings in force, secrets masked, and leave.")
    ] = False,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Serve the web page, the overlay and the HTTP interface of a hall or one table.

    Every setting can come from the environment (CROKINOLE_PORT) or the TOML file, too.
    """
    with _usage_errors():
        from service import serve_command

        settings = serve_command.settings_from_words(host=host, port=port, data=data, config=config)
        if print_settings:
            serve_command.print_settings(settings)
        else:
            serve_command.run_serve(settings, open_page=open_page)


@app.command()
def diagnostics(
    out: Annotated[Path, typer.Argument(metavar="OUT.zip", help="Where the bundle goes.")],
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where photos and the database are kept.")
    ] = None,
    config: Annotated[Path | None, typer.Option(metavar="FILE", help="Settings in a TOML file.")] = None,
) -> None:
    """Write a bundle for a bug report: versions, settings and the log, without secrets or pictures."""
    with _usage_errors():
        from service import serve_command

        serve_command.write_diagnostics(serve_command.settings_from_words(data=data, config=config), out)


@rules_app.callback(invoke_without_command=True)
def rules(context: typer.Context) -> None:
    """List the rule presets."""
    if context.invoked_subcommand is None:
        from service.rules_command import preset_lines

        _print_lines(preset_lines())


@rules_app.command("show")
def rules_show(name: Annotated[str, typer.Argument(metavar="NAME|FILE")]) -> None:
    """Print the rules of a preset or file with the source of each."""
    from scoring.catalogue.tables import show
    from service.rules_command import load_rules

    with _usage_errors():
        _print_lines(show(load_rules(name)))


@equipment_app.callback(invoke_without_command=True)
def equipment(context: typer.Context) -> None:
    """List the equipment presets."""
    if context.invoked_subcommand is None:
        from calibration.equipment import PRESETS

        _print_lines(PRESETS)


@equipment_app.command("show")
def equipment_show(name: Annotated[str, typer.Argument(metavar="NAME|FILE")]) -> None:
    """Print a preset or file as a whole equipment file, to start one's own from."""
    from calibration.equipment import load_equipment

    with _usage_errors():
        print(load_equipment(name).to_toml(), end="")


@calibrate_app.command("chart")
def calibrate_chart(
    out: Annotated[Path, typer.Argument(metavar="OUT.pdf", help="Where the chart goes.")],
    paper: Annotated[str, typer.Option(metavar="a4|letter", help="The paper to print on.")] = "a4",
) -> None:
    """Make the chart to print; how to use it is written on it."""
    with _usage_errors():
        from service.calibrate_command import write_chart

        write_chart(out, paper)


@calibrate_app.command("camera")
def calibrate_camera(
    photos: Annotated[
        list[str], typer.Argument(metavar="PHOTO", help="Photos of the printed chart, 10 or more.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE.toml", help="The camera file to write; printed when not given."),
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="What the camera is called; its model if not given.")
    ] = None,
    bar_mm: Annotated[float, typer.Option(help="Length of the chart's 100 mm bar as measured.")] = 100.0,
) -> None:
    """Measure a camera from photos of the chart, for --camera.

    Exit status: 0 every photo used, 2 wrong usage, 3 not a readable picture, 4 no usable chart.
    A photo that cannot be used is left out as long as enough others remain.
    """
    with _usage_errors():
        from service.calibrate_command import run_calibrate_camera

        status = run_calibrate_camera(photos, out=out, name=name, bar_mm=bar_mm)
    raise typer.Exit(status)


@calibrate_app.command("board")
def calibrate_board(
    photo: Annotated[str, typer.Argument(metavar="PHOTO", help="Your own board, empty, from near above.")],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FILE.toml", help="The equipment file to write; printed when not given."
        ),
    ] = None,
    name: Annotated[str, typer.Option(help="What the board is called.")] = "my board",
    ring_5_mm: Annotated[
        float | None,
        typer.Option(
            "--ring-5-mm", help="The 5 line across, to the middle of the paint, as you measured it."
        ),
    ] = None,
    surface_mm: Annotated[
        float | None, typer.Option("--surface-mm", help="The playing surface across, as you measured it.")
    ] = None,
    camera: Annotated[Path | None, typer.Option(metavar="FILE", help="The camera's own calibration.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
) -> None:
    """Measure your own board from a photo of it, for --equipment.

    One length that you measured sets the scale; without it the 5 line is taken for 24 inches. Exit status: 0
    measured, 2 wrong usage, 3 not a readable picture, 4 no board.
    """
    with _usage_errors():
        from service.board_command import BoardOrder, run_calibrate_board

        order = BoardOrder(out, name, ring_5_mm, surface_mm, camera, force=force)
        status = run_calibrate_board(photo, order)
    raise typer.Exit(status)


def _print_lines(lines: Iterable[str]) -> None:
    for line in lines:
        print(line)


@contextmanager
def _usage_errors() -> Iterator[None]:
    """Tell what cannot be done in one line on standard error, and leave with its status."""
    from service.errors import FAILURES, failure_of

    try:
        yield
    except FAILURES as error:
        from service.terminal import console_for, say

        failure = failure_of(error)
        say(console_for(stream_is_error=True), failure.message)
        raise typer.Exit(failure.status) from error
