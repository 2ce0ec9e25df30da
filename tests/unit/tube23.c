// METHODS' tube23.
#include "tube23.h"

#include <math.h>
#include <string.h>

#include "base/mat.h"
#include "rigs.h"

#define JOINTS 23
#define SEGMENTS 31
#define SPANS 71
#define VERTICES (SEGMENTS * SPANS * 6)
#define PI 3.14159265358979323846

/* Joint i stands at y = i - 1, so that the spline of interval i covers y from i to i + 1. */
static void place_joints(struct rig *rig) {
	for (int i = 0; i < JOINTS; i++) {
		rig->joints[i].rest = (struct transform)TRANSFORM_IDENTITY;
		rig->joints[i].rest.translation[1] = i == 0 ? -1 : 1;
		const double inverse[12] = {1, 0, 0, 0, 0, 1, 0, 1.0 - i, 0, 0, 1, 0};
		memcpy(rig->slots[i].inverse_bind, inverse, sizeof inverse);
	}
}

/* Weights of an interval's four joints at u in [0, 1], the greatest first. */
static void set_weights(struct rig *rig, int vertex, int interval, double u) {
	const double spline[4] = {pow(1 - u, 3) / 6, (3 * u * u * u - 6 * u * u + 4) / 6,
		(-3 * u * u * u + 3 * u * u + 3 * u + 1) / 6, u * u * u / 6};
	int order[4] = {0, 1, 2, 3};
	for (int i = 1; i < 4; i++) {
		for (int k = i; k > 0 && spline[order[k]] > spline[order[k - 1]]; k--) {
			const int other = order[k];
			order[k] = order[k - 1], order[k - 1] = other;
		}
	}
	for (int k = 0; k < 4; k++) {
		const bool used = spline[order[k]] > 0;
		rig->influence_weights[vertex * 4 + k] = (float)spline[order[k]];
		rig->influence_slots[vertex * 4 + k] = (uint16_t)(interval + order[used ? k : 0]);
	}
}

static void set_vertex(struct rig *rig, int vertex, int segment, int interval, double u) {
	const double angle = 2 * PI * segment / SEGMENTS;
	const double position[3] = {0.5 * cos(angle), interval + u, 0.5 * sin(angle)};
	const double normal[3] = {cos(angle), 0, sin(angle)};
	for (int k = 0; k < 3; k++) {
		rig->positions[vertex * 3 + k] = (float)position[k];
		rig->normals[vertex * 3 + k] = (float)normal[k];
	}
	set_weights(rig, vertex, interval, u);
}

struct rig *rig_tube23(void) {
	struct rig *rig = rig_random(1, JOINTS, VERTICES, 4);
	place_joints(rig);
	int vertex = 0;
	for (int interval = 0; interval < 20; interval++) {
		const int parts = interval < 11 ? 4 : 3;
		for (int i = 0; i < parts * SEGMENTS; i++) {
			const int s = i % SEGMENTS;
			const double low = (double)(i / SEGMENTS) / parts;
			const double high = (double)(i / SEGMENTS + 1) / parts;
			set_vertex(rig, vertex++, s, interval, low);
			set_vertex(rig, vertex++, s, interval, high);
			set_vertex(rig, vertex++, s + 1, interval, low);
			set_vertex(rig, vertex++, s + 1, interval, low);
			set_vertex(rig, vertex++, s, interval, high);
			set_vertex(rig, vertex++, s + 1, interval, high);
		}
	}
	return rig;
}

void tube23_pose(const struct rig *rig, double degrees, struct pose *pose) {
	for (int i = 0; i < rig->joint_count; i++) {
		set_rotation(&pose->local[i], i % 3 == 0, i % 3 == 1, i % 3 == 2, degrees);
	}
}
