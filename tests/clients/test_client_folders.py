"""A .gltf with its buffers and pictures beside it: by the clients, checked against the same as one GLB."""
import io
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import warnings
import zipfile

import folders
from case import SHARED
from daemon import ROOT
from client import rig_path
from test_python import package

HERE = pathlib.Path(__file__).resolve().parent
POSE = pathlib.Path(os.environ.get("POSE_BINARY", ROOT / "build" / "pose")).resolve()
FOX = SHARED / "derived-public-fox-formats"
PICTURE = b"\x89PNG\r\n\x1a\n no more of it"
FACES = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\n"
# The document, the files that belong to it, and some that do not.
SEVERAL = {
    "materials": ("box.obj", {
        "box.obj": b"mtllib Two Words.mtl\n" + FACES + b"usemtl red\nf 1/1 2/1 3/1\n",
        "Two Words.mtl": b"newmtl red\nmap_Kd -s 1 1 1 textures/wood.png\nmap_Ke lamp.png\nbump lost.png\n",
        "textures/wood.png": PICTURE, "lamp.png": PICTURE,
    }, {"lawn.png": PICTURE, "other.mtl": b"newmtl red\n", "readme.txt": b"wood.png"}),
    "collada": ("a.dae", {
        "a.dae": b'<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">'
                 b'<library_images><image id="i"><init_from>h\xc3\xb6lz.png</init_from></image></library_images>'
                 b'<library_visual_scenes><visual_scene id="s"><node id="n"/></visual_scene></library_visual_scenes>'
                 b'<scene><instance_visual_scene url="#s"/></scene></COLLADA>',
        "h\u00f6lz.png": PICTURE,
    }, {"lz.png": PICTURE}),
}
FOXES = {
    "ogre": ("fox.mesh.xml", ["fox.skeleton.xml"]),
    "ogre binary": ("fox.mesh", ["fox.skeleton"]),
    "prism": ("fox.pim", ["fox.pis", "fox_run.pia", "fox_walk.pia"]),
    "md5": ("fox.md5mesh", [f"fox{clip}.md5anim" for clip in ("", "_run", "_run_full", "_walk", "_walk_full")]),
}


class InPython(folders.FolderCase):
    @classmethod
    def prepare(cls):
        super().prepare()
        cls.api = package().Client(cls.server)
        cls.addClassCleanup(cls.api.close)

    def setUp(self):
        parent = tempfile.TemporaryDirectory(dir=self.folder)
        self.addCleanup(parent.cleanup)
        self.parent = pathlib.Path(parent.name)

    def written(self, **changes):
        """The path of a .gltf of a triangle, whose JSON has some members changed."""
        path = folders.single({}).write(self.parent)
        document = json.loads(path.read_bytes())
        path.write_text(json.dumps({**document, **changes}), encoding="utf-8")
        return path

    def test_a_hundred_folders(self):
        for folder in folders.folders():
            with self.subTest(folder=folder.name):
                self.api.put_rig(folder.name, folder.write(self.parent))
                self.assertSame(folder, folder.name)

    def test_a_clip_of_a_folder(self):
        bent = next(folder for folder in folders.folders() if folder.clip == "bend")
        self.api.put_rig("bent", bent.whole)
        self.api.put_clip("bent", "again", source=str(bent.write(self.parent)), clip="bend")
        self.assertIn("again", [clip["name"] for clip in self.api.clips("bent")])

    def test_a_document_that_stands_alone_stays_as_it_is(self):
        path = self.parent / "alone.gltf"
        path.write_bytes(folders.rigs.triangle().gltf())
        self.api.put_rig("alone", path)
        self.assertEqual(self.api.source("alone"), path.read_bytes())

    def test_what_cannot_be_read_is_the_daemon_s_to_refuse(self):
        for body in (b"", b"{", b"[]", b'{"buffers": 3, "images": [3, {"uri": 4}]}', b"glTF", b"[" * 9999):
            with self.subTest(body=body[:20]):
                path = self.parent / "broken.gltf"
                path.write_bytes(body)
                with self.assertRaises(package().Problem):
                    self.api.put_rig("broken", path)

    def test_missing_files(self):
        path = self.written(images=[{"uri": "no%20such.png"}])
        with self.assertWarnsRegex(UserWarning, 'no no such.png, which images.0..uri "no%20such.png"') as seen:
            self.api.put_rig("without", path)
        self.assertEqual(seen.filename, __file__)
        (path.parent / "scene.bin").unlink()
        with warnings.catch_warnings(), self.assertRaisesRegex(FileNotFoundError, 'buffers.0..uri "scene.bin"'):
            warnings.simplefilter("ignore")
            self.api.put_rig("without", path)

    def test_nothing_outside_of_the_folder_is_read(self):
        (self.parent / "outside.bin").write_bytes(bytes(36))
        for uri in ("../outside.bin", "a/../../outside.bin", "%2e%2e/outside.bin", "..%2Foutside.bin",
                    "/etc/passwd", "%2Fetc/passwd", "//host/share.bin", "file:///etc/passwd",
                    "http://127.0.0.1:9/x.bin", "C:/x.bin", "..\\outside.bin", "a%5Cb.bin", "a%00b",
                    "%ff.bin", "100%.bin", ".", "", "\ud800"):
            for member in ("buffers", "images"):
                with self.subTest(uri=uri, member=member):
                    path = self.written(**{member: [{"byteLength": 36, "uri": uri}]})
                    with self.assertRaisesRegex(ValueError, member + ".0..uri .* must be a path below"):
                        self.api.put_rig("refused", path)
        self.assertStatus(self.client.get(rig_path("refused")), 404)

    def test_links_and_devices(self):
        path = self.written()
        buffer = path.parent / "scene.bin"
        outside = buffer.rename(self.parent / "outside.bin")
        buffer.symlink_to(outside)
        with self.assertRaisesRegex(ValueError, "leads out of the document's folder by a link"):
            self.api.put_rig("refused", path)
        buffer.unlink()
        os.mkfifo(buffer)
        with self.assertRaisesRegex(ValueError, "is not a plain file"):
            self.api.put_rig("refused", path)
        buffer.unlink()
        buffer.symlink_to(outside.rename(path.parent / "inside.bin"))
        self.api.put_rig("linked", path)


class InNode(folders.FolderCase):
    def test_a_hundred_folders(self):
        if not shutil.which("node"):
            self.skipTest("there is no node")
        found = folders.folders()
        listed = [{"name": folder.name, "root": str(folder.write(self.folder).parent),
                   "document": folder.document, "files": list(folder.files)} for folder in found]
        done = subprocess.run(["node", HERE / "folders.mjs", self.server], input=json.dumps(listed),
                              capture_output=True, text=True, timeout=300)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for folder in found:
            with self.subTest(folder=folder.name):
                self.assertSame(folder, folder.name)
                one, other = (self.description(name)["content"]
                              for name in (folder.name, f"{folder.name} in memory"))
                self.assertEqual(one, other)


class InOtherFormats(folders.FolderCase):
    """Each client sends the same bytes as pose, which finds the files by reading the format."""

    @classmethod
    def prepare(cls):
        super().prepare()
        cls.api = package().Client(cls.server)
        cls.addClassCleanup(cls.api.close)

    def written(self, name, files):
        root = pathlib.Path(self.folder, name)
        for path, content in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(content)
        return root

    def source(self, name):
        return self.assertStatus(self.client.get(rig_path(name, "/source")), 200).body

    def assertSent(self, name, document, files, others):
        """By path, from memory and as a list of paths, from Python and from Node."""
        root = self.written(name, {**files, **others})
        subprocess.run([POSE, "put", root / document, f"{name} pose", "--server", self.server], check=True,
                       capture_output=True, timeout=60)
        want = self.source(f"{name} pose")
        with zipfile.ZipFile(io.BytesIO(want)) as archive:
            self.assertEqual(set(archive.namelist()), set(files))
        for way, source in (("path", root / document), ("text", str(root / document)), ("files", {**files, **others}),
                            ("paths", [root / path for path in (*files, *others)])):
            with self.subTest(name, way=way):
                self.api.put_rig(f"{name} {way}", source)
                self.assertEqual(self.source(f"{name} {way}"), want)
        if shutil.which("node"):
            listed = {"name": f"{name} node", "root": str(root), "files": [*files, *others]}
            done = subprocess.run(["node", HERE / "several.mjs", self.server], input=json.dumps([listed]),
                                  capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(self.source(f"{name} node"), want)

    def test_files_that_belong_together(self):
        for name, (document, files, others) in SEVERAL.items():
            self.assertSent(name, document, files, others)

    @unittest.skipUnless(FOX.is_dir(), f"{FOX} is not here")
    def test_real_files_that_belong_together(self):
        for name, (document, parts) in FOXES.items():
            files = {path: (FOX / path).read_bytes() for path in (document, *parts)}
            self.assertSent(name, document, files, {"wolf.png": PICTURE})

    @unittest.skipUnless(FOX.is_dir(), f"{FOX} is not here")
    def test_clips_of_several_files(self):
        self.api.put_rig("fox", [FOX / "fox.pim", FOX / "fox.pis"])
        self.assertEqual(self.api.clips("fox"), [])
        self.api.put_clip("fox", "run", source=[FOX / "fox_run.pia", FOX / "fox.pis"])
        self.api.put_clip("fox", "walk", source={path: (FOX / path).read_bytes() for path in ("fox_walk.pia", "fox.pis")})
        self.assertEqual([clip["name"] for clip in self.api.clips("fox")], ["run", "walk"])

    def test_which_one_is_meant_must_be_clear(self):
        for files, words in (({}, "none is"), ({"a.png": PICTURE, "b.png": PICTURE}, "none is"),
                             ({"a.obj": FACES, "b.stl": FACES}, "a.obj and b.stl are"),
                             ({"a.obj": FACES, "b.bvh": FACES}, "a.obj and b.bvh are")):
            with self.subTest(words), self.assertRaisesRegex(ValueError, "exactly one of the files .*" + words):
                self.api.put_rig("refused", files)

    def test_an_archive_and_an_avatar_take_nothing_along(self):
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as packed:
            packed.writestr("box.obj", FACES + b"f 1 2 3\n")
            packed.writestr("box.png", PICTURE)
        root = self.written("alone", {"box.zip": archive.getvalue(), "box.png": PICTURE})
        self.api.put_rig("zip", root / "box.zip")
        self.assertEqual(self.source("zip"), archive.getvalue())
        self.api.put_rig("zip", [root / "box.zip", root / "box.png"])
        self.assertEqual(self.source("zip"), archive.getvalue())


if __name__ == "__main__":
    unittest.main()
