"""Scenes as the daemon draws them and as three.js does, from one camera under one light."""
import base64
import json
import threading

import browser
import golden
from case import ROOT
from client import PNG
from host import Host

THREE = ROOT / "tests" / "conformance" / "node_modules" / "three"
SIDE = 256
BACKGROUND = "#d8d8d8"
# (view, projection): from z = distance on a square of 2 * half at z = 0, without a turn.
NEAR, FAR = 0.1, 100


def sight(distance, half, height=0):
    """Column-major, as OpenGL has it."""
    f = distance / half
    a, b = (FAR + NEAR) / (NEAR - FAR), 2 * FAR * NEAR / (NEAR - FAR)
    return {"view": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -height, -distance, 1],
            "projection": [f, 0, 0, 0, 0, f, 0, 0, 0, 0, a, -1, 0, 0, b, 0]}


FRONT = sight(6, 1.6)


def scene(name, least, most, rig=None, environment="studio", camera=None, clip=None, time=0, why=""):
    """least: of the similarity; most: of the mean difference; why: what differs. docs/pictures.md
    has the reasons by their numbers."""
    return {"name": name, "rig": rig or name, "environment": environment, "least": least,
            "most": most, "camera": camera or FRONT, "clip": clip, "time": time, "why": why}


MIRRORS = "sharp reflections (2)"

# Least and most are what was measured on llvmpipe, with a little room for other drivers.
THROUGH = "the edges of glass (4)"

SCENES = (
    scene("lit humanoid", 0.98, 1.5, rig="lit_humanoid", environment="none", clip="Run", time=0.1,
          camera=sight(5, 0.95, 0.9), why="edges"),
    scene("lamps", 0.945, 9, environment="none", why="fading of lamps (1)"),
    scene("metals", 0.965, 2.5, why=MIRRORS),
    scene("metals, soft", 0.98, 2, rig="metals", environment="soft", why=MIRRORS),
    scene("normal map", 0.965, 2.5, rig="normal_map", why=MIRRORS),
    scene("tangents", 0.975, 2, why=MIRRORS),
    scene("emissive, unlit", 0.97, 4, rig="emissive",
          why="unlit surfaces (3)"),
    scene("clearcoat", 0.965, 2.5, why=MIRRORS),
    scene("sheen", 0.96, 4.5, why="the edge of a sheen (6)"),
    scene("transmission", 0.95, 5, why=THROUGH),
    scene("volume", 0.93, 6, why=THROUGH),
    scene("dispersion", 0.93, 6, why=THROUGH),
    scene("anisotropy", 0.955, 3.3, why=MIRRORS),
    scene("iridescence", 0.955, 4, why=MIRRORS),
    scene("alpha modes", 0.975, 4.5, rig="alphas",
          why="blended surfaces (5)"),
)


def why_not():
    """The reason why three.js cannot draw here, or None."""
    if not THREE.exists():
        return "three.js is not here: tests/conformance/run.py installs it"
    return browser.shared()[1]


class Beside:
    """A page with three.js that takes the same files as the daemon has."""

    def __init__(self, client, files=None):
        self.client = client
        self.files = dict(golden.rigs()) if files is None else files
        for name, glb in self.files.items():
            client.put(name, glb)
        self.host = Host((golden.HERE / "three.html").read_text(), {"three": THREE})
        served = self.host.content
        self.host.content = lambda path: self.files.get(path[len("/rigs/"):]) or served(path)
        threading.Thread(target=self.host.serve_forever, daemon=True).start()
        self.page = browser.shared()[0].open(SIDE, SIDE)
        self.page.go(self.host.address)
        self.page.wait("window.ready")

    def close(self):
        self.page.close()
        self.host.shutdown()
        self.host.server_close()

    def ours(self, wanted):
        pose = {"clip": wanted["clip"], "time": wanted["time"]} if wanted["clip"] else "rest"
        reply = self.client.post("frame", {
            "rig": wanted["rig"], "pose": pose, "width": SIDE, "height": SIDE,
            "camera": wanted["camera"], "environment": wanted["environment"],
            "background": wanted.get("background", BACKGROUND)}, accept=PNG)
        assert reply.status == 200, str(reply)
        return reply.body

    def theirs(self, wanted):
        url = self.page.evaluate("draw(" + json.dumps({
            "file": "/rigs/" + wanted["rig"], "side": SIDE,
            "background": wanted.get("background", BACKGROUND), **{key: wanted[key] for key in ("camera", "environment", "clip", "time")}}) + ")")
        return base64.b64decode(url.partition(",")[2])
