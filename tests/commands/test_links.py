"""Links between the documents lead to pages and headings that exist, the files that the documents name
exist, and docs/architecture.md has the folders and functions of the tree."""
import re
import unittest

from commands import documents
from daemon import ROOT

ARCHITECTURE = ROOT / "docs" / "architecture.md"
FOLDERS = ("assets", "clients", "docs", "protocol", "renderer", "sandbox", "server", "shaders", "tests")


def text_of(path):
    """A document without its blocks of code."""
    return re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)


def anchors(path):
    """The anchors that GitHub makes of a document's headings."""
    headings = re.findall(r"^#+ (.*)$", text_of(path), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
            for heading in headings}


def links(path):
    return [link for link in re.findall(r"\]\(([^)\s]+)\)", text_of(path))
            if not link.startswith("http")]


def named_files(path):
    """Paths between backticks, without placeholders."""
    pattern = rf"`((?:{'|'.join(FOLDERS)})/[\w./-]*)`"
    return [name for name in re.findall(pattern, text_of(path)) if not re.search("[A-Z]{3}", name)]


class Links(unittest.TestCase):
    def test_each_leads_to_a_page_and_a_heading(self):
        count = 0
        for name, document in documents().items():
            for link in links(document):
                with self.subTest(document=name, link=link):
                    path, _, anchor = link.partition("#")
                    target = document.parent / path if path else document
                    self.assertTrue(target.exists())
                    if anchor:
                        self.assertIn(anchor, anchors(target))
                    count += 1
        self.assertGreater(count, 50)

    def test_each_page_can_be_reached_from_the_readme(self):
        reached, waiting = set(), [ROOT / "README.md"]
        while waiting:
            document = waiting.pop()
            if document.suffix != ".md" or document in reached:
                continue
            reached.add(document)
            waiting += [(document.parent / link.partition("#")[0]).resolve()
                        for link in links(document) if not link.startswith("#")]
        self.assertEqual(set(documents().values()) - reached, set())

    def test_each_named_file_exists(self):
        count = 0
        for name, document in documents().items():
            for file in named_files(document):
                with self.subTest(document=name, file=file):
                    self.assertTrue((ROOT / file).exists())
                    count += 1
        self.assertGreater(count, 30)


class Architecture(unittest.TestCase):
    def section(self, heading):
        text = ARCHITECTURE.read_text(encoding="utf-8")
        return re.search(rf"^#+ {heading}\n(.*?)(?=^#)", text + "#", re.M | re.S)[1]

    def test_the_tables_have_the_folders_of_server_and_renderer(self):
        for parent in ("server", "renderer"):
            with self.subTest(parent):
                rows = re.findall(r"^\| (`[^|]+) \|", self.section(parent + "/"), re.M)
                listed = re.findall(r"`([a-z_]+)`", " ".join(rows))
                folders = {path.name for path in (ROOT / parent).iterdir() if path.is_dir()}
                self.assertEqual(len(listed), len(set(listed)))
                self.assertEqual(set(listed), folders - {"deploy"})

    def test_each_function_on_the_way_of_a_request_is_in_its_file(self):
        walk = re.findall(r"^ *\d+ +(\S+\.c) +(\w+)\(\)", ARCHITECTURE.read_text(), re.M)
        for file, function in walk:
            with self.subTest(file=file, function=function):
                self.assertRegex((ROOT / file).read_text(), rf"(?m)^\w.*\b{function}\(")
        self.assertGreater(len(walk), 20)
        self.assertLessEqual(len({file for file, _ in walk}), 25)


if __name__ == "__main__":
    unittest.main()
