"""The page's files as any HTTP client gets them."""
import gzip
import re

from case import ROOT, DaemonCase

ROOT_OF_SOURCES = ROOT / "clients" / "js"
# Types are for compilers, which have them from the package.
SOURCES = [source for folder in ("client", "element", "three", "viewer")
           for source in sorted((ROOT_OF_SOURCES / folder).iterdir())
           if not source.name.endswith(".d.ts")
           and (folder != "viewer" or source.suffix != ".js" or source.name == "first_picture.js")]
BUNDLE = "/js/viewer/main.js"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
# Names of vocabularies, which nothing loads.
NAMES = ("http://www.w3.org/2000/svg",)


def path_of(source):
    path = source.relative_to(ROOT_OF_SOURCES)
    return "/" if source.name == "index.html" else f"/js/{path}"


class Files(DaemonCase):
    def test_each_is_the_source_s_bytes_with_its_type(self):
        for source in SOURCES:
            with self.subTest(file=source.name):
                reply = self.assertStatus(self.client.get(path_of(source)), 200)
                self.assertEqual(reply.body, source.read_bytes())
                self.assertEqual(reply.headers["Content-Type"], TYPES[source.suffix])
                self.assertEqual(reply.headers["X-Content-Type-Options"], "nosniff")

    def test_viewer_s_modules_come_in_one_file_that_imports_nothing(self):
        reply = self.assertStatus(self.client.get(BUNDLE), 200)
        self.assertEqual(reply.headers["Content-Type"], TYPES[".js"])
        self.assertNotRegex(reply.body, rb"(?:^|;)import\b")
        self.assertNotIn(b"sourceMappingURL", reply.body)

    def test_compressed_bytes_are_the_same_under_another_tag(self):
        for path in ("/", BUNDLE, "/js/element/posed-viewer.js"):
            plain = self.assertStatus(self.client.get(path), 200)
            self.assertNotIn("Content-Encoding", plain.headers)
            self.assertEqual(plain.headers["Vary"], "Accept-Encoding")
            for takes, is_taken in (("gzip, br", True), ("br, *;q=0.1", True), ("gzip;q=0", False),
                                    ("identity", False), ("br", False)):
                reply = self.assertStatus(
                    self.client.request("GET", path, headers={"Accept-Encoding": takes}), 200)
                self.assertEqual(reply.headers.get("Content-Encoding"), "gzip" if is_taken else None)
                self.assertEqual(reply.headers["Vary"], "Accept-Encoding")
                body = gzip.decompress(reply.body) if is_taken else reply.body
                self.assertEqual(body, plain.body)
                self.assertEqual(reply.headers["ETag"] != plain.headers["ETag"], is_taken)
                if is_taken:
                    self.assertLess(len(reply.body), len(plain.body) / 2)

    def test_policy_lets_nothing_in_but_the_daemon_s_own(self):
        for path in ("/", "/js/viewer/main.js"):
            policy = self.client.get(path).headers["Content-Security-Policy"]
            rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
            self.assertEqual(rules["default-src"], "'none'")
            self.assertEqual(rules["frame-ancestors"], "'none'")
            self.assertEqual(rules["script-src"], "'self'")
            self.assertEqual(rules["style-src"], "'self'")
            self.assertEqual(rules["connect-src"], "'self'")
            self.assertNotIn("unsafe", policy)
            self.assertNotIn("http", policy)

    def test_tag_is_of_the_content_and_gives_304(self):
        page = self.client.get("/")
        script = self.client.get("/js/viewer/main.js")
        self.assertNotEqual(page.headers["ETag"], script.headers["ETag"])
        self.assertEqual(page.headers["Cache-Control"], "no-cache")
        again = self.assertStatus(self.client.get("/", if_none_match=page.headers["ETag"]), 304)
        self.assertEqual(again.body, b"")
        self.assertEqual(again.headers["ETag"], page.headers["ETag"])
        self.assertStatus(self.client.get("/", if_none_match=script.headers["ETag"]), 200)

    def test_head_has_the_headers_of_get(self):
        for path in ("/", "/js/viewer/viewer.css"):
            got = self.client.get(path)
            head = self.assertStatus(self.client.request("HEAD", path), 200)
            self.assertEqual(head.body, b"")
            for name in ("Content-Length", "Content-Type", "ETag", "Content-Security-Policy"):
                self.assertEqual(head.headers[name], got.headers[name], name)

    def test_other_methods_are_refused(self):
        for path in ("/", "/js/viewer/main.js"):
            for method in ("POST", "PUT", "DELETE"):
                reply = self.client.request(method, path, b"")
                self.assertProblem(reply, 405, "method-not-allowed")
                self.assertEqual(reply.headers["Allow"], "GET, HEAD, OPTIONS")

    def test_what_is_no_file_of_it_is_not_there(self):
        for name in ("nothing.js", "main.js.map", "main.js%00.css", "..%2Fviewer.c", "../package.json"):
            reply = self.client.get("/js/viewer/" + name)
            self.assertIn(reply.status, (400, 404), str(reply))
        reply = self.client.get("/js/viewer/nothing.js")
        self.assertProblem(reply, 404, "unknown-route", says="nothing.js")

    def test_nothing_leads_to_another_host(self):
        for source in SOURCES:
            text = source.read_text()
            for name in NAMES:
                text = text.replace(name, "")
            self.assertEqual(
                re.findall(r"(?:https?:)?//[a-z0-9-]+\.[a-z]+.*", text), [], source.name
            )
            self.assertNotIn("@import", text, source.name)

    def test_page_has_no_script_or_style_in_it(self):
        text = (ROOT_OF_SOURCES / "viewer" / "index.html").read_text()
        self.assertEqual(re.findall(r"\son\w+=|\sstyle=|<style|<script(?![^>]*\ssrc=)", text), [])
