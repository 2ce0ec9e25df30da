// Columns of the Jacobian as affine maps, and the factor of its normal equations along the tree.
#include "compress/sensitivity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "base/memory.h"
#include "base/vec.h"

#define FACTORS_MAX ((size_t)128 << 20) // floats
#define ROWS_BETWEEN 64                 // looks for whether to stop
#define DIAGONAL 1e-6                   // added to it, relative
#define GAIN_MIN 1e-12
#define LENGTHS_OF 64 // samples at least, where there are so many

/* Sums over the points of a joint and of all below. */
struct moments {
	double count, sum[3], square[9]; // of points: sum of p, sum of p p'
	double off[3], cross[9];         // of their errors e: sum of e, sum of e p'
};

static void multiply3(const double a[static 9], const double b[static 9], double out[static 9]) {
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < 3; k++) {
			out[3 * i + k] =
				a[3 * i] * b[k] + a[3 * i + 1] * b[3 + k] + a[3 * i + 2] * b[6 + k];
		}
	}
}

static void linear_part(const double world[static 12], double out[static 9]) {
	for (int row = 0; row < 3; row++) {
		for (int k = 0; k < 3; k++) {
			out[3 * row + k] = world[4 * row + k];
		}
	}
}

static void parent_linear(
	const struct layout *layout, int joint, const double (*world)[12], double out[static 9]) {
	static const double identity[12] = MAT_IDENTITY;
	const int parent = layout->shell->parents[joint];
	linear_part(parent < 0 ? identity : world[parent], out);
}

static bool invert3(const double m[static 9], double out[static 9]) {
	double full[12] = {m[0], m[1], m[2], 0, m[3], m[4], m[5], 0, m[6], m[7], m[8], 0};
	double inverse[12];
	if (!mat_invert(full, inverse)) {
		return false;
	}
	linear_part(inverse, out);
	return true;
}

static void rotation_rows(const double q[static 4], double out[static 9]) {
	const float none[3] = {0}, one[3] = {1, 1, 1};
	const float rotation[4] = {(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
	double matrix[12];
	mat_from_transform(none, rotation, one, matrix);
	linear_part(matrix, out);
}

/* The turn, in the joint's axes after rotating, for a change of one number of a rotation vector:
 * a column of SO(3)'s right Jacobian. */
static void turn_of(const double x[static 3], int axis, double out[static 3]) {
	const double square = vec3_dot(x, x), angle = sqrt(square);
	const double first = angle > 1e-4 ? (1 - cos(angle)) / square : 0.5;
	const double second = angle > 1e-4 ? (angle - sin(angle)) / (square * angle) : 1.0 / 6;
	double unit[3] = {0}, once[3], twice[3];
	unit[axis] = 1;
	vec3_cross(x, unit, once);
	vec3_cross(x, once, twice);
	for (int k = 0; k < 3; k++) {
		out[k] = unit[k] - first * once[k] + second * twice[k];
	}
}

struct joint_frame {
	double above[9], rotation[9], origin[3], vector[3];
	double inverse[9]; // of what is above, which may have none
	bool has_inverse;
	const struct source_transform *local;
};

/* A change of the parent's-side linear map `inner` (in the parent's axes) as one of the world's,
 * about the joint's origin. */
static void about_origin(
	const struct joint_frame *frame, const double inner[static 9], struct column *column) {
	double half[9];
	*column = (struct column){0};
	if (!frame->has_inverse) {
		return;
	}
	multiply3(frame->above, inner, half);
	multiply3(half, frame->inverse, column->linear);
	for (int row = 0; row < 3; row++) {
		column->constant[row] = -vec3_dot(&column->linear[3 * row], frame->origin);
	}
}

static void rotation_column(const struct joint_frame *frame, int axis, struct column *column) {
	double turn[3], about[3];
	turn_of(frame->vector, axis, turn);
	for (int row = 0; row < 3; row++) {
		about[row] = vec3_dot(&frame->rotation[3 * row], turn);
	}
	const double inner[9] = {
		0, -about[2], about[1], about[2], 0, -about[0], -about[1], about[0], 0};
	about_origin(frame, inner, column);
}

static void scale_column(const struct joint_frame *frame, int axis, struct column *column) {
	const double scale = frame->local->scale[axis];
	double inner[9];
	*column = (struct column){0};
	if (fabs(scale) < 1e-6) {
		return;
	}
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < 3; k++) {
			inner[3 * i + k] = frame->rotation[3 * i + axis] *
				frame->rotation[3 * k + axis] / scale;
		}
	}
	about_origin(frame, inner, column);
}

static void translation_column(const struct joint_frame *frame, int axis, struct column *column) {
	*column = (struct column){0};
	for (int row = 0; row < 3; row++) {
		column->constant[row] = frame->above[3 * row + axis];
	}
}

static const double (*world_of(const struct layout *layout, int sample))[12] {
	const struct source *source = layout->source;
	return source->world + (size_t)sample * SOURCE_MOMENTS * (size_t)source->joint_count;
}

static void look_at_joint(const struct layout *layout, int sample, int joint, const double *exact,
	struct joint_frame *frame) {
	const double(*world)[12] = world_of(layout, sample);
	const struct source *source = layout->source;
	frame->local = &source->local[(size_t)sample * (size_t)source->joint_count + (size_t)joint];
	parent_linear(layout, joint, world, frame->above);
	frame->has_inverse = invert3(frame->above, frame->inverse);
	rotation_rows(frame->local->rotation, frame->rotation);
	for (int row = 0; row < 3; row++) {
		frame->origin[row] = world[joint][4 * row + 3];
	}
	const struct pclip_track *track = &layout->tracks[SOURCE_KINDS * joint];
	for (int axis = 0, next = 0; axis < 3; axis++) {
		const bool moves = track->moving >> axis & 1;
		frame->vector[axis] = moves ? exact[next] : pclip_still(track, axis);
		next += moves;
	}
}

void sensitivity_columns(
	const struct sensitivity *sensitivity, int sample, struct column *columns) {
	const struct layout *layout = sensitivity->layout;
	const double *exact = layout->exact + (size_t)sample * (size_t)layout->channel_count;
	struct joint_frame frame = {.local = NULL};
	for (int i = 0; i < sensitivity->count; i++) {
		const struct pclip_channel *channel = &layout->channels[i];
		if (i == 0 || sensitivity->joint[i - 1] != sensitivity->joint[i]) {
			look_at_joint(layout, sample, sensitivity->joint[i], exact + i, &frame);
		}
		switch (channel->track % SOURCE_KINDS) {
		case SOURCE_ROTATION:
			rotation_column(&frame, channel->axis, &columns[i]);
			break;
		case SOURCE_TRANSLATION:
			translation_column(&frame, channel->axis, &columns[i]);
			break;
		default:
			scale_column(&frame, channel->axis, &columns[i]);
		}
	}
}

/* The origin that points are relative to: sums of squares far from it would lose the differences
 * between points. */
static void origin_of(const struct layout *layout, int sample, double origin[static 3]) {
	for (int row = 0; row < 3; row++) {
		origin[row] = world_of(layout, sample)[0][4 * row + 3];
	}
}

static double map_row(const double row[static 4], const double p[static 3]) {
	return row[3] + (row[0] * p[0] + row[1] * p[1] + row[2] * p[2]);
}

void sensitivity_points(const struct layout *layout, int sample, struct source_transform *local,
	double (*world)[12], double (*points)[3], double (*off)[3]) {
	const double(*should)[12] = world_of(layout, sample);
	const struct error_shell *shell = layout->shell;
	double origin[3];
	origin_of(layout, sample, origin);
	layout_local(layout, layout->exact + (size_t)sample * (size_t)layout->channel_count, local);
	error_shell_world(shell, local, world);
	for (int i = 0; i < shell->joint_count; i++) {
		for (int k = shell->first_point[i]; k < shell->first_point[i + 1]; k++) {
			for (int row = 0; row < 3; row++) {
				const double to = map_row(&should[i][4 * row], shell->points[k]);
				off[k][row] = map_row(&world[i][4 * row], shell->points[k]) - to;
				points[k][row] = to - origin[row];
			}
		}
	}
}

void sensitivity_centre(const struct sensitivity *sensitivity, int sample, struct column *columns) {
	double origin[3];
	origin_of(sensitivity->layout, sample, origin);
	for (int i = 0; i < sensitivity->count; i++) {
		for (int row = 0; row < 3; row++) {
			columns[i].constant[row] += vec3_dot(&columns[i].linear[3 * row], origin);
		}
	}
}

struct work {
	struct source_transform *local;
	double (*world)[12];
	double (*points)[3], (*off)[3];
	struct moments *moments;
	struct column *columns;
	double *rows, *right;
};

static void add_point(
	struct moments *moments, const double p[static 3], const double off[static 3]) {
	moments->count += 1;
	for (int i = 0; i < 3; i++) {
		moments->sum[i] += p[i];
		moments->off[i] += off[i];
		for (int k = 0; k < 3; k++) {
			moments->square[3 * i + k] += p[i] * p[k];
			moments->cross[3 * i + k] += off[i] * p[k];
		}
	}
}

static void sum_moments(const struct layout *layout, struct work *work) {
	const int count = layout->source->joint_count;
	const double *parts;
	memset(work->moments, 0, (size_t)count * sizeof *work->moments);
	for (int i = count - 1; i >= 0; i--) {
		const int *first = layout->shell->first_point;
		for (int k = first[i]; k < first[i + 1]; k++) {
			add_point(&work->moments[i], work->points[k], work->off[k]);
		}
		const int parent = layout->shell->parents[i];
		parts = (const double *)&work->moments[i];
		for (size_t k = 0; parent >= 0 && k < sizeof(struct moments) / sizeof(double);
			k++) {
			((double *)&work->moments[parent])[k] += parts[k];
		}
	}
}

static double dot(const double *a, const double *b, int count) {
	double sum = 0;
	for (int i = 0; i < count; i++) {
		sum += a[i] * b[i];
	}
	return sum;
}

/* A row of the normal equations: a number with those of its path and itself; *right is its product
 * with the errors. */
static void equation(
	const struct sensitivity *sensitivity, const struct work *work, int number, double *right) {
	const struct column *own = &work->columns[number];
	const struct moments *below = &work->moments[sensitivity->joint[number]];
	double weighted[9], shift[3];
	multiply3(own->linear, below->square, weighted);
	for (int row = 0; row < 3; row++) {
		shift[row] = vec3_dot(&own->linear[3 * row], below->sum) +
			below->count * own->constant[row];
		for (int k = 0; k < 3; k++) {
			weighted[3 * row + k] += own->constant[row] * below->sum[k];
		}
	}
	const int *path = sensitivity->path[sensitivity->joint[number]];
	double *row = work->rows + sensitivity->row_at[number];
	for (int i = 0; i <= sensitivity->place[number]; i++) {
		const struct column *other = &work->columns[path[i]];
		row[i] = dot(weighted, other->linear, 9) + vec3_dot(shift, other->constant);
	}
	*right = dot(own->linear, below->cross, 9) + vec3_dot(own->constant, below->off);
}

/* Eliminates numbers from the leaves to the roots; there is no fill but between ancestors.
 * False where a number moves nothing, and once the job is to stop. */
static bool factor(const struct sensitivity *sensitivity, struct work *work) {
	for (int c = sensitivity->count - 1; c >= 0; c--) {
		const int place = sensitivity->place[c];
		const int *path = sensitivity->path[sensitivity->joint[c]];
		double *row = work->rows + sensitivity->row_at[c];
		if (!(row[place] > GAIN_MIN * GAIN_MIN) ||
			(c % ROWS_BETWEEN == 0 && source_is_stopped(sensitivity->layout->source))) {
			return false;
		}
		row[place] = sqrt(row[place]);
		for (int i = 0; i < place; i++) {
			row[i] /= row[place];
		}
		for (int i = 0; i < place; i++) {
			double *above = work->rows + sensitivity->row_at[path[i]];
			for (int k = 0; k <= i; k++) {
				above[k] -= row[i] * row[k];
			}
		}
	}
	return true;
}

/* Solves R'R d = -right in place. */
static void solve(const struct sensitivity *sensitivity, const struct work *work, double *right) {
	for (int c = sensitivity->count - 1; c >= 0; c--) {
		const int place = sensitivity->place[c];
		const int *path = sensitivity->path[sensitivity->joint[c]];
		const double *row = work->rows + sensitivity->row_at[c];
		right[c] = -right[c] / row[place];
		for (int i = 0; i < place; i++) {
			right[path[i]] += row[i] * right[c];
		}
	}
	for (int c = 0; c < sensitivity->count; c++) {
		const int place = sensitivity->place[c];
		const int *path = sensitivity->path[sensitivity->joint[c]];
		const double *row = work->rows + sensitivity->row_at[c];
		for (int i = 0; i < place; i++) {
			right[c] -= row[i] * right[path[i]];
		}
		right[c] /= row[place];
	}
}

static void find_paths(struct sensitivity *sensitivity, struct arena *arena) {
	const struct layout *layout = sensitivity->layout;
	const size_t joints = (size_t)layout->source->joint_count;
	const size_t count = (size_t)sensitivity->count;
	sensitivity->path = arena_alloc(arena, joints + 1, sizeof *sensitivity->path);
	sensitivity->path_length = arena_alloc(arena, joints + 1, sizeof(int));
	sensitivity->place = arena_alloc(arena, count + 1, sizeof(int));
	sensitivity->joint = arena_alloc(arena, count + 1, sizeof(int));
	sensitivity->row_at = arena_alloc(arena, count + 1, sizeof(size_t));
	int next = 0;
	for (int i = 0; i < (int)joints; i++) {
		const int parent = layout->shell->parents[i];
		const int above = parent < 0 ? 0 : sensitivity->path_length[parent];
		int length = above, first = next;
		while (next < sensitivity->count &&
			layout->channels[next].track / SOURCE_KINDS == i) {
			sensitivity->joint[next] = i;
			sensitivity->place[next++] = length++;
		}
		sensitivity->path_length[i] = length;
		if (length == above && parent >= 0) {
			sensitivity->path[i] = sensitivity->path[parent];
			continue;
		}
		sensitivity->path[i] = arena_alloc(arena, (size_t)length + 1, sizeof(int));
		if (above > 0) {
			memcpy(sensitivity->path[i], sensitivity->path[parent],
				(size_t)above * sizeof(int));
		}
		for (int k = above; k < length; k++) {
			sensitivity->path[i][k] = first++;
		}
	}
	for (int i = 0; i < sensitivity->count; i++) {
		sensitivity->row_at[i] = sensitivity->row_total;
		sensitivity->row_total += (size_t)sensitivity->place[i] + 1;
	}
}

static struct work make_work(const struct sensitivity *sensitivity, struct arena *arena) {
	const size_t joints = (size_t)sensitivity->layout->source->joint_count;
	const size_t count = (size_t)sensitivity->count + 1;
	const size_t points = (size_t)sensitivity->layout->shell->first_point[joints] + 1;
	return (struct work){.local = arena_alloc(arena, joints, sizeof(struct source_transform)),
		.world = arena_alloc(arena, joints, 12 * sizeof(double)),
		.points = arena_alloc(arena, points, 3 * sizeof(double)),
		.off = arena_alloc(arena, points, 3 * sizeof(double)),
		.moments = arena_alloc(arena, joints, sizeof(struct moments)),
		.columns = arena_alloc(arena, count, sizeof(struct column)),
		.rows = arena_alloc(arena, sensitivity->row_total + 1, sizeof(double)),
		.right = arena_alloc(arena, count, sizeof(double))};
}

/* The normal equations of a sample, whose diagonal is added to the lengths. */
static void make_equations(struct sensitivity *sensitivity, struct work *work, int sample) {
	const struct layout *layout = sensitivity->layout;
	sensitivity_columns(sensitivity, sample, work->columns);
	sensitivity_points(layout, sample, work->local, work->world, work->points, work->off);
	sensitivity_centre(sensitivity, sample, work->columns);
	sum_moments(layout, work);
	for (int c = 0; c < sensitivity->count; c++) {
		equation(sensitivity, work, c, &work->right[c]);
		double *diagonal =
			&work->rows[sensitivity->row_at[c] + (size_t)sensitivity->place[c]];
		sensitivity->log_length[c] += log(fmax(sqrt(*diagonal), GAIN_MIN));
		*diagonal *= 1 + DIAGONAL;
	}
}

static bool factor_sample(struct sensitivity *sensitivity, struct work *work, int sample) {
	const size_t at = (size_t)sample * (size_t)sensitivity->count;
	make_equations(sensitivity, work, sample);
	if (!sensitivity->factors || !factor(sensitivity, work)) {
		return false;
	}
	solve(sensitivity, work, work->right);
	for (int c = 0; c < sensitivity->count; c++) {
		sensitivity->centre[at + (size_t)c] += work->right[c];
		sensitivity->log_gain[c] +=
			log(work->rows[sensitivity->row_at[c] + (size_t)sensitivity->place[c]]);
	}
	float *kept = sensitivity->factors + (size_t)sample * sensitivity->row_total;
	for (size_t i = 0; i < sensitivity->row_total; i++) {
		kept[i] = (float)work->rows[i];
	}
	return true;
}

void sensitivity_make_lengths(
	const struct layout *layout, struct arena *arena, struct sensitivity *out) {
	const int samples = layout->source->sample_count;
	const int stride = samples > LENGTHS_OF ? samples / LENGTHS_OF : 1;
	const int looked_at = (samples - 1) / stride + 1;
	*out = (struct sensitivity){.layout = layout, .count = layout->joint_channel_count};
	find_paths(out, arena);
	out->log_length = arena_alloc(arena, (size_t)out->count + 1, sizeof(double));
	struct work work = make_work(out, arena);
	for (int s = 0; s < samples && !source_is_stopped(layout->source); s += stride) {
		make_equations(out, &work, s);
	}
	for (int c = 0; c < out->count; c++) {
		out->log_length[c] /= looked_at;
	}
}

bool sensitivity_make(const struct layout *layout, struct arena *arena, struct sensitivity *out) {
	const int samples = layout->source->sample_count;
	*out = (struct sensitivity){.layout = layout, .count = layout->joint_channel_count};
	find_paths(out, arena);
	const size_t count = (size_t)out->count;
	out->centre = arena_alloc(arena, (size_t)samples * count + 1, sizeof(double));
	out->log_gain = arena_alloc(arena, count + 1, sizeof(double));
	out->log_length = arena_alloc(arena, count + 1, sizeof(double));
	if (out->row_total * (size_t)samples <= FACTORS_MAX) {
		out->factors = malloc((out->row_total * (size_t)samples + 1) * sizeof(float));
		arena_defer(arena, free, out->factors);
	}
	struct work work = make_work(out, arena);
	bool all = out->factors;
	for (int s = 0; s < samples && !source_is_stopped(layout->source); s++) {
		for (int c = 0; c < out->count; c++) {
			out->centre[(size_t)s * count + (size_t)c] =
				layout->exact[(size_t)s * (size_t)layout->channel_count +
					(size_t)c];
		}
		all = factor_sample(out, &work, s) && all;
	}
	for (int c = 0; c < out->count; c++) {
		out->log_gain[c] /= samples;
		out->log_length[c] /= samples;
	}
	return all;
}
