"""The snippets of "Copy as" run, and give exactly the picture that is on the screen."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

import rigs
from case import ROOT
from client import PNG
from page_case import PageCase


class Copies(PageCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="posed-copies-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def shown(self):
        page = self.held("humanoid", "Walk", 0.25, width=1000, height=500)
        page.click("#add-layer")
        page.choose(".layer select", "Wave")
        page.choose(".layer input", "0.4")
        page.choose("#turn-y", "35")
        page.choose("#shading", "matcap")  # which only pictures show
        page.click("#overlay-skeleton")
        page.key("1")
        page.settle()
        return page

    def text(self, page, form, button="#copy"):
        page.click(button)
        page.choose("#copy-form", form)
        text = page.evaluate("document.querySelector('#copy-text').value")
        page.click("#copy-close")
        return text

    def picture(self, page):
        """The bytes of the picture that is on the screen, asked for again."""
        request = page.sent("/v1/frame")[-1]
        return self.assertStatus(self.client.post("frame", request, accept=PNG), 200).body

    def run_here(self, *command, made="humanoid.png", **more):
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "clients" / "python"), **more}
        subprocess.run(command, cwd=self.folder, env=environment, check=True, timeout=300)
        return (self.folder / made).read_bytes()

    def copied_javascript(self, page, button="#copy"):
        """The command that runs the snippet for Node."""
        modules = self.folder / "node_modules"
        modules.mkdir(exist_ok=True)
        if not (modules / "posed").exists():
            (modules / "posed").symlink_to(ROOT / "clients" / "js")
        (self.folder / "copied.mjs").write_text(self.text(page, "javascript", button))
        return ("node", "copied.mjs")

    def test_every_form_asks_for_what_is_shown(self):
        page = self.shown()
        request = json.loads(self.text(page, "json"))
        self.assertEqual(request, page.sent("/v1/frame")[-1])
        self.assertEqual(request["shading"], "matcap")
        self.assertIn("blend", request["pose"]["set"])
        picture = self.picture(page)
        ways = {"curl": ("sh", "-c", self.text(page, "curl")),
                "python": ("python3", "-c", self.text(page, "python"))}
        if shutil.which("node"):
            ways["javascript"] = self.copied_javascript(page)
        for form, command in ways.items():
            with self.subTest(form):
                (self.folder / "humanoid.png").unlink(missing_ok=True)
                self.assertEqual(self.run_here(*command), picture)
        if not shutil.which("node"):
            self.skipTest("there is no node")

    def test_every_form_compresses_the_clip(self):
        page = self.held("humanoid", "Walk", 0.25)
        page.click("#tab-compress")
        page.choose("#tolerance", "-3")
        page.choose("#codec", "bits")
        page.choose("#segment", "16")
        page.settle()

        def text(form):
            return self.text(page, form, "#compress-copy")

        request = json.loads(text("json"))
        self.assertEqual(request, page.sent("/v1/compress")[-1])
        self.assertEqual(request["tolerance"], 0.001)
        reply = self.client.post("compress", request, accept="application/vnd.posed.pclip")
        file = self.assertStatus(reply, 200).body
        pose = pathlib.Path(os.environ.get("POSE_BINARY", ROOT / "build" / "pose"))
        path = os.pathsep.join([str(pose.parent), os.environ["PATH"]])
        ways = {"curl": ("sh", "-c", text("curl")), "python": ("python3", "-c", text("python")),
                "pose": ("sh", "-c", text("pose"))}
        if shutil.which("node"):
            ways["javascript"] = self.copied_javascript(page, "#compress-copy")
        name = "humanoid-Walk.pclip"
        for form, command in ways.items():
            with self.subTest(form):
                (self.folder / name).unlink(missing_ok=True)
                self.assertEqual(self.run_here(*command, made=name, PATH=path), file)
        # Pictures have no command line here, and the form falls back to the first.
        page.click("#copy")
        forms = page.evaluate("[...document.querySelectorAll('#copy-form option')].map((one) => one.value)")
        self.assertNotIn("pose", forms)
        if not shutil.which("node"):
            self.skipTest("there is no node")

    def test_link_opens_what_was_shown(self):
        page = self.shown()
        page.click("#add-layer")
        page.click(".layer:last-child .row button")
        self.choose_joint(page, "Neck")
        page.choose("#method", "dqs")
        page.settle()
        request = page.sent("/v1/frame")[-1]
        self.assertIn("layers", request["pose"]["set"])
        link = self.text(page, "link")
        other = self.browser.open(1000, 500)
        self.addCleanup(other.close)
        other.go(link)
        other.wait("document.getElementById('name').textContent === 'humanoid'")
        other.settle()
        self.assertEqual(other.sent("/v1/frame")[-1], request)
        self.assertEqual(other.complaints, [])

    def test_link_that_was_cut_off_still_opens_the_rig(self):
        page = self.page("#rig=humanoid&state=%7B%22layers")
        page.wait("document.getElementById('name').textContent === 'humanoid'")
        page.settle()
        self.assertEqual(page.complaints, [])

    def opened_again(self, page):
        """Opens a link to the page."""
        other = self.page(self.text(page, "link").removeprefix(self.address))
        other.wait("document.getElementById('name').textContent === "
                   + json.dumps(page.evaluate("document.getElementById('name').textContent")))
        other.settle()
        return other

    def test_link_has_the_rest_pose(self):
        page = self.held("humanoid", "Walk", 0.25)
        page.choose("#clip", "")
        page.settle()
        self.assertEqual(json.loads(self.text(page, "json"))["pose"], "rest")
        other = self.opened_again(page)
        self.assertEqual(other.evaluate("document.querySelector('#clip').value"), "")
        self.assertEqual(json.loads(self.text(other, "json")), json.loads(self.text(page, "json")))

    def test_link_has_a_clip_of_another_rig(self):
        page = self.held("humanoid", "Walk", 0.25)
        page.choose("#other-way", "retarget")
        page.choose("#other-rig", "head")
        page.wait("document.querySelector('#clip').value.startsWith('\\u0001')")
        page.choose("#clip", "\u0001Nod")
        page.settle()
        pose = json.loads(self.text(page, "json"))["pose"]
        self.assertEqual((pose["rig"], pose["retarget"]["clip"]), ("head", "Nod"))
        other = self.opened_again(page)
        self.assertEqual(other.evaluate("document.querySelector('#clip').value"), "\u0001Nod")
        self.assertEqual(json.loads(self.text(other, "json"))["pose"], pose)

    def test_link_has_the_chosen_joint_and_its_colours(self):
        page = self.held("humanoid", "Walk", 0.25)
        page.click("#tab-joints")
        self.choose_joint(page, "Neck")
        page.choose("#influence", "weights")
        page.wait("!document.getElementById('scale').hidden")
        request = json.loads(self.text(page, "json"))
        self.assertEqual(request["shading"], {"mode": "weights", "joint": "Neck"})
        other = self.opened_again(page)
        other.wait("document.getElementById('scale-what').textContent === 'weight on Neck'")
        self.assertEqual(json.loads(self.text(other, "json")), request)
        page.choose("#influence", "support")
        page.click("#copy")
        self.assertIn("Pictures cannot", page.evaluate("document.querySelector('#copying').innerText"))

    def test_link_has_the_joint_that_pictures_are_coloured_by(self):
        page = self.held("humanoid", "Walk", 0.25)
        page.click("#tab-joints")
        self.choose_joint(page, "Neck")
        page.choose("#shading", "joint_weights")
        page.click("[value=pictures]")
        page.settle()
        request = page.sent("/v1/frame")[-1]
        self.assertEqual(request["shading"]["joint"], "Neck")
        self.assertEqual(self.opened_again(page).sent("/v1/frame")[-1], request)

    def test_link_has_how_it_plays(self):
        page = self.held("humanoid", "Walk", 0.25)
        page.choose("#speed", "0.5")
        page.choose("#loop", "ping_pong")
        page.click("#range-start")
        other = self.opened_again(page)
        self.assertEqual(other.evaluate("document.querySelector('#speed').value"), "0.5")
        self.assertEqual(other.evaluate("document.querySelector('#loop').value"), "ping_pong")
        other.click("#play")
        other.wait("document.querySelector('#play').ariaLabel === 'Pause'")
        other.click("#play")
        other.settle()
        asked = [json.loads(r["postData"]) for r in other.requests if r["method"] == "PATCH"]
        asked = [members for members in asked if members.get("range")]
        self.assertAlmostEqual(asked[0]["range"]["from"], page.streamed()["time"], 5)
        self.assertEqual((asked[0]["range"]["loop"], asked[0]["speed"]), ("ping_pong", 0.5))

    def test_link_has_the_camera_of_the_file(self):
        tiny = rigs.square()
        tiny.json["cameras"] = [{"type": "perspective", "perspective": {"yfov": 0.5, "znear": 0.5}}]
        node = tiny.node(root=True, name="tripod", camera=0, translation=[0, 0, 5])
        self.put_rig("filmed", tiny.glb())
        page = self.page("#rig=filmed")
        page.wait("document.querySelectorAll('#view option').length === 8")
        page.evaluate("document.querySelector('#view option:last-child').selected = true")
        page.evaluate("document.querySelector('#view').dispatchEvent(new Event('change'))")
        page.settle()
        request = page.sent("/v1/frame")[-1]
        self.assertEqual(request["camera"], {"node": node})
        self.assertEqual(self.opened_again(page).sent("/v1/frame")[-1], request)

    def test_forms_are_of_one_moment(self):
        page = self.opened("humanoid", "Walk")
        page.click("#copy")
        texts = []
        for _ in range(2):
            page.choose("#copy-form", "json")
            texts.append(page.evaluate("document.querySelector('#copy-text').value"))
            page.choose("#copy-form", "curl")
            place = page.evaluate("document.querySelector('#scrub').value")
            page.wait(f"document.querySelector('#scrub').value !== {place!r}")
        self.assertEqual(*texts)

    def test_links_that_do_not_fit_say_so(self):
        page = self.page("#rig=humanoid&state={}")
        page.wait("document.getElementById('name').textContent === 'humanoid'")
        page.settle()
        self.assertEqual(page.evaluate("document.getElementById('status').textContent"), "")
        page = self.page('#rig=humanoid&state={"layers":{}}')
        self.assertStatusLine(page, "Some settings of this link")
        page.wait("document.getElementById('name').textContent === 'humanoid'")
        page.settle()
        page = self.page("#rig=humanoid&clip=Nope&skinning=nope")
        self.assertStatusLine(page, "no clip “Nope”; showing Idle")
        self.assertStatusLine(page, "no skinning “nope”")

    def test_comparison_is_copied_as_one(self):
        page = self.held("cyl2", "bend", 0.5)
        page.choose("#beside", "dqs")
        page.click("[value=pictures]")
        page.settle()
        text = self.text(page, "curl")
        self.assertIn("/v1/compare", text)
        self.assertEqual(json.loads(self.text(page, "json")), page.sent("/v1/compare")[-1])
        python = self.text(page, "python").replace("cyl2.png", "humanoid.png")
        request = page.sent("/v1/compare")[-1]
        self.assertEqual(self.run_here("python3", "-c", python),
                         self.assertStatus(self.client.post("compare", request, accept=PNG), 200).body)

    def test_rig_that_a_joint_holds_is_copied_with_its_holder(self):
        page = self.held("humanoid", "Walk", 0.25)
        page.click("#tab-joints")
        self.choose_joint(page, "LeftHand")
        page.choose("#attached", "cyl2")
        page.choose("#attached-scale", "0.3")
        page.choose("#attached-turn-z", "30")
        page.choose("#shading", "matcap")  # which only pictures show
        page.settle()
        request = json.loads(self.text(page, "json"))
        self.assertEqual(request, page.sent("/v1/crowd")[-1])
        held = request["instances"][1]
        self.assertEqual((held["rig"], held["attach"]), ("cyl2", {"to": 0, "joint": "LeftHand"}))
        picture = self.assertStatus(self.client.post("crowd", request, accept=PNG), 200).body
        for command in (("sh", "-c", self.text(page, "curl")),
                        ("python3", "-c", self.text(page, "python"))):
            (self.folder / "humanoid.png").unlink(missing_ok=True)
            self.assertEqual(self.run_here(*command), picture)
        self.assertEqual(self.opened_again(page).sent("/v1/crowd")[-1], request)

    def test_copies_to_the_clipboard(self):
        page = self.shown()
        page.evaluate("""Object.defineProperty(navigator, 'clipboard', {
            value: { writeText: async (text) => { window.copied = text; } } })""")
        text = self.text(page, "curl")
        page.click("#copy")
        page.choose("#copy-form", "curl")
        page.click("#copy-yes")
        page.wait("window.copied")
        self.assertEqual(page.evaluate("window.copied"), text)
