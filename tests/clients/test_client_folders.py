"""A .gltf with its buffers and pictures beside it: by the clients, checked against the same as one GLB."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import warnings

import folders
from client import rig_path
from test_python import package

HERE = pathlib.Path(__file__).resolve().parent


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


if __name__ == "__main__":
    unittest.main()
