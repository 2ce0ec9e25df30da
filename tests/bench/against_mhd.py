#!/usr/bin/env python3
"""The daemon's overhead over the HTTP library: its rates against those of the library alone.

against_mhd.py BUILD_FOLDER [WORD...]: of the kinds of requests whose names contain a word. Each
kind is asked of the daemon and of bare_mhd (the library, answering as many bytes with as many
headers) in alternating rounds, with the same load generator and the same connections. Beside the
rates: the CPU time that a request takes in the daemon's loop, in its other threads, and in
bare_mhd, which what else runs on the machine moves less. BENCH_ROUNDS, BENCH_SECONDS (of a round)
and BENCH_ARGS (the daemon's) in the environment change how.

A server slower than wrk pays for waking it with each answer, one that is faster does not: on a
virtual machine that is some microseconds of the difference.
"""
import http.client
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/http"))
import rigs  # noqa: E402
from client import Client  # noqa: E402
from daemon import Daemon  # noqa: E402

SCRIPT = ROOT / "tests/bench/load.lua"
CONNECTIONS = (1, 8, 32)
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "5"))
SECONDS = int(os.environ.get("BENCH_SECONDS", "1"))
REQUESTS_OF_A_ROUND = 10**6  # more than a round sends, so that no moment comes twice

JSON = "Content-Type: application/json"
OCTETS = "Accept: application/octet-stream"
POSE = '{"rig":"humanoid","pose":{"clip":"Walk","time":@t}}'
VERTICES = ('{"rig":"humanoid","pose":{"clip":"Walk","time":@t},'
            '"attributes":["position","normal"]}')
BLEND = ('{"rig":"sixty-seven","pose":{"blend":['
         '{"pose":{"clip":"a","time":@t,"loop":"repeat"},"weight":0.5},'
         '{"pose":{"clip":"b","time":0.3},"weight":0.3},'
         '{"pose":{"clip":"c","time":0.3},"weight":0.2}]}}')
PICTURE = '{"rig":"humanoid","pose":{"clip":"Walk","time":0.4},"width":256,"height":256}'
LINK = "/v1/rigs/humanoid/frame.png?clip=Walk&time=0.4&width=256&height=256"
SMALL = ('{"asset":{"version":"2.0","extras":@t},"scene":0,"scenes":[{"nodes":[0]}],'
         '"nodes":[{"name":"only"}]}')

# name: (what to reach of the library's rate, method, path, body, headers)
KINDS = {
    "pose, JSON": (1 / 5, "POST", "/v1/pose", POSE, [JSON]),
    "pose, binary": (1 / 2, "POST", "/v1/pose", POSE, [JSON, OCTETS]),
    "blend of three, 67 joints, JSON": (None, "POST", "/v1/pose", BLEND, [JSON]),
    "blend of three, 67 joints, binary": (1 / 2, "POST", "/v1/pose", BLEND, [JSON, OCTETS]),
    "vertices, positions and normals": (1 / 3, "POST", "/v1/vertices", VERTICES, [JSON, OCTETS]),
    "picture kept, GET": (1 / 2, "GET", LINK, "", []),
    "picture kept, POST": (1 / 2, "POST", "/v1/frame", PICTURE, [JSON]),
    "picture unchanged, GET": (1 / 2, "GET", LINK, "", ["If-None-Match: @etag"]),
    "picture unchanged, POST": (1 / 2, "POST", "/v1/frame", PICTURE,
                                [JSON, "If-None-Match: @etag"]),
    "healthz": (None, "GET", "/healthz", "", []),
    "put, 1 node": (None, "PUT", "/v1/rigs/small", SMALL, ["Content-Type: model/gltf+json"]),
    "source, 40 kB": (None, "GET", "/v1/rigs/cyl2/source", "", []),
}


class Bare:
    """The library alone, answering with a size and a status."""

    def __init__(self, program, size, status):
        self.process = subprocess.Popen([program, str(size), str(status)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.port = int(self.process.stdout.readline())

    def stop(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def split_headers(headers):
    return dict(header.split(": ", 1) for header in headers)


def ask(port, method, path, body, headers):
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request(method, path, body.replace("@t", "0.123456789") or None,
                       split_headers(headers))
    reply = connection.getresponse()
    content = reply.read()
    connection.close()
    if reply.status >= 400:
        raise RuntimeError(f"{method} {path}: {reply.status} {content[:300]!r}")
    return reply, len(content)


def cpu_ns(process):
    """Nanoseconds of CPU time so far: (of the first thread, of all others). Threads that ended
    are not in it."""
    times = {}
    for thread in os.listdir(f"/proc/{process.pid}/task"):
        with open(f"/proc/{process.pid}/task/{thread}/schedstat", encoding="ascii") as stat:
            times[int(thread)] = int(stat.read().split()[0])
    first = times.pop(process.pid)
    return first, sum(times.values())


def wrk(port, connections, first, request):
    """The result of a round: the object that load.lua prints."""
    _, method, path, body, headers = request
    command = ["wrk", "-t1", f"-c{connections}", f"-d{SECONDS}s", "-s", str(SCRIPT),
               f"http://127.0.0.1:{port}", "--", str(first), method, path, body, *headers]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    result = json.loads(output.splitlines()[-1])
    if result["failed"] or result["broken"]:
        raise RuntimeError(f"{method} {path}: {result}")
    return result


def measure(server, connections, first, request):
    """A round's rate and its microseconds of CPU: {"rate", "loop", "others", ...}."""
    before = cpu_ns(server.process)
    result = wrk(server.port, connections, first, request)
    after = cpu_ns(server.process)
    loop, others = ((b - a) / 1000 / result["requests"] for a, b in zip(before, after))
    return {"rate": result["requests"] / result["seconds"], "loop": loop, "others": others,
            "median_ms": result["median_ms"], "p99_ms": result["p99_ms"]}


def median(rounds, key):
    return statistics.median(round_[key] for round_ in rounds)


def show_kind(name, aim, connections, daemon, bare):
    ratios = [ours["rate"] / theirs["rate"] for ours, theirs in zip(daemon, bare)]
    # A disturbance makes a round slower, never faster.
    best = max(r["rate"] for r in daemon) / max(r["rate"] for r in bare)
    asked = f", aim {aim:.2f}" if aim else ""
    print(f"  {name:<33} {connections:2} connections: {median(daemon, 'rate'):6.0f} of "
          f"{median(bare, 'rate'):6.0f} a second, {statistics.median(ratios):.3f} ("
          f"{min(ratios):.3f} to {max(ratios):.3f}; best rounds {best:.3f}{asked});  us of CPU: "
          f"loop {median(daemon, 'loop'):.1f} + others {median(daemon, 'others'):.1f}, bare "
          f"{median(bare, 'loop'):.1f};  median {median(daemon, 'median_ms'):.2f} ms, p99 "
          f"{median(daemon, 'p99_ms'):.2f};  load {os.getloadavg()[0]:.1f}", flush=True)


def compare(program, daemon, name, request):
    aim, method, path, body, headers = request
    reply, size = ask(daemon.port, method, path, body, [h for h in headers if "@etag" not in h])
    headers = [header.replace("@etag", reply.headers.get("ETag", "")) for header in headers]
    unchanged = any(header.startswith("If-None-Match") for header in headers)
    request = (aim, method, path, body, headers)
    bare = Bare(program, 0 if unchanged else size, 304 if unchanged else 200)
    first = 0
    for connections in CONNECTIONS:
        rounds = ([], [])
        for round_ in range(-1, ROUNDS):
            for server, results in zip((daemon, bare), rounds):
                first += REQUESTS_OF_A_ROUND
                result = measure(server, connections, first, request)
                if round_ >= 0:
                    results.append(result)
        show_kind(name, aim, connections, *rounds)
    bare.stop()


def show(build, words=()):
    print(f"\nagainst the HTTP library alone, {ROUNDS} alternating rounds of {SECONDS} s, medians; "
          '"aim" is for 8 and 32 connections')
    if not shutil.which("wrk"):
        print("  left out: wrk is not installed")
        return
    program = os.path.join(build, "tests/bench/bare_mhd")
    daemon = Daemon(args=os.environ.get("BENCH_ARGS", "").split()).start()
    client = Client(daemon.port)
    for rig in ("humanoid", "cyl2"):
        client.put(rig, (ROOT / f"assets/demo/{rig}.glb").read_bytes())
    client.put("sixty-seven", rigs.swaying_joints(67, "abc").glb())
    for name, request in KINDS.items():
        if not words or any(word in name for word in words):
            compare(program, daemon, name, request)
    daemon.stop()


if __name__ == "__main__":
    show(sys.argv[1], sys.argv[2:])
