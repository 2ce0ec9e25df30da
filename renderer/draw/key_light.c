// The key light of a picture, which casts shadows.
#include "draw/key_light.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "draw/sky.h"

static const double pi = 3.14159265358979323846;

/* A light of the file counts as wide as the sun: the tangent of half its angle. */
#define SUN_TANGENT 0.00465

/* Texels around the box on a map that stay empty, at each side: what lies outside is lit. */
#define MAP_EDGE 2

/* Texels that receivers are lifted by. Half the diagonal of a texel is the farthest that a place
 * can be from where the depth of a plane was measured. */
#define LIFT_TEXELS 0.75

/* The extents of a flat figure, as a share of its size: a map of it has no area otherwise. */
#define LEAST_EXTENT 1e-3

/* The tangent of the widest angle that a map of a spot light sees. */
#define WIDEST_TANGENT 6.0

/* Sizes of the figure that its shadow on the ground reaches, at most. */
#define SHADOW_REACH 4

/* The share of a square at whose edge a shadow that reaches farther fades out. */
#define SQUARE_EDGE 1.15

/* --- Points that fill a square evenly --- */

/* Source: Hammersley. Monte Carlo Methods for Solving Multivariable Problems. 1960. */
static void point_of(int i, double out[static 2]) {
	double reversed = 0, digit = 0.5;
	for (int rest = i; rest > 0; rest >>= 1, digit /= 2) {
		reversed += rest & 1 ? digit : 0;
	}
	out[0] = (i + 0.5) / KEY_MAPS;
	out[1] = reversed + 0.5 / KEY_MAPS;
}

/* --- The soft box --- */

/* The integral of a box's profile from its middle: 1 up to size - soft, then falling as smoothstep
 * does until size + soft. In all it is the size. */
static double profile_sum(double place, double size, double soft) {
	const double flat = size - soft;
	if (place <= flat) {
		return place;
	}
	const double t = fmin((place - flat) / (2 * soft), 1);
	return flat + 2 * soft * (t - t * t * t + t * t * t * t / 2);
}

/* The place on a box, [-size - soft, size + soft], that a share of its light is below. */
static double profile_place(double share, double size, double soft) {
	const double wanted = fabs(2 * share - 1) * size;
	double low = 0, high = size + soft;
	for (int i = 0; i < 40; i++) {
		const double middle = (low + high) / 2;
		if (profile_sum(middle, size, soft) < wanted) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return share < 0.5 ? -low : low;
}

/* --- The choice of a key --- */

/* A key on its way. Directions and places are in the axes of the light. */
struct finding {
	const struct shaded_look *look;
	const struct key_subject *subject;
	double origin[3];     // that to_origin counts from
	double corners[8][3]; // of the box
	double middle[3];     // of the box
	double extent;        // of the box at least
	double turn[9];       // column-major: from the world's axes
	struct key_light *out;
};

static double luminance(const float color[static 3]) {
	return 0.2126 * (double)color[0] + 0.7152 * (double)color[1] + 0.0722 * (double)color[2];
}

static void turned(const double turn[static 9], const double v[static 3], double out[static 3]) {
	for (int row = 0; row < 3; row++) {
		out[row] = turn[row] * v[0] + turn[3 + row] * v[1] + turn[6 + row] * v[2];
	}
}

static void turned_back(
	const double turn[static 9], const double v[static 3], double out[static 3]) {
	for (int row = 0; row < 3; row++) {
		const double *column = turn + (size_t)row * 3;
		out[row] = column[0] * v[0] + column[1] * v[1] + column[2] * v[2];
	}
}

static struct finding begin(const struct shaded_look *look, const float eye[static 4],
	const struct key_subject *subject, struct key_light *out) {
	struct finding f = {.look = look, .subject = subject, .out = out};
	double eye_place[3], middle[3];
	for (int k = 0; k < 9; k++) {
		f.turn[k] = (double)look->turn[k];
	}
	for (int k = 0; k < 3; k++) {
		eye_place[k] = (double)eye[k] * (double)eye[3];
		middle[k] = ((double)subject->box.min[k] + (double)subject->box.max[k]) / 2;
	}
	turned(f.turn, eye_place, f.origin);
	turned(f.turn, middle, f.middle);
	for (int i = 0; i < 8; i++) {
		double corner[3];
		for (int k = 0; k < 3; k++) {
			corner[k] = (double)(i >> k & 1 ? subject->box.max : subject->box.min)[k];
		}
		turned(f.turn, corner, f.corners[i]);
	}
	f.extent = LEAST_EXTENT * subject->size;
	return f;
}

static bool is_spot(const struct shaded_light *light) {
	return light->place[3] != 0 && light->direction[3] != 0;
}

static bool is_directional(const struct shaded_light *light) {
	return light->place[3] == 0;
}

/* The place of a light that has one, in the axes of the light. */
static void place_of(
	const struct finding *f, const struct shaded_light *light, double out[static 3]) {
	for (int k = 0; k < 3; k++) {
		out[k] = (double)light->place[k] + f->origin[k];
	}
}

/* The luminance that a light gives what faces it at a place: arriving() of
 * shaders/include/shaded.glsl, reflected by white. The direction to it is unit. */
static double light_at(const struct finding *f, const struct shaded_light *light,
	const double at[static 3], double direction[static 3]) {
	double along = 0, square = 1;
	place_of(f, light, direction);
	if (is_directional(light)) {
		for (int k = 0; k < 3; k++) {
			direction[k] = (double)light->place[k];
		}
	} else {
		vec3_sub(direction, at, direction);
		square = fmax(vec3_dot(direction, direction), 1e-12);
	}
	vec3_normalize(direction);
	for (int k = 0; k < 3; k++) {
		along -= direction[k] * (double)light->direction[k];
	}
	const double cone =
		fmin(fmax(along * (double)light->direction[3] + (double)light->color[3], 0), 1);
	const double window = fmax(1 - square * square * (double)light->range[0], 0);
	return luminance(light->color) / pi * cone * cone *
		(is_directional(light) ? 1 : window / square);
}

static const struct soft_box *key_box(const struct shaded_look *look) {
	const bool has =
		look->environment < ENVIRONMENT_NONE && skies[look->environment].box_count > 0;
	return has ? &skies[look->environment].boxes[0] : NULL;
}

/* The index of the brightest light, and what it gives; -1 = there is none. */
static int brightest_light(const struct finding *f, double *most) {
	int found = -1;
	*most = 0;
	for (int i = 0; i < f->look->light_count; i++) {
		const struct shaded_light *light = &f->look->lights[i];
		double direction[3];
		const double one = is_spot(light) || is_directional(light)
			? light_at(f, light, f->middle, direction)
			: 0;
		if (one > *most) {
			*most = one;
			found = i;
		}
	}
	return found;
}

/* --- Maps --- */

/* Rows to a map in the axes of the light: across, up, depth, w. */
typedef double map_rows[4][4];

static double row_at(const double row[static 4], const double p[static 3]) {
	return vec3_dot(row, p) + row[3];
}

static void set_row(double row[static 4], const double axis[static 3], double scale, double term) {
	for (int k = 0; k < 3; k++) {
		row[k] = axis[k] * scale;
	}
	row[3] = term;
}

static void axes_of(const double along[static 3], double right[static 3], double up[static 3]) {
	const double beside[3] = {fabs(along[1]) < 0.9 ? 0 : 1, fabs(along[1]) < 0.9 ? 1 : 0, 0};
	vec3_cross(beside, along, right);
	vec3_normalize(right);
	vec3_cross(along, right, up);
}

/* An interval of numbers. */
struct span {
	double least, most;
};

static void span_add(struct span *span, double x) {
	span->least = fmin(span->least, x);
	span->most = fmax(span->most, x);
}

static const struct span no_span = {INFINITY, -INFINITY};

/* Widens a span that has no length. */
static struct span span_of_length(struct span span, double least) {
	const double missing = fmax(least - (span.most - span.least), 0) / 2;
	return (struct span){span.least - missing, span.most + missing};
}

/* The share of a map's side that holds the box. */
static double used_share(const struct key_light *key) {
	return 1 - 2.0 * MAP_EDGE / key->side;
}

/* Scales a span to a map, shifted by a part of a texel so that the edges of all maps lie
 * differently. */
static void fit(
	const struct finding *f, struct span span, double jitter, double *scale, double *term) {
	const struct key_light *key = f->out;
	*scale = used_share(key) / (span.most - span.least);
	*term = 0.5 - *scale * (span.least + span.most) / 2 + (jitter - 0.5) / key->side;
}

static void write_map(struct finding *f, int i, const map_rows rows) {
	struct key_light *key = f->out;
	struct key_map *map = &key->block.maps[i];
	float *const to[4] = {map->across, map->up, map->depth, map->w};
	double clip[4][4];
	for (int row = 0; row < 4; row++) {
		for (int k = 0; k < 3; k++) {
			to[row][k] = (float)-rows[row][k];
		}
		to[row][3] = (float)row_at(rows[row], f->origin);
		// The axes of the light are turned, and do not move.
		turned_back(f->turn, rows[row], clip[row]);
		clip[row][3] = rows[row][3];
	}
	for (int k = 0; k < 4; k++) {
		for (int row = 0; row < 4; row++) {
			const double at = row < 3 ? 2 * clip[row][k] - clip[3][k] : clip[3][k];
			key->view_projections[i][k * 4 + row] = (float)at;
		}
	}
}

/* Has receivers be lifted by so much, if no map asks for more. */
static void lift(struct finding *f, int which, double length) {
	float *numbers = f->out->block.numbers;
	numbers[which] = fmaxf(numbers[which], (float)(LIFT_TEXELS * length));
}

/* The map of parallel light from a unit direction. */
static void make_parallel(struct finding *f, int i, const double to_light[static 3]) {
	double axes[3][3], point[2], scale, term;
	struct span spans[3] = {no_span, no_span, no_span};
	map_rows rows = {{0}};
	point_of(i, point);
	axes_of(to_light, axes[0], axes[1]);
	memcpy(axes[2], to_light, sizeof axes[2]);
	for (int axis = 0; axis < 3; axis++) {
		for (int corner = 0; corner < 8; corner++) {
			span_add(&spans[axis], vec3_dot(axes[axis], f->corners[corner]));
		}
		spans[axis] = span_of_length(spans[axis], f->extent);
	}
	for (int axis = 0; axis < 2; axis++) {
		fit(f, spans[axis], point[1 - axis], &scale, &term);
		set_row(rows[axis], axes[axis], scale, term);
		lift(f, 0, 1 / (scale * f->out->side));
	}
	const double depth = spans[2].most - spans[2].least;
	set_row(rows[2], to_light, -1 / depth, spans[2].most / depth);
	rows[3][3] = 1;
	write_map(f, i, rows);
}

/* The spans of the box as a light sees it, in tangents and in distances along the axis. */
static void see_corners(const struct finding *f, const double place[static 3],
	const double axes[static 3][3], double widest, struct span spans[static 3]) {
	bool ahead = true;
	for (int k = 0; k < 3; k++) {
		spans[k] = no_span;
	}
	for (int corner = 0; corner < 8; corner++) {
		double way[3];
		vec3_sub(f->corners[corner], place, way);
		const double distance = -vec3_dot(axes[2], way);
		ahead &= distance > f->extent;
		for (int axis = 0; axis < 2; axis++) {
			span_add(&spans[axis],
				vec3_dot(axes[axis], way) / fmax(distance, f->extent));
		}
		span_add(&spans[2], distance);
	}
	for (int axis = 0; axis < 2; axis++) {
		spans[axis].least = ahead ? fmax(spans[axis].least, -widest) : -widest;
		spans[axis].most = ahead ? fmin(spans[axis].most, widest) : widest;
		spans[axis] = span_of_length(spans[axis], LEAST_EXTENT);
	}
	spans[2].least = fmax(spans[2].least, f->extent);
	spans[2].most = fmax(spans[2].most, 2 * spans[2].least);
}

/* The map of a light at a place. */
static void make_perspective(struct finding *f, int i, const double place[static 3],
	const double to_light[static 3], double widest) {
	double axes[3][3], point[2], scale, term;
	struct span spans[3];
	map_rows rows = {{0}};
	point_of(i, point);
	axes_of(to_light, axes[0], axes[1]);
	memcpy(axes[2], to_light, sizeof axes[2]);
	see_corners(f, place, axes, widest, spans);
	set_row(rows[3], to_light, -1, vec3_dot(to_light, place));
	for (int axis = 0; axis < 2; axis++) {
		fit(f, spans[axis], point[1 - axis], &scale, &term);
		set_row(rows[axis], axes[axis], scale, -scale * vec3_dot(axes[axis], place));
		for (int k = 0; k < 4; k++) {
			rows[axis][k] += term * rows[3][k];
		}
		lift(f, 1, 1 / (scale * f->out->side));
	}
	const double near = spans[2].least, far = spans[2].most;
	for (int k = 0; k < 4; k++) {
		rows[2][k] = (rows[3][k] - (k == 3 ? near : 0)) * far / (far - near);
	}
	write_map(f, i, rows);
}

static void set_direction(
	struct finding *f, int i, const double direction[static 3], double share) {
	float *to = f->out->block.maps[i].direction;
	for (int k = 0; k < 3; k++) {
		to[k] = (float)direction[k];
	}
	to[3] = (float)share;
}

/* --- The two kinds --- */

static double box_weight(const double place[static 2]) {
	const double square = 1 + place[0] * place[0] + place[1] * place[1];
	return 1 / (square * sqrt(square));
}

static void box_place(const struct soft_box *box, int i, double out[static 2]) {
	double point[2];
	point_of(i, point);
	out[0] = profile_place(point[0], (double)box->half_width, (double)box->softness);
	out[1] = profile_place(point[1], (double)box->half_height, (double)box->softness);
}

/* The irradiance that a box of radiance 1 gives what faces all of it, reflected by white. */
static double box_irradiance(const struct soft_box *box) {
	double sum = 0, place[2];
	for (int i = 0; i < KEY_MAPS; i++) {
		box_place(box, i, place);
		sum += box_weight(place);
	}
	return 4 * (double)box->half_width * (double)box->half_height * sum / KEY_MAPS / pi;
}

/* Cuts a box into small lights. They are dense where its profile is high, so that each counts by
 * the solid angle alone. */
static void make_box(struct finding *f, const struct soft_box *box) {
	float rows[16];
	double place[2], sum = 0;
	soft_box_rows(box, rows);
	for (int i = 0; i < KEY_MAPS; i++) {
		box_place(box, i, place);
		sum += box_weight(place);
	}
	for (int i = 0; i < KEY_MAPS; i++) {
		double direction[3];
		box_place(box, i, place);
		for (int k = 0; k < 3; k++) {
			direction[k] = (double)rows[k] + place[0] * (double)rows[4 + k] +
				place[1] * (double)rows[8 + k];
		}
		vec3_normalize(direction);
		set_direction(f, i, direction, box_weight(place) / sum);
		make_parallel(f, i, direction);
	}
}

/* A place on a square as large as the sun's disc. */
static void disc_place(int i, double out[static 2]) {
	double point[2];
	const double half = SUN_TANGENT * sqrt(pi) / 2;
	point_of(i, point);
	for (int k = 0; k < 2; k++) {
		out[k] = (2 * point[k] - 1) * half;
	}
}

/* The tangent of twice the angle of a cosine, which the middle of the box and what is seen beside
 * it can be apart, at most WIDEST_TANGENT. */
static double tangent_of_twice(double cosine) {
	const double square = cosine * cosine, twice = 2 * square - 1;
	const double sine = 2 * fmax(cosine, 0) * sqrt(fmax(1 - square, 0));
	return cosine > 0 && twice * WIDEST_TANGENT > sine ? fmax(sine / twice, LEAST_EXTENT)
							   : WIDEST_TANGENT;
}

static void make_light(struct finding *f, const struct shaded_light *light) {
	double to_light[3], right[3], up[3], place[3], way[3];
	light_at(f, light, f->middle, to_light);
	axes_of(to_light, right, up);
	place_of(f, light, place);
	vec3_sub(place, f->middle, way);
	const double distance = is_directional(light) ? 1 : sqrt(vec3_dot(way, way));
	// The cone's term is the cosine of its outer angle, times the factor, less than 0.
	const double outer =
		is_spot(light) ? -(double)light->color[3] / (double)light->direction[3] : 1;
	const double widest = tangent_of_twice(outer);
	for (int i = 0; i < KEY_MAPS; i++) {
		double on_disc[2], from[3], direction[3];
		disc_place(i, on_disc);
		for (int k = 0; k < 3; k++) {
			const double aside = on_disc[0] * right[k] + on_disc[1] * up[k];
			direction[k] = to_light[k] + aside;
			from[k] = place[k] + distance * aside;
		}
		vec3_normalize(direction);
		set_direction(f, i, direction, 1.0 / KEY_MAPS);
		if (is_directional(light)) {
			make_parallel(f, i, direction);
		} else {
			make_perspective(f, i, from, to_light, widest);
		}
	}
}

/* --- The ground --- */

/* The share of the light on the ground that comes from the key. */
static double ground_share(const struct finding *f, bool of_box) {
	const struct key_block *block = &f->out->block;
	const struct shaded_look *look = f->look;
	double all = look->environment < ENVIRONMENT_NONE
		? sky_luminance_above(&skies[look->environment])
		: 0;
	double own = 0;
	for (int i = 0; i < KEY_MAPS && of_box; i++) {
		const float *direction = block->maps[i].direction;
		own += luminance(block->color) * (double)block->color[3] * (double)direction[3] *
			fmax((double)direction[1], 0);
	}
	double under[3] = {f->middle[0], f->subject->ground, f->middle[2]};
	for (int i = 0; i < look->light_count; i++) {
		double direction[3];
		const double one =
			light_at(f, &look->lights[i], under, direction) * fmax(direction[1], 0);
		all += one;
		own += !of_box && i == (int)block->numbers[3] ? one : 0;
	}
	return all > 0 ? fmin(own / all, 1) : 0;
}

/* Adds the place on the ground that a corner's shadow falls on. */
static void add_shadow(const struct finding *f, const double corner[static 3],
	const double to_light[static 3], struct span spans[static 2]) {
	const double reach = SHADOW_REACH * f->subject->size;
	const double above = corner[1] - f->subject->ground;
	double away[2] = {0, 0};
	for (int k = 0; k < 2 && to_light[1] > 0 && above > 0; k++) {
		away[k] = -to_light[k * 2] * above / to_light[1];
	}
	const double length = sqrt(away[0] * away[0] + away[1] * away[1]);
	const double share = length > reach ? reach / length : 1;
	for (int k = 0; k < 2; k++) {
		span_add(&spans[k], corner[k * 2] + share * away[k]);
	}
}

static void find_square(struct finding *f, const struct shaded_light *light) {
	struct span spans[2] = {no_span, no_span};
	for (int i = 0; i < KEY_MAPS * 8; i++) {
		const double *corner = f->corners[i % 8];
		const float *told = f->out->block.maps[i / 8].direction;
		double to_light[3] = {(double)told[0], (double)told[1], (double)told[2]};
		if (light && is_spot(light)) {
			light_at(f, light, corner, to_light);
		}
		add_shadow(f, corner, to_light, spans);
	}
	const double middle[3] = {(spans[0].least + spans[0].most) / 2, f->subject->ground,
		(spans[1].least + spans[1].most) / 2};
	const double x = spans[0].most - spans[0].least, z = spans[1].most - spans[1].least;
	// The square has the world's axes, and may be turned by any angle.
	f->out->square.half = SQUARE_EDGE * sqrt(x * x + z * z) / 2;
	turned_back(f->turn, middle, f->out->square.middle);
}

/* A crowd's maps are larger, up to twice the side. */
static int side_of(const struct key_subject *subject) {
	double square = 0;
	for (int k = 0; k < 3; k++) {
		const double extent = (double)subject->box.max[k] - (double)subject->box.min[k];
		square += extent * extent;
	}
	const double figures = sqrt(square) / subject->size;
	return figures > 1.5 ? 2 * KEY_MAP_SIDE : KEY_MAP_SIDE;
}

bool key_light_find(const struct shaded_look *look, const float eye[static 4],
	const struct key_subject *subject, struct key_light *out) {
	*out = (struct key_light){.side = side_of(subject)};
	struct finding f = begin(look, eye, subject, out);
	const struct soft_box *box = key_box(look);
	const double of_box = box ? luminance(box->radiance) * box_irradiance(box) : 0;
	double most;
	const int brightest = brightest_light(&f, &most);
	const bool is_box = of_box > 0 && of_box >= most;
	struct key_block *block = &out->block;
	if (!is_box && brightest < 0) {
		return false;
	}
	if (is_box) {
		make_box(&f, box);
		memcpy(block->color, box->radiance, sizeof box->radiance);
		block->color[3] = (float)box_irradiance(box);
	} else {
		make_light(&f, &look->lights[brightest]);
	}
	block->numbers[2] = (float)out->side;
	block->numbers[3] = (float)(is_box ? -1 : brightest);
	block->ground[0] = (float)ground_share(&f, is_box);
	block->ground[1] = is_box;
	find_square(&f, is_box ? NULL : &look->lights[brightest]);
	return true;
}

/* --- Casters --- */

/* The share of light that map i stands for, evenly over all maps and in another order. */
static double threshold_of(int i) {
	return (i * 13 % KEY_MAPS + 0.5) / KEY_MAPS;
}

struct key_caster key_caster_of(
	const struct primitive *primitive, const struct material *material, int map) {
	const double solid = 1 - (double)material->transmission;
	const double threshold = threshold_of(map);
	struct key_caster caster = {
		.casts = primitive->topology == TOPOLOGY_TRIANGLES && threshold < solid,
	};
	if (material->alpha_mode == ALPHA_MASK) {
		caster.cutoff = material->alpha_cutoff;
	} else if (material->alpha_mode == ALPHA_BLEND && caster.casts) {
		caster.cutoff = (float)(threshold / solid);
	}
	return caster;
}
