"""Files that the page gives of a rig, against those that the daemon has; and needless joints."""
import base64

import rigs
from page_case import CATCH_FILES, PageCase


class Downloads(PageCase):
    @classmethod
    def prepare(cls):
        cls.tube = rigs.centimetre_tube(behind=2).glb()
        cls.put_rig("tube", cls.tube)

    def saved(self, page, form, name, **more):
        """The file that the page saves, and what it asked the daemon for."""
        page.choose("#download-as", form)
        page.evaluate("window.saved = {}")
        page.evaluate("document.getElementById('download').requestSubmit()")
        text = page.wait(f"window.saved[{name!r}]")
        return base64.b64decode(text)

    def test_the_file_is_the_one_that_was_stored(self):
        page = self.opened("tube", "move", script=CATCH_FILES)
        self.assertEqual(self.saved(page, "source", "tube.glb"), self.tube)

    def test_what_is_shown_is_baked(self):
        page = self.opened("tube", "move", script=CATCH_FILES)
        page.choose("#method", "dqs")
        for form, skinning in (("morph", "dqs"), ("joints", "lbs")):
            with self.subTest(form=form):
                body = self.saved(page, form, "tube.glb")
                request = {"rig": "tube", "as": form, "pose": {"clip": "move"}, "duration": 2,
                           "name": "move", "skinning": skinning}
                reply = self.client.post("bake", request)
                self.assertEqual(body, self.assertStatus(reply, 200).body)

    def test_needless_joints_are_marked_and_left_out(self):
        needless = [one["name"] for one in self.description("tube")["joints"] if one["needless"]]
        self.assertEqual(len(needless), 2)
        page = self.opened("tube", "move", script=CATCH_FILES)
        marked = page.evaluate(
            "[...document.querySelectorAll('#joints .needless')].map((one) => one.textContent)")
        self.assertEqual(marked, needless)
        page.click("#tab-about")
        self.assertIn("8, 2 of them needless", page.evaluate("document.body.innerText"))
        page.choose("#download-as", "joints")
        self.assertIn("2 of 8", page.evaluate("document.body.innerText"))
        page.click("#download-prune")
        body = self.saved(page, "joints", "tube.glb")
        request = {"rig": "tube", "as": "joints", "pose": {"clip": "move"}, "name": "move",
                   "prune": True}
        self.assertEqual(body, self.assertStatus(self.client.post("bake", request), 200).body)
        for name in needless:
            self.assertNotIn(name.encode(), body)

    def test_rigs_without_needless_joints_have_none_to_leave_out(self):
        page = self.opened("humanoid", "Walk")
        page.choose("#download-as", "joints")
        self.assertTrue(page.evaluate("document.querySelector('#download-prune').disabled"))
        self.assertIsNone(page.evaluate("document.querySelector('#joints .needless')"))
