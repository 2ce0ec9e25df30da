// Lines on the mesh that is drawn: its edges, its normals and its box. Colours and lengths are those of the
// daemon's overlays (renderer/overlay).
import { VERTEX_INPUTS, link } from '../element/shading.js';

const WIREFRAME = [0x10, 0x18, 0x28, 0.75];
const NORMALS = [0x25, 0x63, 0xeb, 1];
const BOUNDS = [0x0e, 0xa5, 0xe9, 1];
const HIDDEN = 0.35; // opacity of the box's edges behind the figure
const NORMAL_SHARE = 0.015; // of the diagonal of the rest pose
const LIFT = 1e-4; // of the distance, so that lines are not hidden by their own surface

const VERTEX = `#version 300 es
${VERTEX_INPUTS}
uniform float reach; // along the normal, at each second end of a line

void main() {
	vec3 place = vertex_position();
	if (reach != 0.0 && (gl_VertexID & 1) == 1) {
		place += reach * normalize(vertex_normal());
	}
	gl_Position = view_projection * vec4(place, 1.0);
	gl_Position.z -= ${LIFT} * gl_Position.w;
}
`;

const FRAGMENT = `#version 300 es
precision highp float;
uniform vec4 ink; // premultiplied
out vec4 color;
void main() {
	color = ink;
}
`;

const UNIFORMS = ['view_projection', 'is_packed', 'box_min', 'box_size', 'reach', 'ink'];

/** @param {number[]} color bytes, and alpha @param {number} [opacity] */
function inkOf([red, green, blue, alpha], opacity = 1) {
	const a = alpha * opacity;
	return [...[red, green, blue].map((byte) => (byte / 255) * a), a];
}

/**
 * The edges of all triangles, each once, as pairs of vertices.
 * @param {import('../element/mesh_file.js').Mesh} mesh
 */
export function edgesOf({ primitives, indices, vertexCount }) {
	const keys = [];
	for (const { mode, firstIndex, indexCount } of primitives) {
		if (mode !== WebGL2RenderingContext.TRIANGLES) continue;
		for (let i = firstIndex; i + 2 < firstIndex + indexCount; i += 3) {
			for (let k = 0; k < 3; k++) {
				const [a, b] = [indices[i + k], indices[i + ((k + 1) % 3)]];
				keys.push(Math.min(a, b) * vertexCount + Math.max(a, b));
			}
		}
	}
	const sorted = Float64Array.from(keys).sort();
	const once = sorted.filter((key, i) => i === 0 || key !== sorted[i - 1]);
	const edges = new Uint32Array(once.length * 2);
	once.forEach((key, i) => {
		edges[2 * i] = Math.floor(key / vertexCount);
		edges[2 * i + 1] = key % vertexCount;
	});
	return edges;
}

/** The twelve edges of a box, as pairs of points. @param {import('../element/camera.js').Box} box */
function boxLines({ min, max }) {
	const lines = [];
	for (let corner = 0; corner < 8; corner++) {
		for (const axis of [0, 1, 2]) {
			if ((corner >> axis) & 1) continue;
			for (const end of [corner, corner | (1 << axis)]) {
				lines.push(...[0, 1, 2].map((k) => ((end >> k) & 1 ? max[k] : min[k])));
			}
		}
	}
	return new Float32Array(lines);
}

export class MeshLines {
	#gl;
	#program;
	/** @type {Record<string, WebGLUniformLocation>} */
	#uniforms;
	#edges;
	#normals;
	#box;
	#edgeBuffer;
	#boxBuffer;
	#edgeCount = 0;
	/** The mesh and the order of its vertices that the edges are for. @type {?{mesh: object, order: any}} */
	#edgesOf = null;

	/** @param {WebGL2RenderingContext} gl */
	constructor(gl) {
		this.#gl = gl;
		this.#program = link(gl, VERTEX, FRAGMENT);
		const places = UNIFORMS.map((name) => [name, gl.getUniformLocation(this.#program, name)]);
		this.#uniforms = Object.fromEntries(places);
		[this.#edges, this.#normals, this.#box] = [0, 1, 2].map(() => gl.createVertexArray());
		[this.#edgeBuffer, this.#boxBuffer] = [0, 1].map(() => gl.createBuffer());
	}

	/**
	 * Draws over a mesh that has just been drawn.
	 * @param {import('../element/surface.js').Geometry} geometry
	 * @param {Float32Array} viewProjection
	 * @param {object} wanted
	 * @param {boolean} wanted.wireframe @param {boolean} wanted.normals
	 * @param {?import('../element/camera.js').Box} wanted.box null = none
	 * @param {number} wanted.diagonal of the rest pose
	 */
	draw(geometry, viewProjection, { wireframe, normals, box, diagonal }) {
		const gl = this.#gl;
		gl.useProgram(this.#program);
		gl.uniformMatrix4fv(this.#uniforms.view_projection, false, viewProjection);
		gl.enable(gl.DEPTH_TEST);
		gl.enable(gl.BLEND);
		gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
		gl.depthMask(false);
		this.#useBox(geometry.box);
		if (wireframe) this.#drawEdges(geometry);
		if (normals) this.#drawNormals(geometry, diagonal);
		this.#useBox(null);
		if (box) this.#drawBox(box);
		gl.depthFunc(gl.LEQUAL);
		gl.depthMask(true);
		gl.bindVertexArray(null);
	}

	/** @param {?number[]} box min and max of packed positions */
	#useBox(box) {
		const gl = this.#gl;
		const [low, high] = box ? [box.slice(0, 3), box.slice(3)] : [[0, 0, 0], [1, 1, 1]];
		gl.uniform1i(this.#uniforms.is_packed, box ? 1 : 0);
		gl.uniform3fv(this.#uniforms.box_min, low);
		gl.uniform3fv(
			this.#uniforms.box_size,
			high.map((x, k) => x - low[k]),
		);
	}

	/** @param {import('../element/surface.js').Geometry} geometry */
	#drawEdges({ mesh, order, places, bindVertices }) {
		const gl = this.#gl;
		gl.bindVertexArray(this.#edges);
		bindVertices();
		if (this.#edgesOf?.mesh !== mesh || this.#edgesOf.order !== order) {
			const edges = edgesOf(mesh);
			const placed = places ? edges.map((vertex) => places[vertex]) : edges;
			gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.#edgeBuffer);
			gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, placed, gl.STATIC_DRAW);
			this.#edgesOf = { mesh, order };
			this.#edgeCount = edges.length;
		}
		gl.uniform1f(this.#uniforms.reach, 0);
		gl.uniform4fv(this.#uniforms.ink, inkOf(WIREFRAME));
		gl.drawElements(gl.LINES, this.#edgeCount, gl.UNSIGNED_INT, 0);
	}

	/** A line per vertex, whose attributes both of its ends share. @param {import('../element/surface.js').Geometry} geometry @param {number} diagonal */
	#drawNormals({ mesh, bindVertices }, diagonal) {
		const gl = this.#gl;
		gl.bindVertexArray(this.#normals);
		bindVertices();
		for (const location of [0, 1]) gl.vertexAttribDivisor(location, 1);
		gl.uniform1f(this.#uniforms.reach, NORMAL_SHARE * diagonal);
		gl.uniform4fv(this.#uniforms.ink, inkOf(NORMALS));
		gl.drawArraysInstanced(gl.LINES, 0, 2, mesh.vertexCount);
	}

	/** @param {import('../element/camera.js').Box} box */
	#drawBox(box) {
		const gl = this.#gl;
		gl.bindVertexArray(this.#box);
		gl.bindBuffer(gl.ARRAY_BUFFER, this.#boxBuffer);
		gl.bufferData(gl.ARRAY_BUFFER, boxLines(box), gl.STREAM_DRAW);
		gl.enableVertexAttribArray(0);
		gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
		gl.uniform1f(this.#uniforms.reach, 0);
		for (const [where, opacity] of [
			[gl.GREATER, HIDDEN],
			[gl.LEQUAL, 1],
		]) {
			gl.depthFunc(where);
			gl.uniform4fv(this.#uniforms.ink, inkOf(BOUNDS, opacity));
			gl.drawArrays(gl.LINES, 0, 24);
		}
	}
}
