"""Rigs are put, listed, fetched back and deleted, as the table of their calls says."""
import hashlib
import os
import pathlib
import subprocess
import tempfile
import unittest

import rigs
from case import DaemonCase
from client import JSON, OCTETS, Client, rig_path
from daemon import ROOT, Daemon
from tiny import Tiny

POSE = pathlib.Path(os.environ.get("POSE_BINARY", ROOT / "build" / "pose")).resolve()
# Of each kind that cannot be seen or turns text around, the first and the last.
HIDDEN = (0xAD, 0x61C, 0x180E, 0x200B, 0x200D, 0x200E, 0x200F, 0x2028, 0x202A, 0x202E, 0x2060, 0x2066,
          0x2069, 0xFEFF, 0xE0020)


def content_of(body):
    return "sha256:" + hashlib.sha256(body).hexdigest()


class RigsAreKept(DaemonCase):
    def test_first_put_creates_and_the_same_bytes_again_change_nothing(self):
        body = rigs.triangle().glb()
        first = self.assertStatus(self.client.put("twice", body), 201)
        again = self.assertStatus(self.client.put("twice", body), 200)
        self.assertEqual(first.json()["content"], content_of(body))
        self.assertEqual(again.json()["content"], content_of(body))

    def test_other_bytes_replace(self):
        self.put_rig("replaced", rigs.triangle().glb())
        body = rigs.square().glb()
        reply = self.assertStatus(self.client.put("replaced", body), 200)
        self.assertEqual(reply.json()["content"], content_of(body))
        self.assertEqual(self.description("replaced")["vertices"], 4)
        self.assertEqual(len(self.positions("replaced")), 4)

    def test_if_none_match_any_refuses_to_replace(self):
        body = rigs.triangle().glb()
        self.assertStatus(self.client.put("guarded", body, if_none_match="*"), 201)
        reply = self.client.put("guarded", rigs.square().glb(), if_none_match="*")
        self.assertProblem(reply, 412, "precondition-failed")
        self.assertEqual(self.description("guarded")["content"], content_of(body))

    def test_source_gives_the_bytes_that_were_put(self):
        tiny = rigs.triangle()
        for kind, body in (
            ("model/gltf-binary", tiny.glb()),
            ("model/gltf+json", tiny.gltf()),
            ("application/zip", tiny.zip()),
        ):
            with self.subTest(kind):
                self.put_rig("kept", body)
                reply = self.assertStatus(self.client.get(rig_path("kept", "/source")), 200)
                self.assertEqual(reply.body, body)
                self.assertRegex(reply.headers.get("ETag", ""), r'^"[^"]+"$')
                self.assertEqual(reply.kind, kind)

    def test_forms_are_told_apart_by_content(self):
        tiny = rigs.triangle()
        kinds = (
            "model/gltf-binary",
            "model/gltf+json",
            "application/zip",
            "application/octet-stream",
            None,
        )
        for body in (tiny.glb(), tiny.gltf(), tiny.zip(), tiny.zip("a/b/scene.gltf")):
            for kind in kinds:
                with self.subTest(kind=kind, starts=body[:4]):
                    headers = {"content_type": kind} if kind else {}
                    reply = self.client.put("told", body, **headers)
                    self.assertIn(reply.status, (200, 201), str(reply))
                    self.assertEqual(self.positions("told"), [tuple(p) for p in rigs.TRIANGLE])

    def test_list_is_sorted_by_name_and_sums_up_each_rig(self):
        body = rigs.column([(0.1, 1, 0)] * 3).glb()
        for name in ("list-b", "list-a", "list-c"):
            self.put_rig(name, body)
        reply = self.assertStatus(self.client.get("/v1/rigs"), 200)
        listed = reply.json()["rigs"]
        names = [rig["name"] for rig in listed]
        self.assertEqual(names, sorted(names))
        rig = listed[names.index("list-b")]
        summary = {
            "name": "list-b",
            "content": content_of(body),
            "vertices": 3,
            "joints": 3,
            "clips": 2,
        }
        self.assertEqual(rig, rig | summary)

    def test_deleted_is_gone(self):
        self.put_rig("gone", rigs.triangle().glb())
        reply = self.assertStatus(self.client.delete("gone"), 204)
        self.assertEqual(reply.body, b"")
        for reply in (
            self.client.get(rig_path("gone")),
            self.client.get(rig_path("gone", "/source")),
            self.client.delete("gone"),
            self.client.vertices("gone"),
            self.client.picture_link("gone"),
        ):
            self.assertProblem(reply, 404, "unknown-rig", says="gone")
        self.assertNotIn(
            "gone", [rig["name"] for rig in self.client.get("/v1/rigs").json()["rigs"]]
        )
        self.assertStatus(self.client.put("gone", rigs.triangle().glb()), 201)

    def test_names_of_1_to_128_bytes_of_utf8_are_taken(self):
        body = rigs.triangle().glb()
        names = (
            "a",
            "x" * 128,
            "ü" * 64,
            "a b",
            "a%b?c#d&e=f+g",
            "...",
            ".a",
            "名前",
            'quote"back\\slash',
        )
        for name in names:
            with self.subTest(name):
                self.assertStatus(self.client.put(name, body), 201)
                self.assertEqual(self.description(name)["name"], name)
                self.assertEqual(len(self.positions(name)), 3)
                self.assertStatus(self.client.delete(name), 204)

    def test_names_that_hide_something_are_not_put(self):
        self.put_rig("shown", rigs.column([(0, 0, 0), (1, 1, 0), (0, 2, 0)]).glb())
        clip = b'{"pose": {"clip": "bend"}, "duration": 0.1}'
        vertices = b'{"pose": "rest", "vertices": []}'
        for point in HIDDEN:
            name = f"a{chr(point)}b"
            for path, body, kind in (
                (rig_path(name), rigs.triangle().glb(), OCTETS),
                (rig_path("shown", rig_path(name).replace("/v1/rigs", "/clips")), clip, JSON),
                (rig_path("shown", rig_path(name).replace("/v1/rigs", "/examples")), vertices, JSON),
            ):
                with self.subTest(path=path):
                    reply = self.client.request("PUT", path, body, {"Content-Type": kind})
                    self.assertProblem(reply, 400, "invalid-name", says=f"U+{point:04X}")
                    self.assertProblem(self.client.get(path), 404, (
                        "unknown-rig", "unknown-clip", "unknown-example"))

    def test_pose_says_which_character_it_is(self):
        with tempfile.TemporaryDirectory(prefix="posed-names-") as folder:
            file = pathlib.Path(folder, "a\u202eb.glb")
            file.write_bytes(rigs.triangle().glb())
            for args in (("put", file), ("put", file, "c\u200bd")):
                done = subprocess.run(
                    [POSE, *args, "--server", f"http://127.0.0.1:{self.client.port}"],
                    capture_output=True, text=True, timeout=300)
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertIn("U+200B" if len(args) > 2 else "U+202E", done.stderr)

    def test_rig_without_any_mesh_is_a_rig(self):
        # A skeleton with clips and no mesh: poses work, vertices are none.
        tiny = Tiny()
        tiny.node(root=True, name="root", translation=[1, 2, 3])
        self.put_rig("bones", tiny.glb())
        self.assertEqual(self.description("bones")["vertices"], 0)
        self.assertEqual(self.joints("bones")["root"]["world"][12:15], [1, 2, 3])
        self.assertEqual(self.positions("bones"), [])


class OlderNames(DaemonCase):
    """Entries of an older store under names that can no longer be stored."""

    NAME = "in\u202evoice\u200b"
    BODY = rigs.column([(0, 0, 0), (1, 1, 0), (0, 2, 0)]).glb()

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="posed-older-")
        cls.addClassCleanup(folder.cleanup)
        content = hashlib.sha256(cls.BODY).hexdigest()
        for name, file, data in (
            ("objects", content, cls.BODY),
            ("rigs", cls.NAME, f"posed rig 1\nsha256 {content}\nbytes {len(cls.BODY)}\nvertices 3\n"
                               "joints 4\nclips 2\n".encode()),
        ):
            place = pathlib.Path(folder.name, name)
            place.mkdir()
            place.joinpath(file).write_bytes(data)
        cls.daemon = Daemon(data=folder.name).start()
        cls.addClassCleanup(cls.daemon.stop)
        cls.client = Client(cls.daemon.port)

    def test_it_is_listed_read_posed_and_deleted_and_not_put(self):
        listed = self.client.get("/v1/rigs").json()["rigs"]
        self.assertEqual([rig["name"] for rig in listed], [self.NAME])
        self.assertEqual(self.description(self.NAME)["name"], self.NAME)
        self.assertEqual(self.client.get(rig_path(self.NAME, "/source")).body, self.BODY)
        self.assertEqual(len(self.positions(self.NAME, {"clip": "bend"})), 3)
        self.assertProblem(self.client.put(self.NAME, self.BODY), 400, "invalid-name")
        clip = rig_path(self.NAME, "/clips/short")
        baked = b'{"pose": {"clip": "bend"}, "duration": 0.1}'
        self.assertStatus(self.client.request("PUT", clip, baked, {"Content-Type": JSON}), 201)
        self.assertStatus(self.client.delete(self.NAME), 204)
        self.assertEqual(self.client.get("/v1/rigs").json()["rigs"], [])


if __name__ == "__main__":
    unittest.main()
