// Ways between keys that know no tangents.
#include "pose/sample/interpolate.h"

#include <math.h>
#include <string.h>

#include "base/quat.h"

/* The steps on both sides of a key, and what a TCB spline makes of them. */
struct knot {
	double before_s, after_s; // equal where one is missing
	double in[2], out[2];     // shares of the chords before and after in the two tangents
};

static struct knot make_knot(const struct spline *spline, const struct spline_key *before,
	const struct spline_key *at, const struct spline_key *after) {
	const bool tcb = spline->kind == SPLINE_TCB;
	const double t = tcb ? spline->tension : 0, b = tcb ? spline->bias : 0;
	const double c = tcb ? spline->continuity : 0;
	struct knot knot = {
		.in = {(1 - t) * (1 + b) * (1 - c) / 2, (1 - t) * (1 - b) * (1 + c) / 2},
		.out = {(1 - t) * (1 + b) * (1 + c) / 2, (1 - t) * (1 - b) * (1 - c) / 2},
	};
	knot.before_s = before->values ? at->time_s - before->time_s : after->time_s - at->time_s;
	knot.after_s = after->values ? after->time_s - at->time_s : knot.before_s;
	return knot;
}

/* The speed at a key from its chords. */
static double speed(const struct knot *knot, const double shares[static 2], double chord_before,
	double chord_after) {
	return 2 * (shares[0] * chord_before + shares[1] * chord_after) /
		(knot->before_s + knot->after_s);
}

/* The two keys of a step with the numbers around them. */
struct step {
	struct knot from, to;
	bool begins, ends; // there is no key before, or after
	double step_s, u;
};

/* One number, with those of the keys beside: Hermite's form. */
static double hermite(const struct step *step, const double v[static 4]) {
	const double chord = v[2] - v[1];
	const double leave =
		speed(&step->from, step->from.out, step->begins ? chord : v[1] - v[0], chord);
	const double arrive =
		speed(&step->to, step->to.in, chord, step->ends ? chord : v[3] - v[2]);
	const double u = step->u, uu = u * u, uuu = uu * u;
	return (2 * uuu - 3 * uu + 1) * v[1] + step->step_s * (uuu - 2 * uu + u) * leave +
		(3 * uu - 2 * uuu) * v[2] + step->step_s * (uuu - uu) * arrive;
}

static struct step make_step(
	const struct spline *spline, const struct spline_key keys[static 4], double time_s) {
	struct step step = {
		.from = make_knot(spline, &keys[0], &keys[1], &keys[2]),
		.to = make_knot(spline, &keys[1], &keys[2], &keys[3]),
		.begins = !keys[0].values,
		.ends = !keys[3].values,
		.step_s = keys[2].time_s - keys[1].time_s,
	};
	step.u = (time_s - keys[1].time_s) / step.step_s;
	return step;
}

static void load(const float *values, double out[static 4]) {
	for (int i = 0; i < 4; i++) {
		out[i] = values ? values[i] : 0;
	}
	quat_normalize(out);
}

static void align(const double to[static 4], double q[static 4]) {
	if (to[0] * q[0] + to[1] * q[1] + to[2] * q[2] + to[3] * q[3] < 0) {
		for (int i = 0; i < 4; i++) {
			q[i] = -q[i];
		}
	}
}

/* Four keys' rotations, each in the hemisphere of the one nearer to the middle. */
static void load_rotations(const struct spline_key keys[static 4], double q[static 4][4]) {
	for (int k = 0; k < 4; k++) {
		load(keys[k].values, q[k]);
	}
	align(q[1], q[2]);
	align(q[1], q[0]);
	align(q[2], q[3]);
}

/* q_k exp(-1/4 (log(q_k^-1 q_k+1) + log(q_k^-1 q_k-1))): where squad's inner arc starts. The key
 * itself where a neighbour is missing. */
static void squad_control(const double before[static 4], const double at[static 4],
	const double after[static 4], bool end, double out[static 4]) {
	memcpy(out, at, 4 * sizeof *out);
	if (end) {
		return;
	}
	double inverse[4], turn[4], a[3], b[3];
	quat_conjugate(at, inverse);
	quat_multiply(inverse, after, turn);
	quat_to_vector(turn, a);
	quat_multiply(inverse, before, turn);
	quat_to_vector(turn, b);
	for (int i = 0; i < 3; i++) {
		a[i] = -(a[i] + b[i]) / 4;
	}
	quat_from_vector(a, turn);
	quat_multiply(at, turn, out);
}

static void squad(const struct step *step, const double q[static 4][4], double out[static 4]) {
	double from[4], to[4], inner[4], outer[4];
	squad_control(q[0], q[1], q[2], step->begins, from);
	squad_control(q[1], q[2], q[3], step->ends, to);
	quat_slerp(q[1], q[2], step->u, outer);
	quat_slerp(from, to, step->u, inner);
	quat_slerp(outer, inner, 2 * step->u * (1 - step->u), out);
}

static void turn_between(
	const struct spline *spline, const struct step *step, double q[static 4][4], float *out) {
	double turned[4];
	if (spline->kind == SPLINE_LINEAR) {
		quat_slerp(q[1], q[2], step->u, turned);
	} else if (spline->kind == SPLINE_SQUAD) {
		squad(step, (const double(*)[4])q, turned);
	} else {
		for (int i = 0; i < 4; i++) {
			const double v[4] = {q[0][i], q[1][i], q[2][i], q[3][i]};
			turned[i] = spline->kind == SPLINE_NLERP
				? (1 - step->u) * v[1] + step->u * v[2]
				: hermite(step, v);
		}
		quat_normalize(turned);
	}
	for (int i = 0; i < 4; i++) {
		out[i] = (float)turned[i];
	}
}

static void move_between(const struct spline *spline, const struct step *step,
	const struct spline_key keys[static 4], int width, float *out) {
	const bool line = spline->kind == SPLINE_LINEAR || spline->kind == SPLINE_NLERP;
	for (int i = 0; i < width; i++) {
		double v[4];
		for (int k = 0; k < 4; k++) {
			v[k] = keys[k].values ? keys[k].values[i] : 0;
		}
		out[i] = (float)(line ? (1 - step->u) * v[1] + step->u * v[2] : hermite(step, v));
	}
}

void spline_between(const struct spline *spline, const struct spline_key keys[static 4],
	double time_s, int width, bool rotation, float *out) {
	if (spline->kind == SPLINE_STEP) {
		memcpy(out, keys[1].values, (size_t)width * sizeof *out);
		return;
	}
	const struct step step = make_step(spline, keys, time_s);
	if (rotation) {
		double q[4][4];
		load_rotations(keys, q);
		turn_between(spline, &step, q, out);
	} else {
		move_between(spline, &step, keys, width, out);
	}
}
