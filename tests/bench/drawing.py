#!/usr/bin/env python3
"""Pictures of single rigs over HTTP as posed draws them by itself and on llvmpipe, with and without
its threads, and of three.js in a warm headless Chromium; in turns, one connection, 4 samples, every
picture with another time. A second, and milliseconds of processor time of each picture.

drawing.py [ROUNDS]. Takes POSED_BINARY or build/posed. Rigs that are not here are left out.
"""
import os
import pathlib
import statistics
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/http"), str(ROOT / "tests/bench/chromium")]
import browser  # noqa: E402
from client import PNG, Client  # noqa: E402
from daemon import Daemon  # noqa: E402

FILES = pathlib.Path(os.environ.get("POSED_SHARED_FILES", ROOT.parent / "shared/files"))
RIGS = {
    "Fox": (FILES / "khronos-Fox/glTF-Binary/Fox.glb", "Walk"),
    "humanoid": (ROOT / "assets/demo/humanoid.glb", "Walk"),
    "Knight": (FILES / "kaykit-adventurers/Characters/gltf/Knight.glb", "Walking_A"),
}
SIZES = (256, 1024)
TURN_S = 1.0
TICK_S = 1 / os.sysconf("SC_CLK_TCK")


def processor_s(group):
    """Of all processes of a session."""
    total = 0
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            words = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(words[3]) == group:
            total += (int(words[11]) + int(words[12])) * TICK_S
    return total


class Posed:
    def __init__(self, which, environment=None):
        self.daemon = Daemon(args=("--renderer", which), env=environment).start()
        self.client, self.step = Client(self.daemon.port), 0

    def turn(self, rig, clip, size):
        count, begun = 0, time.perf_counter()
        pid = self.daemon.process.pid
        before = self.used(pid)
        while (taken := time.perf_counter() - begun) < TURN_S:
            self.step += 1
            reply = self.client.post("frame", {
                "rig": rig, "pose": {"clip": clip, "time": self.step * 0.00137 % 0.7},
                "width": size, "height": size, "samples": 4,
                "camera": {"yaw": 30 + self.step * 1e-4}}, accept=PNG)
            assert reply.status == 200, str(reply)
            count += 1
        return count / taken, 1000 * (self.used(pid) - before) / count

    @staticmethod
    def used(pid):
        words = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) * TICK_S


def compare(name, path, clip, size, posed, rounds):
    page = browser.Browser(path, "gles-egl", True, 0, size) if browser.program() else None
    found = {who: [] for who in (*posed, "three.js")}
    for round_ in range(-1, rounds):
        for who, each in posed.items():
            turn = each.turn(name, clip, size)
            if round_ >= 0:
                found[who].append(turn)
        if page:
            before = processor_s(page.process.pid)
            drawn = page.draw(TURN_S)
            used = processor_s(page.process.pid) - before
            if round_ >= 0:
                found["three.js"].append(
                    (drawn["rate"], 1000 * used / (drawn["rate"] * TURN_S)))
    if page:
        page.stop()
    print(f"{name}, {size} x {size}", flush=True)
    for who, turns in found.items():
        if not turns:
            continue
        rate, used = (statistics.median(turn[i] for turn in turns) for i in range(2))
        ratios = [statistics.median(ours[i] / theirs[i] for ours, theirs in
                                    zip(found["cpu"], turns)) for i in range(2)]
        print(f"  {who:32} {rate:7.1f} a second, {used:7.2f} ms of processor; cpu is"
              f" {ratios[0]:.2f} times as fast, with {1 / ratios[1]:.2f} times less", flush=True)


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    posed = {"cpu": Posed("cpu"), "llvmpipe": Posed("software"),
             "llvmpipe, LP_NUM_THREADS=0": Posed("software", {"LP_NUM_THREADS": "0"})}
    for name, (path, clip) in RIGS.items():
        if not path.exists():
            print(f"left out, not here: {name}")
            continue
        for each in posed.values():
            each.client.put(name, path.read_bytes())
        for size in SIZES:
            compare(name, path, clip, size, posed, rounds)
    for each in posed.values():
        each.daemon.stop()


if __name__ == "__main__":
    main()
