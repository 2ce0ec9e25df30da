"""Every file of the collection that is not glTF: read, or refused with the reason that stands here. What is
read has as many triangles and joints as a plain count of the file's own words finds. As a GLB it is still
the same figure. test_hostile.py has those that are broken on purpose."""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as xml

from case import DEMO, SHARED, DaemonCase
from client import rig_path
from daemon import ROOT
from test_other_formats import BVH, OBJ, PLY, STL, zipped
from tiny import split_glb

POSE = pathlib.Path(os.environ.get("POSE_BINARY", ROOT / "build" / "pose")).resolve()
ENDINGS = (".fbx", ".dae", ".bvh", ".x", ".md5mesh", ".md5anim", ".mesh", ".mesh.xml", ".pim", ".pis", ".pia", ".obj",
           ".ply", ".stl", ".3ds", ".vrm", ".vrma")
# A reference reader (ufbx) opens it.
REFUSED = {"ufbx-data/maya_game_sausage_6100_binary.fbx": "version 6100"}
LEAST_SHARE = 0.95
COLLADA = "{http://www.collada.org/2005/11/COLLADASchema}"
# The same figure in a form whose words cannot be counted.
LIKE = {"test_cube_binary.x": "test_cube_text.x", "test_cube_compressed.x": "test_cube_text.x", "fox.mesh": "fox.mesh.xml"}


def documents():
    """All but the broken ones, by path."""
    return [path for path in sorted(SHARED.rglob("*"))
            if path.name.lower().endswith(ENDINGS) and path.is_file() and "malformed" not in path.parts]


def number_behind(word, text):
    return [int(found) for found in re.findall(rf"\b{word}:?\s+(\d+)", text)]


def triangles_of_x(text):
    """Of meshes, "n; places m; corners": what stands between white space, commas and semicolons."""
    total = 0
    for mesh in re.findall(r"^\s*Mesh\s[^{]*\{(.*?)(?:\}|[A-Za-z]{4})", re.sub(r"//[^\n]*", "", text), re.S | re.M):
        numbers = re.findall(r"[-+.\deE]+", mesh)
        at = 1 + 3 * int(numbers[0])
        for _ in range(int(numbers[at])):
            total += int(numbers[at + 1]) - 2
            at += 1 + int(numbers[at + 1])
    return total


def triangles_of_collada(root):
    """Of geometries, each as often as the scene has it; some are not in the file."""
    counts = {}
    for geometry in root.iter(COLLADA + "geometry"):
        polygons = [int(word) - 2 for part in geometry.iter(COLLADA + "vcount") for word in part.text.split()]
        plain = [int(part.get("count")) for part in geometry.iter(COLLADA + "triangles")]
        counts[geometry.get("id")] = sum(polygons + plain)
    skins = {controller.get("id"): controller.find(COLLADA + "skin").get("source")[1:]
             for controller in root.iter(COLLADA + "controller")}
    used = [node.get("url")[1:] for kind in ("instance_geometry", "instance_controller")
            for node in root.iter(COLLADA + kind)]
    return sum(counts.get(skins.get(one, one), 0) for one in used)


def triangles_of_glb(data):
    document, _ = split_glb(data)
    meshes = [sum(document["accessors"][part.get("indices", part["attributes"]["POSITION"])]["count"] // 3
                  for part in mesh["primitives"]) for mesh in document.get("meshes", [])]
    return sum(meshes[node["mesh"]] for node in document.get("nodes", []) if "mesh" in node)


def facts(path):
    """{fact: number} of the description, by a count of the file's words; {} = not by such."""
    kind = next(ending for ending in sorted(ENDINGS, key=len, reverse=True) if path.name.lower().endswith(ending))
    like = path.with_name(LIKE[path.name]) if path.name in LIKE else path
    data = like.read_bytes()
    text = data.decode("latin-1")
    if like != path:
        return facts(like)
    if kind == ".md5mesh":
        return {"triangles": sum(number_behind("numtris", text)), "joints": number_behind("numJoints", text)[0]}
    if kind == ".md5anim":
        return {"triangles": 0, "joints": number_behind("numJoints", text)[0], "clips": 1}
    if kind == ".pim":
        return {"triangles": number_behind("TriangleCount", text)[0]}
    if kind == ".pis":
        return {"triangles": 0, "joints": number_behind("BoneCount", text)[0]}
    if kind == ".pia":
        return {"clips": 1}
    if kind == ".bvh":
        joints = len(re.findall(r"\b(?:ROOT|JOINT|End Site)\b", text))
        return {"triangles": 0, "joints": joints, "clips": 1}
    if kind == ".mesh.xml":
        return {"triangles": len(re.findall(r"<face\b", text))}
    if kind == ".x":
        return {"triangles": triangles_of_x(text)}
    if kind == ".dae":
        return {"triangles": triangles_of_collada(xml.fromstring(data))}
    return {"triangles": triangles_of_glb(data)} if kind == ".vrm" else {}


class Everything(DaemonCase):
    daemon_args = ("--renderer", "none")

    @unittest.skipUnless(SHARED.is_dir(), f"{SHARED} is not here")
    def test_each_file_is_read_or_refused_with_a_reason(self):
        files, read, counted = documents(), 0, 0
        self.assertGreater(len(files), 60)
        for path in files:
            name = str(path.relative_to(SHARED))
            with self.subTest(name):
                # pose takes the files along that belong to it.
                done = subprocess.run([POSE, "put", path, "real", "--server", f"http://127.0.0.1:{self.daemon.port}"],
                                      capture_output=True, text=True, timeout=120)
                if name in REFUSED:
                    self.assertNotEqual(done.returncode, 0)
                    self.assertIn(REFUSED[name], done.stderr)
                    continue
                self.assertEqual(done.returncode, 0, done.stderr)
                rig, want = self.description("real"), facts(path)
                self.assertFalse([text for text in rig["warnings"] if "did not come" in text and ".skeleton" in text])
                found = {fact: rig[fact] if fact == "triangles" else len(rig[fact]) for fact in want}
                self.assertEqual(found, want)
                read, counted = read + 1, counted + bool(want)
        self.assertGreaterEqual(read, LEAST_SHARE * len(files))
        self.assertGreater(counted, 35)
        print(f"{read} of {len(files)} files are read, {counted} of them counted")


def real(folder, *names):
    return zipped({name: (SHARED / folder / name).read_bytes() for name in names})


FOX = "derived-public-fox-formats"
CONVERTED = {
    "collada": lambda: (SHARED / "magnum-plugins/AssimpImporter/Test/skin.dae").read_bytes(),
    "collada in motion": lambda: (SHARED / "ozz-pab/collada/pab/walk.dae").read_bytes(),
    "bvh": lambda: (SHARED / "assimp-bsd/BVH/01_01.bvh").read_bytes(),
    "x": lambda: (SHARED / "assimp-bsd/X/anim_test.x").read_bytes(),
    "x, binary": lambda: (SHARED / "assimp-bsd/X/test_cube_binary.x").read_bytes(),
    "fbx": lambda: (SHARED / "ufbx-data/maya_game_sausage_7500_ascii_wiggle.fbx").read_bytes(),
    "md5": lambda: real(FOX, "fox.md5mesh", "fox_walk.md5anim"),
    "ogre": lambda: real(FOX, "fox.mesh", "fox.skeleton"),
    "prism": lambda: real(FOX, "fox.pim", "fox.pis", "fox_run.pia"),
    "vrm": lambda: (SHARED / "vrm/derived-avatar/avatar1.vrm").read_bytes(),
    "vrma": lambda: (SHARED / "vrm/derived-avatar/move1.vrma").read_bytes(),
}
MADE = {"obj": OBJ, "ply": PLY, "stl": STL, "bvh made here": BVH, "glb": (DEMO / "humanoid.glb").read_bytes()}


class Converted(DaemonCase):
    """`pose convert` makes a GLB that is the figure of the file: at rest and in every clip."""
    daemon_args = ("--renderer", "none")

    def assertStays(self, name, body):
        with tempfile.TemporaryDirectory() as folder:
            path, out = pathlib.Path(folder, "file"), pathlib.Path(folder, "out.glb")
            path.write_bytes(body)
            subprocess.run([POSE, "convert", path, "-o", out], check=True, capture_output=True, timeout=120)
            self.put_rig("made", out.read_bytes())
        self.put_rig("own", body)
        own, made = self.description("own"), self.description("made")
        for fact in ("vertices", "triangles"):
            self.assertEqual(made[fact], own[fact], fact)
        self.assertEqual([clip["name"] for clip in made["clips"]], [clip["name"] for clip in own["clips"]])
        poses = ["rest"] + [{"clip": clip["name"], "time": clip["duration"] * share}
                            for clip in own["clips"][:3] for share in (0, 0.31, 0.77, 1)]
        for pose in poses:
            joints, again = self.joints("own", pose), self.joints("made", pose)
            places = [joint["world"][12:15] for joint in joints.values()]
            size = max(max(place[k] for place in places) - min(place[k] for place in places) for k in range(3)) or 1
            self.assertNumbers([again[joint]["world"] for joint in joints],
                               [joint["world"] for joint in joints.values()], 2e-6 * max(size, 1), f"{name} {pose}")
            if own["vertices"]:
                self.assertNumbers(self.positions("made", pose), self.positions("own", pose), 2e-6 * max(size, 1),
                                   f"{name} {pose}")

    def test_files_that_are_made_here(self):
        for name, body in MADE.items():
            with self.subTest(name):
                self.assertStays(name, body)

    @unittest.skipUnless(SHARED.is_dir(), f"{SHARED} is not here")
    def test_real_files(self):
        for name, load in CONVERTED.items():
            with self.subTest(name):
                self.assertStays(name, load())


if __name__ == "__main__":
    unittest.main()
