"""tests/same_answers, which holds two builds against each other: a build agrees with itself, and what
differs is named by its place."""
import dataclasses
import json
import subprocess
import sys
import unittest

from daemon import ROOT, binary

TOOL = ROOT / "tests" / "same_answers"
sys.path.append(str(TOOL))
import compare  # noqa: E402
from exchange import Answer, Request  # noqa: E402

ASKED = Request("a request", "postPose", "POST", "/v1/pose")
PROBLEM = {"type": "urn:posed:unknown-clip", "status": 404, "detail": "no clip", "pointer": "/pose/clip"}


class TheComparison(unittest.TestCase):
    def answer(self, body=b"{}", status=200, kind="application/json", **headers):
        fields = [(name.replace("_", "-"), value) for name, value in headers.items()]
        return Answer(status, [("Content-Type", kind), *fields], body)

    def differences(self, old, new, operation="postPose"):
        asked = dataclasses.replace(ASKED, operation=operation)
        found = compare.compare(asked, old, new, compare.Tags())
        return [(difference.where, difference.kind) for difference in found]

    def json(self, value, **more):
        return self.answer(json.dumps(value).encode(), **more)

    def test_the_same_is_the_same(self):
        old = self.answer(ETag='"a"', Date="now", Posed_Request_Id="1")
        new = self.answer(ETag='"b"', Date="then", Posed_Request_Id="2", Server_Timing="queue;dur=1")
        self.assertEqual(self.differences(old, new), [])

    def test_each_part_of_an_answer_is_named(self):
        for name, old, new, where in (
            ("status", self.answer(), self.answer(status=201), "status"),
            ("value", self.answer(Vary="Accept"), self.answer(Vary="Origin"), "header Vary"),
            ("header", self.answer(Vary="Accept"), self.answer(), "header Vary"),
            ("request id", self.answer(Posed_Request_Id="1"), self.answer(), "header Posed-Request-Id"),
            ("number", self.json({"a": [1, 2.0]}), self.json({"a": [1, 2.5]}), "/a/1"),
            ("kind", self.json({"a": 1}), self.json({"a": "1"}), "/a"),
            ("digits", self.answer(b'{"a": 1.0}'), self.answer(b'{"a": 1.00}'), "/a"),
            ("order", self.answer(b'{"a":1,"b":2}'), self.answer(b'{"b":2,"a":1}'), "members of /"),
            ("blank", self.answer(b'{"a":1}'), self.answer(b'{"a": 1}'),
             "byte 5 of 7 (new: 8) (the same values)"),
            ("byte", self.answer(b"abcd", kind="image/png"), self.answer(b"abxd", kind="image/png"),
             "byte 2 of 4"),
            ("pointer", self.json(PROBLEM), self.json({**PROBLEM, "pointer": "/pose"}), "/pointer"),
        ):
            with self.subTest(name):
                self.assertEqual(self.differences(old, new), [(where, "")])

    def test_sentences_for_people_are_told_apart(self):
        new = self.json({**PROBLEM, "detail": "there is no clip"})
        self.assertEqual(self.differences(self.json(PROBLEM), new), [("/detail", "text")])

    def test_the_code_of_a_shader_is_held_and_its_comments_are_not(self):
        asked = dataclasses.replace(ASKED, method="GET", target="/v1/shaders/dqs", operation="getShader")
        for new, kind in ((b"// b\nfloat a = 1.0;", "text"), (b"// a\nfloat a = 2.0;", "")):
            found = compare.compare(asked, self.answer(b"// a\nfloat a = 1.0;", kind="text/plain"),
                                    self.answer(new, kind="text/plain"), compare.Tags())
            self.assertEqual([difference.kind for difference in found], [kind])

    def test_tags_are_shared_by_the_same_answers(self):
        tags = compare.Tags()
        one, other = self.answer(ETag='"a"'), self.answer(ETag='"b"')
        self.assertEqual(compare.compare(ASKED, one, other, tags), [])
        self.assertEqual(compare.compare(ASKED, one, other, tags), [])
        found = compare.compare(ASKED, one, one, tags)
        self.assertEqual([difference.where for difference in found], ["header ETag"])

    def test_streams_are_compared_in_the_frames_that_both_have(self):
        def stream(**parts):
            return Answer(200, [], b"", {name: value for name, value in parts.items()})
        self.assertEqual(self.differences(stream(a=b"1", b=b"2"), stream(a=b"1", c=b"3")), [])
        self.assertEqual(self.differences(stream(a=b"1", b=b"2"), stream(a=b"1", b=b"3")),
                         [("frame b, byte 0 of 1", "")])
        self.assertEqual(self.differences(stream(a=b"1"), stream(b=b"1")), [("frames", "")])


class TheTool(unittest.TestCase):
    def test_a_build_agrees_with_itself(self):
        run = subprocess.run([sys.executable, TOOL / "run.py", "--only", "list:", binary(),
                              binary()], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("\n0 differences in 0 answers", run.stdout)
        self.assertNotIn("NO REQUEST", run.stdout)
