#!/usr/bin/env python3
"""Runs Ouro on sets of tasks and writes the tables of docs/results.md.

    scripts/results.py run --ouro target/release/ouro --tasks DIR --manifest tasks.csv --csv out.csv
    scripts/results.py write out.csv [more.csv ...] [--peers peers.csv] [--machine "2 cores, 8 GiB"]

`run` needs a manifest with the columns set, path, expected, data_model and ints (one task a row, paths relative to
DIR) and writes a row for each task with verdict, engine, seconds and MiB. `write` puts tables of such rows
between the marks in docs/results.md. Peers are rows of path, tool, verdict and seconds.

The tasks themselves are other people's and stay where they are: docs/results.md says where they come from.
Exit status 1 if a verdict contradicts an expected one.
"""
import argparse
import concurrent.futures
import csv
import json
import os
import statistics
import subprocess
import sys
import threading
import time

DEFINITE = ("terminates", "loops", "holds", "violated")
COLUMNS = ["set", "path", "expected", "verdict", "engine", "seconds", "mib"]
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BEGIN, END = "<!-- results: begin -->", "<!-- results: end -->"


def peak_mib(pid, stop, seen):
    """The most memory that a process and its children were seen to use."""
    while not stop.wait(0.1):
        total = 0
        for child in [pid] + children(pid):
            try:
                with open(f"/proc/{child}/statm") as file:
                    total += int(file.read().split()[1]) // 256
            except (OSError, ValueError, IndexError):
                pass
        seen[0] = max(seen[0], total)


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            found = [int(word) for word in file.read().split()]
    except OSError:
        return []
    return found + [below for one in found for below in children(one)]


def ask(args, row):
    path = os.path.join(args.tasks, row["path"])
    if not os.path.exists(path):
        return None
    command = [args.ouro, "check", path, "--format", "json", "--timeout", f"{args.timeout}s"]
    for option, value in (("--ints", row.get("ints")), ("--data-model", row.get("data_model"))):
        if value:
            command += [option, value]
    if os.path.exists(path + ".prp"):
        command += ["--prop", path + ".prp"]
    start, seen, stop = time.time(), [0], threading.Event()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    watcher = threading.Thread(target=peak_mib, args=(process.pid, stop, seen))
    watcher.start()
    try:
        out, _ = process.communicate(timeout=args.timeout + 30)
    except subprocess.TimeoutExpired:
        process.kill()
        out, _ = process.communicate()
    stop.set()
    watcher.join()
    try:
        answer = json.loads(out)
        verdict, engine = answer["verdict"], answer.get("engine") or ""
    except (ValueError, KeyError, TypeError):
        verdict, engine = "failed", ""
    seconds = round(time.time() - start, 2)
    return {**{name: row.get(name, "") for name in COLUMNS}, "verdict": verdict, "engine": engine,
            "seconds": seconds, "mib": seen[0]}


def run(args):
    with open(args.manifest, newline="") as file:
        rows = [row for row in csv.DictReader(file) if not args.set or row["set"] in args.set]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        found = [row for row in pool.map(lambda row: ask(args, row), rows[:: args.every]) if row]
    with open(args.csv, "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(found)
    return complain(found)


def is_wrong(row):
    return row["verdict"] in DEFINITE and row["expected"] in DEFINITE and row["verdict"] != row["expected"]


def complain(rows):
    wrong = [row for row in rows if is_wrong(row)]
    for row in wrong:
        print(f"wrong: {row['path']}: {row['verdict']}, expected {row['expected']}", file=sys.stderr)
    return 1 if wrong else 0


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]) + "\n"


def number(row, name):
    return float(row.get(name) or 0)


def of_sets(rows):
    out = []
    for name in sorted({row["set"] for row in rows}):
        mine = [row for row in rows if row["set"] == name]
        solved = [row for row in mine if row["verdict"] in DEFINITE and not is_wrong(row)]
        times = [number(row, "seconds") for row in solved] or [0]
        memory = [number(row, "mib") for row in mine if number(row, "mib")]
        out.append([
            f"`{name}`", len(mine), len(solved),
            sum(row["verdict"] in ("terminates", "holds") for row in mine),
            sum(row["verdict"] in ("loops", "violated") for row in mine),
            sum(map(is_wrong, mine)), sum(row["verdict"] not in DEFINITE + ("unknown",) for row in mine),
            f"{statistics.median(times):.1f}", f"{max(memory):.0f}" if memory else "not measured",
        ])
    head = ["set", "tasks", "solved", "end", "never end", "wrong", "failed", "median s of solved", "most MiB"]
    return table(head, out)


def of_engines(rows):
    engines = sorted({row["engine"] for row in rows if row["engine"] and row["verdict"] in DEFINITE})
    out = []
    for name in sorted({row["set"] for row in rows}):
        mine = [row for row in rows if row["set"] == name and row["verdict"] in DEFINITE]
        out.append([f"`{name}`"] + [sum(row["engine"] == engine for row in mine) for engine in engines])
    return table(["set"] + [f"`{engine}`" for engine in engines], out)


def of_peers(rows, peers):
    mine = {row["path"]: row for row in rows}
    tools = sorted({row["tool"] for row in peers})
    sets = sorted({mine[row["path"]]["set"] for row in peers if row["path"] in mine})
    out = []
    for name in sets:
        paths = {path for path, row in mine.items() if row["set"] == name}
        asked = {row["path"] for row in peers if row["path"] in paths}
        for verdict in ("terminates", "loops"):
            own = sum(mine[path]["verdict"] == verdict for path in asked)
            counts = []
            for tool in tools:
                theirs = [row["verdict"] for row in peers if row["path"] in asked and row["tool"] == tool]
                counts.append(theirs.count(verdict) if theirs else "not run")
            out.append([f"`{name}`", len(asked), verdict, own] + counts)
    return table(["set", "tasks", "verdict", "Ouro"] + tools, out)


def write(args):
    rows = []
    for path in args.csvs:
        with open(path, newline="") as file:
            rows += list(csv.DictReader(file))
    text = f"Measured on {args.machine}, {args.timeout} s a task.\n\n" if args.machine else ""
    text += of_sets(rows) + "\nWho found the answers:\n\n" + of_engines(rows)
    if args.peers:
        with open(args.peers, newline="") as file:
            text += "\nBeside what peers published for the same tasks:\n\n" + of_peers(rows, list(csv.DictReader(file)))
    page = os.path.join(ROOT, "docs", "results.md")
    with open(page) as file:
        old = file.read()
    before, rest = old.split(BEGIN, 1)
    _, after = rest.split(END, 1)
    with open(page, "w") as file:
        file.write(f"{before}{BEGIN}\n\n{text}\n{END}{after}")
    return complain(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    asking = commands.add_parser("run", help="run Ouro on the tasks of a manifest")
    asking.add_argument("--ouro", required=True)
    asking.add_argument("--tasks", required=True, help="the folder that the paths of the manifest are in")
    asking.add_argument("--manifest", required=True)
    asking.add_argument("--csv", required=True, help="where the rows go")
    asking.add_argument("--set", action="append", help="only this set; may be repeated")
    asking.add_argument("--every", type=int, default=1, help="only every Nth task")
    asking.add_argument("--timeout", type=int, default=20)
    asking.add_argument("--jobs", type=int, default=2)
    asking.set_defaults(do=run)
    writing = commands.add_parser("write", help="write the tables of docs/results.md")
    writing.add_argument("csvs", nargs="+", metavar="CSV")
    writing.add_argument("--peers")
    writing.add_argument("--machine", default="")
    writing.add_argument("--timeout", type=int, default=20)
    writing.set_defaults(do=write)
    args = parser.parse_args()
    sys.exit(args.do(args))


if __name__ == "__main__":
    main()
