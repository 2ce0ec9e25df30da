// Tables of light against the integrals that they stand for, summed finely in another way.
#include "raster/tables.h"

#include <math.h>

#include "base/srgb.h"
#include "check.h"
#include "draw/sky.h"
#include "raster/functions.h"

static const double pi = 3.14159265358979323846;

static double half_value(uint16_t bits) {
	const int exponent = bits >> 10;
	const double mantissa = bits & 1023;
	return exponent ? ldexp(1024 + mantissa, exponent - 25) : ldexp(mantissa, -24);
}

static double step(double from, double to, double x) {
	const double t = fmin(fmax((x - from) / (to - from), 0), 1);
	return t * t * (3 - 2 * t);
}

static double dot(const double *a, const double *b) {
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void unit(double *a) {
	const double length = sqrt(dot(a, a));
	for (int k = 0; k < 3; k++) {
		a[k] /= length;
	}
}

/* One channel of the light from a direction, with boxes turned by angles of the C library. */
static double sky_light(const struct sky *sky, const double *d, int channel) {
	const double height = step(0, 1, fabs(d[1]));
	const double end = (double)(d[1] > 0 ? sky->zenith : sky->nadir)[channel];
	double sum = (double)sky->horizon[channel] * (1 - height) + end * height;
	for (int i = 0; i < sky->box_count; i++) {
		const struct soft_box *box = &sky->boxes[i];
		const double yaw = (double)box->yaw_deg * pi / 180,
			     pitch = (double)box->pitch_deg * pi / 180;
		const double ahead = d[0] * sin(yaw) + d[2] * cos(yaw);
		const double along = ahead * cos(pitch) + d[1] * sin(pitch);
		const double right = d[0] * cos(yaw) - d[2] * sin(yaw);
		const double up = d[1] * cos(pitch) - ahead * sin(pitch);
		if (along > 1e-3) {
			const double soft = (double)box->softness;
			const double w = (double)box->half_width, h = (double)box->half_height;
			sum += (double)box->radiance[channel] *
				(1 - step(w - soft, w + soft, fabs(right / along))) *
				(1 - step(h - soft, h + soft, fabs(up / along)));
		}
	}
	return sum;
}

static void texel_direction(int x, int y, double *out) {
	const double px = (x - 23.5) / 23, pz = (y - 23.5) / 23;
	const double height = 1 - fabs(px) - fabs(pz);
	out[0] = height < 0 ? (1 - fabs(pz)) * (px < 0 ? -1 : 1) : px;
	out[1] = height;
	out[2] = height < 0 ? (1 - fabs(px)) * (pz < 0 ? -1 : 1) : pz;
	unit(out);
}

/* Light mirrored by facets of a roughness, seen from straight above: an even grid over both numbers
 * that a half vector is drawn by. */
static double filtered(const struct sky *sky, const double *n, double roughness, int channel) {
	enum { ACROSS = 400, AROUND = 400 };
	const double square = roughness * roughness * roughness * roughness;
	double x[3] = {n[1], n[2], n[0]}, y[3], sum = 0, weight = 0;
	const double along = dot(x, n);
	for (int k = 0; k < 3; k++) {
		x[k] -= along * n[k];
	}
	unit(x);
	y[0] = n[1] * x[2] - n[2] * x[1];
	y[1] = n[2] * x[0] - n[0] * x[2];
	y[2] = n[0] * x[1] - n[1] * x[0];
	for (int i = 0; i < ACROSS * AROUND; i++) {
		const double u = (i % ACROSS + 0.5) / ACROSS,
			     turn = 2 * pi * (i / ACROSS + 0.5) / AROUND;
		const double cosine = sqrt((1 - u) / (1 + (square - 1) * u));
		const double sine = sqrt(1 - cosine * cosine), height = 2 * cosine * cosine - 1;
		double l[3];
		for (int k = 0; k < 3; k++) {
			l[k] = 2 * cosine * sine * (cos(turn) * x[k] + sin(turn) * y[k]) +
				height * n[k];
		}
		if (height > 0) {
			sum += height * sky_light(sky, l, channel);
			weight += height;
		}
	}
	return sum / weight;
}

static double roughness_of(int layer) {
	return (9 - sqrt(81 - 8.0 * layer)) / 4;
}

static void smooth_light_is_the_sky(void **state) {
	(void)state;
	for (int i = 0; i < ENVIRONMENT_NONE; i++) {
		for (int at = 0; at < 46 * 46; at++) {
			const int x = 1 + at % 46, y = 1 + at / 46;
			double d[3];
			texel_direction(x, y, d);
			for (int k = 0; k < 3; k++) {
				const double light = sky_light(&skies[i], d, k);
				assert_near(half_value(tables_light[i][0][y][x][k]), light,
					light / 1024);
			}
		}
	}
}

/* The table's sums have few samples, which small bright boxes need more of. */
static void rough_light_is_its_integral(void **state) {
	(void)state;
	static const int places[][3] = {{24, 24, 3}, {5, 30, 5}, {40, 9, 7}, {12, 12, 7}};
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		const int x = places[i][0], y = places[i][1], layer = places[i][2];
		double n[3];
		texel_direction(x, y, n);
		for (int k = 0; k < 3; k++) {
			const double roughness = roughness_of(layer);
			assert_near(half_value(tables_light[ENVIRONMENT_SOFT][layer][y][x][k]),
				filtered(&skies[ENVIRONMENT_SOFT], n, roughness, k), 0.005);
			assert_near(half_value(tables_light[ENVIRONMENT_STUDIO][layer][y][x][k]),
				filtered(&skies[ENVIRONMENT_STUDIO], n, roughness, k), 0.06);
			assert_near(half_value(tables_light[ENVIRONMENT_NEUTRAL][layer][y][x][k]),
				1, 0);
		}
	}
}

/* Light that an even surface gives back, within what nine harmonics cannot tell. */
static double given_back(const struct sky *sky, const double *n, int channel) {
	enum { HEIGHTS = 300, TURNS = 600 };
	double sum = 0;
	for (int i = 0; i < HEIGHTS * TURNS; i++) {
		const double y = (i / TURNS + 0.5) * 2 / HEIGHTS - 1,
			     turn = (i % TURNS + 0.5) * 2 * pi / TURNS;
		const double across = sqrt(1 - y * y);
		const double d[3] = {across * cos(turn), y, across * sin(turn)};
		sum += sky_light(sky, d, channel) * fmax(dot(d, n), 0);
	}
	return sum * 4 / (HEIGHTS * TURNS);
}

static void irradiance_is_its_integral(void **state) {
	(void)state;
	static const double normals[][3] = {
		{0, 1, 0}, {0, -1, 0}, {0.6, 0, 0.8}, {-0.6, 0.64, 0.48}};
	for (int sky = 0; sky < ENVIRONMENT_NONE; sky++) {
		for (size_t i = 0; i < sizeof normals / sizeof *normals; i++) {
			const double *n = normals[i], x = n[0], y = n[1], z = n[2];
			const double terms[] = {
				1, y, z, x, x * y, y * z, 3 * z * z - 1, x * z, x * x - y * y};
			double sum = 0;
			for (int k = 0; k < TABLES_HARMONICS; k++) {
				sum += (double)tables_irradiance[sky][k][1] * terms[k];
			}
			// Their errors are as large where little of the light arrives.
			const double mean = (double)tables_irradiance[sky][0][1];
			assert_near(sum, given_back(&skies[sky], n, 1), 0.04 * fmax(sum, mean));
		}
	}
}

static double masked(double square, double cosine) {
	return 2 * cosine / (cosine + sqrt(square + (1 - square) * cosine * cosine));
}

/* The share that facets reflect of light that is 1 all around, which the table has from 256
 * samples: by an even grid of directions of the light: from the front, and at grazing angles
 * besides. */
static void reflected(double eye, double alpha, double *front, double *edge) {
	enum { HEIGHTS = 1500, TURNS = 1500 };
	const double square = alpha * alpha, v[3] = {sqrt(1 - eye * eye), 0, eye};
	*front = *edge = 0;
	for (int i = 0; i < HEIGHTS * TURNS; i++) {
		const double z = (i / TURNS + 0.5) / HEIGHTS,
			     turn = (i % TURNS + 0.5) * 2 * pi / TURNS;
		const double across = sqrt(1 - z * z);
		double h[3] = {across * cos(turn) + v[0], across * sin(turn), z + v[2]};
		unit(h);
		const double bottom = h[2] * h[2] * (square - 1) + 1;
		const double facets = square / (pi * bottom * bottom);
		// Facets that light reaches and the eye sees, by their height.
		const double seen = 1 / (1 / masked(square, eye) + 1 / masked(square, z) - 1);
		const double share = facets * seen / (4 * eye) * 2 * pi / (HEIGHTS * TURNS);
		const double more = pow(1 - dot(h, v), 5);
		*front += share * (1 - more);
		*edge += share * more;
	}
}

static void reflection_is_its_integral(void **state) {
	(void)state;
	static const int places[][2] = {{31, 31}, {24, 20}, {16, 16}, {20, 28}};
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		const int x = places[i][0], y = places[i][1];
		double front, edge;
		reflected(x / 31.0 * (x / 31.0), y / 31.0 * (y / 31.0), &front, &edge);
		assert_near(half_value(tables_reflection[y][x][0]), front, 0.008);
		assert_near(half_value(tables_reflection[y][x][1]), edge, 0.006);
	}
}

static void linear_is_srgb(void **state) {
	(void)state;
	for (int i = 0; i < 256; i++) {
		assert_int_equal(tables_linear[i], (int)(srgb_to_linear(i / 255.0) * 65535 + 0.5));
	}
}

/* --- functions.h --- */

static double random_in(unsigned *seed, double low, double high) {
	*seed = *seed * 1664525U + 1013904223U;
	return low + (high - low) * (*seed >> 8) / 16777216.0;
}

static double first(lanes a) {
	return (double)a[0];
}

static lanes all(double x) {
	return (float)x + (lanes){0};
}

static void functions_keep_their_errors(void **state) {
	(void)state;
	unsigned seed = 3;
	for (int i = 0; i < 300000; i++) {
		const double x = (double)(float)random_in(&seed, 0.5, 2);
		const double exact = log2(x);
		assert_near(first(lanes_log2(all(x))), exact,
			2.4e-7 * fabs(exact) + 6e-8 * (x < 0.7072));
		const double wide = (double)(float)exp2(random_in(&seed, -120, 120));
		assert_near(first(lanes_log2(all(wide))), log2(wide), 4e-7 * fabs(log2(wide)));
		const double y = (double)(float)random_in(&seed, -126, 127);
		assert_near(first(lanes_exp2(all(y))) / exp2(y), 1, 2e-7);
		const double base = (double)(float)random_in(&seed, 1e-4, 1);
		const double by = (double)(float)random_in(&seed, 0, 9);
		const double power = pow(base, by);
		assert_near(first(lanes_power(all(base), all(by))) / power, 1,
			4e-7 * (1 + fabs(log2(power))));
		const double light = (double)(float)random_in(&seed, 0, 1);
		assert_near(first(lanes_encode(all(light))), srgb_from_linear(light), 1e-4);
	}
}

static void functions_take_what_is_out_of_range(void **state) {
	(void)state;
	assert_near(first(lanes_exp2(all(-1e30))), 0, 2e-38);
	assert_near(first(lanes_exp2(all(0))), 1, 0);
	assert_near(first(lanes_log2(all(1))), 0, 0);
	assert_near(first(lanes_clamp(all(NAN), 0, 1)), 0, 0);
	assert_int_equal(lanes_byte(all(NAN))[0], 0);
	assert_int_equal(lanes_byte(all(INFINITY))[0], 255);
	assert_int_equal(lanes_byte(all(1))[0], 255);
	for (int i = 0; i < 256; i++) {
		assert_int_equal(lanes_byte(all(i / 255.0))[0], i);
	}
	assert_near(first(lanes_floor(all(-1e-9))), -1, 0);
	assert_near(first(lanes_floor(all(-3))), -3, 0);
}

/* Those of a sky that has nothing else. */
static void the_key_is_the_first_box(void **state) {
	(void)state;
	struct sky alone = {.boxes = {skies[ENVIRONMENT_STUDIO].boxes[0]}, .box_count = 1};
	const double n[3] = {-0.6, 0.64, 0.48};
	const double terms[] = {1, n[1], n[2], n[0], n[0] * n[1], n[1] * n[2], 3 * n[2] * n[2] - 1,
		n[0] * n[2], n[0] * n[0] - n[1] * n[1]};
	double sum = 0, d[3];
	alone.boxes[0].radiance[0] = 1;
	for (int at = 0; at < 46 * 46; at++) {
		texel_direction(1 + at % 46, 1 + at / 46, d);
		const double share = half_value(tables_key[0][1 + at / 46][1 + at % 46]);
		assert_near(share, sky_light(&alone, d, 0), 1.0 / 1024);
	}
	texel_direction(5, 30, d);
	assert_near(
		half_value(tables_key[5][30][5]), filtered(&alone, d, roughness_of(5), 0), 0.02);
	for (int k = 0; k < TABLES_HARMONICS; k++) {
		sum += (double)tables_key_irradiance[k] * terms[k];
	}
	assert_near(sum, given_back(&alone, n, 0), 0.04 * sum);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(smooth_light_is_the_sky),
		cmocka_unit_test(rough_light_is_its_integral),
		cmocka_unit_test(irradiance_is_its_integral),
		cmocka_unit_test(the_key_is_the_first_box),
		cmocka_unit_test(reflection_is_its_integral),
		cmocka_unit_test(linear_is_srgb),
		cmocka_unit_test(functions_keep_their_errors),
		cmocka_unit_test(functions_take_what_is_out_of_range),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
