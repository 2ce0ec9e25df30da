#!/usr/bin/env python3
"""Requests a second by connections, for poses, vertices and pictures: each connection sends its next
request as soon as it has its answer, and every request is for another moment.

connections.py BUILD_FOLDER [PROGRAM...] prints a Markdown table: answers and refusals a second, and
how long each took. With several daemons the rounds take turns, so that what else runs on the machine
is the same for all. BENCH_ROUNDS, BENCH_SECONDS (of a round), BENCH_CONNECTIONS ("1 64") and
BENCH_KINDS ("poses") in the environment change what is measured.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/http"))
from client import Client  # noqa: E402
from daemon import Daemon, binary  # noqa: E402

HUMANOID = ROOT / "assets/demo/humanoid.glb"
KINDS = {
    "poses": ("/v1/pose", '{"rig":"humanoid","pose":{"clip":"Walk","time":@t}}'),
    "vertices": ("/v1/vertices", '{"rig":"humanoid","pose":{"clip":"Walk","time":@t}}'),
    "pictures": ("/v1/frame",
                 '{"rig":"humanoid","pose":{"clip":"Walk","time":@t},"width":256,"height":256}'),
}
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
SECONDS = float(os.environ.get("BENCH_SECONDS", "4"))
CONNECTIONS = [int(n) for n in os.environ.get("BENCH_CONNECTIONS", "1 8 64 256 1000 3000").split()]
LEAST_OF_BEST = 0.8
HELD_FROM = 1000


def load(build, port, connections, path, body, rate=0, seconds=SECONDS):
    command = [os.path.join(build, "tests/bench/open_loop"), str(port), f"{rate:.3f}",
               str(seconds), str(connections), path, body]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def start(program, args=()):
    daemon = Daemon(program=program, args=("--access-log", "off", "--cache-memory", "0", *args)).start()
    Client(daemon.port).put("humanoid", HUMANOID.read_bytes())
    return daemon


def median(rounds, kind, key):
    return statistics.median(round_[kind][key] for round_ in rounds)


def show(kind, connections, name, rounds, best):
    served = median(rounds, "served", "count") / SECONDS
    refused = median(rounds, "refused", "count") / SECONDS
    share = served / best if best else 1
    held = connections < HELD_FROM or share >= LEAST_OF_BEST
    print(f"| {kind} | {connections} | {name} | {served:,.0f} | {share:.2f}{'' if held else ' MISSED'}"
          f" | {median(rounds, 'served', 'p50_ms'):.2f} | {median(rounds, 'served', 'p99_ms'):.2f}"
          f" | {refused:,.0f} | {median(rounds, 'refused', 'p50_ms'):.2f}"
          f" | {median(rounds, 'refused', 'p99_ms'):.2f} |", flush=True)
    return served


def measure(build, programs, kind):
    path, body = KINDS[kind]
    daemons = [start(program) for program in programs]
    best = [0] * len(programs)
    for connections in CONNECTIONS:
        rounds = [[] for _ in programs]
        for round_ in range(-1, ROUNDS):
            for i, daemon in enumerate(daemons):
                result = load(build, daemon.port, connections, path, body,
                              seconds=SECONDS if round_ >= 0 else 1)
                if round_ >= 0:
                    rounds[i].append(result)
        for i, program in enumerate(programs):
            best[i] = max(best[i], show(kind, connections, pathlib.Path(program).name, rounds[i],
                                        best[i]))
    for daemon in daemons:
        daemon.stop()


def main(build, programs):
    print(f"Load of the machine before: {os.getloadavg()[0]:.1f}. Medians of {ROUNDS} rounds of "
          f"{SECONDS:g} s; milliseconds.\n")
    print("| kind | connections | daemon | answers a second | of the best with fewer | p50 | p99 "
          "| refusals a second | p50 | p99 |")
    print("| --- " * 10 + "|")
    for kind in os.environ.get("BENCH_KINDS", " ".join(KINDS)).split():
        measure(build, programs, kind)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:] or [binary()])
