"""pose optimise: which files it takes and writes, and which command lines it refuses."""
import json
import pathlib
import tempfile
import unittest

import rigs
from case import DEMO
from test_pose_program import run
from tiny import split_glb

NAMES = ("cyl2", "head")
USAGE = 2


class Optimise(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="posed-optimise-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.rigs = self.folder / "rigs"
        (self.rigs / "below").mkdir(parents=True)
        for name, to in zip(NAMES, (self.rigs, self.rigs / "below")):
            (to / f"{name}.glb").write_bytes((DEMO / f"{name}.glb").read_bytes())
        self.files = [self.rigs / "cyl2.glb", self.rigs / "below" / "head.glb"]

    def optimise(self, *args, **keywords):
        return run("optimise", *args, cwd=self.folder, **keywords)

    def made(self, folder):
        return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}

    def alone(self, path):
        done = self.optimise(path, "-o", "-", text=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_files_land_in_the_folder_as_they_are_alone(self):
        done = self.optimise(*self.files, "-o", "to/")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.made(self.folder / "to"), {"cyl2.glb", "head.glb"})
        for path in self.files:
            self.assertEqual((self.folder / "to" / path.name).read_bytes(), self.alone(path))

    def test_a_folder_keeps_its_places(self):
        done = self.optimise("rigs", "-o", "to/", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.made(self.folder / "to"), {"cyl2.glb", "below/head.glb"})
        report = json.loads(done.stdout)
        self.assertEqual({(one["file"], one["output"]) for one in report},
                         {("rigs/cyl2.glb", "to/cyl2.glb"), ("rigs/below/head.glb", "to/below/head.glb")})
        for one in report:
            self.assertEqual(one["bytes_after"], (self.folder / one["output"]).stat().st_size)

    def test_a_broken_file_stops_no_other(self):
        broken = self.rigs / "broken.glb"
        broken.write_bytes(b"glTF")
        done = self.optimise(broken, *self.files, "-o", "to/")
        self.assertEqual(done.returncode, 3)
        self.assertIn(f"{broken}: ", done.stderr)
        self.assertEqual(self.made(self.folder / "to"), {"cyl2.glb", "head.glb"})

    def test_units_of_the_tolerance(self):
        metres = []
        for text in ("2mm", "0.2cm", "0.002m", "0.002"):
            done = self.optimise(self.files[0], "-o", "small.glb", "--json", "--tolerance", text)
            self.assertEqual(done.returncode, 0, done.stderr)
            metres.append(json.loads(done.stdout)[0]["tolerance"])
        for value in metres:
            self.assertAlmostEqual(value, 0.002, delta=1e-12)

    def test_a_path_that_no_version_knows_stays(self):
        times, rows = [0, 1, 2], [(0, 0, 0), (1, 0, 0), (2, 0, 0)]
        tiny = rigs.mover(known=("translation", times, rows, "LINEAR"), unknown=("translation", times, rows, "LINEAR"))
        channel = tiny.json["animations"][1]["channels"][0]
        channel["target"]["path"] = "visibility"
        (self.folder / "unknown.glb").write_bytes(tiny.glb())
        done = self.optimise("unknown.glb", "-o", "small.glb")
        self.assertEqual(done.returncode, 0, done.stderr)
        made, _ = split_glb((self.folder / "small.glb").read_bytes())
        kept = made["animations"][1]
        self.assertEqual(kept["channels"][0]["target"], channel["target"])
        keys = [made["accessors"][kept["samplers"][0][end]] for end in ("input", "output")]
        self.assertEqual([accessor["count"] for accessor in keys], [3, 3])
        self.assertEqual(len(made["animations"][0]["samplers"]), 1)
        first = made["accessors"][made["animations"][0]["samplers"][0]["input"]]
        self.assertEqual(first["count"], 2)

    def test_integers_come_with_the_other_options_and_in_folders(self):
        done = self.optimise("rigs", "-o", "to/", "--json", "--quantise-mesh", "--meshopt", "--prune")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.made(self.folder / "to"), {"cyl2.glb", "below/head.glb"})
        for one in json.loads(done.stdout):
            made, _ = split_glb((self.folder / one["output"]).read_bytes())
            self.assertEqual(set(made["extensionsRequired"]), {"KHR_mesh_quantization", "EXT_meshopt_compression"})
            position = made["meshes"][0]["primitives"][0]["attributes"]["POSITION"]
            self.assertEqual(made["accessors"][position]["componentType"], 5122)
            for mesh in one["meshes"]:
                self.assertTrue(mesh["quantised"])
                self.assertLessEqual(mesh["error_max"], 1.001 * one["tolerance"])
                self.assertLess(mesh["normal_error"], 1)

    def test_the_table_says_why_a_mesh_stays(self):
        done = self.optimise(self.files[0], "-o", "small.glb", "--quantise-mesh", "--tolerance", "1e-6mm")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("no integers: it would be off by more than the tolerance", done.stdout)

    def test_bits_of_normals(self):
        for bits, component in ((), 5120), (("--normal-bits", "8"), 5120), (("--normal-bits", "16"), 5122):
            done = self.optimise(self.files[0], "-o", "small.glb", "--quantise-mesh", *bits)
            self.assertEqual(done.returncode, 0, done.stderr)
            made, _ = split_glb((self.folder / "small.glb").read_bytes())
            normal = made["meshes"][0]["primitives"][0]["attributes"]["NORMAL"]
            self.assertEqual(made["accessors"][normal]["componentType"], component)

    def test_refused_command_lines(self):
        first, second = self.files
        (self.folder / "empty").mkdir()
        (self.folder / "empty" / "words.txt").write_text("no asset")
        same = self.folder / "head.glb"
        same.write_bytes(second.read_bytes())
        for args, says in (
                ((first,), "needs -o"),
                ((first, second, "-o", "a.glb"), "several files need a folder as -o, not a.glb"),
                ((first, second, "-o", "-"), "several files need a folder as -o, not -"),
                (("rigs", "-o", "a.glb"), "a folder needs a folder as -o, not a.glb"),
                (("empty", "-o", "to/"), "there is no .glb and no .gltf in empty"),
                ((second, same, "-o", "to/"), "two files of the same name: head.glb"),
                ((first, "-o", "-", "--json"), "--json and -o - both want standard output"),
                ((first, "-o", "to/", "--normal-bits", "12", "--quantise-mesh"), '"12"'),
                ((first, "-o", "to/", "--normal-bits", "16"), "--normal-bits is for --quantise-mesh"),
                ((first, "-o", "to/", "--tolerance", "1in"), '"1in"'),
                ((first, "-o", "to/", "--tolerance", "mm"), '"mm"'),
                ((first, "-o", "to/", "--tolerance", "0mm"), '"0mm"'),
                ((first, "-o", "to/", "--tolerance", "-1mm"), '"-1mm"'),
                ((first, "-o", "to/", "--tolerance", "infmm"), '"infmm"'),
                ((first, "-o", "to/", "--tolerance", "nan%"), '"nan%"')):
            with self.subTest(says):
                done = self.optimise(*args)
                self.assertEqual(done.returncode, USAGE, done.stderr)
                self.assertIn(says, done.stderr)
                self.assertEqual(done.stdout, "")
                self.assertFalse((self.folder / "to").exists())
                self.assertFalse((self.folder / "a.glb").exists())


if __name__ == "__main__":
    unittest.main()
