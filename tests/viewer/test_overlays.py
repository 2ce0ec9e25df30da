"""Overlays that the page draws over vertices, beside those in the daemon's pictures."""
import unittest

from page_case import PageCase, differ
from picture import Picture

NEAR = 3  # pixels: lines of the page and of the daemon differ in width
CHANGED = """(() => {
    const canvas = document.querySelector('#overlay');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return data.reduce((sum, value, i) => sum + (i % 4 === 3 && value > 0), 0);
})()"""


def changed(rows, base):
    """The pixels that differ, as places."""
    return {(x, y) for y, (row, other) in enumerate(zip(rows, base, strict=True))
            for x, (a, b) in enumerate(zip(row, other, strict=True)) if differ(a, b)}


def share_near(places, others):
    """The share of some pixels that have one of the others beside them."""
    around = {(x + dx, y + dy) for x, y in others
              for dx in range(-NEAR, NEAR + 1) for dy in range(-NEAR, NEAR + 1)}
    return len(places & around) / len(places)


class Overlays(PageCase):
    def daemon_changed(self, page, request, overlay):
        """The pixels that an overlay changes in the daemon's picture of the same view."""
        pictures = []
        for overlays in ([], [overlay]):
            reply = self.client.post("frame", {**request, "overlays": overlays})
            pictures.append(Picture(self.assertStatus(reply, 200).body).rows)
        return changed(*pictures)

    def request(self, page):
        """The daemon's request for the view of the page."""
        pose = self.pose(page)
        page.click("[value=pictures]")
        page.settle()
        request = {**page.sent("/v1/frame")[-1], "pose": pose}
        page.click("[value=vertices]")
        page.settle()
        request.pop("overlays", None)
        return request

    def held_with_request(self, rig, clip, share):
        page = self.held(rig, clip, share, width=1000, height=500)
        return page, self.request(page), len(page.sent("/v1/frame"))

    def test_lines_and_ghosts_are_where_the_daemon_draws_them(self):
        page, request, pictures = self.held_with_request("humanoid", "Walk", 0.5)
        base = self.stage(page)
        for name in ("wireframe", "normals", "bounds", "onion"):
            with self.subTest(name):
                page.click(f"#overlay-{name}")
                page.settle()
                ours = changed(self.stage(page), base)
                theirs = self.daemon_changed(page, request, name)
                self.assertGreater(len(theirs), 500)
                self.assertGreater(share_near(ours, theirs), 0.98)
                self.assertGreater(share_near(theirs, ours), 0.98)
                page.click(f"#overlay-{name}")
                page.settle()
                self.assertEqual(changed(self.stage(page), base), set())
        self.assertEqual(len(page.sent("/v1/frame")), pictures, "the daemon drew pictures")

    def test_ghosts_are_cold_before_the_moment_and_warm_after_it(self):
        page, _, _ = self.held_with_request("tube23", "wave", 0.5)
        base = self.stage(page)
        page.click("#overlay-onion")
        page.settle()
        rows = self.stage(page)
        tones = [rows[y][x] for x, y in changed(rows, base)]
        cold = sum(blue > red for red, _, blue, *_ in tones)
        self.assertGreater(cold, 100)
        self.assertGreater(len(tones) - cold, 100)

    def test_lines_of_a_playing_clip_follow_it(self):
        page = self.opened("humanoid", "Walk", width=800, height=400)
        page.click("#overlay-wireframe")
        page.click("#play")
        page.settle()
        with_lines = self.stage(page)
        page.click("#overlay-wireframe")
        page.settle()
        lines = changed(with_lines, self.stage(page))
        figure = {(x, y) for y, row in enumerate(self.mask(page)) for x, inside in enumerate(row) if inside}
        self.assertGreater(len(lines), 1000)
        self.assertGreater(share_near(lines, figure), 0.99)

    def test_trails_and_names_are_drawn_by_the_page(self):
        page, _, pictures = self.held_with_request("humanoid", "Walk", 0.5)
        for name in ("overlay-trails", "overlay-skeleton"):
            self.assertEqual(page.evaluate(CHANGED), 0)
            page.click(f"#{name}")
            page.settle()
            drawn = page.evaluate(CHANGED)
            self.assertGreater(drawn, 500)
            if name == "overlay-skeleton":
                page.click("#joint-names")
                page.settle()
                self.assertGreater(page.evaluate(CHANGED), drawn + 500)
            page.click(f"#{name}")
            page.settle()
        self.assertEqual(len(page.sent("/v1/frame")), pictures)

    def test_trails_go_through_the_places_of_the_joint(self):
        page, _, _ = self.held_with_request("tube23", "wave", 0.5)
        page.click("#overlay-trails")
        page.settle()
        poses = page.sent("/v1/pose")[-1]["poses"]
        self.assertEqual(len(poses), 97)
        first, last = (pose["time"] for pose in (poses[0], poses[-1]))
        duration = next(clip["duration"] for clip in self.client.get("/v1/rigs/tube23").json()["clips"]
                        if clip["name"] == "wave")
        self.assertEqual(first, 0)
        self.assertAlmostEqual(last, duration, 4)

    def test_comparisons_and_pictures_have_none_of_the_page(self):
        page, _, _ = self.held_with_request("humanoid", "Walk", 0.5)
        page.click("#overlay-trails")
        page.settle()
        self.assertGreater(page.evaluate(CHANGED), 0)
        page.click("[value=pictures]")
        page.settle()
        self.assertEqual(page.evaluate(CHANGED), 0)
        page.click("[value=vertices]")
        page.choose("#beside", "dqs")
        page.settle()
        self.assertEqual(page.evaluate(CHANGED), 0)


if __name__ == "__main__":
    unittest.main()
