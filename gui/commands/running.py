"""The commands `run`, `script` and `table`: a run as a summary or JSON, as a program, as CSV."""

from pathlib import Path

from gui.commands.arguments import count, run_parser, step_options
from gui.commands.console import complain, failed, say, write_out
from gui.commands.runs import chosen_steps, prepared_run, wanted_source


def run_command(arguments: list[str]) -> int:
    """Run an algorithm and print a summary, or write its steps as JSON; returns the exit code."""
    parser = run_parser("run", "Run an algorithm to its end and say what came out.")
    parser.add_argument(
        "--max-steps", type=count, default=100_000, help="stop a run that does not end by itself"
    )
    parser.add_argument(
        "--json", metavar="OUT", help="write every step to this file (- for the terminal)"
    )
    given = parser.parse_args(arguments)
    if given.json is not None and not given.json.strip():
        return failed("--json takes the name of a file, or - for the terminal; it is empty.")
    from engine.files.atomic import write_atomic
    from engine.files.steps_json import run_to_json
    from engine.files.summary import summary_lines

    with prepared_run(given) as (run, name):
        # /dev/stdout may be redirected to a file, which write_atomic would replace
        if given.json in ("-", "/dev/stdout"):
            write_out(run_to_json(run, given.max_steps))
            return 0
        if given.json:
            write_atomic(given.json, run_to_json(run, given.max_steps))
        else:
            run.advance(max_steps=given.max_steps)
        say(*summary_lines(run, name))
    return 0


def script_command(arguments: list[str]) -> int:
    """Write a Python script that makes the run's model; returns the exit code."""
    parser = run_parser(
        "script", "Write a Python script that makes the same model without the lab."
    )
    parser.add_argument(
        "--out",
        metavar="FILE",
        help="a .py file; a large table is written beside it as CSV (default: the terminal)",
    )
    parser.add_argument(
        "--max-steps", type=count, default=100_000, help="stop a run that does not end by itself"
    )
    given = parser.parse_args(arguments)
    if given.out is not None and Path(given.out).suffix.lower() != ".py":
        return failed(f"The script must be a .py file; “{given.out}” is none.")
    from engine.scripts import script

    with prepared_run(given) as (run, _):
        run.advance(max_steps=given.max_steps)
    text = script(run.trace, given.out)
    if given.out is None:
        write_out([text.encode()])
    else:
        say(f"The script is written to {given.out}.")
    return 0


def table_command(arguments: list[str]) -> int:
    """Write metrics, states or the table as CSV; returns the exit code."""
    parser = run_parser(
        "table",
        "Write the numbers of a run as CSV: a row for each step, or the table it learns from.",
    )
    parser.add_argument("--out", required=True, metavar="FILE", help="a .csv file")
    parser.add_argument(
        "--of",
        choices=("metrics", "states", "data"),
        default="metrics",
        help=(
            "metrics or states of the steps, or the data, with the changes and columns that are"
            " asked for"
        ),
    )
    step_options(parser)
    given = parser.parse_args(arguments)
    if Path(given.out).suffix.lower() != ".csv":
        return failed(f"Numbers are written as .csv; “{given.out}” is none.")
    from engine.base.notation import counted, listed
    from engine.files.csv_table import save_csv
    from engine.files.numbers import Numbers, save_numbers
    from engine.runs.chosen_steps import follow, numbers_text

    if given.of == "data":
        data = wanted_source(given).data
        save_csv(data, given.out)
        say(f"{counted(len(data), 'row')} of {data.name}: {given.out}")
        return 0
    chosen = chosen_steps(given)
    with prepared_run(given, shown=True) as (run, _):
        numbers, places = follow(run, chosen)
        left_out = save_numbers(
            run.trace, numbers, places, chosen.unit, Numbers(given.of), given.out
        )
    if left_out:
        complain(
            f"Left out, since they are no numbers or more than 1,000 at a step: {listed(left_out)}."
        )
    say(f"{counted(len(numbers), 'row')}, {given.unit} {numbers_text(numbers)}: {given.out}")
    return 0
