"""Shader texts for other programs: which there are, in what form, and what they take."""
import re
import struct
import unittest

from case import DaemonCase


class Shaders(DaemonCase):
    needs_driver = True

    @classmethod
    def prepare(cls):
        cls.put_demo("cyl2")

    def listed(self):
        return self.assertStatus(self.client.get("/v1/shaders"), 200).json()["shaders"]

    def text(self, method, version):
        reply = self.client.get(f"/v1/shaders/{method}?version={version}")
        return self.assertStatus(reply, 200).body.decode()

    def inputs(self, **request):
        reply = self.client.post("shaders", {"rig": "cyl2", **request})
        return self.assertStatus(reply, 200).json()

    def test_every_method_with_a_kernel_is_there(self):
        methods = self.client.get("/v1").json()["skinning_methods"]
        on_gpu = [method["id"] for method in methods if "gpu" in method["device"]]
        self.assertEqual([shader["method"] for shader in self.listed()], on_gpu)

    def test_texts_have_the_functions_that_are_listed_and_no_main(self):
        for shader in self.listed():
            for version in shader["versions"]:
                with self.subTest(shader["method"], version=version):
                    text = self.text(shader["method"], version)
                    self.assertTrue(text.startswith(f"#version {version} es\n"))
                    self.assertNotIn("void main", text)
                    self.assertNotIn("#include", text)
                    self.assertNotIn("gl_GlobalInvocationID", text)
                    self.assertEqual("layout(std430" in text, version == "310")
                    for function in shader["functions"]:
                        self.assertRegex(text, rf"(?m)^(surface|void) {function}\(uint \w+\) {{")

    def test_a_version_that_there_is_not_is_refused(self):
        for shader in self.listed():
            for version in {"300", "310"} - set(shader["versions"]):
                reply = self.client.get(f"/v1/shaders/{shader['method']}?version={version}")
                problem = self.assertProblem(reply, 400, "invalid-value")
                self.assertIn(shader["method"], problem["detail"])
        without = [s["method"] for s in self.listed() if s["versions"] == ["310"]]
        self.assertEqual(without, ["delta_mush", "vol_correct"])
        for query, status in (("version=320", 400), ("version=", 400), ("versoin=300", 400)):
            self.assertStatus(self.client.get(f"/v1/shaders/lbs?{query}"), status)
        self.assertProblem(self.client.get("/v1/shaders/nose"), 404, "unknown-route")

    def test_without_a_version_the_first_comes(self):
        for method, version in (("lbs", "300"), ("delta_mush", "310")):
            body = self.assertStatus(self.client.get(f"/v1/shaders/{method}"), 200).body
            self.assertEqual(body.decode(), self.text(method, version))

    def test_answers_are_tagged(self):
        for path in ("/v1/shaders", "/v1/shaders/dqs", "/v1/shaders/dqs?version=310"):
            reply = self.assertStatus(self.client.get(path), 200)
            again = self.client.get(path, if_none_match=reply.headers["ETag"])
            self.assertStatus(again, 304)
            self.assertEqual(again.body, b"")

    def test_the_palette_of_lbs_is_what_the_pose_says(self):
        pose = {"clip": "bend", "time": 0.7}
        found = self.inputs(pose=pose)
        stage, = found["stages"]
        rows = stage["buffers"]["palette"]
        slots = stage["uniforms"]["copy"][0]
        self.assertEqual(len(rows), slots * 16)
        vertices = found["buffers"]["vertices"]
        span, = found["spans"]
        first, count, slot, influences = span["span"]
        at, weights_at = span["influence_start"]
        words = found["buffers"]["influences"]
        want = struct.unpack(f"<{count * 3}f", self.client.vertices("cyl2", pose).body)
        for vertex in range(0, count, 97):
            x = (*vertices[vertex * 3:vertex * 3 + 3], 1)
            sums = [0, 0, 0]
            for k in range(at + vertex * influences, at + (vertex + 1) * influences):
                joint = slot + (words[k // 2] >> 16 * (k % 2) & 0xffff)
                weight, = struct.unpack("<f", struct.pack("<I", words[weights_at + k]))
                for i in range(3):
                    row = rows[joint * 16 + i * 4:joint * 16 + i * 4 + 4]
                    sums[i] += weight * sum(a * b for a, b in zip(row, x))
            for i in range(3):
                self.assertAlmostEqual(sums[i], want[vertex * 3 + i], delta=4e-6)

    def test_buffers_are_those_that_are_wanted(self):
        found = self.inputs(skinning="cor", buffers=["palette", "influences"])
        self.assertEqual(set(found["buffers"]), {"influences"})
        self.assertEqual(set(found["stages"][0]["buffers"]), {"palette"})
        self.assertEqual(set(self.inputs(skinning="cor")["stages"][0]["buffers"]), {"palette", "data"})
        self.assertEqual(self.inputs(buffers=[])["buffers"], {})
        for wrong in (["nose"], [1], "palette"):
            reply = self.client.post("shaders", {"rig": "cyl2", "buffers": wrong})
            self.assertProblem(reply, 400, "invalid-value")

    def test_stages_come_in_their_order(self):
        listed = {shader["method"]: shader["functions"] for shader in self.listed()}
        for method in ("delta_mush", "vol_correct"):
            found = [stage["function"] for stage in self.inputs(skinning=method)["stages"]]
            self.assertEqual(list(dict.fromkeys(found)), listed[method])
        smooth = self.inputs(skinning={"method": "delta_mush", "iterations": 3})["stages"][1:4]
        self.assertEqual([stage["uniforms"]["pass"] for stage in smooth], [0, 1, 2])

    def test_constants_are_those_of_the_options(self):
        head = re.compile(r"^const uint normals_by.*?const int option7 = \d+;\n", re.M | re.S)
        want = head.search(self.text("dqs", "300"))[0]
        stretched = {"set": "rest", "joints": {"J1": {"scale": [1.3, 0.8, 1]}}}
        self.assertEqual(self.inputs(skinning="dqs", pose=stretched)["stages"][0]["constants"], want)
        other = self.inputs(skinning={"method": "dqs", "sign": "hierarchy", "normals": "exact"})
        constants = other["stages"][0]["constants"]
        self.assertIn("normals_by = 3u", constants)
        self.assertIn("option0 = 1", constants)
        self.assertIn("stretched = false", constants)

    def test_options_without_a_text_are_refused(self):
        for skinning in ({"impl": "ffp1"}, {"normals": "recompute"}):
            reply = self.client.post("shaders", {"rig": "cyl2", "skinning": skinning})
            problem = self.assertProblem(reply, 400, "invalid-value")
            self.assertIn("text", problem["detail"])

    def test_what_is_wrong_is_said(self):
        for request, status in (
            ({"rig": "nose"}, 404), ({"rig": "cyl2", "pose": {"clip": "nose"}}, 404),
            ({"rig": "cyl2", "skinning": "nose"}, 400), ({"rig": "cyl2", "skinning": "psd"}, 422),
            ({"rig": "cyl2", "nose": 1}, 400), ({}, 400),
        ):
            with self.subTest(**request):
                self.assertStatus(self.client.post("shaders", request), status)


if __name__ == "__main__":
    unittest.main()
