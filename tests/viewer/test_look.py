"""Shading, overlays, light, cameras, colours of the page: the requests to the daemon, and the display."""
import unittest

from page_case import BACKDROP_PIXEL, PageCase, area, overlap
from picture import Picture

# Pictures take long to decode, as on a machine that has much else to do.
SLOW_PICTURES = """{
    const real = window.createImageBitmap;
    window.createImageBitmap = async (...of) => {
        await new Promise((resolve) => setTimeout(resolve, 500));
        return real(...of);
    };
}"""
OPACITY = """(() => {
    const canvas = document.createElement('canvas');
    const picture = document.querySelector('#picture');
    Object.assign(canvas, { width: picture.width, height: picture.height });
    const context = canvas.getContext('2d');
    context.drawImage(picture, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    return data.reduce((sum, value, i) => sum + (i % 4 === 3 ? value : 0), 0);
})()"""
LEAST_CONTRAST = 4.5  # of text, WCAG 2.1 AA
# Texts of the page with the ground that they stand on, as numbers 0 to 255.
TEXTS = """(() => {
    const numbers = (text) => text.match(/[\\d.]+/g).map(Number);
    const seen = [];
    for (const element of document.querySelectorAll('body *')) {
        const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
        if (!own || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
        if (element.closest(':disabled, .stage, option, .unseen')) continue;
        let ground = element;
        while (ground && numbers(getComputedStyle(ground).backgroundColor)[3] === 0)
            ground = ground.parentElement;
        if (!ground) continue;
        seen.push([element.id || element.textContent.trim().slice(0, 30),
            numbers(getComputedStyle(element).color),
            numbers(getComputedStyle(ground).backgroundColor)]);
    }
    return seen;
})()"""


def luminance(color):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
              for c in (x / 255 for x in color[:3])]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


class Looks(PageCase):
    def frame(self, page):
        page.settle()
        return page.sent("/v1/frame")[-1]

    def assertTaken(self, page):
        page.settle()
        self.assertEqual(page.evaluate("document.getElementById('status').className"), "",
                         page.evaluate("document.getElementById('status').textContent"))

    def test_every_choice_is_one_that_the_daemon_takes_and_shows(self):
        page = self.held("humanoid", "Walk", 0.3, width=1000, height=500)
        page.click("[value=pictures]")
        page.settle()
        base = self.stage(page)
        for control in ("shading", "environment", "tone_mapping"):
            values = page.evaluate(
                f"[...document.getElementById('{control}').options].map((o) => o.value)")
            for value in values[1:]:
                with self.subTest(control=control, value=value):
                    page.choose(f"#{control}", value)
                    self.assertTaken(page)
                    self.assertNotEqual(self.stage(page), base)
            page.choose(f"#{control}", values[0])
            page.settle()
            self.assertEqual(self.stage(page), base)
        for name in ("overlay-skeleton", "overlay-wireframe", "overlay-normals", "overlay-bounds",
                     "overlay-trails", "overlay-onion", "shadow", "grid"):
            with self.subTest(switch=name):
                page.click(f"#{name}")
                self.assertTaken(page)
                self.assertNotEqual(self.stage(page), base)
                page.click(f"#{name}")
        page.choose("#exposure", "1")
        self.assertEqual(self.frame(page)["exposure"], 1)
        self.assertTaken(page)
        page.click("#look-reset")
        request = self.frame(page)
        self.assertEqual(set(request), {"rig", "pose", "skinning", "camera", "width", "height"})

    def test_comparisons_have_only_what_they_can_have(self):
        page = self.held("humanoid", "Walk", 0.3)
        page.click("#tab-look")
        disabled = "['overlay-wireframe', 'shading'].map((id) => document.getElementById(id).disabled)"
        self.assertEqual(page.evaluate(disabled), [False, False])
        page.choose("#beside", "dqs")
        self.assertEqual(page.evaluate(disabled), [True, True])
        self.assertIn("no overlays", page.evaluate("document.querySelector('#look').innerText"))
        page.choose("#comparison", "side")
        self.assertEqual(page.evaluate(disabled), [True, False])
        page.choose("#beside", "")
        self.assertEqual(page.evaluate(disabled), [False, False])
        self.assertNotIn("no overlays", page.evaluate("document.querySelector('#look').innerText"))

    def test_home_fits_until_the_camera_is_moved(self):
        page = self.held("humanoid", "Walk", 0.3)
        page.click("[value=pictures]")
        page.evaluate("document.querySelector('#picture').focus()")
        page.key("+")
        moved = self.frame(page)["camera"]
        page.key("Home")
        fitted = self.frame(page)["camera"]
        self.assertNotAlmostEqual(moved["distance"], fitted["distance"], 3)
        page.resize(180, 1000)
        page.settle()
        self.assertNotAlmostEqual(self.frame(page)["camera"]["distance"], fitted["distance"], 3)

    def test_choice_that_only_pictures_show_goes_to_them(self):
        page = self.held("humanoid", "Walk", 0.3)
        page.click("#overlay-skeleton")
        self.assertTrue(page.evaluate("document.querySelector('#vertices').checked"))
        page.choose("#shading", "checker")
        self.assertTrue(page.evaluate("document.querySelector('#pictures').checked"))
        self.assertStatusLine(page, "Pictures show this")
        request = self.frame(page)
        self.assertEqual(request["shading"], "checker")
        self.assertEqual(request["overlays"], ["skeleton"])
        page.choose("#shading", "joint_weights")
        self.assertEqual(self.frame(page)["shading"], {"mode": "weights", "joint": "Hips"})
        page.click("#joints li:nth-child(2) button")
        self.assertEqual(self.frame(page)["shading"]["joint"], "Spine")

    def test_colours_of_weights_are_the_daemon_s(self):
        page = self.held("humanoid", "Walk", 0.5)
        page.evaluate("document.getElementById('scale').style.visibility = 'hidden'")
        plain = self.stage(page)
        for shading in ("weights", "joint_weights", "influences"):
            with self.subTest(shading):
                page.choose("#shading", shading)
                page.settle()
                self.assertTrue(page.evaluate("document.querySelector('#vertices').checked"))
                drawn = self.stage(page)
                self.assertNotEqual(drawn, plain)
                page.click("[value=pictures]")
                page.settle()
                picture = self.stage(page)
                apart = [max(abs(a - b) for a, b in zip(one, other)) for row, beside in zip(drawn, picture)
                         for one, other in zip(row, beside) if one[:3] != BACKDROP_PIXEL]
                self.assertGreater(len(apart), 5000)
                # Edges have their samples at other places.
                self.assertLess(sum(difference > 12 for difference in apart) / len(apart), 0.1)
                page.click("[value=vertices]")
        page.choose("#shading", "material")
        page.settle()
        self.assertEqual(self.stage(page), plain)

    def test_sides_are_the_daemon_s_presets(self):
        page = self.held("humanoid", "Idle", 0)
        page.click("[value=pictures]")
        for side in ("front", "left", "right", "back", "top", "three_quarter"):
            page.choose("#view", f"side:{side}")
            request = self.frame(page)
            reply = self.client.post("frame", {**request, "camera": {
                **{k: v for k, v in request["camera"].items() if k not in ("yaw", "pitch")},
                "preset": side}})
            shown = Picture(self.assertStatus(self.client.post("frame", request), 200).body).rows
            self.assertEqual(Picture(self.assertStatus(reply, 200).body).rows, shown, side)

    def test_picture_that_takes_long_is_busy_until_what_was_asked_for_is_seen(self):
        page = self.held("humanoid", "Idle", 0, script=SLOW_PICTURES)
        page.click("[value=pictures]")
        page.wait("document.querySelector('#picture').ariaBusy === 'true'")
        page.choose("#view", "side:front")
        page.settle()
        self.assertEqual([(sent["camera"]["yaw"], sent["camera"]["pitch"])
                          for sent in page.sent("/v1/frame")], [(30, 15), (0, 0)])
        self.assertEqual(page.evaluate("document.querySelector('#picture').ariaBusy"), "false")
        self.assertGreater(page.evaluate(OPACITY), 0)

    def test_picture_that_is_on_its_way_when_the_rig_goes_is_not_shown(self):
        page = self.held("humanoid", "Idle", 0, script=SLOW_PICTURES)
        page.click("[value=pictures]")
        page.wait("document.querySelector('#picture').ariaBusy === 'true'")
        page.evaluate("location.hash = ''")
        page.wait("!document.getElementById('empty').hidden")
        page.evaluate("new Promise((resolve) => setTimeout(resolve, 1000))")
        self.assertEqual(page.evaluate(OPACITY), 0)

    def test_parallel_sight_is_the_daemon_s(self):
        page = self.held("tube23", "wave", 0.4)
        page.click("#orthographic")
        page.settle()
        drawn = self.mask(page)
        page.click("[value=pictures]")
        camera = self.frame(page)["camera"]
        self.assertTrue(camera["orthographic"])
        self.assertGreater(camera["height"], 0)
        self.assertGreater(overlap(drawn, self.mask(page, "#picture")), 0.95)
        self.assertGreater(area(drawn), 1000)

    def test_texts_stand_out_in_both_schemes_by_system_and_by_switch(self):
        page = self.opened("humanoid")
        page.click("#add-layer")
        grounds = []
        for how in ("light", "dark", "switch"):
            if how == "switch":
                page.click("#theme")  # to light, whatever the system has
            else:
                page.prefer(how)
            grounds.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
            for tab in ("pose", "joints", "skin", "look", "about"):
                page.click(f"#tab-{tab}")
                texts = page.evaluate(TEXTS)
                self.assertGreater(len(texts), 15)
                for what, color, ground in texts:
                    self.assertGreater(contrast(color, ground), LEAST_CONTRAST, (how, tab, what))
        self.assertEqual(grounds[0], grounds[2])
        self.assertNotEqual(grounds[0], grounds[1])
        self.assertEqual(page.evaluate("localStorage.getItem('posed-theme')"), "light")
        page.evaluate("localStorage.clear()")


if __name__ == "__main__":
    unittest.main()
