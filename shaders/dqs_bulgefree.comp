// Dual quaternion skinning, then back to the bound distance from the bone (METHODS A12). Twin of
// renderer/skin/methods/dqs_bulgefree.c. A palette entry is real part, dual part, stretch in four columns,
// the posed bone's start and end, the stretched bone's.
#include "skin.glsl"
#include "data.glsl"
#include "motion.glsl"
#include "stretch.glsl"

const uint ENTRY = 10u;
const uint STRETCH = 2u;
const uint POSED = 6u;
const uint BOUND = 8u;
const int DISTANCES = 0;
const float TOLERANCE = 4e-6;

// From the nearest point of a bone to p.
vec3 out_of_bone(uint bone, vec3 p) {
	vec3 along = palette_at(bone + 1u).xyz - palette_at(bone).xyz, start = p - palette_at(bone).xyz;
	float square = dot(along, along);
	float t = square > 0.0 ? clamp(dot(start, along) / square, 0.0, 1.0) : 0.0;
	return start - t * along;
}

// Puts p back to its distance from the bone where it is farther.
vec3 without_bulge(uint bone, vec3 p, float bound) {
	vec3 away = out_of_bone(bone, p);
	float square = dot(away, away);
	if (square <= bound * bound * (1.0 + TOLERANCE) || square <= 0.0) {
		return p;
	}
	float distance = sqrt(square);
	float t = option3 != 0 ? min((distance - bound) / (bound * 0.1), 1.0) : 1.0;
	return p - away * ((1.0 - bound / distance) * t * t * (3.0 - 2.0 * t));
}

surface skin_vertex(uint vertex, uint influence) {
	uint pivot = slot_of(influence) * ENTRY;
	surface s = surface_in(vertex);
	stretch_surface(influence, ENTRY, STRETCH, s);
	float bound = stretched ? length(out_of_bone(pivot + BOUND, s.position))
				: data_float(DISTANCES, vertex);
	motion m = blended_motion(influence, ENTRY, option0 != 0);
	s.position = without_bulge(pivot + POSED, moved(m, s.position), bound);
	s.normal = turn(m.real, s.normal);
	s.tangent = turn(m.real, s.tangent);
	return s;
}

#include "each_vertex.glsl"
