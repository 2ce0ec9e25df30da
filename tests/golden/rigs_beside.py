#!/usr/bin/env python3
"""Writes the table of docs/rasteriser.md: public rigs as the rasteriser draws them, beside Mesa's
llvmpipe and three.js, from one camera under one light.

rigs_beside.py BUILD_FOLDER. Rigs that are not here are named and left out.
"""
import base64
import io
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent / "http"), str(HERE.parent / "viewer")]

import browser  # noqa: E402
from case import DEMO, ROOT  # noqa: E402
from client import PNG, Client  # noqa: E402
from daemon import Daemon  # noqa: E402
from debian import debian_module  # noqa: E402
from host import Host  # noqa: E402

Image = debian_module("PIL.Image")
FILES = pathlib.Path(os.environ.get("POSED_SHARED_FILES", ROOT.parent / "shared/files"))
PAGE = ROOT / "docs" / "rasteriser.md"
THREE = ROOT / "tests/conformance/node_modules/three"
SIDE = 256
VIEWS = {"front": (0, 0), "three quarters": (35, 12)}
HALF_ANGLE = math.radians(15)
# Light that is the same from all sides: three.js does not turn it with the camera.
LOOK = {"environment": "soft", "lights": False, "pose": "rest", "width": SIDE, "height": SIDE,
        "samples": 4}
# Name, file and licence.
RIGS = (
    ("posed's humanoid", DEMO / "humanoid.glb", "MIT"),
    ("posed's head", DEMO / "head.glb", "MIT"),
    ("posed's cyl2", DEMO / "cyl2.glb", "MIT"),
    ("posed's tube23", DEMO / "tube23.glb", "MIT"),
    ("Khronos' Fox", FILES / "khronos-Fox/glTF-Binary/Fox.glb", "CC0, CC-BY 4.0"),
    ("Khronos' RiggedFigure", FILES / "khronos-RiggedFigure/glTF-Binary/RiggedFigure.glb",
     "CC-BY 4.0"),
    ("Khronos' RecursiveSkeletons",
     FILES / "khronos-RecursiveSkeletons/glTF-Binary/RecursiveSkeletons.glb", "CC-BY 4.0"),
    ("Khronos' BoxAnimated", FILES / "khronos-BoxAnimated/glTF-Binary/BoxAnimated.glb",
     "CC-BY 4.0"),
    ("Khronos' MorphPrimitivesTest",
     FILES / "khronos-MorphPrimitivesTest/glTF-Binary/MorphPrimitivesTest.glb", "CC-BY 4.0"),
    ("Khronos' NegativeScaleTest",
     FILES / "khronos-NegativeScaleTest/glTF-Binary/NegativeScaleTest.glb", "CC-BY 4.0"),
    ("KayKit's Knight", FILES / "kaykit-adventurers/Characters/gltf/Knight.glb", "CC0"),
    ("GDQuest's mannequiny", FILES / "godot-mannequiny/mannequiny.glb", "CC-BY 4.0"),
    ("raylib's robot", FILES / "raylib/gltf/robot.glb", "CC0"),
    ("Mesh2Motion's fox", FILES / "mesh2motion/models/model-fox.glb", "CC0"),
    ("WebXR's left hand", FILES / "webxr-hands/generic-hand/left.glb", "MIT"),
)


def sight(box, yaw, pitch):
    """Matrices of an eye that sees all of a box, column-major."""
    middle = [(a + b) / 2 for a, b in zip(box["min"], box["max"])]
    radius = math.dist(box["min"], box["max"]) / 2
    away = radius / math.sin(HALF_ANGLE)
    y, p = math.radians(yaw), math.radians(pitch)
    right = (math.cos(y), 0, -math.sin(y))
    back = (math.sin(y) * math.cos(p), math.sin(p), math.cos(y) * math.cos(p))
    up = (back[1] * right[2] - back[2] * right[1], back[2] * right[0] - back[0] * right[2],
          back[0] * right[1] - back[1] * right[0])
    eye = [m + away * b for m, b in zip(middle, back)]
    view = [axis[i] for i in range(3) for axis in (right, up, back)]
    view = [*view[0:3], 0, *view[3:6], 0, *view[6:9], 0,
            *(-sum(a * e for a, e in zip(axis, eye)) for axis in (right, up, back)), 1]
    near, far, f = away - 1.1 * radius, away + 1.1 * radius, 1 / math.tan(HALF_ANGLE)
    projection = [f, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1,
                  0, 0, 2 * far * near / (near - far), 0]
    return {"view": view, "projection": projection}


def rgba(png):
    return Image.open(io.BytesIO(png)).convert("RGBA")


class Page:
    """three.js in Chromium, with the files of the rigs."""

    def __init__(self, files):
        self.host = Host((HERE / "three.html").read_text(), {"three": THREE})
        served = self.host.content
        self.host.content = lambda path: files.get(path[len("/rigs/"):]) or served(path)
        threading.Thread(target=self.host.serve_forever, daemon=True).start()
        self.page = browser.shared()[0].open(SIDE, SIDE)
        self.page.go(self.host.address)
        self.page.wait("window.ready")

    def draw(self, rig, camera):
        """White is nothing: on white it is the same picture."""
        url = self.page.evaluate("draw(" + json.dumps({
            "file": "/rigs/" + rig, "side": SIDE, "background": "#ffffff", "camera": camera,
            "environment": LOOK["environment"], "clip": None, "time": 0}) + ")")
        drawn = rgba(base64.b64decode(url.partition(",")[2]))
        drawn.putdata([(*pixel[:3], 0) if pixel[:3] == (255, 255, 255) else pixel
                       for pixel in drawn.getdata()])
        return drawn

    def close(self):
        self.page.close()
        self.host.shutdown()
        self.host.server_close()


def ask(client, rig, camera):
    reply = client.post("frame", {**LOOK, "rig": rig, "camera": camera}, accept=PNG)
    assert reply.status == 200, str(reply)
    return rgba(reply.body)


def likeness(program, folder, first, second):
    paths = []
    for i, picture in enumerate((first, second)):
        paths.append(folder / f"{i}")
        paths[-1].write_bytes(picture.tobytes())
    said = subprocess.run([program, str(SIDE), *paths], capture_output=True, text=True, check=True)
    return [float(word) for word in said.stdout.split()]


def rows(program, folder, daemons, page):
    for name, path, licence in RIGS:
        for view, (yaw, pitch) in VIEWS.items():
            rig = path.stem
            camera = sight(daemons[0].get(f"/v1/rigs/{rig}").json()["bounds"], yaw, pitch)
            ours, driver = (ask(client, rig, camera) for client in daemons)
            covered, unlike, ssim, flip, on, mean = likeness(program, folder, driver, ours)
            row = [f"{name} ({licence})", view, f"{unlike:.0f} of {covered:.0f}", f"{ssim:.4f}",
                   f"{flip:.4f}", f"{on:.4f}", f"{mean:.2f}"]
            _, _, ssim, flip, on, _ = likeness(
                program, folder, page.draw(path.name, camera), ours)
            row += [f"{ssim:.3f}", f"{flip:.3f}", f"{on:.3f}"]
            print(*row, sep="  ", flush=True)
            yield "| " + " | ".join(row) + " |\n"


def main():
    global RIGS
    for name, path, _ in RIGS:
        if not path.exists():
            print(f"left out, not here: {name}")
    RIGS = [rig for rig in RIGS if rig[1].exists()]
    files = {path.name: path.read_bytes() for _, path, _ in RIGS}
    started = [Daemon(args=("--renderer", which)).start() for which in ("cpu", "software")]
    clients = [Client(daemon.port) for daemon in started]
    for client in clients:
        for _, path, _ in RIGS:
            client.put(path.stem, files[path.name])
    page = Page(files)
    program = pathlib.Path(sys.argv[1]) / "tests/bench/bench_likeness"
    with tempfile.TemporaryDirectory() as folder:
        table = "".join(rows(program, pathlib.Path(folder), clients, page))
    page.close()
    for daemon in started:
        daemon.stop()
    text = PAGE.read_text()
    before, _, rest = text.partition("<!-- rigs -->\n")
    head = rest[:rest.index("| --- ")]
    head += rest[len(head):].split("\n", 1)[0] + "\n"
    after = rest[rest.index("<!-- /rigs -->"):]
    PAGE.write_text(before + "<!-- rigs -->\n" + head + table + after)


if __name__ == "__main__":
    main()
