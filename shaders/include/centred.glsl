// Vertices turned about a centre, v' = Q (v - r) + r'; twin of renderer/skin/centres.h and centred.h.
// Behind skin.glsl, data.glsl, motion.glsl, stretch.glsl, exact.glsl and turned.glsl. A palette entry
// is a matrix with its rotation (see turned.glsl), then the stretch.

const uint CENTRED_ENTRY = 8u;
const uint CENTRED_STRETCH = 4u;
const int CENTRED_ROWS = 0; // section: each vertex' row behind the entries

struct centre {
	vec3 at, target;
	bool spread; // target is to be blended of at's images
};

centre centre_of(uint vertex) {
	uint row = 2u * data_word(CENTRED_ROWS, vertex);
	vec4 at = palette_extra(row);
	return centre(at.xyz, palette_extra(row + 1u).xyz, at.w != 0.0);
}

vec3 centred_image(uint slot, vec3 p) {
	uint at = slot * CENTRED_ENTRY;
	vec4 v = vec4(p, 1.0);
	return vec3(dot(palette_at(at), v), dot(palette_at(at + 1u), v), dot(palette_at(at + 2u), v));
}

// The destination of at. A loop of no rounds costs less than a branch of which both sides run.
vec3 centred_target(centre c, uint influence) {
	uint count = c.spread ? span.w : 0u;
	vec3 sum = vec3(0.0);
	for (uint k = 0u; k < count; k++) {
		sum += weight_of(influence + k) * centred_image(slot_of(influence + k), c.at);
	}
	return c.spread ? sum : c.target;
}

// A rotation of unit length, and the length that the blend had; 0 = it vanished, and is the pivot's.
struct spin {
	vec4 q;
	float blend_length;
};

// 1 or -1: signs follow the pivot where by_pivot says so, else are as the palette has them.
float centred_sign(bool by_pivot, vec4 q, vec4 pivot) {
	return by_pivot && dot(q, pivot) < 0.0 ? -1.0 : 1.0;
}

spin centred_blend(uint influence, bool by_pivot) {
	vec4 pivot = palette_at(slot_of(influence) * CENTRED_ENTRY + TURNED_ROTATION);
	vec4 sum = vec4(0.0);
	for (uint k = 0u; k < span.w; k++) {
		vec4 q = palette_at(slot_of(influence + k) * CENTRED_ENTRY + TURNED_ROTATION);
		sum += weight_of(influence + k) * centred_sign(by_pivot, q, pivot) * q;
	}
	float square = dot(sum, sum);
	if (square > MOTION_LEAST_SQUARE) { // WebGL chooses between no structures
		return spin(sum * inversesqrt(square), sqrt(square));
	}
	return spin(pivot, 0.0);
}

// Exact normals: the rotation and, in a set, target move with each weight.
void centred_exact(uint vertex, uint influence, centre c, spin b, bool by_pivot, inout surface s) {
	mat4 map = mat4(mat3(turn(b.q, vec3(1.0, 0.0, 0.0)), turn(b.q, vec3(0.0, 1.0, 0.0)),
		turn(b.q, vec3(0.0, 0.0, 1.0))));
	mat4 j = exact_begin(vertex, influence, CENTRED_ENTRY, CENTRED_STRETCH, map);
	vec3 arm = s.position - c.target;
	vec4 pivot = palette_at(slot_of(influence) * CENTRED_ENTRY + TURNED_ROTATION);
	float by = b.blend_length > 0.0 ? 1.0 / b.blend_length : 0.0;
	for (uint k = 0u; k < span.w; k++) {
		uint slot = slot_of(influence + k);
		vec4 q = palette_at(slot * CENTRED_ENTRY + TURNED_ROTATION);
		q *= by * centred_sign(by_pivot, q, pivot);
		vec3 moved = c.spread ? centred_image(slot, c.at) - c.target : vec3(0.0);
		add_image(j, cross(turn_rate(q, b.q), arm) + moved, influence + k);
	}
	exact_finish(vertex, j, s);
}

void centred_move(vec4 q, centre c, inout surface s) {
	s.position = turn(q, s.position - c.at) + c.target;
	s.normal = turn(q, s.normal);
	s.tangent = turn(q, s.tangent);
}

// All of sbs and of sjb: whether signs follow the pivot in sets, and where joints meet.
surface centred_skin(
	uint vertex, uint influence, bool sets_by_pivot, bool joints_by_pivot) {
	surface s = surface_in(vertex);
	stretch_surface(influence, CENTRED_ENTRY, CENTRED_STRETCH, s);
	centre c = centre_of(vertex);
	c.target = centred_target(c, influence);
	bool by_pivot = c.spread ? sets_by_pivot : joints_by_pivot;
	spin b = centred_blend(influence, by_pivot);
	centred_move(b.q, c, s);
	if (normals_by == NORMALS_EXACT) {
		centred_exact(vertex, influence, c, b, by_pivot, s);
	}
	return s;
}
