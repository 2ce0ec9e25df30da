// A rig whose poses the daemon makes and whose vertices a page's own GPU skins, by the functions of the
// daemon's shaders in WebGL 2. docs/shaders.md of posed says more.
//
//   const skin = await ShaderSkin.create(gl, client, { rig: 'humanoid', skinning: 'dqs' });
//   await skin.pose({ clip: 'Walk', time: 0.4 });
//   skin.draw(viewProjection);
const TEXELS = 1024; // of a texture's row

const MAIN = `
uniform mat4 view_projection;
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
	gl_Position = view_projection * vec4(posed.position, 1.0);
}
`;

const FRAGMENT = `#version 300 es
precision highp float;
in vec3 posed_normal;
out vec4 color;

void main() {
	color = vec4(vec3(0.6 + 0.4 * normalize(posed_normal).y), 1.0);
}
`;

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

function compile(gl, program, type, text) {
	const shader = gl.createShader(type);
	gl.shaderSource(shader, text);
	gl.compileShader(shader);
	if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
	gl.attachShader(program, shader);
}

/** The functions with the constants that the skinning wants, a main() behind them, as a program. */
function link(gl, text, { constants }, displaces) {
	const wanted = constants.replace('stretched = false', 'stretched = true'); // other poses may be
	const functions = text.replace(/^const uint normals_by[^]*?const int option7 = .*\n/m, wanted);
	const displacement = displaces ? 'rest_vertex = displaced_surface(vertex);' : '';
	const program = gl.createProgram();
	compile(gl, program, gl.VERTEX_SHADER, functions + MAIN.replace('DISPLACEMENT', displacement));
	compile(gl, program, gl.FRAGMENT_SHADER, FRAGMENT);
	gl.transformFeedbackVaryings(program, ['posed_position', 'posed_normal'], gl.SEPARATE_ATTRIBS);
	gl.linkProgram(program);
	if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
	return program;
}

const floats = (list) => new Float32Array(list);
const words = (list) => new Uint32Array(list);

/** Buffers as textures: format, type, array, and numbers in a texel. */
const FORMS = {
	palette: (gl) => [gl.RGBA32F, gl.RGBA, gl.FLOAT, floats, 4],
	influences: (gl) => [gl.R32UI, gl.RED_INTEGER, gl.UNSIGNED_INT, words, 1],
	data: (gl) => [gl.R32UI, gl.RED_INTEGER, gl.UNSIGNED_INT, words, 1],
	gradients: (gl) => [gl.R32F, gl.RED, gl.FLOAT, (list) => floats(words(list).buffer), 1],
};

/** Uniforms that are the same for all vertices. */
const UNIFORMS = {
	streams: 'uniform2uiv',
	sections: 'uniform4uiv',
	parameters: 'uniform4fv',
	copy: 'uniform4uiv',
};

export class ShaderSkin {
	#gl;
	#client;
	#request;
	#program;
	#spans;
	#vertices;
	#textures = {};
	#array;

	/** request: rig, and how it is skinned; its pose is the first. */
	static async create(gl, client, request) {
		const skin = new ShaderSkin();
		await skin.#load(gl, client, request);
		return skin;
	}

	async #load(gl, client, request) {
		const inputs = await client.shaderInputs(request);
		const text = await client.shader(inputs.method, { version: '300' });
		const kernel = inputs.stages.at(-1);
		if (inputs.stages.length > 1 && kernel.method !== (await baseOf(client, inputs.method))) {
			throw new Error(`the text of ${inputs.method} has not the kernel of ${kernel.method}`);
		}
		[this.#gl, this.#client, this.#request] = [gl, client, request];
		[this.#spans, this.#vertices] = [inputs.spans, inputs.vertices];
		this.#program = link(gl, text, kernel, inputs.stages.length > 1);
		this.#setAttributes(new Float32Array(inputs.buffers.vertices));
		this.#set('influences', inputs.buffers.influences);
		this.#setStages(inputs.stages);
	}

	/** Positions and normals lie one behind the other. @param {Float32Array} streams */
	#setAttributes(streams) {
		const gl = this.#gl;
		this.#array = gl.createVertexArray();
		gl.bindVertexArray(this.#array);
		gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
		gl.bufferData(gl.ARRAY_BUFFER, streams, gl.STATIC_DRAW);
		for (const at of [0, 1]) {
			gl.enableVertexAttribArray(at);
			gl.vertexAttribPointer(at, 3, gl.FLOAT, false, 12, at * this.#vertices * 12);
		}
		gl.bindVertexArray(null);
	}

	/** Puts the numbers of a buffer into the texture that the functions know by a name. */
	#set(buffer, list, name = buffer) {
		const gl = this.#gl;
		const [internal, format, type, arrayOf, perTexel] = FORMS[buffer](gl);
		const values = arrayOf(list);
		const texels = values.length / perTexel;
		const width = Math.min(Math.max(texels, 1), TEXELS);
		const height = Math.max(Math.ceil(texels / width), 1);
		const padded = new values.constructor(width * height * perTexel);
		padded.set(values);
		this.#textures[name] ??= gl.createTexture();
		gl.bindTexture(gl.TEXTURE_2D, this.#textures[name]);
		gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
		gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
		gl.texImage2D(gl.TEXTURE_2D, 0, internal, width, height, 0, format, type, padded);
	}

	/** A displacement before the kernel has textures of its own. */
	#setStages(stages) {
		const gl = this.#gl;
		const kernel = stages.at(-1);
		for (const stage of stages) {
			const prefix = stage === kernel ? '' : 'displacement_';
			for (const [name, list] of Object.entries(stage.buffers)) this.#set(name, list, prefix + name);
		}
		gl.useProgram(this.#program);
		for (const [name, set] of Object.entries(UNIFORMS)) {
			gl[set](gl.getUniformLocation(this.#program, name), kernel.uniforms[name]);
		}
		gl.uniform1ui(gl.getUniformLocation(this.#program, 'extra'), kernel.uniforms.extra);
		const sections = gl.getUniformLocation(this.#program, 'displacement_sections');
		gl.uniform4uiv(sections, stages[0].uniforms.sections);
	}

	/** Takes another pose: the palette is all that comes. */
	async pose(pose) {
		const request = { ...this.#request, pose, buffers: ['palette'] };
		this.#setStages((await this.#client.shaderInputs(request)).stages);
	}

	/** Draws the vertices, span by span, as points or what else gl.drawArrays() makes of them. */
	draw(viewProjection = IDENTITY, mode = this.#gl.POINTS) {
		this.#bind(viewProjection);
		this.#drawSpans(mode);
	}

	#drawSpans(mode) {
		const gl = this.#gl;
		for (const { span, influence_start: start } of this.#spans) {
			gl.uniform4uiv(gl.getUniformLocation(this.#program, 'span'), span);
			gl.uniform2uiv(gl.getUniformLocation(this.#program, 'influence_start'), start);
			gl.drawArrays(mode, span[0], span[1]);
		}
		gl.bindVertexArray(null);
	}

	#bind(viewProjection) {
		const gl = this.#gl;
		gl.useProgram(this.#program);
		gl.bindVertexArray(this.#array);
		gl.uniformMatrix4fv(gl.getUniformLocation(this.#program, 'view_projection'), false, viewProjection);
		Object.entries(this.#textures).forEach(([name, texture], unit) => {
			gl.activeTexture(gl.TEXTURE0 + unit);
			gl.bindTexture(gl.TEXTURE_2D, texture);
			gl.uniform1i(gl.getUniformLocation(this.#program, `${name}_texture`), unit);
		});
	}

	/** The skinned vertices as numbers: positions and normals, three each. */
	vertices() {
		const gl = this.#gl;
		const streams = [0, 1].map((at) => {
			const buffer = gl.createBuffer();
			gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, at, buffer);
			gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, this.#vertices * 12, gl.STREAM_READ);
			return buffer;
		});
		this.#bind(IDENTITY);
		gl.enable(gl.RASTERIZER_DISCARD);
		gl.beginTransformFeedback(gl.POINTS);
		this.#drawSpans(gl.POINTS);
		gl.endTransformFeedback();
		gl.disable(gl.RASTERIZER_DISCARD);
		const [positions, normals] = streams.map((buffer, at) => {
			const numbers = new Float32Array(this.#vertices * 3);
			gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, at, null);
			gl.bindBuffer(gl.COPY_READ_BUFFER, buffer);
			gl.getBufferSubData(gl.COPY_READ_BUFFER, 0, numbers);
			gl.deleteBuffer(buffer);
			return numbers;
		});
		return { positions, normals };
	}
}

/** Whose kernel a method's text has. */
async function baseOf(client, method) {
	return (await client.shaders()).find((shader) => shader.method === method).base;
}
