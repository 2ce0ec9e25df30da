"""The panel of compression: its numbers against the daemon's report, the decoded clip beside the
original against the C decoder, and the colours against distances that are computed here."""
import base64
import math
import tempfile
import time

import pclip
from case import DEMO
from client import JSON
from debian import debian_module
from page_case import BACKDROP_PIXEL, CATCH_FILES, PageCase

numpy = debian_module("numpy")
PCLIP = "application/vnd.posed.pclip"
TEXT = "document.getElementById('compress-{}').textContent"
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


def rounded(metres):
    """As the page writes lengths: in millimetres, to three digits."""
    return float(f"{1000 * metres:.3g}")


class Compression(PageCase):
    @classmethod
    def prepare(cls):
        folder = tempfile.TemporaryDirectory(prefix="posed-compression-")
        cls.addClassCleanup(folder.cleanup)
        cls.library = pclip.build(folder.name)

    def panel(self, rig="humanoid", clip="Walk", share=0.3, **more):
        """The page with the panel open, and a report in it."""
        page = self.held(rig, clip, share, **more)
        page.click("#tab-compress")
        page.settle()
        self.assertFalse(page.evaluate("document.getElementById('compress-report').hidden"))
        return page

    def beside(self, *more, **members):
        """And the decoded clip beside the original."""
        page = self.panel(*more, **members)
        page.click("#compress-beside")
        page.settle()
        return page

    def request(self, page):
        return page.sent("/v1/compress")[-1]

    def report(self, page):
        reply = self.client.post("compress", self.request(page), accept=JSON)
        return self.assertStatus(reply, 200).json()

    def assertShows(self, page, report):
        [clip] = report["clips"]
        text = {name: page.evaluate(TEXT.format(name)) for name in
                ("raw", "bytes", "ratio", "samples", "shell", "max", "p99", "rms", "worst")}
        self.assertEqual(text["raw"], f"{clip['raw_bytes']:,} B")
        self.assertEqual(text["bytes"], f"{report['bytes']:,} B")
        share, times = text["ratio"].split(" %, 1 : ")
        self.assertEqual(float(share), float(f"{100 * report['bytes'] / clip['raw_bytes']:.3g}"))
        self.assertEqual(float(times), float(f"{clip['raw_bytes'] / report['bytes']:.3g}"))
        self.assertEqual(text["samples"], f"{clip['samples']}, {clip['rate']:.3g}/s")
        for name in ("max", "p99", "rms"):
            self.assertEqual(float(text[name].removesuffix(" mm")), rounded(clip["error"][name]))
        self.assertEqual(float(text["shell"].removesuffix(" mm from joints")), rounded(report["shell"]))
        error = clip["error"]
        self.assertEqual(text["worst"], f"{error['joint']}, {error['time']:.2f} s")

    def test_numbers_are_those_of_the_report(self):
        page = self.panel()
        self.assertEqual(self.request(page), {
            "rig": "humanoid", "clips": ["Walk"], "tolerance": 1e-4, "codec": "best", "segment": 64})
        self.assertShows(page, self.report(page))
        page.choose("#tolerance", "-3")
        page.choose("#codec", "bits")
        page.choose("#segment", "16")
        page.settle()
        self.assertEqual(self.request(page), {
            "rig": "humanoid", "clips": ["Walk"], "tolerance": 1e-3, "codec": "bits", "segment": 16})
        self.assertShows(page, self.report(page))
        # Another clip has other numbers, also while another panel is open.
        page.click("#tab-pose")
        page.choose("#clip", "Run")
        page.settle()
        self.assertTrue(page.evaluate("document.getElementById('compress-report').hidden"))
        page.key("z")
        page.settle()
        self.assertEqual(self.request(page)["clips"], ["Run"])
        self.assertShows(page, self.report(page))
        self.assertEqual(page.complaints, [])

    def test_slider_is_logarithmic_and_the_entry_has_the_same_number(self):
        page = self.panel()
        for place, metres in (("-5", 1e-5), ("-4.5", 3.2e-5), ("-2.3", 5e-3), ("-2", 1e-2)):
            with self.subTest(place):
                page.choose("#tolerance", place)
                page.settle()
                self.assertEqual(self.request(page)["tolerance"], metres)
                value, spoken = page.evaluate(
                    "[Number(document.querySelector('#tolerance-mm').value),"
                    " document.querySelector('#tolerance').getAttribute('aria-valuetext')]")
                self.assertAlmostEqual(value, 1000 * metres, places=9)
                self.assertEqual(spoken, f"{1000 * metres:g} mm")
                self.assertShows(page, self.report(page))
        page.choose("#tolerance-mm", "0.25")
        page.settle()
        self.assertEqual(self.request(page)["tolerance"], 2.5e-4)
        slider = page.evaluate("Number(document.querySelector('#tolerance').value)")
        self.assertAlmostEqual(slider, math.log10(2.5e-4), delta=0.051)
        # What is no tolerance is marked, and asks for nothing.
        count = len(page.sent("/v1/compress"))
        page.choose("#tolerance-mm", "-1")
        page.settle()
        invalid = "document.querySelector('#tolerance-mm').getAttribute('aria-invalid')"
        self.assertEqual(page.evaluate(invalid), "true")
        self.assertEqual(len(page.sent("/v1/compress")), count)

    def test_range_follows_the_size_of_the_rig(self):
        """Of a rig that is not as large as a figure the slider's range is in proportion."""
        box = self.description("head")["bounds"]
        extent = max(high - low for low, high in zip(box["min"], box["max"]))
        self.assertLess(extent, 0.9)
        page = self.panel("head", "Nod")
        page.choose("#tolerance", "-3")
        page.settle()
        want = float(f"{1e-3 * extent / 1.75:.2g}")
        self.assertEqual(self.request(page)["tolerance"], want)

    def test_many_changes_ask_once_and_the_last_one_counts(self):
        page = self.panel()
        count = len(page.sent("/v1/compress"))
        page.evaluate("""for (const place of [-5, -4.5, -4.2, -3.5, -3]) {
            const slider = document.querySelector('#tolerance');
            slider.value = place;
            slider.dispatchEvent(new Event('input'));
        }""")
        page.settle()
        self.assertEqual([one["tolerance"] for one in page.sent("/v1/compress")[count:]], [1e-3])
        # One that is under way is cut off by the next.
        count = len(page.sent("/v1/compress"))
        page.choose("#tolerance", "-5")
        until = time.monotonic() + 60
        while len(page.sent("/v1/compress")) == count:
            self.assertLess(time.monotonic(), until)
        page.choose("#tolerance", "-2")
        page.settle()
        self.assertEqual(self.request(page)["tolerance"], 1e-2)
        self.assertShows(page, self.report(page))

    def test_tolerance_that_cannot_be_kept_is_said_in_words(self):
        page = self.beside()
        page.choose("#tolerance-mm", "0.0000001")
        page.settle()
        said = page.evaluate(TEXT.format("status"))
        self.assertRegex(said, r"cannot be kept within 1e-10 m; a tolerance of .* can be kept")
        reply = self.client.post("compress", self.request(page), accept=PCLIP)
        self.assertProblem(reply, 400, ["invalid-value"], pointer="/tolerance", says=said.split(" (")[0])
        self.assertTrue(page.evaluate("document.getElementById('compress-report').hidden"))
        self.assertTrue(page.evaluate("document.getElementById('names').hidden"))
        page.choose("#tolerance-mm", "0.1")
        page.settle()
        self.assertEqual(page.evaluate(TEXT.format("status")), "")
        self.assertShows(page, self.report(page))
        self.assertFalse(page.evaluate("document.getElementById('names').hidden"))

    def test_what_has_no_clip_of_its_own_is_not_compressed(self):
        page = self.panel()
        count = len(page.sent("/v1/compress"))
        page.choose("#clip", "")
        page.settle()
        self.assertIn("rest pose", page.evaluate(TEXT.format("status")))
        self.assertTrue(page.evaluate("document.querySelector('#compress-download').disabled"))
        self.assertEqual(len(page.sent("/v1/compress")), count)
        page.choose("#clip", "Walk")
        page.settle()
        self.assertShows(page, self.report(page))

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

    def scale(self, page):
        return [page.evaluate(f"document.getElementById('scale-{part}').textContent")
                for part in ("low", "high", "what")]

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

    def test_worst_moment_and_joint_are_gone_to(self):
        page = self.panel()
        error = self.report(page)["clips"][0]["error"]
        page.click("#compress-worst")
        page.settle()
        self.assertAlmostEqual(self.pose(page)["time"], error["time"], places=4)
        self.assertEqual(page.evaluate("document.getElementById('joint-name').textContent"),
                         error["joint"])
        # In a mix the clip is at that time when the mix is at another.
        page.click("#add-layer")
        page.choose(".layer select", "Idle")
        page.choose("#scrub", "0")
        page.click("#compress-worst")
        page.settle()
        share = page.evaluate("Number(document.getElementById('scrub').value)")
        duration = self.report(page)["clips"][0]["duration"]
        self.assertAlmostEqual(share, error["time"] / duration, delta=1e-4)

    def test_file_is_the_daemon_s(self):
        page = self.panel(script=CATCH_FILES)
        page.choose("#tolerance", "-3")
        page.settle()
        page.click("#compress-download")
        page.wait("saved['humanoid-Walk.pclip']")
        want = self.assertStatus(self.client.post("compress", self.request(page), accept=PCLIP), 200)
        saved = base64.b64decode(page.evaluate("saved['humanoid-Walk.pclip']"))
        self.assertEqual(saved, want.body)
        self.assertStatusLine(page, "is downloaded")

    def test_link_has_the_panel_s_state(self):
        page = self.beside()
        page.choose("#tolerance-mm", "0.7")
        page.choose("#codec", "bits")
        page.choose("#segment", "0")
        page.choose("#compress-colours", "greatest")
        page.settle()
        page.click("#copy")
        page.choose("#copy-form", "link")
        link = page.evaluate("document.querySelector('#copy-text').value")
        other = self.page(link.removeprefix(self.address))
        other.wait("document.getElementById('name').textContent === 'humanoid'")
        other.wait("!document.getElementById('names').hidden")
        other.settle()
        self.assertEqual(self.request(other), self.request(page))
        self.assertEqual(other.sent("/v1/vertices")[-1], page.sent("/v1/vertices")[-1])
        self.assertEqual(self.scale(other), self.scale(page))
        # The panel is closed there, and has the numbers when it is opened.
        other.click("#tab-compress")
        other.settle()
        self.assertShows(other, self.report(page))
        self.assertEqual(other.complaints, [])

    def test_link_with_impossible_settings_still_opens_the_rig(self):
        page = self.page("#rig=humanoid&clip=Walk&state="
                         "%7B%22compress%22%3A%7B%22tolerance%22%3A-1%2C%22codec%22%3A%22x%22%7D%7D")
        self.assertStatusLine(page, "cannot be shown")
        page.settle()
        self.assertEqual(page.evaluate("document.getElementById('name').textContent"), "humanoid")

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

    def test_controls_have_names_and_fit_into_small_windows(self):
        page = self.beside()
        unnamed = page.evaluate(
            "[...document.querySelectorAll('#panel-compress :is(input, select, button)')]"
            ".filter((one) => !one.ariaLabel && !one.labels?.length && !one.textContent.trim())"
            ".map((one) => one.id)")
        self.assertEqual(unnamed, [])
        for width, height in ((1280, 720), (970, 460), (740, 360), (360, 740), (320, 568)):
            with self.subTest(width=width):
                page.resize(width, height)
                if page.evaluate("document.body.dataset.tab") != "compress":
                    page.click("#tab-compress")
                page.settle()
                wide = page.evaluate(
                    "[...document.querySelectorAll('#inspector, #compress-report, #compress-report *')]"
                    ".filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)"
                    ".map((one) => one.id || one.outerHTML.slice(0, 60))")
                self.assertEqual(wide, [])
                cut = page.evaluate(
                    "[...document.querySelectorAll('[role=tab]')].filter((one) => one.offsetParent)"
                    ".filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.id)")
                self.assertEqual(cut, [])
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)
