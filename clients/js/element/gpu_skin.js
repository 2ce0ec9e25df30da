// Skins a mesh on the GPU by the daemon's own shader of a method: palettes in, positions and normals out,
// by transform feedback. docs/shaders.md of posed describes the inputs.

const TEXELS = 1024; // of a texture's row
// The units before are those of materials and light.
const FIRST_UNIT = 7;

const MAIN = `
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
out vec3 posed_position;
out vec3 posed_normal;

void main() {
	uint vertex = uint(gl_VertexID);
	rest_vertex = surface(position, normal, vec3(0.0));
	DISPLACEMENT
	surface posed = posed_surface(vertex);
	posed_position = posed.position;
	posed_normal = posed.normal;
	gl_Position = vec4(0.0);
}
`;

const FRAGMENT = `#version 300 es
precision highp float;
out vec4 color;
void main() {
	color = vec4(0.0);
}
`;

/** Uniforms that are the same for all vertices. @type {Record<string, string>} */
const UNIFORMS = {
	streams: 'uniform2uiv',
	sections: 'uniform4uiv',
	parameters: 'uniform4fv',
	copy: 'uniform4uiv',
};

/** @param {WebGL2RenderingContext} gl @param {WebGLProgram} program @param {number} kind @param {string} text */
function compile(gl, program, kind, text) {
	const shader = /** @type {WebGLShader} */ (gl.createShader(kind));
	gl.shaderSource(shader, text);
	gl.compileShader(shader);
	gl.attachShader(program, shader);
	return shader;
}

/**
 * The functions, with the constants that the skinning wants and a main() behind them.
 * @param {WebGL2RenderingContext} gl @param {string} text @param {any[]} stages
 */
function link(gl, text, stages) {
	// Any frame may have joints that scale.
	const constants = stages.at(-1).constants.replace('stretched = false', 'stretched = true');
	const functions = text.replace(/^const uint normals_by[^]*?const int option7 = .*\n/m, () => constants);
	const displacement = stages.length > 1 ? 'rest_vertex = displaced_surface(vertex);' : '';
	const program = /** @type {WebGLProgram} */ (gl.createProgram());
	const main = MAIN.replace('DISPLACEMENT', displacement);
	const shaders = [
		compile(gl, program, gl.VERTEX_SHADER, functions + main),
		compile(gl, program, gl.FRAGMENT_SHADER, FRAGMENT),
	];
	gl.transformFeedbackVaryings(program, ['posed_position', 'posed_normal'], gl.INTERLEAVED_ATTRIBS);
	gl.linkProgram(program);
	if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
		const logs = shaders.map((shader) => gl.getShaderInfoLog(shader));
		throw new Error(['The skinning shader does not link:', ...logs].join(' '));
	}
	for (const shader of shaders) gl.deleteShader(shader);
	return program;
}

export class GpuSkin {
	#gl;
	#program;
	#stages;
	#spans;
	#buffer;
	#vertexArray;
	/** @type {Map<string, {texture: WebGLTexture, unit: number}>} by the names of their uniforms */
	#textures = new Map();
	#places;

	/** @param {WebGL2RenderingContext} gl @param {import('./playback.js').SkinInputs} inputs */
	constructor(gl, { text, shader, files, rest }) {
		this.#gl = gl;
		this.#stages = shader.stages;
		this.#spans = shader.spans;
		this.#program = link(gl, text, shader.stages);
		const place = (/** @type {string} */ name) => gl.getUniformLocation(this.#program, name);
		this.#places = { span: place('span'), start: place('influence_start') };
		this.#buffer = gl.createBuffer();
		this.#vertexArray = this.#layOut(rest);
		this.#setWords('influences_texture', files.get('influences.bin'));
		shader.stages.forEach((/** @type {any} */ _, /** @type {number} */ i) => {
			this.#setWords(`${this.#prefix(i)}data_texture`, files.get(`data${i}.bin`));
			this.#setGradients(files.get(`gradients${i}.bin`));
		});
		this.#setUniforms(place);
	}

	destroy() {
		const gl = this.#gl;
		gl.deleteProgram(this.#program);
		gl.deleteBuffer(this.#buffer);
		gl.deleteVertexArray(this.#vertexArray);
		for (const { texture } of this.#textures.values()) gl.deleteTexture(texture);
	}

	/** A displacement before the kernel has textures of its own. @param {number} i stage */
	#prefix(i) {
		return i === this.#stages.length - 1 ? '' : 'displacement_';
	}

	/** @param {{positions: Float32Array, normals: Float32Array}} rest */
	#layOut({ positions, normals }) {
		const gl = this.#gl;
		const array = gl.createVertexArray();
		gl.bindVertexArray(array);
		gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer);
		gl.bufferData(gl.ARRAY_BUFFER, positions.byteLength + normals.byteLength, gl.STATIC_DRAW);
		[positions, normals].forEach((stream, location) => {
			gl.bufferSubData(gl.ARRAY_BUFFER, location * positions.byteLength, stream);
			gl.enableVertexAttribArray(location);
			gl.vertexAttribPointer(location, 3, gl.FLOAT, false, 12, location * positions.byteLength);
		});
		gl.bindVertexArray(null);
		return array;
	}

	/** @param {(name: string) => ?WebGLUniformLocation} place */
	#setUniforms(place) {
		const gl = /** @type {any} */ (this.#gl);
		const { uniforms } = this.#stages.at(-1);
		gl.useProgram(this.#program);
		for (const [name, set] of Object.entries(UNIFORMS)) gl[set](place(name), uniforms[name]);
		gl.uniform1ui(place('extra'), uniforms.extra);
		gl.uniform4uiv(place('displacement_sections'), this.#stages[0].uniforms.sections);
	}

	/**
	 * Puts numbers into the texture that the functions know by a name, row after row.
	 * @param {string} name @param {number} internal @param {number} format
	 * @param {Uint32Array | Float32Array} numbers @param {number} perTexel
	 */
	#set(name, internal, format, numbers, perTexel) {
		const gl = this.#gl;
		const texels = numbers.length / perTexel;
		const width = Math.min(Math.max(texels, 1), TEXELS);
		const height = Math.max(Math.ceil(texels / width), 1);
		const Kind = /** @type {Float32ArrayConstructor} */ (numbers.constructor);
		const padded = new Kind(width * height * perTexel);
		padded.set(numbers);
		const type = Kind === Float32Array ? gl.FLOAT : gl.UNSIGNED_INT;
		this.#bind(name);
		gl.texImage2D(gl.TEXTURE_2D, 0, internal, width, height, 0, format, type, padded);
	}

	/** Binds the texture of a name, made where it is missing, to its unit. @param {string} name */
	#bind(name) {
		const gl = this.#gl;
		let entry = this.#textures.get(name);
		const isNew = !entry;
		entry ??= { texture: gl.createTexture(), unit: FIRST_UNIT + this.#textures.size };
		gl.activeTexture(gl.TEXTURE0 + entry.unit);
		gl.bindTexture(gl.TEXTURE_2D, entry.texture);
		if (!isNew) return;
		this.#textures.set(name, entry);
		gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
		gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
		gl.useProgram(this.#program);
		gl.uniform1i(gl.getUniformLocation(this.#program, name), entry.unit);
	}

	/** @param {string} name @param {Uint8Array} [bytes] */
	#setWords(name, bytes) {
		if (!bytes) return;
		const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
		this.#set(name, this.#gl.R32UI, this.#gl.RED_INTEGER, words, 1);
	}

	/** @param {Uint8Array} [bytes] */
	#setGradients(bytes) {
		if (!bytes) return;
		const floats = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
		this.#set('gradients_texture', this.#gl.R32F, this.#gl.RED, floats, 1);
	}

	/**
	 * Skins into a buffer: the position and the normal of each vertex, as float32.
	 * @param {Float32Array[]} palettes of each stage @param {WebGLBuffer} target
	 */
	run(palettes, target) {
		const gl = this.#gl;
		palettes.forEach((palette, i) => {
			if (palette.length > 0)
				this.#set(`${this.#prefix(i)}palette_texture`, gl.RGBA32F, gl.RGBA, palette, 4);
		});
		for (const name of this.#textures.keys()) this.#bind(name);
		gl.useProgram(this.#program);
		gl.bindVertexArray(this.#vertexArray);
		gl.bindBuffer(gl.ARRAY_BUFFER, null); // it may be the target
		gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, target);
		gl.enable(gl.RASTERIZER_DISCARD);
		gl.beginTransformFeedback(gl.POINTS);
		for (const { span, influence_start: start } of this.#spans) {
			gl.uniform4uiv(this.#places.span, span);
			gl.uniform2uiv(this.#places.start, start);
			gl.drawArrays(gl.POINTS, span[0], span[1]);
		}
		gl.endTransformFeedback();
		gl.disable(gl.RASTERIZER_DISCARD);
		gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, null);
		gl.bindVertexArray(null);
		gl.activeTexture(gl.TEXTURE0);
	}
}
