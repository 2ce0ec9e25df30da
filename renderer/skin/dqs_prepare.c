// The palette of dual quaternion skinning: each matrix taken apart into stretch and rigid motion.
#include <math.h>
#include <string.h>

#include "base/mat.h"
#include "skin/dqs.h"

/* Tighter than METHODS' 1e-4, which would move a lone influence by as much: float rounding alone
 * stays below it. */
#define RIGID_TOLERANCE 1e-6

static bool is_identity(const double stretch[static 9]) {
	for (int i = 0; i < 9; i++) {
		if (fabs(stretch[i] - (i % 4 == 0 ? 1 : 0)) > RIGID_TOLERANCE) {
			return false;
		}
	}
	return true;
}

/* Where the slot's joint stands when the vertices were bound: the origin its stretch keeps. */
static void bind_position(const struct palette_slot *slot, double position[static 3]) {
	double bind[12];
	const bool invertible = mat_invert(slot->inverse_bind, bind);
	for (int row = 0; row < 3; row++) {
		position[row] = invertible ? bind[row * 4 + 3] : 0;
	}
}

/* The stretch about a point as a matrix in columns. */
static void write_stretch(
	const double stretch[static 9], const double about[static 3], float *columns) {
	double moved[3];
	for (int row = 0; row < 3; row++) {
		const double *s = &stretch[row * 3];
		moved[row] = about[row] - (s[0] * about[0] + s[1] * about[1] + s[2] * about[2]);
		for (int column = 0; column < 3; column++) {
			columns[column * 4 + row] = (float)s[column];
		}
		columns[12 + row] = (float)moved[row];
	}
}

/* Real and dual part of the rigid motion that turns by q and then moves by t: the dual part is
 * half of t times q. */
static void write_motion(const double q[static 4], const double t[static 3], float *entry) {
	const double dual[4] = {
		0.5 * (t[0] * q[3] + t[1] * q[2] - t[2] * q[1]),
		0.5 * (t[1] * q[3] + t[2] * q[0] - t[0] * q[2]),
		0.5 * (t[2] * q[3] + t[0] * q[1] - t[1] * q[0]),
		-0.5 * (t[0] * q[0] + t[1] * q[1] + t[2] * q[2]),
	};
	for (int i = 0; i < 4; i++) {
		entry[i] = (float)q[i];
		entry[4 + i] = (float)dual[i];
	}
}

static void rotate(const double q[static 4], const double v[static 3], double out[static 3]) {
	const float zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
	const float turn[4] = {(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
	double m[12];
	mat_from_transform(zero, turn, one, m);
	mat_map_direction(m, v, out);
}

static void prepare_slot(const struct palette_slot *slot, const double m[static 12], float *entry) {
	double q[4], stretch[9], about[3] = {0, 0, 0};
	mat_polar(m, q, stretch);
	const bool rigid = is_identity(stretch);
	if (rigid) {
		const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
		memcpy(stretch, identity, sizeof identity);
	} else {
		bind_position(slot, about);
	}
	// M = D S with S about the bind position c: D's translation is M c - R c.
	double mapped[3], turned[3], translation[3];
	mat_map_point(m, about, mapped);
	rotate(q, about, turned);
	for (int i = 0; i < 3; i++) {
		translation[i] = mapped[i] - turned[i];
	}
	write_motion(q, translation, entry);
	write_stretch(stretch, about, entry + 8);
	entry[8 + 3] = rigid ? 0 : 1;
}

void dqs_prepare(const struct rig *rig, const double (*matrices)[12], float *palette) {
	for (int i = 0; i < rig->slot_count; i++) {
		prepare_slot(&rig->slots[i], matrices[i], palette + (size_t)i * DQS_ENTRY_FLOATS);
	}
}
