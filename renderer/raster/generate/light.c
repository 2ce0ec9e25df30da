// Writes C source with the tables of raster/tables.h: light > light.c. Runs when posed is built.
// The sums are those of shaders/environment.comp, in doubles, and without the C library's
// functions, so that every machine makes the same tables. Sources: Karis. Real Shading in Unreal
// Engine 4. SIGGRAPH 2013; Ramamoorthi, Hanrahan. An Efficient Representation for Irradiance
// Environment Maps. SIGGRAPH 2001; Conty Estevez, Kulla. Production Friendly Microfacet Sheen BRDF.
// SIGGRAPH 2017; glTF 2.0, Appendix B (the facets).
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"
#include "base/vec.h"
#include "draw/sky.h"
#include "raster/tables.h"

#define SIZE TABLES_LIGHT_SIZE
#define DIRECTIONS 2048
#define TABLE_SAMPLES 256

static const double pi = 3.14159265358979323846;

static double clamped(double x, double low, double high) {
	return x < low ? low : x > high ? high : x;
}

/* Natural logarithm of x > 0, by the series of the area tangent; error below 1e-15. */
static double logarithm(double x) {
	int exponent;
	double mantissa = frexp(x, &exponent);
	if (mantissa < 0.70710678118654752) {
		mantissa *= 2;
		exponent--;
	}
	const double s = (mantissa - 1) / (mantissa + 1), square = s * s;
	double sum = 0;
	for (int n = 21; n >= 1; n -= 2) {
		sum = 1.0 / n + square * sum;
	}
	return exponent * 0.69314718055994530942 + 2 * s * sum;
}

/* x^y with x in (0, 1] and y >= 0. */
static double power(double x, double y) {
	return decay_exp(y * -logarithm(x));
}

static double grazing(double cosine) {
	const double x = clamped(1 - cosine, 0, 1);
	return x * x * x * x * x;
}

/* The place of the i-th of many numbers that are spread over [0, 1): its bits turned round. */
static double reversed(int i) {
	double sum = 0;
	for (int bit = 0; bit < 32; bit++) {
		sum += i >> bit & 1 ? ldexp(0.5, -bit) : 0;
	}
	return sum;
}

/* The i-th of count half vectors around +Z, as many as there are facets of such a surface. */
static void half_vector(int i, int count, double alpha, double out[static 3]) {
	const double u = (i + 0.5) / count;
	const double cosine = sqrt((1 - u) / (1 + (alpha * alpha - 1) * u));
	const double sine = sqrt(1 - cosine * cosine);
	double turn_sine, turn_cosine;
	angle_sine_cosine(reversed(i), &turn_sine, &turn_cosine);
	out[0] = sine * turn_cosine;
	out[1] = sine * turn_sine;
	out[2] = cosine;
}

/* Axes across a direction. */
static void axes_of(const double normal[static 3], double right[static 3], double up[static 3]) {
	const double beside[3] = {fabs(normal[1]) < 0.9 ? 0 : 1, fabs(normal[1]) < 0.9 ? 1 : 0, 0};
	vec3_cross(beside, normal, right);
	vec3_normalize(right);
	vec3_cross(normal, right, up);
}

/* Seen from straight above, light from where the facets mirror it, by its cosine; and the share of
 * the first box. */
static void filtered(const struct baked_sky *baked, const double normal[static 3], int layer,
	double out[static 4]) {
	/* Wider lobes need more samples. */
	static const int samples[TABLES_LIGHT_LAYERS] = {1, 16, 32, 48, 64, 64, 96, 128};
	const double roughness = (9 - sqrt(81 - 8.0 * layer)) / 4;
	double right[3], up[3], weight = 0;
	axes_of(normal, right, up);
	memset(out, 0, 4 * sizeof *out);
	for (int i = 0; i < samples[layer]; i++) {
		double h[3], d[3], seen[4];
		half_vector(i, samples[layer], roughness * roughness, h);
		const double x = 2 * h[2] * h[0], y = 2 * h[2] * h[1], z = 2 * h[2] * h[2] - 1;
		for (int k = 0; k < 3; k++) {
			d[k] = x * right[k] + y * up[k] + z * normal[k];
		}
		sky_radiance(baked, d, seen);
		for (int k = 0; k < 4 && z > 0; k++) {
			out[k] += z * seen[k];
		}
		weight += z > 0 ? z : 0;
	}
	for (int k = 0; k < 4; k++) {
		out[k] /= weight;
	}
}

static void fold(double p[static 2]) {
	const double x = (1 - fabs(p[1])) * (p[0] < 0 ? -1 : 1);
	p[1] = (1 - fabs(p[0])) * (p[1] < 0 ? -1 : 1);
	p[0] = x;
}

/* The direction of a texel. */
static void direction_of(int x, int y, double out[static 3]) {
	double p[2] = {
		(x + 0.5 - SIZE / 2) / (SIZE / 2 - 1), (y + 0.5 - SIZE / 2) / (SIZE / 2 - 1)};
	// Beyond an edge the square goes on at its other half.
	for (int k = 0; k < 2; k++) {
		if (fabs(p[k]) > 1) {
			p[k] = (p[k] < 0 ? -2 : 2) - p[k];
			p[1 - k] = -p[1 - k];
		}
	}
	out[1] = 1 - fabs(p[0]) - fabs(p[1]);
	if (out[1] < 0) {
		fold(p);
	}
	out[0] = p[0];
	out[2] = p[1];
	vec3_normalize(out);
}

/* The nearest number of 16 bits, the even one of two, for what is 0 or between 2^-14 and 65504. */
static unsigned half_of(double x) {
	int exponent;
	const double mantissa = frexp(x, &exponent);
	return x < 0x1p-14 ? (unsigned)rint(x * 0x1p24)
			   : ((unsigned)(exponent + 13) << 10) + (unsigned)rint(mantissa * 0x1p11);
}

/* Numbers of each texel, [first, first + count) of those of a direction. */
static void write_layer(const struct baked_sky *baked, int layer, int first, int count) {
	printf("\t\t{\n");
	for (int y = 0; y < SIZE; y++) {
		printf("\t\t\t{");
		for (int x = 0; x < SIZE; x++) {
			double d[3], seen[4];
			direction_of(x, y, d);
			if (layer == 0) {
				sky_radiance(baked, d, seen);
			} else {
				filtered(baked, d, layer, seen);
			}
			printf(count > 1 ? "{" : "");
			for (int k = first; k < first + count; k++) {
				printf("%u,", half_of(seen[k]));
			}
			printf(count > 1 ? "}," : "");
		}
		printf("},\n");
	}
	printf("\t\t},\n");
}

static double harmonic(int i, const double d[static 3]) {
	const double x = d[0], y = d[1], z = d[2];
	const double values[TABLES_HARMONICS] = {0.282095, 0.488603 * y, 0.488603 * z, 0.488603 * x,
		1.092548 * x * y, 1.092548 * y * z, 0.315392 * (3 * z * z - 1), 1.092548 * x * z,
		0.546274 * (x * x - y * y)};
	return values[i];
}

static void write_irradiance(const struct baked_sky *baked, int first, int count) {
	/* Each harmonic's own factor, times the share of its band that a surface gives back. */
	static const double factors[TABLES_HARMONICS] = {0.282095, 0.488603 * 2 / 3,
		0.488603 * 2 / 3, 0.488603 * 2 / 3, 1.092548 / 4, 1.092548 / 4, 0.315392 / 4,
		1.092548 / 4, 0.546274 / 4};
	double sums[TABLES_HARMONICS][4] = {{0}};
	for (int i = 0; i < DIRECTIONS; i++) {
		const double y = 1 - (i + 0.5) * 2 / DIRECTIONS, across = sqrt(1 - y * y);
		double sine, cosine, seen[4];
		angle_sine_cosine(i * 0.381966011250105, &sine, &cosine);
		const double d[3] = {across * cosine, y, across * sine};
		sky_radiance(baked, d, seen);
		for (int k = 0; k < TABLES_HARMONICS * 4; k++) {
			sums[k / 4][k % 4] += seen[k % 4] * harmonic(k / 4, d);
		}
	}
	printf(count > 1 ? "\t{\n" : "");
	for (int i = 0; i < TABLES_HARMONICS; i++) {
		const double factor = factors[i] * 4 * pi / DIRECTIONS;
		printf(count > 1 ? "\t\t{" : "");
		for (int k = first; k < first + count; k++) {
			printf("%aF,", (double)(float)(sums[i][k] * factor));
		}
		printf(count > 1 ? "},\n" : "\n");
	}
	printf(count > 1 ? "\t},\n" : "");
}

static double visibility(double square, double light, double eye) {
	const double towards_eye = light * sqrt(eye * eye * (1 - square) + square);
	const double towards_light = eye * sqrt(light * light * (1 - square) + square);
	return 0.5 / fmax(towards_eye + towards_light, 1e-7);
}

/* Of light from a direction, what a cloth of this roughness reflects by its fibres' distribution.
 */
static double sheen(int sample, double roughness, const double v[static 3]) {
	const double y = (sample + 0.5) / TABLE_SAMPLES, across = sqrt(1 - y * y);
	double sine, cosine;
	angle_sine_cosine(reversed(sample), &sine, &cosine);
	double h[3] = {across * cosine + v[0], across * sine, y + v[2]};
	vec3_normalize(h);
	const double inverse = 1 / fmax(roughness * roughness, 1e-3), eye = v[2];
	const double fibres =
		(2 + inverse) * power(fmax(1 - h[2] * h[2], 1e-4), inverse * 0.5) / (2 * pi);
	return fibres * pi / (2 * (y + eye - y * eye)) * y;
}

static void write_reflection(int x, int y) {
	const double place = (double)x / (TABLES_REFLECTION_SIZE - 1);
	const double roughness = (double)y / (TABLES_REFLECTION_SIZE - 1);
	const double eye = fmax(place * place, 1e-4), alpha = fmax(roughness * roughness, 1e-3);
	const double v[3] = {sqrt(1 - eye * eye), 0, eye};
	double sum[3] = {0};
	for (int i = 0; i < TABLE_SAMPLES; i++) {
		double h[3];
		half_vector(i, TABLE_SAMPLES, alpha, h);
		const double eye_half = vec3_dot(v, h), light = 2 * eye_half * h[2] - eye;
		if (light > 0 && eye_half > 0) {
			const double share =
				4 * light * eye_half / h[2] * visibility(alpha * alpha, light, eye);
			sum[0] += share * (1 - grazing(eye_half));
			sum[1] += share * grazing(eye_half);
		}
		sum[2] += sheen(i, roughness, v);
	}
	printf("{%u,%u,%u},", half_of(sum[0] / TABLE_SAMPLES), half_of(sum[1] / TABLE_SAMPLES),
		half_of(sum[2] / TABLE_SAMPLES));
}

static void write_reflections(void) {
	printf("const uint16_t "
	       "tables_reflection[TABLES_REFLECTION_SIZE][TABLES_REFLECTION_SIZE][3] = {\n");
	for (int y = 0; y < TABLES_REFLECTION_SIZE; y++) {
		printf("\t{");
		for (int x = 0; x < TABLES_REFLECTION_SIZE; x++) {
			write_reflection(x, y);
		}
		printf("},\n");
	}
	printf("};\n");
}

static void write_linear(void) {
	printf("const uint16_t tables_linear[256] = {\n");
	for (int i = 0; i < 256; i++) {
		const double x = i / 255.0;
		const double light = x <= 0.04045 ? x / 12.92 : power((x + 0.055) / 1.055, 2.4);
		printf("%d,%s", (int)(light * 65535 + 0.5), i % 16 == 15 ? "\n" : "");
	}
	printf("};\n");
}

static void write_key(const struct baked_sky *baked) {
	printf("const uint16_t tables_key[TABLES_LIGHT_LAYERS][TABLES_LIGHT_SIZE]"
	       "[TABLES_LIGHT_SIZE] = {\n");
	for (int layer = 0; layer < TABLES_LIGHT_LAYERS; layer++) {
		write_layer(baked, layer, 3, 1);
	}
	printf("};\nconst float tables_key_irradiance[TABLES_HARMONICS] = {\n");
	write_irradiance(baked, 3, 1);
	printf("};\n");
}

int main(void) {
	struct baked_sky baked[ENVIRONMENT_NONE];
	for (int i = 0; i < ENVIRONMENT_NONE; i++) {
		baked[i] = sky_bake(&skies[i]);
	}
	printf("// Generated by renderer/raster/generate/light.c.\n#include \"raster/tables.h\"\n");
	printf("const uint16_t tables_light[ENVIRONMENT_NONE][TABLES_LIGHT_LAYERS]"
	       "[TABLES_LIGHT_SIZE][TABLES_LIGHT_SIZE][3] = {\n");
	for (int i = 0; i < ENVIRONMENT_NONE; i++) {
		printf("\t{\n");
		for (int layer = 0; layer < TABLES_LIGHT_LAYERS; layer++) {
			write_layer(&baked[i], layer, 0, 3);
		}
		printf("\t},\n");
	}
	printf("};\nconst float tables_irradiance[ENVIRONMENT_NONE][TABLES_HARMONICS][3] = {\n");
	for (int i = 0; i < ENVIRONMENT_NONE; i++) {
		write_irradiance(&baked[i], 0, 3);
	}
	printf("};\n");
	write_key(&baked[ENVIRONMENT_STUDIO]);
	write_reflections();
	write_linear();
	return fflush(stdout) == 0 ? 0 : 1;
}
