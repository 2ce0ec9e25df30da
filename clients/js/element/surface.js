// Draws a mesh with the vertices of one frame by WebGL2.
import { GpuSkin } from './gpu_skin.js';
import { MAPS, createProgram, setEnvironment } from './shading.js';

const POINT_PIXELS = 3;
const SAMPLED_TRIANGLES = 64;
const FLOAT_BYTES = 24; // of a vertex: two vectors
const PACKED_BYTES = 8; // likewise: three uint16, two int8

/** The layouts of vertices: all positions before all normals, interleaved as the skin makes them, packed. */
const [STREAMS_FORM, SKINNED_FORM, PACKED_FORM] = [0, 1, 2];

/** Request members for vertices that setFrame() accepts: compact, and exact to the bit. */
export const PACKED = { attributes: ['position:u16x3', 'normal:oct8x2'], compression: 'meshopt' };
export const EXACT = { attributes: ['position', 'normal'] };

/**
 * @typedef {import('../client/vertices.js').Vertices} Vertices
 */

/** @typedef {import('./mesh_file.js').Mesh} Mesh */

/**
 * @typedef {object} Geometry the mesh and the vertices of the last frame, for others to draw
 * @property {Mesh} mesh
 * @property {?number[]} box min and max of packed positions; null = vertices are float32
 * @property {?Uint32Array} order the vertices of the mesh in the order of the buffers; null = its own
 * @property {?Uint32Array} places of the mesh's vertices in the buffers; null = they are the same
 * @property {() => void} bindVertices lets the bound vertex array read positions (0) and normals (1)
 */

/** Maps of colours, which are stored as sRGB. */
const COLOURS = ['baseColor', 'emissive'];
const ROWS = [1, 0, 0, 0, 1, 0]; // of a missing map

/** Arrays of a mesh that all frames share: name, width and attribute location. */
const STILL = [
	['texcoords', 2, 2],
	['secondTexcoords', 2, 4],
	['colors', 4, 3],
];

/** Dot product of a triangle's face normal and the normal of its first vertex. */
function agreement([a, b, c], positions, normals) {
	const edge = (to) => [0, 1, 2].map((k) => positions[to * 3 + k] - positions[a * 3 + k]);
	const [u, v] = [edge(b), edge(c)];
	const face = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
	return face.reduce((sum, x, k) => sum + x * normals[a * 3 + k], 0);
}

/**
 * If the rest pose mirrors a primitive, mesh.glb reverses its triangles, and the normals of
 * /v1/vertices point inwards: 1 or -1.
 */
function outwardOf({ mode, firstIndex, indexCount }, indices, positions, normals) {
	if (mode !== WebGL2RenderingContext.TRIANGLES) return 1;
	const step = 3 * Math.max(1, Math.floor(indexCount / 3 / SAMPLED_TRIANGLES));
	let sum = 0;
	for (let i = firstIndex; i + 2 < firstIndex + indexCount; i += step) {
		sum += agreement(indices.subarray(i, i + 3), positions, normals);
	}
	return sum < 0 ? -1 : 1;
}

export class Surface {
	#gl;
	#program;
	#uniforms;
	#vertexArray;
	/** @type {WebGLBuffer[]} */
	#buffers = [];
	/** By index, with the suffix "s" for sRGB. @type {Map<string, WebGLTexture>} */
	#textures = new Map();
	/** @type {?Mesh} */
	#mesh = null;
	/** @type {?number[]} for each primitive; null = there has been no frame */
	#outward = null;
	/** @type {?WebGLBuffer} colours in place of the materials'; null = none */
	#paint = null;
	/** @type {?number[]} min and max of packed positions; null = vertices are float32 */
	#box = null;
	/** @type {?Uint32Array} the vertices of the mesh in the order of the buffers; null = its own */
	#order = null;
	#form = STREAMS_FORM;
	/** @type {?GpuSkin} */
	#skin = null;
	/** The factor of light. */
	exposure = 1;
	/** @type {?Uint32Array} where the buffers have the vertices of the mesh; null = in its own order */
	#places = null;

	/**
	 * Throws where there is no WebGL2.
	 * @param {HTMLCanvasElement} canvas
	 * @param {() => void} onLost the WebGL context was lost
	 * @param {?Surface} [beside] another surface of this canvas, to share its program
	 */
	constructor(canvas, onLost, beside = null) {
		const gl = canvas.getContext('webgl2', { antialias: true, alpha: true });
		if (!gl) throw new Error('This browser has no WebGL2.');
		this.#gl = gl;
		canvas.addEventListener('webglcontextlost', onLost);
		const { program, uniforms } = beside
			? { program: beside.#program, uniforms: beside.#uniforms }
			: createProgram(gl);
		this.#program = program;
		this.#uniforms = uniforms;
	}

	/** Lights what this canvas shows. @param {import('./environment.js').Environment} environment */
	setEnvironment(environment) {
		setEnvironment(this.#gl, this.#program, environment);
	}

	/** Releases the mesh: nothing is drawn. */
	clear() {
		const gl = this.#gl;
		gl.deleteVertexArray(this.#vertexArray);
		for (const buffer of this.#buffers) gl.deleteBuffer(buffer);
		for (const texture of this.#textures.values()) gl.deleteTexture(texture);
		gl.deleteBuffer(this.#paint);
		this.setSkin(null);
		this.#buffers = [];
		this.#textures = new Map();
		this.#paint = null;
		this.#mesh = null;
		this.#outward = null;
		this.#form = STREAMS_FORM;
		this.#box = null;
		this.#order = this.#places = null;
	}

	/** The graphics context that it draws by. */
	get gl() {
		return this.#gl;
	}

	/** @returns {?Geometry} null = there has been no frame */
	get geometry() {
		if (!this.#mesh || !this.#outward) return null;
		return {
			...{ mesh: this.#mesh, box: this.#box, order: this.#order, places: this.#places },
			bindVertices: () => {
				this.#gl.bindBuffer(this.#gl.ARRAY_BUFFER, this.#buffers[1]);
				this.#pointAtVertices();
			},
		};
	}

	/** @param {Mesh} mesh @param {ImageBitmap[]} pictures of its textures */
	setMesh(mesh, pictures) {
		const gl = this.#gl;
		this.clear();
		this.#mesh = mesh;
		this.#vertexArray = gl.createVertexArray();
		gl.bindVertexArray(this.#vertexArray);
		this.#upload(gl.ELEMENT_ARRAY_BUFFER, mesh.indices, gl.STATIC_DRAW);
		this.#upload(gl.ARRAY_BUFFER, mesh.vertexCount * FLOAT_BYTES, gl.STREAM_DRAW);
		this.#attribute(0, 3, 0);
		this.#attribute(1, 3, mesh.vertexCount * 12);
		for (const [name, width, location] of STILL) {
			if (!mesh[name]) continue;
			this.#upload(gl.ARRAY_BUFFER, mesh[name], gl.STATIC_DRAW);
			this.#attribute(location, width, 0);
		}
		gl.bindVertexArray(null);
		for (const { material } of mesh.primitives) {
			for (const name of MAPS) this.#addTexture(name, material.maps[name], mesh, pictures);
		}
	}

	/** @param {string} name of the map @param {?import('./mesh_file.js').Map} map @param {Mesh} mesh @param {ImageBitmap[]} pictures */
	#addTexture(name, map, mesh, pictures) {
		if (!map) return;
		const isColour = COLOURS.includes(name);
		const key = map.texture + (isColour ? 's' : '');
		if (this.#textures.has(key)) return;
		const { sampler } = mesh.textures[map.texture];
		this.#textures.set(key, this.#texture(pictures[map.texture], sampler, isColour));
	}

	/**
	 * Uploads vertices, PACKED or EXACT. All packed frames of one mesh have the same order.
	 * @param {Vertices} frame @param {number} [index] of the frame, where there are several
	 */
	setFrame(frame, index = 0) {
		const gl = this.#gl;
		const form = frame.layout.stride > 0 ? PACKED_FORM : STREAMS_FORM;
		this.#outward ??= this.#outwardOf(frame.get('position'), frame.get('normal'));
		if (form !== this.#form) this.#lay(form === PACKED_FORM ? frame.order : null, form);
		this.#box = form === PACKED_FORM ? frame.bounds : null;
		gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffers[1]);
		gl.bufferSubData(gl.ARRAY_BUFFER, 0, frame.data[index]);
	}

	/** Takes another skin for the mesh. @param {?import('./playback.js').SkinInputs} inputs */
	setSkin(inputs) {
		this.#skin?.destroy();
		this.#skin = inputs && new GpuSkin(this.#gl, inputs);
	}

	/** Moves the vertices by the skin. @param {Float32Array[]} palettes of each of its stages */
	setPalettes(palettes) {
		const count = this.#mesh.vertexCount;
		if (this.#form !== SKINNED_FORM) this.#lay(null, SKINNED_FORM);
		this.#box = null;
		/** @type {GpuSkin} */ (this.#skin).run(palettes, this.#buffers[1]);
		this.#outward ??= this.#readOutward(count);
	}

	/** @param {number} count vertices that are in the buffer, skinned */
	#readOutward(count) {
		const gl = this.#gl;
		const numbers = new Float32Array(count * 6);
		gl.bindBuffer(gl.COPY_READ_BUFFER, this.#buffers[1]);
		gl.getBufferSubData(gl.COPY_READ_BUFFER, 0, numbers);
		gl.bindBuffer(gl.COPY_READ_BUFFER, null);
		const [positions, normals] = [new Float32Array(count * 3), new Float32Array(count * 3)];
		for (let i = 0; i < count; i++) {
			positions.set(numbers.subarray(i * 6, i * 6 + 3), i * 3);
			normals.set(numbers.subarray(i * 6 + 3, i * 6 + 6), i * 3);
		}
		return this.#outwardOf(positions, normals);
	}

	/** @param {Float32Array} positions @param {Float32Array} normals */
	#outwardOf(positions, normals) {
		const { primitives, indices } = this.#mesh;
		return primitives.map((primitive) => outwardOf(primitive, indices, positions, normals));
	}

	/**
	 * Lays out the buffers for frames of a form in a vertex order.
	 * @param {?Uint32Array} order @param {number} form
	 */
	#lay(order, form) {
		const gl = this.#gl;
		const count = this.#mesh.vertexCount;
		gl.bindVertexArray(this.#vertexArray);
		gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffers[1]);
		const bytes = form === PACKED_FORM ? PACKED_BYTES : FLOAT_BYTES;
		gl.bufferData(gl.ARRAY_BUFFER, count * bytes, gl.STREAM_DRAW);
		this.#form = form;
		this.#pointAtVertices();
		this.#reorder(order);
		gl.bindVertexArray(null);
	}

	/** Reads positions and normals from the bound buffer. */
	#pointAtVertices() {
		const gl = this.#gl;
		if (this.#form === SKINNED_FORM) {
			this.#attribute(0, 3, 0, FLOAT_BYTES);
			this.#attribute(1, 3, FLOAT_BYTES / 2, FLOAT_BYTES);
			return;
		}
		if (this.#form === STREAMS_FORM) {
			this.#attribute(0, 3, 0);
			this.#attribute(1, 3, this.#mesh.vertexCount * 12);
			return;
		}
		for (const location of [0, 1]) gl.enableVertexAttribArray(location);
		gl.vertexAttribPointer(0, 3, gl.UNSIGNED_SHORT, true, PACKED_BYTES, 0);
		gl.vertexAttribPointer(1, 2, gl.BYTE, true, PACKED_BYTES, 6);
	}

	/** Reorders the arrays that all frames share. @param {?Uint32Array} order */
	#reorder(order) {
		const gl = this.#gl;
		const mesh = this.#mesh;
		this.#order = order;
		const places = (this.#places = order && new Uint32Array(mesh.vertexCount));
		order?.forEach((vertex, place) => (places[vertex] = place));
		const indices = places ? mesh.indices.map((i) => places[i]) : mesh.indices;
		gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW);
		let buffer = 2;
		for (const [name, width] of STILL) {
			if (!mesh[name]) continue;
			gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffers[buffer++]);
			gl.bufferData(gl.ARRAY_BUFFER, this.#ordered(mesh[name], width), gl.STATIC_DRAW);
		}
	}

	/** Per-vertex numbers in the order of the buffers. @param {Float32Array} numbers @param {number} width */
	#ordered(numbers, width) {
		if (!this.#order) return numbers;
		const moved = new Float32Array(numbers.length);
		this.#order.forEach((vertex, place) => {
			for (let k = 0; k < width; k++) moved[place * width + k] = numbers[vertex * width + k];
		});
		return moved;
	}

	/**
	 * Draws vertex colours instead of materials; null = materials.
	 * @param {?Float32Array} paint linear red, green, blue and alpha of each vertex, in the file's order
	 */
	setPaint(paint) {
		const gl = this.#gl;
		gl.deleteBuffer(this.#paint);
		this.#paint = null;
		if (!this.#mesh) return;
		gl.bindVertexArray(this.#vertexArray);
		if (paint) {
			this.#paint = gl.createBuffer();
			gl.bindBuffer(gl.ARRAY_BUFFER, this.#paint);
			gl.bufferData(gl.ARRAY_BUFFER, this.#ordered(paint, 4), gl.STREAM_DRAW);
			this.#attribute(3, 4, 0);
		} else if (this.#mesh.colors) {
			gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffers.at(-1));
			this.#attribute(3, 4, 0);
		} else {
			gl.disableVertexAttribArray(3);
		}
		gl.bindVertexArray(null);
	}

	/** Clears the canvas. */
	begin() {
		const gl = this.#gl;
		gl.depthMask(true);
		gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
	}

	/**
	 * Draws the frame into one of the columns that the canvas is divided into.
	 * @param {import('./camera.js').Camera} camera @param {number} pixelRatio
	 * @param {number} column @param {number} columns
	 * @param {?Surface} beside drawn in the same scene; null = nothing
	 */
	draw(camera, pixelRatio, column = 0, columns = 1, beside = null) {
		const gl = this.#gl;
		const width = Math.floor(gl.drawingBufferWidth / columns);
		const height = gl.drawingBufferHeight;
		gl.viewport(column * width, 0, width, height);
		gl.enable(gl.DEPTH_TEST);
		gl.depthFunc(gl.LEQUAL);
		gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
		for (const blended of [false, true]) {
			gl.depthMask(!blended);
			if (blended) gl.enable(gl.BLEND);
			else gl.disable(gl.BLEND);
			for (const surface of [this, beside]) {
				if (!surface?.#outward) continue;
				surface.#use(camera, width / height, pixelRatio);
				surface.#drawPass(blended);
			}
		}
		gl.bindVertexArray(null);
	}

	/**
	 * Draws the frame as a translucent figure of one colour, each pixel once, which all that is drawn later hides.
	 * @param {import('./camera.js').Camera} camera @param {number} pixelRatio
	 * @param {number[]} color linear red, green, blue, and alpha
	 */
	drawGhost(camera, pixelRatio, color) {
		if (!this.#outward) return;
		const gl = this.#gl;
		const { drawingBufferWidth: width, drawingBufferHeight: height } = gl;
		gl.viewport(0, 0, width, height);
		gl.enable(gl.DEPTH_TEST);
		gl.depthFunc(gl.LEQUAL);
		gl.depthMask(true);
		gl.enable(gl.BLEND);
		gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
		this.#use(camera, width / height, pixelRatio);
		gl.uniform4fv(this.#uniforms.ghost, color);
		for (const isColored of [false, true]) {
			gl.colorMask(isColored, isColored, isColored, isColored);
			for (const blended of [false, true]) this.#drawPass(blended);
		}
		gl.clear(gl.DEPTH_BUFFER_BIT);
		gl.bindVertexArray(null);
	}

	/** @param {import('./camera.js').Camera} camera @param {number} aspect @param {number} pixelRatio */
	#use(camera, aspect, pixelRatio) {
		const gl = this.#gl;
		gl.useProgram(this.#program);
		gl.uniformMatrix4fv(
			this.#uniforms.view_projection,
			false,
			camera.viewProjection(aspect),
		);
		gl.uniform3fv(this.#uniforms.eye, camera.eye());
		const [x, , z] = camera.axes().right;
		gl.uniformMatrix3fv(this.#uniforms.turn, false, [x, 0, -z, 0, 1, 0, z, 0, x]);
		gl.uniform1f(this.#uniforms.exposure, this.exposure);
		gl.uniform1f(this.#uniforms.point_size, POINT_PIXELS * pixelRatio);
		gl.uniform4f(this.#uniforms.ghost, 0, 0, 0, 0);
		const box = this.#box ?? [0, 0, 0, 1, 1, 1];
		gl.uniform1i(this.#uniforms.is_packed, this.#box ? 1 : 0);
		gl.uniform3fv(this.#uniforms.box_min, box.slice(0, 3));
		gl.uniform3fv(
			this.#uniforms.box_size,
			[0, 1, 2].map((k) => box[3 + k] - box[k]),
		);
		gl.bindVertexArray(this.#vertexArray);
		gl.vertexAttrib4f(3, 1, 1, 1, 1);
	}

	/** @param {boolean} blended draws the transparent primitives, or else the opaque ones */
	#drawPass(blended) {
		this.#mesh.primitives.forEach((primitive, i) => {
			const { alphaMode } = primitive.material;
			if ((alphaMode === 'BLEND' && !this.#paint) === blended) this.#drawPrimitive(primitive, i);
		});
	}

	#drawPrimitive({ mode, firstIndex, indexCount, material }, i) {
		const gl = this.#gl;
		const { alphaMode, alphaCutoff } = material;
		const painted = this.#paint !== null;
		gl.uniform1i(this.#uniforms.painted, painted);
		gl.uniform4fv(this.#uniforms.base_color, painted ? [1, 1, 1, 1] : material.baseColor);
		gl.uniform3fv(this.#uniforms.emissive, material.emissive);
		gl.uniform1i(this.#uniforms.lit, material.unlit ? 0 : 1);
		gl.uniform4fv(this.#uniforms.factors, material.factors);
		gl.uniform4fv(this.#uniforms.reflection, material.reflection);
		gl.uniform1f(this.#uniforms.outward, this.#outward[i]);
		gl.uniform2f(
			this.#uniforms.alpha,
			alphaMode === 'MASK' ? alphaCutoff : 0,
			alphaMode === 'BLEND' ? 0 : 1,
		);
		this.#useMaps(painted ? {} : material.maps);
		if (painted || material.doubleSided || mode !== gl.TRIANGLES) {
			gl.disable(gl.CULL_FACE);
		} else {
			gl.enable(gl.CULL_FACE);
		}
		gl.drawElements(mode, indexCount, gl.UNSIGNED_INT, firstIndex * 4);
	}

	/** @param {Record<string, ?import('./mesh_file.js').Map>} maps */
	#useMaps(maps) {
		const gl = this.#gl;
		let has = 0;
		MAPS.forEach((name, unit) => {
			const map = maps[name];
			if (!map) return;
			has |= (1 << unit) | (map.second ? 1 << (unit + 8) : 0);
			gl.activeTexture(gl.TEXTURE0 + unit);
			const key = map.texture + (COLOURS.includes(name) ? 's' : '');
			gl.bindTexture(gl.TEXTURE_2D, this.#textures.get(key));
		});
		gl.activeTexture(gl.TEXTURE0);
		gl.uniform1i(this.#uniforms.has, has);
		const rows = MAPS.flatMap((name) => maps[name]?.rows ?? ROWS);
		gl.uniformMatrix2x3fv(this.#uniforms.places, false, rows);
	}

	/** @param {any} data numbers, or the number of bytes to reserve */
	#upload(target, data, usage) {
		const buffer = this.#gl.createBuffer();
		this.#gl.bindBuffer(target, buffer);
		this.#gl.bufferData(target, data, usage);
		this.#buffers.push(buffer);
	}

	#attribute(location, width, offset, stride = 0) {
		this.#gl.enableVertexAttribArray(location);
		this.#gl.vertexAttribPointer(location, width, this.#gl.FLOAT, false, stride, offset);
	}

	/** @param {ImageBitmap} picture @param {import('./mesh_file.js').Sampler} sampler @param {boolean} isColour */
	#texture(picture, { magFilter, minFilter, wrapS, wrapT }, isColour) {
		const gl = this.#gl;
		const texture = gl.createTexture();
		gl.bindTexture(gl.TEXTURE_2D, texture);
		const format = isColour ? gl.SRGB8_ALPHA8 : gl.RGBA8;
		gl.texImage2D(gl.TEXTURE_2D, 0, format, gl.RGBA, gl.UNSIGNED_BYTE, picture);
		gl.generateMipmap(gl.TEXTURE_2D);
		gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, magFilter ?? gl.LINEAR);
		gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, minFilter ?? gl.LINEAR_MIPMAP_LINEAR);
		gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, wrapS ?? gl.REPEAT);
		gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, wrapT ?? gl.REPEAT);
		return texture;
	}
}
