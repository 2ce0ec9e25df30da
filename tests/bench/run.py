#!/usr/bin/env python3
"""make bench: figures of this machine, each the median of several runs.

run.py BUILD_FOLDER PROGRAM_FOLDER. Prints the machine's name first. What needs files or programs
that are not here says so and is left out.
"""
import concurrent.futures
import http.client
import itertools
import importlib.util
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests/http"))
sys.path.insert(0, os.path.join(ROOT, "tests/bench/chromium"))
import browser  # noqa: E402
import against_mhd  # noqa: E402
import overload  # noqa: E402
import start  # noqa: E402
from daemon import Daemon  # noqa: E402  (the one that the tests start)

FILES = os.environ.get("POSED_SHARED_FILES", os.path.join(ROOT, "../shared/files"))
FOX = os.path.join(FILES, "khronos-Fox/glTF-Binary/Fox.glb")
HUMANOID = os.path.join(ROOT, "assets/demo/humanoid.glb")
COLD_RUNS = 11
WARM_SECONDS = 3
WARM_ROUNDS = 5
BROWSER_CONNECTIONS = 4


def machine():
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo")
                  if line.startswith("model name")), platform.machine())
    return f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.release()}"


def seconds(command, environment=None):
    start = time.perf_counter()
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def cold(pose):
    """One picture of a file by a process of its own; f3d beside it in the same rounds."""
    print("\ncold: one picture of Fox, 256 x 256, a process each, driver's shader cache warm")
    if not os.path.exists(FOX):
        print("  left out: no Fox.glb under ../shared/files")
        return
    with tempfile.TemporaryDirectory() as folder:
        ways = {"pose frame": [pose, "frame", FOX, "-o", os.path.join(folder, "a.png"),
                               "--width", "256", "--height", "256"]}
        xvfb = None
        environment = dict(os.environ)
        if shutil.which("f3d") and shutil.which("Xvfb"):
            xvfb = subprocess.Popen(["Xvfb", ":97", "-screen", "0", "800x600x24"],
                                    stderr=subprocess.DEVNULL)
            time.sleep(1)
            environment["DISPLAY"] = ":97"
            ways["f3d --output"] = ["f3d", FOX, "--output", os.path.join(folder, "b.png"),
                                    "--resolution", "256,256"]
        else:
            print("  f3d left out: f3d or Xvfb is not installed")
        times = {name: [] for name in ways}
        for round_ in range(-2, COLD_RUNS):
            for name, command in ways.items():
                taken = seconds(command, environment)
                if round_ >= 0:
                    times[name].append(taken)
        if xvfb:
            xvfb.terminate()
            xvfb.wait()
    medians = {name: statistics.median(values) for name, values in times.items()}
    for name, value in medians.items():
        print(f"  {name:<14} {value * 1000:7.1f} ms"
              f"   ({min(times[name]) * 1000:.1f} to {max(times[name]) * 1000:.1f})")
    if len(medians) == 2:
        print(f"  pose takes {medians['pose frame'] / medians['f3d --output']:.2f} of f3d's time")


def put(port, rig, path):
    connection = http.client.HTTPConnection("127.0.0.1", port)
    with open(path, "rb") as asset:
        connection.request("PUT", f"/v1/rigs/{rig}", asset.read())
    if connection.getresponse().status != 201:
        raise RuntimeError(f"cannot put {path}")
    connection.close()


def hammer(port, bodies, until):
    """Posts frames on one connection until the time is over; the Server-Timing of each answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    timings = []
    while time.perf_counter() < until:
        connection.request("POST", "/v1/frame", next(bodies),
                           {"Content-Type": "application/json"})
        answer = connection.getresponse()
        content = answer.read()
        if answer.status != 200:
            raise RuntimeError(content)
        timings.append(answer.getheader("Server-Timing", ""))
    connection.close()
    return timings


def where(timings):
    """Median milliseconds of each span of Server-Timing."""
    spans = {}
    for timing in timings:
        for name, value in re.findall(r"(\w+);dur=([\d.]+)", timing):
            spans.setdefault(name, []).append(float(value))
    return ", ".join(f"{name} {statistics.median(values):.2f} ms"
                     for name, values in spans.items())


STEPS = itertools.count()


def frame_bodies(rig, clip, duration):
    """Requests that are all different: no time is repeated in this process, so that none is cached."""
    for step in STEPS:
        time_s = step * 0.6180339887498949 % 1 * duration
        yield json.dumps({"rig": rig, "pose": {"clip": clip, "time": time_s}, "width": 256,
                          "height": 256, "samples": 4})


def rate(port, rig, clip, connections, seconds_):
    """Pictures a second over so many connections, and their Server-Timings."""
    start = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(connections) as pool:
        results = list(pool.map(
            lambda _: hammer(port, frame_bodies(rig, clip, 0.7), start + seconds_),
            range(connections)))
    timings = [timing for result in results for timing in result]
    return len(timings) / (time.perf_counter() - start), timings


def warm():
    """Pictures a second through HTTP, every request another time of the clip."""
    print("\nwarm: pictures a second over HTTP, 256 x 256, 4 samples, every request another time")
    rigs = {"humanoid": (HUMANOID, "Walk")}
    if os.path.exists(FOX):
        rigs["fox"] = (FOX, "Walk")
    for connections in (1, 2, 4, 8):
        for rig, (path, clip) in rigs.items():
            daemon = Daemon().start()
            put(daemon.port, rig, path)
            rates, spans = [], []
            for round_ in range(-1, WARM_ROUNDS):
                pictures, timings = rate(daemon.port, rig, clip, connections, WARM_SECONDS)
                if round_ >= 0:
                    rates.append(pictures)
                    spans += timings
            daemon.stop()
            print(f"  {rig:<10} {connections} connections {statistics.median(rates):7.1f} a second"
                  f"   ({min(rates):.1f} to {max(rates):.1f});  {where(spans)}")


def conformance():
    """The conformance tests' runner, whose three.js the browser takes."""
    spec = importlib.util.spec_from_file_location(
        "conformance_run", os.path.join(ROOT, "tests/conformance/run.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def why_no_browser():
    if not os.path.exists(FOX):
        return "no Fox.glb under ../shared/files"
    if browser.program() is None:
        return "Chromium is not installed"
    return conformance().why_not()


def turns(port, angle, antialias):
    """Rounds of the browser and of posed, one after the other."""
    ours, theirs = [], []
    page = browser.Browser(FOX, angle, antialias)
    try:
        for round_ in range(-1, WARM_ROUNDS):
            drawn = page.draw(WARM_SECONDS)
            pictures, _ = rate(port, "fox", "Walk", BROWSER_CONNECTIONS, WARM_SECONDS)
            if round_ >= 0:
                theirs.append(drawn["rate"])
                ours.append(pictures)
    finally:
        page.stop()
    ratio = statistics.median(a / b for a, b in zip(ours, theirs))
    print(f"  three.js, {drawn['samples'] or 1} samples {statistics.median(theirs):6.1f}"
          f" ({min(theirs):.1f} to {max(theirs):.1f});  posed, 4 samples,"
          f" {BROWSER_CONNECTIONS} connections {statistics.median(ours):6.1f}"
          f" ({min(ours):.1f} to {max(ours):.1f});  posed / three.js {ratio:.2f}"
          f"\n    --use-angle={angle}: {drawn['driver']}", flush=True)


def against_browser():
    """posed and three.js in a browser that keeps the model, in turns."""
    print("\nwarm against three.js in headless Chromium: pictures of Fox a second, 256 x 256, PNG,"
          " every picture another time")
    reason = why_no_browser()
    if reason:
        print(f"  left out: {reason}")
        return
    daemon = Daemon().start()
    try:
        put(daemon.port, "fox", FOX)
        for angle in ("gles-egl", "swiftshader"):
            for antialias in (True, False):
                turns(daemon.port, angle, antialias)
    finally:
        daemon.stop()


def main():
    build, programs = (os.path.join(ROOT, argument) for argument in sys.argv[1:3])
    print(machine())
    print(flush=True)
    subprocess.run([os.path.join(build, "tests/bench/bench_skin")], check=True)
    print(flush=True)
    subprocess.run([os.path.join(build, "tests/bench/bench_cache")], check=True)
    subprocess.run([os.path.join(build, "tests/bench/bench_packed")], check=True, cwd=ROOT)
    print(flush=True)
    subprocess.run([os.path.join(build, "tests/bench/bench_import")], check=True, cwd=ROOT,
                   env={**os.environ, "POSED_SHARED_FILES": FILES})
    cold(os.path.join(programs, "pose"))
    os.environ["POSED_BINARY"] = os.path.join(programs, "posed")
    start.show()
    warm()
    against_browser()
    against_mhd.show(build)
    overload.show(build)


if __name__ == "__main__":
    main()
