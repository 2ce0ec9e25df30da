"""Wrong links (GET .../frame.png?...) are refused with the name of the parameter."""
import unittest

import rigs
from case import DaemonCase
from client import PNG, rig_path


class LinkRefusals(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_rig("column", rigs.column([(0.1, 1, 0)] * 3).glb())

    def refuse(self, status, codes, parameter, says=(), **query):
        with self.subTest(**query):
            reply = self.client.picture_link("column", **query)
            self.assertProblem(reply, status, codes, parameter=parameter, says=says)

    def raw(self, query):
        return self.client.get(rig_path("column", "/frame.png?" + query))

    def test_unknown_parameter_is_named(self):
        for name in ("widht", "Width", "eye", "rig", "pose"):
            self.refuse(400, ("unknown-member", "invalid-value"), name, name, **{name: "1"})

    def test_camera_is_a_preset(self):
        self.refuse(400, "invalid-value", "camera", "three_quarter", camera="1")

    def test_sizes_are_whole_numbers_from_1_to_4096(self):
        for name in ("width", "height"):
            for value in (
                "0",
                "-1",
                "4097",
                "99999999999999999999",
                "12.5",
                "abc",
                "",
                "0x10",
                "1e2",
                "64px",
                " 64",
            ):
                self.refuse(400, "invalid-value", name, **{name: value})

    def test_numbers_are_finite_numbers(self):
        for name in ("yaw", "pitch", "distance", "fov"):
            for value in ("nan", "inf", "-inf", "1e999", "front", "", "1,5", "3 4", "0x1p3"):
                self.refuse(400, "invalid-value", name, **{name: value})
        for value in ("nan", "inf", "soon", ""):
            self.refuse(400, "invalid-value", "time", clip="twist", time=value)
            self.refuse(400, "invalid-value", "phase", clip="twist", phase=value)

    def test_phase_is_0_to_1(self):
        for value in ("-0.1", "1.1"):
            self.refuse(400, "invalid-value", "phase", clip="twist", phase=value)

    def test_time_together_with_phase_is_refused(self):
        self.refuse(400, "invalid-value", ("time", "phase"), clip="twist", time="0", phase="0")

    def test_time_without_a_clip_is_refused(self):
        # It would change nothing: a parameter must not be ignored silently.
        for name in ("time", "phase"):
            self.refuse(400, "invalid-value", (name, "clip"), **{name: "0.5"})
        self.refuse(400, "invalid-value", ("loop", "clip"), loop="repeat")

    def test_unknown_clip_is_named_with_those_there_are(self):
        self.refuse(404, "unknown-clip", "clip", ('"Wlak"', "twist", "bend"), clip="Wlak")

    def test_words_are_of_their_lists(self):
        self.refuse(
            400, "invalid-value", "loop", "ping_pong", clip="twist", time="0", loop="bounce"
        )
        self.refuse(400, "unknown-method", "skinning", ("lbs", "dqs"), skinning="lsb")
        self.refuse(400, "invalid-value", "fit", "clip", fit="all")
        for colour in ("white", "#12", "ffffff"):
            self.refuse(400, "invalid-value", "background", background=colour)

    def test_parameter_given_twice_is_refused(self):
        reply = self.raw("width=64&width=65")
        self.assertProblem(reply, 400, "invalid-value", parameter="width")

    def test_unknown_rig_is_named(self):
        reply = self.client.picture_link("nobody")
        self.assertProblem(reply, 404, "unknown-rig", says="nobody")

    def test_values_are_percent_decoded(self):
        # '#' and a space in a name must be percent-encoded; '+' is a plus sign or a space in forms.
        tiny = rigs.triangle()
        tiny.clip(
            [(0, "translation", [0, 1], [(0, 0, 0), (1, 0, 0)], "LINEAR")], name="Übung & Spaß #1"
        )
        self.put_rig("coded", tiny.glb())
        clip = "%C3%9Cbung%20%26%20Spa%C3%9F%20%231"
        path = f"/frame.png?width=8&height=8&clip={clip}&time=1&background=%23ffffff"
        self.assertEqual(self.assertStatus(self.client.get(rig_path("coded", path)), 200).kind, PNG)

    def test_bytes_that_are_no_utf8_are_refused(self):
        self.assertProblem(self.raw("clip=%FF%FE"), 400, ("invalid-value", "invalid-name"))

    def test_booleans_are_true_or_false(self):
        for text in ("yes", "1", "", "True"):
            self.assertProblem(self.raw("lossless=" + text), 400, "invalid-value",
                               parameter="lossless", says="true or false")

    def test_other_extensions_are_no_route(self):
        for rest in ("/frame.bmp", "/frame.", "/frame.PNG", "/frame", "/frame.png/", "/frame.png/x"):
            self.assertProblem(self.client.get(rig_path("column", rest)), 404, "unknown-route")


if __name__ == "__main__":
    unittest.main()
