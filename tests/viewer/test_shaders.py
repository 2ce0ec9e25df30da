"""The served shader functions in another author's program: WebGL 2 on a page of another origin, whose
vertices are checked against the daemon's."""
import json
import struct
import urllib.parse
import unittest

from case import ROOT
from client import rig_path
from host import serve
from page_case import PageCase

EXAMPLES = ROOT / "clients" / "js" / "examples"
PAGE = """<!doctype html><title>a page</title>
<script type="module">
import {{ Client }} from '{address}js/client/posed.js';
import {{ ShaderSkin }} from '/examples/shader.js';

const client = new Client('{address}');
const gl = document.createElement('canvas').getContext('webgl2');
window.skinned = async (request, poses) => {{
	const skin = await ShaderSkin.create(gl, client, request);
	const all = [];
	for (const pose of poses) {{
		await skin.pose(pose);
		const {{ positions, normals }} = skin.vertices();
		all.push([Array.from(positions), Array.from(normals)]);
	}}
	const code = gl.getError();
	if (code !== gl.NO_ERROR) throw new Error(`WebGL says ${{code}}`);
	return all;
}};
window.ready = true;
</script>"""
BEND = {"clip": "bend", "time": 0.7}
# Joints that scale and shear, which is a phase of its own with rigid methods.
STRETCHED = {"set": BEND, "joints": {"J1": {"scale": [1.3, 0.8, 1]}}}
# A few float32 roundings, of the rig's size and of a unit normal.
SHARE = 4e-6
NORMAL = 1e-4


class Shaders(PageCase):
    def setUp(self):
        host = serve(self, PAGE.format(address=self.address), {"examples": EXAMPLES})
        self.tab = self.browser.open(64, 64)
        self.addCleanup(self.tab.close)
        self.tab.go(host.address)
        self.tab.wait("window.ready")

    def streams(self, rig, pose, skinning):
        """The daemon's positions and normals."""
        reply = self.client.post("vertices", {
            "rig": rig, "pose": pose, "attributes": ["position", "normal"],
            "skinning": {**skinning, "device": "cpu"}})
        numbers = struct.unpack(f"<{len(reply.body) // 4}f", self.assertStatus(reply, 200).body)
        return numbers[:len(numbers) // 2], numbers[len(numbers) // 2:]

    def assertSkins(self, rig, poses, skinning):
        request = {"rig": rig, "pose": poses[0], "skinning": skinning}
        made = self.tab.evaluate(f"skinned({json.dumps(request)}, {json.dumps(poses)})")
        for pose, (positions, normals) in zip(poses, made, strict=True):
            want, want_normals = self.streams(rig, pose, skinning)
            size = max(want) - min(want)
            off = max(abs(a - b) for a, b in zip(positions, want, strict=True))
            self.assertLess(off, SHARE * size, (rig, skinning, pose))
            off = max(abs(a - b) for a, b in zip(normals, want_normals, strict=True))
            self.assertLess(off, NORMAL, (rig, skinning, pose))

    def put_examples(self):
        for name, time in (("a", 0.5), ("b", 1)):
            pose = {"clip": "bend", "time": time}
            mesh = self.client.post("vertices", {"rig": "cyl2", "pose": pose, "skinning": "dqs"})
            path = rig_path("cyl2", f"/examples/{name}?pose=" + urllib.parse.quote(json.dumps(pose)))
            octets = {"Content-Type": "application/octet-stream"}
            self.assertStatus(self.client.request("PUT", path, mesh.body, octets), 201)

    def test_every_method_skins_as_the_daemon_does(self):
        self.put_examples()
        methods = [shader["method"] for shader in self.client.get("/v1/shaders").json()["shaders"]
                   if "300" in shader["versions"]]
        self.assertGreater(len(methods), 20)
        for method in methods:
            with self.subTest(method):
                still = method == "vertex_keyframe"  # which plays a clip
                self.assertSkins("cyl2", [BEND] if still else [BEND, "rest", STRETCHED],
                                 {"method": method})

    def test_with_options_and_exact_normals(self):
        for skinning in (
            {"method": "dqs", "sign": "hierarchy"}, {"method": "lbs", "normals": "exact"},
            {"method": "dqs", "normals": "exact"}, {"method": "lbs", "normals": "same"},
            {"method": "ddm", "variant": "v2"},
        ):
            with self.subTest(**skinning):
                self.assertSkins("cyl2", [BEND, STRETCHED], skinning)

    def test_rigs_of_many_joints_and_morph_targets(self):
        walk = {"clip": "Walk", "time": 0.4}
        for skinning in ({"method": "lbs"}, {"method": "dqs"}, {"method": "cor"}):
            with self.subTest(**skinning):
                self.assertSkins("humanoid", [walk], skinning)
        self.assertSkins("head", [{"clip": "Expressions", "time": 1.1}], {"method": "lbs"})


if __name__ == "__main__":
    unittest.main()
