"""Pictures over HTTP against kept ones, each by its own tolerance (golden.json says why that)."""
import unittest

import golden
from case import DaemonCase

LIMIT_BYTES = 1 << 20  # of all that are kept


class Golden(DaemonCase):
    needs_driver = True

    @classmethod
    def prepare(cls):
        for name, glb in golden.rigs():
            cls.put_rig(name, glb)
        cls.is_software = b"llvmpipe" in cls.client.get("/readyz").body

    def tolerance(self, scene):
        """(most, mean), wider on a driver that did not draw what is kept."""
        if self.is_software:
            return scene["most"], scene["mean"]
        other = golden.TABLE["other_drivers"]
        return other["most"], max(other["mean"], scene["mean"])

    def test_pictures_are_as_they_were(self):
        for scene in golden.TABLE["pictures"]:
            with self.subTest(scene["name"]):
                drawn = golden.ask(self.client, scene)
                most, mean = golden.differences(drawn, golden.kept(scene).read_bytes())
                may_most, may_mean = self.tolerance(scene)
                self.assertLessEqual(mean, may_mean, f"mean; most is {most}")
                self.assertLessEqual(most, may_most, f"most; mean is {mean}")

    def test_the_same_request_gives_the_same_bytes(self):
        scene = golden.TABLE["pictures"][0]
        first = golden.ask(self.client, scene)
        for name, glb in golden.rigs():  # nothing that was kept of the rigs answers
            self.client.delete(name)
            self.put_rig(name, glb)
        self.assertEqual(golden.ask(self.client, scene), first)

    def test_kept_pictures_are_small_and_those_of_the_table(self):
        found = sorted((golden.HERE / "pictures").glob("*.png"))
        self.assertEqual(found, sorted(map(golden.kept, golden.TABLE["pictures"])))
        self.assertLess(sum(path.stat().st_size for path in found), LIMIT_BYTES)

    def test_another_picture_would_be_noticed(self):
        # A light that is a twentieth of a stop brighter is beyond the tolerance.
        scene = golden.TABLE["pictures"][0]
        brighter = {**scene, "request": {**scene["request"], "exposure": 0.05}}
        drawn = golden.ask(self.client, brighter)
        _, mean = golden.differences(drawn, golden.kept(scene).read_bytes())
        self.assertGreater(mean, scene["mean"])


class OwnRasteriser(DaemonCase):
    """Pictures without a driver: to the bit those of own_pixels.json, on every machine; and near those
    of the driver, since both draw the same scenes."""

    daemon_args = ("--renderer", "cpu")

    @classmethod
    def prepare(cls):
        for name, glb in golden.rigs():
            cls.put_rig(name, glb)

    def test_pixels_are_exactly_those_of_every_machine(self):
        for scene in golden.TABLE["pictures"]:
            with self.subTest(scene["name"]):
                drawn = golden.ask(self.client, scene)
                self.assertEqual(golden.fingerprint(drawn), golden.own()["pixels"][scene["name"]])

    def test_pictures_are_near_those_of_the_driver(self):
        other = golden.TABLE["other_drivers"]
        for scene in golden.TABLE["pictures"]:
            with self.subTest(scene["name"]):
                drawn = golden.ask(self.client, scene)
                most, mean = golden.differences(drawn, golden.kept(scene).read_bytes())
                self.assertLessEqual(mean, max(other["mean"], scene["mean"]), f"most is {most}")

    def test_tags_stay_from_build_to_build(self):
        # Of the request, the rig and the rasteriser's version; raise it with the pixels.
        reply = golden.reply(self.client, golden.TABLE["pictures"][0])
        self.assertEqual(reply.headers["ETag"], golden.own()["tag"])


if __name__ == "__main__":
    unittest.main()
