"""Files of formats other than glTF, dropped on the page: which go together, what was not found, and motions
that become clips of the rig that is shown."""
import base64
import io
import json
import pathlib
import tempfile
import unittest
import zipfile

from case import DEMO, SHARED
from client import rig_path
from page_case import PageCase

FOX = SHARED / "derived-public-fox-formats"
OBJ = b"mtllib box.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl red\nf 1/1 2/1 3/1\n"
MTL = b"newmtl red\nKd 1 0 0\nmap_Kd C:\\pictures\\wood grain.png\nmap_Ke lamp.png\n"
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==")
# Two joints, one triangle; then the same joints turned within a second.
MD5 = (b'MD5Version 10\ncommandline ""\nnumJoints 2\nnumMeshes 1\njoints {\n"root" -1 ( 0 0 0 ) ( 0 0 0 )\n'
       b'"tip" 0 ( 0 0 1 ) ( 0 0 0 )\n}\nmesh {\nshader "skin.tga"\nnumverts 3\nvert 0 ( 0 0 ) 0 1\n'
       b'vert 1 ( 1 0 ) 1 1\nvert 2 ( 0 1 ) 2 1\nnumtris 1\ntri 0 0 1 2\nnumweights 3\n'
       b'weight 0 0 1 ( 0 0 0 )\nweight 1 0 1 ( 1 0 0 )\nweight 2 1 1 ( 0 0 0 )\n}\n')
MD5_MOTION = (b'MD5Version 10\ncommandline ""\nnumFrames 2\nnumJoints 2\nframeRate 1\nnumAnimatedComponents 1\n'
              b'hierarchy {\n"root" -1 0 0\n"tip" 0 1 0\n}\nbounds {\n( 0 0 0 ) ( 1 1 1 )\n( 0 0 0 ) ( 1 1 1 )\n}\n'
              b'baseframe {\n( 0 0 0 ) ( 0 0 0 )\n( 0 0 1 ) ( 0 0 0 )\n}\nframe 0 {\n0\n}\nframe 1 {\n0.5\n}\n')


class OtherFiles(PageCase):
    def drop(self, page, files):
        texts = {name: base64.b64encode(content).decode() for name, content in files.items()}
        page.evaluate(
            f"""{{
            const dataTransfer = new DataTransfer();
            for (const [name, text] of Object.entries({json.dumps(texts)})) {{
                const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
                dataTransfer.items.add(new File([bytes], name));
            }}
            const event = new DragEvent('drop', {{ dataTransfer, bubbles: true, cancelable: true }});
            document.getElementById('stage').dispatchEvent(event);
            }}"""
        )

    def stored(self, name):
        """The files of the archive that a rig is stored as."""
        self.addCleanup(self.client.request, "DELETE", rig_path(name))
        source = self.assertStatus(self.client.get(rig_path(name, "/source")), 200).body
        with zipfile.ZipFile(io.BytesIO(source)) as archive:
            return {one: archive.read(one) for one in archive.namelist()}

    def description(self, name):
        return self.assertStatus(self.client.get(rig_path(name)), 200).json()

    def assertShows(self, page, name, clip):
        page.wait(f"document.getElementById('name').textContent === {name!r}")
        page.wait(f"document.getElementById('clip').value === {clip!r}")

    def bvh(self, rig):
        reply = self.client.get(rig_path(rig, "/motion.bvh?clip=Walk&rate=30"))
        return self.assertStatus(reply, 200).body

    def test_what_a_model_names_goes_with_it_and_the_rest_does_not(self):
        page = self.page("#rig=head")
        self.drop(page, {"box.obj": OBJ, "box.mtl": MTL, "Wood Grain.PNG": PICTURE, "lawn.png": PICTURE})
        self.assertStatusLine(page, "“box” is stored")
        self.assertStatusLine(page, 'image "lamp.png" did not come with the file')
        self.assertEqual(self.stored("box"), {"box.obj": OBJ, "box.mtl": MTL, "Wood Grain.PNG": PICTURE})
        words = [text for text in self.description("box")["warnings"] if "without it" in text]
        self.assertEqual(len(words), 1, words)  # the other picture was found
        self.assertWarned(page, "box")

    def assertWarned(self, page, name):
        """The number of warnings stands on the stage, and leads to them; a rig without any has none."""
        warnings = self.description(name)["warnings"]
        page.wait("document.getElementById('name').textContent === " + repr(name))
        page.settle()
        words = page.evaluate("document.getElementById('warned').innerText")
        self.assertEqual(words, f"{len(warnings)} warning{'s' * (len(warnings) != 1)}")
        page.click("#warned")
        self.assertFalse(page.evaluate("document.getElementById('panel-about').hidden"))
        self.assertEqual(page.evaluate("[...document.querySelectorAll('#warnings li')].map((li) => li.innerText)"),
                         warnings)
        page.evaluate("location.hash = '#rig=head'")
        page.wait("document.getElementById('name').textContent === 'head'")
        self.assertTrue(page.evaluate("document.getElementById('warned').hidden"))

    def test_two_models_have_a_rig_each(self):
        page = self.page("#rig=head")
        self.drop(page, {"box.obj": OBJ, "box.mtl": MTL, "other.obj": OBJ.replace(b"box.mtl", b"o.mtl")})
        self.assertStatusLine(page, "“box”, “other” are stored")
        self.assertStatusLine(page, '"o.mtl", which did not come with it')
        self.assertEqual(list(self.stored("box")), ["box.mtl", "box.obj"])
        self.addCleanup(self.client.request, "DELETE", rig_path("other"))
        source = self.client.get(rig_path("other", "/source")).body
        self.assertNotIn(b"newmtl", source)

    def test_motions_dropped_with_their_mesh_are_its_clips(self):
        page = self.page("#rig=head")
        self.drop(page, {"pole.md5mesh": MD5, "pole_bend.md5anim": MD5_MOTION})
        self.assertStatusLine(page, "“pole” is stored")
        self.assertEqual(set(self.stored("pole")), {"pole.md5mesh", "pole_bend.md5anim"})
        self.assertEqual([clip["name"] for clip in self.description("pole")["clips"]], ["bend"])

    def test_motion_dropped_on_a_rig_is_a_clip_of_it(self):
        bvh = self.bvh("humanoid")
        page = self.opened("humanoid", "Idle")
        self.addCleanup(self.client.request, "DELETE", rig_path("humanoid", "/clips/stroll"))
        self.drop(page, {"stroll.bvh": bvh})
        self.assertStatusLine(page, "“stroll” is stored in “humanoid”")
        self.assertShows(page, "humanoid", "stroll")
        self.assertIn("stroll", [clip["name"] for clip in self.description("humanoid")["clips"]])
        self.assertStatus(self.client.get(rig_path("stroll")), 404)
        # The same joints within a centimetre of the clip that the motion was written from.
        for time in (0.2, 0.5):
            moved, walk = (self.joints("humanoid", {"clip": clip, "time": time})["Head"]["world"][12:15]
                           for clip in ("stroll", "Walk"))
            self.assertLess(max(abs(a - b) for a, b in zip(moved, walk)), 0.01)

    def test_animation_alone_in_a_glb_is_a_clip_too(self):
        glb = self.client.get(rig_path("humanoid", "/clips/Walk"), accept="model/gltf-binary").body
        page = self.opened("humanoid", "Idle")
        self.addCleanup(self.client.request, "DELETE", rig_path("humanoid", "/clips/alone"))
        self.drop(page, {"alone.glb": glb})
        self.assertStatusLine(page, "“alone” is stored in “humanoid”")

    def test_prism_s_motion_with_its_skeleton_is_a_clip(self):
        pia, pis = (self.assertStatus(self.client.get(rig_path("humanoid", f"/motion.{path}")), 200).body
                    for path in ("pia?clip=Walk&rate=24", "pis"))
        page = self.opened("humanoid", "Idle")
        self.addCleanup(self.client.request, "DELETE", rig_path("humanoid", "/clips/humanoid"))
        self.drop(page, {"march.pia": pia, "humanoid.pis": pis})
        self.assertStatusLine(page, "“humanoid” is stored in “humanoid”")

    def test_motion_that_does_not_fit_is_refused_in_the_daemon_s_words(self):
        page = self.opened("cyl2")
        self.drop(page, {"stroll.bvh": self.bvh("humanoid")})
        self.assertStatusLine(page, "stroll.bvh was not stored")
        self.assertStatus(self.client.get(rig_path("stroll")), 404)

    def test_motion_that_is_chosen_is_a_rig(self):
        page = self.page("#rig=humanoid")
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        file = folder / "chosen.bvh"
        file.write_bytes(self.bvh("humanoid"))
        self.addCleanup(self.client.request, "DELETE", rig_path("chosen"))
        page.give_file("#file", file)
        self.assertStatusLine(page, "“chosen” is stored")
        self.assertEqual(self.description("chosen")["triangles"], 0)

    @unittest.skipUnless(FOX.is_dir(), f"{FOX} is not here")
    def test_real_files_of_several_pieces(self):
        for document, parts in (
                ("fox.mesh.xml", ["fox.skeleton.xml"]),
                ("fox.mesh", ["fox.skeleton"]),
                ("fox.pim", ["fox.pis", "fox_run.pia", "fox_walk.pia"]),
                ("fox.md5mesh", ["fox.md5anim", "fox_run.md5anim", "fox_walk.md5anim"])):
            with self.subTest(document):
                page = self.page("#rig=head")
                files = {name: (FOX / name).read_bytes() for name in [document, *parts]}
                self.drop(page, files)
                self.assertStatusLine(page, "“fox” is stored")
                rig = self.description("fox")
                self.assertEqual(self.stored("fox"), files)
                self.assertEqual(len(rig["clips"]), 2 + ("fox.md5anim" in parts))
                self.client.request("DELETE", rig_path("fox"))


if __name__ == "__main__":
    unittest.main()
