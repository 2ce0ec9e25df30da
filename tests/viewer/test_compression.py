"""The panel of compression: its numbers are those of the daemon's report, for what is chosen in it."""
import base64
import math
import time

from compression_case import PCLIP, TEXT, CompressionCase
from page_case import CATCH_FILES


class Compression(CompressionCase):
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
        # An entry that is no tolerance is marked, and no request is sent.
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
        page.choose("#compress-shell", "120")
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
