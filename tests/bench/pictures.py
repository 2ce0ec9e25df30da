#!/usr/bin/env python3
"""make bench-pictures: what full shading costs, sequences in one call, packed vertices, and
<posed-viewer>, one after the other.

pictures.py BUILD_FOLDER PROGRAM_FOLDER. What needs files or programs that are not here says so.
"""
import base64
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse

import run as bench

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests/golden"))
import materials  # noqa: E402

FILES = pathlib.Path(bench.FILES)
BOX = FILES / "khronos-BoxWithSpaces/glTF/Box With Spaces.gltf"


def in_one(path):
    """A .gltf whose buffers and pictures are in it."""
    document = json.loads(path.read_text())
    for thing in document["buffers"] + document.get("images", []):
        data = (path.parent / urllib.parse.unquote(thing["uri"])).read_bytes()
        kind = thing.get("mimeType", "application/octet-stream")
        if thing["uri"].endswith(".png"):
            kind = "image/png"
        thing["uri"] = f"data:{kind};base64,{base64.b64encode(data).decode()}"
    return json.dumps(document).encode()


def rigs(folder):
    """Paths of the scenes: demo rigs, spheres in many materials, and files of the collection."""
    yield ROOT / "assets/demo/humanoid.glb"
    yield ROOT / "assets/demo/head.glb"
    for make in (materials.metals, materials.normal_map, materials.clearcoat):
        path = folder / f"{make.__name__}.glb"
        path.write_bytes(make().glb())
        yield path
    if os.path.exists(bench.FOX):
        yield pathlib.Path(bench.FOX)
    if BOX.exists():
        path = folder / "box.gltf"
        path.write_bytes(in_one(BOX))
        yield path
    if not BOX.exists() or not os.path.exists(bench.FOX):
        print("  some files of the collection are left out: not under", FILES)


def shading(build):
    print("\nfull shading beside plain, 512 x 512, 4 samples, CPU time of all threads", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for path in rigs(pathlib.Path(folder)):
            program = os.path.join(build, "tests/bench/bench_shading")
            subprocess.run([program, path.name], check=True, cwd=path.parent)


def main():
    build, programs = (os.path.join(ROOT, argument) for argument in sys.argv[1:3])
    os.environ["POSED_BINARY"] = os.path.join(programs, "posed")
    print(bench.machine())
    shading(build)
    print("\nturntables", flush=True)
    subprocess.run([sys.executable, HERE / "frames.py"], check=True)
    print("\npacked vertices of the demo clips, of the bytes as floats", flush=True)
    subprocess.run([os.path.join(build, "tests/bench/bench_packed")], check=True, cwd=ROOT)
    print(flush=True)
    subprocess.run([sys.executable, HERE / "element.py"], check=True)


if __name__ == "__main__":
    main()
