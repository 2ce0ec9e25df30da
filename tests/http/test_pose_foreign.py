"""build/pose on files that crash a reader or ask for all memory: one error each, and the others are read."""
import json
import os
import pathlib
import re
import resource
import subprocess
import tempfile
import unittest

from case import DEMO, shared_file
from daemon import ROOT

POSE = pathlib.Path(os.environ.get("POSE_BINARY", ROOT / "build" / "pose")).resolve()
OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
CHANNELS = "OFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
MOST_MIB = 200  # of pose itself, which takes 12; the file below has claimed 17 GiB


def bvh(depth, frames):
    """Joints inside of one another. Assimp goes into each by a call, so that many end its stack."""
    return ("HIERARCHY\nROOT a\n{\n" + CHANNELS + ("JOINT b\n{\n" + CHANNELS) * depth
            + "End Site\n{\nOFFSET 0 1 0\n}\n" + "}\n" * (depth + 1)
            + f"MOTION\nFrames: {frames}\nFrame Time: 0.1\n" + "0 " * (3 * depth + 3) + "\n")


class Foreign(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="posed-foreign-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def pose(self, *arguments):
        return subprocess.run([POSE, *map(str, arguments)], capture_output=True, text=True, timeout=120,
                              env={**os.environ, "POSED_SERVER": "http://127.0.0.1:1", "NO_COLOR": "1"})

    def assertRefused(self, path, words):
        for command in (("convert", path, "-o", self.folder / "out.glb"),
                        ("frame", path, "-o", self.folder / "out.png")):
            done = self.pose(*command)
            self.assertEqual(done.returncode, 3, done)
            self.assertRegex(done.stderr, f"^pose: {re.escape(str(path))}: {words}")

    def test_a_file_that_crashes_a_reader_is_refused_by_name(self):
        path = self.write("deep.bvh", bvh(100_000, 1))
        self.assertRefused(path, r"the reader failed \((signal|exit) \d+\) on this asset$")

    def test_a_file_that_has_crashed_assimp_is_refused_by_name(self):
        path = shared_file("malformed/assimp-malformed/X/malformed_skinweights_oob.x")
        self.assertRefused(path, r"the reader failed \((signal|exit) \d+\) on this asset$")

    def test_a_file_that_claims_all_memory_is_refused(self):
        self.assertRefused(self.write("long.bvh", bvh(1, 1_000_000_000)), ".*(more memory|end of file)")
        most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        self.assertLess(most, MOST_MIB)

    def test_a_check_of_a_folder_goes_on(self):
        self.write("a.obj", OBJ)
        self.write("b.bvh", bvh(100_000, 1))
        self.write("c.bvh", bvh(1, 1))
        (self.folder / "d.glb").write_bytes((DEMO / "humanoid.glb").read_bytes())
        report = self.folder / "report.json"
        done = self.pose("check", self.folder, "--json", report)
        self.assertEqual(done.returncode, 3, done)
        files = {pathlib.Path(file["path"]).name: file for file in json.loads(report.read_text())["files"]}
        self.assertEqual(sorted(files), ["a.obj", "b.bvh", "c.bvh", "d.glb"])
        refused = [name for name, file in files.items()
                   if any(finding["rule"] == "file/refused" for finding in file["findings"])]
        self.assertEqual(refused, ["b.bvh"], files)

    def test_the_library_is_loaded_in_the_other_process_only(self):
        trace = self.folder / "trace"
        trace.mkdir()
        done = subprocess.run([POSE, "convert", self.write("a.obj", OBJ), "-o", self.folder / "a.glb"],
                              capture_output=True, text=True, timeout=120,
                              env={**os.environ, "LD_DEBUG": "files", "LD_DEBUG_OUTPUT": str(trace / "of")})
        self.assertEqual(done.returncode, 0, done.stderr)
        loaded = "".join(path.read_text() for path in trace.iterdir())
        self.assertIn("libc.so", loaded)
        self.assertNotIn("libassimp", loaded)


if __name__ == "__main__":
    unittest.main()
