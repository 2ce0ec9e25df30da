// Moments at which two clips pass through a common pose.
#include "pose/motion/transition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pose/motion/shell.h"
#include "pose/sample/sample.h"

/* What lies on both sides of a moment whose speed is asked for. */
#define SPEED_STEP_S 0.005

/* Nearer in time than this to one that is better is the same transition. */
#define APART_S 0.1

/* Distances that differ by less are equal. */
#define DISTANCE_STEP 1e-4

/* Most steps from a sample to the moment that is found, and the least that is still one. */
#define STEPS 48
#define STEP_LEAST_S 1e-7

/* Samples that are gone on from beside as many as are wanted. */
#define CANDIDATES 32

/* Bytes of the points of all moments of one clip. */
#define POINTS_BYTES ((size_t)32 << 20)

/* How many joints' points are held against each other for two clips: some tenths of a second. */
#define JOINTS_COMPARED 1e8

/* How many of these take the time that it takes to pose one. */
#define JOINTS_A_STEP 16

static void sample_points(
	struct shell *shell, const struct clip *clip, double time_s, double (*out)[3]) {
	clip_sample(shell->rig, clip, time_s, &shell->pose);
	shell_find_points(shell, &shell->pose, out);
}

/* Points per second around a moment; at a clip's ends on the side that there is. */
static void sample_speeds(struct shell *shell, const struct clip *clip, double time_s,
	double (*spare)[3], double (*out)[3]) {
	const double first_s = fmax(0, time_s - SPEED_STEP_S);
	const double last_s = fmin(clip->duration_s, time_s + SPEED_STEP_S);
	const double step_s = last_s > first_s ? last_s - first_s : 1;
	sample_points(shell, clip, first_s, spare);
	sample_points(shell, clip, fmax(first_s, last_s), out);
	for (size_t i = 0; i < shell->point_count; i++) {
		for (int k = 0; k < 3; k++) {
			out[i][k] = (out[i][k] - spare[i][k]) / step_s;
		}
	}
}

#define SPARE 8

struct search {
	const struct transition_job *job;
	const struct clip *clips[2];
	struct shell shell;
	struct arena *arena;
	double (*spare[SPARE])[3]; // [shell.point_count] each
	int counts[2];             // moments of the clips
	float *points[2];          // [counts][shell.point_count * 3]
	float *distances;          // [counts[0]][counts[1]] squared
};

static struct search make_search(const struct transition_job *job, struct arena *arena) {
	struct search search = {
		.job = job,
		.clips = {job->from, job->to},
		.shell = shell_make(job->rig, arena),
		.arena = arena,
	};
	for (int i = 0; i < SPARE; i++) {
		search.spare[i] =
			arena_alloc(arena, search.shell.point_count, sizeof *search.spare[i]);
	}
	return search;
}

static double moments_of(const struct clip *clip, double rate) {
	return clip->duration_s > 0 ? fmax(2, ceil(clip->duration_s * rate) + 1) : 1;
}

int transition_most_moments(const struct rig *rig) {
	struct arena *arena = arena_create();
	const struct shell shell = shell_make(rig, arena);
	const double moment_bytes = (double)(shell.point_count * 3 * sizeof(float));
	const double room = POINTS_BYTES / fmax(1, moment_bytes);
	const double most = fmin(room, sqrt(JOINTS_COMPARED / shell.joint_count));
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
	return pose_run_spend(search->job->run, search->job->place, (int)fmin(joints, 1e9), err);
}

static bool sample_clip(struct search *search, int side, struct error *err) {
	const size_t width = search->shell.point_count * 3;
	const double rate = search->job->rate > 0 ? search->job->rate : TRANSITION_RATE;
	search->counts[side] = (int)fmin(
		moments_of(search->clips[side], rate), transition_most_moments(search->job->rig));
	search->points[side] = arena_alloc(
		search->arena, (size_t)search->counts[side] * width, sizeof *search->points[side]);
	float *out = search->points[side];
	for (int i = 0; i < search->counts[side]; i++) {
		if (!spend(search, search->job->rig->joint_count, err)) {
			return false;
		}
		sample_points(&search->shell, search->clips[side], time_of(search, side, i),
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
	const size_t points = search->shell.point_count;
	const int rows = search->counts[0], columns = search->counts[1];
	const double joints = (double)search->shell.joint_count * columns / JOINTS_A_STEP;
	search->distances = arena_alloc(
		search->arena, (size_t)rows * (size_t)columns, sizeof *search->distances);
	float *out = search->distances;
	for (int i = 0; i < rows; i++) {
		if (!spend(search, fmax(1, joints), err)) {
			return false;
		}
		const float *a = search->points[0] + (size_t)i * points * 3;
		for (int k = 0; k < columns; k++) {
			*out++ = squared_distance(
				a, search->points[1] + (size_t)k * points * 3, points);
		}
	}
	return true;
}

/* Whether of two moments of one distance the one that lies so much later in the first and in the
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
	const struct transition *a = first, *b = second;
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

/* Puts a transition into a list that is in order, of which the last one falls out where it is full.
 */
static void insert(
	const struct transition *transition, struct transition *list, int *count, int most) {
	int at = *count < most ? (*count)++ : most;
	for (; at > 0 && compare_order(transition, &list[at - 1]) < 0; at--) {
		if (at < most) {
			list[at] = list[at - 1];
		}
	}
	if (at < most) {
		list[at] = *transition;
	}
}

/* The best of all moments that are better than those around; list is [most]. */
static int list_candidates(const struct search *search, struct transition *list, int most) {
	int count = 0;
	const float *distance = search->distances;
	for (int i = 0; i < search->counts[0]; i++) {
		for (int k = 0; k < search->counts[1]; k++, distance++) {
			if (is_least(search, i, k)) {
				const struct transition found = {
					.from_s = time_of(search, 0, i),
					.to_s = time_of(search, 1, k),
					.distance = sqrt(*distance),
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
	for (size_t i = 0; i < search->shell.point_count; i++) {
		for (int k = 0; k < 3; k++) {
			const double a = near[0][2][i][k] - near[0][0][i][k];
			const double b = near[1][2][i][k] - near[1][0][i][k];
			const double r = near[0][1][i][k] - near[1][1][i][k];
			aa += a * a, ab += a * b, bb += b * b, ar += a * r, br += b * r;
		}
	}
	const double determinant = aa * bb - ab * ab;
	const bool solved = determinant > 1e-9 * aa * bb;
	// What lies between a step before and one after is two steps.
	const double steps[2] = {solved ? 2 * (ab * br - bb * ar) / determinant : 0,
		solved ? 2 * (aa * br - ab * ar) / determinant : 0};
	for (int i = 0; i < 2; i++) {
		out[i] = step_s[i] * fmax(-1, fmin(steps[i], 1));
	}
}

/* One step of going to a better moment: to one of those around, or where their motion leads. */
static void step(struct search *search, const double step_s[static 2], struct transition *at) {
	const size_t points = search->shell.point_count;
	const double now[2] = {at->from_s, at->to_s};
	double(*near[2][3])[3];
	for (int side = 0; side < 2; side++) {
		for (int i = 0; i < 3; i++) {
			near[side][i] = search->spare[3 * side + i];
			sample_points(&search->shell, search->clips[side],
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
	sample_points(&search->shell, search->clips[0], times[0], search->spare[6]);
	sample_points(&search->shell, search->clips[1], times[1], search->spare[7]);
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
		fine_enough = fmax(step_s[0], step_s[1]) <= STEP_LEAST_S;
	}
	return true;
}

static double velocity_between(struct search *search, double from_s, double to_s) {
	struct shell *shell = &search->shell;
	sample_speeds(shell, search->clips[0], from_s, search->spare[0], search->spare[1]);
	sample_speeds(shell, search->clips[1], to_s, search->spare[0], search->spare[2]);
	return shell_distance((const double(*)[3])search->spare[1],
		(const double(*)[3])search->spare[2], shell->point_count);
}

/* Whether there is one in the list that it is too near to. */
static bool is_double(const struct transition *one, const struct transition *list, int count) {
	for (int i = 0; i < count; i++) {
		if (fabs(one->from_s - list[i].from_s) < APART_S &&
			fabs(one->to_s - list[i].to_s) < APART_S) {
			return true;
		}
	}
	return false;
}

static bool find(
	struct search *search, struct transition *out, int most, int *count, struct error *err) {
	if (!sample_clip(search, 0, err) || !sample_clip(search, 1, err) ||
		!compare_all(search, err)) {
		return false;
	}
	// Some will turn out to be doubles, or better than they looked.
	const int room = most + CANDIDATES;
	struct transition *list = arena_alloc(search->arena, (size_t)room, sizeof *list);
	const int candidates = list_candidates(search, list, room);
	for (int i = 0; i < candidates; i++) {
		if (!refine(search, &list[i], err)) {
			return false;
		}
	}
	qsort(list, (size_t)candidates, sizeof *list, compare_order);
	for (int i = 0; i < candidates && *count < most; i++) {
		list[i].velocity = velocity_between(search, list[i].from_s, list[i].to_s);
		if (isfinite(list[i].distance) && isfinite(list[i].velocity) &&
			!is_double(&list[i], out, *count)) {
			out[(*count)++] = list[i];
		}
	}
	return true;
}

bool transition_find(const struct transition_job *job, struct transition *out, int most, int *count,
	struct error *err) {
	struct arena *arena = arena_create();
	struct search search = make_search(job, arena);
	*count = 0;
	const bool fine = find(&search, out, most, count, err);
	arena_destroy(arena);
	return fine;
}

void transition_measure(
	const struct transition_job *job, double from_s, double to_s, struct transition *out) {
	struct arena *arena = arena_create();
	struct search search = make_search(job, arena);
	sample_points(&search.shell, job->from, from_s, search.spare[0]);
	sample_points(&search.shell, job->to, to_s, search.spare[1]);
	*out = (struct transition){
		.from_s = from_s,
		.to_s = to_s,
		.distance = shell_distance((const double(*)[3])search.spare[0],
			(const double(*)[3])search.spare[1], search.shell.point_count),
		.velocity = velocity_between(&search, from_s, to_s),
	};
	arena_destroy(arena);
}

void transition_measure_end(const struct rig *rig, const struct clip *clip, double time_s,
	const struct pose *core, struct arena *arena, struct transition_end *out) {
	struct shell shell = shell_make(rig, arena);
	const size_t count = shell.point_count;
	double(*points[3])[3];
	for (int i = 0; i < 3; i++) {
		points[i] = arena_alloc(arena, count, sizeof *points[i]);
	}
	shell_find_points(&shell, core, points[0]);
	sample_points(&shell, clip, time_s, points[1]);
	out->distance =
		shell_distance((const double(*)[3])points[0], (const double(*)[3])points[1], count);
	sample_speeds(&shell, clip, time_s, points[1], points[2]);
	memset(points[1], 0, count * sizeof *points[1]);
	out->speed =
		shell_distance((const double(*)[3])points[1], (const double(*)[3])points[2], count);
}
