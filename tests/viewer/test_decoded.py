"""The decoded clip beside the original, against the C decoder; and the colours against distances that
are computed here."""
import tempfile
import time

import pclip
from case import DEMO
from compression_case import PCLIP, CompressionCase, rounded
from debian import debian_module
from page_case import BACKDROP_PIXEL

numpy = debian_module("numpy")
STOPS = (0, 0.25, 0.5, 0.75, 1)
# Keeps the last colours of vertices: red, green, blue and alpha of each, as floats.
CATCH_PAINT = """
    const { bufferData } = WebGL2RenderingContext.prototype;
    WebGL2RenderingContext.prototype.bufferData = function (...all) {
        if (all[1] instanceof Float32Array && all[2] === this.STREAM_DRAW) window.painted = all[1];
        return bufferData.apply(this, all);
    };
"""
# sRGB's primaries to cone responses, and these cubed roots to lightness: Ottosson, Oklab, 2020.
TO_LMS = numpy.array([(0.4122214708, 0.5363325363, 0.0514459929),
                      (0.2119034982, 0.6806995451, 0.1073969566),
                      (0.0883024619, 0.2817188376, 0.6299787005)])
TO_LIGHTNESS = numpy.array([0.2104542553, 0.7936177850, -0.0040720468])


def lightness(linear):
    return numpy.cbrt(linear @ TO_LMS.T) @ TO_LIGHTNESS


class Decoded(CompressionCase):
    @classmethod
    def prepare(cls):
        folder = tempfile.TemporaryDirectory(prefix="posed-compression-")
        cls.addClassCleanup(folder.cleanup)
        cls.library = pclip.build(folder.name)

    def decoded(self, page, time_s):
        """Transforms of the joints at a time, [joints][10], by the C decoder from the same request."""
        reply = self.client.post("compress", self.request(page), accept=PCLIP)
        content = self.assertStatus(reply, 200).body
        joints = self.description(self.request(page)["rig"])["joints"]
        rest = [one["translation"] + one["rotation"] + one["scale"] for one in joints]
        return joints, pclip.Decoded(self.library, content, 0, rest).sample(time_s)

    def world(self, joints, transforms):
        """Matrices to the world by forward kinematics."""
        places = {joint["index"]: place for place, joint in enumerate(joints)}
        out = []
        for joint, (tx, ty, tz, x, y, z, w, *scale) in zip(joints, transforms):
            local = numpy.identity(4)
            local[:3, :3] = numpy.array([
                (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
                (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
                (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))]) * scale
            local[:3, 3] = tx, ty, tz
            out.append(local if joint["parent"] < 0 else out[places[joint["parent"]]] @ local)
        return out

    def test_decoded_side_is_what_the_c_decoder_gives(self):
        """Its joints and its vertices, within 1e-5 of the size; and they are not the original's."""
        page = self.beside()
        page.choose("#tolerance", "-2.5")
        page.settle()
        size = 1.75
        for share, codec in ((0.3, "best"), (0.77, "best"), (0.77, "bits"), (0, "bits")):
            with self.subTest(share=share, codec=codec):
                page.choose("#codec", codec)
                page.choose("#scrub", str(share))
                page.settle()
                request = page.sent("/v1/vertices")[-1]
                duration = self.report(page)["clips"][0]["duration"]
                joints, transforms = self.decoded(page, share * duration)
                found = self.joints("humanoid", request["poses"][0])
                for joint, want in zip(joints, self.world(joints, transforms)):
                    got = numpy.array(found[joint["name"]]["world"]).reshape(4, 4).T
                    self.assertLess(abs(got - want).max(), 1e-5 * size, joint["name"])
                # The vertices by a pose that is made of the C decoder's numbers.
                pose = {"set": "rest", "joints": {
                    joint["name"]: {"translation": list(one[:3]), "rotation": list(one[3:7]),
                                    "scale": list(one[7:])}
                    for joint, one in zip(joints, transforms.tolist())}}
                got, want = (numpy.array(self.positions("humanoid", one))
                             for one in (request["poses"][0], pose))
                self.assertLess(abs(got - want).max(), 1e-5 * size)
                original = numpy.array(self.positions("humanoid", self.pose(page)))
                self.assertGreater(abs(got - original).max(), 1e-4)

    def test_decoded_clip_stays_among_what_is_mixed_with_it(self):
        page = self.beside()
        page.choose("#tolerance", "-2")
        page.click("#tab-pose")
        page.click("#add-layer")
        page.choose(".layer select", "Run")
        page.choose(".layer input", "0.5")
        page.settle()
        [request] = page.sent("/v1/vertices")[-1]["poses"]
        original = self.pose(page)
        walk, run = (part["pose"] for part in request["blend"])
        self.assertEqual(run["clip"], "Run")
        share = page.evaluate("Number(document.getElementById('scrub').value)")
        self.assertAlmostEqual(run["phase"], share, places=4)
        # The walk is decoded at the same phase.
        self.assertEqual(walk["set"], "rest")
        duration = self.report(page)["clips"][0]["duration"]
        joints, transforms = self.decoded(page, share * duration)
        for joint, want in zip(joints, transforms.tolist()):
            for name, numbers in walk["joints"].get(joint["name"], {}).items():
                part = {"translation": want[:3], "rotation": want[3:7], "scale": want[7:]}[name]
                self.assertNumbers(numbers, part, 1e-4, joint["name"])
        # Within 10 mm at the joints, and half of that remains.
        apart = numpy.array(self.positions("humanoid", request)) - self.positions("humanoid", original)
        apart = numpy.linalg.norm(apart, axis=1)
        self.assertGreater(apart.max(), 1e-4)
        self.assertLess(numpy.median(apart), 0.01)

    def test_morphs_are_decoded_too(self):
        """Morph weights are those of the clip, within a step of the encoder's."""
        page = self.beside("head", "Expressions", 0.4)
        page.settle()
        [decoded] = page.sent("/v1/vertices")[-1]["poses"]
        self.assertEqual(list(decoded["weights"]), ["head"])
        self.assertEqual(decoded["joints"], {})
        apart = numpy.array(self.positions("head", decoded)) - self.positions("head", self.pose(page))
        apart = numpy.linalg.norm(apart, axis=1)
        self.assertGreater(apart.max(), 0)
        self.assertLess(apart.max(), 20 * self.request(page)["tolerance"])

    def painted(self, page):
        return numpy.array(page.evaluate("Array.from(painted)")).reshape(-1, 4)[:, :3]

    def distances(self, page):
        """Of all vertices of the moment, from the poses that the page asks for on both sides."""
        decoded, original = (numpy.array(self.positions("humanoid", pose)) for pose in
                             (page.sent("/v1/vertices")[-1]["poses"][0], self.pose(page)))
        return numpy.linalg.norm(decoded - original, axis=1)

    def greatest(self, page):
        """The greatest distance at some moments of the clip."""
        found = []
        for share in (0, 0.2, 0.4, 0.556, 0.7, 0.9):
            page.choose("#scrub", str(share))
            page.settle()
            found.append(self.distances(page).max())
        return max(found)

    def assertPainted(self, page, end):
        """The colours are those of the distances on a scale from 0 to `end`: their lightness rises
        evenly, and at the stops of the scale that is shown they are its colours."""
        shares = numpy.minimum(self.distances(page) / end, 1)
        colours = self.painted(page)
        self.assertEqual(len(colours), len(shares))
        light = lightness(colours)
        dark, bright = lightness(numpy.array([self.stops(page)[0], self.stops(page)[-1]]))
        self.assertLess(abs(light - (dark + (bright - dark) * shares)).max(), 0.012)
        for stop, want in zip(STOPS, self.stops(page)):
            near = colours[abs(shares - stop) < 0.004]
            if len(near):
                self.assertLess(abs(near - want).max(), 0.03, stop)

    def stops(self, page):
        """The linear colours of the bar."""
        text = page.evaluate("getComputedStyle(document.getElementById('scale-bar')).backgroundImage"
                             ".match(/\\d+, \\d+, \\d+/g)")
        encoded = numpy.array([[int(part) for part in one.split(",")] for one in text]) / 255
        return numpy.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)

    def test_heat_map_has_the_colours_of_the_distances(self):
        page = self.beside(script=CATCH_PAINT)
        page.choose("#tolerance", "-2.5")
        page.settle()
        apart = self.distances(page)
        low, high, what = self.scale(page)
        self.assertEqual((low, high), ("0", "3.2 mm"))
        self.assertEqual(what, f"distance, mean {rounded(apart.mean()):g} mm, "
                               f"greatest {rounded(apart.max()):g} mm")
        self.assertPainted(page, 3.2e-3)
        # At another time, and on a scale up to the greatest distance.
        page.choose("#compress-colours", "greatest")
        page.choose("#scrub", "0.6")
        page.settle()
        greatest = self.distances(page).max()
        self.assertEqual(self.scale(page)[1], f"{rounded(greatest):g} mm")
        self.assertPainted(page, greatest)
        self.assertEqual(page.complaints, [])

    def test_tolerance_holds_as_far_from_joints_as_it_is_measured(self):
        """At 30 mm it does not hold for the head, whose top is 0.25 m from its joint; at 0.3 m it does. An
        error is affine: that of a point within the sphere of the three points is no more than that of the
        origin and theirs by its weights, of sizes that sum to 1 + 2 sqrt(3) at most."""
        page = self.beside()
        most = (1 + 2 * 3 ** 0.5) * 1e-4
        self.assertGreater(self.greatest(page), most)
        page.choose("#compress-shell", "300")
        page.settle()
        self.assertEqual(self.request(page)["shell"], 0.3)
        self.assertShows(page, self.report(page))
        self.assertLess(self.greatest(page), most)
        page.choose("#compress-shell", "")
        page.settle()
        self.assertNotIn("shell", self.request(page))

    def halves(self, page):
        rows = self.stage(page)
        middle = len(rows[0]) // 2
        return [[pixel for row in rows for x, pixel in enumerate(row)
                 if (x >= middle) == side and pixel[:3] != BACKDROP_PIXEL] for side in (False, True)]

    def test_original_is_on_the_left_and_the_decoded_clip_on_the_right(self):
        page = self.beside()
        names = [page.evaluate(f"document.getElementById('name-{name}').textContent")
                 for name in ("shown", "beside")]
        self.assertEqual(names, ["original", "decoded, within 0.1 mm"])
        page.evaluate("for (const id of ['names', 'scale', 'overlay'])"
                      " document.getElementById(id).style.visibility = 'hidden'")
        left, right = self.halves(page)
        self.assertGreater(len(left), 2000)
        self.assertLess(abs(len(left) - len(right)), 0.02 * len(left))
        skin = [sum(p[0] > p[2] + 60 and p[0] > p[1] + 20 for p in half) for half in (left, right)]
        self.assertGreater(skin[0], 400)
        self.assertLess(skin[1], 0.02 * skin[0])
        # In their materials both look the same.
        page.choose("#compress-colours", "materials")
        page.settle()
        self.assertTrue(page.evaluate("document.getElementById('scale').hidden"))
        left, right = self.halves(page)
        skin = [sum(p[0] > p[2] + 60 and p[0] > p[1] + 20 for p in half) for half in (left, right)]
        self.assertLess(abs(skin[0] - skin[1]), 0.03 * skin[0])
        # Pictures show the rig alone; without the box the page does, too.
        page.click("[value=pictures]")
        page.settle()
        self.assertEqual(page.sent("/v1/frame")[-1]["pose"], self.pose(page))
        page.click("[value=vertices]")
        page.click("#compress-beside")
        page.settle()
        self.assertTrue(page.evaluate("document.getElementById('names').hidden"))
        left, right = self.halves(page)
        self.assertGreater(min(len(left), len(right)), 2000)  # it stands in the middle

    def test_both_follow_the_camera_while_they_stand_still(self):
        """Also back to where it was before, and in another size of the window."""
        page = self.beside()
        page.evaluate("for (const id of ['names', 'scale', 'overlay'])"
                      " document.getElementById(id).style.visibility = 'hidden'")
        before = self.stage(page)
        seen = []
        for key in ("3", "1", "2", "4"):
            page.key(key)
            page.settle()
            seen.append(self.stage(page))
        self.assertEqual(len({str(rows) for rows in seen}), 4)
        self.assertEqual(seen[-1], before)  # three quarters, as at first
        page.resize(900, 460)
        page.settle()
        page.resize(970, 460)
        page.settle()
        self.assertEqual(self.stage(page), before)

    def test_both_play_in_step(self):
        page = self.beside()
        page.click("#play")
        count = len(page.sent("/v1/vertices"))
        until = time.monotonic() + 120
        while len({str(one["poses"]) for one in page.sent("/v1/vertices")[count:]}) < 6:
            self.assertLess(time.monotonic(), until)
            time.sleep(0.1)
        page.click("#play")
        page.settle()
        share = page.evaluate("Number(document.getElementById('scrub').value)")
        duration = self.report(page)["clips"][0]["duration"]
        joints, transforms = self.decoded(page, share * duration)
        [pose] = page.sent("/v1/vertices")[-1]["poses"]
        hips = next(i for i, joint in enumerate(joints) if joint["name"] == "Hips")
        self.assertNumbers(pose["joints"]["Hips"]["rotation"], list(transforms[hips][3:7]), 1e-4)

    def test_earlier_version_takes_the_place_of_the_decoded_clip(self):
        self.put_rig("same", (DEMO / "humanoid.glb").read_bytes())
        self.addCleanup(self.client.request, "DELETE", "/v1/rigs/same")
        page = self.beside()
        page.choose("#check-against", "same")
        page.click("#check-beside")
        page.settle()
        self.assertFalse(page.evaluate("document.querySelector('#compress-beside').checked"))
        self.assertEqual(page.evaluate("document.getElementById('name-shown').textContent"), "same")
        page.click("#compress-beside")
        page.settle()
        self.assertFalse(page.evaluate("document.querySelector('#check-beside').checked"))
        self.assertEqual(page.evaluate("document.getElementById('name-shown').textContent"),
                         "original")
