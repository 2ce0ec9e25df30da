#!/usr/bin/env python3
"""Turntables of the demo humanoid, 36 frames of 256 x 256 with 4 samples: frames a second of one
POST /v1/frames as APNG, of 36 single pictures asked for at the same time, and of three.js in a warm
headless Chromium that has the model. In turns, several rounds; each round starts at another yaw, so
that nothing was asked for before. Ratios are medians of the rounds' ratios.

frames.py [ROUNDS]. Takes POSED_BINARY or build/posed.
"""
import concurrent.futures
import http.client
import itertools
import json
import os
import pathlib
import statistics
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/http"), str(ROOT / "tests/bench/chromium")]
import browser  # noqa: E402
from client import PNG, Client  # noqa: E402  (the one of the tests)
from daemon import Daemon  # noqa: E402

HUMANOID = ROOT / "assets/demo/humanoid.glb"
APNG = "image/apng"
COUNT, ROUNDS = 36, 9
PICTURE = {"rig": "humanoid", "width": 256, "height": 256, "samples": 4}
BROWSER_S = 2  # that the page draws in each round
LOOKS = ("material", "plain")


# Yaws that no round before started at.
starts = (0.0131 * i for i in itertools.count())


class Singles:
    """Connections that stay open, one for each picture of a round."""

    def __init__(self, port):
        self.port, self.own = port, threading.local()
        self.pool = concurrent.futures.ThreadPoolExecutor(COUNT)
        self.barrier = threading.Barrier(COUNT)

    def draw(self, members, yaw):
        if not hasattr(self.own, "connection"):
            self.own.connection = http.client.HTTPConnection("127.0.0.1", self.port)
            self.own.connection.connect()
        body = json.dumps({**members, "camera": {"yaw": yaw}})
        self.barrier.wait()
        self.own.connection.request(
            "POST", "/v1/frame", body, {"Content-Type": "application/json", "Accept": PNG})
        reply = self.own.connection.getresponse()
        reply.read()
        if reply.status != 200:
            raise SystemExit(f"a single picture: {reply.status}")

    def rate(self, members, yaw):
        begun = time.perf_counter()
        waiting = [self.pool.submit(self.draw, members, (yaw + 360 * i / COUNT) % 360)
                   for i in range(COUNT)]
        for each in waiting:
            each.result()
        return COUNT / (time.perf_counter() - begun)


def turntable_rate(client, members, yaw):
    begun = time.perf_counter()
    reply = client.post("frames", {**members, "turntable": {"count": COUNT, "start_yaw": yaw}},
                        accept=APNG)
    taken = time.perf_counter() - begun
    if reply.status != 200:
        raise SystemExit(f"a turntable: {reply}")
    return COUNT / taken


def said(name, rates):
    return f"{name} {statistics.median(rates):.1f} ({min(rates):.1f} to {max(rates):.1f})"


def ratio(over, under):
    return statistics.median(a / b for a, b in zip(over, under))


def against_singles(client, singles, rounds, look):
    members = {**PICTURE, "shading": look}
    ours, theirs = [], []
    for round_ in range(-1, rounds):
        found = (turntable_rate(client, members, next(starts)),
                 singles.rate(members, next(starts)))
        if round_ >= 0:
            ours.append(found[0])
            theirs.append(found[1])
    print(f"  {look}: {said('one call', ours)}; {said('36 at once', theirs)};"
          f" one call / 36 at once {ratio(ours, theirs):.2f}", flush=True)


def against_browser(client, rounds, look, angle):
    members = {**PICTURE, "shading": look}
    page = browser.Browser(HUMANOID, angle, True, COUNT)
    ours, theirs = [], []
    try:
        for round_ in range(-1, rounds):
            drawn = page.draw(BROWSER_S)
            rate = turntable_rate(client, members, next(starts))
            if round_ >= 0:
                theirs.append(drawn["rate"])
                ours.append(rate)
    finally:
        page.stop()
    print(f"  {look}: {said('one call', ours)}; {said('three.js', theirs)} with"
          f" {drawn['samples']} samples; one call / three.js {ratio(ours, theirs):.2f}"
          f"\n    --use-angle={angle}: {drawn['driver']}", flush=True)


def why_no_browser():
    if browser.program() is None:
        return "Chromium is not installed"
    return None if browser.THREE.is_dir() else "no three.js: run tests/conformance/run.py once"


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    daemon = Daemon().start()
    try:
        client = Client(daemon.port)
        client.put("humanoid", HUMANOID.read_bytes())
        print(f"frames a second, {rounds} rounds, {os.cpu_count()} processors")
        singles = Singles(daemon.port)
        for look in LOOKS:
            against_singles(client, singles, rounds, look)
        reason = why_no_browser()
        if reason:
            print(f"  three.js left out: {reason}")
            return
        for angle in ("gles-egl", "swiftshader"):
            for look in LOOKS:
                against_browser(client, rounds, look, angle)
    finally:
        daemon.stop()


if __name__ == "__main__":
    main()
