"""PosedMesh in three.js on a page of another origin, against the daemon's own pictures."""
import json
import unittest

import browser
from case import DEMO, ROOT
from client import PNG
from page_case import BACKDROP, BACKDROP_PIXEL, PageCase, area, overlap
from host import serve
from picture import Picture

THREE = ROOT / "tests" / "conformance" / "node_modules" / "three"
MEET = 0.97  # intersection over union; edges have their samples at other places
FAINT = 12  # alpha of 255 that is seen as another colour
SIDE = 256
RUN = {"clip": "Run", "time": 0.2}

PAGE = """<!doctype html><title>a page</title>
<style>body {{ margin: 0 }} canvas {{ display: block }}</style>
<script type="importmap">{{"imports": {{
	"three": "/three/build/three.module.js",
	"three/addons/": "/three/examples/jsm/"
}}}}</script>
<script type="module">
import * as THREE from 'three';
import {{ PosedMesh }} from '{address}/js/three/posed_mesh.js';

const renderer = new THREE.WebGLRenderer({{ antialias: true, preserveDrawingBuffer: true }});
renderer.setSize({side}, {side});
renderer.setClearColor('{backdrop}');
document.body.append(renderer.domElement);
const camera = new THREE.PerspectiveCamera(30, 1, 0.1, 100);
camera.position.set(1.5, 1.6, 3.5);
camera.lookAt(0, 0.9, 0);
camera.updateMatrixWorld();
const scene = new THREE.Scene();
scene.add(new THREE.HemisphereLight(0xffffff, 0x888888, 3));
window.draw = () => renderer.render(scene, camera);
window.sight = {{
	view: camera.matrixWorldInverse.toArray(),
	projection: camera.projectionMatrix.toArray(),
}};
window.open = async (rig, options) => {{
	window.mesh?.removeFromParent();
	window.mesh?.dispose();
	window.mesh = await PosedMesh.load('{address}', rig, options);
	scene.add(window.mesh);
	draw();
}};
window.ready = true;
</script>"""


class InThree(PageCase):
    def setUp(self):
        if not THREE.exists():
            self.skipTest("three.js is not here: tests/conformance/run.py installs it")
        page = PAGE.format(side=SIDE, backdrop=BACKDROP, address=self.address.rstrip("/"))
        host = serve(self, page, {"three": THREE})
        self.tab = self.browser.open(SIDE, SIDE)
        self.addCleanup(self.tab.close)
        self.tab.go(host.address)
        self.tab.wait("window.ready")

    def open(self, rig, **options):
        self.tab.evaluate(f"open({rig!r}, {json.dumps(options)})")

    def silhouette(self):
        rows = Picture(self.tab.picture("canvas")).rows
        return [[tuple(pixel[:3]) != BACKDROP_PIXEL for pixel in row] for row in rows]

    def drawn(self, rig, pose, **members):
        """The daemon's picture from the same camera."""
        reply = self.client.post("frame", {
            "rig": rig, "pose": pose, "width": SIDE, "height": SIDE,
            "camera": self.tab.evaluate("sight"), **members}, accept=PNG)
        picture = Picture(self.assertStatus(reply, 200).body)
        return [[pixel[3] > FAINT for pixel in row] for row in picture.rows]

    def assertMeets(self, rig, pose, **members):
        self.tab.evaluate("draw()")
        seen = self.silhouette()
        self.assertGreater(area(seen), SIDE * SIDE * 0.02)
        self.assertGreater(overlap(seen, self.drawn(rig, pose, **members)), MEET)

    def test_rest_pose_and_another(self):
        self.open("humanoid")
        self.assertMeets("humanoid", "rest")
        self.assertTrue(self.tab.evaluate(f"mesh.setPose({json.dumps(RUN)})"))
        self.assertMeets("humanoid", RUN)
        self.assertEqual(self.tab.evaluate("mesh.pose"), RUN)
        self.assertEqual(self.tab.complaints, [])

    def test_begins_in_a_pose_by_a_method(self):
        pose = {"clip": "bend", "time": 2}
        self.open("cyl2", pose=pose, skinning="dqs")
        self.assertMeets("cyl2", pose, skinning="dqs")

    def test_method_with_vertices_of_its_own(self):
        self.open("cyl2", pose={"clip": "bend", "time": 1}, skinning="ddm")
        self.assertMeets("cyl2", {"clip": "bend", "time": 1}, skinning="ddm")

    def test_vertices_are_the_daemon_s_to_the_bit(self):
        self.open("humanoid", pose=RUN)
        found = self.tab.evaluate("""(() => {
            const all = [];
            mesh.traverse(({ geometry }) => {
                if (geometry) all.push(...geometry.attributes.position.array);
            });
            return all;
        })()""")
        self.assertEqual(found, list(self.client.vertices("humanoid", RUN).floats()))

    def children(self):
        return self.tab.evaluate("""mesh.children.map((child) => ({
            kind: child.type,
            name: child.name,
            vertices: child.geometry?.attributes.position.count,
            material: child.material?.name,
            children: child.children.length,
        }))""")

    def test_each_primitive_is_a_child(self):
        for rig in ("head", "humanoid", "cyl2"):  # with 8, 6 and 1 primitives in one mesh
            with self.subTest(rig=rig):
                self.open(rig)
                described = self.description(rig)
                joints = {joint["index"]: joint["name"] for joint in described["joints"]}
                materials = [material["name"] for material in described["materials"]]
                self.assertEqual(self.children(), [
                    {"kind": "Mesh", "name": joints[primitive["node"]],
                     "vertices": primitive["vertex_count"],
                     "material": materials[primitive["material"]], "children": 0}
                    for primitive in described["primitives"]])

    def test_newer_pose_ends_the_older_request(self):
        self.open("humanoid")
        poses = [{"clip": "Walk", "time": i / 10} for i in range(5)]
        shown = self.tab.evaluate(
            f"Promise.all({json.dumps(poses)}.map((pose) => mesh.setPose(pose)))")
        self.assertEqual(shown, [False, False, False, False, True])
        self.assertEqual(self.tab.evaluate("mesh.pose"), poses[-1])

    def test_plays_at_the_pace_of_the_clock(self):
        self.open("humanoid")
        self.tab.evaluate("""{
            window.times = [];
            mesh.addEventListener('frame', ({ time }) => times.push(time));
            void mesh.play({ clip: 'Walk', loop: 'repeat' });
        }""")
        self.tab.wait("times.length > 5")
        self.tab.evaluate("mesh.play({ clip: 'Run', loop: 'repeat' }, { speed: 2 })")
        seen = self.tab.evaluate("times.length")
        self.tab.wait(f"times.length > {seen + 5}")
        self.tab.evaluate("mesh.stop()")
        self.tab.evaluate(browser.FRAMES_GO_BY)
        time = self.tab.evaluate("times.at(-1)")
        self.assertMeets("humanoid", {"clip": "Run", "loop": "repeat", "time": time})
        times = self.tab.evaluate("times")
        self.assertEqual(times, sorted(times))
        self.assertEqual(self.tab.complaints, [])

    def test_ends_with_the_duration(self):
        self.open("cyl2")
        time = self.tab.evaluate("""(async () => {
            let last = 0;
            mesh.addEventListener('frame', ({ time }) => (last = time));
            await mesh.play({ clip: 'bend' }, { duration: 0.5, time: 1 });
            return last;
        })()""")
        self.assertGreater(time, 1)
        self.assertLessEqual(time, 1.5)
        self.assertMeets("cyl2", {"clip": "bend", "time": time})

    def vertex_count(self):
        return self.tab.evaluate("""(() => {
            let count = 0;
            mesh.traverse(({ geometry }) => (count += geometry?.attributes.position.count ?? 0));
            return count;
        })()""")

    def put(self, name, demo):
        self.put_rig(name, DEMO.joinpath(demo + ".glb").read_bytes())

    def test_rig_that_is_replaced_has_a_mesh_anew(self):
        pose = {"clip": "bend", "time": 1}
        self.put("swap", "head")
        self.open("swap")
        self.tab.evaluate("{ window.loads = 0; mesh.addEventListener('load', () => loads++); }")
        self.put("swap", "cyl2")
        self.assertTrue(self.tab.evaluate(f"mesh.setPose({json.dumps(pose)})"))
        self.assertEqual(self.vertex_count(), len(self.client.vertices("cyl2").triples()))
        self.assertMeets("cyl2", pose)
        self.assertTrue(self.tab.evaluate("mesh.setPose('rest')"))
        self.assertEqual(self.tab.evaluate("loads"), 1)
        self.assertEqual(self.tab.complaints, [])

    def test_rig_that_is_replaced_while_it_plays(self):
        self.put("swap", "humanoid")
        self.open("swap")
        self.tab.evaluate("""{
            window.times = [];
            mesh.addEventListener('frame', ({ time }) => times.push(time));
            void mesh.play('rest', { fps: 10 });
        }""")
        self.tab.wait("times.length > 0")
        self.put("swap", "cyl2")
        self.tab.evaluate("window.loaded = new Promise((done) => mesh.addEventListener('load', done))"
                          ".then(() => (times = []))")
        self.tab.wait("times.length > 0")
        self.assertEqual(self.vertex_count(), len(self.client.vertices("cyl2").triples()))
        self.tab.evaluate("mesh.stop()")
        self.assertMeets("cyl2", "rest")
        self.assertEqual(self.tab.complaints, [])

    def test_refusal_of_playing_need_not_be_waited_for(self):
        self.open("humanoid")
        words = self.tab.evaluate("""(async () => {
            window.unhandled = [];
            addEventListener('unhandledrejection', ({ reason }) => unhandled.push(reason.message));
            const failed = new Promise((resolve) => mesh.addEventListener('error', resolve));
            void mesh.play({ clip: 'Wlak' });
            const { error } = await failed;
            return error.message;
        })()""")
        self.assertIn("Walk", words)
        self.tab.evaluate(browser.FRAMES_GO_BY)
        self.assertEqual(self.tab.evaluate("unhandled"), [])
        words = self.tab.evaluate("mesh.play({ clip: 'Wlak' }).catch((e) => e.message)")
        self.assertIn("Walk", words)

    def test_refusal_is_thrown(self):
        self.open("humanoid")
        words = self.tab.evaluate("mesh.setPose({ clip: 'Wlak' }).catch((e) => e.message)")
        self.assertIn("Walk", words)


if __name__ == "__main__":
    unittest.main()
