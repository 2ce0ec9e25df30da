// FLIP (Andersson et al. 2020) for pictures of low dynamic range; numbers are the paper's.
#include "against/flip.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/srgb.h"

#define PI 3.14159265358979323846

/* Exponents and shares of colours' and features' differences. */
#define COLOR_EXPONENT 0.7
#define COLOR_KNEE 0.4        // of the greatest difference
#define COLOR_KNEE_VALUE 0.95 // what becomes of it
#define FEATURE_EXPONENT 0.5
#define FEATURE_WIDTH 0.082 // degrees

/* Sums of two Gaussians for the eye's sensitivity to light, red against green and blue against
 * yellow: a sqrt(pi / b) exp(-pi^2 d^2 / b). */
#define CHANNELS 3

static const struct {
	double a[2], b[2];
} sensitivities[CHANNELS] = {
	{{1, 0}, {0.0047, 1e-5}},
	{{1, 0}, {0.0053, 1e-5}},
	{{34.1, 13.5}, {0.04, 0.025}},
};

#define WIDEST 0.04 // of the b

/* Linear sRGB to XYZ, for the primaries and the white of ITU-R BT.709. */
static const double to_xyz[3][3] = {
	{10135552.0 / 24577794, 8788810.0 / 24577794, 4435075.0 / 24577794},
	{2613072.0 / 12288897, 8788810.0 / 12288897, 887015.0 / 12288897},
	{1425312.0 / 73733382, 8788810.0 / 73733382, 70074185.0 / 73733382},
};

/* --- Colours --- */

/* Work that is the same for all pixels. */
struct space {
	double white[3];       // XYZ
	double from_xyz[3][3]; // the inverse of to_xyz
	double linear[256];
	double most; // the difference of green and blue
};

static void multiply(const double m[3][3], const double v[static 3], double out[static 3]) {
	for (int i = 0; i < 3; i++) {
		out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
	}
}

static void invert(const double m[3][3], double out[3][3]) {
	double determinant = 0;
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < 3; k++) {
			const int a = (k + 1) % 3, b = (k + 2) % 3;
			const int c = (i + 1) % 3, d = (i + 2) % 3;
			out[i][k] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
		}
		determinant += m[0][i] * out[i][0];
	}
	for (int i = 0; i < 9; i++) {
		out[i / 3][i % 3] /= determinant;
	}
}

/* XYZ as shares of white to Y, Cx and Cz, which light adds up in. */
static void to_opponents(const double shares[static 3], double out[static 3]) {
	out[0] = 116 * shares[1] - 16;
	out[1] = 500 * (shares[0] - shares[1]);
	out[2] = 200 * (shares[1] - shares[2]);
}

static void from_opponents(const double opponents[static 3], double shares[static 3]) {
	shares[1] = (opponents[0] + 16) / 116;
	shares[0] = shares[1] + opponents[1] / 500;
	shares[2] = shares[1] - opponents[2] / 200;
}

static double lightness_curve(double share) {
	const double delta = 6.0 / 29;
	return share > delta * delta * delta ? cbrt(share) : share / (3 * delta * delta) + 4.0 / 29;
}

/* Linear sRGB to CIELAB, colours less colourful in the dark (Hunt's effect). */
static void to_lab(const struct space *space, const double linear[static 3], double lab[static 3]) {
	double xyz[3], curve[3];
	multiply(to_xyz, linear, xyz);
	for (int i = 0; i < 3; i++) {
		curve[i] = lightness_curve(xyz[i] / space->white[i]);
	}
	lab[0] = 116 * curve[1] - 16;
	lab[1] = 500 * (curve[0] - curve[1]) * 0.01 * lab[0];
	lab[2] = 200 * (curve[1] - curve[2]) * 0.01 * lab[0];
}

static double lab_distance(const double a[static 3], const double b[static 3]) {
	return fabs(a[0] - b[0]) + hypot(a[1] - b[1], a[2] - b[2]);
}

static void begin_space(struct space *space) {
	static const double ones[3] = {1, 1, 1}, green[3] = {0, 1, 0}, blue[3] = {0, 0, 1};
	double a[3], b[3];
	multiply(to_xyz, ones, space->white);
	invert(to_xyz, space->from_xyz);
	for (int i = 0; i < 256; i++) {
		space->linear[i] = srgb_to_linear(i / 255.0);
	}
	to_lab(space, green, a);
	to_lab(space, blue, b);
	space->most = pow(lab_distance(a, b), COLOR_EXPONENT);
}

/* --- Filters --- */

/* Weights of 2 radius + 1 pixels. */
#define RADIUS_MAX 64

struct filter {
	int radius;
	double weights[2 * RADIUS_MAX + 1];
};

/* An image of one number a pixel. */
struct plane {
	int width, height;
	double *values; // [height][width]
};

static int clamp(int at, int count) {
	return at < 0 ? 0 : at < count ? at : count - 1;
}

/* Filters rows, or columns. */
static void filter_plane(
	const struct plane *from, const struct filter *filter, bool columns, double *to) {
	for (int y = 0; y < from->height; y++) {
		for (int x = 0; x < from->width; x++) {
			double sum = 0;
			for (int i = -filter->radius; i <= filter->radius; i++) {
				const int u = columns ? x : clamp(x + i, from->width);
				const int v = columns ? clamp(y + i, from->height) : y;
				sum += filter->weights[i + filter->radius] *
					from->values[v * from->width + u];
			}
			to[y * from->width + x] = sum;
		}
	}
}

/* Filters rows by one filter and columns by another; room is as large as the plane. */
static void filter_both(const struct plane *from, const struct filter *rows,
	const struct filter *columns, double *room, double *to) {
	filter_plane(from, rows, false, room);
	const struct plane between = {from->width, from->height, room};
	filter_plane(&between, columns, true, to);
}

static int radius_of(double radius) {
	return (int)fmin(ceil(radius), RADIUS_MAX);
}

/* Adds what the eye makes of a channel: it does not tell fine detail. */
static void blur(const struct plane *from, int channel, double pixels_per_degree, double *room,
	double *term, double *to) {
	double amplitudes[2], sums[2], whole = 0;
	struct filter filters[2];
	for (int i = 0; i < 2; i++) {
		const double b = sensitivities[channel].b[i];
		filters[i].radius = radius_of(3 * sqrt(WIDEST / (2 * PI * PI)) * pixels_per_degree);
		amplitudes[i] = sensitivities[channel].a[i] * sqrt(PI / b);
		sums[i] = 0;
		for (int k = -filters[i].radius; k <= filters[i].radius; k++) {
			const double degrees = k / pixels_per_degree;
			const double weight = exp(-PI * PI * degrees * degrees / b);
			filters[i].weights[k + filters[i].radius] = weight;
			sums[i] += weight;
		}
		whole += amplitudes[i] * sums[i] * sums[i];
	}
	const size_t count = (size_t)from->width * (size_t)from->height;
	memset(to, 0, count * sizeof *to);
	for (int i = 0; i < 2 && sensitivities[channel].a[i] > 0; i++) {
		filter_both(from, &filters[i], &filters[i], room, term);
		for (size_t p = 0; p < count; p++) {
			to[p] += term[p] * amplitudes[i] / whole;
		}
	}
}

/* A Gaussian, and its first and second derivative, the positive weights of which have the sum 1 and
 * the negative ones -1. */
static void make_feature_filters(double pixels_per_degree, struct filter filters[static 3]) {
	const double deviation = 0.5 * FEATURE_WIDTH * pixels_per_degree;
	const int radius = radius_of(3 * deviation);
	double sums[3][2] = {{0}};
	for (int k = -radius; k <= radius; k++) {
		const double square = k * k / (deviation * deviation);
		const double gauss = exp(-square / 2);
		const double weights[3] = {gauss, -k * gauss, (square - 1) * gauss};
		for (int i = 0; i < 3; i++) {
			filters[i].radius = radius;
			filters[i].weights[k + radius] = weights[i];
			sums[i][weights[i] < 0] += fabs(weights[i]);
		}
	}
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k <= 2 * radius; k++) {
			filters[i].weights[k] /= sums[i][filters[i].weights[k] < 0];
		}
	}
}

/* --- Both pictures --- */

/* One picture on its way. Planes are [height][width]. */
struct view {
	struct plane channels[CHANNELS]; // Y, Cx, Cz
	double *blurred[CHANNELS];
	double *edges, *points; // strengths of features
};

struct work {
	struct space space;
	int width, height;
	double pixels_per_degree;
	struct arena *arena;
	double *room, *term;
	struct view views[2];
};

static double *make_plane(const struct work *work) {
	return arena_alloc(work->arena, (size_t)work->width * (size_t)work->height, sizeof(double));
}

static void read_picture(struct work *work, const struct flip_picture *picture, struct view *view) {
	for (int c = 0; c < CHANNELS; c++) {
		view->channels[c] = (struct plane){work->width, work->height, make_plane(work)};
	}
	for (int y = 0; y < work->height; y++) {
		for (int x = 0; x < work->width; x++) {
			const unsigned char *pixel =
				&picture->rgba[(size_t)y * picture->stride + 4 * (size_t)x];
			double linear[3], xyz[3], opponents[3];
			for (int c = 0; c < 3; c++) {
				linear[c] = work->space.linear[pixel[c]];
			}
			multiply(to_xyz, linear, xyz);
			for (int c = 0; c < 3; c++) {
				xyz[c] /= work->space.white[c];
			}
			to_opponents(xyz, opponents);
			for (int c = 0; c < CHANNELS; c++) {
				view->channels[c].values[y * work->width + x] = opponents[c];
			}
		}
	}
}

/* The length of the gradient that a filter and its Gaussian find. */
static double *find_strengths(const struct work *work, const struct plane *light,
	const struct filter *gauss, const struct filter *derivative) {
	double *across = make_plane(work), *down = make_plane(work);
	const size_t count = (size_t)work->width * (size_t)work->height;
	filter_both(light, derivative, gauss, work->room, across);
	filter_both(light, gauss, derivative, work->room, down);
	for (size_t p = 0; p < count; p++) {
		across[p] = hypot(across[p], down[p]);
	}
	return across;
}

static void look(struct work *work, struct view *view) {
	const size_t count = (size_t)work->width * (size_t)work->height;
	struct filter filters[3];
	for (int c = 0; c < CHANNELS; c++) {
		view->blurred[c] = make_plane(work);
		blur(&view->channels[c], c, work->pixels_per_degree, work->room, work->term,
			view->blurred[c]);
	}
	double *light = view->channels[0].values;
	for (size_t p = 0; p < count; p++) {
		light[p] = (light[p] + 16) / 116;
	}
	make_feature_filters(work->pixels_per_degree, filters);
	view->edges = find_strengths(work, &view->channels[0], &filters[0], &filters[1]);
	view->points = find_strengths(work, &view->channels[0], &filters[0], &filters[2]);
}

/* A pixel as it is seen, in CIELAB. */
static void seen_lab(
	const struct work *work, const struct view *view, size_t pixel, double lab[static 3]) {
	const double opponents[3] = {
		view->blurred[0][pixel], view->blurred[1][pixel], view->blurred[2][pixel]};
	double xyz[3], linear[3];
	from_opponents(opponents, xyz);
	for (int i = 0; i < 3; i++) {
		xyz[i] *= work->space.white[i];
	}
	multiply(work->space.from_xyz, xyz, linear);
	for (int i = 0; i < 3; i++) {
		linear[i] = fmin(fmax(linear[i], 0), 1);
	}
	to_lab(&work->space, linear, lab);
}

static double color_difference(const struct work *work, size_t pixel) {
	double a[3], b[3];
	seen_lab(work, &work->views[0], pixel, a);
	seen_lab(work, &work->views[1], pixel, b);
	const double difference = pow(lab_distance(a, b), COLOR_EXPONENT);
	const double knee = COLOR_KNEE * work->space.most;
	return difference < knee ? COLOR_KNEE_VALUE / knee * difference
				 : COLOR_KNEE_VALUE +
			(difference - knee) / (work->space.most - knee) * (1 - COLOR_KNEE_VALUE);
}

static double feature_difference(const struct work *work, size_t pixel) {
	const struct view *a = &work->views[0], *b = &work->views[1];
	const double difference = fmax(
		fabs(a->edges[pixel] - b->edges[pixel]), fabs(a->points[pixel] - b->points[pixel]));
	return pow(difference / sqrt(2), FEATURE_EXPONENT);
}

void flip_compare(const struct flip_picture *reference, const struct flip_picture *test, int width,
	int height, double pixels_per_degree, double *map) {
	struct work work = {
		.width = width,
		.height = height,
		.pixels_per_degree = pixels_per_degree,
		.arena = arena_create(),
	};
	const struct flip_picture *const pictures[2] = {reference, test};
	begin_space(&work.space);
	work.room = make_plane(&work);
	work.term = make_plane(&work);
	for (int i = 0; i < 2; i++) {
		read_picture(&work, pictures[i], &work.views[i]);
		look(&work, &work.views[i]);
	}
	for (size_t p = 0; p < (size_t)width * (size_t)height; p++) {
		map[p] = pow(color_difference(&work, p), 1 - feature_difference(&work, p));
	}
	arena_destroy(work.arena);
}
