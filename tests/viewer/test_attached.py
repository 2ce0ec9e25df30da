"""A rig that a joint holds is seen where the daemon's crowd has it, also while it plays."""
import time

import browser
from case import DEMO
from page_case import FAINT, MEET, SCRUB, PageCase, area, overlap
from picture import Picture

PLACE = {"#attached-x": "0.25", "#attached-turn-x": "20", "#attached-scale": "0.45"}


class Attached(PageCase):
    def holding(self):
        page = self.held("humanoid", "Walk", 0.3)
        page.click("#tab-joints")
        self.choose_joint(page, "LeftHand")
        page.choose("#attached", "cyl2")
        for control, value in PLACE.items():
            page.choose(control, value)
        page.settle()
        return page

    def copied(self, page):
        page.click("#copy")
        page.choose("#copy-form", "json")
        request = page.evaluate("JSON.parse(document.querySelector('#copy-text').value)")
        page.click("#copy-close")
        return request

    def drawn_by_daemon(self, call, request):
        reply = self.assertStatus(self.client.post(call, request), 200)
        return [[pixel[3] > FAINT for pixel in row] for row in Picture(reply.body).rows]

    def assertHolds(self, page, canvas="#surface"):
        """Compares the page's drawing with the daemon's crowd, and the part that is held by itself.
        Returns the daemon's mask of that part."""
        seen = self.mask(page, canvas)
        request = self.copied(page)
        both = self.drawn_by_daemon("crowd", request)
        alone = self.drawn_by_daemon("crowd", {**request, "instances": request["instances"][:1]})
        self.assertGreater(overlap(seen, both), MEET)
        only = [[a and not b for a, b in zip(*rows)] for rows in zip(both, alone)]
        self.assertGreater(area(only), 400)
        drawn = [[a and not b for a, b in zip(*rows)] for rows in zip(seen, alone)]
        self.assertGreater(overlap(drawn, only), 0.8)  # the edge is more of a small figure
        return only

    def test_it_is_where_the_crowd_has_it(self):
        page = self.holding()
        first = self.assertHolds(page)
        request = self.copied(page)
        holder, held = request["instances"]
        self.assertEqual(holder, {"rig": "humanoid", "pose": self.pose(page)})
        self.assertEqual((held["rig"], held["attach"]), ("cyl2", {"to": 0, "joint": "LeftHand"}))
        self.assertEqual((held["translation"], held["scale"]), ([0.25, 0, 0], 0.45))
        page.choose(SCRUB, "0.8")
        page.settle()
        self.assertLess(overlap(self.assertHolds(page), first), 0.8)  # it went along
        page.choose("#attached-y", "-0.2")
        page.settle()
        self.assertHolds(page)
        page.click("[value=pictures]")
        page.settle()
        self.assertEqual(page.sent("/v1/crowd")[-1], self.copied(page))
        self.assertHolds(page, "#picture")
        self.assertEqual(page.complaints, [])

    def test_it_goes_along_while_it_plays(self):
        page = self.holding()
        count = len(page.sent("/v1/vertices"))
        page.click("#play")
        times = set()
        until = time.monotonic() + 120
        while len(times) < 5:
            self.assertLess(time.monotonic(), until, times)
            page.evaluate(browser.FRAMES_GO_BY)
            times = {request["poses"][0]["to"]["time"]
                     for request in page.sent("/v1/vertices")[count:]}
        page.click("#play")
        page.settle()
        self.assertHolds(page)

    def test_holder_and_held_are_of_one_moment(self):
        page = self.holding()
        seen = self.mask(page)
        # The vertices of the held figure at another moment come when the test lets them.
        page.evaluate("""{
            const { fetch } = window;
            const gate = new Promise((open) => (window.openGate = open));
            window.fetch = async (url, request) => {
                if (String(url).endsWith('/v1/vertices')) {
                    window.isAsked = true;
                    await gate;
                }
                return fetch(url, request);
            };
        }""")
        page.choose(SCRUB, "0.8")
        page.wait("window.isAsked")
        self.assertGreater(overlap(self.mask(page), seen), 0.99)
        page.evaluate("openGate()")
        page.settle()
        self.assertLess(overlap(self.mask(page), seen), 0.9)
        self.assertHolds(page)

    def test_one_joint_holds_and_says_so(self):
        page = self.holding()
        self.choose_joint(page, "Head")
        self.assertEqual(page.evaluate("document.querySelector('#attached').value"), "")
        self.assertEqual(page.evaluate("document.querySelector('#attached-elsewhere').innerText"),
                         "cyl2 is held by LeftHand.")
        page.choose("#attached", "cyl2")
        page.settle()
        self.assertEqual(self.copied(page)["instances"][1]["attach"]["joint"], "Head")
        self.assertHolds(page)
        page.choose("#attached", "")
        page.settle()
        request = self.copied(page)
        self.assertNotIn("instances", request)
        alone = self.drawn_by_daemon("frame", request)
        self.assertGreater(overlap(self.mask(page), alone), MEET)

    def test_comparisons_are_of_the_holder_alone(self):
        page = self.holding()
        page.choose("#beside", "dqs")
        page.settle()
        self.assertIn("methods", self.copied(page))
        count = len(page.sent("/v1/vertices"))
        page.choose(SCRUB, "0.8")
        page.settle()
        self.assertEqual(len(page.sent("/v1/vertices")), count)
        page.choose("#beside", "")
        page.settle()
        self.assertHolds(page)

    def test_pictures_have_the_looks_that_crowds_take(self):
        page = self.holding()
        page.click("#overlay-wireframe")
        page.click("#legend")
        page.choose("#shading", "influences")
        page.click("[value=pictures]")
        page.settle()
        request = page.sent("/v1/crowd")[-1]
        self.assertEqual(request["shading"], {"mode": "influences"})
        self.assertNotIn("overlays", request)
        page.choose("#shading", "joint_weights")
        page.settle()
        self.assertNotIn("shading", page.sent("/v1/crowd")[-1])
        self.assertEqual(page.evaluate("document.getElementById('status').className"), "")
        # The figures are of the last answer, and a change of the look brings vertices, too; the camera
        # requests nothing but pictures, the only responses with a time for drawing.
        page.evaluate("document.querySelector('#picture').focus()")
        until = time.monotonic() + 120
        while "draw " not in page.evaluate("document.getElementById('figures').textContent"):
            self.assertLess(time.monotonic(), until)
            page.key("+")
            page.settle()

    def test_what_cannot_be_held_is_said(self):
        self.put_rig("gone", (DEMO / "cyl2.glb").read_bytes())
        page = self.holding()
        page.choose("#attached", "gone")
        page.settle()
        self.assertHolds(page)
        self.assertStatus(self.client.delete("gone"), 204)
        page.choose("#attached-scale", "0.5")
        self.assertStatusLine(page, "gone")
        page.settle()
        holder = self.copied(page)
        del holder["instances"][1]
        self.assertGreater(overlap(self.mask(page), self.drawn_by_daemon("crowd", holder)), MEET)
        page.choose("#attached", "cyl2")
        page.settle()
        self.assertHolds(page)
