// The volume that closed parts of a surface enclose, and how it changes when points move.
#include "mesh/volume.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"

/* Steps that halve an interval, as many as a double can tell apart. */
#define HALVINGS 200

/* How near the cubic has to come, of the largest of its terms: a few roundings. */
#define REACHED 1e-14

void volume_gradients(
	const struct mesh_surface *surface, const double (*positions)[3], double (*out)[3]) {
	memset(out, 0, (size_t)surface->point_count * sizeof *out);
	for (int i = 0; i < surface->triangle_count; i++) {
		const int *corners = surface->triangles[i];
		for (int k = 0; k < 3; k++) {
			double cross[3];
			vec3_cross(positions[corners[(k + 1) % 3]], positions[corners[(k + 2) % 3]],
				cross);
			for (int axis = 0; axis < 3; axis++) {
				out[corners[k]][axis] += cross[axis] / 6;
			}
		}
	}
}

static double triple(const double a[static 3], const double b[static 3], const double c[static 3]) {
	double cross[3];
	vec3_cross(b, c, cross);
	return vec3_dot(a, cross);
}

void volume_add_face(const double *const corners[static 3],
	const double *const directions[static 3], struct volume_cubic *sum) {
	const double *const *p = corners, *const *d = directions;
	sum->c[0] += triple(p[0], p[1], p[2]) / 6;
	sum->c[1] +=
		(triple(d[0], p[1], p[2]) + triple(p[0], d[1], p[2]) + triple(p[0], p[1], d[2])) /
		6;
	sum->c[2] +=
		(triple(p[0], d[1], d[2]) + triple(d[0], p[1], d[2]) + triple(d[0], d[1], p[2])) /
		6;
	sum->c[3] += triple(d[0], d[1], d[2]) / 6;
}

void volume_cubics(const struct mesh_surface *surface, const struct parts *parts,
	const double (*positions)[3], const double (*directions)[3], struct volume_cubic *out) {
	memset(out, 0, (size_t)parts->count * sizeof *out);
	for (int i = 0; i < surface->triangle_count; i++) {
		const int *corners = surface->triangles[i];
		const double *p[3], *d[3];
		for (int k = 0; k < 3; k++) {
			p[k] = positions[corners[k]];
			d[k] = directions[corners[k]];
		}
		volume_add_face(p, d, &out[parts->points[corners[0]]]);
	}
}

static double evaluate(const double c[static 4], double x) {
	return ((c[3] * x + c[2]) * x + c[1]) * x + c[0];
}

double volume_evaluate(const struct volume_cubic *cubic, double x) {
	return evaluate(cubic->c, x);
}

/* Where the cubic turns, in (0, end) or (end, 0), nearest to 0 first. Returns how many. */
static int find_turns(const double c[static 4], double end, double turns[static 2]) {
	const double a = 3 * c[3], b = c[2], d = c[1]; // a x^2 + 2 b x + d
	const double under = b * b - a * d;
	if (under < 0) {
		return 0;
	}
	// Without cancellation: the product of the roots is d / a.
	const double q = -(b + copysign(sqrt(under), b));
	const double roots[2] = {d / q, q / a};
	int count = 0;
	for (int i = 0; i < 2; i++) {
		if (isfinite(roots[i]) && roots[i] / end > 0 && roots[i] / end < 1) {
			turns[count++] = roots[i];
		}
	}
	if (count == 2 && fabs(turns[0]) > fabs(turns[1])) {
		const double other = turns[0];
		turns[0] = turns[1];
		turns[1] = other;
	}
	return count;
}

/* The zero between two places where the cubic has different signs. */
static double halve(const double c[static 4], double from, double to) {
	const bool rising = evaluate(c, from) < 0;
	for (int i = 0; i < HALVINGS; i++) {
		const double middle = from + (to - from) / 2;
		if (middle == from || middle == to) {
			break;
		}
		if ((evaluate(c, middle) < 0) == rising) {
			from = middle;
		} else {
			to = middle;
		}
	}
	return fabs(evaluate(c, from)) < fabs(evaluate(c, to)) ? from : to;
}

/* The zero nearest to 0 on the way to end; NAN = there is none. */
static double find_zero(const double c[static 4], double end) {
	double stations[4] = {0};
	int count = 1 + find_turns(c, end, stations + 1);
	stations[count++] = end;
	for (int i = 0; i + 1 < count; i++) {
		const double here = evaluate(c, stations[i]), there = evaluate(c, stations[i + 1]);
		if ((here < 0) != (there < 0)) {
			return halve(c, stations[i], stations[i + 1]);
		}
	}
	return NAN;
}

/* The place nearest to zero among those where the cubic ends or turns. */
static double find_nearest(const double c[static 4], double limit) {
	const double ends[2] = {-limit, limit};
	double best = 0;
	for (int i = 0; i < 2; i++) {
		double turns[3];
		int count = find_turns(c, ends[i], turns);
		turns[count++] = ends[i];
		for (int k = 0; k < count; k++) {
			if (fabs(evaluate(c, turns[k])) < fabs(evaluate(c, best))) {
				best = turns[k];
			}
		}
	}
	return best;
}

bool volume_solve(const struct volume_cubic *cubic, double volume, double limit, double *x) {
	const double *k = cubic->c;
	const double c[4] = {k[0] - volume, k[1], k[2], k[3]};
	*x = 0;
	if (fabs(c[0]) <= REACHED * (fabs(k[0]) + fabs(volume))) {
		return true;
	}
	if (!(limit > 0)) {
		return false;
	}
	const double left = find_zero(c, -limit), right = find_zero(c, limit);
	if (isnan(left) && isnan(right)) {
		*x = find_nearest(c, limit);
		return false;
	}
	*x = isnan(left) || fabs(right) < fabs(left) ? right : left;
	return true;
}
