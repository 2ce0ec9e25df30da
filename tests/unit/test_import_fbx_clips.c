// Animation of FBX: files made here against the formulas of curves and layers.
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "check.h"
#include "fbx_builder.h"

#define ROOT 0
#define TICKS 46186158000.0

/* --- Curves --- */

struct key {
	double time_s, value;
	int64_t flags;
	uint32_t data[4];
};

#define CONSTANT 2
#define CONSTANT_NEXT (2 | 0x100)
#define LINEAR 4
#define CUBIC_USER (8 | 0x400)
#define CUBIC_TCB (8 | 0x200)
#define CUBIC_AUTO (8 | 0x100)
#define WEIGHTED (0x1000000 | 0x2000000)

static uint32_t bits_of(float x) {
	uint32_t bits;
	memcpy(&bits, &x, sizeof bits);
	return bits;
}

static void put_curve(
	struct fbx_builder *b, int64_t id, const struct key *keys, int count, char extrapolation) {
	int64_t times[16], flags[16], uses[16];
	double values[16];
	uint32_t data[64];
	for (int i = 0; i < count; i++) {
		times[i] = llround(keys[i].time_s * TICKS);
		values[i] = keys[i].value;
		flags[i] = keys[i].flags;
		uses[i] = 1;
		memcpy(&data[i * 4], keys[i].data, sizeof keys[i].data);
	}
	fbx_object(b, "AnimationCurve", id, "", "");
	fbx_put_integers(b, "KeyTime", times, (uint32_t)count);
	fbx_put_reals(b, "KeyValueFloat", values, (uint32_t)count);
	fbx_put_integers(b, "KeyAttrFlags", flags, (uint32_t)count);
	fbx_put_bits(b, "KeyAttrDataFloat", data, 4 * (uint32_t)count);
	fbx_put_integers(b, "KeyAttrRefCount", uses, (uint32_t)count);
	if (extrapolation) {
		fbx_open(b, "Post-Extrapolation");
		fbx_open(b, "Type");
		fbx_put_integer(b, extrapolation);
		fbx_close(b);
		fbx_open(b, "Repetition");
		fbx_put_integer(b, -1);
		fbx_close(b);
		fbx_close(b);
	}
	fbx_close(b);
}

/* A stack (10) with so many layers (20, 21...), up to a second. */
static void put_stack(struct fbx_builder *b, double end_s) {
	fbx_object(b, "AnimationStack", 10, "take", "");
	fbx_open(b, "Properties70");
	fbx_property(b, "LocalStart", (const double[1]){0}, 1);
	fbx_property(b, "LocalStop", (const double[1]){end_s * TICKS}, 1);
	fbx_close(b);
	fbx_close(b);
}

static void put_layer(struct fbx_builder *b, int64_t id, double mode, double weight) {
	fbx_object(b, "AnimationLayer", id, "layer", "");
	fbx_open(b, "Properties70");
	fbx_property(b, "BlendMode", &mode, 1);
	fbx_property(b, "Weight", &weight, 1);
	fbx_close(b);
	fbx_close(b);
	fbx_connect(b, id, 10, NULL);
}

/* Drives a property of an object by a curve for each of its numbers; constants where there is none.
 */
static void drive(struct fbx_builder *b, int64_t node, int64_t layer, int64_t object,
	const char *property, const double constants[3]) {
	static const char *const names[] = {"d|X", "d|Y", "d|Z"};
	fbx_object(b, "AnimationCurveNode", node, "", "");
	fbx_open(b, "Properties70");
	for (int i = 0; i < 3; i++) {
		fbx_property(b, names[i], &constants[i], 1);
	}
	fbx_close(b);
	fbx_close(b);
	fbx_connect(b, node, layer, NULL);
	fbx_connect(b, node, object, property);
}

/* A value of a clip's channel at a time, by linear and spherical interpolation. */
static void sample(const struct rig *rig, const char *joint, enum channel_path path, double time_s,
	double *out) {
	const struct clip *clip = &rig->clips[0];
	for (int i = 0; i < clip->channel_count; i++) {
		const struct channel *c = &clip->channels[i];
		if (c->path != path || strcmp(rig->joints[c->joint].name, joint) != 0) {
			continue;
		}
		int k = 0;
		while (k + 1 < c->key_count && (double)c->times[k + 1] <= time_s) {
			k++;
		}
		const int next = k + 1 < c->key_count ? k + 1 : k;
		const double span_s = (double)c->times[next] - (double)c->times[k];
		const double share = span_s > 0 ? (time_s - (double)c->times[k]) / span_s : 0;
		if (path == CHANNEL_ROTATION) {
			double a[4], b[4];
			for (int n = 0; n < 4; n++) {
				a[n] = (double)c->values[k * 4 + n];
				b[n] = (double)c->values[next * 4 + n];
			}
			quat_slerp(a, b, share, out);
			return;
		}
		for (int n = 0; n < c->width; n++) {
			const double a = (double)c->values[k * c->width + n];
			out[n] = a + ((double)c->values[next * c->width + n] - a) * share;
		}
		return;
	}
	fail_msg("no channel drives %s", joint);
}

/* One joint whose x goes along a curve. */
static struct rig *along_curve(
	const struct key *keys, int count, char extrapolation, double end_s) {
	struct fbx_builder b = fbx_begin_metres(FBX_BINARY_DEFLATED);
	fbx_model(&b, 1, "a", "Null", NULL);
	fbx_model(&b, 2, "far", "Null",
		(const struct fbx_property3[]){{"Lcl Translation", {0, 10, 0}}, {NULL, {0}}});
	put_stack(&b, end_s);
	put_layer(&b, 20, 0, 100);
	drive(&b, 30, 20, 1, "Lcl Translation", (const double[3]){0, 0, 0});
	put_curve(&b, 40, keys, count, extrapolation);
	fbx_connect(&b, 1, ROOT, NULL);
	fbx_connect(&b, 2, ROOT, NULL);
	fbx_connect(&b, 40, 30, "d|X");
	return fbx_build(&b);
}

static double x_at(const struct rig *rig, double time_s) {
	double value[3];
	sample(rig, "a", CHANNEL_TRANSLATION, time_s, value);
	return value[0];
}

/* Of the diagonal of about ten metres, 1e-5. */
#define CURVE_TOLERANCE 1e-4

static double hermite(double a, double b, double slope_a, double slope_b, double span_s, double u) {
	return (2 * u * u * u - 3 * u * u + 1) * a +
		(u * u * u - 2 * u * u + u) * slope_a * span_s + (3 * u * u - 2 * u * u * u) * b +
		(u * u * u - u * u) * slope_b * span_s;
}

static void cubic_spans_are_hermite_curves(void **state) {
	(void)state;
	const struct key keys[] = {
		{0, 1, CUBIC_USER, {bits_of(3), bits_of(-2), 0, 0}},
		{1.5, 4, CUBIC_USER, {bits_of(-2), 0, 0, 0}},
	};
	struct rig *rig = along_curve(keys, 2, 0, 1.5);
	assert_near(rig->clips[0].duration_s, 1.5, 1e-6);
	for (int i = 0; i <= 100; i++) {
		assert_near(x_at(rig, 1.5 * i / 100), hermite(1, 4, 3, -2, 1.5, i / 100.0),
			CURVE_TOLERANCE);
	}
	rig_release(rig);
}

static void weights_make_spans_bezier_curves_in_time(void **state) {
	(void)state;
	const uint32_t weights = 1000 | 7000 << 16; // 0.1 and 0.7 of the span
	const struct key keys[] = {
		{0, 0, CUBIC_USER | WEIGHTED, {bits_of(8), bits_of(0.5f), weights, 0}},
		{2, 3, CUBIC_USER, {0, 0, 0, 0}},
	};
	struct rig *rig = along_curve(keys, 2, 0, 2);
	for (int i = 0; i <= 100; i++) {
		const double t = i / 100.0, u = 1 - t;
		const double x = 3 * u * u * t * 0.1 + 3 * u * t * t * 0.3 + t * t * t;
		const double y =
			3 * u * u * t * (8 * 0.2) + 3 * u * t * t * (3 - 0.5 * 1.4) + t * t * t * 3;
		assert_near(x_at(rig, 2 * x), y, CURVE_TOLERANCE);
	}
	rig_release(rig);
}

static void tcb_slopes_are_kochanek_and_bartels(void **state) {
	(void)state;
	const double tension = 0.3, continuity = -0.4, bias = 0.2;
	const uint32_t data[4] = {bits_of(0.3f), bits_of(-0.4f), bits_of(0.2f), 0};
	struct key keys[] = {{0, 0, CUBIC_USER, {0}}, {1, 2, CUBIC_TCB, {0}}, {3, 1, LINEAR, {0}}};
	memcpy(keys[1].data, data, sizeof data);
	const double in = 2, out = -0.5, factor = (1 - tension) / 2;
	const double left =
		factor * ((1 + bias) * (1 - continuity) * in + (1 - bias) * (1 + continuity) * out);
	const double right =
		factor * ((1 + bias) * (1 + continuity) * in + (1 - bias) * (1 - continuity) * out);
	struct rig *rig = along_curve(keys, 3, 0, 3);
	for (int i = 0; i <= 20; i++) {
		const double u = i / 20.0;
		assert_near(x_at(rig, u), hermite(0, 2, 0, left, 1, u), CURVE_TOLERANCE);
		assert_near(x_at(rig, 1 + 2 * u), hermite(2, 1, right, 0, 2, u), CURVE_TOLERANCE);
	}
	rig_release(rig);
}

/* Time-independent: across both neighbours. */
static void automatic_slopes_go_across_neighbours(void **state) {
	(void)state;
	const struct key keys[] = {{0, 0, CUBIC_AUTO | 0x2000, {0}},
		{1, 3, CUBIC_AUTO | 0x2000, {0}}, {4, 2, CUBIC_AUTO | 0x2000, {0}}};
	struct rig *rig = along_curve(keys, 3, 0, 4);
	for (int i = 0; i <= 20; i++) {
		const double u = i / 20.0;
		assert_near(x_at(rig, u), hermite(0, 3, 3, 0.5, 1, u), CURVE_TOLERANCE);
		assert_near(
			x_at(rig, 1 + 3 * u), hermite(3, 2, 0.5, -1 / 3.0, 3, u), CURVE_TOLERANCE);
	}
	rig_release(rig);
}

static void constant_spans_are_steps(void **state) {
	(void)state;
	const struct key keys[] = {{0, 1, CONSTANT, {0}}, {1, 5, CONSTANT_NEXT, {0}},
		{2, -2, LINEAR, {0}}, {3, 2, LINEAR, {0}}};
	struct rig *rig = along_curve(keys, 4, 0, 3);
	const double expected[][2] = {{0, 1}, {0.5, 1}, {0.99999, 1}, {1.00001, -2}, {1.5, -2},
		{2, -2}, {2.25, -1}, {2.75, 1}, {3, 2}};
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
		assert_near(x_at(rig, expected[i][0]), expected[i][1], CURVE_TOLERANCE);
	}
	rig_release(rig);
}

static void curves_go_on_as_they_say(void **state) {
	(void)state;
	const struct key keys[] = {{0, 0, LINEAR, {0}}, {1, 2, LINEAR, {0}}};
	const struct {
		char mode;
		double values[4]; // at 1.25, 1.75, 2.25, 2.75
	} expected[] = {
		{0, {2, 2, 2, 2}},
		{'R', {0.5, 1.5, 0.5, 1.5}},
		{'M', {1.5, 0.5, 0.5, 1.5}},
		{'A', {2.5, 3.5, 4.5, 5.5}},
		{'K', {2.5, 3.5, 4.5, 5.5}},
	};
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
		struct rig *rig = along_curve(keys, 2, expected[i].mode, 3);
		for (int k = 0; k < 4; k++) {
			assert_near(
				x_at(rig, 1.25 + k * 0.5), expected[i].values[k], CURVE_TOLERANCE);
		}
		rig_release(rig);
	}
}

/* Two turns and a half between two keys, which no interpolation of two rotations would make. */
static void angles_turn_as_often_as_they_say(void **state) {
	(void)state;
	const struct key keys[] = {{0, 0, LINEAR, {0}}, {1, 900, LINEAR, {0}}};
	struct fbx_builder b = fbx_begin_metres(FBX_ASCII);
	fbx_model(&b, 1, "a", "Null", NULL);
	put_stack(&b, 1);
	put_layer(&b, 20, 0, 100);
	drive(&b, 30, 20, 1, "Lcl Rotation", (const double[3]){0, 0, 0});
	put_curve(&b, 40, keys, 2, 0);
	fbx_connect(&b, 1, ROOT, NULL);
	fbx_connect(&b, 40, 30, "d|Z");
	struct rig *rig = fbx_build(&b);
	for (int i = 0; i <= 50; i++) {
		const double half = 450 * M_PI / 180 * i / 50;
		double q[4];
		sample(rig, "a", CHANNEL_ROTATION, i / 50.0, q);
		const double along = q[2] * sin(half) + q[3] * cos(half);
		assert_near(fabs(along), 1, 1e-6);
	}
	rig_release(rig);
}

/* A turn about one axis; half of the angle. */
static void turn(int axis, double degrees, double q[static 4]) {
	double by[4] = {0};
	by[axis] = sin(degrees * M_PI / 360);
	by[3] = cos(degrees * M_PI / 360);
	quat_multiply(by, q, q);
}

/* Three angles that bend at a time, about a pivot: the file's formula at times that are no keys,
 * for what the clip's rotation does to a point a quarter of the diagonal away, and for its
 * translation.
 */
static void angles_that_bend_together_are_followed(void **state) {
	(void)state;
	const double far = 10, pivot[3] = {0.5, -1, 0.25}, duration_s = 1.5;
	const struct {
		double from, to;
		float slopes[2];
	} curves[3] = {{0, 70, {200, -120}}, {30, -50, {0, 300}}, {-20, 160, {-90, 0}}};
	struct fbx_builder b = fbx_begin_metres(FBX_BINARY_7400);
	fbx_model(&b, 1, "a", "Null",
		(const struct fbx_property3[]){
			{"RotationPivot", {pivot[0], pivot[1], pivot[2]}}, {NULL, {0}}});
	fbx_model(&b, 2, "far", "Null",
		(const struct fbx_property3[]){{"Lcl Translation", {0, far, 0}}, {NULL, {0}}});
	put_stack(&b, duration_s);
	put_layer(&b, 20, 0, 100);
	drive(&b, 30, 20, 1, "Lcl Rotation", (const double[3]){0, 0, 0});
	for (int i = 0; i < 3; i++) {
		const uint32_t first = bits_of(curves[i].slopes[0]);
		const uint32_t second = bits_of(curves[i].slopes[1]);
		const struct key keys[] = {{0, curves[i].from, CUBIC_USER, {first, second, 0, 0}},
			{duration_s, curves[i].to, CUBIC_USER, {second, 0, 0, 0}}};
		put_curve(&b, 40 + i, keys, 2, 0);
		fbx_connect(&b, 40 + i, 30, (const char *const[]){"d|X", "d|Y", "d|Z"}[i]);
	}
	fbx_connect(&b, 1, ROOT, NULL);
	fbx_connect(&b, 2, ROOT, NULL);
	struct rig *rig = fbx_build(&b);
	for (int i = 0; i <= 997; i++) {
		double q[4] = {0, 0, 0, 1}, made[4], translation[3], moved[3];
		for (int k = 0; k < 3; k++) {
			turn(k,
				hermite(curves[k].from, curves[k].to, (double)curves[k].slopes[0],
					(double)curves[k].slopes[1], duration_s, i / 997.0),
				q);
		}
		sample(rig, "a", CHANNEL_ROTATION, duration_s * i / 997, made);
		sample(rig, "a", CHANNEL_TRANSLATION, duration_s * i / 997, translation);
		const double sign = quat_dot(q, made) < 0 ? -1 : 1;
		double chord = 0;
		for (int k = 0; k < 4; k++) {
			chord += (q[k] - sign * made[k]) * (q[k] - sign * made[k]);
		}
		assert_near(2 * sqrt(chord) * far / 4, 0, 1e-5 * far);
		quat_rotate(q, pivot, moved);
		for (int k = 0; k < 3; k++) {
			assert_near(translation[k], pivot[k] - moved[k], 1e-5 * far);
		}
	}
	rig_release(rig);
}

/* --- Layers --- */

/* x of a joint that rests at 9: 1 in the lowest layer, 4 in one above it. */
static double layered(double mode, double weight) {
	const struct key low[] = {{0, 1, LINEAR, {0}}, {1, 1, LINEAR, {0}}};
	const struct key high[] = {{0, 4, LINEAR, {0}}, {1, 4, LINEAR, {0}}};
	struct fbx_builder b = fbx_begin_metres(FBX_BINARY_BIG_ENDIAN);
	fbx_model(&b, 1, "a", "Null",
		(const struct fbx_property3[]){{"Lcl Translation", {9, 0, 0}}, {NULL, {0}}});
	put_stack(&b, 1);
	put_layer(&b, 20, 0, 100);
	put_layer(&b, 21, mode, weight);
	for (int i = 0; i < 2; i++) {
		drive(&b, 30 + i, 20 + i, 1, "Lcl Translation", (const double[3]){0, 0, 0});
		put_curve(&b, 40 + i, i ? high : low, 2, 0);
		fbx_connect(&b, 40 + i, 30 + i, "d|X");
	}
	fbx_connect(&b, 1, ROOT, NULL);
	struct rig *rig = fbx_build(&b);
	const double x = x_at(rig, 0.5);
	rig_release(rig);
	return x;
}

static void layers_are_added_or_take_over(void **state) {
	(void)state;
	assert_near(layered(0, 100), 5, 1e-6);
	assert_near(layered(0, 25), 2, 1e-6);
	assert_near(layered(1, 50), 4, 1e-6);
	assert_near(layered(2, 100), 4, 1e-6);
	assert_near(layered(2, 50), 2.5, 1e-6);
}

/* --- Refusals --- */

static void curves_whose_lists_do_not_fit_together_are_refused(void **state) {
	(void)state;
	struct fbx_builder b = fbx_begin_metres(FBX_BINARY_7400);
	fbx_object(&b, "AnimationStack", 10, "take", "");
	fbx_close(&b);
	put_layer(&b, 20, 0, 100);
	fbx_model(&b, 1, "a", "Null", NULL);
	drive(&b, 30, 20, 1, "Lcl Translation", (const double[3]){0, 0, 0});
	fbx_object(&b, "AnimationCurve", 40, "", "");
	fbx_put_integers(&b, "KeyTime", (const int64_t[]){0, 1}, 2);
	fbx_put_reals(&b, "KeyValueFloat", (const double[]){0}, 1);
	fbx_close(&b);
	fbx_connect(&b, 40, 30, "d|X");
	fbx_expect_refusal(&b, ERROR_BROKEN_ASSET, "AnimationCurve 40: 2 times, 1 values");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cubic_spans_are_hermite_curves),
		cmocka_unit_test(weights_make_spans_bezier_curves_in_time),
		cmocka_unit_test(tcb_slopes_are_kochanek_and_bartels),
		cmocka_unit_test(automatic_slopes_go_across_neighbours),
		cmocka_unit_test(constant_spans_are_steps),
		cmocka_unit_test(curves_go_on_as_they_say),
		cmocka_unit_test(angles_turn_as_often_as_they_say),
		cmocka_unit_test(angles_that_bend_together_are_followed),
		cmocka_unit_test(layers_are_added_or_take_over),
		cmocka_unit_test(curves_whose_lists_do_not_fit_together_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
