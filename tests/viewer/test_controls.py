"""The timeline, keys, and narrow screens."""
import time

from page_case import PageCase

LEAST_TARGET = 44  # pixels; WCAG 2.1, 2.5.5
# Controls that fingers are to meet, and their boxes; what is a label's is met by its label.
TARGETS = """[...document.querySelectorAll('button, select, input, a')]
    .filter((control) => control.checkVisibility() && !control.closest('dialog'))
    .map((control) => {
        const box = control.matches('[type=radio], [type=checkbox]')
            ? control.closest('label').getBoundingClientRect()
            : control.getBoundingClientRect();
        return [control.id || control.outerHTML.slice(0, 60), box.width, box.height];
    })"""


class Timeline(PageCase):
    def ink(self, page):
        return page.evaluate("""(() => {
            const canvas = document.querySelector('#marks');
            const { data } = canvas.getContext('2d').getImageData(
                0, canvas.height - 2, canvas.width, 1);
            const runs = [];
            for (let x = 0; x < canvas.width; x++)
                if (data[4 * x + 3] > 60 && !(data[4 * x - 1] > 60)) runs.push(x);
            return [runs, canvas.width];
        })()""")

    def test_keys_of_the_clip_stand_where_they_are(self):
        page = self.held("cyl2", "bend", 0)
        page.settle()
        clip = self.client.get("/v1/rigs/cyl2/clips/bend").json()
        times = sorted({time for channel in clip["channels"] for time in channel["times"]})
        runs, width = self.ink(page)
        self.assertEqual(len(runs), len(times))
        for x, moment in zip(runs, times):
            self.assertAlmostEqual(x, 8 + moment / clip["duration"] * (width - 16), delta=1.5)

    def test_range_goes_round(self):
        page = self.held("humanoid", "Walk", 0.5)
        self.assertTrue(page.evaluate("document.querySelector('#range-clear').hidden"))
        page.key("[")
        page.choose("#scrub", "0.7")
        page.key("]")
        page.choose("#speed", "2")
        page.click("#play")
        seen = []
        until = time.monotonic() + 120
        while len(seen) < 6 or seen == sorted(seen):  # until it has come round
            self.assertLess(time.monotonic(), until, seen)
            seen.append(page.evaluate("Number(document.querySelector('#scrub').value)"))
        self.assertGreaterEqual(min(seen), 0.499)
        self.assertLessEqual(max(seen), 0.701)
        page.click("#range-clear")
        page.wait("Number(document.querySelector('#scrub').value) < 0.4")

    def test_keys_play_step_and_switch(self):
        page = self.held("humanoid", "Walk", 0.5)
        before = page.evaluate("parseFloat(document.querySelector('#time').textContent)")
        page.key(".")
        page.settle()
        after = page.evaluate("parseFloat(document.querySelector('#time').textContent)")
        self.assertAlmostEqual(after - before, 1 / 30, delta=0.011)
        page.key(" ")
        page.wait("document.querySelector('#play').ariaLabel === 'Pause'")
        page.key("v")
        self.assertTrue(page.evaluate("document.querySelector('#pictures').checked"))
        page.key("m")
        self.assertEqual(page.evaluate("document.querySelector('#method').selectedIndex"), 1)
        page.key("?")
        self.assertTrue(page.evaluate("document.querySelector('#help').open"))
        self.assertIn("Space", page.evaluate("document.querySelector('#help-keys').innerText"))
        page.key("v")  # is for the dialog now, which has nothing for it
        self.assertTrue(page.evaluate("document.querySelector('#pictures').checked"))
        page.click("#help-close")
        page.click("#tab-about")
        page.evaluate("document.querySelector('#example').focus()")
        page.key("v")
        self.assertTrue(page.evaluate("document.querySelector('#pictures').checked"))


class Phone(PageCase):
    def test_panels_are_sheets_over_a_picture_that_stays(self):
        page = self.held("humanoid", "Walk", 0.3, width=360, height=740)
        self.assertTrue(page.evaluate("document.querySelector('#inspector').offsetParent === null"))
        for tab in ("rigs", "pose", "joints", "skin", "look", "checks", "compress", "about"):
            with self.subTest(tab=tab):
                page.click(f"#tab-{tab}")
                page.settle()
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 360)
                self.assertLessEqual(page.evaluate("document.documentElement.scrollHeight"), 740)
                panel = page.evaluate(f"document.querySelector('#tab-{tab}')"
                                      ".getAttribute('aria-controls')")
                self.assertTrue(page.evaluate(f"document.getElementById('{panel}').checkVisibility()"))
                self.assertGreater(page.evaluate("document.querySelector('#stage').clientHeight"), 150)
                self.assertEqual(page.evaluate("document.querySelectorAll("
                                               "'[role=tab][aria-selected=true]').length"), 1)
                for what, width, height in page.evaluate(TARGETS):
                    self.assertGreaterEqual(height, LEAST_TARGET, what)
                    self.assertGreaterEqual(width, LEAST_TARGET, what)
        page.click("#tab-about")  # again: it goes
        self.assertTrue(page.evaluate("document.querySelector('#inspector').offsetParent === null"))
        self.assertEqual(page.complaints, [])

    def test_controls_are_whole_and_beside_the_picture(self):
        page = self.held("humanoid", "Walk", 0.3)
        for width, height in ((1200, 700), (1024, 700), (970, 460), (900, 640), (390, 844), (320, 568)):
            with self.subTest(width=width, height=height):
                page.resize(width, height)
                if width <= 960 and page.evaluate("document.body.dataset.tab"):
                    page.click("[role=tab][aria-selected=true]")  # again: the panel goes
                page.settle()
                for id in ("speed", "loop", "view", "orthographic"):
                    seen = f"""(() => {{
                        const control = document.getElementById('{id}');
                        const {{ left, right, top, bottom }} = control.getBoundingClientRect();
                        const y = (top + bottom) / 2;
                        return [left + 2, right - 2].every(
                            (x) => control.contains(document.elementFromPoint(x, y)));
                    }})()"""
                    page.wait(seen)
        boxes = page.evaluate("['.shown-as', '#stage'].map((part) => "
                              "document.querySelector(part).getBoundingClientRect().toJSON())")
        self.assertLessEqual(boxes[0]["bottom"], boxes[1]["top"])

    def test_lying_phone_has_panels_beside_the_picture(self):
        page = self.held("humanoid", "Walk", 0.3, width=740, height=360)
        page.click("#tab-look")
        page.settle()
        self.assertGreater(page.evaluate("document.querySelector('#stage').clientHeight"), 150)
        self.assertGreater(page.evaluate("document.querySelector('#stage').clientWidth"), 400)
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 740)

    def test_choosing_a_rig_closes_the_list(self):
        page = self.held("humanoid", "Walk", 0.3, width=360, height=740)
        page.click("#tab-rigs")
        page.click("#rigs li:first-child a")
        page.wait("document.getElementById('name').textContent === 'cyl2'")
        self.assertEqual(page.evaluate("document.body.dataset.tab"), "")
