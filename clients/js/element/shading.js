// The shaders: the daemon's own light (shaders/surface.frag) in WebGL's language, so that both ways
// of showing a rig look alike. The canvas wants sRGB, premultiplied.

const VERTEX = `#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal; // packed: x and y on the octahedron's net, z is 0
layout(location = 2) in vec2 texcoord;
layout(location = 3) in vec4 color;
uniform mat4 view_projection;
uniform float point_size;
uniform bool is_packed;
uniform vec3 box_min; // of packed positions, which are shares of the box
uniform vec3 box_size;
out vec3 world_position;
out vec3 world_normal;
out vec2 surface_texcoord;
out vec4 surface_color;

vec3 unfold(vec2 net) {
	vec3 n = vec3(net, 1.0 - abs(net.x) - abs(net.y));
	float fold = max(-n.z, 0.0);
	n.xy -= mix(vec2(-fold), vec2(fold), greaterThanEqual(n.xy, vec2(0.0)));
	return n;
}

void main() {
	world_position = is_packed ? box_min + position * box_size : position;
	world_normal = is_packed ? unfold(normal.xy) : normal;
	surface_texcoord = texcoord;
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
in vec4 surface_color;
uniform vec4 base_color;
uniform vec2 alpha; // below x is a hole; what is left is at least y
uniform vec3 eye;
uniform vec3 key_direction;
uniform float outward; // -1 where the normals point inwards
uniform vec3 emissive;
uniform float lit; // 0 = the base colour as it is
uniform bool painted; // colours of a scale: lit from the eye, as shaders/paint.frag does
uniform sampler2D base_color_texture;
out vec4 color;

const vec3 KEY = vec3(2.05, 1.97, 1.85);
const vec3 SKY = vec3(0.60, 0.66, 0.76);
const vec3 GROUND = vec3(0.30, 0.27, 0.25);
const float SHEEN = 0.05;
const float SHOULDER = 0.6;

vec3 below_one(vec3 light) {
	float peak = max(light.r, max(light.g, light.b));
	float room = 1.0 - SHOULDER;
	float bent = 1.0 - room * room / (max(peak - SHOULDER, 0.0) + room);
	return peak > SHOULDER ? light * (bent / peak) : light;
}

vec3 encode_srgb(vec3 light) {
	vec3 high = 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055;
	return mix(high, light * 12.92, lessThan(light, vec3(0.0031308)));
}

void main() {
	vec4 base = base_color * surface_color * texture(base_color_texture, surface_texcoord);
	if (base.a < alpha.x) {
		discard;
	}
	base.a = clamp(max(base.a, alpha.y), 0.0, 1.0);
	vec3 n = outward * normalize(world_normal);
	n = gl_FrontFacing ? n : -n;
	vec3 to_eye = normalize(eye - world_position);
	if (painted) {
		float bright = min(0.3 + 0.8 * abs(dot(n, to_eye)), 1.0);
		color = vec4(encode_srgb(surface_color.rgb * bright), 1.0);
		return;
	}
	vec3 sky = mix(GROUND, SKY, 0.5 + 0.5 * n.y);
	float key = max(dot(n, key_direction), 0.0);
	vec3 half_way = normalize(key_direction + to_eye);
	float gloss = pow(max(dot(n, half_way), 0.0), 32.0) * key;
	float rim = pow(1.0 - max(dot(n, to_eye), 0.0), 4.0);
	vec3 light = base.rgb * (sky + KEY * key * 0.42) + vec3(SHEEN) * (gloss * 2.0 + rim * sky);
	light = mix(base.rgb, below_one(light + emissive), lit);
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
	'key_direction',
	'outward',
	'emissive',
	'lit',
	'painted',
];

/** @param {WebGL2RenderingContext} gl */
function compile(gl, kind, text) {
	const shader = gl.createShader(kind);
	gl.shaderSource(shader, text);
	gl.compileShader(shader);
	return shader;
}

/**
 * The program and the places of its uniforms by name.
 * @param {WebGL2RenderingContext} gl
 */
export function createProgram(gl) {
	const program = gl.createProgram();
	const shaders = [
		compile(gl, gl.VERTEX_SHADER, VERTEX),
		compile(gl, gl.FRAGMENT_SHADER, FRAGMENT),
	];
	for (const shader of shaders) gl.attachShader(program, shader);
	gl.linkProgram(program);
	if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
		const logs = shaders.map((shader) => gl.getShaderInfoLog(shader));
		throw new Error(
			['The shaders do not link:', ...logs, gl.getProgramInfoLog(program)].join(' '),
		);
	}
	const places = UNIFORMS.map((name) => [name, gl.getUniformLocation(program, name)]);
	return { program, uniforms: Object.fromEntries(places) };
}
