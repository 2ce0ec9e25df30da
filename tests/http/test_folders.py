"""A .gltf with its buffers and pictures beside it: by `pose`, checked against the same model as one GLB."""
import json
import os
import pathlib
import random
import shutil
import subprocess
import tempfile
import unittest

import folders
from case import SHARED
from client import rig_path
from daemon import ROOT
from tiny import glb

POSE = pathlib.Path(os.environ.get("POSE_BINARY", ROOT / "build" / "pose")).resolve()
# Beside what they name, these are broken or ask for what is not supported.
BROKEN = {"AssimpImporter/Test/skin-multiple-sets.gltf", "GltfImporter/Test/animation.gltf"}
WITHOUT_PICTURE = {"Fox.texture-missing.gltf"}


def run(*args, **env):
    return subprocess.run([POSE, *map(str, args)], capture_output=True, timeout=120,
                          env={**os.environ, **env})


class PoseCase(folders.FolderCase):
    def pose(self, *args):
        return run(*args, POSED_SERVER=self.server)


class Hundred(PoseCase):
    def test_put_stores_the_model_of_the_glb(self):
        for folder in folders.folders():
            with self.subTest(folder=folder.name):
                done = self.pose("put", folder.write(self.folder), folder.name)
                self.assertEqual((done.returncode, done.stderr), (0, b""))
                self.assertSame(folder, folder.name)

    def test_frame_draws_what_the_daemon_draws_of_the_glb(self):
        """Each name of a document, by which files are told from rigs: it packs them as put does."""
        for folder in {folder.document: folder for folder in folders.folders()}.values():
            with self.subTest(folder=folder.name):
                self.put_rig("whole", folder.whole)
                want = self.assertStatus(self.client.frame("whole", **folders.SMALL), 200).body
                done = run("frame", folder.write(self.folder), "-o", "-", "--size", 24, "--samples", 1,
                           "--quiet")
                self.assertEqual((done.returncode, done.stderr), (0, b""))
                self.assertTrue(done.stdout == want, "bytes differ")

    def test_form_stores_the_model_of_the_glb(self):
        for folder in folders.folders():
            with self.subTest(folder=folder.name):
                files = list(folder.files.items())
                random.Random(folder.name).shuffle(files)
                kind, body = folders.form(files)
                self.assertStatus(self.client.put(folder.name, body, content_type=kind), 201)
                self.assertSame(folder, folder.name)


class Forms(folders.FolderCase):
    """multipart/form-data by itself."""

    def put(self, files, rig="form", **changes):
        kind, body = folders.form(files, **changes)
        return self.client.put(rig, body, content_type=kind)

    def test_a_form_of_one_file_is_that_file(self):
        for name, body in (("a.glb", folders.single({}).whole), ("b", folders.rigs.triangle().gltf()),
                           ("c.zip", folders.single({}).archive())):
            with self.subTest(file=name):
                self.assertIn(self.put([(name, body)]).status, (200, 201))
                self.assertTrue(self.client.get(rig_path("form", "/source")).body == body)

    def test_the_same_files_are_the_same_rig(self):
        files = [*folders.single({"a.txt": b"1", "b/c.txt": b"2"}).files.items()]
        first = self.put(files, "same")
        again = self.put(files[::-1], "same", boundary="another")
        self.assertEqual((first.status, again.status), (201, 200))
        self.assertEqual(first.json()["content"], again.json()["content"])

    def test_files_may_lie_in_a_folder_together(self):
        """As browsers send a folder that was chosen."""
        files = folders.single({}).files
        self.assertIn(self.put([("my rig/" + path, body) for path, body in files.items()]).status, (200, 201))

    def test_large_form(self):
        """One whose archive lies in a file."""
        files = folders.single({"large.bin": bytes(1 << 20)})
        self.assertIn(self.put(files.files.items()).status, (200, 201))
        self.assertTrue(self.client.get(rig_path("form", "/source")).body == files.archive())

    def test_clips_come_as_forms(self):
        bent = next(folder for folder in folders.folders() if folder.clip == "bend")
        self.put_rig("bent", bent.whole)
        kind, body = folders.form(bent.files.items())
        reply = self.client.request("PUT", rig_path("bent", "/clips/again?clip=bend"), body,
                                    {"Content-Type": kind})
        self.assertStatus(reply, 201)

    def test_curl_sends_it(self):
        if not shutil.which("curl"):
            self.skipTest("there is no curl")
        folder = folders.single({"sub dir/say \"so\".txt": b"1"})
        path = folder.write(self.folder)
        quoted = [file.replace('"', '\\"') for file in folder.files]
        parts = [word for file in quoted for word in
                 ("-F", f'file=@"{path.parent}/{file}";filename="{file}"')]
        done = subprocess.run(["curl", "-sS", "-X", "PUT", *parts, f"{self.server}/v1/rigs/curled"],
                              capture_output=True)
        self.assertIn(b'"content"', done.stdout, done.stderr)
        self.assertTrue(self.client.get(rig_path("curled", "/source")).body == folder.archive())

    def test_hostile_forms_are_refused(self):
        kind, body = folders.form(folders.single({}).files.items(), "B")
        head = b"--B\r\nContent-Disposition: form-data; filename=a.gltf\r\n"
        for kind, body, says in (
            ("multipart/form-data", body, "boundary"),
            ("multipart/form-data; boundary=C", body, "does not have the boundary"),
            ("multipart/form-data; boundary=" + "b" * 71, body, "71 characters"),
            (kind, b"", "does not have the boundary"),
            (kind, body[:-5], "part 2 of the form has no boundary behind it"),
            (kind, body[:60], "part 1 of the form ends within its headers"),
            (kind, b"--B--", "no part"),
            (kind, head + b"X: " + b"y" * 9000 + b"\r\n\r\n{}\r\n--B--", "8 KiB of headers"),
            (kind, head + b"Content-Type: multipart/mixed; boundary=C\r\n\r\n--C--\r\n--B--", "form itself"),
            (kind, head + b"Content-Transfer-Encoding: base64\r\n\r\ne30=\r\n--B--", "encoded"),
            (kind, b"--B\r\nContent-Disposition: form-data; name=note\r\n\r\nhi\r\n--B--", "no filename"),
        ):
            with self.subTest(says=says):
                reply = self.client.put("hostile", body, content_type=kind)
                self.assertProblem(reply, 400, "invalid-value", says=says)
        many = [(f"{i}.bin", b"") for i in range(5000)]
        self.assertProblem(self.put(many, "hostile"), 413, "too-large", says="4096")
        self.assertStatus(self.client.get(rig_path("hostile")), 404)

    def test_forms_that_are_no_asset_are_refused(self):
        files = folders.single({}).files
        text, data = files["scene.gltf"], files["scene.bin"]
        for parts, says in (
            ([("scene.bin", data), ("a.png", b"")], "none of the 2 files is a .gltf or .glb"),
            ([("a.gltf", text), ("b/c.GLB", text)], "exactly one"),
            ([*files.items(), ("./scene.bin", data)], '"scene.bin" is there twice'),
            ([("a.gltf", text), ("../scene.bin", data)], 'file "../scene.bin" must be a path below'),
            ([("a.gltf", text), ("/scene.bin", data)], "must be a path below"),
            ([("a.gltf", text), ("C:\\scene.bin", data)], "without a backslash"),
            ([("a.gltf", text), ("other.bin", data)], '"scene.bin": not among the files'),
        ):
            with self.subTest(says=says):
                self.assertProblem(self.put(parts, "hostile"), 422, "broken-asset", says=says)
        self.assertStatus(self.client.get(rig_path("hostile")), 404)


class Doors(PoseCase):
    """Other commands than those of the hundred, and refusals."""

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

    def refused(self, status, path, *says):
        """Checks that `frame` and `put` report the same error for a file."""
        for args in (("frame", path, "-o", "-"), ("put", path, "refused")):
            with self.subTest(args=args):
                done = self.pose(*args)
                self.assertEqual((done.returncode, done.stdout), (status, b""), done.stderr)
                for words in (path.name, *says):
                    self.assertIn(words, done.stderr.decode())
        self.assertStatus(self.client.get(rig_path("refused")), 404)

    def test_sequences_comparisons_and_clips_take_folders(self):
        bent = next(folder for folder in folders.folders() if folder.clip == "bend")
        path = bent.write(self.parent)
        whole = self.parent / "whole.glb"
        whole.write_bytes(bent.whole)
        for args in (("sheet", "--clip", "bend", "--count", 4, "--size", 16, "-o", "-"),
                     ("compare", "lbs", "dqs", "--clip", "bend", "--time", 0.4)):
            with self.subTest(args=args):
                got, want = (run(args[0], file, *args[1:]) for file in (path, whole))
                self.assertEqual((got.returncode, got.stderr), (0, b""))
                self.assertTrue(got.stdout == want.stdout, "bytes differ")
        self.put_rig("bent", bent.whole)
        done = self.pose("clip", "put", "bent", "again", path, "--clip", "bend")
        self.assertEqual(done.returncode, 0, done.stderr)
        poses = [{"clip": name, "time": 0.3} for name in ("bend", "again")]
        got, want = (self.client.vertices("bent", pose).body for pose in poses)
        self.assertTrue(got == want, "another clip")

    def test_only_what_the_document_names_is_sent(self):
        path = self.written()
        (self.parent / "single" / "diary.txt").write_text("secret")
        self.assertEqual(self.pose("put", path, "single").returncode, 0)
        self.assertNotIn(b"diary", self.client.get(rig_path("single", "/source")).body)

    def test_a_document_that_stands_alone_stays_as_it_is(self):
        path = self.parent / "alone.gltf"
        path.write_bytes(folders.rigs.triangle().gltf())
        self.assertEqual(self.pose("put", path).returncode, 0)
        source = self.client.get(rig_path("alone", "/source"))
        self.assertEqual((source.kind, source.body), ("model/gltf+json", path.read_bytes()))

    def test_a_glb_may_have_files_beside_it(self):
        tiny = folders.rigs.triangle()
        tiny.add("buffers", {"byteLength": len(tiny.bin), "uri": "the%20rest.bin"})
        path = self.parent / "half.glb"
        path.write_bytes(glb(json.dumps(tiny.json).encode()))
        (self.parent / "the rest.bin").write_bytes(tiny.bin)
        self.assertEqual(self.pose("put", path).returncode, 0)
        self.put_rig("whole", tiny.glb())
        self.assertEqual(self.positions("half"), self.positions("whole"))

    def test_a_missing_buffer_is_an_error_that_names_it(self):
        path = self.written()
        (path.parent / "scene.bin").unlink()
        self.refused(1, path, "scene.bin: No such file or directory", 'buffers[0].uri "scene.bin"')

    def test_a_missing_picture_is_a_warning(self):
        path = self.written(images=[{"uri": "no%20such.png"}])
        done = self.pose("put", path, "without")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('there is no no such.png, which images[0].uri "no%20such.png" names',
                      done.stderr.decode())

    def test_nothing_outside_of_the_folder_is_read(self):
        (self.parent / "outside.bin").write_bytes(bytes(36))
        for uri in ("../outside.bin", "a/../../outside.bin", "%2e%2e/outside.bin", "..%2Foutside.bin",
                    "/etc/passwd", "%2Fetc/passwd", "//host/share.bin", "file:///etc/passwd",
                    "http://127.0.0.1:9/x.bin", "C:/x.bin", "..\\outside.bin", "a%5Cb.bin", "a%00b",
                    "%ff.bin", "100%.bin", "."):
            for member in ("buffers", "images"):
                path = self.written(**{member: [{"byteLength": 36, "uri": uri}]})
                self.refused(3, path, f"{member}[0].uri", "must be a path below the document's folder")

    def test_links_lead_nowhere_else(self):
        path = self.written()
        buffer = path.parent / "scene.bin"
        outside = buffer.rename(self.parent / "outside.bin")
        buffer.symlink_to(outside)
        self.refused(3, path, 'buffers[0].uri "scene.bin" leads out', "link")
        buffer.unlink()
        buffer.symlink_to(outside.rename(path.parent / "inside.bin"))
        self.assertEqual(self.pose("put", path, "linked").returncode, 0)

    def test_what_is_no_plain_file_is_refused(self):
        path = self.written()
        buffer = path.parent / "scene.bin"
        buffer.unlink()
        for make in (os.mkfifo, os.mkdir):
            make(buffer)
            self.refused(1, path, "scene.bin: is not a plain file")
            (buffer.unlink if make is os.mkfifo else buffer.rmdir)()

    def test_standard_input_has_no_folder(self):
        path = self.written()
        done = subprocess.run([POSE, "frame", "-", "-o", "-"], input=path.read_bytes(),
                              capture_output=True, cwd=path.parent)
        self.assertEqual(done.returncode, 3)
        self.assertIn(b'external file "scene.bin"', done.stderr)

    def test_real_folders(self):
        if not SHARED.exists():
            self.skipTest("no shared files here (POSED_SHARED_FILES says where such files are)")
        taken = 0
        for path in sorted(SHARED.rglob("*.gltf")):
            if "malformed" in path.parts:
                continue
            text = json.loads(path.read_bytes().decode("utf-8-sig"))
            uris = [thing.get("uri", "data:") for member in ("buffers", "images")
                    for thing in text.get(member, [])]
            if all(uri.startswith("data:") for uri in uris):
                continue
            with self.subTest(path=path):
                taken += 1
                done = self.pose("put", path, "real")
                broken = any(path.as_posix().endswith(name) for name in BROKEN)
                self.assertEqual(done.returncode, 3 if broken else 0, done.stderr)
                self.assertEqual(bool(done.stderr), broken or path.name in WITHOUT_PICTURE, done.stderr)
        self.assertGreater(taken, 70)


if __name__ == "__main__":
    unittest.main()
