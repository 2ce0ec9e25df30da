#!/usr/bin/env python3
"""What becomes of pictures when twice as many are asked for as the machine can draw.

overload.py BUILD_FOLDER [DAEMON_ARGUMENT...]: finds the rate that the daemon serves, then sends
twice that, at a fixed rate whatever comes back, and says how long the accepted pictures took, and
the refusals.
"""
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/http"))
from client import Client  # noqa: E402
from daemon import Daemon  # noqa: E402

FILES = pathlib.Path(os.environ.get("POSED_SHARED_FILES", ROOT.parent / "shared/files"))
FOX = FILES / "khronos-Fox/glTF-Binary/Fox.glb"
HUMANOID = ROOT / "assets/demo/humanoid.glb"
PICTURE = '{"rig":"rig","pose":{"clip":"Walk","time":@t},"width":256,"height":256}'

CONNECTIONS = 256
SECONDS = int(os.environ.get("BENCH_SECONDS", "20"))
UNLOADED_RATE = 10  # a second: few enough not to meet
CAPACITY_CONNECTIONS = 3  # enough for two threads, and for the shortest queue
CAPACITY_RUNS = 3
CAPACITY_SECONDS = 3

# What is asked of the daemon.
MOST_OF_MEDIAN = 10
REFUSAL_MS = 5


def go_first():
    """The client must not wait for the server's threads: its times would be its own."""
    try:
        os.nice(-20)
    except PermissionError:
        pass  # then the client's own lateness, which is shown, is greater


def open_loop(build, port, rate, seconds, connections):
    command = [os.path.join(build, "tests/bench/open_loop"), str(port), f"{rate:.3f}",
               str(seconds), str(connections), "/v1/frame", PICTURE]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE,
                                     preexec_fn=go_first).stdout)


def capacity(port):
    """Pictures a second, of a few connections that each wait for their answer."""
    rates = []
    for run in range(CAPACITY_RUNS):
        command = ["wrk", "-t1", f"-c{CAPACITY_CONNECTIONS}", f"-d{CAPACITY_SECONDS}s", "-s",
                   str(ROOT / "tests/bench/load.lua"), f"http://127.0.0.1:{port}", "--",
                   str(10**7 + run * 10**5), "POST", "/v1/frame", PICTURE,
                   "Content-Type: application/json"]
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        result = json.loads(output.splitlines()[-1])
        rates.append((result["requests"] - result["failed"]) / result["seconds"])
    return statistics.median(rates)


def describe(times):
    return (f"median {times['p50_ms']:.1f} ms, p90 {times['p90_ms']:.1f}, p99 "
            f"{times['p99_ms']:.1f}, most {times['most_ms']:.1f}")


def verdict(held):
    return "held" if held else "MISSED"


def overload(build, arguments):
    daemon = Daemon(args=arguments).start()
    rig = FOX if FOX.exists() else HUMANOID
    Client(daemon.port).put("rig", rig.read_bytes())
    capacity(daemon.port)  # the first pictures are not like the others
    unloaded = open_loop(build, daemon.port, UNLOADED_RATE, 5, 4)["served"]["p50_ms"]
    rate = capacity(daemon.port)
    result = open_loop(build, daemon.port, 2 * rate, SECONDS, CONNECTIONS)
    daemon.stop()
    served, refused = result["served"], result["refused"]
    most = MOST_OF_MEDIAN * unloaded
    print(f"  {' '.join(arguments) or '(defaults)'}: {rig.name}, unloaded median {unloaded:.1f} "
          f"ms, {rate:.0f} a second; sent {2 * rate:.0f} a second for {SECONDS} s; load "
          f"{os.getloadavg()[0]:.1f}")
    print(f"    served  {served['count']:6} ({served['count'] / SECONDS:.0f} a second): "
          f"{describe(served)}; p99 under {most:.0f} ms: {verdict(served['p99_ms'] < most)} "
          f"({served['p99_ms'] / unloaded:.1f} times the median)")
    print(f"    refused {refused['count']:6}: {describe(refused)}; p99 within {REFUSAL_MS} ms: "
          f"{verdict(refused['p99_ms'] <= REFUSAL_MS)}")
    print(f"    the client sent late by {describe(result['late'])}, which is in these times; other "
          f"answers {result['others']}, without answer {result['lost']}", flush=True)


def show(build, arguments=()):
    print("\noverload: pictures 256 x 256 at twice the rate that can be drawn, every request "
          f"another time, {CONNECTIONS} connections")
    if not shutil.which("wrk"):
        print("  left out: wrk is not installed")
        return
    overload(build, list(arguments))


if __name__ == "__main__":
    show(sys.argv[1], sys.argv[2:])
