"""Storing and deleting rigs by the page."""
import base64
import json
import pathlib
import tempfile

from case import DEMO
from client import rig_path
from page_case import PageCase

TUBE = (DEMO / "cyl2.glb").read_bytes()
BROKEN = TUBE[:2000]


class Stores(PageCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="posed-viewer-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return path

    def drop(self, page, name, content):
        self.drop_all(page, {name: content})

    def drop_all(self, page, files):
        texts = {name: base64.b64encode(content).decode() for name, content in files.items()}
        page.evaluate(
            f"""{{
            const dataTransfer = new DataTransfer();
            for (const [name, text] of Object.entries({json.dumps(texts)})) {{
                const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
                dataTransfer.items.add(new File([bytes], name));
            }}
            for (const kind of ['dragenter', 'dragover', 'drop']) {{
                const event = new DragEvent(kind, {{ dataTransfer, bubbles: true, cancelable: true }});
                document.getElementById('stage').dispatchEvent(event);
            }}
            }}"""
        )

    def assertShown(self, page, name):
        page.wait(f"document.getElementById('name').textContent === {name!r}")
        self.assertStatusLine(page, "is stored")
        self.assertEqual(self.client.get(rig_path(name, "/source")).body, TUBE)

    def test_file_that_is_chosen_is_stored_and_shown(self):
        page = self.page("#rig=head")
        page.give_file("#file", self.file("50% of übung #1.glb", TUBE))
        self.assertShown(page, "50% of übung #1")
        self.assertEqual(page.complaints, [])
        names = page.evaluate(
            "[...document.querySelectorAll('#rigs strong')].map((a) => a.innerText)"
        )
        self.assertIn("50% of übung #1", names)

    def test_files_that_are_dropped_are_all_told_of(self):
        page = self.page("#rig=head")
        self.drop_all(page, {"broken.glb": BROKEN, "good.glb": TUBE, "fine.glb": TUBE})
        self.assertStatusLine(page, "“good”, “fine” are stored")
        self.assertStatusLine(page, "broken.glb was not stored")
        page.wait("document.getElementById('name').textContent === 'fine'")
        page.settle()
        self.assertStatusLine(page, "broken.glb was not stored")

    def test_file_that_is_dropped_is_stored_and_shown(self):
        page = self.page("#rig=head")
        self.drop(page, "dropped.glb", TUBE)
        self.assertShown(page, "dropped")
        self.assertTrue(page.evaluate("document.getElementById('drop').hidden"))

    def test_broken_file_shows_the_daemon_s_sentence(self):
        reply = self.client.put("broken", BROKEN)
        self.assertStatus(reply, 422)
        page = self.page("#rig=head")
        self.drop(page, "broken.glb", BROKEN)
        self.assertStatusLine(page, reply.json()["detail"])
        self.assertStatus(self.client.get(rig_path("broken")), 404)

    def test_replaces_only_when_told_to(self):
        head = (DEMO / "head.glb").read_bytes()
        self.put_rig("taken", head)
        page = self.page("#rig=head")
        for button, content in (("#question-no", head), ("#question-yes", TUBE)):
            page.give_file("#file", self.file("taken.glb", TUBE))
            page.wait("document.getElementById('question').open")
            page.click(button)
            if button == "#question-yes":
                self.assertShown(page, "taken")
            self.assertEqual(self.client.get(rig_path("taken", "/source")).body, content)

    def test_deletes_only_when_told_to(self):
        self.put_rig("doomed", TUBE)
        page = self.opened("doomed")
        for button, status in (("#question-no", 200), ("#question-yes", 404)):
            page.click("#delete")
            page.wait("document.getElementById('question').open")
            page.click(button)
            if status == 404:
                self.assertStatusLine(page, "is deleted")
            self.assertStatus(self.client.get(rig_path("doomed")), status)
        self.assertEqual(page.evaluate("location.hash"), "")
