"""Every example of docs/poses.md is a pose of the demo rigs, and every operation has one; every
example of docs/pictures.md is a picture of them, and those of docs/vertices.md and
docs/bake.md are requests."""
import json
import re

from case import ROOT, DaemonCase

POSES = ROOT / "docs" / "poses.md"
VERTICES = ROOT / "docs" / "vertices.md"
BAKE = ROOT / "docs" / "bake.md"
PICTURES = ROOT / "docs" / "pictures.md"

# Operations that need a rig of a VRM file, which the demo rigs are not.
OF_AVATARS = ("expression", "springs", "constraints", "avatar")


def examples(page):
    """[(heading, value)] of a page's blocks of JSON."""
    found = []
    for section in re.split(r"^## ", page.read_text(), flags=re.M)[1:]:
        heading = section.partition("\n")[0].strip()
        for block in re.findall(r"^```json\n(.*?)^```", section, flags=re.M | re.S):
            found.append((heading, json.loads(block)))
    return found


class Poses(DaemonCase):
    @classmethod
    def prepare(cls):
        for name in ("humanoid", "head", "cyl2", "tube23"):
            cls.put_demo(name)

    def test_every_example_is_a_pose_of_the_humanoid(self):
        for heading, expression in examples(POSES):
            with self.subTest(example=heading):
                reply = self.client.post("pose", {"rig": "humanoid", "pose": expression})
                if heading in OF_AVATARS:
                    self.assertProblem(reply, 422, "missing-data", says=("no avatar",))
                else:
                    self.assertEqual(reply.status, 200, reply)

    def test_every_operation_has_an_example_under_its_name(self):
        named = {row["name"] for row in self.client.get("/v1").json()["pose_operations"]}
        self.assertEqual(named - {heading for heading, _ in examples(POSES)}, set())


class Vertices(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_demo("humanoid")

    def test_every_example_is_answered(self):
        for heading, request in examples(VERTICES):
            with self.subTest(example=heading):
                reply = self.client.post("vertices", request)
                self.assertEqual(reply.status, 200, reply)


class Pictures(DaemonCase):
    @classmethod
    def prepare(cls):
        for name in ("humanoid", "head", "cyl2", "tube23"):
            cls.put_demo(name)

    def test_every_example_is_a_picture(self):
        for heading, request in examples(PICTURES):
            with self.subTest(example=heading, request=request):
                many = {"times", "turntable", "format", "fps", "poses"} & set(request)
                reply = self.client.post("frames" if many else "frame", request)
                self.assertEqual(reply.status, 200, reply)


class Bakes(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_demo("humanoid")

    def test_every_example_is_answered(self):
        for heading, request in examples(BAKE):
            with self.subTest(example=heading):
                reply = self.client.post("bake", request)
                self.assertEqual(reply.status, 200, reply)
