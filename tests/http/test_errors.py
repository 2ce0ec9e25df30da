"""Wrong requests are refused with the status, the URN, the words and the place promised."""
import json
import unittest

import rigs
from case import DaemonCase
from client import JSON

TWIST = {"clip": "twist", "time": 0}
LONG = "x" * 5000


class Refusals(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_rig("column", rigs.column([(0.1, 1, 0)] * 3).glb())

    def refuse(
        self, status, codes, pointer, says=(), routes=("pose", "vertices", "frame"), **members
    ):
        """The request is wrong in the same way on each route."""
        for route in routes:
            with self.subTest(route=route, **members):
                request = {"rig": "column", "pose": "rest", **members}
                request = {name: value for name, value in request.items() if value is not ...}
                reply = self.client.post(route, request)
                self.assertProblem(reply, status, codes, pointer=pointer, says=says)


class NotJson(Refusals):
    def test_bytes_that_are_no_json_are_refused(self):
        for body in (
            b"",
            b"{",
            b"{]",
            b"nonsense",
            b"\x00",
            b"{'rig': 'column'}",
            b'{"rig": "column",}',
            b'{"rig": "col',
            b"// no\n{}",
            b'{"rig": "column"} {}',
            b'{"rig": "column"} x',
            b"\xef\xbb\xbf{",
            b'{"rig": "\xff\xfe"}',
            b'{"rig": "\\ud800"}',
            b'{"rig": "a\nb"}',
            b"glTF\x02\x00\x00\x00",
        ):
            for route in ("pose", "vertices", "frame"):
                with self.subTest(route=route, body=body):
                    self.assertProblem(self.client.post(route, body), 400, "invalid-json",
                                       says=() if body else "no body")

    def test_numbers_that_are_not_finite_are_refused(self):
        for number in (b"NaN", b"Infinity", b"-Infinity", b"1e999", b"-1e999"):
            body = b'{"rig": "column", "pose": {"clip": "twist", "time": ' + number + b"}}"
            for route in ("pose", "vertices", "frame"):
                with self.subTest(route=route, number=number):
                    self.assertProblem(
                        self.client.post(route, body), 400, ("invalid-json", "invalid-value")
                    )

    def test_duplicate_members_are_refused(self):
        # Duplicate members are ambiguous: a result must not depend on the parser's choice.
        for body in (
            b'{"rig": "other", "rig": "column", "pose": "rest"}',
            b'{"rig": "column", "pose": {"clip": "twist", "time": 0, "time": 1}}',
            b'{"rig": "column", "pose": "rest", "skinning": {"method": "lbs", "method": "dqs"}}',
        ):
            with self.subTest(body=body):
                self.assertProblem(
                    self.client.post("vertices", body), 400, ("invalid-json", "invalid-value")
                )

    def test_json_that_is_no_object_is_refused(self):
        for body in (b"[]", b"null", b"true", b"3", b'"rest"', b'[{"rig": "column"}]'):
            with self.subTest(body=body):
                self.assertProblem(
                    self.client.post("pose", body), 400, ("invalid-value", "invalid-json")
                )

    def test_deep_nesting_is_refused_and_survived(self):
        deep = b"[" * 10000
        blend = b'{"blend": [{"pose": ' * 5000
        for body in (
            deep,
            deep + b"]" * 10000,
            b'{"rig": "column", "pose": ' + deep + b"]" * 10000 + b"}",
            b'{"a":' * 10000 + b"1" + b"}" * 10000,
            b'{"rig": "column", "pose": ' + blend + b'"rest"' + b"}]}" * 5000 + b"}",
        ):
            reply = self.client.post("pose", body)
            self.assertProblem(
                reply, 400, ("invalid-json", "invalid-value", "unknown-operation", "unknown-member")
            )
        self.assertStatus(self.client.pose("column"), 200)


class UnknownMembers(Refusals):
    def test_typo_at_any_level_is_refused_with_its_pointer(self):
        everywhere = ("pose", "vertices", "frame")
        for pointer, routes, members in (
            ("/widht", everywhere, {"widht": 256}),
            ("/Rig", everywhere, {"Rig": "column"}),
            ("/pose/tiem", everywhere, {"pose": {"clip": "twist", "tiem": 1}}),
            (
                "/poses/1/tiem",
                ("pose", "vertices"),
                {"pose": ..., "poses": ["rest", {**TWIST, "tiem": 1}]},
            ),
            ("/skinning/methd", everywhere, {"skinning": {"methd": "dqs"}}),
            ("/camera/jaw", ("frame",), {"camera": {"jaw": 30}}),
            ("/a~1b", everywhere, {"a/b": 1}),
            ("/a~0b", everywhere, {"a~b": 1}),
        ):
            name = pointer.rsplit("/", 1)[1].replace("~1", "/").replace("~0", "~")
            self.refuse(400, "unknown-member", pointer, name, routes, **members)

    def test_members_of_another_route_are_unknown(self):
        self.refuse(
            400, "unknown-member", "/camera", "camera", ("pose", "vertices"), camera={"yaw": 3}
        )
        self.refuse(
            400,
            "unknown-member",
            "/attributes",
            "attributes",
            ("pose", "frame"),
            attributes=["position"],
        )
        self.refuse(400, "unknown-member", "/space", "space", ("vertices", "frame"), space="both")

    def test_detail_lists_the_known_members(self):
        reply = self.client.post("vertices", {"rig": "column", "pose": "rest", "atributes": []})
        says = ("atributes", "attributes", "skinning")
        self.assertProblem(reply, 400, "unknown-member", pointer="/atributes", says=says)


class WrongRigsAndClips(Refusals):
    def test_unknown_rig_is_named(self):
        self.refuse(404, "unknown-rig", "/rig", "nobody", rig="nobody")

    def test_rig_of_the_wrong_type_or_missing_is_refused(self):
        for rig in (3, None, True, [], {}, ["column"]):
            self.refuse(400, "invalid-value", "/rig", rig=rig)
        self.refuse(400, "invalid-value", ("/rig", ""), "rig", rig=...)

    def test_unknown_clip_is_named_with_those_there_are(self):
        for clip in ("Wlak", "", "TWIST", "twist "):
            says = (f'"{clip}"', "column", "twist", "bend")
            self.refuse(404, "unknown-clip", "/pose/clip", says, pose={"clip": clip, "time": 0})

    def test_clip_index_that_is_none_is_refused(self):
        for clip in (2, -1, 0.5, 1 << 40):
            self.refuse(
                404, "unknown-clip", "/pose/clip", str(clip), pose={"clip": clip, "time": 0}
            )

    def test_clip_of_the_wrong_type_is_refused(self):
        for clip in (None, True, [], {}):
            self.refuse(400, "invalid-value", "/pose/clip", pose={"clip": clip, "time": 0})

    def test_place_of_a_wrong_clip_in_a_list_is_given(self):
        poses = ["rest", TWIST, {"clip": "nope", "time": 0}]
        self.refuse(
            404,
            "unknown-clip",
            "/poses/2/clip",
            "nope",
            ("pose", "vertices"),
            pose=...,
            poses=poses,
        )

    def test_names_from_the_client_are_safe_in_the_answer(self):
        # Control characters, quotes, long and non-ASCII names must leave the problem valid JSON.
        for name in ('"\\\n\r\t\x01', LONG, "名前\u202e", "%s%n%d", "</script>"):
            self.refuse(404, "unknown-rig", "/rig", rig=name)
            self.refuse(404, "unknown-clip", "/pose/clip", pose={"clip": name, "time": 0})


class WrongPoses(Refusals):
    def test_unknown_operations_are_refused_with_the_known_ones(self):
        codes = ("unknown-operation", "invalid-value")
        for pose in ("stand", "", "Rest"):
            self.refuse(400, codes, "/pose", "rest", pose=pose)
        self.refuse(
            400,
            ("unknown-operation", "unknown-member"),
            ("/pose", "/pose/dance"),
            "clip",
            pose={"dance": 1},
        )
        self.refuse(400, ("unknown-operation", "invalid-value"), "/pose", pose={})

    def test_pose_of_the_wrong_type_is_refused(self):
        for pose in (3, True, None, [], ["rest"]):
            self.refuse(400, ("invalid-value", "unknown-operation"), "/pose", pose=pose)

    def test_time_together_with_phase_is_refused(self):
        both = {"clip": "twist", "time": 0, "phase": 0}
        self.refuse(
            400,
            "invalid-value",
            ("/pose", "/pose/phase", "/pose/time"),
            ("time", "phase"),
            pose=both,
        )

    def test_phase_is_0_to_1(self):
        for phase in (-0.001, 1.001, -1, 2, 1e30):
            self.refuse(400, "invalid-value", "/pose/phase", pose={"clip": "twist", "phase": phase})

    def test_time_and_phase_are_numbers(self):
        for value in ("0.5", None, True, [0], {}):
            self.refuse(400, "invalid-value", "/pose/time", pose={"clip": "twist", "time": value})
            self.refuse(400, "invalid-value", "/pose/phase", pose={"clip": "twist", "phase": value})

    def test_unknown_loop_is_refused_with_the_known_ones(self):
        says = ("clamp", "repeat", "ping_pong")
        for loop in ("pingpong", "Loop", ""):
            pose = {"clip": "twist", "time": 0, "loop": loop}
            self.refuse(400, "invalid-value", "/pose/loop", (f'"{loop}"', *says), pose=pose)
        for loop in (1, None, True, ["clamp"]):
            self.refuse(
                400, "invalid-value", "/pose/loop", pose={"clip": "twist", "time": 0, "loop": loop}
            )

    def test_pose_and_poses_together_are_refused(self):
        places = ("/poses", "/pose", "")
        self.refuse(400, "invalid-value", places, ("poses",), ("pose", "vertices"), poses=["rest"])

    def test_poses_are_a_list_of_at_most_4096(self):
        two = ("pose", "vertices")
        for poses in ("rest", {}, 3, None):
            self.refuse(400, "invalid-value", "/poses", (), two, pose=..., poses=poses)
        for route in two:
            reply = self.client.post(route, {"rig": "column", "poses": ["rest"] * 4097})
            self.assertIn(reply.status, (400, 413))
            self.assertProblem(
                reply, reply.status, ("invalid-value", "too-large"), pointer="/poses", says="4096"
            )


class WrongSkinning(Refusals):
    ALL = ("pose", "vertices", "frame")

    def test_unknown_method_is_refused_with_the_known_ones(self):
        for method in ("lsb", "LBS", "", "linear"):
            says = (f'"{method}"', "lbs", "dqs")
            self.refuse(400, "unknown-method", "/skinning", says, self.ALL, skinning=method)
            self.refuse(
                400,
                "unknown-method",
                "/skinning/method",
                says,
                self.ALL,
                skinning={"method": method},
            )

    def test_device_and_normals_are_of_their_lists(self):
        for device in ("cuda", "GPU", ""):
            skinning = {"method": "lbs", "device": device}
            says = (f'"{device}"', "auto", "gpu", "cpu")
            self.refuse(400, "invalid-value", "/skinning/device", says, self.ALL, skinning=skinning)
        for normals in ("n_cof", "smooth"):
            skinning = {"method": "lbs", "normals": normals}
            codes = ("invalid-value", "unknown-method")
            self.refuse(
                400,
                codes,
                "/skinning/normals",
                (f'"{normals}"', "cof"),
                self.ALL,
                skinning=skinning,
            )

    def test_skinning_of_the_wrong_type_is_refused(self):
        for skinning in (3, True, None, [], ["lbs"]):
            self.refuse(400, "invalid-value", "/skinning", (), self.ALL, skinning=skinning)
        for value in (3, True, None, [], {}):
            for member in ("method", "device", "normals"):
                skinning = {"method": "lbs", member: value}
                self.refuse(
                    400, "invalid-value", f"/skinning/{member}", (), self.ALL, skinning=skinning
                )


class WrongAttributesAndSpaces(Refusals):
    def test_unknown_attribute_is_refused_with_the_known_ones(self):
        says = ("colour", "position", "normal")
        attributes = ["position", "colour"]
        self.refuse(
            400, "invalid-value", "/attributes/1", says, ("vertices",), attributes=attributes
        )
        for attributes in ("position", 3, {}, None):
            self.refuse(
                400, "invalid-value", "/attributes", (), ("vertices",), attributes=attributes
            )
        for attribute in (3, None, ["position"]):
            self.refuse(
                400, "invalid-value", "/attributes/0", (), ("vertices",), attributes=[attribute]
            )

    def test_unknown_space_is_refused_with_the_known_ones(self):
        says = ('"model"', "local", "world", "both")
        self.refuse(400, "invalid-value", "/space", says, ("pose",), space="model")
        for space in (3, None, ["local"]):
            self.refuse(400, "invalid-value", "/space", (), ("pose",), space=space)


class WrongPictures(Refusals):
    def frame(self, pointer, says=(), codes="invalid-value", **members):
        self.refuse(400, codes, pointer, says, ("frame",), **members)

    def test_sizes_are_whole_numbers_from_1_to_4096(self):
        for member in ("width", "height"):
            for size in (0, -1, 4097, 1 << 40, -(1 << 40), 256.5, "256", None, True, [256]):
                says = ("4096",) if isinstance(size, int) and size is not True else ()
                self.frame("/" + member, says, **{member: size})

    def test_samples_are_a_number_that_makes_sense(self):
        for samples in (-1, 0.5, "4", None, True, 1 << 40):
            self.frame("/samples", samples=samples)

    def test_background_is_a_colour(self):
        for colour in (
            "white",
            "#fff",
            "#gggggg",
            "#12345",
            "ffffff",
            "#1234567",
            "#123456789",
            3,
            None,
            [1, 1, 1],
        ):
            self.frame("/background", background=colour)

    def test_camera_members_are_numbers(self):
        self.frame("/camera", camera="frnt")
        self.frame("/camera", camera=[30, 10])
        for member in ("yaw", "pitch", "distance", "fov"):
            for value in ("30", None, True, [30]):
                self.frame(f"/camera/{member}", camera={member: value})

    def test_camera_values_that_show_nothing_are_refused(self):
        for fov in (0, -10, 180, 1000):
            self.frame("/camera/fov", camera={"fov": fov})
        for distance in (0, -1):
            self.frame("/camera/distance", camera={"distance": distance})

    def test_camera_vectors_are_three_numbers(self):
        for member in ("eye", "target", "up"):
            full = {"eye": [0, 0, 5], "target": [0, 0, 0], "up": [0, 1, 0]}
            for value in ("0,0,5", 3, [0, 0], [0, 0, 0, 1], None):
                self.frame(f"/camera/{member}", camera={**full, member: value})
            places = (f"/camera/{member}/1", f"/camera/{member}")
            self.frame(places, camera={**full, member: [0, "1", 0]})

    def test_camera_matrices_are_16_numbers(self):
        unit = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
        for member in ("view", "projection"):
            full = {"view": unit, "projection": unit}
            for value in (unit[:15], unit + [0], [unit], 3, "identity", None):
                self.frame(f"/camera/{member}", camera={**full, member: value})

    def test_projection_goes_with_a_view_and_without_fov(self):
        unit = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
        self.frame(("/camera", "/camera/view"), "view", camera={"projection": unit})
        both = {"view": unit, "projection": unit, "fov": 30}
        self.frame("/camera/fov", "projection", camera=both)
        self.frame(("/camera/view", "/camera/yaw"), camera={"view": unit, "yaw": 30})

    def test_cameras_of_two_kinds_are_refused(self):
        camera = {"yaw": 30, "eye": [0, 0, 5]}
        places = ("/camera", "/camera/eye", "/camera/yaw")
        self.frame(places, codes=("invalid-value", "unknown-member"), camera=camera)

    def test_fit_is_of_its_list(self):
        self.frame("/fit", ('"all"', "pose", "clip", "rest"), fit="all")
        self.frame("/fit", fit=3)


class ErrorsAreJsonEvenIfNotAsked(Refusals):
    def test_accept_does_not_hide_the_problem(self):
        # RFC 9457: the reason comes, whatever type the success would have been of.
        for accept in ("application/octet-stream", "*/*", JSON):
            for route in ("vertices", "pose"):
                reply = self.client.post(route, {"rig": "nobody", "pose": "rest"}, accept=accept)
                self.assertProblem(reply, 404, "unknown-rig", pointer="/rig")
        reply = self.client.post("frame", {"rig": "nobody", "pose": "rest"}, accept="image/png")
        self.assertProblem(reply, 404, "unknown-rig", pointer="/rig")

    def test_errors_are_not_cached(self):
        reply = self.client.post("frame", {"rig": "nobody", "pose": "rest"})
        self.assertIsNone(reply.headers.get("ETag"))
        self.assertNotIn("max-age", reply.headers.get("Cache-Control", ""))

    def test_whole_error_is_small(self):
        body = json.dumps({"rig": "column", "pose": {"clip": LONG, "time": 0}}).encode()
        self.assertLess(len(self.client.post("pose", body).body), 4096)


if __name__ == "__main__":
    unittest.main()
