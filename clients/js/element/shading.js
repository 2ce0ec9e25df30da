// The shaders: the daemon's own materials and light (shaders/include/shaded.glsl, which names the
// sources) ported to WebGL, so that both ways of showing a rig look alike. Only pictures have anisotropy,
// clearcoat, iridescence, sheen, transmission and the file's lights. The canvas wants premultiplied sRGB.
import {
	ENVIRONMENTS,
	FULL_SCREEN,
	LIGHT,
	LOOK_UP,
	SIZES,
	TABLE,
	description,
	irradiance,
} from './environment.js';

/** The texture units of a material's maps, in order; the units of the light follow. */
export const MAPS = ['baseColor', 'metallicRoughness', 'normal', 'emissive', 'occlusion'];
const LIGHT_UNIT = MAPS.length;
const TABLE_UNIT = LIGHT_UNIT + 1;

/** GLSL that reads the vertices of a frame, packed or not: vertex_position() and vertex_normal(). */
export const VERTEX_INPUTS = `
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal; // packed: x and y on the octahedron's net, z is 0
uniform mat4 view_projection;
uniform bool is_packed;
uniform vec3 box_min; // of packed positions, which are shares of the box
uniform vec3 box_size;

vec3 unfold(vec2 net) {
	vec3 n = vec3(net, 1.0 - abs(net.x) - abs(net.y));
	float fold = max(-n.z, 0.0);
	n.xy -= mix(vec2(-fold), vec2(fold), greaterThanEqual(n.xy, vec2(0.0)));
	return n;
}

vec3 vertex_position() {
	return is_packed ? box_min + position * box_size : position;
}

vec3 vertex_normal() {
	return is_packed ? unfold(normal.xy) : normal;
}
`;

const VERTEX = `#version 300 es
${VERTEX_INPUTS}
layout(location = 2) in vec2 texcoord;
layout(location = 3) in vec4 color;
layout(location = 4) in vec2 second_texcoord;
uniform float point_size;
out vec3 world_position;
out vec3 world_normal;
out vec2 surface_texcoord;
out vec2 surface_second_texcoord;
out vec4 surface_color;

void main() {
	world_position = vertex_position();
	world_normal = vertex_normal();
	surface_texcoord = texcoord;
	surface_second_texcoord = second_texcoord;
	surface_color = color;
	gl_PointSize = point_size;
	gl_Position = view_projection * vec4(world_position, 1.0);
}
`;

const FRAGMENT = `#version 300 es
precision highp float;
in vec3 world_position;
in vec3 world_normal;
in vec2 surface_texcoord;
in vec2 surface_second_texcoord;
in vec4 surface_color;
uniform vec4 base_color;
uniform vec2 alpha; // below x is a hole; what is left is at least y
uniform vec3 eye;
uniform float outward; // -1 where the normals point inwards
uniform vec3 emissive;
uniform vec4 factors; // metallic, roughness, scale of normals, strength of occlusion
uniform vec4 reflection; // of what is no metal, from the front; w at grazing angles
uniform bool lit; // else the base colour as it is
uniform vec4 ghost; // a translucent figure of one colour; of alpha 0 there is none
uniform bool painted; // colours of a scale: lit from the eye, as shaders/paint_scale.frag does
uniform int has; // which maps there are, and from which bit on which use the second coordinates
uniform mat2x3 places[${MAPS.length}]; // rows that place each map
uniform sampler2D base_color_map, metal_map, normal_map, emissive_map, occlusion_map;
uniform sampler2D light_around, reflection_table;
uniform vec3 irradiance[9];
uniform float exposure; // that light is multiplied by
uniform mat3 turn; // light goes along with the camera's yaw
out vec4 color;
${LOOK_UP}
vec2 place_of(int map) {
	vec2 place = (has >> (map + 8) & 1) != 0 ? surface_second_texcoord : surface_texcoord;
	return vec3(place, 1.0) * places[map];
}

bool has_map(int map) {
	return (has >> map & 1) != 0;
}

vec3 encode_srgb(vec3 light) {
	vec3 high = 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055;
	return mix(high, light * 12.92, lessThan(light, vec3(0.0031308)));
}

vec3 tone_neutral(vec3 light) {
	const float START = 0.8 - 0.04;
	const float DESATURATION = 0.15;
	float least = min(light.r, min(light.g, light.b));
	light -= least < 0.08 ? least - 6.25 * least * least : 0.04;
	float peak = max(light.r, max(light.g, light.b));
	float room = 1.0 - START;
	float bent = 1.0 - room * room / (max(peak, START) + room - START);
	float faded = 1.0 - 1.0 / (DESATURATION * (max(peak, START) - bent) + 1.0);
	return peak < START ? light : mix(light * (bent / peak), vec3(bent), faded);
}

float greatest(vec3 v) {
	return max(v.r, max(v.g, v.b));
}

vec3 layer_at(vec2 place, float layer) {
	vec3 root = textureLod(light_around, vec2(place.x, (place.y + layer) / LAYERS), 0.0).rgb;
	return root * root * BRIGHTEST;
}

vec3 light_from(vec3 direction, float roughness) {
	vec2 place = place_of_light(direction);
	float layer = layer_of_roughness(roughness);
	float below = min(floor(layer), LAYERS - 2.0);
	return mix(layer_at(place, below), layer_at(place, below + 1.0), layer - below);
}

vec3 irradiance_at(vec3 n) {
	return irradiance[0] + irradiance[1] * n.y + irradiance[2] * n.z + irradiance[3] * n.x +
		irradiance[4] * (n.x * n.y) + irradiance[5] * (n.y * n.z) +
		irradiance[6] * (3.0 * n.z * n.z - 1.0) + irradiance[7] * (n.x * n.z) +
		irradiance[8] * (n.x * n.x - n.y * n.y);
}

// Normal mapping; the tangent frame comes from screen-space derivatives of the texture coordinates.
vec3 bent_normal(vec3 n, vec2 place, vec3 told, float scale) {
	vec3 across = dFdx(-world_position), down = dFdy(-world_position);
	vec2 place_across = dFdx(place), place_down = dFdy(place);
	vec3 down_side = cross(n, down), across_side = cross(across, n);
	float side = sign(dot(n, cross(across, down)));
	vec3 tangent = side * (down_side * place_across.x + across_side * place_down.x);
	vec3 bitangent = -side * (down_side * place_across.y + across_side * place_down.y);
	float longest = max(dot(tangent, tangent), dot(bitangent, bitangent));
	float unit = longest > 0.0 ? inversesqrt(longest) : 0.0;
	vec3 bend = (told * 2.0 - 1.0) * vec3(scale, scale, 1.0);
	return normalize(tangent * (bend.x * unit) + bitangent * (bend.y * unit) + n * bend.z);
}

vec3 reflected_often(vec3 once, vec3 front, float edge, float lost) {
	vec3 mean = mix(front, vec3(edge), 1.0 / 21.0);
	return once * mean * (lost / (1.0 - mean * lost));
}

vec3 shaded(vec3 base, vec3 n, vec3 to_eye) {
	vec2 metal = factors.xy * (has_map(1) ? texture(metal_map, place_of(1)).bg : vec2(1.0));
	metal = clamp(metal, 0.0, 1.0);
	n = has_map(2) ? bent_normal(n, place_of(2), texture(normal_map, place_of(2)).xyz, factors.z) : n;
	vec3 emission = emissive * (has_map(3) ? texture(emissive_map, place_of(3)).rgb : vec3(1.0));
	float seen = has_map(4) ? texture(occlusion_map, place_of(4)).r : 1.0;
	float occlusion = 1.0 + factors.w * (seen - 1.0);
	float normal_eye = clamp(dot(n, to_eye), 1e-3, 1.0);
	vec2 entry = vec2(sqrt(normal_eye), metal.y) * ((TABLE_SIZE - 1.0) / TABLE_SIZE) + 0.5 / TABLE_SIZE;
	vec2 table = textureLod(reflection_table, entry, 0.0).rg;
	float lost = 1.0 - (table.x + table.y);
	vec3 front = mix(reflection.rgb, base, metal.x);
	float edge = mix(reflection.w, 1.0, metal.x);
	vec3 once = front * table.x + edge * table.y;
	vec3 clear = reflection.rgb * table.x + reflection.w * table.y;
	float goes_in = 1.0 - greatest(clear + reflected_often(clear, reflection.rgb, reflection.w, lost));
	vec3 main_direction = mix(reflect(-to_eye, n), n, square_of(square_of(metal.y)));
	vec3 mirrored = light_from(turn * main_direction, metal.y);
	vec3 around = irradiance_at(turn * n);
	float share = has_map(4)
		? clamp(pow(normal_eye + occlusion, exp2(-16.0 * metal.y - 1.0)) - 1.0 + occlusion, 0.0, 1.0)
		: 1.0;
	vec3 light = base * ((1.0 - metal.x) * goes_in * occlusion) * around +
		(mirrored * once + around * reflected_often(once, front, edge, lost)) * share;
	return tone_neutral((light + emission) * exposure);
}

void main() {
	vec4 base = base_color * surface_color;
	base *= has_map(0) ? texture(base_color_map, place_of(0)) : vec4(1.0);
	if (base.a < alpha.x) {
		discard;
	}
	base.a = clamp(max(base.a, alpha.y), 0.0, 1.0);
	vec3 n = outward * normalize(world_normal);
	n = gl_FrontFacing ? n : -n;
	vec3 to_eye = normalize(eye - world_position);
	if (ghost.a > 0.0) {
		float facing = 0.35 + 0.65 * abs(dot(n, to_eye));
		color = vec4(encode_srgb(ghost.rgb * facing) * ghost.a, ghost.a);
		return;
	}
	if (painted) {
		float bright = min(0.3 + 0.8 * abs(dot(n, to_eye)), 1.0);
		color = vec4(encode_srgb(surface_color.rgb * bright), 1.0);
		return;
	}
	vec3 light = lit ? shaded(base.rgb, n, to_eye) : base.rgb;
	color = vec4(encode_srgb(clamp(light, 0.0, 1.0)) * base.a, base.a);
}
`;

const UNIFORMS = [
	'view_projection',
	'point_size',
	'is_packed',
	'box_min',
	'box_size',
	'base_color',
	'alpha',
	'eye',
	'outward',
	'emissive',
	'lit',
	'painted',
	'ghost',
	'turn',
	'exposure',
	'factors',
	'reflection',
	'has',
	'places',
];

/** @param {WebGL2RenderingContext} gl */
function compile(gl, kind, text) {
	const shader = gl.createShader(kind);
	gl.shaderSource(shader, text);
	gl.compileShader(shader);
	return shader;
}

/** @param {WebGL2RenderingContext} gl @param {string} vertex @param {string} fragment */
export function link(gl, vertex, fragment) {
	const program = gl.createProgram();
	const shaders = [
		compile(gl, gl.VERTEX_SHADER, vertex),
		compile(gl, gl.FRAGMENT_SHADER, fragment),
	];
	for (const shader of shaders) gl.attachShader(program, shader);
	gl.linkProgram(program);
	if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
		const logs = shaders.map((shader) => gl.getShaderInfoLog(shader));
		throw new Error(['The shaders do not link:', ...logs, gl.getProgramInfoLog(program)].join(' '));
	}
	return program;
}

/**
 * A texture that a shader fills; it stays bound to its unit, in place of the one before.
 * @param {WebGL2RenderingContext} gl @param {string} fragment @param {number} unit
 * @param {{width: number, height: number}} size
 * @param {import('./environment.js').Environment} environment
 */
function fill(gl, fragment, unit, { width, height }, environment) {
	const texture = gl.createTexture();
	gl.activeTexture(gl.TEXTURE0 + unit);
	gl.deleteTexture(gl.getParameter(gl.TEXTURE_BINDING_2D));
	gl.bindTexture(gl.TEXTURE_2D, texture);
	gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGB10_A2, width, height);
	for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) {
		gl.texParameteri(gl.TEXTURE_2D, side, gl.CLAMP_TO_EDGE);
	}
	gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
	const frame = gl.createFramebuffer();
	gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
	gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
	const program = link(gl, FULL_SCREEN, fragment);
	gl.useProgram(program);
	const { gradient, boxes } = description(environment);
	gl.uniform3fv(gl.getUniformLocation(program, 'gradient'), gradient);
	gl.uniform4fv(gl.getUniformLocation(program, 'boxes'), boxes);
	gl.viewport(0, 0, width, height);
	gl.drawArrays(gl.TRIANGLES, 0, 3);
	gl.deleteProgram(program);
	gl.deleteFramebuffer(frame);
	gl.activeTexture(gl.TEXTURE0);
}

/**
 * Lights a program anew. The light's textures stay bound to their units.
 * @param {WebGL2RenderingContext} gl @param {WebGLProgram} program
 * @param {import('./environment.js').Environment} environment
 */
export function setEnvironment(gl, program, environment) {
	fill(gl, LIGHT, LIGHT_UNIT, SIZES.light, environment);
	gl.useProgram(program);
	gl.uniform3fv(gl.getUniformLocation(program, 'irradiance'), irradiance(environment));
}

/**
 * The program and its uniform locations by name, lit by the default environment.
 * @param {WebGL2RenderingContext} gl
 */
export function createProgram(gl) {
	const program = link(gl, VERTEX, FRAGMENT);
	fill(gl, TABLE, TABLE_UNIT, SIZES.table, ENVIRONMENTS[0]);
	setEnvironment(gl, program, ENVIRONMENTS[0]);
	const place = (name) => gl.getUniformLocation(program, name);
	const units = ['base_color_map', 'metal_map', 'normal_map', 'emissive_map', 'occlusion_map'];
	[...units, 'light_around', 'reflection_table'].forEach((name, unit) =>
		gl.uniform1i(place(name), unit),
	);
	const places = UNIFORMS.map((name) => [name, place(name)]);
	return { program, uniforms: Object.fromEntries(places) };
}
