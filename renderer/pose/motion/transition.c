// Moments at which two clips pass through a common pose.
#include "pose/motion/transition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pose/motion/surface_points.h"
#include "pose/sample/sampler.h"

/* The time step on both sides of a moment for speeds. */
#define SPEED_STEP_S 0.005

/* Nearer in time than this to one that is better is the same transition. */
#define APART_S 0.1

/* Distances that differ by less are equal. */
#define DISTANCE_STEP 1e-4

/* Most steps from a sample to the moment that is found, and the least that is still one. */
#define STEPS 48
#define STEP_MIN_S 1e-7

/* Samples that are gone on from beside as many as are wanted. */
#define CANDIDATES 32

/* The surface may be farther apart than the points by this share, and by a tenth of
 * DISTANCE_STEP. */
#define VERIFIED 1e-3

/* Vertices that are added to the points for one transition. */
#define ROUNDS 8

/* Bytes of the points of all moments of one clip. */
#define POINTS_BYTES ((size_t)32 << 20)

/* The number of points that are compared for two clips: some tenths of a second. */
#define POINTS_COMPARED 3e8

/* The number of these comparisons that cost as much as posing a joint. */
#define POINTS_A_STEP 48

static void sample_points(
	struct surface_points *points, const struct clip *clip, double time_s, double (*out)[3]) {
	clip_sample(points->rig, clip, time_s, &points->pose);
	surface_points_find(points, &points->pose, out);
}

/* Points per second around a moment; at a clip's ends on the side that there is. */
static void sample_speeds(struct surface_points *points, const struct clip *clip, double time_s,
	double (*spare)[3], double (*out)[3]) {
	const double first_s = fmax(0, time_s - SPEED_STEP_S);
	const double last_s = fmin(clip->duration_s, time_s + SPEED_STEP_S);
	const double step_s = last_s > first_s ? last_s - first_s : 1;
	sample_points(points, clip, first_s, spare);
	sample_points(points, clip, fmax(first_s, last_s), out);
	for (size_t i = 0; i < points->count; i++) {
		for (int k = 0; k < 3; k++) {
			out[i][k] = (out[i][k] - spare[i][k]) / step_s;
		}
	}
}

#define SPARE 8

/* A transition that may be among the best. Its distance is that of the points, and so at most the
 * surface's, until it is verified. */
struct candidate {
	struct transition at;
	bool verified;
};

struct search {
	const struct transition_job *job;
	const struct clip *clips[2];
	struct surface_points points;
	struct arena *arena;
	double (*spare[SPARE])[3]; // [points.room] each
	int counts[2];             // moments of the clips
	float *places[2];          // [counts][points.count * 3]
	float *distances;          // [counts[0]][counts[1]] squared
};

static struct search make_search(const struct transition_job *job, struct arena *arena) {
	struct search search = {
		.job = job,
		.clips = {job->from, job->to},
		.points = surface_points_make(job->rig, false, arena),
		.arena = arena,
	};
	for (int i = 0; i < SPARE; i++) {
		search.spare[i] = arena_alloc(arena, search.points.room, sizeof *search.spare[i]);
	}
	return search;
}

static double moments_of(const struct clip *clip, double rate) {
	return clip->duration_s > 0 ? fmax(2, ceil(clip->duration_s * rate) + 1) : 1;
}

int transition_most_moments(const struct rig *rig) {
	struct arena *arena = arena_create();
	const struct surface_points points = surface_points_make(rig, false, arena);
	const double count = fmax(1, (double)points.count);
	const double room = POINTS_BYTES / (count * 3 * sizeof(float));
	const double most = fmin(room, sqrt(POINTS_COMPARED / count));
	arena_destroy(arena);
	return (int)fmax(2, fmin(floor(most), TRANSITION_MOMENTS_MAX));
}

bool transition_too_many(const struct clip *clip, double rate, int most) {
	return moments_of(clip, rate) > most;
}

static double time_of(const struct search *search, int side, int moment) {
	const int last = search->counts[side] - 1;
	const double duration_s = search->clips[side]->duration_s;
	return moment < last ? duration_s * moment / last : duration_s;
}

static bool spend(const struct search *search, double joints, struct error *err) {
	return pose_run_spend(search->job->run, search->job->source, (int)fmin(joints, 1e9), err);
}

static bool sample_clip(struct search *search, int side, struct error *err) {
	const size_t width = search->points.count * 3;
	const double rate = search->job->rate > 0 ? search->job->rate : TRANSITION_RATE;
	search->counts[side] = (int)fmin(
		moments_of(search->clips[side], rate), transition_most_moments(search->job->rig));
	search->places[side] = arena_alloc(
		search->arena, (size_t)search->counts[side] * width, sizeof *search->places[side]);
	float *out = search->places[side];
	for (int i = 0; i < search->counts[side]; i++) {
		if (!spend(search, search->job->rig->joint_count, err)) {
			return false;
		}
		sample_points(&search->points, search->clips[side], time_of(search, side, i),
			search->spare[0]);
		for (size_t k = 0; k < width; k++) {
			*out++ = (float)search->spare[0][k / 3][k % 3];
		}
	}
	return true;
}

static float squared_distance(const float *a, const float *b, size_t count) {
	float greatest = 0;
	for (size_t i = 0; i < count; i++, a += 3, b += 3) {
		const float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
		const float sum = x * x + y * y + z * z;
		greatest = sum <= greatest ? greatest : sum;
	}
	return isfinite(greatest) ? greatest : INFINITY;
}

static bool compare_all(struct search *search, struct error *err) {
	const size_t points = search->points.count;
	const int rows = search->counts[0], columns = search->counts[1];
	const double joints = (double)points * columns / POINTS_A_STEP;
	search->distances = arena_alloc(
		search->arena, (size_t)rows * (size_t)columns, sizeof *search->distances);
	float *out = search->distances;
	for (int i = 0; i < rows; i++) {
		if (!spend(search, fmax(1, joints), err)) {
			return false;
		}
		const float *a = search->places[0] + (size_t)i * points * 3;
		for (int k = 0; k < columns; k++) {
			*out++ = squared_distance(
				a, search->places[1] + (size_t)k * points * 3, points);
		}
	}
	return true;
}

/* True when of two moments of one distance the one that lies so much later in the first and in the
 * second clip is better: what shows more of both. */
static bool is_better_by(int rows, int columns) {
	return rows - columns > 0 || (rows == columns && rows > 0);
}

static bool is_least(const struct search *search, int row, int column) {
	const int columns = search->counts[1];
	const float here = search->distances[(size_t)row * (size_t)columns + (size_t)column];
	for (int i = -1; i <= 1; i++) {
		for (int k = -1; k <= 1; k++) {
			const int r = row + i, c = column + k;
			if (r < 0 || c < 0 || r >= search->counts[0] || c >= columns) {
				continue;
			}
			const float there =
				search->distances[(size_t)r * (size_t)columns + (size_t)c];
			if (there < here || (there == here && is_better_by(i, k))) {
				return false;
			}
		}
	}
	return isfinite(here);
}

static int compare_order(const void *first, const void *second) {
	const struct transition *a = &((const struct candidate *)first)->at;
	const struct transition *b = &((const struct candidate *)second)->at;
	const double steps =
		floor(a->distance / DISTANCE_STEP) - floor(b->distance / DISTANCE_STEP);
	const double shown = (b->from_s - b->to_s) - (a->from_s - a->to_s);
	const double orders[] = {steps, shown, a->distance - b->distance, b->from_s - a->from_s};
	for (int i = 0; i < 4; i++) {
		if (orders[i] != 0) {
			return orders[i] < 0 ? -1 : 1;
		}
	}
	return 0;
}

/* Puts a candidate into a list that is in order, of which the last one falls out where it is full.
 */
static void insert(
	const struct candidate *candidate, struct candidate *list, int *count, int most) {
	int at = *count < most ? (*count)++ : most;
	for (; at > 0 && compare_order(candidate, &list[at - 1]) < 0; at--) {
		if (at < most) {
			list[at] = list[at - 1];
		}
	}
	if (at < most) {
		list[at] = *candidate;
	}
}

/* The best of all moments that are better than those around; list is [most]. */
static int list_candidates(const struct search *search, struct candidate *list, int most) {
	int count = 0;
	const float *distance = search->distances;
	for (int i = 0; i < search->counts[0]; i++) {
		for (int k = 0; k < search->counts[1]; k++, distance++) {
			if (is_least(search, i, k)) {
				const struct candidate found = {
					.at.from_s = time_of(search, 0, i),
					.at.to_s = time_of(search, 1, k),
					.at.distance = sqrt(*distance),
				};
				insert(&found, list, &count, most);
			}
		}
	}
	return count;
}

static double within(const struct clip *clip, double time_s) {
	return fmax(0, fmin(time_s, clip->duration_s));
}

/* The steps in time after which the points of both clips would be nearest to each other in the mean
 * if they went on evenly; at most as large as those that they are known from.
 *
 * near  points of both clips a step before, now, and a step after */
static void guess(const struct search *search, double (*const near[2][3])[3],
	const double step_s[static 2], double out[static 2]) {
	double aa = 0, ab = 0, bb = 0, ar = 0, br = 0;
	for (size_t i = 0; i < search->points.count; i++) {
		for (int k = 0; k < 3; k++) {
			const double a = near[0][2][i][k] - near[0][0][i][k];
			const double b = near[1][2][i][k] - near[1][0][i][k];
			const double r = near[0][1][i][k] - near[1][1][i][k];
			aa += a * a, ab += a * b, bb += b * b, ar += a * r, br += b * r;
		}
	}
	const double determinant = aa * bb - ab * ab;
	const bool solved = determinant > 1e-9 * aa * bb;
	// From the step before to the step after are two steps.
	const double steps[2] = {solved ? 2 * (ab * br - bb * ar) / determinant : 0,
		solved ? 2 * (aa * br - ab * ar) / determinant : 0};
	for (int i = 0; i < 2; i++) {
		out[i] = step_s[i] * fmax(-1, fmin(steps[i], 1));
	}
}

/* One step of going to a better moment: to one of those around, or where their motion leads. */
static void step(struct search *search, const double step_s[static 2], struct transition *at) {
	const size_t points = search->points.count;
	const double now[2] = {at->from_s, at->to_s};
	double(*near[2][3])[3];
	for (int side = 0; side < 2; side++) {
		for (int i = 0; i < 3; i++) {
			near[side][i] = search->spare[3 * side + i];
			sample_points(&search->points, search->clips[side],
				within(search->clips[side], now[side] + (i - 1) * step_s[side]),
				near[side][i]);
		}
	}
	for (int i = 0; i < 9; i++) {
		const int a = (i + 4) % 9 / 3, b = (i + 4) % 9 % 3; // from the middle on
		const double distance = shell_distance(
			(const double(*)[3])near[0][a], (const double(*)[3])near[1][b], points);
		if (distance < at->distance || i == 0) {
			at->distance = distance;
			at->from_s = within(search->clips[0], now[0] + (a - 1) * step_s[0]);
			at->to_s = within(search->clips[1], now[1] + (b - 1) * step_s[1]);
		}
	}
	double away[2];
	guess(search, near, step_s, away);
	const double times[2] = {within(search->clips[0], now[0] + away[0]),
		within(search->clips[1], now[1] + away[1])};
	sample_points(&search->points, search->clips[0], times[0], search->spare[6]);
	sample_points(&search->points, search->clips[1], times[1], search->spare[7]);
	const double distance = shell_distance(
		(const double(*)[3])search->spare[6], (const double(*)[3])search->spare[7], points);
	if (distance < at->distance) {
		*at = (struct transition){times[0], times[1], distance, 0};
	}
}

static double step_of(const struct search *search, int side) {
	const int count = search->counts[side];
	return count > 1 ? search->clips[side]->duration_s / (count - 1) : 0;
}

static bool refine(struct search *search, struct transition *at, struct error *err) {
	double step_s[2] = {step_of(search, 0), step_of(search, 1)};
	bool fine_enough = false; // for one step at least: samples are of float32
	for (int i = 0; i < STEPS && !fine_enough; i++) {
		if (!spend(search, (double)search->job->rig->joint_count * SPARE, err)) {
			return false;
		}
		const double before = at->distance;
		step(search, step_s, at);
		const bool well = at->distance < 0.9 * before;
		step_s[0] /= well ? 1 : 2;
		step_s[1] /= well ? 1 : 2;
		fine_enough = fmax(step_s[0], step_s[1]) <= STEP_MIN_S;
	}
	return true;
}

static double velocity_between(struct search *search, double from_s, double to_s) {
	struct surface_points *points = &search->points;
	sample_speeds(points, search->clips[0], from_s, search->spare[0], search->spare[1]);
	sample_speeds(points, search->clips[1], to_s, search->spare[0], search->spare[2]);
	return shell_distance((const double(*)[3])search->spare[1],
		(const double(*)[3])search->spare[2], points->count);
}

/* True when there is one in the list that it is too near to. */
static bool is_double(const struct transition *one, const struct transition *list, int count) {
	for (int i = 0; i < count; i++) {
		if (fabs(one->from_s - list[i].from_s) < APART_S &&
			fabs(one->to_s - list[i].to_s) < APART_S) {
			return true;
		}
	}
	return false;
}

/* The distance of the whole surfaces, and the vertex that has it. Not of joints. */
static double measure_surface(
	struct search *search, const struct transition *at, struct surface_point *farthest) {
	struct pose pose = pose_rest(search->job->rig, search->arena);
	clip_sample(search->job->rig, search->clips[0], at->from_s, &pose);
	clip_sample(search->job->rig, search->clips[1], at->to_s, &search->points.pose);
	return surface_points_farthest(&search->points, &pose, &search->points.pose, farthest);
}

/* Holds a transition against the whole surface: where that is farther apart than the points are,
 * its vertex becomes one of them, and the moment is looked for again. */
static bool verify(struct search *search, struct transition *at, struct error *err) {
	for (int i = 0; !search->points.of_joints; i++) {
		if (!spend(search, fmax(1, (double)search->job->rig->vertex_count / POINTS_A_STEP),
			    err)) {
			return false;
		}
		struct surface_point farthest;
		const double distance = measure_surface(search, at, &farthest);
		const bool known = distance <= at->distance * (1 + VERIFIED) + DISTANCE_STEP / 10;
		at->distance = distance;
		if (known || i == ROUNDS || !surface_points_add(&search->points, &farthest)) {
			return true;
		}
		if (!refine(search, at, err)) {
			return false;
		}
	}
	return true;
}

/* Moves the first of a list to where it belongs now. */
static void sort_first(struct candidate *list, int count) {
	const struct candidate first = list[0];
	int i = 0;
	for (; i + 1 < count && compare_order(&list[i + 1], &first) < 0; i++) {
		list[i] = list[i + 1];
	}
	list[i] = first;
}

/* Takes the best ones of a list that is in order by distances that the surface's are at least. */
static bool take_best(struct search *search, struct candidate *list, int candidates,
	struct transition *out, int most, int *count, struct error *err) {
	while (candidates > 0 && *count < most) {
		struct transition *best = &list->at;
		if (!list->verified && !is_double(best, out, *count)) {
			if (!verify(search, best, err)) {
				return false;
			}
			list->verified = true;
			sort_first(list, candidates);
			continue;
		}
		best->velocity = velocity_between(search, best->from_s, best->to_s);
		if (isfinite(best->distance) && isfinite(best->velocity) &&
			!is_double(best, out, *count)) {
			out[(*count)++] = *best;
		}
		list++, candidates--;
	}
	return true;
}

static bool find(
	struct search *search, struct transition *out, int most, int *count, struct error *err) {
	if (!sample_clip(search, 0, err) || !sample_clip(search, 1, err) ||
		!compare_all(search, err)) {
		return false;
	}
	// Some will turn out to be doubles, or better than they looked.
	const int room = most + CANDIDATES;
	struct candidate *list = arena_alloc(search->arena, (size_t)room, sizeof *list);
	const int candidates = list_candidates(search, list, room);
	for (int i = 0; i < candidates; i++) {
		if (!refine(search, &list[i].at, err)) {
			return false;
		}
	}
	qsort(list, (size_t)candidates, sizeof *list, compare_order);
	return take_best(search, list, candidates, out, most, count, err);
}

bool transition_find(const struct transition_job *job, struct transition *out, int most, int *count,
	struct error *err) {
	struct arena *arena = arena_create();
	struct search search = make_search(job, arena);
	*count = 0;
	const bool ok = find(&search, out, most, count, err);
	arena_destroy(arena);
	return ok;
}

void transition_measure(
	const struct transition_job *job, double from_s, double to_s, struct transition *out) {
	struct arena *arena = arena_create();
	struct search search = make_search(job, arena);
	struct surface_points *points = &search.points;
	sample_points(points, job->from, from_s, search.spare[0]);
	sample_points(points, job->to, to_s, search.spare[1]);
	*out = (struct transition){
		.from_s = from_s,
		.to_s = to_s,
		.distance = shell_distance((const double(*)[3])search.spare[0],
			(const double(*)[3])search.spare[1], points->count),
		.velocity = velocity_between(&search, from_s, to_s),
	};
	if (!points->of_joints) {
		struct surface_point farthest;
		out->distance = measure_surface(&search, out, &farthest);
	}
	arena_destroy(arena);
}

void transition_measure_end(const struct rig *rig, const struct clip *clip, double time_s,
	const struct pose *core, struct arena *arena, struct transition_end *out) {
	struct surface_points shell = surface_points_make(rig, true, arena);
	double(*places[3])[3];
	for (int i = 0; i < 3; i++) {
		places[i] = arena_alloc(arena, shell.count, sizeof *places[i]);
	}
	surface_points_find(&shell, core, places[0]);
	sample_points(&shell, clip, time_s, places[1]);
	out->distance = shell_distance(
		(const double(*)[3])places[0], (const double(*)[3])places[1], shell.count);
	sample_speeds(&shell, clip, time_s, places[1], places[2]);
	memset(places[1], 0, shell.count * sizeof *places[1]);
	out->speed = shell_distance(
		(const double(*)[3])places[1], (const double(*)[3])places[2], shell.count);
}
