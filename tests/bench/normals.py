#!/usr/bin/env python3
"""The cost of `"normals": "exact"` over the methods' own normals: processor time of the daemon for
vertices (positions and normals as octets, many poses to a request) and for pictures of 256 x 256, of
all methods that make both. In turns, and no pose is asked for twice; ratios are medians of the rounds'.

normals.py [ROUNDS]. Takes POSED_BINARY or build/posed.
"""
import itertools
import pathlib
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/http")]
from client import PNG, Client  # noqa: E402  (the one of the tests)
from daemon import Daemon  # noqa: E402

ROUNDS = 9
RIGS = {"tube23": "wave", "humanoid": "Walk"}
WAYS = (("vertices", "cpu", 40), ("vertices", "gpu", 20), ("frame", "auto", 4))

moments = (0.00037 * i for i in itertools.count())


def processor_s(pid):
    """Of all threads that there are."""
    nanoseconds = 0
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        nanoseconds += int((task / "schedstat").read_text().split()[0])
    return nanoseconds * 1e-9


def cost_s(daemon, client, rig, skinning, what, count):
    """Processor time of one pose."""
    poses = [{"clip": RIGS[rig], "time": next(moments), "loop": "repeat"} for _ in range(count)]
    before = processor_s(daemon.process.pid)
    if what == "vertices":
        replies = [client.post("vertices", {
            "rig": rig, "poses": poses, "skinning": skinning, "attributes": ["position", "normal"]})]
    else:
        replies = [client.post("frame", {
            "rig": rig, "pose": pose, "skinning": skinning, "width": 256, "height": 256}, accept=PNG)
            for pose in poses]
    assert all(reply.status == 200 for reply in replies), replies[0]
    return (processor_s(daemon.process.pid) - before) / count


def methods(client):
    """Those that make exact normals and others."""
    for method in client.get("/v1").json()["skinning_methods"]:
        if {"exact", "cof"} <= set(method["normals"]) and not method["needs"]:
            yield method["id"]


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    daemon = Daemon(args=("--load", str(ROOT / "assets/demo"))).start()
    try:
        client = Client(daemon.port)
        for (what, device, count), rig, method in itertools.product(WAYS, RIGS, methods(client)):
            own = {"method": method, "device": device}
            exact = {**own, "normals": "exact"}
            pairs = [[cost_s(daemon, client, rig, skinning, what, count) for skinning in (own, exact)]
                     for _ in range(rounds + 1)][1:]  # the first warms up
            own_ms, exact_ms = (1000 * statistics.median(column) for column in zip(*pairs))
            ratio = statistics.median(b / a for a, b in pairs)
            print(f"{what:9}{device:5}{rig:9}{method:12} own {own_ms:6.2f} ms  exact {exact_ms:6.2f} ms"
                  f"  ratio {ratio:.2f}", flush=True)
    finally:
        daemon.stop()


if __name__ == "__main__":
    main()
