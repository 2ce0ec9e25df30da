"""Baked textures drawn by WebGL2 with the shaders of docs/bake.md, against the daemon's own pictures
of the same moments."""
import base64
import io
import json
import math
import re
import struct
import tarfile

from case import ROOT
from client import PNG
from page_case import BACKDROP_PIXEL, PageCase, area, overlap
from host import serve
from picture import Picture

MEET = 0.97  # intersection over union; edges have their samples at other places
MEET_BETWEEN = 0.93
FAINT = 12  # alpha of 255 that is seen as another colour
SIDE = 256
RATE = 15
RUN = {"clip": "Run", "loop": "repeat"}
SHADERS = re.findall(r"^```glsl\n(.*?)^```", (ROOT / "docs" / "bake.md").read_text(), re.M | re.S)
LOAD, = re.findall(r"^```js\n(.*?)^```", (ROOT / "docs" / "bake.md").read_text(), re.M | re.S)

PAGE = """<!doctype html><title>a page</title>
<style>body { margin: 0 } canvas { display: block }</style>
<canvas width="SIDE" height="SIDE"></canvas>
<script>
const gl = document.querySelector('canvas').getContext('webgl2', { preserveDrawingBuffer: true });
LOAD
const KINDS = {
	RGBA16F: [gl.HALF_FLOAT, Uint16Array, gl.LINEAR],
	RGBA32F: [gl.FLOAT, Float32Array, gl.NEAREST],
	RGBA8_SNORM: [gl.BYTE, Int8Array, gl.LINEAR],
};
const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;

function compile(kind, source) {
	const shader = gl.createShader(kind);
	gl.shaderSource(shader, source);
	gl.compileShader(shader);
	if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS))
		throw new Error(gl.getShaderInfoLog(shader));
	return shader;
}

function makeProgram(source) {
	const program = gl.createProgram();
	const white = '#version 300 es\\nprecision highp float; in vec3 normal; out vec4 colour;' +
		'void main() { colour = vec4(abs(normal.x) > 2.0 ? 0.0 : 1.0); }';
	gl.attachShader(program, compile(gl.VERTEX_SHADER, source.trim()));
	gl.attachShader(program, compile(gl.FRAGMENT_SHADER, white));
	gl.linkProgram(program);
	if (!gl.getProgramParameter(program, gl.LINK_STATUS))
		throw new Error(gl.getProgramInfoLog(program));
	gl.useProgram(program);
	return program;
}

window.open = ({ source, textures, integers, floats, attributes, indices }) => {
	window.program = makeProgram(source);
	const at = (name) => gl.getUniformLocation(program, name);
	Object.entries(textures).forEach(([name, texture], unit) => {
		const [kind, type, filter] = KINDS[texture.format];
		gl.activeTexture(gl.TEXTURE0 + unit);
		load(texture.format, kind, texture, new type(bytesOf(texture.bytes)));
		gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, filter);
		gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, filter);
		gl.uniform1i(at(name), unit);
	});
	for (const [name, value] of Object.entries(integers)) gl.uniform1i(at(name), value);
	for (const [name, value] of Object.entries(floats)) gl[`uniform${value.length}fv`](at(name), value);
	for (const [name, { width, bytes, whole }] of Object.entries(attributes)) {
		const place = gl.getAttribLocation(program, name);
		gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
		gl.bufferData(gl.ARRAY_BUFFER, bytesOf(bytes), gl.STATIC_DRAW);
		gl.enableVertexAttribArray(place);
		if (whole) gl.vertexAttribIPointer(place, width, gl.UNSIGNED_SHORT, 0, 0);
		else gl.vertexAttribPointer(place, width, gl.FLOAT, false, 0, 0);
	}
	gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
	window.indices = new Uint32Array(bytesOf(indices));
	gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, window.indices, gl.STATIC_DRAW);
};

window.draw = (frame, viewProjection) => {
	gl.clearColor(1, 0, 1, 1);
	gl.clear(gl.COLOR_BUFFER_BIT);
	gl.uniformMatrix4fv(gl.getUniformLocation(program, 'view_projection'), false, viewProjection);
	gl.vertexAttrib1f(gl.getAttribLocation(program, 'frame'), frame);
	gl.vertexAttrib3f(gl.getAttribLocation(program, 'place'), 0, 0, 0);
	gl.drawElements(gl.TRIANGLES, window.indices.length, gl.UNSIGNED_INT, 0);
	return gl.getError();
};
</script>"""

SIGHT_FROM = (1.5, 1.6, 3.5)
SIGHT_TO = (0, 0.9, 0)
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}
BYTES = {5123: 2, 5125: 4, 5126: 4}


def text_of(data):
    return base64.b64encode(data).decode()


def unit(v):
    length = math.sqrt(sum(x * x for x in v))
    return [x / length for x in v]


def cross(a, b):
    return [a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3] for i in range(3)]


def sight():
    """View and projection, column-major, of a field of view of 30 degrees."""
    back = unit([a - b for a, b in zip(SIGHT_FROM, SIGHT_TO)])
    right = unit(cross((0, 1, 0), back))
    axes = (right, cross(back, right), back)
    view = [x for column in zip(*axes) for x in (*column, 0)]
    view += [-sum(a * b for a, b in zip(axis, SIGHT_FROM)) for axis in axes] + [1]
    near, far, scale = 0.1, 100, 1 / math.tan(math.radians(15))
    depth = ((far + near) / (near - far), 2 * far * near / (near - far))
    return view, [scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, depth[0], -1, 0, 0, depth[1], 0]


def times(a, b):
    """The product of column-major matrices."""
    return [sum(a[k * 4 + i % 4] * b[i // 4 * 4 + k] for k in range(4)) for i in range(16)]


class Mesh:
    """All primitives of a GLB as one list of vertices."""

    def __init__(self, glb):
        length, = struct.unpack_from("<I", glb, 12)
        self.json = json.loads(glb[20 : 20 + length])
        self.bin = glb[28 + length :]
        self.primitives = [p for mesh in self.json["meshes"] for p in mesh["primitives"]]

    def part(self, index):
        accessor = self.json["accessors"][index]
        view = self.json["bufferViews"][accessor["bufferView"]]
        start = view["byteOffset"] + accessor["byteOffset"]
        size = accessor["count"] * WIDTHS[accessor["type"]] * BYTES[accessor["componentType"]]
        return accessor, self.bin[start : start + size]

    def attribute(self, name):
        parts = [self.part(primitive["attributes"][name]) for primitive in self.primitives]
        accessor = parts[0][0]
        return {"width": WIDTHS[accessor["type"]], "whole": accessor["componentType"] == 5123,
                "bytes": text_of(b"".join(part for _, part in parts))}

    def indices(self):
        out, first = [], 0
        for primitive in self.primitives:
            accessor, part = self.part(primitive["indices"])
            form = "<%dH" if accessor["componentType"] == 5123 else "<%dI"
            out += [first + i for i in struct.unpack(form % accessor["count"], part)]
            first += self.part(primitive["attributes"]["POSITION"])[0]["count"]
        return text_of(struct.pack("<%dI" % len(out), *out))


class BakedTextures(PageCase):
    def setUp(self):
        page = PAGE.replace("SIDE", str(SIDE)).replace("LOAD", LOAD)
        self.tab = self.browser.open(SIDE, SIDE)
        self.addCleanup(self.tab.close)
        self.tab.go(serve(self, page).address)
        self.tab.wait("typeof draw === 'function'")
        self.view, self.projection = sight()

    def baked(self, form, **members):
        request = {"rig": "humanoid", "pose": RUN, "rate": RATE, "as": form, **members}
        reply = self.assertStatus(self.client.post("bake", request), 200)
        with tarfile.open(fileobj=io.BytesIO(reply.body)) as tar:
            files = {entry.name: tar.extractfile(entry).read() for entry in tar}
        bake = json.loads(files["bake.json"])
        for texture in bake["textures"].values():
            texture["bytes"] = text_of(files[texture["file"]])
        return bake, Mesh(files["mesh.glb"])

    def seen(self, frame):
        """The picture that the page draws."""
        error = self.tab.evaluate(
            f"draw({frame}, {json.dumps(times(self.projection, self.view))})")
        self.assertEqual(error, 0)
        rows = Picture(self.tab.picture("canvas")).rows
        seen = [[tuple(pixel[:3]) != BACKDROP_PIXEL for pixel in row] for row in rows]
        self.assertGreater(area(seen), SIDE * SIDE * 0.02)
        return seen

    def drawn(self, bake, frame, skinning):
        """The picture that the daemon draws at that time."""
        reply = self.client.post("frame", {
            "rig": "humanoid", "pose": {**RUN, "time": frame / bake["rate"]}, "width": SIDE,
            "height": SIDE, "camera": {"view": self.view, "projection": self.projection},
            "skinning": skinning}, accept=PNG)
        picture = Picture(self.assertStatus(reply, 200).body)
        return [[pixel[3] > FAINT for pixel in row] for row in picture.rows]

    def assertMeets(self, bake, skinning="lbs"):
        for frame in (0, 3, bake["frames"] - 1):
            met = overlap(self.seen(frame), self.drawn(bake, frame, skinning))
            self.assertGreater(met, MEET, f"frame {frame}")
        # Between frames limbs go straight, and not round: still nearer to the middle than to either.
        seen = self.seen(5.5)
        before, middle, after = (
            overlap(seen, self.drawn(bake, frame, skinning)) for frame in (5, 5.5, 6))
        self.assertGreater(middle, max(before, after) + 0.05)
        self.assertGreater(middle, MEET_BETWEEN)

    def test_vertices_by_the_shader_of_the_page(self):
        bake, mesh = self.baked("vertex_texture", skinning="dqs")
        positions = bake["textures"]["positions"]
        self.assertGreater(positions["items"], positions["per_row"], "one row is no proof")
        self.tab.evaluate("open(%s)" % json.dumps({
            "source": SHADERS[0], "textures": bake["textures"], "integers": {},
            "floats": {"position_offset": positions["offset"], "position_scale": positions["scale"],
                       "per_row": [positions["per_row"]], "frames": [bake["frames"]]},
            "attributes": {"vertex": mesh.attribute("_VERTEX")}, "indices": mesh.indices()}))
        self.assertMeets(bake, "dqs")
        self.assertEqual(self.tab.complaints, [])

    def test_matrices_by_the_shader_of_the_page(self):
        bake, mesh = self.baked("joint_texture")
        self.tab.evaluate("open(%s)" % json.dumps({
            "source": SHADERS[1], "textures": bake["textures"], "floats": {},
            "integers": {"per_row": bake["textures"]["joints"]["per_row"],
                         "frames": bake["frames"]},
            "attributes": {"position": mesh.attribute("POSITION"),
                           "normal_at_rest": mesh.attribute("NORMAL"),
                           "slots": mesh.attribute("JOINTS_0"),
                           "weights": mesh.attribute("WEIGHTS_0")},
            "indices": mesh.indices()}))
        self.assertMeets(bake)
        self.assertEqual(self.tab.complaints, [])
