// Compressed clips: what their decoded bytes give, held against the clips themselves by forward
// kinematics, and the pieces that the encoder works with against formulas.
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "check.h"
#include "compress/compress.h"
#include "compress/measure.h"
#include "compress/sensitivity.h"
#include "pclip.h"
#include "pose/sample/sampler.h"
#include "rigs.h"

#define JOINTS 9
#define VERTICES 30
#define RADIUS_M 0.03

static float *take_floats(struct rig *rig, size_t count) {
	float *floats = rig_storage(rig, count, sizeof *floats, "test", NULL);
	assert_non_null(floats);
	return floats;
}

enum motion { SMOOTH, HELD, UNEVEN, CURVED };

/* Key times of a motion: 24 a second, with a gap that is no multiple in UNEVEN. */
static float *key_times(struct rig *rig, int keys, enum motion motion) {
	float *times = take_floats(rig, (size_t)keys);
	for (int i = 0; i < keys; i++) {
		times[i] = (float)(i / 24.0 + (motion == UNEVEN && i > keys / 2 ? 0.1583 : 0));
	}
	return times;
}

/* Rotations of all joints that swing at paces of their own; the root wanders and one joint grows.
 */
static void fill_channel(
	struct rig *rig, struct channel *channel, int keys, enum motion motion, int i) {
	const bool curved = channel->interpolation == INTERPOLATION_CUBIC_SPLINE;
	const int width = channel->width * (curved ? 3 : 1), at = curved ? channel->width : 0;
	float *values = take_floats(rig, (size_t)(keys * width));
	for (int k = 0; k < keys; k++) {
		const double phase = (motion == HELD ? k / 6 : k) * (0.05 + 0.02 * i) + i;
		float *value = values + k * width + at;
		struct transform turn = TRANSFORM_IDENTITY;
		if (channel->path == CHANNEL_ROTATION) {
			const double length = sqrt(1 + sin(i) * sin(i));
			set_rotation(&turn, sin(i) / length, cos(0.3 * i) / length,
				sin(0.3 * i) / length, 50 * sin(phase));
			memcpy(value, turn.rotation, 4 * sizeof *value);
			continue;
		}
		for (int axis = 0; axis < 3; axis++) {
			value[axis] = channel->path == CHANNEL_SCALE
				? (float)(1.2 + 0.2 * sin(phase + axis))
				: (float)(0.4 * sin(phase + axis));
		}
	}
	channel->values = values;
}

static struct rig *moving_rig(enum motion motion, int keys) {
	struct rig *rig = rig_random(7, JOINTS, VERTICES, 4);
	struct clip *clip = rig_storage(rig, 1, sizeof *clip, "test", NULL);
	rig->clips = clip;
	rig->clip_count = 1;
	clip->name = strdup("swing");
	clip->channel_count = JOINTS + 2;
	clip->channels = calloc((size_t)clip->channel_count, sizeof *clip->channels);
	const float *times = key_times(rig, keys, motion);
	clip->duration_s = (double)times[keys - 1];
	for (int i = 0; i < clip->channel_count; i++) {
		struct channel *channel = &clip->channels[i];
		*channel = (struct channel){.joint = i < JOINTS ? i
				: i == JOINTS                   ? 0
								: 2,
			.path = i < JOINTS    ? CHANNEL_ROTATION
				: i == JOINTS ? CHANNEL_TRANSLATION
					      : CHANNEL_SCALE,
			.interpolation = motion == HELD ? INTERPOLATION_STEP
				: motion == CURVED      ? INTERPOLATION_CUBIC_SPLINE
							: INTERPOLATION_LINEAR,
			.key_count = keys,
			.width = i < JOINTS ? 4 : 3,
			.times = times};
		fill_channel(rig, channel, keys, motion, i);
	}
	return rig;
}

/* An open clip of a file, and room for its pose. */
struct opened {
	struct pclip_file file;
	struct pclip *clip;
	void *memory;
	struct pclip_transform rest[64], joints[64];
	float weights[64];
};

static void open_clip(
	const struct rig *rig, const struct buffer *bytes, int i, struct opened *out) {
	const char *why = "";
	assert_true(pclip_read(bytes->data, bytes->size, &out->file, &why));
	out->memory = malloc(pclip_memory(&out->file));
	for (int k = 0; k < rig->joint_count; k++) {
		memcpy(&out->rest[k], &rig->joints[k].rest, sizeof out->rest[k]);
	}
	out->clip = pclip_open(&out->file, i, out->rest, out->memory, &why);
	assert_non_null(out->clip);
}

static double distance_of(const double a[static 12], const double b[static 12], const double p[3]) {
	double x[3], y[3], square = 0;
	mat_map_point(a, p, x);
	mat_map_point(b, p, y);
	for (int k = 0; k < 3; k++) {
		square += (x[k] - y[k]) * (x[k] - y[k]);
	}
	return sqrt(square);
}

/* How far the decoded clip is from the clip at a time: at the origins and three points about them,
 * and at a point of the shell in any direction. */
static void measure_at(const struct rig *rig, const struct clip *clip, struct opened *opened,
	double time_s, unsigned *seed, double *known, double *anywhere) {
	struct arena *arena = arena_create();
	struct pose should = pose_rest(rig, arena), is = pose_rest(rig, arena);
	double(*world)[12] = arena_alloc(arena, (size_t)rig->joint_count, sizeof *world);
	double(*decoded)[12] = arena_alloc(arena, (size_t)rig->joint_count, sizeof *decoded);
	clip_sample(rig, clip, time_s, &should);
	assert_true(pclip_sample(opened->clip, time_s, opened->joints, opened->weights));
	for (int i = 0; i < rig->joint_count; i++) {
		memcpy(&is.local[i], &opened->joints[i], sizeof is.local[i]);
	}
	pose_to_world(rig, &should, world);
	pose_to_world(rig, &is, decoded);
	for (int i = 0; i < rig->joint_count; i++) {
		for (int k = 0; k < 5; k++) {
			double p[3] = {0}, length = 0;
			for (int axis = 0; axis < 3; axis++) {
				p[axis] = k < 4 ? RADIUS_M * (axis == k) : random_number(seed);
				length += p[axis] * p[axis];
			}
			for (int axis = 0; axis < 3 && k == 4; axis++) {
				p[axis] *= RADIUS_M / sqrt(length);
			}
			double *greatest = k < 4 ? known : anywhere;
			*greatest = fmax(*greatest, distance_of(decoded[i], world[i], p));
		}
	}
	arena_destroy(arena);
}

static struct compress_options options_of(double tolerance_m) {
	return (struct compress_options){
		.tolerance_m = tolerance_m, .shell_m = RADIUS_M, .segment_samples = 16};
}

/* Compresses the rig's only clip and holds its error against the bound: at samples and quarters as
 * the encoder has measured it, and beyond what it has measured within the sum of what it bounds. */
static size_t check_codec(
	const struct rig *rig, double tolerance_m, const struct codec *codec, bool is_quick) {
	struct compress_options options = options_of(tolerance_m);
	options.codec = codec;
	options.is_quick = is_quick;
	struct compress_report report;
	struct error err = {0};
	struct buffer bytes = {0};
	struct opened opened;
	const int first = 0;
	unsigned seed = 5;
	assert_true(compress_clips(rig, &first, 1, &options, NULL, &report, &bytes, &err));
	open_clip(rig, &bytes, 0, &opened);
	struct pclip_info info;
	assert_true(pclip_describe(&opened.file, 0, &info));
	assert_int_equal(info.sample_count, report.sample_count);
	assert_near(info.duration_s, rig->clips[0].duration_s, 1e-5);
	double known = 0, anywhere = 0;
	for (int i = 0; i < 400; i++) {
		measure_at(rig, &rig->clips[0], &opened, rig->clips[0].duration_s * i / 399, &seed,
			&known, &anywhere);
	}
	assert_true(report.error.max_m <= tolerance_m);
	assert_true(report.error.rms_m <= report.error.p99_m);
	assert_true(report.error.p99_m <= report.error.max_m);
	assert_true(known <= 1.1 * tolerance_m);
	/* The error at a x + b y + c z of a unit vector is at most |a| + |b| + |c| + |1 - a - b -
	 * c| of those at the axes and the origin, and that at most 1 + 2 sqrt(3). */
	assert_true(anywhere <= (1 + 2 * sqrt(3)) * known);
	free(opened.memory);
	const size_t size = bytes.size;
	buffer_finish(&bytes);
	return size;
}

/* The greatest distance of a vertex of the decoded clip from its place in the clip, as the renderer
 * skins. */
static double farthest_vertex(const struct rig *rig, struct opened *opened, double time_s) {
	static const struct value id = {.kind = VALUE_STRING, .string = "lbs"};
	const struct skinning_method *method = skin_method_find(&id, NULL);
	struct arena *arena = arena_create();
	struct pose should = pose_rest(rig, arena), is = pose_rest(rig, arena);
	float positions[2][VERTICES * 3], normals[VERTICES * 3];
	double farthest = 0;
	clip_sample(rig, &rig->clips[0], time_s, &should);
	assert_true(pclip_sample(opened->clip, time_s, opened->joints, opened->weights));
	for (int i = 0; i < rig->joint_count; i++) {
		memcpy(&is.local[i], &opened->joints[i], sizeof is.local[i]);
	}
	skin_pose(rig, method, &should, false, positions[0], normals);
	skin_pose(rig, method, &is, false, positions[1], normals);
	for (int v = 0; v < VERTICES; v++) {
		double square = 0;
		for (int k = 3 * v; k < 3 * v + 3; k++) {
			square += pow((double)positions[0][k] - (double)positions[1][k], 2);
		}
		farthest = fmax(farthest, sqrt(square));
	}
	arena_destroy(arena);
	return farthest;
}

/* The same at the skin: what the renderer makes of all vertices, at 400 moments. */
static void check_at_skin(
	const struct rig *rig, double tolerance_m, const struct codec *codec, bool is_quick) {
	const struct skin_metric metric = {.rig = rig};
	struct compress_options options = options_of(tolerance_m);
	options.codec = codec;
	options.is_quick = is_quick;
	options.skin = &metric;
	options.at_skin = true;
	struct compress_report report;
	struct error err = {0};
	struct buffer bytes = {0};
	struct opened opened;
	const int first = 0;
	double farthest = 0;
	assert_true(compress_clips(rig, &first, 1, &options, NULL, &report, &bytes, &err));
	open_clip(rig, &bytes, 0, &opened);
	for (int i = 0; i < 400; i++) {
		farthest = fmax(farthest,
			farthest_vertex(rig, &opened, rig->clips[0].duration_s * i / 399));
	}
	assert_true(report.error.max_m <= tolerance_m);
	assert_in_range(report.error.vertex, 0, VERTICES - 1);
	assert_true(report.other.vertex < 0);
	assert_true(farthest <= 1.1 * tolerance_m + 2e-6);
	free(opened.memory);
	buffer_finish(&bytes);
}

/* The same with every codec, of which none is larger than bits, and without a search, which takes
 * a quarter more bytes at most; the size with the default codec. */
static size_t check_clip(const struct rig *rig, double tolerance_m) {
	const size_t size = check_codec(rig, tolerance_m, codec_at(0), false);
	const size_t in_bits = check_codec(rig, tolerance_m, &codec_bits, false);
	for (int i = 0; codec_at(i); i++) {
		assert_true(check_codec(rig, tolerance_m, codec_at(i), false) <= in_bits);
		check_at_skin(rig, tolerance_m, codec_at(i), false);
	}
	const size_t quick = check_codec(rig, tolerance_m, codec_at(0), true);
	assert_in_range(quick, size - size / 50, size + size / 4);
	check_at_skin(rig, tolerance_m, codec_at(0), true);
	return size;
}

static void the_shell_has_no_blind_line(void **state) {
	(void)state;
	/* Turned about the line through (l, 0, 0) and (0, l, 0), both points stay.
	 */
	const double l = RADIUS_M, phi = 0.05, s = sin(phi / 2) / sqrt(2);
	const float axis[4] = {(float)-s, (float)s, 0, (float)cos(phi / 2)};
	const float none[3] = {0}, one[3] = {1, 1, 1};
	double turned[12], rest[12] = MAT_IDENTITY, p[3] = {l, 0, 0}, moved[3];
	mat_from_transform(none, axis, one, turned);
	mat_map_point(turned, p, moved);
	for (int k = 0; k < 3; k++) {
		turned[4 * k + 3] = p[k] - moved[k];
	}
	const double y[3] = {0, l, 0}, z[3] = {0, 0, l}, origin[3] = {0};
	assert_near(distance_of(turned, rest, y), 0, 1e-8);
	assert_near(distance_of(turned, rest, origin), 1.060550e-3, 1e-8);
	assert_near(distance_of(turned, rest, z), 1.836926e-3, 1e-8);
	assert_near(sqrt(error_shell_square(l, turned, rest)), 1.836926e-3, 1e-8);
	/* METHODS D.4: 0.01 rad about z. */
	const float small[4] = {0, 0, (float)sin(0.005), (float)cos(0.005)};
	mat_from_transform(none, small, one, turned);
	assert_near(sqrt(error_shell_square(l, turned, rest)), 2.99999e-4, 1e-9);
}

/* Columns against differences of forward kinematics. */
static void columns_are_derivatives(void **state) {
	(void)state;
	struct rig *rig = moving_rig(SMOOTH, 12);
	struct arena *arena = arena_create();
	struct error err = {0};
	struct source source;
	const struct source_job job = {rig, &rig->clips[0], NULL};
	assert_true(source_make(&job, 24, arena, &source, &err));
	const struct error_shell shell = error_shell_make(rig, RADIUS_M, arena);
	struct layout layout;
	assert_true(layout_make(&source, &shell, 1e-4, 1, arena, &layout, &err));
	struct sensitivity sensitivity;
	assert_true(sensitivity_make(&layout, arena, &sensitivity));
	assert_in_range(layout.channel_count, 3 * JOINTS, 3 * JOINTS + 6);
	struct column columns[3 * JOINTS + 6];
	struct source_transform local[JOINTS];
	double before[JOINTS][12], after[JOINTS][12], numbers[3 * JOINTS + 6];
	const int sample = 5;
	const double step = 1e-6;
	sensitivity_columns(&sensitivity, sample, columns);
	for (int c = 0; c < layout.channel_count; c++) {
		memcpy(numbers, layout.exact + sample * layout.channel_count,
			(size_t)layout.channel_count * sizeof *numbers);
		numbers[c] -= step;
		layout_local(&layout, numbers, local);
		error_shell_world(&shell, local, before);
		numbers[c] += 2 * step;
		layout_local(&layout, numbers, local);
		error_shell_world(&shell, local, after);
		for (int i = sensitivity.joint[c]; i < JOINTS; i++) {
			for (int row = 0; row < 3; row++) {
				const double *map = &columns[c].linear[3 * row];
				const double expected = columns[c].constant[row] +
					map[0] * (before[i][3] + after[i][3]) / 2 +
					map[1] * (before[i][7] + after[i][7]) / 2 +
					map[2] * (before[i][11] + after[i][11]) / 2;
				const double moved = after[i][4 * row + 3] - before[i][4 * row + 3];
				assert_near(moved / (2 * step), expected, 1e-5);
			}
		}
	}
	arena_destroy(arena);
	rig_release(rig);
}

static void smooth_motion_keeps_the_tolerance(void **state) {
	(void)state;
	struct rig *rig = moving_rig(SMOOTH, 90);
	const size_t coarse = check_clip(rig, 1e-3), fine = check_clip(rig, 1e-5);
	assert_true(coarse < fine);
	/* Ten numbers of float32 a joint and sample. */
	assert_true(fine < 90 * JOINTS * 40 / 4);
	rig_release(rig);
}

static void steps_stay_steps(void **state) {
	(void)state;
	struct rig *rig = moving_rig(HELD, 60);
	check_clip(rig, 1e-4);
	rig_release(rig);
}

static void uneven_keys_stay_where_they_are(void **state) {
	(void)state;
	struct rig *rig = moving_rig(UNEVEN, 30);
	check_clip(rig, 1e-4);
	rig_release(rig);
}

static void splines_are_sampled_often_enough(void **state) {
	(void)state;
	struct rig *rig = moving_rig(CURVED, 20);
	check_clip(rig, 1e-2);
	rig_release(rig);
}

static void a_still_clip_is_its_head(void **state) {
	(void)state;
	struct rig *rig = moving_rig(SMOOTH, 1);
	assert_true(check_clip(rig, 1e-4) < 220);
	rig_release(rig);
}

/* Still numbers are multiples of at most a fifth of what moves the shell by the tolerance. */
static void a_still_turn_is_within_a_tenth_an_axis(void **state) {
	(void)state;
	for (unsigned seed = 1; seed < 20; seed++) {
		struct rig *rig = rig_random(seed, 1, 1, 1);
		struct transform *rest = &rig->joints[0].rest;
		struct clip *clip = rig_storage(rig, 1, sizeof *clip, "test", NULL);
		float *values = take_floats(rig, 4), *times = take_floats(rig, 1);
		struct transform turned = *rest;
		set_rotation(&turned, 0.6, 0, 0.8, 7 * seed);
		memcpy(values, turned.rotation, 4 * sizeof *values);
		rig->clips = clip;
		rig->clip_count = 1;
		*clip = (struct clip){.name = strdup("still"), .channel_count = 1};
		clip->channels = calloc(1, sizeof *clip->channels);
		clip->channels[0] = (struct channel){.path = CHANNEL_ROTATION,
			.interpolation = INTERPOLATION_LINEAR,
			.key_count = 1,
			.width = 4,
			.times = times,
			.values = values};
		const struct compress_options options = options_of(1e-4);
		struct compress_report report;
		struct buffer bytes = {0};
		struct error err = {0};
		const int first = 0;
		assert_true(compress_clips(rig, &first, 1, &options, NULL, &report, &bytes, &err));
		assert_true(report.error.max_m <= 0.1 * sqrt(3) * 1e-4);
		assert_true(report.bytes < 60);
		buffer_finish(&bytes);
		rig_release(rig);
	}
}

static void what_cannot_be_kept_is_refused(void **state) {
	(void)state;
	struct rig *rig = moving_rig(CURVED, 20);
	struct compress_options options = options_of(1e-7);
	struct compress_report report;
	struct buffer bytes = {0};
	struct error err = {0};
	const int first = 0;
	assert_false(compress_clips(rig, &first, 1, &options, NULL, &report, &bytes, &err));
	assert_int_equal(err.code, ERROR_INVALID_VALUE);
	assert_int_equal(bytes.size, 0);
	const char *said = strstr(err.text, "a tolerance of ");
	assert_non_null(said);
	check_codec(rig, 1.1 * strtod(said + strlen("a tolerance of "), NULL), codec_at(0), false);
	rig_release(rig);
}

static void the_same_clip_gives_the_same_bytes(void **state) {
	(void)state;
	struct rig *rig = moving_rig(SMOOTH, 40);
	struct compress_options options = options_of(1e-4);
	struct compress_report report[2];
	struct buffer bytes[2] = {{0}}, both = {0};
	struct error err = {0};
	const int clips[2] = {0, 0};
	for (int i = 0; i < 2; i++) {
		assert_true(compress_clips(rig, clips, 1, &options, NULL, report, &bytes[i], &err));
	}
	assert_int_equal(bytes[0].size, bytes[1].size);
	assert_memory_equal(bytes[0].data, bytes[1].data, bytes[0].size);
	/* The head of a second clip is told by the first one's. */
	assert_true(compress_clips(rig, clips, 2, &options, NULL, report, &both, &err));
	assert_true(report[1].bytes + 30 < report[0].bytes);
	struct opened opened;
	open_clip(rig, &both, 1, &opened);
	double known = 0, anywhere = 0;
	unsigned seed = 3;
	for (int i = 0; i < 50; i++) {
		measure_at(rig, &rig->clips[0], &opened, i / 49.0, &seed, &known, &anywhere);
	}
	assert_true(known <= 1.1e-4);
	free(opened.memory);
	buffer_finish(&both);
	buffer_finish(&bytes[0]);
	buffer_finish(&bytes[1]);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_shell_has_no_blind_line),
		cmocka_unit_test(columns_are_derivatives),
		cmocka_unit_test(smooth_motion_keeps_the_tolerance),
		cmocka_unit_test(steps_stay_steps),
		cmocka_unit_test(uneven_keys_stay_where_they_are),
		cmocka_unit_test(splines_are_sampled_often_enough),
		cmocka_unit_test(a_still_clip_is_its_head),
		cmocka_unit_test(a_still_turn_is_within_a_tenth_an_axis),
		cmocka_unit_test(what_cannot_be_kept_is_refused),
		cmocka_unit_test(the_same_clip_gives_the_same_bytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
