#!/usr/bin/env python3
"""Overload: 2 and 10 times as many requests as the machine can answer.

overload.py BUILD_FOLDER [PROGRAM...]: finds the rate that the daemon serves of poses, vertices and
pictures, then sends so many times that, at a fixed rate whatever comes back, each request for
another moment. Beside it a polite client asks for one thing at a time, from another address. Prints
a Markdown table: what was answered and refused a second, how long each took, and how the polite
client fared. BENCH_SECONDS, BENCH_CONNECTIONS and BENCH_KINDS in the environment change what is
measured.
"""
import os
import pathlib
import statistics
import sys
import threading
import time

import connections
from connections import KINDS

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests/http"))
from client import Client  # noqa: E402
from daemon import binary  # noqa: E402

SECONDS = float(os.environ.get("BENCH_SECONDS", "10"))
CONNECTIONS = int(os.environ.get("BENCH_CONNECTIONS", "1000"))
FACTORS = (2, 10)
CAPACITY_CONNECTIONS = 32
CAPACITY_SECONDS = 3
POLITE = "127.0.0.2"
POLITE_PAUSE_S = 0.02
PATIENCE_S = 60

# The requirements on the daemon.
MOST_OF_MEDIAN = 10


class Polite(threading.Thread):
    """One request at a time, each for another moment."""

    def __init__(self, port, path, body):
        super().__init__()
        self.client, self.path, self.body = Client(port, POLITE), path, body
        self.done = threading.Event()
        self.statuses, self.times_ms = [], []

    def run(self):
        with self.client.keep() as kept:
            for i in range(10**9):
                if self.done.is_set():
                    return
                body = self.body.replace("@t", f"{i * 0.6180339887 % 1 * 0.7:.9f}")
                begun = time.perf_counter()
                reply = kept.request("POST", self.path, body,
                                     {"Content-Type": "application/json"})
                self.times_ms.append((time.perf_counter() - begun) * 1000)
                self.statuses.append(reply.status)
                time.sleep(POLITE_PAUSE_S)


def percentile(times, share):
    return sorted(times)[min(int(share * len(times)), len(times) - 1)] if times else 0


def verdict(held):
    return "" if held else " MISSED"


def overload(build, daemon, name, kind, factor, rate):
    path, body = KINDS[kind]
    polite = Polite(daemon.port, path, body)
    polite.start()
    result = connections.load(build, daemon.port, CONNECTIONS, path, body, factor * rate, SECONDS)
    polite.done.set()
    polite.join()
    served, refused = result["served"], result["refused"]
    ratio = served["p99_ms"] / served["p50_ms"] if served["count"] else 0
    refusals = sum(status != 200 for status in polite.statuses)
    print(f"| {kind} | {name} | {factor} x {rate:,.0f} | {served['count'] / SECONDS:,.0f}"
          f" | {served['p50_ms']:.2f} | {served['p99_ms']:.2f}"
          f" | {ratio:.1f}{verdict(0 < ratio < MOST_OF_MEDIAN)}"
          f" | {refused['count'] / SECONDS:,.0f} | {refused['p50_ms']:.2f}"
          f" | {len(polite.statuses) - refusals} of {len(polite.statuses)}{verdict(not refusals)}"
          f" | {percentile(polite.times_ms, 0.5):.2f} | {percentile(polite.times_ms, 0.99):.2f} |",
          flush=True)


def capacity(build, port, path, body):
    """Answers a second of a few connections that each wait for theirs; after some to warm up."""
    rates = [connections.load(build, port, CAPACITY_CONNECTIONS, path, body, 0,
                              CAPACITY_SECONDS)["served"]["count"] / CAPACITY_SECONDS
             for _ in range(3)]
    return statistics.median(rates[1:])


def show(build, programs=(), args=()):
    print(f"\nOverload of {CONNECTIONS} connections for {SECONDS:g} s, and a polite client from "
          f"another address. Load of the machine before: {os.getloadavg()[0]:.1f}. Milliseconds, "
          "from when each request was due.\n")
    print("| kind | daemon | sent a second | answered | p50 | p99 | of the median | refused | p50 "
          "| polite: answered | p50 | p99 |")
    print("| --- " * 12 + "|")
    for kind in os.environ.get("BENCH_KINDS", " ".join(KINDS)).split():
        for program in programs or [binary()]:
            daemon = connections.start(program, args)
            rate = capacity(build, daemon.port, *KINDS[kind])
            for factor in FACTORS:
                overload(build, daemon, pathlib.Path(program).name, kind, factor, rate)
            daemon.stop()


if __name__ == "__main__":
    show(sys.argv[1], sys.argv[2:])
