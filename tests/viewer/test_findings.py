"""Checks in the page: links that reports have, findings, and what a click on one shows."""
import base64
import html
import json
import math
import re

from page_case import CATCH_FILES, PageCase
from test_checks import popped
from tiny import glb, split_glb

MARK = (217, 48, 37)  # of an error on the time line
VERTEX_MARK = (255, 59, 107)
FOV = 30  # degrees, of the page's camera
FINDINGS = """[...document.querySelectorAll('.finding')].map((button) => button.textContent)"""
# Takes the evidence out of what the page reads.
NO_EVIDENCE = """
const { decode } = TextDecoder.prototype;
TextDecoder.prototype.decode = function (...bytes) {
    return decode.apply(this, bytes).replaceAll('"evidence":', '"other":');
};
"""


def projected(camera, place, width, height):
    """Where the API's camera sees a place, in pixels."""
    yaw, pitch = math.radians(camera["yaw"]), math.radians(camera["pitch"])
    axes = ((math.cos(yaw), 0, -math.sin(yaw)),
            (-math.sin(yaw) * math.sin(pitch), math.cos(pitch), -math.cos(yaw) * math.sin(pitch)),
            (math.sin(yaw) * math.cos(pitch), math.sin(pitch), math.cos(yaw) * math.cos(pitch)))
    offset = [a - b for a, b in zip(place, camera["target"])]
    right, up, back = (sum(a * b for a, b in zip(axis, offset)) for axis in axes)
    pixels = height / 2 / math.tan(math.radians(FOV / 2)) / (camera["distance"] - back)
    return width / 2 + right * pixels, height / 2 - up * pixels


class Links(PageCase):
    def linked(self, moment):
        page = self.page(f"#rig=humanoid&clip=Idle&{moment}")
        page.wait("document.getElementById('name').textContent === 'humanoid'")
        page.settle()
        return page

    def camera(self, page):
        page.click("[value=pictures]")
        page.settle()
        return page.sent("/v1/frame")[-1]["camera"]

    def test_link_stands_still_at_its_time_and_looks_from_its_camera(self):
        page = self.linked("time=1.3333&camera=-40,20,2.5,0.1,1.2,-0.05")
        self.assertEqual(self.pose(page), {"clip": "Idle", "time": 1.3333})
        want = {"yaw": -40, "pitch": 20, "distance": 2.5, "target": [0.1, 1.2, -0.05]}
        camera = self.camera(page)
        self.assertEqual({name: camera[name] for name in want}, want)

    def test_link_of_a_report_opens_at_the_finding(self):
        body, time = popped()
        self.put_rig("popped", body)
        report = self.client.get("/v1/rigs/popped/check?only=motion/pop", accept="text/html")
        link = re.search(r'href="([^"]*)">Open in viewer', report.body.decode())
        page = self.page(html.unescape(link[1]).removeprefix("/"))
        page.wait("document.getElementById('name').textContent === 'popped'")
        pose = self.pose(page)
        self.assertEqual(pose["clip"], "Idle")
        self.assertAlmostEqual(pose["time"], time, places=3)

    def test_what_cannot_be_read_of_a_link_is_said(self):
        page = self.linked("time=soon&camera=1,2,0,4,5,6")
        self.assertStatusLine(page, "the link’s time cannot be read")
        self.assertStatusLine(page, "the link’s camera cannot be read")
        page.wait("document.querySelector('#play').ariaLabel === 'Pause'")


class Panel(PageCase):
    @classmethod
    def prepare(cls):
        body, cls.time = popped()
        cls.put_rig("popped", body)

    def checked(self, rig, profile="game", **more):
        """The page that has checked a rig."""
        page = self.held(rig, None, 0, **more)
        page.click("#tab-checks")
        page.choose("#check-profile", profile)
        page.click("#check-run")
        page.wait("/\\d errors?, /.test(document.querySelector('#check-summary').textContent)")
        return page

    def choose(self, page, words):
        page.evaluate(f"[...document.querySelectorAll('.finding')].find((button) => "
                      f"button.textContent.includes({words!r})).click()")
        page.settle()

    def colours(self, page, canvas, colour):
        """The mean place of a canvas' pixels of about that colour, and their number."""
        return page.evaluate(f"""(() => {{
            const canvas = document.querySelector('{canvas}');
            const {{ width, height }} = canvas;
            const copy = new OffscreenCanvas(width, height).getContext(
                '2d', {{ willReadFrequently: true }});
            copy.drawImage(canvas, 0, 0);
            const {{ data }} = copy.getImageData(0, 0, width, height);
            let [x, y, count] = [0, 0, 0];
            for (let i = 0; i < data.length; i += 4) {{
                const apart = {list(colour)}.map((value, k) => Math.abs(value - data[i + k]));
                if (data[i + 3] < 250 || Math.max(...apart) > 4) continue;
                x += (i / 4) % width;
                y += Math.floor(i / 4 / width);
                count++;
            }}
            return [x / count, y / count, count, width];
        }})()""")

    def assertMarked(self, page, place, finding):
        """The only mark is at a place of the world, and seen from the camera of the evidence."""
        x, y, count, _ = self.colours(page, "#overlay", VERTEX_MARK)
        self.assertGreater(count, 10)
        size = page.evaluate("[overlay.clientWidth, overlay.clientHeight]")
        at = projected(finding["evidence"]["camera"], place, *size)
        self.assertAlmostEqual(x, at[0], delta=1.5)
        self.assertAlmostEqual(y, at[1], delta=1.5)

    def finding(self, rig, rule):
        report = self.assertStatus(self.client.post("checks", {"rig": rig}), 200).json()
        return next(f for f in report["files"][0]["findings"] if f["rule"] == rule)

    def test_seeded_fault_is_listed_marked_and_shown_where_it_is(self):
        page = self.held("popped", "Walk", 0.5)
        page.click("#tab-checks")
        page.settle()
        # Nothing is asked of the daemon before it has to run.
        self.assertEqual([r["url"] for r in page.requests if "/v1/checks" in r["url"]], [])
        page.click("#check-run")
        page.wait("document.querySelector('#check-summary').textContent.startsWith('1 error, ')")
        self.assertEqual(page.sent("/v1/checks"), [{"rig": "popped", "profile": "game"}])
        first = page.evaluate(FINDINGS)[0]
        self.assertTrue(first.startswith("Error: "), first)
        for words in ("motion/pop", f"Idle at {self.time:.2f} s", "LeftForeArm", "limit 0.03"):
            self.assertIn(words, first)
        # Another clip is shown.
        self.assertEqual(self.colours(page, "#marks", MARK)[2], 0)
        before = page.evaluate("document.querySelector('#clip').value")
        self.assertEqual(before, "Walk")
        page.key("n")
        page.settle()
        pose = self.pose(page)
        self.assertEqual(pose["clip"], "Idle")
        self.assertAlmostEqual(pose["time"], self.time, places=4)
        current = page.evaluate("document.activeElement.getAttribute('aria-current')")
        self.assertEqual(current, "true")
        duration = next(clip["duration"] for clip in self.description("popped")["clips"]
                        if clip["name"] == "Idle")
        x, _, count, width = self.colours(page, "#marks", MARK)
        self.assertGreater(count, 20)
        self.assertAlmostEqual(x, 8 + self.time / duration * (width - 16), delta=1.5)
        joints = self.joints("popped", pose, space="world")
        place = joints["LeftForeArm"]["world"][12:15]
        self.assertMarked(page, place, self.finding("popped", "motion/pop"))
        self.assertEqual(page.complaints, [])

    def test_vertices_of_a_finding_are_marked_and_in_view(self):
        page = self.checked("cyl2")
        self.choose(page, "surface/method")
        self.assertEqual(self.pose(page), {"clip": "twist", "time": 2})
        found = self.finding("cyl2", "surface/method")
        positions = self.positions("cyl2", {"clip": "twist", "time": 2})
        self.assertEqual(len(found["vertices"]), 1)
        self.assertMarked(page, positions[found["vertices"][0]], found)
        # Findings, and what is marked, are of this rig alone.
        page.evaluate("location.hash = '#rig=humanoid&clip=Walk'")
        page.wait("document.getElementById('name').textContent === 'humanoid'")
        self.assertEqual(page.evaluate(FINDINGS), [])
        self.assertEqual(page.evaluate("document.querySelector('#check-summary').textContent"), "")
        page.wait("document.querySelector('#play').ariaLabel === 'Pause'")
        self.assertEqual(self.colours(page, "#overlay", VERTEX_MARK)[2], 0)

    def test_finding_without_a_camera_is_framed(self):
        for rig, rule in (("popped", "motion/pop"), ("cyl2", "surface/method")):
            with self.subTest(rule):
                page = self.checked(rig, script=NO_EVIDENCE)
                self.choose(page, rule)
                page.evaluate("document.querySelector('[value=pictures]').click()")
                page.settle()
                camera = page.sent("/v1/frame")[-1]["camera"]
                found = self.finding(rig, rule)
                moment = {"clip": found["clip"], "time": found["time"]}
                joints = self.joints(rig, moment, space="world")
                place = joints[found["joint"]]["world"][12:15]
                if "vertices" in found:
                    place = self.positions(rig, moment)[found["vertices"][0]]
                self.assertNumbers(camera["target"], place, 1e-4)

    def test_finding_of_the_whole_rig_is_shown_at_rest(self):
        page = self.checked("cyl2", profile="vrm")
        self.assertEqual(page.sent("/v1/checks")[-1]["profile"], "vrm")
        self.choose(page, "rig/name_missing")
        self.assertEqual(self.pose(page), "rest")

    def test_what_is_not_checked_is_said(self):
        document, binary = split_glb(popped()[0])
        document["extensionsUsed"] = ["EXT_of_nobody"]
        self.put_rig("more", glb(json.dumps(document).encode(), bytes(binary)))
        rest = "document.querySelector('#check-rest').textContent"
        self.assertEqual(self.checked("more").evaluate(rest), "Not checked: EXT_of_nobody")
        self.assertEqual(self.checked("cyl2").evaluate(rest), "")

    def test_suppressed_finding_goes_with_its_reason_into_a_rules_file(self):
        page = self.checked("popped", script=CATCH_FILES)
        self.choose(page, "motion/pop")
        self.assertTrue(page.evaluate("document.querySelector('#check-rules').hidden"))
        page.click(".remedy button")
        page.wait("document.querySelector('#question').open")
        self.assertEqual(page.evaluate("document.activeElement.ariaLabel"), "Reason")
        page.evaluate("document.activeElement.value = 'a twitch that is meant'")
        page.click("#question-yes")
        page.wait("document.querySelector('#check-summary').textContent.includes('1 suppressed')")
        summary = page.evaluate("document.querySelector('#check-summary').textContent")
        self.assertTrue(summary.startswith("0 errors, "), summary)
        self.assertEqual(self.colours(page, "#marks", MARK)[2], 0)
        page.click("#check-rules")
        file = json.loads(base64.b64decode(page.wait("window.saved['checks.json']")))
        self.assertEqual(file, {"version": 1, "extends": "game", "suppress": [
            {"rule": "motion/pop", "file": "*popped*", "clip": "Idle", "joint": "LeftForeArm",
             "reason": "a twitch that is meant"}]})
        reply = self.client.post("checks", {"rig": "popped", "profile": file})
        report = self.assertStatus(reply, 200).json()
        self.assertEqual(report["summary"]["errors"], 0)
        # The next run of the page says the same.
        page.click("#check-run")
        page.wait(f"document.querySelector('#check-summary').textContent === {summary!r}")
        self.assertEqual(page.sent("/v1/checks")[-1]["profile"], file)
        self.choose(page, "motion/pop")
        page.click(".remedy button")  # takes it back
        page.wait("document.querySelector('#check-summary').textContent.startsWith('1 error, ')")
        self.assertTrue(page.evaluate("document.querySelector('#check-rules').hidden"))

    def test_running_check_stops(self):
        page = self.held("popped", "Walk", 0.5)
        page.click("#tab-checks")
        seen = page.evaluate("""(() => {
            const run = document.querySelector('#check-run');
            const state = () => [
                run.textContent, document.querySelector('#check-progress').checkVisibility()];
            run.click();
            const running = state();
            run.click();
            return [running, state()];
        })()""")
        self.assertEqual(seen, [["Stop", True], ["Run", False]])
        page.settle()
        self.assertEqual(page.evaluate("document.querySelector('#check-summary').textContent"),
                         "The check was stopped.")
        self.assertEqual(page.evaluate("document.querySelector('#status').className"), "")
        self.assertEqual(page.evaluate(FINDINGS), [])
        self.assertEqual(page.complaints, [])
