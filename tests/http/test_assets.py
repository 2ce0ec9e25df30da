"""Files that cannot be rigs are refused: 415 for other files, 422 for broken glTF, 400 for names."""
import struct
import unittest
import zlib

import rigs
from case import DaemonCase
from client import rig_path
from tiny import IDENTITY, USHORT, Tiny, archive, glb, split_glb

# The problem types of 415 and 422: not glTF, broken, or in need of an unsupported feature.
UNUSABLE = ("unsupported-media-type", "broken-asset", "unsupported-asset")
HUGE = 1e299  # written as 1e+299 and replaced by 1e+400, which no float is


def png():
    header = b"IHDR" + struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + struct.pack(">I", 13)
        + header
        + struct.pack(">I", zlib.crc32(header))
    )


class OtherFiles(DaemonCase):
    def test_files_that_are_no_gltf_are_an_unsupported_media_type(self):
        for body in (
            b"hello",
            b"\x00" * 100,
            png(),
            b"%PDF-1.4",
            b"<html></html>",
            b"v 0 0 0\nf 1 1 1\n",
            archive({"readme.txt": b"nothing to see"}),
            b"glTX" + b"\x00" * 30,
            b"\xff\xfe{\x00}\x00",
        ):
            with self.subTest(starts=body[:8]):
                self.assertProblem(
                    self.client.put("other", body), 415, "unsupported-media-type", says="glTF"
                )
        self.assertStatus(self.client.get(rig_path("other")), 404)

    def test_archives_that_hold_no_single_rig_are_refused_with_what_they_hold(self):
        text = rigs.triangle().gltf()
        for body, says in (
            (archive({"a.gltf": text, "b.gltf": text}), "exactly one"),
            (b"PK\x03\x04" + b"\x00" * 30, "ZIP"),
            (archive({"a.gltf": rigs.triangle().text("../x.bin")}), "out of the archive"),
            (archive({"a.gltf": rigs.triangle().text("/etc/passwd")}), "inside the archive"),
            (archive({"a.gltf": rigs.triangle().text("x.bin")}), "not among the files"),
        ):
            with self.subTest(says=says):
                self.assertProblem(self.client.put("other", body), 422, "broken-asset", says=says)

    def test_empty_body_is_refused(self):
        reply = self.client.put("empty", b"")
        self.assertIn(reply.status, (400, 415, 422))
        self.assertProblem(
            reply, reply.status, ("unsupported-media-type", "broken-asset", "invalid-value")
        )

    def test_json_that_is_no_gltf_is_refused(self):
        for body in (b"{}", b'{"rig": "x"}', b'{"scenes": []}', b"[]"):
            with self.subTest(body=body):
                reply = self.client.put("json", body)
                self.assertIn(reply.status, (415, 422))
                self.assertProblem(reply, reply.status, ("unsupported-media-type", "broken-asset"))


class BrokenAssets(DaemonCase):
    def broken(self, body, says=(), codes="broken-asset"):
        reply = self.client.put("broken", body)
        problem = self.assertProblem(reply, 422, codes, says=says)
        self.assertStatus(self.client.get(rig_path("broken")), 404)
        return problem

    def spoil(self, change, says=(), tiny=None):
        """Breaks one thing in a file that is otherwise fine."""
        tiny = tiny or rigs.column([(0.1, 1, 0)] * 3)
        change(tiny.json)
        return self.broken(tiny.glb().replace(b"1e+299", b"1e+400"), says)

    def test_containers(self):
        whole = rigs.triangle().glb()
        text, data = split_glb(whole)
        for name, body in {
            "cut in the header": whole[:10],
            "cut in the JSON": whole[:60],
            "cut in the data": whole[:-8],
            "length beyond the end": whole[:8] + struct.pack("<I", len(whole) + 400) + whole[12:],
            "JSON chunk beyond the end": whole[:12] + struct.pack("<I", 0x7FFFFFFF) + whole[16:],
            "JSON that is cut": glb(b'{"asset": {"version": "2.0"'),
            "JSON that is no object": glb(b"[]"),
        }.items():
            with self.subTest(name):
                self.broken(body)
        self.assertTrue(text and data)

    def test_versions_of_the_container_and_the_format_are_named(self):
        whole = rigs.triangle().glb()
        reply = self.client.put("broken", whole[:4] + struct.pack("<I", 1) + whole[8:])
        self.assertProblem(reply, 422, UNUSABLE, says="1")
        for asset in ({"version": "1.0"}, {"version": "2.0", "minVersion": "9.0"}):
            tiny = rigs.triangle()
            tiny.json["asset"] = asset
            self.assertProblem(self.client.put("broken", tiny.glb()), 422, UNUSABLE)

    def test_indices_into_lists(self):
        for name, change in {
            "accessor of POSITION": lambda j: attributes(j).update(POSITION=99),
            "negative accessor": lambda j: attributes(j).update(POSITION=-1),
            "buffer view": lambda j: j["accessors"][0].update(bufferView=99),
            "buffer": lambda j: j["bufferViews"][0].update(buffer=9),
            "mesh of a node": lambda j: j["nodes"][2].update(mesh=9),
            "skin of a node": lambda j: j["nodes"][2].update(skin=9),
            "child of a node": lambda j: j["nodes"][0].update(children=[9]),
            "joint of a skin": lambda j: j["skins"][0].update(joints=[0, 9]),
            "root of a scene": lambda j: j["scenes"][0].update(nodes=[9]),
            "default scene": lambda j: j.update(scene=9),
            "node of a channel": lambda j: j["animations"][0]["channels"][0]["target"].update(
                node=9
            ),
            "sampler of a channel": lambda j: j["animations"][0]["channels"][0].update(sampler=9),
            "input of a sampler": lambda j: j["animations"][0]["samplers"][0].update(input=99),
        }.items():
            with self.subTest(name):
                self.spoil(change)

    def test_numbers_that_do_not_fit_the_data(self):
        for name, change in {
            "accessor longer than its view": lambda j: j["accessors"][0].update(count=4000),
            "accessor beyond 2^53": lambda j: j["accessors"][0].update(count=1 << 60),
            "view longer than its buffer": lambda j: j["bufferViews"][0].update(byteLength=1 << 30),
            "translation beyond any number": lambda j: j["nodes"][0].update(
                translation=[HUGE, 0, 0]
            ),
            "translation beyond float32": lambda j: j["nodes"][0].update(translation=[1e300, 0, 0]),
            "negative offset": lambda j: j["bufferViews"][0].update(byteOffset=-4),
            "component type": lambda j: j["accessors"][0].update(componentType=9999),
            "type of POSITION": lambda j: j["accessors"][attributes(j)["POSITION"]].update(
                type="VEC2"
            ),
            "interpolation": lambda j: j["animations"][0]["samplers"][0].update(
                interpolation="BEZIER"
            ),
            "too few inverse bind matrices": lambda j: j["skins"][0].update(joints=[0, 1, 2]),
        }.items():
            with self.subTest(name):
                self.spoil(change)

    def test_trees_that_are_no_trees(self):
        for name, change in {
            "own child": lambda j: j["nodes"][1].update(children=[1]),
            "cycle": lambda j: j["nodes"][1].update(children=[0]),
            "two parents": lambda j: j["nodes"][2].update(children=[1]),
        }.items():
            with self.subTest(name):
                self.spoil(change)

    def test_index_beyond_the_vertices(self):
        tiny = Tiny()
        tiny.node(root=True, mesh=tiny.mesh(tiny.primitive(rigs.TRIANGLE, [0, 1, 3])))
        self.broken(tiny.glb(), says="3")

    def test_joint_beyond_the_skin(self):
        tiny = rigs.column([(0.1, 1, 0)] * 3)
        bad, _ = tiny.influences([(0, 77, 0, 0)] * 3, [(0.5, 0.5, 0, 0)] * 3, USHORT)
        attributes(tiny.json)["JOINTS_0"] = bad
        self.broken(tiny.glb(), says="77")

    def test_missing_position_accessor_data_is_told_with_its_place(self):
        problem = self.spoil(lambda j: j["accessors"][0].update(bufferView=99))
        self.assertIn("99", problem["detail"] + str(problem.get("errors")))
        self.assertRegex(problem["detail"] + str(problem.get("errors")), r"accessor|bufferView")

    def test_every_fault_is_told_by_its_own_words(self):
        cycle = self.spoil(lambda j: j["nodes"][1].update(children=[1]))
        count = self.spoil(lambda j: j["accessors"][0].update(count=4000))
        self.assertNotEqual(cycle["detail"], count["detail"])

    def test_extensions_that_are_required_and_unknown_are_named(self):
        for name in ("KHR_gaussian_splatting", "EXT_made_up"):
            tiny = rigs.triangle()
            tiny.json.update(extensionsUsed=[name], extensionsRequired=[name])
            reply = self.client.put("broken", tiny.glb())
            self.assertIn(reply.status, (415, 422))
            self.assertProblem(reply, reply.status, UNUSABLE, says=name)

    def test_external_files_are_never_read(self):
        # A parser must not open what a client names: no path, no device, no other host.
        for uri in (
            "/etc/passwd",
            "../../etc/passwd",
            "file:///etc/passwd",
            "http://127.0.0.1:1/x",
            "data.bin",
            "/dev/zero",
        ):
            with self.subTest(uri):
                tiny = rigs.triangle()
                tiny.json["buffers"] = [{"byteLength": len(tiny.bin), "uri": uri}]
                tiny.bin = bytearray()
                reply = self.client.put("broken", tiny.gltf())
                self.assertIn(reply.status, (400, 415, 422), str(reply))

    def test_a_broken_replacement_leaves_the_rig_as_it_was(self):
        self.put_rig("kept", rigs.triangle().glb())
        before = self.description("kept")
        self.assertStatus(self.client.put("kept", rigs.square().glb()[:-8]), 422)
        self.assertEqual(self.description("kept"), before)

    def test_singular_bind_matrix_and_zero_quaternion_give_no_nan(self):
        tiny = rigs.column([(0.1, 1, 0)] * 3)
        tiny.json["skins"][0]["inverseBindMatrices"] = tiny.accessor(
            [[0] * 15 + [1], IDENTITY], "MAT4"
        )
        tiny.json["nodes"][1]["rotation"] = [0, 0, 0, 0]
        reply = self.client.put("singular", tiny.glb())
        if reply.status == 422:
            return  # refusing is right, too
        for method in ("lbs", "dqs"):
            answer = self.client.vertices(
                "singular", {"clip": "bend", "time": 0.5}, skinning=method
            )
            self.assertTrue(
                all(x == x and abs(x) < 1e6 for x in self.assertStatus(answer, 200).floats())
            )


class WrongNames(DaemonCase):
    def test_names_that_are_none_are_refused(self):
        body = rigs.triangle().glb()
        for path in (
            ".",
            "..",
            "%2e",
            "%2E%2e",
            "a%2Fb",
            "%2F",
            "a%00b",
            "%01",
            "a%0Ab",
            "%1F",
            "%7F",
            "%FF",
            "%C3%28",
            "%ED%A0%80",
            "%C0%AE",
            "x" * 129,
            "%C3%BC" * 65,
        ):
            with self.subTest(path):
                reply = self.client.request("PUT", "/v1/rigs/" + path, body)
                self.assertProblem(reply, 400, "invalid-name")

    def test_detail_says_what_a_name_is(self):
        reply = self.client.request("PUT", "/v1/rigs/" + "x" * 129, rigs.triangle().glb())
        self.assertProblem(reply, 400, "invalid-name", says="128")

    def test_paths_below_or_beside_a_rig_are_no_names(self):
        body = rigs.triangle().glb()
        for path in ("/v1/rigs/a/b", "/v1/rigs/a/", "/v1/rigs/a/source"):
            reply = self.client.request("PUT", path, body)
            self.assertIn(reply.status, (404, 405), str(reply))
        for path in (
            "/v1/rigs/../../etc/passwd",
            "/v1/rigs/..%2f..%2fetc%2fpasswd",
            "/v1/rigs/%2e%2e/source",
        ):
            reply = self.client.get(path)
            self.assertIn(reply.status, (400, 404), str(reply))


def attributes(whole):
    return whole["meshes"][0]["primitives"][0]["attributes"]


if __name__ == "__main__":
    unittest.main()
