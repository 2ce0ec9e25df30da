"""Comparisons in the page: the daemon's pictures of them, and the same colours where it draws."""
import rigs
from client import PNG
from page_case import BACKDROP_PIXEL, PageCase
from picture import Picture

PANEL = "#fbfaf8"


class Comparisons(PageCase):
    def compared(self, view):
        """The page with lbs beside dqs in pictures."""
        page = self.held("cyl2", "bend", 0.5)
        page.choose("#beside", "dqs")
        page.choose("#comparison", view)
        page.click("[value=pictures]")
        page.settle()
        return page

    def test_pictures_are_the_daemon_s_comparisons(self):
        for view, name in (("side", "side_by_side"), ("heat", "heat")):
            with self.subTest(view):
                page = self.compared(view)
                request = page.sent("/v1/compare")[-1]
                self.assertEqual(request["view"], name)
                self.assertEqual([m["method"] for m in request["methods"]], ["lbs", "dqs"])
                self.assertEqual(request["background"], PANEL)
                reply = self.client.post("compare", request, accept=PNG)
                daemon = Picture(self.assertStatus(reply, 200).body)
                shown = self.stage(page)
                apart = [
                    max(abs(x - y) for x, y in zip(a[:3], b[:3]))
                    for row, other in zip(shown, daemon.rows, strict=True)
                    for a, b in zip(row, other, strict=True)
                ]
                self.assertLessEqual(max(apart), 2)
                # Names and scale are in the picture, and nowhere else.
                for part in ("names", "scale"):
                    box = f"document.getElementById('{part}').getClientRects().length"
                    self.assertEqual(page.evaluate(box), 0)

    def looked(self, page):
        """The last comparison, which the daemon has taken."""
        page.settle()
        self.assertEqual(page.evaluate("document.getElementById('status').className"), "",
                         page.evaluate("document.getElementById('status').textContent"))
        return page.sent("/v1/compare")[-1]

    def test_looks_are_those_that_are_chosen(self):
        page = self.compared("side")
        plain = self.looked(page)
        base = self.stage(page)
        choices = [("shading", "matcap"), ("shading", "weights"), ("shading", "normals"),
                   ("environment", "soft"), ("tone_mapping", "aces"), ("exposure", "1")]
        for name, value in choices:
            with self.subTest(name=name, value=value):
                page.choose(f"#{name}", value)
                chosen = self.looked(page)[name]
                if name == "shading":
                    self.assertEqual(chosen, {"mode": value})
                else:
                    self.assertEqual(str(chosen), value)
                self.assertNotEqual(self.stage(page), base)
                page.click("#look-reset")
                self.assertEqual(self.looked(page), plain)
        for name in ("shadow", "grid"):
            with self.subTest(name=name):
                page.click(f"#{name}")
                self.assertIs(self.looked(page)[name], True)
                self.assertNotEqual(self.stage(page), base)
                page.click(f"#{name}")
        page.choose("#shading", "joint_weights")
        page.click("#legend")
        shading = {"mode": "weights", "joint": self.description("cyl2")["joints"][0]["name"]}
        self.assertEqual(self.looked(page)["shading"], shading)

    def test_looks_that_comparisons_do_not_take_are_kept_for_frames(self):
        page = self.held("cyl2", "bend", 0.5)
        page.choose("#shading", "matcap")
        page.click("#overlay-wireframe")
        page.click("#grid")
        page.choose("#beside", "dqs")
        request = self.looked(page)
        self.assertNotIn("shading", request)
        self.assertNotIn("overlays", request)
        self.assertIs(request["grid"], True)
        page.choose("#comparison", "side")
        request = self.looked(page)
        self.assertEqual(request["shading"], {"mode": "matcap"})
        self.assertNotIn("overlays", request)
        page.choose("#beside", "")
        page.settle()
        self.assertEqual(page.sent("/v1/frame")[-1]["overlays"], ["wireframe"])

    def test_pictures_without_a_comparison_are_frames(self):
        page = self.compared("heat")
        count = len(page.sent("/v1/compare"))
        page.choose("#beside", "")
        page.settle()
        self.assertNotIn("methods", page.sent("/v1/frame")[-1])
        self.assertEqual(len(page.sent("/v1/compare")), count)

    def test_heat_on_vertices_has_the_colours_of_the_scale(self):
        # All corners are as far apart, so that the whole square has the colour of the end.
        self.put_rig("square", rigs.half_bent_square(0.4).glb())
        page = self.held("square", "bend", 1)
        page.choose("#beside", "dqs")
        page.wait("!document.getElementById('scale').hidden")
        page.evaluate("document.querySelector('#surface').focus()")
        for _ in range(6):  # from 30 degrees to the front, where the colours are the scale's
            page.key("ArrowLeft")
        page.evaluate("document.activeElement.blur()")
        page.settle()
        end = page.evaluate(
            "getComputedStyle(document.getElementById('scale-bar')).backgroundImage"
            ".match(/\\d+, \\d+, \\d+/g).at(-1)"
        )
        want = [int(number) for number in end.split(",")]
        page.evaluate("document.getElementById('scale').style.visibility = 'hidden'")
        shown = [p[:3] for row in self.stage(page) for p in row if p[:3] != BACKDROP_PIXEL]
        self.assertGreater(len(shown), 1000)
        right = sum(max(abs(a - b) for a, b in zip(p, want)) <= 3 for p in shown)
        self.assertGreater(right / len(shown), 0.95, shown[len(shown) // 2])
