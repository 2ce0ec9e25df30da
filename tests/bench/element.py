#!/usr/bin/env python3
"""Drawing vertices in headless Chromium: <posed-viewer> on a page of another origin, with the demo
humanoid (13,185 vertices), and the viewer with the tube (13,206 vertices), alone and with a second
method beside the first: how long from opening the page to the first frame and to the second, which has
moved; frames a second; and what a frame takes of the page's main thread, by Chromium's own account of
that thread's tasks. Each run has a browser of its own, so that nothing is in a cache. Of several
daemons each has its turn in every round.

element.py [RUNS [DAEMON ...]]. Takes POSED_BINARY or build/posed where no daemon is named.
"""
import os
import pathlib
import statistics
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/http"), str(ROOT / "tests/viewer")]
import browser  # noqa: E402
from client import Client  # noqa: E402
from daemon import Daemon, binary  # noqa: E402
from host import Host  # noqa: E402

DEMO = ROOT / "assets/demo"
RUNS, WATCH_S, SIDE = 5, 4, 300
VIEWER = (1000, 640)
OVERLAYS = ("skeleton", "wireframe", "normals", "bounds", "trails")
RATES = (30, 60)  # frames a second that are asked for
# A frame of the viewer's is seen by what it puts into a buffer of vertices; beside one another, where
# three are put for each, by those that come behind others of the same turn.
NOTE = """
window.frames_at = [];
const put = WebGL2RenderingContext.prototype.bufferSubData;
WebGL2RenderingContext.prototype.bufferSubData = function (...rest) {
    if (performance.now() - (frames_at.at(-1) ?? -1000) > 5) frames_at.push(performance.now());
    return put.apply(this, rest);
};"""
PAGE = """<!doctype html><title>a page</title>
<script>
window.frames_at = [];
document.addEventListener('frame', () => frames_at.push(performance.now()), true);
</script>
<script type="module" src="{address}js/element/posed-viewer.js"></script>
<style>body {{ margin: 0 }} posed-viewer {{ display: block; width: {side}px; height: {side}px }}</style>
<posed-viewer rig="humanoid" clip="Walk" fps="{rate}"></posed-viewer>"""


def start_browser():
    """(browser, its driver) of the first driver that draws."""
    for driver in browser.DRIVERS:
        started = browser.Browser(driver)
        if started.open().evaluate(browser.HAS_WEBGL2):
            return started, driver[0]
        started.close()
    raise SystemExit("chromium has no WebGL2 here")


def busy_s(page):
    """Seconds of the main thread: in all of its tasks, of its processor time (a busy machine has its
    tasks wait), and in the scripts among them."""
    metrics = page.call("Performance.getMetrics")["metrics"]
    found = {metric["name"]: metric["value"] for metric in metrics}
    return found["TaskDuration"], found["ThreadTime"], found["ScriptDuration"]


def watch(page):
    """{"rate", "task_ms", "cpu_ms", "script_ms"} of frames while nothing else happens."""
    before = busy_s(page)
    begun = page.evaluate("[performance.now(), frames_at.length]")
    page.evaluate(f"new Promise((resolve) => setTimeout(resolve, {WATCH_S * 1000}))")
    ended = page.evaluate("[performance.now(), frames_at.length]")
    later = busy_s(page)
    frames = ended[1] - begun[1]
    spent = [(b - a) / frames * 1000 for a, b in zip(before, later)]
    return {"rate": frames / (ended[0] - begun[0]) * 1000,
            **dict(zip(("task_ms", "cpu_ms", "script_ms"), spent))}


def measure(page):
    """Of a page that plays."""
    page.wait("window.frames_at?.length > 1", 60)
    first, second = page.evaluate("frames_at.slice(0, 2)")
    page.call("Performance.enable", timeDomain="timeTicks")
    page.evaluate("new Promise((resolve) => setTimeout(resolve, 1000))")
    found = {"first_ms": first, "second_ms": second, **watch(page)}
    assert not page.complaints, page.complaints
    return found


def run_element(started, address, rate):
    host = Host(PAGE.format(address=address, side=SIDE, rate=rate))
    threading.Thread(target=host.serve_forever, daemon=True).start()
    try:
        page = started.open(SIDE, SIDE)
        page.go(host.address)
        return measure(page)
    finally:
        host.shutdown()
        host.server_close()


def run_viewer(started, address, view):
    """view: of a second method beside the first, or "overlays": all but those of other times; None = neither."""
    page = started.open(*VIEWER)
    page.call("Page.addScriptToEvaluateOnNewDocument", source=NOTE)
    page.go(address + "#rig=tube23&clip=wave")
    page.wait("document.querySelector('#play')?.ariaLabel === 'Pause'")
    if view == "overlays":
        for name in OVERLAYS:
            page.click(f"#overlay-{name}")
    elif view:
        page.choose("#beside", "dqs")
        page.choose("#comparison", view)
    return measure(page)


CASES = [(f"<posed-viewer> at {rate}", run_element, rate) for rate in RATES] + [
    ("viewer", run_viewer, None), ("viewer, overlays", run_viewer, "overlays"),
    ("viewer, side by side", run_viewer, "side"),
    ("viewer, heat map", run_viewer, "heat")]


def run(address, how, what):
    """A browser for one page."""
    started, driver = start_browser()
    try:
        return {**how(started, address, what), "driver": driver}
    finally:
        started.close()


def said(runs, key):
    values = [each[key] for each in runs]
    return f"{statistics.median(values):.1f} ({min(values):.1f} to {max(values):.1f})"


def start(program):
    """A daemon with the rigs."""
    daemon = Daemon(program=program).start()
    for name in ("humanoid", "tube23"):
        Client(daemon.port).put(name, (DEMO / f"{name}.glb").read_bytes())
    return daemon


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    programs = [pathlib.Path(path).resolve() for path in sys.argv[2:]] or [binary()]
    if browser.program() is None:
        raise SystemExit("Chromium is not installed")
    daemons = [start(program) for program in programs]
    try:
        print(f"{runs} runs, {os.cpu_count()} processors")
        for name, how, what in CASES:
            rounds = [[run(f"http://127.0.0.1:{daemon.port}/", how, what) for daemon in daemons]
                      for _ in range(runs)]
            for program, found in zip(programs, zip(*rounds)):
                print(f"  {name}, {found[0]['driver']}{f', {program}' if len(programs) > 1 else ''}:"
                      f" first frame after {said(found, 'first_ms')} ms, the second after"
                      f" {said(found, 'second_ms')} ms;\n"
                      f"    {said(found, 'rate')} frames a second; main thread"
                      f" {said(found, 'task_ms')} ms a frame, its processor time"
                      f" {said(found, 'cpu_ms')} ms, scripts"
                      f" {said(found, 'script_ms')} ms", flush=True)
    finally:
        for daemon in daemons:
            daemon.stop()


if __name__ == "__main__":
    main()
