"""Long answers: made while they are sent, in little memory, and the same as in one piece."""
import json
import os
import pathlib
import socket
import time
import unittest

from case import DaemonCase
from client import JSON, OCTETS
from daemon import is_instrumented

FRAMES = 4096
GROWTH_BYTES = 64 << 20


def resident(pid, field="VmRSS"):
    """Bytes of memory that a process holds."""
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) << 10
    raise AssertionError(f"no {field} in /proc/{pid}/status")


def cpu_s(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def poses(count, clip="Walk"):
    return [{"clip": clip, "phase": i / count} for i in range(count)]


class Streams(DaemonCase):
    keeps_times = True

    @classmethod
    def prepare(cls):
        cls.put_demo("humanoid")
        cls.put_demo("cyl2")
        cls.client.vertices("humanoid")

    def open(self, count=FRAMES, accept=OCTETS):
        """A connection that has asked for many frames, and the response with its head read."""
        connection = self.client.connect()
        body = json.dumps({"rig": "humanoid", "poses": poses(count)})
        connection.request("POST", "/v1/vertices", body, {"Accept": accept, "Content-Type": JSON})
        return connection, connection.getresponse()

    def test_4096_frames_take_little_memory_and_are_right(self):
        frame_bytes = self.description("humanoid")["vertices"] * 12
        sample = {}
        before = resident(self.daemon.process.pid)
        connection, response = self.open()
        self.assertEqual(response.status, 200)
        self.assertEqual(int(response.headers["Content-Length"]), FRAMES * frame_bytes)
        self.assertEqual(response.headers["Posed-Frames"], str(FRAMES))
        self.assertEqual(response.headers["Posed-Layout"], "position:f32x3")
        highest = 0
        for i in range(FRAMES):
            frame = response.read(frame_bytes)
            self.assertEqual(len(frame), frame_bytes)
            if i % 455 == 0:
                sample[i] = frame
                highest = max(highest, resident(self.daemon.process.pid))
        self.assertEqual(response.read(), b"")
        connection.close()
        growth = max(highest, resident(self.daemon.process.pid, "VmHWM")) - before
        if not is_instrumented():  # AddressSanitizer keeps what was freed
            self.assertLess(growth, GROWTH_BYTES, f"grew by {growth >> 20} MiB")
        for i, frame in sample.items():
            alone = self.client.vertices("humanoid", {"clip": "Walk", "phase": i / FRAMES})
            self.assertEqual(alone.body, frame, f"frame {i} differs from the same pose alone")

    def test_json_in_pieces_is_the_json_of_each(self):
        count = 4000
        request = {"rig": "cyl2", "poses": poses(count, "bend")}
        reply = self.assertStatus(self.client.post("pose", request, accept=JSON), 200)
        self.assertIsNone(reply.headers.get("Content-Length"), "the answer is not in pieces")
        frames = reply.json()["frames"]
        self.assertEqual(len(frames), count)
        for i in (0, 1, 1999, 3999):
            alone = self.client.pose("cyl2", {"clip": "bend", "phase": i / count}).json()
            self.assertEqual(frames[i], alone)
        octets = self.client.post("pose", request, accept=OCTETS)
        few = self.client.post(
            "pose", {"rig": "cyl2", "poses": poses(count, "bend")[:100]}, accept=OCTETS
        )
        self.assertEqual(octets.body[: len(few.body)], few.body)

    def test_what_is_wrong_with_a_late_pose_is_said_before_anything_is_sent(self):
        request = {"rig": "humanoid", "poses": poses(FRAMES)}
        request["poses"][4000]["clip"] = "Wlak"
        for route in ("vertices", "pose"):
            reply = self.client.post(route, request)
            self.assertProblem(reply, 404, "unknown-clip", "/poses/4000/clip", says="Wlak")

    def test_client_that_reads_nothing_stops_the_work(self):
        connection, response = self.open()
        time.sleep(0.5)  # the sockets' buffers fill
        before = cpu_s(self.daemon.process.pid)
        time.sleep(1)
        self.assertLess(cpu_s(self.daemon.process.pid) - before, 0.3)
        self.assertStatus(self.client.vertices("cyl2"), 200)
        connection.close()

    def test_many_clients_that_read_slowly_take_no_more_memory_each_than_their_pieces(self):
        before = resident(self.daemon.process.pid)
        open_streams = [self.open() for _ in range(10)]
        time.sleep(0.5)
        if not is_instrumented():
            self.assertLess(resident(self.daemon.process.pid) - before, 10 * (12 << 20))
        for connection, _ in open_streams:
            connection.close()

    def test_clients_that_leave_in_the_middle_leave_nothing_behind(self):
        folder = f"/proc/{self.daemon.process.pid}/fd"
        before = len(os.listdir(folder))
        for _ in range(10):
            connection, response = self.open()
            response.read(100000)
            connection.close()
        deadline = time.monotonic() + 25  # sooner than idle connections are closed
        while len(os.listdir(folder)) > before and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertLessEqual(len(os.listdir(folder)), before)
        self.assertStatus(self.client.vertices("humanoid"), 200)

    def test_an_etag_answers_without_the_work(self):
        connection, response = self.open()
        tag = response.headers["ETag"]
        connection.close()
        body = json.dumps({"rig": "humanoid", "poses": poses(FRAMES)}).encode()
        taken_s = []
        for _ in range(5):  # the machine may be busy with something else for one
            begun = time.monotonic()
            reply = self.client.post("vertices", body, accept=OCTETS, if_none_match=tag)
            taken_s.append(time.monotonic() - begun)
            self.assertStatus(reply, 304)
        self.assertLess(min(taken_s), 0.5)

    def test_vertices_beyond_float32_end_the_connection_in_the_middle(self):
        # Joints are checked ahead, vertices cannot be: half an answer must not look like a whole.
        name = self.description("humanoid")["joints"][0]["name"]
        wrong = {"set": "rest", "joints": {name: {"scale": [3e38, 3e38, 3e38]}}}
        request = {"rig": "humanoid", "poses": poses(400) + [wrong] + poses(400)}
        alone = self.client.vertices("humanoid", wrong)
        if alone.status == 200:
            self.skipTest("this pose stays within float32")
        self.assertProblem(alone, 400, "invalid-value")
        if "farther than float32" not in alone.json()["detail"]:
            self.skipTest("this pose is refused ahead")
        with socket.create_connection(("127.0.0.1", self.client.port)) as plain:
            body = json.dumps(request).encode()
            plain.sendall(
                b"POST /v1/vertices HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + f"Content-Length: {len(body)}\r\n\r\n".encode() + body
            )
            got = b""
            while piece := plain.recv(1 << 20):
                got += piece
        head, _, content = got.partition(b"\r\n\r\n")
        self.assertIn(b"200", head.splitlines()[0])
        announced = next(int(line.split(b":")[1]) for line in head.splitlines()
                         if line.lower().startswith(b"content-length"))
        self.assertLess(len(content), announced)


if __name__ == "__main__":
    unittest.main()
