"""A .gltf with its buffers and pictures beside it, dropped on the page and chosen by its buttons."""
import collections
import json
import pathlib
import tempfile
import unittest

import folders
from case import DEMO
from client import rig_path
from page_case import PageCase


class FolderPage(PageCase, folders.FolderCase):
    daemon_args = ("--load", str(DEMO))

    def setUp(self):
        parent = tempfile.TemporaryDirectory(dir=self.folder)
        self.addCleanup(parent.cleanup)
        self.parent = pathlib.Path(parent.name)
        self.addCleanup(self.client.delete, "scene")

    def written(self, **changes):
        """A folder with a triangle, whose .gltf has some members changed, and with what nothing names."""
        path = folders.single({}).write(self.parent)
        document = json.loads(path.read_bytes())
        path.write_text(json.dumps({**document, **changes}), encoding="utf-8")
        (path.parent / "diary.txt").write_text("secret")
        return path.parent


class OnThePage(FolderPage):
    def names(self, found):
        """The page's names for the rigs of folders: those of their documents, with the folders' where
        several documents have the same name."""
        stems = {folder: folder.document[:-len(".gltf")] for folder in found}
        count = collections.Counter(stems.values())
        return {folder: stem if count[stem] == 1 else f"{folder.name}-{stem}"[:128]
                for folder, stem in stems.items()}

    def test_a_hundred_folders_are_dropped(self):
        found = folders.folders()
        parent = self.folder / "all"
        paths = [folder.write(parent).parent for folder in found]
        page = self.idle()
        page.drop(paths)
        page.wait("document.getElementById('status').textContent.endsWith('are stored.')")
        for folder, name in self.names(found).items():
            with self.subTest(folder=folder.name):
                self.assertSame(folder, name)
        self.assertEqual(page.complaints, [])

    def assertShown(self, page, name="scene"):
        page.wait(f"document.getElementById('name').textContent === {name!r}")
        self.assertStatusLine(page, f"“{name}” is stored")
        source = self.client.get(rig_path(name, "/source")).body
        self.assertIn(b"scene.bin", source)
        self.assertNotIn(b"diary", source)

    def test_a_folder_is_chosen(self):
        page = self.page("#rig=head")
        page.give_file("#folder", self.written())
        self.assertShown(page)
        self.assertEqual(page.complaints, [])

    def test_several_files_are_chosen(self):
        page = self.page("#rig=head")
        page.give_file("#file", *sorted(self.written().iterdir()))
        self.assertShown(page)

    def test_several_files_are_dropped(self):
        page = self.page("#rig=head")
        page.drop(sorted(self.written().iterdir()))
        self.assertShown(page)
        self.assertTrue(page.evaluate("document.getElementById('drop').hidden"))

    def test_a_missing_buffer_is_named(self):
        root = self.written()
        (root / "scene.bin").unlink()
        page = self.page("#rig=head")
        page.drop([root])
        self.assertStatusLine(page, "single/scene.gltf was not stored: there is no scene.bin, which "
                                    'buffers[0].uri "scene.bin" of scene.gltf names')
        self.assertEqual([r["url"] for r in page.requests if r["method"] == "PUT"], [])

    def test_a_missing_picture_is_told_of(self):
        page = self.page("#rig=head")
        page.drop([self.written(images=[{"uri": "no.png"}])])
        self.assertShown(page)
        self.assertStatusLine(page, "there is no no.png, which images[0].uri")

    def test_files_above_the_document_are_not_sent(self):
        root = self.written(buffers=[{"byteLength": 36, "uri": "../outside.bin"}])
        (self.parent / "outside.bin").write_bytes(bytes(36))
        page = self.page("#rig=head")
        page.drop([self.parent])
        self.assertStatusLine(page, 'buffers[0].uri "../outside.bin" must be a path below')
        self.assertStatus(self.client.get(rig_path("scene")), 404)
        self.assertTrue(root.exists())

    def test_a_folder_without_a_rig(self):
        (self.parent / "notes").mkdir()
        (self.parent / "notes" / "a.txt").write_text("a")
        page = self.page("#rig=head")
        page.drop([self.parent / "notes"])
        self.assertStatusLine(page, "None of the 1 files is a model that posed reads, such as a .gltf, .glb, .zip or .fbx.")


class OnTheElement(FolderPage):
    """<posed-viewer upload> on a page that comes from the daemon."""

    def shown(self, attributes):
        page = self.idle()
        page.evaluate(f"""(async () => {{
            await import('/js/element/posed-viewer.js');
            document.body.innerHTML = `<posed-viewer {attributes}></posed-viewer>`;
            window.viewer = document.querySelector('posed-viewer');
            viewer.style.cssText = 'position: fixed; left: 0; top: 0; width: 40px; height: 40px';
            window.seen = {{ upload: [], error: [], load: 0 }};
            for (const kind of ['upload', 'error']) {{
                viewer.addEventListener(kind, ({{ detail }}) => seen[kind].push(detail.message ?? detail));
            }}
            viewer.addEventListener('load', () => seen.load++);
        }})()""")
        return page

    def test_a_hundred_folders_are_dropped(self):
        page = self.shown("upload")
        for folder in folders.folders():
            with self.subTest(folder=folder.name):
                page.evaluate(f"viewer.setAttribute('upload', {folder.name!r})")
                page.drop([folder.write(self.parent).parent], (20, 20))
                page.wait(f"seen.upload.at(-1) === {folder.name!r} || seen.error.length > 0")
                self.assertEqual(page.evaluate("seen.error"), [])
                self.assertSame(folder, folder.name)

    def test_what_is_dropped_is_shown(self):
        self.put_rig("taken", (DEMO / "cyl2.glb").read_bytes())
        page = self.shown("upload rig='taken'")
        page.wait("seen.load === 1")
        page.drop([self.written()], (20, 20))
        page.wait("seen.load === 2")
        self.assertEqual(page.evaluate("[viewer.getAttribute('rig'), ...seen.upload]"), ["scene", "scene"])
        page.drop([self.written()], (20, 20))  # a name of a file replaces nothing
        page.wait("seen.error.length > 0")
        self.assertIn("scene", page.evaluate("viewer.shadowRoot.querySelector('[part=error]').textContent"))
        page.evaluate("viewer.setAttribute('upload', 'taken')")
        page.drop([self.written()], (20, 20))
        page.wait("seen.upload.at(-1) === 'taken'")
        page.wait("seen.load === 3")
        self.assertIn(b"scene.bin", self.client.get(rig_path("taken", "/source")).body)

    def test_files_of_an_input_are_uploaded(self):
        page = self.shown("upload")
        page.evaluate("""{
            const input = document.createElement('input');
            input.type = 'file';
            input.webkitdirectory = true;
            input.addEventListener('change', () => viewer.upload(input.files));
            document.body.append(input);
        }""")
        page.give_file("input", self.written())
        page.wait("seen.load === 1")
        self.assertNotIn(b"diary", self.client.get(rig_path("scene", "/source")).body)

    def test_nothing_is_taken_without_the_attribute(self):
        page = self.shown("")
        prevented = page.evaluate("""(() => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File(['x'], 'a.glb'));
            const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
            viewer.dispatchEvent(event);
            return seen.error.length + seen.upload.length;
        })()""")
        self.assertEqual(prevented, 0)

    def test_one_rig_at_a_time(self):
        page = self.shown("upload")
        page.drop([DEMO / "cyl2.glb", DEMO / "head.glb"], (20, 20))
        page.wait("seen.error.length > 0")
        self.assertEqual(page.evaluate("seen.error"), ["One rig at a time: cyl2.glb, head.glb."])


if __name__ == "__main__":
    unittest.main()
