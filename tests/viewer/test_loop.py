"""Clips that <posed-viewer> plays from memory: what they cost on the wire, against the size of the rig's file;
that their vertices are those of /v1/vertices; and that a second visit costs next to nothing."""
import json
import struct

from case import DEMO
from host import serve
from page_case import PageCase

FOLLOW_S = 6  # of a loop of about a second
MOST_SHARE = 1.2  # of the file, on the wire
SHARE = 4e-6  # of the rig's size: roundings of float32
NORMAL = 1e-4
# Methods whose inputs are in one stage, with data of the rig, and with a mesh of its own.
METHODS = ("lbs", "dqs", "cor", "twist_bones", "joint_ball", "stbs")

PAGE = """<!doctype html><title>a page</title>
<script>
window.seen = {{ frame: 0, error: [] }};
document.addEventListener('frame', () => seen.frame++, true);
document.addEventListener('error', (event) => seen.error.push(event.detail?.message), true);
</script>
<script type="module" src="{address}js/element/posed-viewer.js"></script>
<posed-viewer rig="{rig}" clip="{clip}" {more}></posed-viewer>"""

# Skins a baked clip as the element does, and reads what the GPU made of some frames.
SKIN = """(async () => {{
    const {{ Client }} = await import('{address}js/client/posed.js');
    const {{ readPlayback }} = await import('{address}js/element/playback.js');
    const {{ GpuSkin }} = await import('{address}js/element/gpu_skin.js');
    const playback = await readPlayback(await new Client('{address}').bakeLink({request}));
    const gl = document.createElement('canvas').getContext('webgl2');
    const skin = new GpuSkin(gl, playback.skin);
    const count = playback.vertexCount;
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, count * 24, gl.STREAM_READ);
    const found = [];
    for (const index of [0, 7]) {{
        const frame = playback.frame(index);
        skin.run(frame.palettes, buffer);
        const numbers = new Float32Array(count * 6);
        gl.bindBuffer(gl.COPY_READ_BUFFER, buffer);
        gl.getBufferSubData(gl.COPY_READ_BUFFER, 0, numbers);
        gl.bindBuffer(gl.COPY_READ_BUFFER, null);
        found.push([frame.time, Array.from(numbers)]);
    }}
    if (gl.getError() !== gl.NO_ERROR) throw new Error('WebGL refuses something');
    return found;
}})()"""


class Loop(PageCase):
    def visit(self, rig, clip, more=""):
        host = serve(self, PAGE.format(address=self.address, rig=rig, clip=clip, more=more))
        page = self.browser.open(300, 300)
        self.addCleanup(page.close)
        received = {"bytes": 0}
        note = page.note

        def count(method, params):
            if method == "Network.dataReceived":
                received["bytes"] += params["encodedDataLength"]
            note(method, params)

        page.note = count
        page.go(host.address)
        page.wait("seen.frame > 5")
        return page, received

    def follow(self, page):
        page.evaluate(f"new Promise((resolve) => setTimeout(resolve, {FOLLOW_S * 1000}))")

    def data_requests(self, page):
        return [request for request in page.requests if "/v1/" in request["url"]]

    def test_loop_costs_no_more_than_its_file(self):
        for rig, clip, more in (("humanoid", "Walk", ""), ("humanoid", "Run", 'skinning="dqs"'),
                                ("tube23", "wave", ""), ("head", "Expressions", "")):
            with self.subTest(rig=rig, clip=clip):
                page, received = self.visit(rig, clip, more)
                page.wait("seen.frame > 40")
                early = received["bytes"]
                frames = page.evaluate("seen.frame")
                self.follow(page)
                self.assertGreater(page.evaluate("seen.frame"), frames)
                self.assertLess(received["bytes"] - early, 2000, "a loop costs nothing more")
                self.assertEqual([r["url"] for r in page.requests if r["url"].endswith("/v1/stream")], [])
                self.assertEqual(page.evaluate("seen.error"), [])
                self.assertEqual(page.complaints, [])
                size = (DEMO / f"{rig}.glb").stat().st_size
                self.assertLess(self.bytes_of_data(rig, page), MOST_SHARE * size)

    def bytes_of_data(self, rig, page):
        """What the page's requests to the API take, each sent again by itself."""
        total = 0
        for request in self.data_requests(page):
            path = request["url"][len(self.address) - 1:]
            total += len(self.assertStatus(self.client.get(path), 200).body)
        return total

    def test_second_visit_costs_next_to_nothing(self):
        self.visit("humanoid", "Idle")
        page, received = self.visit("humanoid", "Idle")
        self.assertLess(received["bytes"], 20000)

    def test_vertices_are_the_daemon_s(self):
        page, _ = self.visit("cyl2", "bend")
        for method in METHODS:
            for rig, clip in (("humanoid", "Walk"), ("cyl2", "bend")):
                with self.subTest(method, rig=rig):
                    self.assertSkins(page, rig, clip, method)

    def assertSkins(self, page, rig, clip, method):
        request = {"rig": rig, "pose": {"clip": clip, "loop": "repeat"}, "as": "playback",
                   "skinning": method, "duration": 1 if rig == "humanoid" else 2}
        for time, numbers in page.evaluate(SKIN.format(address=self.address, request=json.dumps(request))):
            reply = self.client.post("vertices", {
                "rig": rig, "pose": {"clip": clip, "time": time}, "attributes": ["position", "normal"],
                "skinning": {"method": method, "device": "cpu"}})
            want = struct.unpack(f"<{len(reply.body) // 4}f", self.assertStatus(reply, 200).body)
            self.assertEqual(len(numbers), len(want))
            count = len(want) // 6
            positions, normals = want[:count * 3], want[count * 3:]
            size = max(positions) - min(positions)
            off = [max(abs(numbers[i // 3 * 6 + first + i % 3] - x) for i, x in enumerate(list_of))
                   for first, list_of in ((0, positions), (3, normals))]
            self.assertLess(off[0], SHARE * size)
            self.assertLess(off[1], NORMAL)

    def test_pausing_and_seeking(self):
        page, _ = self.visit("humanoid", "Walk")
        viewer = "document.querySelector('posed-viewer')"
        page.evaluate(viewer + ".pause()")
        page.evaluate("new Promise((resolve) => setTimeout(resolve, 200))")
        held, frames = page.evaluate(f"[{viewer}.currentTime, seen.frame]")
        page.evaluate("new Promise((resolve) => setTimeout(resolve, 300))")
        self.assertEqual(page.evaluate(f"[{viewer}.currentTime, seen.frame]"), [held, frames])
        page.evaluate(viewer + ".currentTime = 0.31")  # between two frames of what is kept
        page.wait(f"Math.abs({viewer}.currentTime - 0.31) < 1e-6")
        page.evaluate(viewer + ".play()")
        page.wait(f"seen.frame > {frames + 5}")
        self.assertEqual(len([r for r in page.requests if "/v1/bake" in r["url"]]), 1)
        self.assertEqual(page.complaints, [])


if __name__ == "__main__":
    import unittest

    unittest.main()
