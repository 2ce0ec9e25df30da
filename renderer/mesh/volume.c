// The volume that closed parts of a surface enclose, and how it changes when points move.
#include "mesh/volume.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "mesh/decay.h"
#include "mesh/refine.h"

/* Steps that halve an interval, as many as a double can tell apart. */
#define HALVINGS 200

/* The precision of the cubic's root, relative to the largest term: a few roundings. */
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

/* Extrema of the cubic in (0, end) or (end, 0), nearest to 0 first. Returns their number. */
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

/* Between two looks at the stop: points. */
#define STEP 64

/* Four pieces of surface of one pair of slots, side by side. */
struct block {
	doubles4 weights[2];
	doubles4 mass;      // product of the weights times area; 0 = no piece
	doubles4 moment[3]; // mass times middle
};

/* A pair of slots and the blocks of its pieces. */
struct pair {
	int slots[2];
	size_t start, end; // of blocks
};

struct pairs {
	size_t count;
	struct pair *list; // ascending
	struct block *blocks;
};

static bool is_pair(const struct pair_piece *piece, const struct pair *pair) {
	return piece->slots[0] == pair->slots[0] && piece->slots[1] == pair->slots[1];
}

static void put_piece(struct block *block, int lane, const struct pair_piece *piece) {
	const double mass = piece->weights[0] * piece->weights[1] * piece->area;
	block->weights[0][lane] = piece->weights[0];
	block->weights[1][lane] = piece->weights[1];
	block->mass[lane] = mass;
	for (int i = 0; i < 3; i++) {
		block->moment[i][lane] = mass * piece->middle[i];
	}
}

/* Blocks are never more than the pieces, and pairs neither. */
static bool pairs_init(struct pairs *pairs, const struct pair_pieces *pieces, struct error *err) {
	*pairs = (struct pairs){0};
	pairs->list = try_calloc(pieces->count, sizeof *pairs->list, "pairs of slots", err);
	pairs->blocks = try_calloc(pieces->count, sizeof *pairs->blocks, "pieces of surface", err);
	if (!pairs->list || !pairs->blocks) {
		return false;
	}
	struct pair *pair = NULL;
	size_t end = 0;
	int lane = 0;
	for (size_t i = 0; i < pieces->count; i++) {
		const struct pair_piece *piece = &pieces->list[i];
		if (!pair || !is_pair(piece, pair)) {
			pair = &pairs->list[pairs->count++];
			*pair = (struct pair){{piece->slots[0], piece->slots[1]}, end, end};
			lane = 0;
		}
		end += lane == 0;
		put_piece(&pairs->blocks[end - 1], lane, piece);
		lane = (lane + 1) % 4;
		pair->end = end;
	}
	return true;
}

static void pairs_finish(struct pairs *pairs) {
	free(pairs->list);
	free(pairs->blocks);
}

static int compare(const void *a, const void *b) {
	const struct pair *left = a, *right = b;
	for (int i = 0; i < 2; i++) {
		if (left->slots[i] != right->slots[i]) {
			return left->slots[i] < right->slots[i] ? -1 : 1;
		}
	}
	return 0;
}

/* Adds one pair's part: sums of mass times likeness, of its first moment in sums[0..2]. */
static void add_pair(const struct pairs *pairs, const struct pair *pair, const double weights[2],
	double sums[static 4]) {
	doubles4 lanes[4] = {{0}, {0}, {0}, {0}};
	for (size_t i = pair->start; i < pair->end; i++) {
		const struct block *block = &pairs->blocks[i];
		const doubles4 apart =
			weights[0] * block->weights[1] - weights[1] * block->weights[0];
		const doubles4 exponent = apart * apart / (CENTRES_SIGMA * CENTRES_SIGMA);
		doubles4 like;
		decay(&exponent, &like);
		for (int k = 0; k < 3; k++) {
			lanes[k] += like * block->moment[k];
		}
		lanes[3] += like * block->mass;
	}
	for (int k = 0; k < 4; k++) {
		const doubles4 a = lanes[k];
		sums[k] += weights[0] * weights[1] * ((a[0] + a[1]) + (a[2] + a[3]));
	}
}

static void find_centre(const struct mesh_surface *surface, const struct pairs *pairs, int point,
	double out[static 4]) {
	const struct share *shares = surface->shares + surface->share_starts[point];
	const int count = surface->share_starts[point + 1] - surface->share_starts[point];
	double sums[4] = {0};
	for (int a = 0; a < count; a++) {
		for (int b = 0; b < count; b++) {
			const struct pair key = {.slots = {shares[a].slot, shares[b].slot}};
			const double weights[2] = {shares[a].weight, shares[b].weight};
			const struct pair *pair = shares[a].slot < shares[b].slot
				? bsearch(&key, pairs->list, pairs->count, sizeof key, compare)
				: NULL;
			if (pair) {
				add_pair(pairs, pair, weights, sums);
			}
		}
	}
	const bool found = sums[3] > 0;
	for (int k = 0; k < 3; k++) {
		out[k] = found ? sums[k] / sums[3] : 0;
	}
	out[3] = found;
}

bool centres_find(const struct mesh_surface *surface, const struct watch *watch, double (*out)[4],
	struct error *err) {
	struct pair_pieces pieces;
	struct pairs pairs;
	if (!pair_pieces_init(&pieces, surface, watch, err)) {
		return false;
	}
	bool done = pairs_init(&pairs, &pieces, err);
	pair_pieces_finish(&pieces);
	for (int i = 0; done && i < surface->point_count; i++) {
		const double share = (double)i / surface->point_count;
		done = i % STEP != 0 || watch_step(watch, share, err);
		find_centre(surface, &pairs, i, out[i]);
	}
	pairs_finish(&pairs);
	return done;
}
