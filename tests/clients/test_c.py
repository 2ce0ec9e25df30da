"""The client in C against the real daemon: its example, as a user would build it."""
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import threading
import unittest

from case import DEMO, DaemonCase
from daemon import ROOT

FOLDER = ROOT / "clients" / "c"
STEP = {"clip": "Walk", "phase": 0.25}

# A program that calls what the example does not, and prints what came.
PROGRAM = r"""
#include "posed.h"
#include <stdio.h>
#include <string.h>

static bool first_only(void *context, const void *bytes, size_t size) {
	(void)bytes;
	*(size_t *)context += size;
	return false;
}

int main(int argc, char **argv) {
	const struct posed_options options = {.address = argv[1], .patience_s = 5};
	struct posed_client *client = posed_open(&options);
	struct posed_answer answer;
	struct posed_error error;
	(void)argc;
	posed_put_rig(client, "a b%", "nothing", 7, &answer, &error);
	printf("%d %s %.9s\n", error.status, error.text, (char *)answer.body);
	posed_answer_free(&answer);
	posed_describe(client, "cyl2", &answer, &error);
	char etag[128];
	snprintf(etag, sizeof etag, "%s", posed_answer_header(&answer, "etag"));
	posed_answer_free(&answer);
	const struct posed_request again = {.method = "GET", .path = "/v1/rigs/cyl2", .etag = etag};
	const bool known = posed_call(client, &again, &answer, &error);
	printf("%d %d %zu\n", known, answer.status, answer.size);
	posed_answer_free(&answer);
	size_t seen = 0;
	const struct posed_request long_one = {.method = "GET", .path = "/v1/rigs/humanoid/source",
		.on_data = first_only, .context = &seen};
	const bool whole = posed_call(client, &long_one, &answer, &error);
	printf("%d %d %d %s\n", whole, error.status, seen > 0, error.text);
	posed_answer_free(&answer);
	struct posed_vertices many;
	posed_skin(client, "{\"rig\": \"cyl2\", \"poses\": [\"rest\", {\"clip\": \"bend\", \"time\": 1}],"
		" \"attributes\": [\"position\", \"normal\"]}", &many, &error);
	int width = 0;
	const float *normals = posed_vertices_of(&many, 1, "normal", &width);
	printf("%d %d %d %.9g %.9g\n", many.frames, many.vertices, width, normals[0], normals[1]);
	printf("%d %d\n", posed_vertices_of(&many, 2, "normal", NULL) == NULL,
		posed_vertices_of(&many, 0, "norm", NULL) == NULL);
	posed_vertices_free(&many);
	posed_put_rig(client, "gone", argv[2], 0, &answer, &error);
	posed_answer_free(&answer);
	const bool deleted = posed_delete_rig(client, "gone", &error);
	printf("%d %d\n", deleted, error.status);
	posed_delete_rig(client, "cyl2\"", &error);
	printf("%d %s\n", error.status, error.text);
	const struct posed_request head = {.method = "HEAD", .path = "/v1/rigs/cyl2"};
	const bool there = posed_call(client, &head, &answer, &error);
	printf("%d %zu %zu\n", there, answer.size, strlen((char *)answer.body));
	posed_answer_free(&answer);
	const struct posed_request two_lines = {.method = "GET", .path = "/v1", .etag = "a\r\nB: c"};
	const bool sent = posed_call(client, &two_lines, &answer, &error);
	printf("%d %d %s\n", sent, error.status, error.text);
	posed_answer_free(&answer);
	const bool checked = posed_check(client, "{\"rig\": \"cyl2\", \"only\": [\"surface/*\"]}",
		NULL, &answer, &error);
	printf("%d %d %.23s\n", checked, answer.status, (char *)answer.body);
	posed_answer_free(&answer);
	const bool refused = posed_check_asset(client, "nothing", 7, "?path=a.glb&only=file/refused",
		"application/sarif+json", &answer, &error);
	printf("%d %d %d\n", refused, answer.status, strstr((char *)answer.body, "file/refused") != NULL);
	posed_answer_free(&answer);
	posed_close(client);
	return 0;
}
"""

# Puts a file as a clip of a rig, with a query, and then one that is none.
CLIP = r"""
#include "posed.h"
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
	static char file[1 << 16];
	const struct posed_options options = {.address = argv[1]};
	struct posed_client *client = posed_open(&options);
	struct posed_answer answer;
	struct posed_error error;
	FILE *stream = fopen(argv[2], "rb");
	const size_t size = fread(file, 1, sizeof file, stream);
	(void)argc;
	fclose(stream);
	bool ok = posed_put_clip(client, "pole", "a \"b\"", file, size, "?units=cm", &answer, &error);
	printf("%d %d %d\n", ok, answer.status, strstr((char *)answer.body, "\"retargeted\":false") != NULL);
	posed_answer_free(&answer);
	ok = posed_put_clip(client, "pole", "c", "nothing", 7, "", &answer, &error);
	printf("%d %d\n", ok, error.status);
	posed_answer_free(&answer);
	posed_close(client);
	return 0;
}
"""
BVH = b"""HIERARCHY
ROOT hips
{
OFFSET 0 0 0
CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
JOINT knee
{
OFFSET 0 100 0
CHANNELS 3 Zrotation Xrotation Yrotation
End Site
{
OFFSET 0 100 0
}
}
}
MOTION
Frames: 2
Frame Time: 0.5
0 0 0 0 0 0 0 0 0
1 2 3 90 0 0 0 0 0
"""

# Prints how each call to an address ends, and the body as a string.
ENDS = r"""
#include "posed.h"
#include <stdio.h>

int main(int argc, char **argv) {
	for (int i = 1; i < argc; i++) {
		const struct posed_options options = {.address = argv[i]};
		struct posed_client *client = posed_open(&options);
		struct posed_answer answer;
		struct posed_error error;
		const struct posed_request request = {.method = "GET", .path = "/etc/hostname"};
		const bool fine = posed_call(client, &request, &answer, &error);
		printf("%d %d \"%s\" %s\n", fine, error.status, (char *)answer.body, error.text);
		posed_answer_free(&answer);
		posed_close(client);
	}
	return 0;
}
"""


def build(source, program, compiler="cc", flags=("-std=c11",)):
    command = [compiler, *flags, "-Wall", "-Wextra", "-Werror", "-iquote", FOLDER, *source,
               "-lcurl", "-o", program]
    subprocess.run(command, check=True, capture_output=True, timeout=300)


class InC(DaemonCase):
    daemon_args = ("--load", str(DEMO))

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="posed-c-")
        self.addCleanup(self.folder.cleanup)
        self.address = f"http://127.0.0.1:{self.daemon.port}"

    def program(self, name, text):
        source = pathlib.Path(self.folder.name, name)
        source.write_text(text, encoding="utf-8")
        return source

    def run_program(self, *arguments):
        # Memory of malloc() must not be zero by chance.
        done = subprocess.run([str(argument) for argument in arguments], cwd=self.folder.name,
                              capture_output=True, text=True, timeout=300,
                              env={**os.environ, "MALLOC_PERTURB_": "165"})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_example(self):
        program = pathlib.Path(self.folder.name, "walk")
        build([FOLDER / "examples" / "walk.c", FOLDER / "posed.c"], program)
        output = self.run_program(program, self.address)
        picture = self.client.frame("humanoid", STEP, width=256, height=256).body
        self.assertEqual(pathlib.Path(self.folder.name, "walk.png").read_bytes(), picture)
        highest = max(y for _, y, _ in self.positions("humanoid", STEP))
        self.assertIn(f"is at {highest:.3f}\n", output)

    def test_calls(self):
        program = pathlib.Path(self.folder.name, "calls")
        build([self.program("calls.c", PROGRAM), FOLDER / "posed.c"], program)
        lines = self.run_program(program, self.address, "").splitlines()
        detail = self.client.put("a b%", b"nothing").json()["detail"]
        self.assertEqual(lines[0], f'415 {detail} {{"type":"')
        self.assertEqual(lines[1], "1 304 0")
        self.assertEqual(lines[2], "0 0 1 the caller wanted no more of the answer")
        poses = ["rest", {"clip": "bend", "time": 1}]
        normals = self.client.post("vertices", {"rig": "cyl2", "poses": poses,
                                                "attributes": ["normal"]}).triples()
        count = len(normals) // 2
        first = normals[count]
        self.assertEqual(lines[3], f"2 {count} 3 {first[0]:.9g} {first[1]:.9g}")
        self.assertEqual(lines[4], "1 1")
        self.assertEqual(lines[5], "0 404")
        detail = self.client.delete('cyl2"').json()["detail"]
        self.assertEqual(lines[6], f"404 {detail}")
        self.assertEqual(lines[7], "1 0 0")
        self.assertEqual(lines[8], "0 0 a token, media type or etag with a line break")
        self.assertEqual(lines[9], '1 200 {"schema":"posed-check/')
        self.assertEqual(lines[10], "1 200 1")

    def test_a_file_is_put_as_a_clip(self):
        program = pathlib.Path(self.folder.name, "clip")
        build([self.program("clip.c", CLIP), FOLDER / "posed.c"], program)
        motion = pathlib.Path(self.folder.name, "a.bvh")
        motion.write_bytes(BVH)
        self.addCleanup(self.client.delete, "pole")
        reply = self.client.request("PUT", "/v1/rigs/pole?units=cm", BVH, {"Content-Type": "application/octet-stream"})
        self.assertStatus(reply, 201)
        # The same skeleton, in the same units: its keys stay as they are.
        self.assertEqual(self.run_program(program, self.address, motion).splitlines(), ["1 201 1", "0 415"])
        stored = [clip["name"] for clip in self.client.get("/v1/rigs/pole/clips").json()["clips"]]
        self.assertIn('a "b"', stored)

    def test_a_body_is_a_string_also_where_nothing_came(self):
        program = pathlib.Path(self.folder.name, "ends")
        build([self.program("ends.c", ENDS), FOLDER / "posed.c"], program)
        answers = (b"200 OK\r\nContent-Length: 0", b"200 OK\r\nContent-Length: 30",
                   b"404 No\r\nContent-Length: 0")
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)

        def answer():
            for head in answers:
                connection = listener.accept()[0]
                connection.recv(65536)
                connection.sendall(b"HTTP/1.1 %b\r\nConnection: close\r\n\r\n" % head)
                connection.close()

        threading.Thread(target=answer, daemon=True).start()
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        lines = self.run_program(program, *len(answers) * [address]).splitlines()
        self.assertEqual(lines[0], '1 0 "" ')
        self.assertRegex(lines[1], '^0 0 "" .')
        self.assertEqual(lines[2], '0 404 "" the daemon answered 404')

    def test_files_are_no_daemons(self):
        program = pathlib.Path(self.folder.name, "ends")
        build([self.program("ends.c", ENDS), FOLDER / "posed.c"], program)
        self.assertRegex(self.run_program(program, "file://"), '^0 0 "" Protocol "file"')

    def test_header_is_cxx_too(self):
        if not shutil.which("c++"):
            self.skipTest("no C++ compiler")
        text = '#include "posed.h"\nint main() { posed_close(posed_open(nullptr)); }\n'
        client = pathlib.Path(self.folder.name, "posed.o")
        subprocess.run(["cc", "-c", FOLDER / "posed.c", "-o", client], check=True, timeout=300)
        program = pathlib.Path(self.folder.name, "cxx")
        build([self.program("a.cpp", text), client], program, "c++", ())
        self.run_program(program)

    def test_answer_that_breaks_off_is_an_error(self):
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)

        def answer():
            connection = listener.accept()[0]
            connection.recv(65536)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")
            connection.close()

        threading.Thread(target=answer, daemon=True).start()
        pose = pathlib.Path(os.environ.get("POSE_BINARY", ROOT / "build" / "pose")).resolve()
        done = subprocess.run([pose, "list", "--server",
                               f"http://127.0.0.1:{listener.getsockname()[1]}"],
                              capture_output=True, text=True, timeout=300)
        self.assertEqual((done.returncode, done.stdout), (4, ""))
        self.assertIn("pose: http://127.0.0.1", done.stderr)


if __name__ == "__main__":
    unittest.main()
