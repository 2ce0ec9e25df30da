#!/usr/bin/env python3
"""<posed-viewer> in headless Chromium on a page of another origin, with the demo humanoid (13,185
vertices, packed, by meshoptimizer's codec): how long from opening the page to the first frame and to
the second, which has moved; frames a second; and what a frame takes of the page's main thread, by
Chromium's own account of that thread's tasks. Each run has a browser of its own, so that nothing is
in a cache.

element.py [RUNS]. Takes POSED_BINARY or build/posed.
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
from daemon import Daemon  # noqa: E402
from host import Host  # noqa: E402

HUMANOID = ROOT / "assets/demo/humanoid.glb"
RUNS, WATCH_S, SIDE = 5, 4, 300
RATES = (30, 60)  # frames a second that are asked for
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
    """Seconds that the main thread has worked for: all of its tasks, and the scripts among them."""
    metrics = page.call("Performance.getMetrics")["metrics"]
    found = {metric["name"]: metric["value"] for metric in metrics}
    return found["TaskDuration"], found["ScriptDuration"]


def watch(page):
    """{"rate", "task_ms", "script_ms"} of frames while nothing else happens."""
    tasks, scripts = busy_s(page)
    begun = page.evaluate("[performance.now(), frames_at.length]")
    page.evaluate(f"new Promise((resolve) => setTimeout(resolve, {WATCH_S * 1000}))")
    ended = page.evaluate("[performance.now(), frames_at.length]")
    later = busy_s(page)
    frames = ended[1] - begun[1]
    return {"rate": frames / (ended[0] - begun[0]) * 1000,
            "task_ms": (later[0] - tasks) / frames * 1000,
            "script_ms": (later[1] - scripts) / frames * 1000}


def run(address, rate):
    """One browser, one page."""
    host = Host(PAGE.format(address=address, side=SIDE, rate=rate))
    threading.Thread(target=host.serve_forever, daemon=True).start()
    started, driver = start_browser()
    try:
        page = started.open(SIDE, SIDE)
        page.go(host.address)
        page.wait("frames_at.length > 1", 60)
        first, second = page.evaluate("frames_at.slice(0, 2)")
        page.call("Performance.enable", timeDomain="timeTicks")
        page.evaluate("new Promise((resolve) => setTimeout(resolve, 1000))")
        found = {"first_ms": first, "second_ms": second, **watch(page), "driver": driver}
        assert not page.complaints, page.complaints
        return found
    finally:
        started.close()
        host.shutdown()
        host.server_close()


def said(runs, key):
    values = [each[key] for each in runs]
    return f"{statistics.median(values):.1f} ({min(values):.1f} to {max(values):.1f})"


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    if browser.program() is None:
        raise SystemExit("Chromium is not installed")
    daemon = Daemon().start()
    try:
        Client(daemon.port).put("humanoid", HUMANOID.read_bytes())
        print(f"<posed-viewer>, {SIDE} x {SIDE}, {runs} runs, {os.cpu_count()} processors")
        for rate in RATES:
            found = [run(f"http://127.0.0.1:{daemon.port}/", rate) for _ in range(runs)]
            print(f"  fps={rate}, {found[0]['driver']}: first frame after {said(found, 'first_ms')} ms,"
                  f" the second after {said(found, 'second_ms')} ms;\n"
                  f"    {said(found, 'rate')} frames a second; main thread"
                  f" {said(found, 'task_ms')} ms a frame, of it scripts"
                  f" {said(found, 'script_ms')} ms", flush=True)
    finally:
        daemon.stop()


if __name__ == "__main__":
    main()
