#!/usr/bin/env python3
"""Holds two builds of the daemon against each other: the same requests must get the same bytes.

run.py OLD NEW                  two programs
run.py --record FILE PROGRAM    keeps the answers of one, for later
run.py --against FILE PROGRAM   holds another build against them

The requests come from OLD's own description of its API and from what it lists. Ends with 1 where an
answer differs. Sentences for people (`detail`, `title`, warnings, documents, comments of shaders) are
listed as texts and count as differences with --strict-texts only.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import pickle
import re
import sys
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / folder) for folder in ("http", "golden", "fuzz")]

import guarded  # noqa: E402
from api import Api  # noqa: E402
from compare import Tags, compare  # noqa: E402
from daemon import Daemon  # noqa: E402
from exchange import Asker  # noqa: E402
from plan import Plan  # noqa: E402

# Nothing is to hang on how busy the machine is.
PATIENT = ("--access-log", "off", "--deadline-seconds", "300", "--queue-wait-ms", "60000",
           "--import-seconds", "60", "--log-level", "error", "--trusted-origins", "https://a.example")
SHOWN = 40  # kinds of differences; the others are counted
# The same pixels in other bytes: one frame in many thousands is packed otherwise from run to run.
PACKED_OTHERWISE_MOST = 12
FORMAT = 1  # of recordings


class Subject:
    """A build with its daemons: one open to all, one with tokens, and one that reads the first one's
    folder after it."""

    def __init__(self, program):
        self.program = pathlib.Path(program).resolve()
        self.folder = tempfile.TemporaryDirectory(prefix="posed-same-")
        self.running = {}
        self.asker = Asker({})

    def start(self, name, *args, data=None):
        data = pathlib.Path(self.folder.name, data or name)
        daemon = Daemon(data=data, args=(*PATIENT, *args), program=self.program).start()
        self.running[name] = daemon
        self.asker.ports[name] = daemon.port

    def begin_guarded(self):
        files = {"--tokens": guarded.TOKEN_LINES, "--presets": guarded.PRESETS,
                 "--sign-keys": f"{guarded.KEY} {guarded.SALT}\n"}
        args = []
        for option, text in files.items():
            path = pathlib.Path(self.folder.name, option.strip("-"))
            path.write_text(text)
            path.chmod(0o600)
            args += [option, str(path)]
        self.start("guarded", *args)

    def get(self, path):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.asker.ports['open']}{path}") as answer:
            return answer.read()

    def ask(self, plan):
        """The answers to all requests, by their names."""
        for _, side_by_side, requests in plan.phases:
            needed = {request.daemon for request in requests} - set(self.running)
            if "guarded" in needed:
                self.begin_guarded()
            if "read-only" in needed:
                self.asker.close()
                self.running.pop("open").stop()
                self.start("read-only", "--read-only", "on", data="open")
            self.asker.ask_all(requests, side_by_side)
        return self.asker.answers

    def end(self):
        self.asker.close()
        for daemon in self.running.values():
            daemon.stop()
        self.folder.cleanup()


class Only:
    """A plan cut down to the requests whose names contain a word, and what makes the rigs for them."""

    def __init__(self, plan, word):
        self.phases = [(title, width, [request for request in requests if word in request.name]
                        if place else requests)
                       for place, (title, width, requests) in enumerate(plan.phases)]


def answers_of(subjects, plan):
    """Of each build, all at once."""
    with concurrent.futures.ThreadPoolExecutor(len(subjects)) as pool:
        return list(pool.map(lambda subject: subject.ask(plan), subjects))


def report(requests, old, new):
    """Prints the differences, and returns them by their kind."""
    tags = Tags()
    found = {"text": [], "packing": [], "": []}
    for request in requests:
        for difference in compare(request, old[request.name], new[request.name], tags):
            found[difference.kind].append((request, difference))
    for kind, title in (("text", "text"), ("packing", "packed otherwise"), ("", "DIFFERENT")):
        show(title, found[kind])
    return found


def show(title, found):
    """A few of each kind in full, and how many there are."""
    alike = {}
    for request, difference in found:
        key = request.operation, re.sub(r"\d+", "#", difference.where)
        alike.setdefault(key, []).append((request, difference))
    for (operation, where), several in list(alike.items())[:SHOWN]:
        for request, difference in several[:2]:
            print(f"{title}: {request.name}\n  {request.method} {request.target[:300]}\n  {difference}")
        if len(several) > 2:
            print(f"{title}: {len(several)} in all in {operation}, {where}")
    if len(alike) > SHOWN:
        print(f"{title}: and {len(alike) - SHOWN} other places")


def keep(folder, differing, old, new):
    """Writes the bodies that differ into a folder, for a closer look."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, name in enumerate(dict.fromkeys(request.name for request, _ in differing)):
        (folder / f"{number}.name").write_text(name)
        (folder / f"{number}.old").write_bytes(old[name].body)
        (folder / f"{number}.new").write_bytes(new[name].body)


def counts(requests, answers, plan):
    statuses = collections.Counter(answers[request.name].status // 100 for request in requests)
    problems = set()
    for request in requests:
        answer = answers[request.name]
        if "problem" in answer.header("Content-Type") and answer.body:
            problems.add(json.loads(answer.body)["type"])
    print(f"{len(requests)} requests of {len(set(request.operation for request in requests) - {''})} "
          f"operations; {len(plan.shared)} shared files; answers "
          + ", ".join(f"{count} {kind}xx" for kind, count in sorted(statuses.items()))
          + f"; {len(problems)} kinds of problem")
    slowest = sorted(requests, key=lambda request: -answers[request.name].seconds)[:5]
    print("slowest: " + ", ".join(f"{request.name[:60]} {answers[request.name].seconds:.1f} s"
                                  for request in slowest))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("programs", nargs="+", help="OLD NEW, or one with --record or --against")
    parser.add_argument("--record", metavar="FILE", help="keep the answers of one program")
    parser.add_argument("--against", metavar="FILE", help="hold one program against such answers")
    parser.add_argument("--keep", metavar="FOLDER", type=pathlib.Path, help="write bodies that differ")
    parser.add_argument("--only", metavar="WORD", default="", help="requests with WORD in their names")
    parser.add_argument("--strict-texts", action="store_true", help="texts must not differ either")
    parser.add_argument("--list", action="store_true", help="print the requests' names")
    given = parser.parse_args()
    if len(given.programs) != (1 if given.record or given.against or given.list else 2):
        parser.error("two programs, or one with --record, --against or --list")
    return given


def main():
    given = arguments()
    begun = time.monotonic()
    subjects = [Subject(program) for program in given.programs]
    recorded = pickle.loads(pathlib.Path(given.against).read_bytes()) if given.against else None
    try:
        for subject in subjects:
            subject.start("open")
        sources = recorded["sources"] if recorded else [
            subjects[0].get("/openapi.yaml").decode(), json.loads(subjects[0].get("/v1"))]
        whole = Plan(Api(sources[0]), sources[1])
        missing = whole.missing()
        plan = Only(whole, given.only) if given.only else whole
        requests = [request for _, _, part in plan.phases for request in part]
        if given.list:
            print(*(request.name for request in requests), sep="\n")
            return 0
        answers = answers_of(subjects, plan)
    finally:
        for subject in subjects:
            subject.end()
    counts(requests, answers[0], whole)
    for what in missing:
        print(f"NO REQUEST of {what}")
    if given.record:
        pathlib.Path(given.record).write_bytes(pickle.dumps(
            {"format": FORMAT, "sources": sources, "answers": answers[0]}))
        return 1 if missing else 0
    old, new = (recorded["answers"], answers[0]) if recorded else answers
    found = report(requests, old, new)
    differing = found[""] + (found["text"] if given.strict_texts else [])
    if len(found["packing"]) > PACKED_OTHERWISE_MOST:
        differing += found["packing"]
    if given.keep:
        keep(given.keep, differing + found["packing"], old, new)
    print(f"{len(differing)} differences in {len({request.name for request, _ in differing})} answers, "
          f"{len(found['text'])} texts, {len(found['packing'])} pictures packed otherwise; "
          f"{time.monotonic() - begun:.0f} s")
    return 1 if differing or missing else 0


if __name__ == "__main__":
    sys.exit(main())
