// Weights of linear blending that come nearest to direct delta mush.
#include "mesh/ddm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "base/memory.h"
#include "base/vec.h"
#include "mesh/laplacian.h"

/* Poses of one joint: by 60 degrees about three axes, both ways. */
#define TURNS 6
#define SINE 0.86602540378443864676
#define COSINE 0.5

/* The sum of weights is kept to 1 by an equation this much heavier than the others. */
#define SUM_WEIGHT 1e6

/* The weight of the equations that keep the original weights where poses do not distinguish
 * joints. */
#define OLD_WEIGHT 1e-6

/* Between two looks at the stop: points. */
#define STEP 256

struct fitter {
	const struct rig *rig;
	const struct mesh_surface *surface;
	double (*bind)[3];             // [slot_count] where each slot's joint was bound
	double square_sum, square_max; // of what is left
	size_t square_count;
};

/* The effect of one joint's rotations on a point. */
struct lesson {
	bool below[DDM_JOINTS_MAX]; // which of the point's joints go with it
	double linear[TURNS][3];    // how far linear blending moves what goes with it wholly
	double wanted[TURNS][3];    // how far direct delta mush moves it
	double products, squares;   // sums over turns: linear * wanted, linear * linear
};

/* A turn about a place. */
static void make_turn(int turn, const double about[static 3], double m[static 12]) {
	const int axis = turn / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
	const double sine = turn % 2 ? -SINE : SINE;
	memset(m, 0, 12 * sizeof *m);
	m[axis * 4 + axis] = 1;
	m[u * 4 + u] = m[v * 4 + v] = COSINE;
	m[u * 4 + v] = -sine;
	m[v * 4 + u] = sine;
	for (int row = 0; row < 3; row++) {
		m[row * 4 + 3] = about[row];
		for (int k = 0; k < 3; k++) {
			m[row * 4 + 3] -= m[row * 4 + k] * about[k];
		}
	}
}

/* Adds M Omega of one joint, the centre being Omega's origin: rows of 3x4, [Q q]. */
static void add_moment(const struct ddm_joint *joint, const double centre[static 3],
	const double m[static 12], double sum[static 12]) {
	static const int places[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
	double goes[3];
	mat_map_point(m, centre, goes);
	for (int row = 0; row < 3; row++) {
		for (int k = 0; k < 3; k++) {
			for (int d = 0; d < 3; d++) {
				sum[row * 4 + k] += m[row * 4 + d] * joint->second[places[d][k]];
			}
			sum[row * 4 + k] += goes[row] * joint->first[k];
			sum[row * 4 + 3] += m[row * 4 + k] * joint->first[k];
		}
		sum[row * 4 + 3] += goes[row] * joint->weight;
	}
}

/* v turned by a unit quaternion. */
static void rotate(const double q[static 4], const double v[static 3], double out[static 3]) {
	double side[3], again[3];
	vec3_cross(q, v, side);
	for (int i = 0; i < 3; i++) {
		side[i] += q[3] * v[i];
	}
	vec3_cross(q, side, again);
	for (int i = 0; i < 3; i++) {
		out[i] = v[i] + 2 * again[i];
	}
}

/* The displacement of a point by direct delta mush if the joints below turn by m. False if the
 * neighbourhood folds. */
static bool mush(const struct ddm *ddm, int point, const double at[static 3],
	const struct lesson *lesson, const double m[static 12], double moved[static 3]) {
	static const double still[12] = MAT_IDENTITY;
	const double *centre = ddm->centres[point];
	const int start = ddm->starts[point], count = ddm->starts[point + 1] - start;
	double sum[12] = {0}, q[4], stretch[9], arm[3], turned[3];
	for (int i = 0; i < count; i++) {
		add_moment(&ddm->joints[start + i], centre, lesson->below[i] ? m : still, sum);
	}
	if (mat_determinant(sum) < 0) {
		return false;
	}
	mat_polar(sum, q, stretch);
	vec3_sub(at, centre, arm);
	rotate(q, arm, turned);
	for (int i = 0; i < 3; i++) {
		moved[i] = turned[i] + sum[i * 4 + 3] - at[i];
	}
	return true;
}

/* False where the joint takes all of the point's joints along, which tells nothing. */
static bool learn(const struct fitter *fitter, const struct ddm *ddm, int point, int which,
	struct lesson *lesson) {
	const int start = ddm->starts[point], count = ddm->starts[point + 1] - start;
	const struct palette_slot *slots = fitter->rig->slots;
	const double *at = fitter->surface->positions[point];
	const int slot = ddm->joints[start + which].slot;
	bool all = true;
	*lesson = (struct lesson){0};
	for (int i = 0; i < count; i++) {
		const int other = slots[ddm->joints[start + i].slot].joint;
		lesson->below[i] = rig_is_below(fitter->rig, other, slots[slot].joint);
		all = all && lesson->below[i];
	}
	for (int turn = 0; turn < TURNS && !all; turn++) {
		double m[12], *linear = lesson->linear[turn];
		make_turn(turn, fitter->bind[slot], m);
		mat_map_point(m, at, linear);
		vec3_sub(linear, at, linear);
		if (!mush(ddm, point, at, lesson, m, lesson->wanted[turn])) {
			memset(linear, 0, sizeof lesson->linear[turn]);
			continue;
		}
		lesson->products += vec3_dot(linear, lesson->wanted[turn]);
		lesson->squares += vec3_dot(linear, linear);
	}
	return !all && lesson->squares > 0;
}

/* The equations of the lessons, as a sum of squares. */
static void solve(const struct lesson *lessons, int lesson_count, const struct ddm_joint *joints,
	int count, double *weights) {
	double n[DDM_JOINTS_MAX][NONNEGATIVE_MAX], b[DDM_JOINTS_MAX], scale = 0;
	for (int i = 0; i < lesson_count; i++) {
		scale = fmax(scale, lessons[i].squares);
	}
	for (int i = 0; i < count; i++) {
		b[i] = SUM_WEIGHT + OLD_WEIGHT * joints[i].weight;
		for (int k = 0; k < count; k++) {
			n[i][k] = SUM_WEIGHT + (i == k ? OLD_WEIGHT : 0);
			for (int l = 0; l < lesson_count; l++) {
				const bool both = lessons[l].below[i] && lessons[l].below[k];
				n[i][k] += both ? lessons[l].squares / scale : 0;
			}
		}
		for (int l = 0; l < lesson_count; l++) {
			b[i] += lessons[l].below[i] ? lessons[l].products / scale : 0;
		}
	}
	nonnegative_solve(count, (const double(*)[NONNEGATIVE_MAX])n, b, weights);
	double sum = 0;
	for (int i = 0; i < count; i++) {
		sum += weights[i];
	}
	for (int i = 0; i < count; i++) {
		weights[i] /= sum;
	}
}

/* Adds what the weights leave of the lessons. */
static void judge(struct fitter *fitter, const struct lesson *lessons, int lesson_count, int count,
	const double *weights) {
	for (int l = 0; l < lesson_count; l++) {
		double share = 0;
		for (int i = 0; i < count; i++) {
			share += lessons[l].below[i] ? weights[i] : 0;
		}
		for (int turn = 0; turn < TURNS; turn++) {
			double square = 0;
			for (int k = 0; k < 3; k++) {
				const double left = share * lessons[l].linear[turn][k] -
					lessons[l].wanted[turn][k];
				square += left * left;
			}
			fitter->square_sum += square;
			fitter->square_max = fmax(fitter->square_max, square);
			fitter->square_count++;
		}
	}
}

static int compare(const void *a, const void *b) {
	const struct ddm_joint *left = a, *right = b;
	if (left->weight != right->weight) {
		return left->weight > right->weight ? -1 : 1;
	}
	return (left->slot > right->slot) - (left->slot < right->slot);
}

/* Puts the weights in the place of moments; those of 0 stand last. */
static void replace(
	struct ddm *ddm, const struct fitter *fitter, int point, const double *weights) {
	const int start = ddm->starts[point], count = ddm->starts[point + 1] - start;
	for (int i = 0; i < count; i++) {
		const int slot = ddm->joints[start + i].slot;
		ddm->joints[start + i] = (struct ddm_joint){.slot = slot, .weight = weights[i]};
	}
	qsort(ddm->joints + start, (size_t)count, sizeof *ddm->joints, compare);
	memcpy(ddm->centres[point], fitter->surface->positions[point], sizeof ddm->centres[point]);
}

static void fit_point(struct fitter *fitter, struct ddm *ddm, int point) {
	const int start = ddm->starts[point], count = ddm->starts[point + 1] - start;
	struct lesson lessons[DDM_JOINTS_MAX];
	double weights[DDM_JOINTS_MAX];
	int lesson_count = 0;
	for (int i = 0; i < count; i++) {
		weights[i] = ddm->joints[start + i].weight;
		lesson_count += learn(fitter, ddm, point, i, &lessons[lesson_count]);
	}
	if (lesson_count > 0) {
		solve(lessons, lesson_count, ddm->joints + start, count, weights);
		judge(fitter, lessons, lesson_count, count, weights);
	}
	replace(ddm, fitter, point, weights);
}

static bool find_bind(struct fitter *fitter, struct error *err) {
	const size_t count = (size_t)fitter->rig->slot_count;
	fitter->bind = try_calloc(count, sizeof *fitter->bind, "joints", err);
	for (size_t i = 0; fitter->bind && i < count; i++) {
		double bind[12];
		if (mat_invert(fitter->rig->slots[i].inverse_bind, bind)) {
			for (int k = 0; k < 3; k++) {
				fitter->bind[i][k] = bind[k * 4 + 3];
			}
		}
	}
	return fitter->bind;
}

bool ddm_fit_weights(struct ddm *ddm, const struct rig *rig, const struct mesh_surface *surface,
	const struct watch *watch, struct ddm_residual *residual, struct error *err) {
	struct fitter fitter = {.rig = rig, .surface = surface};
	bool done = find_bind(&fitter, err);
	for (int i = 0; done && i < surface->point_count; i++) {
		const double share = (double)i / surface->point_count;
		done = i % STEP != 0 || watch_step(watch, share, err);
		fit_point(&fitter, ddm, i);
	}
	free(fitter.bind);
	*residual = (struct ddm_residual){sqrt(fitter.square_max),
		fitter.square_count ? sqrt(fitter.square_sum / (double)fitter.square_count) : 0};
	return done;
}
