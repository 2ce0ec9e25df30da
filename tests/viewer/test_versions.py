"""Two versions of a rig in the page: side by side, and their distance as colours."""
import math
import pathlib
import tempfile

from case import DEMO
from page_case import BACKDROP_PIXEL, PageCase
from test_checks import popped
from test_findings import FINDINGS, projected
from test_pose_pictures import renumbered

TURN_DEG = 60
SCALE = "document.getElementById('scale-{}').textContent"


def close(a, b, most):
    return max(abs(x - y) for x, y in zip(a, b)) <= most


class Versions(PageCase):
    @classmethod
    def prepare(cls):
        body, cls.time = popped(sample=30, degrees=TURN_DEG)
        cls.put_rig("turned", body)

    def compared(self, rig, earlier):
        """The page that has checked a rig against an earlier version."""
        page = self.held(rig, None, 0)
        page.click("#tab-checks")
        self.assertTrue(page.evaluate("document.querySelector('#check-both').hidden"))
        page.choose("#check-against", earlier)
        page.click("#check-run")
        page.wait("/\\d errors?, /.test(document.querySelector('#check-summary').textContent)")
        self.assertEqual(page.sent("/v1/checks")[-1]["against"], {"rig": earlier})
        return page

    def choose(self, page, words):
        page.evaluate(f"[...document.querySelectorAll('.finding')].find((button) => "
                      f"button.textContent.includes({words!r})).click()")
        page.settle()

    def halves(self, page):
        """The pixels of the figure in each half of the stage."""
        page.evaluate("for (const part of document.querySelectorAll('.names, .scale'))"
                      " part.style.visibility = 'hidden'")
        rows = self.stage(page)
        middle = len(rows[0]) // 2
        return [{(x - side * middle, y): pixel[:3] for y, row in enumerate(rows)
                 for x, pixel in enumerate(row)
                 if (x >= middle) == side and pixel[:3] != BACKDROP_PIXEL} for side in (False, True)]

    def hue(self, pixel):
        """Of the heat scale: blue where nothing differs, yellow where most does."""
        return pixel[2] - (pixel[0] + pixel[1]) / 2

    def test_finding_shows_both_versions_and_where_they_differ(self):
        page = self.compared("turned", "humanoid")
        self.choose(page, "diff/motion")
        pose = self.pose(page)
        self.assertEqual(pose["clip"], "Idle")
        self.assertAlmostEqual(pose["time"], self.time, places=4)
        self.assertTrue(page.evaluate("document.querySelector('#check-beside').checked"))
        self.assertEqual([page.evaluate(f"document.getElementById('name-{name}').textContent")
                          for name in ("shown", "beside")], ["humanoid", "turned"])
        # The scale ends at the distance of the vertex that is the farthest off.
        now, before = (self.positions(rig, pose) for rig in ("turned", "humanoid"))
        apart = [math.dist(a, b) for a, b in zip(now, before, strict=True)]
        high = float(page.evaluate(SCALE.format("high")))
        self.assertAlmostEqual(high, max(apart), delta=0.006 * max(apart))
        # The same camera for both: a place that does not differ is at the same pixel of its half.
        report = self.assertStatus(self.client.post("checks", {
            "rig": "turned", "against": {"rig": "humanoid"}, "evidence": "pictures",
            "only": ["diff/motion"]}), 200).json()
        finding = next(f for f in report["files"][0]["findings"] if f["clip"] == "Idle")
        size = page.evaluate("[surface.clientWidth / 2, surface.clientHeight]")
        # What is marked lies over the picture, and its names, too.
        page.evaluate("document.querySelector('#overlay').style.visibility = 'hidden'")
        left, right = self.halves(page)
        for name, half in (("earlier", left), ("later", right)):
            self.assertGreater(len(half), 2000, name)

        def pixel(half, place):
            x, y = projected(finding["evidence"]["camera"], place, *size)
            near = [half.get((round(x) + i, round(y) + k)) for i in (-1, 0, 1) for k in (-1, 0, 1)]
            return next((p for p in near if p), None)

        still = [i for i, d in enumerate(apart) if d == 0]
        moved = [i for i, d in enumerate(apart) if d > 0.9 * max(apart)]
        blue = [self.hue(p) for p in (pixel(right, now[i]) for i in still) if p]
        yellow = [self.hue(p) for p in (pixel(right, now[i]) for i in moved) if p]
        self.assertGreater(len(blue), 100)
        self.assertGreater(len(yellow), 20)
        self.assertGreater(sum(h > 20 for h in blue) / len(blue), 0.95)
        self.assertGreater(sum(h < 0 for h in yellow) / len(yellow), 0.8)
        # The earlier one has its own colours, and its hand is where it was.
        pairs = [(pixel(left, before[i]), pixel(right, now[i])) for i in still]
        pairs = [(a, b) for a, b in pairs if a and b]
        self.assertGreater(sum(not close(a, b, 20) for a, b in pairs) / len(pairs), 0.95)
        there = [pixel(left, before[i]) for i in moved]
        self.assertGreater(sum(p is not None for p in there) / len(there), 0.9)
        self.assertEqual(page.complaints, [])

    def test_version_with_the_same_surface_differs_nowhere(self):
        """Whatever the order of its vertices: distances are to the nearest one then."""
        with tempfile.TemporaryDirectory(prefix="posed-versions-") as folder:
            path = renumbered(DEMO / "humanoid.glb", pathlib.Path(folder, "renumbered.glb"))
            self.put_rig("renumbered", path.read_bytes())
        self.assertNotEqual(self.positions("renumbered", "rest"), self.positions("humanoid", "rest"))
        page = self.compared("humanoid", "renumbered")
        self.assertEqual([f for f in page.evaluate(FINDINGS) if "diff/" in f or "picture/" in f], [])
        page.click("#check-beside")
        page.wait("!document.getElementById('scale').hidden")
        page.settle()
        self.assertEqual(float(page.evaluate(SCALE.format("high"))), 0)
        self.assertIn("nearest vertex", page.evaluate(SCALE.format("what")))
        left, right = self.halves(page)
        self.assertEqual(left.keys(), right.keys())
        self.assertGreater(sum(self.hue(p) > 20 for p in right.values()) / len(right), 0.95)
        # Without the version the rig is alone again.
        page.click("#check-beside")
        page.wait("document.getElementById('scale').hidden")
        self.assertTrue(page.evaluate("document.getElementById('names').hidden"))
        self.assertEqual(page.complaints, [])

    def test_another_rig_has_no_earlier_version(self):
        page = self.compared("turned", "humanoid")
        self.choose(page, "diff/motion")
        page.evaluate("location.hash = '#rig=cyl2&clip=bend'")
        page.wait("document.getElementById('name').textContent === 'cyl2'")
        page.settle()
        self.assertEqual(page.evaluate("document.querySelector('#check-against').value"), "")
        self.assertTrue(page.evaluate("document.querySelector('#check-both').hidden"))
        self.assertTrue(page.evaluate("document.getElementById('scale').hidden"))
        names = page.evaluate("[...document.querySelectorAll('#check-against option')]"
                              ".map((option) => option.value)")
        self.assertNotIn("cyl2", names)
        self.assertIn("turned", names)
