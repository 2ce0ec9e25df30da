// Shadows of the key light against rays in doubles: through a sphere and a box, to a fine grid of
// directions over the studio's key, to a lamp, and to the sun.
#include "draw/key_light.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/vec.h"
#include "check.h"
#include "draw/sky.h"
#include "raster/ground.h"
#include "raster/key_maps.h"
#include "raster_scene.h"
#include "view/camera.h"

#define SIZE 96
#define FINE 48 // directions along each side of the key

static const double pi = 3.14159265358979323846;

/* --- What casts --- */

static double diagonal_of(const struct bounds *box) {
	double across[3];
	for (int k = 0; k < 3; k++) {
		across[k] = (double)box->max[k] - (double)box->min[k];
	}
	return vec3_length(across);
}

struct solid {
	struct scene_mesh mesh;
	float *positions;
	uint32_t *indices;
	struct bounds box;
	double middle[3], half[3]; // of a box; of a sphere half[0] is the radius
	bool round;
};

static void finish_solid(struct solid *solid) {
	free(solid->positions);
	free(solid->indices);
}

static void begin_mesh(struct solid *solid, int vertices, int indices) {
	scene_mesh_init(&solid->mesh, solid->positions, vertices, solid->indices, indices);
	solid->box = bounds_of_points(solid->positions, (size_t)vertices);
}

static struct solid *make_sphere(double x, double y, double z, double radius) {
	enum { ROWS = 48, COLUMNS = 96 };
	struct solid *solid = xcalloc(1, sizeof *solid);
	*solid = (struct solid){.middle = {x, y, z}, .half = {radius}, .round = true};
	solid->positions = xcalloc((ROWS + 1) * (COLUMNS + 1), 3 * sizeof(float));
	solid->indices = xcalloc(ROWS * COLUMNS, 6 * sizeof(uint32_t));
	for (int i = 0; i < (ROWS + 1) * (COLUMNS + 1); i++) {
		const double down = pi * (i / (COLUMNS + 1)) / ROWS;
		const double turn = 2 * pi * (i % (COLUMNS + 1)) / COLUMNS;
		const double unit[3] = {sin(down) * cos(turn), cos(down), sin(down) * sin(turn)};
		for (int k = 0; k < 3; k++) {
			solid->positions[i * 3 + k] = (float)(solid->middle[k] + radius * unit[k]);
		}
	}
	for (int i = 0; i < ROWS * COLUMNS; i++) {
		const uint32_t at = (uint32_t)(i / COLUMNS * (COLUMNS + 1) + i % COLUMNS);
		const uint32_t corners[6] = {
			at, at + 1, at + COLUMNS + 1, at + 1, at + COLUMNS + 2, at + COLUMNS + 1};
		memcpy(solid->indices + i * 6, corners, sizeof corners);
	}
	begin_mesh(solid, (ROWS + 1) * (COLUMNS + 1), ROWS * COLUMNS * 6);
	return solid;
}

static struct solid *make_box(double y, double half_x, double half_y, double half_z) {
	static const uint32_t indices[36] = {0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1,
		2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3};
	struct solid *solid = xcalloc(1, sizeof *solid);
	*solid = (struct solid){.middle = {0, y, 0}, .half = {half_x, half_y, half_z}};
	solid->positions = xcalloc(8, 3 * sizeof(float));
	solid->indices = xcalloc(36, sizeof(uint32_t));
	memcpy(solid->indices, indices, sizeof indices);
	for (int i = 0; i < 24; i++) {
		const double side = i / 3 >> i % 3 & 1 ? 1 : -1;
		solid->positions[i] = (float)(solid->middle[i % 3] + side * solid->half[i % 3]);
	}
	begin_mesh(solid, 8, 36);
	return solid;
}

/* True when a ray from a point hits it before a distance. */
static bool hits(const struct solid *solid, const double from[static 3], const double d[static 3],
	double most) {
	double way[3];
	vec3_sub(solid->middle, from, way);
	if (solid->round) {
		const double along = vec3_dot(way, d);
		const double away = vec3_dot(way, way) - along * along;
		return along > 0 && along < most && away < solid->half[0] * solid->half[0];
	}
	double near = 0, far = most;
	for (int k = 0; k < 3; k++) {
		const double a = (way[k] - solid->half[k]) / d[k];
		const double b = (way[k] + solid->half[k]) / d[k];
		near = fmax(near, fmin(a, b));
		far = fmin(far, fmax(a, b));
	}
	return near < far;
}

/* --- What is seen of the key --- */

static double step(double from, double to, double x) {
	const double t = fmin(fmax((x - from) / (to - from), 0), 1);
	return t * t * (3 - 2 * t);
}

/* The share of the light of the studio's key on the ground that is not hidden. */
static double exact_box(const struct solid *solid, const double at[static 3]) {
	const struct soft_box *box = &skies[ENVIRONMENT_STUDIO].boxes[0];
	const double yaw = (double)box->yaw_deg * pi / 180,
		     pitch = (double)box->pitch_deg * pi / 180;
	const double soft = (double)box->softness;
	const double half[2] = {(double)box->half_width, (double)box->half_height};
	const double middle[3] = {sin(yaw) * cos(pitch), sin(pitch), cos(yaw) * cos(pitch)};
	const double right[3] = {cos(yaw), 0, -sin(yaw)};
	double up[3], seen = 0, all = 0;
	vec3_cross(middle, right, up);
	for (int i = 0; i < FINE * FINE; i++) {
		const double x = ((i % FINE + 0.5) / FINE * 2 - 1) * (half[0] + soft);
		const double y = ((i / FINE + 0.5) / FINE * 2 - 1) * (half[1] + soft);
		double d[3];
		for (int k = 0; k < 3; k++) {
			d[k] = middle[k] + x * right[k] + y * up[k];
		}
		const double profile = (1 - step(half[0] - soft, half[0] + soft, fabs(x))) *
			(1 - step(half[1] - soft, half[1] + soft, fabs(y)));
		const double weight = profile * pow(1 + x * x + y * y, -1.5);
		vec3_normalize(d);
		all += weight * d[1];
		seen += hits(solid, at, d, INFINITY) ? 0 : weight * d[1];
	}
	return seen / all;
}

/* The same of a disc half a degree wide, far away or around a place. */
static double exact_disc(const struct solid *solid, const double at[static 3],
	const double direction[static 3], const double *place) {
	double to_light[3], right[3], up[3];
	memcpy(to_light, direction, sizeof to_light);
	const double beside[3] = {1, 0, 0};
	vec3_cross(beside, to_light, right);
	vec3_normalize(right);
	vec3_cross(to_light, right, up);
	double way[3] = {0}, seen = 0, all = 0;
	if (place) {
		vec3_sub(place, solid->middle, way);
	}
	const double half = 0.00465 * (place ? vec3_length(way) : 1);
	for (int i = 0; i < FINE * FINE; i++) {
		const double x = (i % FINE + 0.5) / FINE * 2 - 1,
			     y = (i / FINE + 0.5) / FINE * 2 - 1;
		double d[3];
		if (x * x + y * y > 1) {
			continue;
		}
		for (int k = 0; k < 3; k++) {
			const double aside = half * (x * right[k] + y * up[k]);
			d[k] = place ? place[k] + aside - at[k] : to_light[k] + aside;
		}
		const double most = place ? vec3_length(d) : INFINITY;
		vec3_normalize(d);
		all++;
		seen += !hits(solid, at, d, most);
	}
	return seen / all;
}

/* --- The shadow that is drawn --- */

/* A view of the ground from above: a square of it. */
static void look_down(double x, double z, double half, float m[static 16]) {
	memset(m, 0, 16 * sizeof *m);
	m[0] = m[9] = (float)(1 / half);
	m[12] = (float)(-x / half);
	m[13] = (float)(-z / half);
	m[15] = 1;
}

/* The pixels of the ground; by some choice, NULL = the best. */
static unsigned char *draw_ground(
	const struct solid *solid, const struct draw_job *job, const struct raster_choice *choice) {
	const struct raster_target target = {SIZE, SIZE, 1, RASTER_PLAIN, {0}};
	struct raster *raster = raster_create();
	struct raster_key_maps *maps = raster_key_maps_create();
	struct arena *arena = arena_create();
	struct cpu_rig cpu = {0};
	struct error err = {0};
	const struct key_light *key = job->look.key;
	const float *positions = solid->positions;
	if (choice) {
		raster_choose(raster, choice);
		raster_key_maps_choose(maps, choice);
	}
	assert_true(raster_key_maps_begin(maps, key, &err));
	assert_true(raster_key_maps_cast(maps, key, &solid->mesh.rig, &cpu, &positions, 1, &err));
	assert_true(raster_begin(raster, &target, &err));
	assert_true(raster_draw_key_shadow(raster, maps, job, arena, &err));
	unsigned char *rgba = scene_read(raster, SIZE, SIZE);
	arena_destroy(arena);
	raster_key_maps_destroy(maps);
	raster_destroy(raster);
	return rgba;
}

/* Alpha of each place of the square, over the key's share. */
static double *draw_shadow(const struct solid *solid, const struct draw_job *job) {
	unsigned char *rgba = draw_ground(solid, job, NULL);
	double *hidden = xcalloc(SIZE * SIZE, sizeof *hidden);
	for (int i = 0; i < SIZE * SIZE; i++) {
		hidden[i] = rgba[i * 4 + 3] / 255.0 / (double)job->look.key->block.ground[0];
	}
	free(rgba);
	return hidden;
}

struct measured {
	double mean, most;   // difference of visibility
	double least, umbra; // of visibility that is drawn; share of the square in full shadow
};

static struct measured measure(struct solid *solid, const struct shaded_look *look,
	const double *direction, const double *place, double x, double z, double half) {
	const float eye[4] = {0, 3, 9, 1};
	const struct key_subject subject = {solid->box, 0, diagonal_of(&solid->box)};
	struct key_light key;
	struct measured out = {.least = 1};
	struct draw_job job = {.look = *look, .eye = {eye[0], eye[1], eye[2], eye[3]}};
	assert_true(key_light_find(look, eye, &subject, &key));
	job.look.key = &key;
	look_down(x, z, half, job.view_projection);
	double *hidden = draw_shadow(solid, &job);
	for (int i = 0; i < SIZE * SIZE; i++) {
		const double at[3] = {x + ((i % SIZE + 0.5) / SIZE * 2 - 1) * half, 0,
			z + ((i / SIZE + 0.5) / SIZE * 2 - 1) * half};
		const double exact =
			direction ? exact_disc(solid, at, direction, place) : exact_box(solid, at);
		const double away = fabs(1 - hidden[i] - exact);
		out.mean += away / (SIZE * SIZE);
		out.most = fmax(out.most, away);
		out.least = fmin(out.least, 1 - hidden[i]);
		out.umbra += (hidden[i] > 0.995) / (double)(SIZE * SIZE);
	}
	free(hidden);
	return out;
}

static struct shaded_look studio(void) {
	return (struct shaded_look){
		.environment = ENVIRONMENT_STUDIO, .turn = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
}

static void penumbrae_widen_with_the_distance(void **state) {
	(void)state;
	const struct shaded_look look = studio();
	struct solid *near = make_sphere(0, 0.55, 0, 0.5), *far = make_sphere(0, 2.5, 0, 0.5);
	// The key shines from the left and from the front.
	const struct measured under = measure(near, &look, NULL, NULL, 0.5, -0.5, 2);
	const struct measured above = measure(far, &look, NULL, NULL, 2, -2, 4);
	assert_in_range((int)(under.mean * 1e4), 0, 60);
	assert_in_range((int)(above.mean * 1e4), 0, 60);
	assert_true(under.most < 0.08 && above.most < 0.08);
	assert_true(under.least < 0.005 && under.umbra > 0.001);
	assert_true(above.umbra == 0 && above.least > 0.5);
	finish_solid(near);
	finish_solid(far);
	free(near);
	free(far);
}

static void corners_of_a_box_hide_what_rays_say(void **state) {
	(void)state;
	const struct shaded_look look = studio();
	struct solid *post = make_box(0.8, 0.15, 0.8, 0.15), *table = make_box(1, 1, 0.05, 0.6);
	const struct measured tall = measure(post, &look, NULL, NULL, 0.8, -0.8, 1.5);
	const struct measured wide = measure(table, &look, NULL, NULL, 0.8, -0.8, 2.5);
	assert_in_range((int)(tall.mean * 1e4), 0, 80);
	assert_in_range((int)(wide.mean * 1e4), 0, 80);
	assert_true(tall.most < 0.2 && wide.most < 0.1);
	// Where the post stands nothing of the key is seen.
	assert_true(tall.least < 0.005);
	finish_solid(post);
	finish_solid(table);
	free(post);
	free(table);
}

/* Within a texel of the edge, which is as wide. */
static void the_sun_and_lamps_cast_sharp_shadows(void **state) {
	(void)state;
	struct solid *sphere = make_sphere(0.2, 1, -0.1, 0.4), *post = make_box(0.5, 0.2, 0.5, 0.3);
	double direction[3] = {-0.5, 0.8, 0.3};
	vec3_normalize(direction);
	const struct shaded_light sun = {
		.place = {(float)direction[0], (float)direction[1], (float)direction[2], 0},
		.color = {3, 3, 3, 1}};
	const struct shaded_look sunny = {.environment = ENVIRONMENT_NONE,
		.turn = {1, 0, 0, 0, 1, 0, 0, 0, 1},
		.lights = &sun,
		.light_count = 1};
	struct measured found = measure(sphere, &sunny, direction, NULL, 0.5, -0.5, 1.5);
	assert_in_range((int)(found.mean * 1e4), 0, 40);
	found = measure(post, &sunny, direction, NULL, 0.3, -0.2, 1);
	assert_in_range((int)(found.mean * 1e4), 0, 80);
	assert_true(found.umbra > 0.05);

	// Straight down, so that its axis is that of the map; the eye is at 0, 3, 9.
	const double place[3] = {0.2, 3, -0.1}, down[3] = {0, 1, 0};
	const struct shaded_light lamp = {.place = {0.2F, 0, -9.1F, 1},
		.direction = {0, -1, 0, 4},
		.color = {90, 90, 90, -3}};
	const struct shaded_look lit = {.environment = ENVIRONMENT_SOFT,
		.turn = {1, 0, 0, 0, 1, 0, 0, 0, 1},
		.lights = &lamp,
		.light_count = 1};
	found = measure(sphere, &lit, down, place, 0.2, -0.1, 1);
	assert_in_range((int)(found.mean * 1e4), 0, 60);
	assert_true(found.umbra > 0.05);
	finish_solid(sphere);
	finish_solid(post);
	free(sphere);
	free(post);
}

static const struct bounds unit_box = {{-1, 0, -1}, {1, 2, 1}};

static void the_brightest_is_the_key(void **state) {
	(void)state;
	const float eye[4] = {0, 0, 5, 1};
	const struct key_subject subject = {unit_box, 0, 3};
	struct shaded_light lights[3] = {
		{.place = {0, 1, 0, 0}, .color = {0.5F, 0.5F, 0.5F, 1}},
		{.place = {0, 1, 0, 0}, .color = {1, 1, 1, 1}},
		// A point light, however bright, casts nothing.
		{.place = {0, 5, 0, 1}, .color = {1e6F, 1e6F, 1e6F, 1}},
	};
	struct shaded_look look = studio();
	struct key_light key;
	assert_true(key_light_find(&look, eye, &subject, &key));
	assert_true(key.block.numbers[3] < 0);
	look.lights = lights;
	look.light_count = 3;
	assert_true(key_light_find(&look, eye, &subject, &key));
	assert_true(key.block.numbers[3] < 0);
	lights[1].color[0] = lights[1].color[1] = lights[1].color[2] = 100;
	assert_true(key_light_find(&look, eye, &subject, &key));
	assert_true(key.block.numbers[3] > 0.5F && key.block.numbers[3] < 1.5F);
	look.environment = ENVIRONMENT_SOFT;
	look.light_count = 1;
	assert_true(key_light_find(&look, eye, &subject, &key));
	assert_true(key.block.numbers[3] < 0.5F && key.block.numbers[3] > -0.5F);
	look.light_count = 0;
	assert_false(key_light_find(&look, eye, &subject, &key));
	look.environment = ENVIRONMENT_NONE;
	assert_false(key_light_find(&look, eye, &subject, &key));
}

/* The shares add up, and the irradiance is the integral of the box. */
static void small_lights_add_up_to_the_box(void **state) {
	(void)state;
	const float eye[4] = {0, 0, 5, 1};
	const struct key_subject subject = {unit_box, 0, 3};
	const struct soft_box *box = &skies[ENVIRONMENT_STUDIO].boxes[0];
	const struct shaded_look look = studio();
	struct key_light key;
	assert_true(key_light_find(&look, eye, &subject, &key));
	double shares = 0, integral = 0;
	for (int i = 0; i < KEY_MAPS; i++) {
		shares += (double)key.block.maps[i].direction[3];
	}
	assert_near(shares, 1, 1e-6);
	const double reach[2] = {(double)(box->half_width + box->softness),
		(double)(box->half_height + box->softness)};
	for (int i = 0; i < 500 * 500; i++) {
		const double x = ((i % 500 + 0.5) / 250 - 1) * reach[0];
		const double y = ((i / 500 + 0.5) / 250 - 1) * reach[1];
		const double soft = (double)box->softness;
		const double w = (double)box->half_width, h = (double)box->half_height;
		integral += (1 - step(w - soft, w + soft, fabs(x))) *
			(1 - step(h - soft, h + soft, fabs(y))) * pow(1 + x * x + y * y, -1.5);
	}
	integral *= 4 * reach[0] * reach[1] / (500.0 * 500) / pi;
	assert_near((double)key.block.color[3], integral, 0.01 * integral);
}

static void maps_of_anything_are_finite(void **state) {
	(void)state;
	static const struct bounds boxes[] = {
		{{0, 0, 0}, {1, 0, 1}},
		{{0, 0, 0}, {0, 1, 0}},
		{{1e6F, 1e6F, -1e6F}, {1e6F + 2, 1e6F + 2, -1e6F + 2}},
		{{-1e20F, 0, -1e20F}, {1e20F, 1e20F, 1e20F}},
		{{0, 0, 0}, {1e-12F, 1e-12F, 1e-12F}},
	};
	static const double sizes[] = {1.5, 1, 3.5, 3e20, 2e-12};
	const float eye[4] = {0, 1, 5, 1};
	// A sun that rises, and a lamp within the figure.
	const struct shaded_light lights[2] = {
		{.place = {1, 0, 0, 0}, .color = {9, 9, 9, 1}},
		{.place = {0, -1, -5, 1}, .direction = {0, -1, 0, 4}, .color = {9, 9, 9, -3}},
	};
	for (int i = 0; i < 15; i++) {
		struct shaded_look look = studio();
		look.lights = &lights[i / 5 - (i >= 5)];
		look.light_count = i >= 5;
		look.environment = i >= 5 ? ENVIRONMENT_NONE : ENVIRONMENT_STUDIO;
		const struct key_subject subject = {
			boxes[i % 5], (double)boxes[i % 5].min[1], sizes[i % 5]};
		struct key_light key;
		if (!key_light_find(&look, eye, &subject, &key)) {
			assert_true(i >= 10);
			continue;
		}
		const float *numbers = key.block.color;
		for (size_t k = 0; k < sizeof key.block / sizeof *numbers; k++) {
			assert_true(isfinite(numbers[k]));
		}
		assert_true(isfinite(key.square.half) && isfinite(key.square.middle[0]));
		for (int k = 0; k < KEY_MAPS * 16; k++) {
			assert_true(isfinite(key.view_projections[k / 16][k % 16]));
		}
	}
}

static void no_byte_depends_on_lanes_or_tiles(void **state) {
	(void)state;
	struct solid *sphere = make_sphere(0, 0.6, 0, 0.5);
	const float eye[4] = {0, 3, 9, 1};
	const struct key_subject subject = {sphere->box, 0, diagonal_of(&sphere->box)};
	struct draw_job job = {.look = studio(), .eye = {0, 3, 9, 1}};
	struct key_light key;
	assert_true(key_light_find(&job.look, eye, &subject, &key));
	job.look.key = &key;
	look_down(0.5, -0.5, 2, job.view_projection);
	unsigned char *best = draw_ground(sphere, &job, NULL);
	for (int i = 0; i < 9; i++) {
		const struct raster_choice choice = {.tile_shift = 3 + i % 3 * 2,
			.queue = i % 2 ? 16 : 128,
			.lanes = 4 << i / 3};
		if (scene_has_lanes(choice.lanes)) {
			unsigned char *other = draw_ground(sphere, &job, &choice);
			assert_memory_equal(other, best, (size_t)SIZE * SIZE * 4);
			free(other);
		}
	}
	free(best);
	finish_solid(sphere);
	free(sphere);
}

static void light_that_passes_is_a_share_of_maps(void **state) {
	(void)state;
	const struct primitive primitive = {.topology = TOPOLOGY_TRIANGLES};
	struct material material = {.transmission = 0.25F};
	int casts = 0, holes = 0;
	for (int i = 0; i < KEY_MAPS; i++) {
		casts += key_caster_of(&primitive, &material, i).casts;
	}
	assert_int_equal(casts, KEY_MAPS * 3 / 4);
	material = (struct material){.alpha_mode = ALPHA_BLEND};
	for (int i = 0; i < KEY_MAPS; i++) {
		const struct key_caster caster = key_caster_of(&primitive, &material, i);
		holes += caster.casts && 0.5F < caster.cutoff;
	}
	assert_int_equal(holes, KEY_MAPS / 2);
	material = (struct material){.alpha_mode = ALPHA_MASK, .alpha_cutoff = 0.3F};
	assert_true(key_caster_of(&primitive, &material, 7).cutoff == 0.3F);
	const struct primitive lines = {.topology = TOPOLOGY_LINES};
	assert_false(key_caster_of(&lines, &material, 7).casts);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(penumbrae_widen_with_the_distance),
		cmocka_unit_test(corners_of_a_box_hide_what_rays_say),
		cmocka_unit_test(the_sun_and_lamps_cast_sharp_shadows),
		cmocka_unit_test(the_brightest_is_the_key),
		cmocka_unit_test(small_lights_add_up_to_the_box),
		cmocka_unit_test(maps_of_anything_are_finite),
		cmocka_unit_test(no_byte_depends_on_lanes_or_tiles),
		cmocka_unit_test(light_that_passes_is_a_share_of_maps),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
