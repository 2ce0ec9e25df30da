"""Examples of rigs: put in three forms, given back as they were, and gone with their rig."""
import array
import json
import math
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import unittest
import urllib.parse

import rigs
from case import DaemonCase, ROOT
from client import JSON, OCTETS, Client, rig_path
from daemon import Daemon
from tiny import Tiny

GLB = "model/gltf-binary"
POINTS = [(0.1, 0.25 * i, 0.2 * (i % 3)) for i in range(6)]
NORMALS = [(0.6, 0, 0.8), (0, 1, 0), (0, 0, -1)] * 2
BENT = {"clip": "bend", "time": 1}
MOVED = [(x + 0.5, y, z - 0.125) for x, y, z in POINTS]


def packed(*lists):
    return b"".join(struct.pack("<3f", *row) for rows in lists for row in rows)


def example_path(rig, name, **query):
    text = "?" + urllib.parse.urlencode(query) if query else ""
    return rig_path(rig, "/examples/" + urllib.parse.quote(name, safe="") + text)


class ExampleCase(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_rig("column", rigs.column(POINTS, NORMALS).glb())

    def put_json(self, rig, name, pose=BENT, client=None, **members):
        body = json.dumps({"pose": pose, **members}).encode()
        client = client or self.client
        return client.request("PUT", example_path(rig, name), body, {"Content-Type": JSON})

    def put_bytes(self, rig, name, body, kind=OCTETS, pose=BENT, **query):
        text = pose if isinstance(pose, str) else json.dumps(pose)
        path = example_path(rig, name, pose=text, **query)
        return self.client.request("PUT", path, body, {"Content-Type": kind})

    def example(self, rig, name, accept=JSON):
        return self.assertStatus(self.client.get(example_path(rig, name), accept=accept), 200)

    def names(self, rig):
        listed = self.assertStatus(self.client.get(rig_path(rig, "/examples")), 200).json()
        names = [example["name"] for example in listed["examples"]]
        self.assertEqual(self.description(rig)["examples"], names)
        return names

    def copy(self, name):
        """A rig of its own under a name, so that the cases do not see one another's examples."""
        return self.put_rig(name, rigs.column(POINTS, NORMALS).glb())


class ExamplesAreKept(ExampleCase):
    def test_json_comes_back_as_it_was_put(self):
        self.copy("json")
        first = self.assertStatus(self.put_json("json", "bent ä", positions=MOVED), 201)
        self.assertEqual(first.headers["Location"], example_path("json", "bent ä"))
        summary = first.json()
        self.assertEqual(
            summary,
            {"name": "bent ä", "content": summary["content"], "pose": BENT, "vertices": 6,
             "bytes": 72, "normals": False},
        )
        self.assertRegex(summary["content"], "^sha256:[0-9a-f]{64}$")
        again = self.assertStatus(self.put_json("json", "bent ä", positions=MOVED), 200)
        self.assertEqual(again.json(), summary)
        listed = self.client.get(rig_path("json", "/examples")).json()
        self.assertEqual(listed, {"examples": [summary]})
        back = self.example("json", "bent ä").json()
        self.assertEqual(packed(back["positions"]), packed(MOVED))
        self.assertNotIn("normals", back)
        self.assertEqual({**back, "normals": False}, {**summary, "positions": back["positions"]})
        self.assertEqual(self.example("json", "bent ä", OCTETS).body, packed(MOVED))

    def test_octets_come_back_with_their_layout(self):
        self.copy("octets")
        body = packed(MOVED, NORMALS)
        put = self.put_bytes("octets", "a", body, attributes="position,normal")
        self.assertStatus(put, 201)
        self.assertEqual((put.json()["bytes"], put.json()["normals"]), (len(body), True))
        reply = self.example("octets", "a", OCTETS)
        self.assertEqual(reply.body, body)
        self.assertEqual(reply.headers["Posed-Vertices"], "6")
        self.assertEqual(reply.headers["Posed-Layout"], "position:f32x3,normal:f32x3")
        back = self.example("octets", "a").json()
        self.assertEqual(back["pose"], BENT)
        self.assertEqual(packed(back["positions"], back["normals"]), body)
        # As /v1/vertices answers them, they can be put.
        vertices = self.client.vertices("octets", BENT, attributes=["position", "normal"])
        put = self.put_bytes("octets", "b", vertices.body, attributes="position,normal")
        self.assertStatus(put, 201)
        self.assertEqual(self.example("octets", "b", OCTETS).body, vertices.body)
        self.assertStatus(self.put_bytes("octets", "c", packed(POINTS)), 201)
        self.assertEqual(self.example("octets", "c", OCTETS).headers["Posed-Layout"],
                         "position:f32x3")

    def test_files_of_the_same_topology_give_their_rest_pose(self):
        self.copy("files")
        sculpted = rigs.column(MOVED, NORMALS)
        sculpted.json["nodes"][-1]["translation"] = [9, 9, 9]  # of a skinned mesh: no effect
        self.assertStatus(self.put_bytes("files", "rest", sculpted.glb(), GLB), 201)
        self.put_rig("sculpted", sculpted.glb())
        rest = self.client.vertices("sculpted", attributes=["position", "normal"]).body
        self.assertEqual(self.example("files", "rest", OCTETS).body, rest)
        self.assertNumbers(self.example("files", "rest").json()["positions"], MOVED, 1e-6)
        # A posed mesh that the daemon has exported itself comes back: positions to the bit, and
        # normals but for being made unit once more.
        posed = self.client.vertices("files", BENT, accept=GLB, attributes=["normal"]).body
        self.assertStatus(self.put_bytes("files", "posed", posed, GLB), 201)
        want = self.client.vertices("files", BENT, attributes=["position", "normal"])
        back = self.example("files", "posed", OCTETS)
        self.assertEqual(back.body[:72], want.body[:72])
        self.assertNumbers(back.floats(), want.floats(), 2e-7)

    def test_morph_targets_are_put_on_in_the_pose(self):
        tiny = rigs.column(POINTS, NORMALS)
        shift = tiny.accessor([(0, 0, 0.5)] * 6, "VEC3", bounds=True)
        stretch = tiny.accessor([(0, 0.25 * i, 0) for i in range(6)], "VEC3", bounds=True)
        primitive = tiny.json["meshes"][0]["primitives"][0]
        primitive["targets"] = [{"POSITION": shift}, {"POSITION": stretch}]
        self.put_rig("morphing", tiny.glb())
        self.assertStatus(self.put_json("morphing", "a", targets={"mesh": [1, 0.5]}), 201)
        pose = {"set": BENT, "weights": {"mesh": [1, 0.5]}}
        want = self.client.vertices("morphing", pose, attributes=["position", "normal"]).body
        self.assertEqual(self.example("morphing", "a", OCTETS).body, want)
        plain = self.client.vertices("morphing", BENT, attributes=["position", "normal"]).body
        self.assertNotEqual(want, plain)
        self.assertEqual(self.example("morphing", "a").json()["pose"], BENT)
        # By index, too; and their errors name the place in the request.
        self.assertStatus(self.put_json("morphing", "b", targets={"2": [1, 0.5]}), 201)
        self.assertEqual(self.example("morphing", "b", OCTETS).body, want)
        for targets, code, pointer in (
            ({"mesh": [1]}, "invalid-value", "/targets/mesh"),
            ({"mesh": [1, "x"]}, "invalid-value", "/targets/mesh/1"),
            ({"J0": [1]}, "invalid-value", "/targets/J0"),
            ({"nobody": [1]}, "unknown-joint", "/targets/nobody"),
        ):
            with self.subTest(targets):
                reply = self.put_json("morphing", "c", targets=targets)
                status = 404 if code == "unknown-joint" else 400
                self.assertProblem(reply, status, code, pointer=pointer)

    def test_offsets_move_some_vertices_of_the_pose(self):
        self.copy("offsets")
        offsets = [[1, 0.5, 0, -0.25], [4, 0, 1, 0]]
        self.assertStatus(self.put_json("offsets", "a", offsets=offsets), 201)
        want = self.positions("offsets", BENT)
        for vertex, *by in offsets:
            want[vertex] = [a + b for a, b in zip(want[vertex], by)]
        reply = self.example("offsets", "a", OCTETS)
        self.assertEqual(reply.headers["Posed-Layout"], "position:f32x3")
        self.assertNumbers(reply.triples(), want, 1e-6)
        self.assertStatus(self.put_json("offsets", "same", offsets=[]), 201)
        self.assertEqual(self.example("offsets", "same", OCTETS).triples(),
                         self.positions("offsets", BENT))
        # Methods that are fitted make of it what they make of the same as positions.
        made = []
        for name in ("a", "b"):
            skinning = {"method": "psd", "device": "cpu"}
            reply = self.client.vertices("offsets", BENT, skinning=skinning,
                                         attributes=["position", "normal"])
            made.append(self.assertStatus(reply, 200).body)
            self.assertStatus(self.put_json("offsets", "a", positions=self.example(
                "offsets", "a").json()["positions"]), 200)
        self.assertEqual(*made)

    def test_wrong_offsets_are_named(self):
        for offsets, pointer, says in (
            ({}, "/offsets", "an object"),
            ([[1, 0, 0]], "/offsets/0", "[vertex, x, y, z]"),
            ([[1, 0, 0, "0"]], "/offsets/0", "within float32"),
            ([[1, 0, 0, 1e300]], "/offsets/0", "within float32"),
            ([[2, 0, 0, 0], [2, 0, 0, 0]], "/offsets/1", "ascend"),
            ([[1.5, 0, 0, 0]], "/offsets/0", "whole"),
            ([[-1, 0, 0, 0]], "/offsets/0", "from 0 on"),
            ([["1", 0, 0, 0]], "/offsets/0", "whole"),
            ([[0, 0, 0, 0], [6, 0, 0, 0]], "/offsets/1", "the rig has 6"),
            ([[1e300, 0, 0, 0]], "/offsets/0", "whole"),
        ):
            with self.subTest(offsets):
                reply = self.put_json("column", "a", offsets=offsets)
                self.assertProblem(reply, 400, "invalid-value", pointer=pointer, says=says)
        reply = self.put_json("column", "a", offsets=[], positions=MOVED)
        self.assertProblem(reply, 400, "invalid-value", pointer="/offsets", says="several")
        reply = self.put_json("column", "a", offsets=[], normals=NORMALS)
        self.assertProblem(reply, 400, "invalid-value", pointer="/normals", says='"offsets"')
        reply = self.put_json("column", "a", pose={"clip": "nope"}, offsets=[])
        self.assertProblem(reply, 404, "unknown-clip", pointer="/pose/clip")

    def test_list_is_sorted_and_deleted_is_gone(self):
        self.copy("list")
        for name in ("b", "a", "ü", "B"):
            self.assertStatus(self.put_json("list", name, positions=MOVED), 201)
        self.assertEqual(self.names("list"), ["B", "a", "b", "ü"])
        self.assertEqual(self.client.request("DELETE", example_path("list", "a")).status, 204)
        self.assertEqual(self.names("list"), ["B", "b", "ü"])
        for method in ("GET", "DELETE"):
            reply = self.client.request(method, example_path("list", "a"))
            self.assertProblem(reply, 404, "unknown-example", says=('"a"', "B, b, ü"))
        self.assertStatus(self.client.delete("list"), 204)
        for path in ("/examples", "/examples/b"):
            self.assertProblem(self.client.get(rig_path("list", path)), 404, "unknown-rig")
        self.copy("list")
        self.assertEqual(self.names("list"), [])

    def test_if_none_match_any_refuses_to_replace(self):
        self.copy("guarded")
        path, body = example_path("guarded", "a", pose='"rest"'), packed(MOVED)
        headers = {"Content-Type": OCTETS, "If-None-Match": "*"}
        self.assertStatus(self.client.request("PUT", path, body, headers), 201)
        reply = self.client.request("PUT", path, packed(POINTS), headers)
        self.assertProblem(reply, 412, "precondition-failed")
        self.assertEqual(self.example("guarded", "a", OCTETS).body, body)

    def test_another_content_keeps_examples_that_fit(self):
        tiny = rigs.column(POINTS, NORMALS)
        self.put_rig("replaced", tiny.glb())
        self.assertStatus(self.put_json("replaced", "a", positions=MOVED), 201)
        tiny.json["materials"] = [{"name": "new"}]
        reply = self.assertStatus(self.client.put("replaced", tiny.glb()), 200)
        self.assertNotIn("warnings", reply.json())
        self.assertEqual(self.names("replaced"), ["a"])
        self.assertEqual(self.example("replaced", "a", OCTETS).body, packed(MOVED))
        reply = self.client.put("replaced", rigs.column(POINTS[:3], NORMALS[:3]).glb())
        self.assertEqual(len(reply.json()["warnings"]), 1)
        self.assertIn("1 examples of the rig were removed", reply.json()["warnings"][0])
        self.assertEqual(self.names("replaced"), [])


class AnswersKnowOfExamples(ExampleCase):
    def tags(self, rig):
        replies = [
            self.client.vertices(rig, BENT),
            self.client.vertices(rig, BENT, accept=GLB),
            self.client.picture_link(rig, width=16, height=16, clip="bend"),
            self.client.frame(rig, BENT, width=16, height=16),
            self.client.get(rig_path(rig)),
            self.client.get(rig_path(rig, "/examples")),
        ]
        self.assertEqual({reply.status for reply in replies}, {200})
        return [reply.headers["ETag"] for reply in replies]

    def test_tags_change_with_the_examples_and_only_then(self):
        self.copy("tags")
        none = self.tags("tags")
        self.put_json("tags", "a", positions=MOVED)
        one = self.tags("tags")
        self.put_json("tags", "a", positions=POINTS)
        other = self.tags("tags")
        for before, between, after in zip(none, one, other):
            self.assertEqual(len({before, between, after}), 3)
        self.put_json("tags", "a", positions=POINTS)
        self.assertEqual(self.tags("tags"), other)
        self.put_json("tags", "a", positions=POINTS, pose="rest")
        self.assertTrue(all(a != b for a, b in zip(self.tags("tags"), other)))
        self.client.request("DELETE", example_path("tags", "a"))
        self.assertEqual(self.tags("tags"), none)
        # Requests for the rest pose or only for joints do not depend on examples.
        mesh = self.client.get(rig_path("tags", "/mesh.glb")).headers["ETag"]
        self.put_json("tags", "a", positions=MOVED)
        self.assertEqual(self.client.get(rig_path("tags", "/mesh.glb")).headers["ETag"], mesh)

    def test_an_example_has_a_tag_of_its_own(self):
        self.copy("own")
        self.put_json("own", "a", positions=MOVED)
        self.put_json("own", "b", positions=MOVED)
        path = example_path("own", "a")
        tag = self.example("own", "a").headers["ETag"]
        self.assertNotEqual(self.example("own", "a", OCTETS).headers["ETag"], tag)
        self.assertNotEqual(self.example("own", "b").headers["ETag"], tag)
        self.put_json("own", "c", positions=MOVED)
        self.assertStatus(self.client.get(path, if_none_match=tag), 304)
        self.put_json("own", "a", positions=POINTS)
        self.assertStatus(self.client.get(path, if_none_match=tag), 200)


class ExamplesAreRefused(ExampleCase):
    def refuse(self, reply, status, code, **place):
        self.assertProblem(reply, status, code, **place)
        self.assertEqual(self.names("column"), [])

    def test_names_and_rigs_and_types(self):
        self.refuse(self.put_json("column", "a\nb", positions=MOVED), 400, "invalid-name")
        self.refuse(self.put_json("column", "x" * 129, positions=MOVED), 400, "invalid-name")
        self.refuse(self.put_json("nobody", "a", positions=MOVED), 404, "unknown-rig")
        reply = self.put_bytes("column", "a", b"x", "text/plain")
        self.refuse(reply, 415, "unsupported-media-type", says=(JSON, OCTETS, GLB))
        reply = self.client.request("POST", rig_path("column", "/examples"), b"{}")
        self.refuse(reply, 405, "method-not-allowed")
        self.assertEqual(reply.headers["Allow"], "GET, HEAD, OPTIONS")
        reply = self.client.get(example_path("column", "a"), accept="image/png")
        self.refuse(reply, 406, "not-acceptable")

    def test_bodies_of_json(self):
        cases = (
            ({"positions": MOVED[:5]}, "/positions", ("5 vertices", "the 6 of the rig")),
            ({"positions": MOVED, "normals": NORMALS[:5]}, "/normals", "6 vectors"),
            ({"positions": MOVED, "pose": {"clip": "bend", "time": "x"}}, "/pose/time", ()),
            ({"positions": MOVED, "pose": {"set": "rest", "joints": {"J1": {"scale": 1}}}},
             "/pose/joints/J1/scale", ()),
            ({}, "", ("positions", "targets")),
        )
        for members, pointer, says in cases:
            with self.subTest(pointer):
                reply = self.put_json("column", "a", **members)
                self.refuse(reply, 400, "invalid-value", pointer=pointer, says=says)
        reply = self.put_json("column", "a", {"clip": "nope"}, positions=MOVED)
        self.refuse(reply, 404, "unknown-clip", pointer="/pose/clip")
        reply = self.put_json("column", "a", positions=MOVED, normals=[(0, 0, 0)] * 6)
        self.refuse(reply, 400, "invalid-value", says="vertex 0 has no length")
        reply = self.put_json("column", "a", positions=MOVED, colour="red")
        self.refuse(reply, 400, "unknown-member", pointer="/colour")
        reply = self.client.request("PUT", example_path("column", "a"), b"{", {})
        self.refuse(reply, 400, "invalid-json")
        reply = self.client.request("PUT", example_path("column", "a"), b"[" + b" " * 5000000, {})
        self.refuse(reply, 413, "too-large", says="octets")

    def test_bodies_of_octets(self):
        reply = self.put_bytes("column", "a", packed(MOVED)[:-1])
        self.refuse(reply, 400, "invalid-value", says=("71 bytes", "12 for each"))
        reply = self.put_bytes("column", "a", packed(MOVED), attributes="position,normal")
        self.refuse(reply, 400, "invalid-value", says=("3 vertices", "the 6 of the rig"))
        reply = self.put_bytes("column", "a", packed(MOVED[:5]) + struct.pack("<3f", 0, math.nan, 0))
        self.refuse(reply, 400, "invalid-value", says="vertex 5 is not finite")
        reply = self.client.request(
            "PUT", example_path("column", "a"), packed(MOVED), {"Content-Type": OCTETS})
        self.refuse(reply, 400, "invalid-value", parameter="pose", says="missing")
        for pose, status, code, says in (
            ("rest", 400, "invalid-json", "line 1"),
            ('{"set":"rest","joints":{"J9":{}}}', 404, "unknown-joint", ("/joints/J9", "J9")),
            ('{"clip":"bend","time":"x"}', 400, "invalid-value", "/time"),
        ):
            with self.subTest(pose):
                reply = self.put_bytes("column", "a", packed(MOVED), pose=pose)
                self.refuse(reply, status, code, parameter="pose", says=says)
        reply = self.put_bytes("column", "a", packed(MOVED), colour="red")
        self.refuse(reply, 400, "unknown-member", parameter="colour", says="pose, attributes")

    def test_files(self):
        reply = self.put_bytes("column", "a", rigs.column(MOVED[:3]).glb(), GLB)
        self.refuse(reply, 400, "invalid-value", says=("3 vertices", "the 6 of the rig"))
        reply = self.put_bytes("column", "a", rigs.column(MOVED).glb()[:-20], GLB)
        self.refuse(reply, 422, "broken-asset")
        reply = self.put_bytes("column", "a", packed(MOVED), GLB)
        self.refuse(reply, 415, "unsupported-media-type")
        reply = self.put_bytes("column", "a", rigs.column(MOVED).glb(), GLB, attributes="position")
        self.refuse(reply, 400, "unknown-member", parameter="attributes")

    def test_a_rig_without_vertices_takes_none(self):
        tiny = Tiny()
        tiny.node(root=True, name="root")
        self.put_rig("bones", tiny.glb())
        reply = self.put_json("bones", "a", "rest", positions=[])
        self.assertProblem(reply, 400, "invalid-value", says="no vertices")


class TheClient(ExampleCase):
    def pose(self, *arguments, status=0):
        program = pathlib.Path(os.environ.get("POSE_BINARY", ROOT / "build" / "pose")).resolve()
        server = f"http://127.0.0.1:{self.daemon.port}"
        done = subprocess.run([program, *arguments, "--server", server], capture_output=True)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def test_puts_lists_shows_and_deletes(self):
        self.copy("client")
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "a.f32").write_bytes(packed(MOVED))
            (folder / "b.glb").write_bytes(rigs.column(MOVED, NORMALS).glb())
            (folder / "c.json").write_text(json.dumps({"pose": BENT, "positions": MOVED}))
            text = json.dumps(BENT)
            self.pose("example", "put", "client", "a", folder / "a.f32", "--pose", text)
            self.pose("example", "put", "client", "b ä", folder / "b.glb", "--clip", "bend",
                      "--time", "1")
            self.pose("example", "put", "client", "c", folder / "c.json")
            self.pose("example", "show", "client", "a", "--raw", "-o", folder / "back.f32")
            self.assertEqual((folder / "back.f32").read_bytes(), packed(MOVED))
        listed = json.loads(self.pose("example", "list", "client").stdout)["examples"]
        self.assertEqual([example["name"] for example in listed], ["a", "b ä", "c"])
        self.assertEqual([example["pose"] for example in listed], [BENT] * 3)
        shown = json.loads(self.pose("example", "show", "client", "b ä").stdout)
        self.assertEqual(packed(shown["positions"]), packed(MOVED))
        self.pose("example", "delete", "client", "a")
        self.assertEqual(self.names("client"), ["b ä", "c"])
        said = self.pose("example", "put", "client", "d", "--clip", "bend", "--targets",
                         '{"mesh": [1]}', status=3).stderr
        self.assertIn(b"(at /targets/mesh)", said)
        for wrong in (["put", "client", "a"], ["put", "client", "a", "f", "--targets", "{}"],
                      ["show", "client"], ["list", "client", "a"], ["lits", "client"]):
            self.assertTrue(self.pose("example", *wrong, status=2).stderr, wrong)


class ExamplesSurvive(unittest.TestCase):
    def test_a_kill_behind_the_answer(self):
        data = tempfile.mkdtemp(prefix="posed-examples-")
        self.addCleanup(shutil.rmtree, data, ignore_errors=True)
        for number in range(3):
            daemon = Daemon(data=data, args=("--renderer", "none")).start()
            client = Client(daemon.port)
            if number == 0:
                client.put("column", rigs.column(POINTS).glb())
            listed = client.get(rig_path("column", "/examples")).json()["examples"]
            self.assertEqual([e["name"] for e in listed], [f"e{i}" for i in range(number)])
            for i, example in enumerate(listed):
                body = client.get(example_path("column", f"e{i}"), accept=OCTETS).body
                numbers = array.array("f", body)
                self.assertEqual((len(numbers), numbers[0]), (18, i))
                self.assertEqual(example["pose"], {"clip": "bend", "time": i / 4})
            pose = json.dumps({"clip": "bend", "time": number / 4})
            path = example_path("column", f"e{number}", pose=pose)
            body = packed([(number, 0, 0)] * 6)
            reply = client.request("PUT", path, body, {"Content-Type": OCTETS})
            self.assertEqual(reply.status, 201, str(reply))
            daemon.kill()


if __name__ == "__main__":
    unittest.main()
