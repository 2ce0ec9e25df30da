// Bounds of how far transforms of FBX bend, by the derivatives of their curves.
#include "import/fbx_bend.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"

#define RADIANS (M_PI / 180)

/* An arc's own share: the chord of a rotation is slerp's, which bends with it only to first order.
 * Its pieces turn by a third of a radian at most. */
#define ROTATION_MARGIN 1.1

/* Up to three curves of one property. */
struct courses {
	double rate[3], bend[3]; // of each number
};

/* False where several layers are added, or a course is not known. */
static bool find_courses(
	const struct fbx_binding *binding, double start_s, double end_s, struct courses *out) {
	*out = (struct courses){0};
	const struct fbx_bound *bound = binding->bound;
	if (binding->count == 0) {
		return true;
	}
	if (binding->count > 1 || !(bound->lowest || bound->layer->mode == FBX_BLEND_OVERRIDE)) {
		return false;
	}
	for (int i = 0; i < 3; i++) {
		const struct fbx_curve *curve = bound->driven->curves[i];
		struct fbx_course course = {0};
		if (curve && !fbx_curve_course(curve, start_s, end_s, &course)) {
			return false;
		}
		out->rate[i] = course.rate;
		out->bend[i] = course.bend;
	}
	return true;
}

static bool is_still(const struct courses *courses) {
	return courses->rate[0] == 0 && courses->rate[1] == 0 && courses->rate[2] == 0;
}

/* The factor of all lengths by the scales that a node takes over from others; false where these
 * move. */
static bool find_scale(const struct fbx_import *import, int node,
	const struct fbx_node_binding *bindings, double start_s, double end_s, double *factor) {
	const struct fbx_node *nodes = import->nodes.nodes;
	*factor = 1;
	if (nodes[node].inherit == FBX_INHERIT_ALL) {
		return true;
	}
	for (int i = nodes[node].parent; i >= 0; i = nodes[i].scale_from) {
		struct courses courses;
		double own[3];
		if (!find_courses(&bindings[i].scaling, start_s, end_s, &courses) ||
			!is_still(&courses)) {
			return false;
		}
		memcpy(own, nodes[i].rest.scaling, sizeof own);
		fbx_scaling_at(&bindings[i].scaling, start_s, own);
		*factor *= fmax(1, fmax(fabs(own[0]), fmax(fabs(own[1]), fabs(own[2]))));
	}
	return true;
}

/* From the rotation's pivot to where the scale leaves the origin, which is turned. */
static double find_arm(
	const struct fbx_node *node, const struct fbx_binding *scaling, double start_s) {
	double own[3], arm[3];
	memcpy(own, node->rest.scaling, sizeof own);
	fbx_scaling_at(scaling, start_s, own);
	for (int i = 0; i < 3; i++) {
		arm[i] = node->scaling_offset[i] + node->scaling_pivot[i] * (1 - own[i]) -
			node->rotation_pivot[i];
	}
	return vec3_length(arm);
}

bool fbx_node_bend(const struct fbx_import *import, int node,
	const struct fbx_node_binding *bindings, double start_s, double end_s,
	struct fbx_bend *out) {
	const struct fbx_node *n = &import->nodes.nodes[node];
	const struct fbx_node_binding *own = &bindings[node];
	struct courses t, r, s;
	double factor;
	if (!find_courses(&own->translation, start_s, end_s, &t) ||
		!find_courses(&own->rotation, start_s, end_s, &r) ||
		!find_courses(&own->scaling, start_s, end_s, &s) ||
		!find_scale(import, node, bindings, start_s, end_s, &factor) ||
		(!is_still(&s) && vec3_length(n->scaling_pivot) > 0)) {
		return false;
	}
	// The axes of the angles turn about one another.
	const double rate[3] = {r.rate[0] * RADIANS, r.rate[1] * RADIANS, r.rate[2] * RADIANS};
	const double speed = rate[0] + rate[1] + rate[2];
	const double turning = (r.bend[0] + r.bend[1] + r.bend[2]) * RADIANS + rate[0] * rate[1] +
		rate[0] * rate[2] + rate[1] * rate[2];
	const double arm = find_arm(n, &own->scaling, start_s);
	out->translation = (vec3_length(t.bend) + arm * (turning + speed * speed)) * factor *
		import->nodes.unit;
	out->rotation = turning * ROTATION_MARGIN;
	out->scale = vec3_length(s.bend) * factor;
	out->turn_rad = speed * (end_s - start_s);
	return true;
}

bool fbx_blend_bend(const struct fbx_blend *blend, const struct fbx_binding *channels,
	double start_s, double end_s, struct fbx_bend *out) {
	*out = (struct fbx_bend){0};
	for (int i = 0; i < blend->channel_count; i++) {
		const struct fbx_channel *channel = &blend->channels[i];
		struct courses courses;
		if (!find_courses(&channels[i], start_s, end_s, &courses) ||
			(channel->shape_count > 1 && !is_still(&courses))) {
			return false; // shapes that stand in for one another have corners
		}
		if (channel->shape_count == 1) {
			out->scale = fmax(
				out->scale, courses.bend[0] / fabs(channel->shapes->full_weight));
		}
	}
	return true;
}

double fbx_bend_pieces(double bend, double seconds, double tolerance) {
	return seconds * sqrt(bend / (8 * tolerance));
}
