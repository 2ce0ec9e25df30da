#!/usr/bin/env python3
"""Prints how alike pictures of avatars are as posed draws them and as three-vrm does.

avatars_beside.py [FOLDER]. FOLDER gets the pictures: posed's, three-vrm's and their difference. The
folder of three-vrm's and three.js' packages is THREE_VRM_MODULES (tests/conformance/node_modules).
Each file gets a directional light, of the strength that is a light colour of 1 in MToon.
"""
import base64
import io
import json
import math
import os
import pathlib
import struct
import sys
import threading

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "http"), str(HERE.parent / "viewer")]

import browser  # noqa: E402
import likeness  # noqa: E402
from case import ROOT  # noqa: E402
from client import PNG, Client  # noqa: E402
from daemon import Daemon  # noqa: E402
from debian import debian_module  # noqa: E402
from host import Host  # noqa: E402
from likeness import numpy  # noqa: E402
from rigs_beside import sight  # noqa: E402

Image = debian_module("PIL.Image")
FILES = pathlib.Path(os.environ.get("POSED_SHARED_FILES", ROOT.parent / "shared/files"))
MODULES = pathlib.Path(os.environ.get(
    "THREE_VRM_MODULES", ROOT / "tests/conformance/node_modules"))
SIDE = 256
BACKGROUND = "#d8d8d8"
LEAST = 0.95


def chunks(glb):
    length, = struct.unpack_from("<I", glb, 12)
    return json.loads(glb[20:20 + length]), glb[20 + length:]


def drop_outlines_without_normals(document):
    """Where a file has no normals, glTF has them computed. three.js does so for light alone: its
    outlines have none to lie along, and are not seen."""
    for mesh in document.get("meshes", []):
        for primitive in mesh["primitives"]:
            if "NORMAL" not in primitive["attributes"] and "material" in primitive:
                extensions = document["materials"][primitive["material"]].get("extensions", {})
                extensions.get("VRMC_materials_mtoon", {}).pop("outlineWidthMode", None)


def with_lamp(glb, toward):
    """The file with a light that shines from there."""
    document, rest = chunks(glb)
    drop_outlines_without_normals(document)
    lights = {"lights": [{"type": "directional", "intensity": math.pi}]}
    document.setdefault("extensions", {})["KHR_lights_punctual"] = lights
    document.setdefault("extensionsUsed", []).append("KHR_lights_punctual")
    length = math.hypot(*toward)
    x, y, z = (part / length for part in toward)
    # From +z, against which lights of files shine, on the shortest way to there.
    turn = [-y, x, 0, 1 + z]
    norm = math.hypot(*turn)
    node = {"rotation": [part / norm for part in turn],
            "extensions": {"KHR_lights_punctual": {"light": 0}}}
    document["nodes"].append(node)
    for scene in document["scenes"]:
        scene.setdefault("nodes", []).append(len(document["nodes"]) - 1)
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    head = struct.pack("<IIIII", 0x46546C67, 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A)
    return head + text + rest


def front(document):
    """The yaw from which one sees an avatar's face: 0.x look towards -z."""
    extensions = document.get("extensions", {})
    return 180 if "VRM" in extensions and "VRMC_vrm" not in extensions else 0


class Page:
    """three-vrm in Chromium, with the files."""

    def __init__(self, files):
        self.host = Host((HERE / "avatars.html").read_text(), {
            "three": MODULES / "three", "three-vrm": MODULES / "@pixiv/three-vrm/lib"})
        served = self.host.content
        self.host.content = lambda path: files.get(path[len("/rigs/"):]) or served(path)
        threading.Thread(target=self.host.serve_forever, daemon=True).start()
        self.page = browser.shared()[0].open(SIDE, SIDE)
        self.page.go(self.host.address)
        self.page.wait("window.ready")

    def draw(self, rig, camera, time):
        url = self.page.evaluate("draw(" + json.dumps({
            "file": "/rigs/" + rig, "side": SIDE, "background": BACKGROUND, "camera": camera,
            "time": time}) + ")")
        return likeness.pixels(base64.b64decode(url.partition(",")[2]))

    def close(self):
        self.page.close()
        self.host.shutdown()
        self.host.server_close()


def ask(client, rig, camera, time):
    pose = "rest" if time == 0 else {"clip": "clock", "time": time}
    reply = client.post("frame", {
        "rig": rig, "pose": pose, "camera": camera, "environment": "none",
        "tone_mapping": "linear", "width": SIDE, "height": SIDE, "samples": 4,
        "background": BACKGROUND}, accept=PNG)
    assert reply.status == 200, str(reply)
    return likeness.pixels(reply.body)


def keep(folder, name, ours, theirs):
    if folder:
        sheet = numpy.concatenate([ours, theirs, numpy.abs(ours - theirs)], axis=1)
        Image.fromarray(sheet.astype("uint8")).save(folder / f"{name}.png")


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else None
    avatars = sorted(FILES.glob("vrm/*/*.vrm"))
    files, yaws = {}, {}
    for path in avatars:
        glb = path.read_bytes()
        yaws[path.stem] = front(chunks(glb)[0])
        side = -1 if yaws[path.stem] else 1
        files[path.stem] = with_lamp(glb, (0.5 * side, 0.6, 0.8 * side))
    page = Page(files)
    for which in ("cpu", "software"):
        daemon = Daemon(args=("--renderer", which)).start()
        client = Client(daemon.port)
        for name, glb in files.items():
            client.put(name, glb)
            bounds = client.get(f"/v1/rigs/{name}").json()["bounds"]
            if not bounds:
                continue  # a skeleton alone
            for view, yaw, pitch in (("front", 0, 0), ("side", 50, 15)):
                camera = sight(bounds, yaws[name] + yaw, pitch)
                ours, theirs = ask(client, name, camera, 0), page.draw(name, camera, 0)
                keep(folder, f"{name}-{view}-{which}", ours, theirs)
                alike = likeness.similarity(ours, theirs)
                print(f"{which:9}{name:40}{view:6} {alike:.4f} "
                      f"{likeness.mean_difference(ours, theirs):.2f}"
                      f"{'' if alike >= LEAST else '  BELOW'}", flush=True)
        daemon.stop()
    page.close()


if __name__ == "__main__":
    main()
