// Numbers to multiples of their steps: nearest-plane rounding, and a repair of what exceeds.
#include "compress/rounding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define MOVES_MAX 40       // of one sample's repair
#define REPAIR_ABOVE 0.999 // of the tolerance
#define SCORE_ABOVE 0.9f   // of its square, from where points count
#define LANES 8
#define VIEWS_MAX ((size_t)64 << 20) // bytes

/* The shell's points, those below a joint side by side. */
struct points {
	int count;
	int *begin, *end;      // [joint_count] of a joint and all below
	float *at[3], *off[3]; // [count + LANES] coordinates, and their errors
};

/* What a sample has whatever its numbers are rounded to. */
struct view {
	bool is_made;
	struct column *columns;         // of numbers
	double (*places)[3], (*off)[3]; // as the shell's points, before rounding
};

struct rounding {
	const struct sensitivity *sensitivity;
	struct points points;
	struct source_transform *local;
	double (*world)[12];
	struct view *views; // [view_count] of all samples, or one where these would be too large
	int view_count;
	const struct view *view; // of the sample at hand
	struct column *sums;     // of joints: all above together
	double *error;           // [count] multiple minus number
};

/* Numbers joints so that those below each follow it. */
static void order_points(
	const struct error_shell *shell, struct points *points, struct arena *arena) {
	const size_t joints = (size_t)shell->joint_count;
	const int *first = shell->first_point;
	points->count = first[joints];
	points->begin = arena_alloc(arena, joints, sizeof(int));
	points->end = arena_alloc(arena, joints, sizeof(int));
	for (int i = shell->joint_count - 1; i >= 0; i--) {
		points->end[i] += first[i + 1] - first[i];
		if (shell->parents[i] >= 0) {
			points->end[shell->parents[i]] += points->end[i];
		}
	}
	/* So far the ends are sizes; free places of each parent are handed out in order. */
	int *next = arena_alloc(arena, joints + 1, sizeof(int));
	for (int i = 0; i < shell->joint_count; i++) {
		int *from = &next[shell->parents[i] + 1];
		points->begin[i] = *from;
		*from += points->end[i];
		next[i + 1] = points->begin[i] + first[i + 1] - first[i];
		points->end[i] += points->begin[i];
	}
	for (int row = 0; row < 3; row++) {
		points->at[row] = arena_alloc(arena, (size_t)points->count + LANES, sizeof(float));
		points->off[row] = arena_alloc(arena, (size_t)points->count + LANES, sizeof(float));
	}
}

static void make_views(struct rounding *rounding, struct arena *arena) {
	const struct layout *layout = rounding->sensitivity->layout;
	const size_t numbers = (size_t)rounding->sensitivity->count + 1;
	const size_t points = (size_t)layout->shell->first_point[layout->source->joint_count] + 1;
	const size_t bytes = numbers * sizeof(struct column) + 2 * points * sizeof(double[3]);
	const size_t samples = (size_t)layout->source->sample_count;
	const size_t count = samples <= VIEWS_MAX / bytes ? samples : 1;
	struct column *columns = xcalloc(count * numbers, sizeof *columns);
	double(*places)[3] = xcalloc(2 * count * points, sizeof *places);
	arena_defer(arena, free, columns);
	arena_defer(arena, free, places);
	rounding->views = arena_alloc(arena, count, sizeof *rounding->views);
	rounding->view_count = (int)count;
	for (size_t i = 0; i < count; i++) {
		rounding->views[i] = (struct view){.columns = columns + i * numbers,
			.places = places + 2 * i * points,
			.off = places + (2 * i + 1) * points};
	}
}

struct rounding *rounding_make(const struct sensitivity *sensitivity, struct arena *arena) {
	const size_t joints = (size_t)sensitivity->layout->source->joint_count;
	const size_t count = (size_t)sensitivity->count + 1;
	struct rounding *rounding = arena_alloc(arena, 1, sizeof *rounding);
	*rounding = (struct rounding){.sensitivity = sensitivity,
		.local = arena_alloc(arena, joints, sizeof *rounding->local),
		.world = arena_alloc(arena, joints, sizeof *rounding->world),
		.sums = arena_alloc(arena, joints, sizeof *rounding->sums),
		.error = arena_alloc(arena, count, sizeof(double))};
	order_points(sensitivity->layout->shell, &rounding->points, arena);
	make_views(rounding, arena);
	return rounding;
}

int32_t rounding_nearest(double number, double step) {
	const double multiple = round(number / step);
	return (int32_t)fmax(-PCLIP_VALUE_MAX, fmin(PCLIP_VALUE_MAX, multiple));
}

/* From the roots to the leaves, each number to the multiple that is nearest to what makes up for
 * those above it. */
static void round_to_lattice(const struct rounding *rounding, int sample, int32_t *values) {
	const struct sensitivity *sensitivity = rounding->sensitivity;
	const struct pclip_channel *channels = sensitivity->layout->channels;
	const double *centre = sensitivity->centre + (size_t)sample * (size_t)sensitivity->count;
	const float *rows = sensitivity->factors + (size_t)sample * sensitivity->row_total;
	for (int c = 0; c < sensitivity->count; c++) {
		const int *path = sensitivity->path[sensitivity->joint[c]];
		const float *row = rows + sensitivity->row_at[c];
		const int place = sensitivity->place[c];
		double sum = 0;
		for (int i = 0; i < place; i++) {
			sum += (double)row[i] * rounding->error[path[i]];
		}
		values[c] =
			rounding_nearest(centre[c] - sum / (double)row[place], channels[c].step);
		rounding->error[c] = values[c] * channels[c].step - centre[c];
	}
}

static void add_column(struct column *sum, const struct column *column, double by) {
	for (int i = 0; i < 9; i++) {
		sum->linear[i] += column->linear[i] * by;
	}
	for (int i = 0; i < 3; i++) {
		sum->constant[i] += column->constant[i] * by;
	}
}

static void look_at(struct rounding *rounding, int sample) {
	const struct sensitivity *sensitivity = rounding->sensitivity;
	struct view *view = &rounding->views[rounding->view_count > 1 ? sample : 0];
	rounding->view = view;
	if (view->is_made && rounding->view_count > 1) {
		return;
	}
	sensitivity_columns(sensitivity, sample, view->columns);
	sensitivity_points(sensitivity->layout, sample, rounding->local, rounding->world,
		view->places, view->off);
	sensitivity_centre(sensitivity, sample, view->columns);
	view->is_made = true;
}

/* Fills the points' positions and the errors that the multiples leave them with. */
static void place_points(struct rounding *rounding, int sample, const int32_t *values) {
	const struct sensitivity *sensitivity = rounding->sensitivity;
	const struct layout *layout = sensitivity->layout;
	const double *exact = layout->exact + (size_t)sample * (size_t)layout->channel_count;
	struct points *points = &rounding->points;
	look_at(rounding, sample);
	const struct view *view = rounding->view;
	int c = 0;
	for (int i = 0; i < layout->source->joint_count; i++) {
		const int parent = layout->shell->parents[i];
		struct column *sum = &rounding->sums[i];
		*sum = parent < 0 ? (struct column){0} : rounding->sums[parent];
		for (; c < sensitivity->count && sensitivity->joint[c] == i; c++) {
			add_column(sum, &view->columns[c],
				values[c] * layout->channels[c].step - exact[c]);
		}
		const int first = layout->shell->first_point[i];
		for (int k = first; k < layout->shell->first_point[i + 1]; k++) {
			const double *p = view->places[k];
			const int at = points->begin[i] + k - first;
			for (int row = 0; row < 3; row++) {
				const double off = view->off[k][row] + sum->constant[row] +
					sum->linear[3 * row] * p[0] +
					sum->linear[3 * row + 1] * p[1] +
					sum->linear[3 * row + 2] * p[2];
				points->at[row][at] = (float)p[row];
				points->off[row][at] = (float)off;
			}
		}
	}
}

/* The motion of points by one step of a number. */
struct step {
	float constant[3], linear[9];
};

static struct step step_of(const struct column *column, double by) {
	struct step step;
	for (int i = 0; i < 9; i++) {
		step.linear[i] = (float)(column->linear[i] * by);
	}
	for (int i = 0; i < 3; i++) {
		step.constant[i] = (float)(column->constant[i] * by);
	}
	return step;
}

static inline float excess(float square) {
	const float over = square - SCORE_ABOVE;
	return over > 0 ? over * over : 0;
}

/* The changes of the score, the sum of squared excesses, when a number goes up, and down, by a
 * step. scale: 1 / tolerance^2. */
static void try_step(const struct points *points, int begin, int end, const struct step *step,
	float scale, float change[static 2]) {
	float up[LANES] = {0}, down[LANES] = {0};
	const float *const *at = (const float *const *)points->at;
	const float *const *off = (const float *const *)points->off;
	for (int first = begin; first < end; first += LANES) {
		for (int lane = 0; lane < LANES; lane++) {
			const int i = first + lane;
			const float use = i < end ? scale : 0;
			const float x = at[0][i], y = at[1][i], z = at[2][i];
			const float a = step->constant[0] + step->linear[0] * x +
				step->linear[1] * y + step->linear[2] * z;
			const float b = step->constant[1] + step->linear[3] * x +
				step->linear[4] * y + step->linear[5] * z;
			const float c = step->constant[2] + step->linear[6] * x +
				step->linear[7] * y + step->linear[8] * z;
			const float e = off[0][i], f = off[1][i], g = off[2][i];
			const float old = use * (e * e + f * f + g * g);
			const float moved = use * (a * a + b * b + c * c);
			const float cross = 2 * use * (a * e + b * f + c * g);
			const float before = excess(old);
			up[lane] += excess(old + moved + cross) - before;
			down[lane] += excess(old + moved - cross) - before;
		}
	}
	change[0] = change[1] = 0;
	for (int lane = 0; lane < LANES; lane++) {
		change[0] += up[lane];
		change[1] += down[lane];
	}
}

static int worst_point(const struct points *points, float *square) {
	int worst = 0;
	*square = 0;
	for (int i = 0; i < points->count; i++) {
		const float size = points->off[0][i] * points->off[0][i] +
			points->off[1][i] * points->off[1][i] +
			points->off[2][i] * points->off[2][i];
		if (size > *square) {
			*square = size;
			worst = i;
		}
	}
	return worst;
}

static void apply(struct points *points, int begin, int end, const struct step *step, float sign) {
	for (int i = begin; i < end; i++) {
		const float x = points->at[0][i], y = points->at[1][i], z = points->at[2][i];
		for (int row = 0; row < 3; row++) {
			points->off[row][i] += sign *
				(step->constant[row] + step->linear[3 * row] * x +
					step->linear[3 * row + 1] * y +
					step->linear[3 * row + 2] * z);
		}
	}
}

static int joint_of(const struct points *points, const struct error_shell *shell, int point) {
	for (int i = 0; i < shell->joint_count; i++) {
		const int own = shell->first_point[i + 1] - shell->first_point[i];
		if (point >= points->begin[i] && point < points->begin[i] + own) {
			return i;
		}
	}
	return 0;
}

/* One move; false when none helps. */
static bool improve(struct rounding *rounding, int point, float scale, int32_t *values) {
	const struct sensitivity *sensitivity = rounding->sensitivity;
	struct points *points = &rounding->points;
	const int joint = joint_of(points, sensitivity->layout->shell, point);
	struct step best_step = {{0}, {0}};
	float best = -1e-6f, sign = 0;
	int number = -1;
	for (int i = 0; i < sensitivity->path_length[joint]; i++) {
		const int c = sensitivity->path[joint][i], owner = sensitivity->joint[c];
		const struct step step =
			step_of(&rounding->view->columns[c], sensitivity->layout->channels[c].step);
		float change[2];
		try_step(points, points->begin[owner], points->end[owner], &step, scale, change);
		for (int k = 0; k < 2; k++) {
			if (change[k] < best) {
				best = change[k];
				sign = k == 0 ? 1 : -1;
				number = c;
				best_step = step;
			}
		}
	}
	if (number < 0) {
		return false;
	}
	values[number] += (int32_t)sign;
	const int owner = sensitivity->joint[number];
	apply(points, points->begin[owner], points->end[owner], &best_step, sign);
	return true;
}

static void repair(struct rounding *rounding, int sample, int32_t *values) {
	const double tolerance_m = rounding->sensitivity->layout->tolerance_m;
	const float scale = (float)(1 / (tolerance_m * tolerance_m));
	place_points(rounding, sample, values);
	for (int i = 0; i < MOVES_MAX; i++) {
		float square;
		const int worst = worst_point(&rounding->points, &square);
		if (square * scale <= (float)(REPAIR_ABOVE * REPAIR_ABOVE) ||
			!improve(rounding, worst, scale, values)) {
			return;
		}
	}
}

void rounding_sample(
	struct rounding *rounding, int sample, enum rounding_way way, int32_t *values) {
	const struct layout *layout = rounding->sensitivity->layout;
	const double *exact = layout->exact + (size_t)sample * (size_t)layout->channel_count;
	for (int c = 0; c < layout->channel_count; c++) {
		values[c] = rounding_nearest(exact[c], layout->channels[c].step);
	}
	if (way == ROUNDING_LATTICE) {
		round_to_lattice(rounding, sample, values);
	}
	if (way != ROUNDING_NEAREST && rounding->sensitivity->count > 0) {
		repair(rounding, sample, values);
	}
}
