"""Releases that leak a known amount, and how well tools find it: a public benchmark.

``python benchmarks/known_leaks.py make FOLDER`` writes the cases: CSV files, ``cases.csv``, which
says what to attack, and ``truth.json``, which is for scoring only. Cases stand in random order,
so the first so many are a fair sample. People are made up, or drawn from ``--csv``.

``python benchmarks/known_leaks.py run TOOL FOLDER`` judges them and writes ``FOLDER/TOOL.csv``.
TOOL is ``product``, or a peer: ``anonymeter``, ``sdmetrics`` or ``reference``, which run in an
environment of their own, made once (see peers.py). ``--first`` takes so many cases.

``python benchmarks/known_leaks.py score FOLDER`` prints the score card of all answers there, also
of a tool of your own. It reads ``cases.csv``: ``case``, the files ``original``, ``control`` (as
many people in neither table) and ``release``, the columns ``known`` (separated by semicolons) and
``unknown``. It writes ``FOLDER/NAME.csv``: ``case``, ``flagged`` (1 or 0, empty without a rule),
``score`` (higher is riskier), ``seconds``, and if available ``exposed``, ``exposed_low``,
``exposed_high`` and ``attack``. ``--save FILE`` keeps the card.

``python benchmarks/known_leaks.py compare FOLDER`` makes six releases and prints what the command
``alc assess`` with its defaults, anonymeter and SDMetrics say of each. Exit code 1 where a peer
sees a leak that this tool calls *no loss* or lets pass; releases without a leak are no such case.
A table of yours: ``--csv FILE --unknown COLUMN --own COLUMNS``.

Measured, 95% intervals of ALC of the six releases, with nine and with two known facts::

    strangers                             -0.18 to 0.47    -0.10 to 0.41
    10% verbatim                           0.85 to 0.88     0.00 to 0.51
    50% swapped                            0.32 to 0.69    -0.14 to 0.54
    independent columns                   -0.39 to 0.46    -0.55 to 0.43
    rare values copied                     0.78 to 0.85     0.13 to 0.64
    own together: age, income, condition   0.91 to 0.92     0.91 to 0.92
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from peers import HERE, peers_python
from perturbed import kept_together
from verdicts import FLAGGED, sharing_runs, table_of, with_leak

import alc_core as alc
from alc_core.assessment.loop import RunSettings
from alc_core.runtime.machine import limit_threads
from alc_core.scoring.verdict import SEVERITY
from benchmarks.leaks import LEAKS, leak_cases
from benchmarks.people import made_up_people

ATTACKS = ("best row match", "record linkage")
"""What a thorough campaign runs besides a model, which takes longer and finds nothing more here."""
PEERS = ("anonymeter", "singling-out", "linkability", "sdmetrics", "cap", "reference")
COMPARED = PEERS[:-1]
UNFLAGGED = ("sdmetrics", "cap")
"""Peers without a limit of their own: they see a leak if a release scores clearly above others."""
CLEARLY = 0.02
"""By how much, at least, above the worse of the releases without a leak."""
SEVERAL_ROWS, RARE = 0.1, 0.05
NO_LEAK = ("strangers", "independent columns")
ENOUGH = 0.02
"""Share of the people exposed from which a leak must be flagged."""
SURE = 0.9
"""Share of the people told rightly from which a leak makes sure."""
MOST_ALARMS = 0.02
"""Share of the harmless twins that may be flagged."""


def make(options: argparse.Namespace) -> None:
    """Write all cases of all seeds."""
    folder: Path = options.folder
    (folder / "tables").mkdir(parents=True, exist_ok=True)
    table = pd.read_csv(options.csv) if options.csv else None
    made = [case for seed in options.seeds for case in leak_cases(
        table, unknowns=options.unknowns, number=options.number, size=options.size, seed=seed
    )]  # fmt: skip
    order = np.random.default_rng(options.seeds[0]).permutation(len(made))
    cases, truth, written = [], {}, {}
    for number, place in enumerate(order):
        case, name = made[place], f"{number:04d}"
        tables = {"original": case.original, "control": case.control, "release": case.release}
        files = {}
        for what, frame in tables.items():
            text = frame.to_csv(index=False)
            files[what] = written.setdefault(text, f"tables/{name}-{what}.csv")
            (folder / files[what]).write_text(text)
        cases.append(
            {"case": name, **files, "known": ";".join(case.known), "unknown": case.unknown}
        )
        truth[name] = {
            "leak": case.leak,
            "level": case.level,
            "harmless": case.harmless,
            "seed": case.seed,
            "unknown": case.unknown,
            "people": len(case.original),
            "exposed": case.truth.exposed,
            "certainty": round(case.truth.certainty, 4),
            "told": np.flatnonzero(case.truth.told).tolist(),
            "guessed": case.truth.guessed.round(2).tolist(),
        }
    pd.DataFrame(cases).to_csv(folder / "cases.csv", index=False)
    (folder / "truth.json").write_text(json.dumps(truth, separators=(",", ":")))
    print(f"{len(cases)} cases in {folder}")


def read_cases(options: argparse.Namespace) -> pd.DataFrame:
    return pd.read_csv(options.folder / "cases.csv", dtype=str).head(options.first)


def run_product(options: argparse.Namespace) -> pd.DataFrame:
    """Judge the cases, going on where it was stopped.

    A baseline serves all with the same people and scenario, as in campaigns.
    """
    path = options.folder / "product.csv"
    answers = pd.read_csv(path, dtype={"case": str}).to_dict("records") if path.exists() else []
    there = {answer["case"] for answer in answers}
    asked = read_cases(options)
    together = asked[~asked["case"].isin(there)].groupby(
        ["original", "known", "unknown"], sort=False
    )
    for (original, known, unknown), cases in together:
        started = time.process_time()
        releases = {case.case: pd.read_csv(options.folder / case.release)
                    for case in cases.itertuples()}  # fmt: skip
        scenario = alc.Scenario(known.split(";"), unknown)
        settings = RunSettings(seed=0, measures=())
        with limit_threads(1):
            runs = sharing_runs(
                pd.read_csv(options.folder / original), releases, scenario, settings
            )
            for case, run in runs.items():
                found = [run.attack(alc.make_attack(attack)) for attack in options.attacks]
                answers.append({"case": case, **_answer(found)})
                pd.DataFrame(answers).to_csv(path, index=False)
        spent = (time.process_time() - started) / len(cases)
        for answer in answers[-len(cases) :]:
            answer["seconds"] = spent
        pd.DataFrame(answers).to_csv(path, index=False)
        print(f"{len(answers)} cases", file=sys.stderr, flush=True)
    return pd.DataFrame(answers)


def _answer(found: list[alc.Assessment]) -> dict[str, object]:
    """The worst of several attacks, who is exposed by the one that exposes most, and who flags."""
    worst = max(found, key=lambda each: (SEVERITY.index(each.verdict), each.decisive_alc))
    exposing = max(found, key=lambda each: each.exposed)
    low, high = exposing.exposed_interval
    flagging = [e.attack_name for e in found if e.verdict in FLAGGED or e.exposes_many]
    return {
        "flagged": int(bool(flagging)),
        "score": low / exposing.people,
        "alc": worst.decisive_alc,
        "exposed": max(exposing.exposed, 0),
        "exposed_low": max(low, 0),
        "exposed_high": max(high, 0),
        "verdict": str(worst.verdict),
        "attack": " and ".join(flagging),
    }


def run_peer(options: argparse.Namespace) -> pd.DataFrame:
    """Let a peer judge the cases in its own environment, going on where it was stopped."""
    python = peers_python(options.environment, options.peers_python)
    answers = options.folder / f"{options.tool}.csv"
    script = HERE / "peer_scripts" / "run_known_leaks.py"
    command = [str(python), str(script), options.tool, str(options.folder), str(answers)]
    limits = [str(options.first or 0), str(options.limit)]
    subprocess.run([*command, *limits], check=True)
    return pd.read_csv(answers, dtype={"case": str})


def six_releases(
    people: pd.DataFrame, strangers: pd.DataFrame, unknown: str, own: list[str], seed: int
) -> dict[str, pd.DataFrame]:
    """Return releases of known leaks by name; rows of people's own stand among strangers."""
    rng = np.random.default_rng(seed)
    rare = people[unknown].map(people[unknown].value_counts(normalize=True)) < RARE
    copied = pd.concat([people[rare], strangers[: (~rare).sum()]])
    made = {
        "strangers": strangers,
        "10% verbatim": with_leak(people, strangers, SEVERAL_ROWS, rng),
        "50% swapped": alc.swap_columns(people, 0.5, seed=seed),
        "independent columns": kept_together(people, [], rng),
        "rare values copied": copied,
        f"own together: {', '.join([*own, unknown])}": kept_together(people, [*own, unknown], rng),
    }
    return {name: release.sample(frac=1, random_state=seed) for name, release in made.items()}


def compare(options: argparse.Namespace) -> int:
    """Print what everyone says of six releases; return 1 where a peer's leak passes here."""
    folder, size = options.folder, options.size
    (folder / "tables").mkdir(parents=True, exist_ok=True)
    people = made_up_people(3 * size, seed=options.seed)
    if options.csv:
        # Peers take no empty cells.
        people = pd.read_csv(options.csv).dropna().sample(3 * size, random_state=options.seed)
    own, unknown = options.own.split(","), options.unknown
    original, control, strangers = (people[place::3].reset_index(drop=True) for place in range(3))
    releases = six_releases(original, strangers, unknown, own, options.seed)
    files = {"original": original, "control": control, **releases}
    for number, (name, frame) in enumerate(files.items()):
        files[name] = f"tables/{number}.csv"
        frame.to_csv(folder / files[name], index=False)
    every = [column for column in people if column != unknown]
    cases = [
        {
            "case": f"{name}; {len(known)} known",
            **{what: files[what] for what in ("original", "control")},
            "release": files[name],
            "known": ";".join(known),
            "unknown": unknown,
        }
        for known in (every, own)
        for name in releases
    ]
    pd.DataFrame(cases).to_csv(folder / "cases.csv", index=False)
    answers = {}
    for options.tool in COMPARED:
        answers[options.tool] = run_peer(options).set_index("case")
        _see(answers[options.tool], limited=options.tool not in UNFLAGGED)
    lines, failed = [], False
    for case in cases:
        found = _commanded(folder, case)
        seen = [tool for tool in COMPARED if answers[tool]["seen"][case["case"]]]
        quiet = found["verdict"] == "no loss" or not found["gate"]
        passes = bool(seen) and quiet
        failed |= passes and not case["case"].startswith(NO_LEAK)
        low, high = found["interval"]
        print(f"{len(lines) + 1} judged", file=sys.stderr, flush=True)
        lines.append([
            case["case"],
            f"{found['verdict']} {found['alc']:.2f} ({low:.2f} to {high:.2f})",
            ", ".join(f"{each:,.0f}" for each in found["exposed"]),
            ", ".join(found["asked"]) or "-",
            f"{found['open']}, {found['gate']}",
            *(answers[tool]["text"][case["case"]] for tool in COMPARED),
            "A PEER SEES MORE" if passes else "",
        ])  # fmt: skip
    head = ["release", "this tool", "exposed by nearest row, linkage", "the check",
            "gate", *COMPARED, ""]  # fmt: skip
    print(table_of(lines, head))
    return int(failed)


def _see(answers: pd.DataFrame, *, limited: bool) -> None:
    """Add what a peer says, and whether it sees a leak."""
    answers["seen"] = answers["flagged"] == 1
    if not limited:
        scores = answers["score"].fillna(0)  # No released row agrees in what is known.
        of = answers.index.str.partition("; ")
        for known in of.get_level_values(2).unique():
            same = of.get_level_values(2) == known
            usual = scores[same & of.get_level_values(0).isin(NO_LEAK)].max()
            answers.loc[same, "seen"] = scores[same] > usual + CLEARLY
    shown = answers["score"].map("{:.3f}".format, na_action="ignore").fillna("-")
    answers["text"] = shown.where(~answers["seen"], "**" + shown + "**")


def _commanded(folder: Path, case: dict[str, str]) -> dict[str, Any]:
    """Return what the command says of a case, and how it ends before and after questions."""
    tables = [f"--original={folder / case['original']}", f"--release=r={folder / case['release']}"]
    scenario = [*tables, f"--known={case['known'].replace(';', ',')}",
                f"--unknown={case['unknown']}", "--quiet"]  # fmt: skip
    gate = ["assess", *scenario, "--fail-on=at-risk", "--json=-"]
    checked = json.loads(_alc("check", *scenario, "--json=-").stdout)
    asked = [each["code"] for each in checked["findings"] if each["blocking"]]
    first = _alc(*gate)
    done = _alc(*gate, *(f"--accept={code}" for code in asked)) if asked else first
    if not done.stdout:
        sys.exit(done.stderr)
    said = json.loads(done.stdout)
    verdict = said["releases"][0]["verdict"]
    deciding = [each for each in said["results"] if each["verdict"] == verdict]
    worst = max(deciding, key=lambda each: each["decisive_alc"])
    stopping = [note["code"] for note in said["releases"][0]["stopped_by"]]
    exposed = [max(each["exposed"], 0) for each in said["results"]]
    return {"verdict": worst["verdict"], "alc": worst["decisive_alc"],
            "interval": worst["decisive_interval"], "exposed": exposed,
            "asked": [*dict.fromkeys([*asked, *stopping])],
            "open": first.returncode, "gate": done.returncode}  # fmt: skip


def _alc(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from alc_core.cli import main; main()", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def scored(folder: Path, tool: str) -> pd.DataFrame:
    """A tool's answers beside the truth, a row for each case that it answered."""
    truth = pd.DataFrame.from_dict(json.loads((folder / "truth.json").read_text()), orient="index")
    truth = truth.drop(columns=["told", "guessed"]).rename(columns={"exposed": "truly"})
    answers = pd.read_csv(folder / f"{tool}.csv", dtype={"case": str, "flagged": float})
    both = truth.join(answers.set_index("case"), how="inner").assign(tool=tool)
    both["share"] = both["truly"] / both["people"]
    both["leak_to_find"] = ~both["harmless"] & (both["share"] >= ENOUGH)
    if "exposed_low" in both:
        both["covered"] = both["truly"].between(both["exposed_low"], both["exposed_high"])
    # What the tool would flag, were its limit set on the twins, the most of which it may flag
    limit = both.loc[both["harmless"], "score"].quantile(1 - MOST_ALARMS, interpolation="higher")
    both["beyond"] = (both["score"] > limit).astype(float)
    return both


def summary(both: pd.DataFrame) -> list[str]:
    """The score card of a tool in a line."""
    to_find, twins = both[both["leak_to_find"]], both[both["harmless"]]
    sure = to_find[to_find["certainty"] >= SURE]
    counted = ["-"] * 4
    if "covered" in both:
        says = both["exposed_low"] > 0
        counted = [_rate(says[some.index]) for some in (to_find, twins)]
        counted += [_rate(some["covered"]) for some in (both[~both["harmless"]], both)]
    return [
        both["tool"].iloc[0],
        *(_rate(some["flagged"]) for some in (to_find, sure, twins)),
        _rate(to_find["beyond"]),
        *counted,
        f"{both['seconds'].median():.1f}",
    ]


HEAD = (
    "tool", "leaks flagged", "of them sure ones", "twins flagged", "leaks, limit set on the twins",
    "leaks with people exposed", "twins with people exposed", "number holds, leaks",
    "number holds, all", "seconds a case",
)  # fmt: skip


def _rate(flags: pd.Series) -> str:
    answered = flags.dropna()
    if answered.empty:
        return "-"
    return f"{answered.mean():.0%} ({int(answered.sum())} of {len(answered)})"


def by_level(every: pd.DataFrame) -> pd.DataFrame:
    """Every leak, level and unknown column: the truth, and what each tool says in the mean."""
    keys = ["leak", "level", "unknown"]
    leaks = every[~every["harmless"]].groupby(keys, sort=False)
    found = leaks[["share", "certainty"]].mean()
    for tool, answers in every.groupby("tool", sort=False):
        of = answers[~answers["harmless"]].groupby(keys, sort=False)
        twins = answers[answers["harmless"]].groupby(keys, sort=False)
        found[f"{tool} score"] = of["score"].mean()
        found[f"{tool} flagged"] = of["flagged"].mean()
        found[f"{tool} twins"] = twins["flagged"].mean()
        if answers.get("exposed") is not None and answers["exposed"].notna().any():
            found[f"{tool} exposed"] = of["exposed"].mean() / of["people"].mean()
            found[f"{tool} covered"] = of["covered"].mean()
            found[f"{tool} attack"] = of["attack"].agg(_usual)
        if "alc" in answers and answers["alc"].notna().any():
            found[f"{tool} alc"] = of["alc"].mean()
            found[f"{tool} verdict"] = of["verdict"].agg(_usual)
    place = [(list(LEAKS).index(leak), -share) for (leak, *_), share in found["share"].items()]
    return found.round(3).iloc[sorted(range(len(found)), key=place.__getitem__)].reset_index()


def _usual(attacks: pd.Series) -> str:
    named = attacks.dropna()
    return named.mode().iloc[0] if len(named) else ""


GREEN, RED, GREY = "#1a8a5a", "#d1495b", "#8a8a8a"
LARGEST = 0.7  # Share of the people exposed at the ends of the axes


def picture_exposed(card: pd.DataFrame, path: Path) -> None:
    """Draw people exposed as measured, with the interval, against the truth."""
    side, low = 420, 46

    def at(share: float) -> float:
        return low + (side - low - 30) * min(share / LARGEST, 1)

    parts = [f'<line x1="{at(0)}" y1="{side - at(0)}" x2="{at(1)}" y2="{side - at(1)}" '
             f'stroke="{GREY}" stroke-dasharray="4 3"/>']  # fmt: skip
    for tick in np.arange(0, LARGEST + 0.01, 0.1):
        parts += [_words(at(tick), side - low + 20, f"{tick:.0%}"),
                  _words(low - 6, side - at(tick) + 4, f"{tick:.0%}", anchor="end")]  # fmt: skip
    for case in card.itertuples():
        x = at(case.share)
        found = (case.exposed_low, case.exposed, case.exposed_high)
        low_y, y, high_y = (side - at(each / case.people) for each in found)
        colour = GREEN if case.covered else RED
        parts += [f'<line x1="{x:.1f}" y1="{low_y:.1f}" x2="{x:.1f}" y2="{high_y:.1f}" '
                  f'stroke="{colour}"/>',
                  f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}"/>']  # fmt: skip
    parts += [_words(side / 2 + 20, side - 8, "exposed in truth, share of all people"),
              _words(8, 16, "measured, with its interval", anchor="start")]  # fmt: skip
    _write(path, side, side, parts)


def picture_flags(levels: pd.DataFrame, tools: list[str], path: Path) -> None:
    """Draw which share of the releases with a leak each tool flags, by leak and level."""
    rows = levels.groupby(["leak", "level"], sort=False).mean(numeric_only=True)
    asked = [tool for tool in tools if rows.get(f"{tool} flagged", pd.Series()).notna().any()]
    row, first, step = 17, 230, 92
    names = [tool.replace("product", "this tool") for tool in asked]
    parts = [_words(first + step * place, 14, name) for place, name in enumerate(names)]
    for number, ((leak, level), found) in enumerate(rows.iterrows()):
        y = 36 + row * number
        parts.append(_words(150, y + 4, f"{leak} {level:g}", anchor="end"))
        parts.append(_words(195, y + 4, f"{found['share']:.0%}", anchor="end"))
        for place, tool in enumerate(asked):
            share = found[f"{tool} flagged"]
            if pd.notna(share):
                parts.append(
                    f'<circle cx="{first + step * place}" cy="{y}" r="6" stroke="{RED}" '
                    f'fill="{RED}" fill-opacity="{share:.2f}"/>'
                )
    _write(path, first + step * len(asked) - 30, 46 + row * len(rows), parts)


def _words(x: float, y: float, text: str, *, anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{text}</text>'


def _write(path: Path, width: float, height: float, parts: list[str]) -> None:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" font-family="sans-serif" font-size="12" fill="{GREY}">'
    )
    path.write_text("\n".join([head, *parts, "</svg>\n"]))


def score(options: argparse.Namespace) -> None:
    """Print the score card of all answers in the folder."""
    tools = [t for t in ("product", *PEERS) if (options.folder / f"{t}.csv").exists()]
    others = {path.stem for path in options.folder.glob("*.csv")} - {"cases", *tools}
    cards = {tool: scored(options.folder, tool) for tool in [*tools, *sorted(others)]}
    print(table_of([summary(card) for card in cards.values()], HEAD))
    levels = by_level(pd.concat(cards.values()))
    print(levels.to_string())
    if options.save:
        levels.to_csv(options.save, index=False)
    if options.pictures:
        picture_flags(levels, list(cards), options.pictures / "known-leaks-flags.svg")
        picture_exposed(cards["product"], options.pictures / "known-leaks-exposed.svg")


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    making = commands.add_parser("make", help="write the cases")
    making.add_argument("folder", type=Path)
    making.add_argument("--csv", help="table of people; by default they are made up")
    making.add_argument("--unknowns", default="condition,marital_status")
    making.add_argument("--number", default="income", help="column told in classes; '' for none")
    making.add_argument("--size", type=int, default=3000, help="people of an original")
    making.add_argument("--seeds", default="1,2")
    making.set_defaults(do=make)
    running = commands.add_parser("run", help="let a tool judge them")
    running.add_argument("tool", choices=("product", *PEERS))
    running.add_argument("folder", type=Path)
    running.add_argument("--first", type=int, help="so many cases; all by default")
    running.add_argument("--attacks", nargs="+", default=ATTACKS, help="product only")
    running.add_argument("--limit", type=float, default=300, help="seconds a case, reference only")
    running.set_defaults(do=run)
    scoring = commands.add_parser("score", help="print the score card")
    scoring.add_argument("folder", type=Path)
    scoring.add_argument("--save", type=Path, help="CSV file for the score card by level")
    scoring.add_argument("--pictures", type=Path, help="folder for pictures")
    scoring.set_defaults(do=score)
    comparing = commands.add_parser("compare", help="print what everyone says of six releases")
    comparing.add_argument("folder", type=Path)
    comparing.add_argument("--csv", help="table of people; by default they are made up")
    comparing.add_argument("--unknown", default="condition")
    comparing.add_argument("--own", default="age,income", help="kept together with the unknown")
    comparing.add_argument("--size", type=int, default=5000, help="people of the original")
    comparing.add_argument("--seed", type=int, default=1)
    comparing.set_defaults(do=compare, first=None, limit=300)
    for each in (running, comparing):
        each.add_argument("--environment", type=Path, default=HERE.parent / ".bench" / "peers-venv")
        each.add_argument("--peers-python", default=sys.executable, help="makes the environment")
    options = parser.parse_args()
    if options.do is make:
        options.unknowns = options.unknowns.split(",")
        options.seeds = [int(seed) for seed in options.seeds.split(",")]
    return options


def run(options: argparse.Namespace) -> None:
    answers = run_product(options) if options.tool == "product" else run_peer(options)
    answers.to_csv(options.folder / f"{options.tool}.csv", index=False)


def main() -> int:
    options = parse_options()
    return options.do(options) or 0


if __name__ == "__main__":
    sys.exit(main())
