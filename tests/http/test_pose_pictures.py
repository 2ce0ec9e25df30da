"""build/pose check --pictures: approved pictures of assets, and what looks different from them."""
import json
import pathlib
import re
import shutil
import struct
import tempfile
import unittest

from case import DEMO
from picture import Picture
from test_pose_check import HUMANOID, CheckCase, Glb, run

ONLY = ("--only", "picture/*")
SAME = {"picture/difference": 0, "picture/ssim": 1, "picture/flip": 0}
VIEWS = 18


def can_draw():
    done = run(DEMO / "cyl2.glb", "--against", DEMO / "cyl2.glb", *ONLY, "--json", "-")
    return not any("pictures are missing" in r for r in json.loads(done.stdout)["remarks"])


def renumbered(path, out):
    """The same figure with the vertices of each primitive in the opposite order, and its triangles, too."""
    glb = Glb(path)
    sizes = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
    bytes_of = {5121: 1, 5123: 2, 5125: 4, 5126: 4}
    done = set()

    def rows(accessor):
        row = glb.document["accessors"][accessor]
        width = sizes[row["type"]] * bytes_of[row["componentType"]]
        stride = glb.document["bufferViews"][row["bufferView"]].get("byteStride", width)
        start, count = glb.start(accessor)
        return [(start + i * stride, width) for i in range(count)], row["componentType"]

    def reverse(accessor):
        places, _ = rows(accessor)
        content = [bytes(glb.bytes[at:at + width]) for at, width in places]
        for (at, width), new in zip(places, reversed(content)):
            glb.bytes[at:at + width] = new

    for mesh in glb.document["meshes"]:
        for primitive in mesh["primitives"]:
            for accessor in primitive["attributes"].values():
                if accessor not in done:
                    reverse(accessor)
                    done.add(accessor)
            count = glb.start(primitive["attributes"]["POSITION"])[1]
            places, kind = rows(primitive["indices"])
            code = {5121: "<B", 5123: "<H", 5125: "<I"}[kind]
            old = [struct.unpack_from(code, glb.bytes, at)[0] for at, _ in places]
            for (at, _), new in zip(places, (count - 1 - i for i in old)):
                struct.pack_into(code, glb.bytes, at, new)
    return glb.write(out)


class Approved(CheckCase):
    @classmethod
    def setUpClass(cls):
        if not can_draw():
            raise unittest.SkipTest("no driver draws here")
        cls.approved = tempfile.TemporaryDirectory(prefix="posed-pictures-")
        cls.addClassCleanup(cls.approved.cleanup)
        folder = pathlib.Path(cls.approved.name)
        shutil.copy(HUMANOID, folder)
        cls.first = run(folder / "humanoid.glb", "--pictures", folder / "pictures/", "--approve",
                        "--clip", "Idle", *ONLY, "--json", "-")

    def setUp(self):
        super().setUp()
        self.pictures = self.folder / "pictures"

    def put_approved(self):
        """The humanoid, and approved pictures of it."""
        shutil.copytree(pathlib.Path(self.approved.name, "pictures"), self.pictures,
                        dirs_exist_ok=True)
        return self.put("humanoid.glb")

    def compared(self, path, *args, status=0, clip="Idle"):
        """The asset's file in the report, with one clip compared."""
        return self.report(path, "--pictures", self.pictures, "--clip", clip, *ONLY, *args,
                           status=status)["files"][0]

    def values(self, *args, **kwargs):
        return {m["rule"]: m["value"] for m in self.compared(*args, **kwargs)["measurements"]}

    def stored(self):
        return sorted(p.relative_to(self.pictures) for p in self.pictures.rglob("*.png"))

    def turned(self, name="humanoid.glb", degrees=60):
        glb = Glb(HUMANOID)
        glb.pop("Idle", "LeftForeArm", 30, degrees)
        return glb.write(self.folder / name)

    def test_an_asset_fits_the_pictures_that_were_approved_of_it(self):
        self.assertEqual(self.first.returncode, 0, self.first.stderr)
        self.assertEqual(json.loads(self.first.stdout)["remarks"],
                         [f"pictures approved in {self.approved.name}/pictures: {VIEWS}"])
        path = self.put_approved()
        names = self.stored()
        self.assertEqual({p.name for p in names}, {
            f"Idle.{camera}.{moment}of3.{shading}.png" for camera in ("front", "side", "oblique")
            for moment in (1, 2, 3) for shading in ("clay", "material")})
        self.assertEqual({p.parts[0] for p in names}, {"humanoid.glb"})
        renderer, = {p.parts[1] for p in names}
        self.assertRegex(renderer, r"^[A-Za-z0-9._-]+$")
        # Pictures of the figure, before nothing.
        picture = Picture((self.pictures / names[0]).read_bytes())
        self.assertEqual((picture.width, picture.height), (256, 256))
        alphas = {pixel[3] for row in picture.rows for pixel in row}
        self.assertEqual((min(alphas), max(alphas)), (0, 255))
        file = self.compared(path)
        self.assertEqual({m["rule"]: m["value"] for m in file["measurements"]}, SAME)
        self.assertEqual((file["findings"], file["skipped"], file["not_covered"]), ([], [], []))
        # Whatever else is checked.
        file = self.compared(path, "--only", "surface/bounds")
        self.assertLessEqual(SAME.items(), {m["rule"]: m["value"]
                                            for m in file["measurements"]}.items())
        # The same asset in the same place, named from elsewhere.
        done = run("../humanoid.glb", "--pictures", ".", "--clip", "Idle", *ONLY, "--json", "-",
                   cwd=self.pictures)
        self.assertEqual(len(json.loads(done.stdout)["files"][0]["measurements"]), 3)

    def test_vertices_in_another_order_look_the_same(self):
        path = self.put_approved()
        renumbered(HUMANOID, path)
        self.assertNotEqual(path.read_bytes(), HUMANOID.read_bytes())
        self.assertEqual(self.values(path), SAME)
        self.assertEqual(self.compared(path)["findings"], [])

    def test_what_looks_different_is_found_and_may_be_approved_beside_it(self):
        path = self.put_approved()
        before = self.stored()
        old = path.read_bytes()
        self.turned()
        file = self.compared(path)
        found = {f["rule"]: f for f in file["findings"]}
        self.assertIn("picture/ssim", found)
        self.assertAlmostEqual(found["picture/ssim"]["time"], 2, delta=1e-6)
        self.assertEqual(self.stored(), before)  # nothing is approved by itself
        self.assertEqual(self.values(path, "--approve"), SAME)
        after = self.stored()
        added = sorted(set(after) - set(before))
        self.assertTrue(added)
        self.assertTrue(all(re.fullmatch(r"Idle\.\w+\.2of3\.\w+\.2\.png", p.name) for p in added),
                        added)
        # Both are accepted now, and none is stored twice.
        self.assertEqual(self.values(path), SAME)
        self.values(path, "--approve")
        self.assertEqual(self.stored(), after)
        path.write_bytes(old)
        self.assertEqual(self.values(path), SAME)
        # Without the earlier ones it is as different from the later ones.
        for name in added:
            (self.pictures / name).with_suffix("").with_suffix(".png").unlink()
        self.assertNotEqual(self.compared(path)["findings"], [])

    def test_the_page_shows_the_approved_picture_the_present_one_and_the_difference(self):
        path, page = self.put_approved(), self.folder / "page.html"
        self.turned()
        self.ends(0, path, "--pictures", self.pictures, "--clip", "Idle", "--only", "picture/ssim",
                  "--html", page)
        figures = re.findall(r'<figure><img alt="([^"]+)" src="data:image/png;base64,([^"]+)"',
                             page.read_text())
        self.assertEqual([label for label, _ in figures], ["approved", "this version", "difference"])
        self.assertEqual(len({data for _, data in figures}), 3)

    def test_nothing_passes_for_want_of_pictures(self):
        path = self.put("humanoid.glb")
        def reasons(file):
            return {s["reason"] for s in file["skipped"]}
        self.pictures.mkdir()
        file = self.compared(path)
        self.assertEqual(file["measurements"], [])
        self.assertEqual({s["rule"] for s in file["skipped"]}, set(SAME))
        self.assertEqual(reasons(file), {"no picture is approved; --approve stores the present ones"})
        self.put_approved()
        # A clip that is new.
        file = self.compared(path, clip="*")
        self.assertEqual({m["clip"] for m in file["measurements"]}, {"Idle"})
        self.assertEqual({s["clip"] for s in file["skipped"]}, {"Walk", "Run", "Wave"})
        # Of another renderer.
        folder, = (self.pictures / "humanoid.glb").iterdir()
        folder.rename(folder.with_name("Another-GPU"))
        file = self.compared(path)
        reason, = reasons(file)
        self.assertIn("for another renderer (Another-GPU) and not for this one", reason)
        self.assertIn("--approve", reason)
        self.assertEqual((file["measurements"], file["findings"]), ([], []))
        folder.with_name("Another-GPU").rename(folder)
        # One of them is gone: what there is still counts.
        (folder / "Idle.front.1of3.clay.png").unlink()
        file = self.compared(path)
        self.assertEqual(file["not_covered"],
                         ["pictures: 1 of Idle are not approved; --approve stores them"])
        page = self.folder / "page.html"
        done = self.ends(0, path, "--pictures", self.pictures, "--clip", "Idle", *ONLY, "--html", page)
        self.assertIn("not covered  pictures: 1 of Idle are not approved", done.stdout)
        self.assertIn("Not covered: pictures: 1 of Idle are not approved", page.read_text())
        self.assertEqual({m["rule"]: m["value"] for m in file["measurements"]}, SAME)
        # Without the camera they show nothing.
        camera = folder / "Idle.camera.json"
        text = camera.read_text()
        camera.unlink()
        self.assertEqual(reasons(self.compared(path)),
                         {"no picture is approved; --approve stores the present ones"})
        camera.write_text('{"target": [0, 1, 0], "distance": 0}')
        self.assertIn('Idle.camera.json: "distance" is 0', reasons(self.compared(path)).pop())
        camera.write_text(text)
        # One of them is broken.
        (folder / "Idle.front.1of3.clay.png").write_bytes(b"no picture")
        file = self.compared(path)
        self.assertEqual(file["measurements"], [])
        self.assertEqual(reasons(file), {
            "approved picture 1 of front, 1 of 3, clay: neither a PNG, a JPEG, a WebP nor a KTX 2"})

    def test_names_are_safe_on_every_file_system(self):
        glb = Glb(HUMANOID)
        names = ["../Arm/ature|Walk", "walk", "Walk", ".\u6b69\u304f " + 60 * "\u6b69"]
        for animation, name in zip(glb.document["animations"], names):
            animation["name"] = name
        (self.folder / "a b").mkdir()
        path = glb.write(self.folder / "a b" / ".\u00e9\"\n.glb")

        def values(*args):
            file = self.report(path, "--pictures", self.pictures, *ONLY, *args)["files"][0]
            self.assertEqual(file["skipped"], [])
            return [m["value"] for m in file["measurements"]]
        self.assertEqual(len(values("--approve")), 12)
        self.assertEqual(sorted(values()), 8 * [0] + 4 * [1])
        stored = self.stored()
        self.assertEqual(len(stored), 4 * VIEWS)
        self.assertEqual(len({str(p).lower() for p in stored}), 4 * VIEWS)
        self.assertEqual(len(list(self.pictures.rglob("*.camera.json"))), 4)
        self.assertEqual({p.parts[:2] for p in stored}, {("a b", "%2E\u00e9%22%0A.glb")})
        for picture in stored:
            self.assertLess(len(picture.name.encode()), 200)
            self.assertNotRegex(picture.name, r'^[. ]|[\\|"<>:*?/\x00-\x1f]')
        self.assertEqual({p.name for p in self.folder.iterdir()}, {"a b", "pictures"})

    def test_wrong_usage_and_folders_that_take_nothing(self):
        path = self.put("humanoid.glb")
        self.ends(2, path, "--approve", says="--approve is for --pictures")
        self.ends(2, path, "--pictures", self.pictures, says="--approve makes it")
        self.ends(2, path, "--pictures", path, says="is no folder")
        self.ends(1, path, "--pictures", self.folder / "no" / "such", "--approve", *ONLY,
                  says="No such file")
        self.assertFalse((self.folder / "no").exists())

    def test_geometry_is_compared_with_a_version_and_pictures_with_approved_ones(self):
        path = self.put_approved()
        self.turned()
        report = self.report(path, "--against", path, "--pictures", self.pictures, "--clip", "Idle",
                             *ONLY, "--only", "diff/motion")
        values = {m["rule"]: m["value"] for m in report["files"][0]["measurements"]}
        self.assertEqual(values["diff/motion"], 0)
        self.assertLess(values["picture/ssim"], 1)
