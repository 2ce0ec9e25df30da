// Image-based light as the daemon's pictures have it, made of the same numbers as renderer/draw/sky.c
// by the same sums (renderer/gl/environment.c and shaders/environment.comp, which name the
// sources), once for each canvas.

const SIZE = 48; // texels of a square, a side
const LAYERS = 8; // squares stacked from smooth to rough
const TABLE_SIZE = 32;
const DIRECTIONS = 2048;

// Soft boxes are far away: yaw and pitch in degrees, half sizes and the edge's softness at distance 1,
// radiance.
const SKIES = {
	studio: {
		zenith: [0.33, 0.34, 0.36],
		horizon: [0.22, 0.225, 0.235],
		nadir: [0.15, 0.14, 0.135],
		boxes: [
			{ yaw: -42, pitch: 38, half: [0.55, 0.55], soft: 0.12, radiance: [3.5, 3.35, 3.1] },
			{ yaw: 62, pitch: 12, half: [0.45, 0.75], soft: 0.15, radiance: [0.75, 0.78, 0.84] },
			{ yaw: 0, pitch: 86, half: [0.7, 0.5], soft: 0.15, radiance: [0.9, 0.9, 0.9] },
			{ yaw: 148, pitch: 24, half: [0.22, 0.9], soft: 0.08, radiance: [4.2, 4.4, 4.7] },
			{ yaw: -140, pitch: 20, half: [0.16, 0.9], soft: 0.08, radiance: [3.0, 3.0, 3.1] },
		],
	},
	soft: {
		zenith: [1.35, 1.38, 1.45],
		horizon: [0.92, 0.93, 0.95],
		nadir: [0.42, 0.4, 0.38],
		boxes: [],
	},
	neutral: { zenith: [1, 1, 1], horizon: [1, 1, 1], nadir: [1, 1, 1], boxes: [] },
};
const MOST_BOXES = 5;

/** @typedef {keyof typeof SKIES} Environment */

/** The environments, the default first. */
export const ENVIRONMENTS = /** @type {Environment[]} */ (Object.keys(SKIES));

/** The boxes of a sky with their axes. @param {Environment} environment */
function boxesOf(environment) {
	return SKIES[environment].boxes.map(({ yaw, pitch, half, soft, radiance }) => {
		const [a, b] = [yaw, pitch].map((degrees) => (degrees * Math.PI) / 180);
		const [sa, ca, sb, cb] = [Math.sin(a), Math.cos(a), Math.sin(b), Math.cos(b)];
		const axes = [
			[sa * cb, sb, ca * cb],
			[ca, 0, -sa],
			[-sa * sb, cb, -ca * sb],
		];
		return { axes, half, soft, radiance };
	});
}

/** GLSL that looks up light: place_of_light() and its units. */
export const LOOK_UP = `
const float SIZE = ${SIZE}.0;
const float LAYERS = ${LAYERS}.0;
const float TABLE_SIZE = ${TABLE_SIZE}.0;
const float BRIGHTEST = 8.0; // light is stored as the square root of its share of it

float layer_of_roughness(float roughness) {
	return roughness * (9.0 - 2.0 * roughness);
}

float roughness_of_layer(float layer) {
	return (sqrt(81.0 - 8.0 * layer) - 9.0) / -4.0;
}

vec2 folded(vec2 p) {
	return (1.0 - abs(p.yx)) * vec2(p.x < 0.0 ? -1.0 : 1.0, p.y < 0.0 ? -1.0 : 1.0);
}

// A direction of any length -> a position in one square.
vec2 place_of_light(vec3 direction) {
	vec2 p = direction.xz / (abs(direction.x) + abs(direction.y) + abs(direction.z));
	p = direction.y < 0.0 ? folded(p) : p;
	return p * (0.5 - 1.0 / SIZE) + 0.5;
}

float square_of(float x) {
	return x * x;
}

float ggx_visibility(float square, float normal_light, float normal_eye) {
	float towards_eye = normal_light * sqrt(normal_eye * normal_eye * (1.0 - square) + square);
	float towards_light = normal_eye * sqrt(normal_light * normal_light * (1.0 - square) + square);
	return 0.5 / max(towards_eye + towards_light, 1e-7);
}

float grazing(float cosine) {
	return pow(clamp(1.0 - cosine, 0.0, 1.0), 5.0);
}
`;

export const FULL_SCREEN = `#version 300 es
void main() {
	gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
}
`;

const COMMON = `#version 300 es
precision highp float;
precision highp int;
uniform vec3 gradient[3];
uniform vec4 boxes[${MOST_BOXES * 4}]; // those that are missing are 0
out vec4 color;
const float PI = 3.14159265358979;
${LOOK_UP}
uint reversed(uint x) {
	x = (x << 16) | (x >> 16);
	x = ((x & 0x00ff00ffu) << 8) | ((x & 0xff00ff00u) >> 8);
	x = ((x & 0x0f0f0f0fu) << 4) | ((x & 0xf0f0f0f0u) >> 4);
	x = ((x & 0x33333333u) << 2) | ((x & 0xccccccccu) >> 2);
	return ((x & 0x55555555u) << 1) | ((x & 0xaaaaaaaau) >> 1);
}

float turn_of(int i) {
	return 2.0 * PI * float(reversed(uint(i))) / 4294967296.0;
}

vec3 half_vector(int i, int count, float alpha) {
	float u = (float(i) + 0.5) / float(count);
	float cosine = sqrt((1.0 - u) / (1.0 + (alpha * alpha - 1.0) * u));
	float sine = sqrt(1.0 - cosine * cosine);
	return vec3(sine * cos(turn_of(i)), sine * sin(turn_of(i)), cosine);
}
`;

/** Shader for all squares of light, stacked. */
export const LIGHT = `${COMMON}
const int SAMPLES[8] = int[8](1, 16, 32, 48, 64, 64, 96, 128); // wider lobes need more

float inside(float place, float size, float soft) {
	return 1.0 - smoothstep(size - soft, size + soft, abs(place));
}

vec3 radiance(vec3 d) {
	float height = smoothstep(0.0, 1.0, abs(d.y));
	vec3 sum = mix(gradient[1], d.y > 0.0 ? gradient[0] : gradient[2], height);
	for (int i = 0; i < ${MOST_BOXES}; i++) {
		vec4 middle = boxes[i * 4], right = boxes[i * 4 + 1], up = boxes[i * 4 + 2];
		float along = max(dot(d, middle.xyz), 1e-3);
		float share = inside(dot(d, right.xyz) / along, right.w, middle.w) *
			inside(dot(d, up.xyz) / along, up.w, middle.w);
		sum += along > 1e-3 ? boxes[i * 4 + 3].rgb * share : vec3(0.0);
	}
	return sum;
}

vec3 filtered(vec3 normal, float roughness, int count) {
	vec3 right = normalize(cross(abs(normal.y) < 0.9 ? vec3(0, 1, 0) : vec3(1, 0, 0), normal));
	vec3 up = cross(normal, right);
	vec4 sum = vec4(0.0);
	for (int i = 0; i < count; i++) {
		vec3 h = half_vector(i, count, roughness * roughness);
		vec3 l = 2.0 * h.z * h - vec3(0.0, 0.0, 1.0);
		if (l.z > 0.0) {
			sum += l.z * vec4(radiance(l.x * right + l.y * up + l.z * normal), 1.0);
		}
	}
	return sum.rgb / sum.a;
}

vec3 direction_of_light(vec2 texel) {
	vec2 p = (texel - 0.5 * SIZE) / (0.5 * SIZE - 1.0);
	p = abs(p.x) > 1.0 ? vec2(sign(p.x) * 2.0 - p.x, -p.y) : p;
	p = abs(p.y) > 1.0 ? vec2(-p.x, sign(p.y) * 2.0 - p.y) : p;
	float y = 1.0 - abs(p.x) - abs(p.y);
	p = y < 0.0 ? folded(p) : p;
	return normalize(vec3(p.x, y, p.y));
}

void main() {
	float layer = floor(gl_FragCoord.y / SIZE);
	vec3 d = direction_of_light(vec2(gl_FragCoord.x, gl_FragCoord.y - layer * SIZE));
	vec3 seen = layer < 0.5 ? radiance(d) : filtered(d, roughness_of_layer(layer), SAMPLES[int(layer)]);
	color = vec4(sqrt(seen / BRIGHTEST), 1.0);
}
`;

/** The share of light that is reflected: times the colour seen from the front, and at grazing angles besides. */
export const TABLE = `${COMMON}
const int SAMPLES = 256;

void main() {
	vec2 place = floor(gl_FragCoord.xy) / (TABLE_SIZE - 1.0);
	float eye = max(place.x * place.x, 1e-4), alpha = max(place.y * place.y, 1e-3);
	vec3 v = vec3(sqrt(1.0 - eye * eye), 0.0, eye);
	vec2 sum = vec2(0.0);
	for (int i = 0; i < SAMPLES; i++) {
		vec3 h = half_vector(i, SAMPLES, alpha);
		float eye_half = dot(v, h);
		float light = 2.0 * eye_half * h.z - eye;
		if (light > 0.0 && eye_half > 0.0) {
			float share = 4.0 * light * eye_half / h.z * ggx_visibility(alpha * alpha, light, eye);
			float more = grazing(eye_half);
			sum += share * vec2(1.0 - more, more);
		}
	}
	color = vec4(sum / float(SAMPLES), 0.0, 1.0);
}
`;

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const mix = (a, b, t) => a.map((x, k) => x + (b[k] - x) * t);

/** @param {number} low @param {number} high @param {number} x */
function smoothstep(low, high, x) {
	const t = Math.min(Math.max((x - low) / (high - low), 0), 1);
	return t * t * (3 - 2 * t);
}

/** @param {typeof SKIES[Environment]} sky @param {ReturnType<typeof boxesOf>} boxes @param {number[]} d unit */
function radiance({ zenith, horizon, nadir }, boxes, d) {
	let sum = mix(horizon, d[1] > 0 ? zenith : nadir, smoothstep(0, 1, Math.abs(d[1])));
	for (const { axes, half, soft, radiance: bright } of boxes) {
		const along = dot(d, axes[0]);
		if (along <= 1e-3) continue;
		const shares = half.map(
			(size, k) => 1 - smoothstep(size - soft, size + soft, Math.abs(dot(d, axes[k + 1]) / along)),
		);
		sum = sum.map((x, k) => x + bright[k] * shares[0] * shares[1]);
	}
	return sum;
}

/** Harmonics of 1, y, z, x, xy, yz, 3zz-1, xz, xx-yy: without, then with their norms. */
const HARMONICS = [
	[0.282095, () => 1],
	[0.488603, ([, y]) => y],
	[0.488603, ([, , z]) => z],
	[0.488603, ([x]) => x],
	[1.092548, ([x, y]) => x * y],
	[1.092548, ([, y, z]) => y * z],
	[0.315392, ([, , z]) => 3 * z * z - 1],
	[1.092548, ([x, , z]) => x * z],
	[0.546274, ([x, y]) => x * x - y * y],
];

/** The irradiance on a white diffuse surface: [9][3] factors of the harmonics. @param {Environment} environment */
export function irradiance(environment) {
	const boxes = boxesOf(environment);
	const sums = HARMONICS.map(() => [0, 0, 0]);
	for (let k = 0; k < DIRECTIONS; k++) {
		const y = 1 - ((k + 0.5) * 2) / DIRECTIONS;
		const turn = 2 * Math.PI * ((k * 0.381966011250105) % 1);
		const across = Math.sqrt(1 - y * y);
		const d = [across * Math.cos(turn), y, across * Math.sin(turn)];
		const light = radiance(SKIES[environment], boxes, d);
		HARMONICS.forEach(([norm, value], i) => {
			const factor = norm * value(d);
			for (let c = 0; c < 3; c++) sums[i][c] += light[c] * factor;
		});
	}
	const band = (i) => (i === 0 ? 1 : i < 4 ? 2 / 3 : 0.25);
	const scale = (4 * Math.PI) / DIRECTIONS;
	return new Float32Array(
		sums.flatMap((sum, i) => sum.map((x) => x * band(i) * HARMONICS[i][0] * scale)),
	);
}

/** The uniforms `gradient` and `boxes` of LIGHT. @param {Environment} environment */
export function description(environment) {
	const { zenith, horizon, nadir } = SKIES[environment];
	const rows = boxesOf(environment).flatMap(({ axes: [middle, right, up], half, soft, radiance: bright }) => [
		...[...middle, soft],
		...[...right, half[0]],
		...[...up, half[1]],
		...[...bright, 0],
	]);
	const missing = new Array(MOST_BOXES * 16 - rows.length).fill(0);
	return { gradient: [...zenith, ...horizon, ...nadir], boxes: [...rows, ...missing] };
}

export const SIZES = {
	light: { width: SIZE, height: SIZE * LAYERS },
	table: { width: TABLE_SIZE, height: TABLE_SIZE },
};
