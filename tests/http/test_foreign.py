"""Files of other formats are refused as what they are, whatever they are called."""
import gzip
import io
import os
import pathlib
import re
import struct
import subprocess
import tempfile
import unittest
import zipfile

from case import SHARED, DaemonCase
from daemon import ROOT

POSE = pathlib.Path(os.environ.get("POSE_BINARY", ROOT / "build" / "pose")).resolve()
MADE = {
    "an FBX file (binary, version 6100)": b"Kaydara FBX Binary  \0\x1a\0" + struct.pack("<I", 6100),
    "an FBX file (text, version 6100)": b"; FBX 6.1.0 project file\nFBXHeaderExtension: {\n"
                                        b"\tFBXVersion: 6100\n}\n",
    "a Blender file (version 4.5)": b"BLENDER-v405REND" + bytes(40),
    "a Blender file (version 5.0)": b"BLENDER17-01v0500REND" + bytes(40),
    "a USD file (text)": b"#usda 1.0\n(\n)\n",
    "a USD file (binary)": b"PXR-USDC" + bytes(80),
    "a Maya file (text)": b"//Maya ASCII 2024 scene\n",
    "a Maya file (binary)": b"FOR4\0\0\0\x10MayaFOR4",
    "a compound file, such as 3ds Max writes": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500),
    "a Cinema 4D file": b"QC4DC4D6" + bytes(50),
    "a RAR archive": b"Rar!\x1a\x07\x01\0",
    "a 7-Zip archive": b"7z\xbc\xaf\x27\x1c\0\x04",
    "data compressed by gzip": gzip.compress(b"v 0 0 0"),
    "a PNG picture": b"\x89PNG\r\n\x1a\n" + bytes(30),
    "a JPEG picture": b"\xff\xd8\xff\xe0" + bytes(30),
    "an HTML page, such as a site answers in place of a file": b"\n<!DOCTYPE html>\n<html><body>404",
    "an XML document": b'<?xml version="1.0"?><a/>',
    "a Git LFS pointer; fetch the file itself": b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
}
# The formats that the endings of real files promise; fuzzed and empty files are left out.
ENDINGS = {".fbx": "an FBX file", ".md2": "a Quake II model", ".iqm": "an Inter-Quake model",
           ".skeleton": "an OGRE skeleton", ".png": "a PNG picture", ".jpg": "a JPEG picture"}


def zipped(**files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


class Foreign(DaemonCase):
    daemon_args = ("--renderer", "none")

    def refused(self, body):
        reply = self.client.put("foreign", body)
        return self.assertProblem(reply, 415, "unsupported-media-type", says="GLB")["detail"]

    def test_made_files_are_named(self):
        for name, body in MADE.items():
            with self.subTest(name):
                self.assertIn(f"the asset is {name}, which posed does not read; ", self.refused(body))

    def test_cut_files_and_others_do_no_harm(self):
        for name, body in MADE.items():
            for size in range(1, min(len(body), 40)):
                self.refused(body[:size])
        for body in (b"\0", b"#", b"# only a comment", b"hello there", b"v", b"MM", bytes(300), b"\xff" * 84):
            self.assertNotIn("the asset is ", self.refused(body))

    def test_archives_say_what_they_hold(self):
        for name, words in (("a/fox.BLEND", '"a/fox.BLEND" is Blender'), ("fox.usdc", '"fox.usdc" is USD, as in USDZ')):
            reply = self.client.put("foreign", zipped(**{name: b"x", "readme.txt": b"y"}))
            self.assertProblem(reply, 415, "unsupported-media-type", says=(words, ".gltf or .glb"))
        reply = self.client.put("foreign", zipped(**{"readme.txt": b"y"}))
        self.assertProblem(reply, 415, "unsupported-media-type", says="none of its 1 files")

    @unittest.skipUnless(SHARED.is_dir(), f"{SHARED} is not here")
    def test_real_files_are_named(self):
        named = 0
        for file in sorted(SHARED.rglob("*.*")):
            name = ENDINGS.get(file.suffix.lower())
            version = re.search(r"_([67]\d00)_(binary|ascii)", file.name)
            is_read = name == "an FBX file" and not (version and version[1] == "6100")
            if not name or is_read or "malformed" in file.parts or not file.stat().st_size:
                continue
            with self.subTest(file=str(file.relative_to(SHARED))):
                detail = self.refused(file.read_bytes())
                self.assertIn(f"the asset is {name}", detail)
                if version:
                    kind = {"binary": "binary", "ascii": "text"}[version[2]]
                    self.assertIn(f"({kind}, version {version[1]})", detail)
                named += 1
        self.assertGreater(named, 10)

    def test_pose_names_them_too(self):
        with tempfile.TemporaryDirectory(prefix="posed-foreign-") as folder:
            file = pathlib.Path(folder, "fox.glb")
            file.write_bytes(MADE["an FBX file (binary, version 6100)"])
            for args in (("put", file, "--server", f"http://127.0.0.1:{self.client.port}"),
                         ("frame", file, "-o", pathlib.Path(folder, "out.png"))):
                done = subprocess.run([POSE, *args], capture_output=True, text=True, timeout=300)
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertIn("an FBX file (binary, version 6100), which posed does not read", done.stderr)


class ClipNames(DaemonCase):
    daemon_args = ("--renderer", "none")
    RIGS = {
        "kaykit-adventurers/Characters/gltf/Knight.glb": (
            ("walk", "Walking_A, Walking_B, Walking_C"), ("run", "Running_A, Running_B, Running_Strafe_"),
            ("die", "Death_A, Death_B, Death_"), ("Idel", "Idle"), ("block hit", "Block_Hit")),
        "raylib/gltf/robot.glb": (
            ("idle", "Robot_Idle, Robot_Standing"), ("walk", "Robot_Walking, Robot_WalkJump"),
            ("run", "Robot_Running")),
        "mesh2motion/animations/fox-animations.glb": (("sneaking", "Sneak"), ("dead", "Death")),
        "godot-mannequiny/mannequiny.glb": (("run", "run_root.001"), ("Punch", "fight_punch_root.001")),
    }

    def test_demo_rig(self):
        self.put_demo("humanoid")
        for asked, near in (("walking", "Walk"), ("jog", "Run"), ("standing", "Idle"), ("Wlak", "Walk")):
            reply = self.client.pose("humanoid", {"clip": asked})
            problem = self.assertProblem(reply, 404, "unknown-clip", pointer="/pose/clip")
            self.assertIn(f"; the rig has Idle, Walk, Run, Wave; nearest: {near}", problem["detail"])
        reply = self.client.get("/v1/rigs/humanoid/clips/walking")
        self.assertProblem(reply, 404, "unknown-clip", says="; nearest: Walk")

    @unittest.skipUnless(SHARED.is_dir(), f"{SHARED} is not here")
    def test_real_rigs(self):
        for file, cases in self.RIGS.items():
            self.put_rig("real", (SHARED / file).read_bytes())
            for asked, near in cases:
                with self.subTest(file=file, asked=asked):
                    reply = self.client.pose("real", {"clip": asked})
                    self.assertProblem(reply, 404, "unknown-clip", says=f"; nearest: {near}")
