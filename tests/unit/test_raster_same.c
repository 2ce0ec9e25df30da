// The same bytes whatever the lanes, tiles, queues and areas that a picture is drawn by.
#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

#include "base/fnv.h"
#include "base/lanes.h"
#include "base/memory.h"
#include "check.h"
#include "draw/back_end.h"
#include "raster_scene.h"

#define PRIMITIVES 70 // more than have queues at once
#define TRIANGLES 6   // of each
#define CORNERS (PRIMITIVES * TRIANGLES * 3)

struct crowd {
	float positions[CORNERS][3], normals[CORNERS][3], texcoords[CORNERS][2];
	struct primitive primitives[PRIMITIVES];
	struct raster_surface surfaces[PRIMITIVES];
	bool mirrored[PRIMITIVES];
	struct rig rig;
};

/* A colour that tells triangle, place and attributes apart. */
static void shade_all(
	const void *context, const struct raster_fragments *fragments, struct raster_colors *out) {
	const float alpha = *(const float *)context;
	for (int i = 0; i < fragments->count; i++) {
		const struct raster_mesh *mesh = fragments->mesh;
		const struct raster_triangle *triangle = &mesh->triangles[fragments->triangle[i]];
		const struct raster_corner *corner = &mesh->corners[triangle->corners[0]];
		assert_int_equal(triangle->primitive, fragments->primitive);
		out->red[i] = alpha * (float)(triangle->id * 37 % 64) / 64;
		out->green[i] =
			alpha * (float)((fragments->x[i] * 7 + fragments->y[i]) & 511) / 512;
		out->blue[i] = alpha * (corner->u * 0.5f + corner->normal[1] * corner->v * 0.25f);
		out->alpha[i] = alpha;
	}
}

static void mask_some(
	const void *context, const struct raster_fragments *fragments, bool solid[RASTER_QUEUE]) {
	(void)context;
	for (int i = 0; i < fragments->count; i++) {
		solid[i] = (fragments->x[i] >> 9 ^ fragments->y[i] >> 8) & 1;
	}
}

static float between(uint64_t *seed, double from, double to) {
	return (float)(from + (to - from) * scene_random(seed));
}

static const float opaque = 1, half = 0.5f;

/* Triangles of all sizes around the origin, some through the eye at z = 3. */
static void make_crowd(struct crowd *crowd, uint64_t *seed) {
	for (int i = 0; i < CORNERS; i++) {
		const int triangle = i / 3;
		const double size = triangle % 7 == 0 ? 20 : triangle % 3 == 0 ? 1.5 : 0.15;
		for (int k = 0; k < 3; k++) {
			crowd->positions[i][k] = i % 3 == 0
				? between(seed, -1, 1)
				: crowd->positions[i - i % 3][k] + between(seed, -size, size);
			crowd->normals[i][k] = between(seed, -1, 1);
		}
		crowd->texcoords[i][0] = between(seed, 0, 1);
		crowd->texcoords[i][1] = between(seed, 0, 1);
	}
	for (int i = 0; i < PRIMITIVES; i++) {
		crowd->primitives[i] = (struct primitive){.material = -1,
			.topology = i % 10 == 8 ? TOPOLOGY_LINES
				: i % 10 == 9   ? TOPOLOGY_POINTS
						: TOPOLOGY_TRIANGLES,
			.first_vertex = i * TRIANGLES * 3,
			.vertex_count = TRIANGLES * 3};
		crowd->surfaces[i] = (struct raster_surface){
			.kind = i % 4 == 3 ? RASTER_BLENDED : RASTER_OPAQUE,
			.one_sided = i % 3 == 0,
			.shade = shade_all,
			.mask = i % 5 == 4 ? mask_some : NULL,
			.context = i % 4 == 3 ? &half : &opaque,
		};
		crowd->mirrored[i] = i % 6 == 0;
	}
	crowd->rig = (struct rig){.vertex_count = CORNERS,
		.primitive_count = PRIMITIVES,
		.primitives = crowd->primitives,
		.positions = crowd->positions[0],
		.normals = crowd->normals[0]};
	crowd->rig.texcoords[0] = crowd->texcoords[0];
}

static struct raster_figure figure_of(const struct crowd *crowd, float aspect) {
	const float near = 0.2f, far = 12;
	return (struct raster_figure){
		.rig = &crowd->rig,
		.surfaces = crowd->surfaces,
		.mirrored = crowd->mirrored,
		.view_projection = {1.5f / aspect, 0, 0, 0, 0, -1.5f, 0, 0, 0, 0,
			(far + near) / (near - far), -1, 0, 0,
			2 * far * near / (near - far) - 3 * (far + near) / (near - far), 3},
		.back = {0, 0, 1},
		.positions = crowd->positions[0],
		.normals = crowd->normals[0],
		.wants_positions = true,
	};
}

static void add_flats(struct raster *raster, uint64_t seed, int width, int height, bool behind) {
	struct raster_flat_triangle flats[40];
	for (int i = 0; i < 40; i++) {
		for (int k = 0; k < 3; k++) {
			flats[i].x[k] = (int32_t)(between(&seed, -0.2, 1.2) * (float)width * 256);
			flats[i].y[k] = (int32_t)(between(&seed, -0.2, 1.2) * (float)height * 256);
			flats[i].depth[k] = between(&seed, 0.8, 1);
		}
		for (int k = 0; k < 4; k++) {
			flats[i].color[k] = k == 3 ? 0.6f : between(&seed, 0, 0.6);
		}
	}
	assert_true(raster_flat(raster, &(struct raster_flats){flats, 40, behind}, NULL));
}

/* All kinds of commands. */
static void add_all(
	struct raster *raster, const struct crowd *crowd, const struct raster_target *target) {
	const struct raster_figure figure =
		figure_of(crowd, (float)target->width / (float)target->height);
	assert_true(raster_begin(raster, target, NULL));
	add_flats(raster, 5, target->width, target->height, false);
	raster_clear_depth(raster);
	assert_true(raster_surfaces(raster, &figure, NULL));
	assert_true(raster_surfaces(raster, &figure, NULL));
	assert_true(raster_blended(raster, &figure, NULL));
	assert_true(raster_translucent(raster, &figure, NULL));
	add_flats(raster, 6, target->width, target->height, true);
	add_flats(raster, 7, target->width, target->height, false);
	raster_clear_depth(raster);
	add_flats(raster, 8, target->width, target->height, false);
}

static unsigned char *draw_by(const struct raster_choice *choice, const struct crowd *crowd,
	const struct raster_target *target) {
	struct raster *raster = raster_create();
	raster_choose(raster, choice);
	add_all(raster, crowd, target);
	unsigned char *rgba = scene_read(raster, target->width, target->height);
	raster_destroy(raster);
	return rgba;
}

static const struct raster_target targets[] = {
	{150, 93, 4, RASTER_STRAIGHT, {0}},
	{131, 70, 1, RASTER_PLAIN, {0}},
	{64, 129, 8, RASTER_PREMULTIPLIED, {0.1f, 0.2f, 0.3f, 0.5f}},
};
#define TARGETS 3

static struct crowd *new_crowd(void) {
	struct crowd *crowd = xcalloc(1, sizeof *crowd);
	uint64_t seed = 4;
	make_crowd(crowd, &seed);
	return crowd;
}

static size_t bytes_of(const struct raster_target *target) {
	return (size_t)target->width * (size_t)target->height * 4;
}

static void no_choice_changes_a_byte(void **state) {
	(void)state;
	struct crowd *crowd = new_crowd();
	for (int t = 0; t < TARGETS; t++) {
		unsigned char *want =
			draw_by(&(struct raster_choice){6, RASTER_QUEUE, 4}, crowd, &targets[t]);
		for (int shift = 3; shift <= 7; shift++) {
			for (int queue = 1; queue <= RASTER_QUEUE; queue = queue * 3 + 5) {
				for (int width = 4; width <= 16 && scene_has_lanes(width);
					width *= 2) {
					unsigned char *got = draw_by(
						&(struct raster_choice){shift, queue, width}, crowd,
						&targets[t]);
					assert_memory_equal(got, want, bytes_of(&targets[t]));
					free(got);
				}
			}
		}
		free(want);
	}
	free(crowd);
}

static void sixteen_lanes_are_among_the_choices(void **state) {
	(void)state;
	if (!scene_has_lanes(16)) {
		print_message("without AVX-512 no kernel of 16 lanes has been compared\n");
		skip();
	}
	// Also those pictures that every processor with AVX-512 draws by itself.
	struct raster *raster = raster_create();
	assert_int_equal(raster_lanes(raster), 16);
	raster_destroy(raster);
}

/* A stroke in a corner parts two figures everywhere, also in tiles that do not have it. */
static void figures_are_parted_in_all_tiles_or_in_none(void **state) {
	(void)state;
	struct crowd *crowd = new_crowd();
	const struct raster_target *target = &targets[0];
	const struct raster_figure figure = figure_of(crowd, 1.6f);
	struct raster_figure beside = figure;
	beside.view_projection[12] += 0.3f;
	const struct raster_flat_triangle corner = {.x = {0, 1024, 0},
		.y = {0, 0, 1024},
		.depth = {0.5f, 0.5f, 0.5f},
		.color = {1, 1, 1, 1}};
	unsigned char *pictures[5];
	for (int i = 0; i < 5; i++) {
		struct raster *raster = raster_create();
		raster_choose(raster, &(struct raster_choice){3 + i, RASTER_QUEUE, 4});
		assert_true(raster_begin(raster, target, NULL));
		assert_true(raster_surfaces(raster, &figure, NULL));
		assert_true(raster_flat(raster, &(struct raster_flats){&corner, 1, false}, NULL));
		assert_true(raster_surfaces(raster, &beside, NULL));
		pictures[i] = scene_read(raster, target->width, target->height);
		raster_destroy(raster);
		assert_memory_equal(pictures[i], pictures[0], bytes_of(target));
	}
	for (int i = 0; i < 5; i++) {
		free(pictures[i]);
	}
	free(crowd);
}

/* The pictures as gcc and clang on x86-64 have drawn them. They change with samples, places of
 * shading and rounding, and only on purpose: then golden pictures everywhere change, too. */
static const uint64_t hashes[TARGETS] = {
	0x0f3a0a8a145feb3c, 0x70bcb1fe91a4a178, 0xc7e34542458b2f84};

static void every_machine_draws_the_same(void **state) {
	(void)state;
	struct crowd *crowd = new_crowd();
	for (int t = 0; t < TARGETS; t++) {
		unsigned char *rgba =
			draw_by(&(struct raster_choice){6, RASTER_QUEUE, 4}, crowd, &targets[t]);
		const uint64_t hash = fnv_mix(FNV_START, rgba, bytes_of(&targets[t]));
		assert_int_equal(hash, hashes[t]);
		free(rgba);
	}
	free(crowd);
}

static void areas_are_parts_of_the_picture(void **state) {
	(void)state;
	struct crowd *crowd = new_crowd();
	struct raster *raster = raster_create();
	uint64_t seed = 9;
	for (int t = 0; t < TARGETS; t++) {
		const struct raster_target *target = &targets[t];
		add_all(raster, crowd, target);
		unsigned char *want = scene_read(raster, target->width, target->height);
		for (int i = 0; i < 20; i++) {
			struct raster_area area = {.x = (int)(scene_random(&seed) * target->width),
				.y = (int)(scene_random(&seed) * target->height)};
			area.width = (int)(scene_random(&seed) * (target->width - area.x + 1));
			area.height = (int)(scene_random(&seed) * (target->height - area.y + 1));
			unsigned char *got =
				xcalloc((size_t)area.width * (size_t)area.height + 1, 4);
			raster_read(raster, &area, got);
			for (int y = 0; y < area.height && area.width > 0; y++) {
				assert_memory_equal(got + y * area.width * 4,
					want + ((area.y + y) * target->width + area.x) * 4,
					(size_t)area.width * 4);
			}
			free(got);
		}
		free(want);
	}
	raster_destroy(raster);
	free(crowd);
}

#define THREADS_MOST 5 // more than may help at once

/* Threads that are started when help is asked for the first time. */
struct threads {
	struct draw_help help;
	int count;
	bool first; // they do what there is to do before whoever asks goes on
	int until;  // they are wanted elsewhere once they were asked so often; 0 = never
	atomic_int asked;
	bool started;
	pthread_t threads[THREADS_MOST];
	void (*work)(void *task);
	void *task;
};

static void *run_work(void *context) {
	struct threads *threads = context;
	threads->work(threads->task);
	return NULL;
}

static void join_all(struct threads *threads) {
	for (int i = 0; threads->started && i < threads->count; i++) {
		pthread_join(threads->threads[i], NULL);
	}
	threads->started = false;
}

static void ask_threads(void *context, void (*work)(void *task), void *task) {
	struct threads *threads = context;
	if (threads->work) {
		return;
	}
	threads->work = work;
	threads->task = task;
	threads->started = true;
	for (int i = 0; i < threads->count; i++) {
		assert_int_equal(pthread_create(&threads->threads[i], NULL, run_work, threads), 0);
	}
	if (threads->first) {
		join_all(threads);
	}
}

static bool threads_are_wanted(void *context) {
	struct threads *threads = context;
	return threads->until > 0 && atomic_fetch_add(&threads->asked, 1) >= threads->until;
}

static void end_threads(void *context) {
	join_all(context);
}

static void threads_that_help_change_no_byte(void **state) {
	(void)state;
	const struct threads kinds[] = {
		{.count = 1, .first = true},
		{.count = 1, .first = true, .until = 3},
		{.count = 1},
		{.count = THREADS_MOST},
		{.count = THREADS_MOST, .until = 4},
	};
	struct crowd *crowd = new_crowd();
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds * TARGETS; i++) {
		const struct raster_target *target = &targets[i % TARGETS];
		struct threads threads = kinds[i / TARGETS];
		threads.help =
			(struct draw_help){&threads, ask_threads, threads_are_wanted, end_threads};
		struct raster *raster = raster_create();
		raster_choose(raster,
			&(struct raster_choice){4, RASTER_QUEUE, scene_has_lanes(16) ? 16 : 4});
		add_all(raster, crowd, target);
		unsigned char *want = scene_read(raster, target->width, target->height);
		unsigned char *got = xcalloc(bytes_of(target), 1);
		raster_read_with(raster, &(struct raster_area){0, 0, target->width, target->height},
			&threads.help, got);
		assert_memory_equal(got, want, bytes_of(target));
		free(got);
		free(want);
		raster_destroy(raster);
	}
	free(crowd);
}

/* Skinned vertices may be overwritten once a command has been added. */
static void vertices_are_projected_when_they_are_added(void **state) {
	(void)state;
	struct crowd *crowd = new_crowd();
	struct raster *raster = raster_create();
	add_all(raster, crowd, &targets[0]);
	unsigned char *want = scene_read(raster, targets[0].width, targets[0].height);
	add_all(raster, crowd, &targets[0]);
	memset(crowd->positions, 0, sizeof crowd->positions);
	memset(crowd->normals, 0, sizeof crowd->normals);
	memset(crowd->mirrored, 0, sizeof crowd->mirrored);
	unsigned char *got = scene_read(raster, targets[0].width, targets[0].height);
	assert_memory_equal(got, want, bytes_of(&targets[0]));
	free(got);
	free(want);
	raster_destroy(raster);
	free(crowd);
}

static unsigned char *draw_figure(const struct raster_figure *figure) {
	struct raster *raster = raster_create();
	assert_true(raster_begin(raster, &targets[1], NULL));
	assert_true(raster_surfaces(raster, figure, NULL));
	assert_true(raster_blended(raster, figure, NULL));
	unsigned char *rgba = scene_read(raster, targets[1].width, targets[1].height);
	raster_destroy(raster);
	return rgba;
}

/* The greatest numbers below the middles between bytes: rounded upwards they become the next byte.
 */
static float below_middles[256];

/* Shades without arithmetic of its own. */
static void shade_steadily(
	const void *context, const struct raster_fragments *fragments, struct raster_colors *out) {
	for (int i = 0; i < fragments->count; i++) {
		(void)context;
		out->red[i] = below_middles[fragments->triangle[i] % 256];
		out->green[i] = below_middles[fragments->x[i] / 256 % 256];
		out->blue[i] = below_middles[fragments->y[i] / 256 % 256];
		out->alpha[i] = 1;
	}
}

/* Another library may have set the thread's rounding, and denormals to zero. */
static void the_state_of_the_thread_is_not_drawn_with(void **state) {
	(void)state;
	struct crowd *crowd = new_crowd();
	for (int i = 0; i < PRIMITIVES; i++) {
		crowd->surfaces[i].shade = shade_steadily;
	}
	for (int i = 0; i < 256; i++) {
		below_middles[i] = nextafterf(((float)i + 0.5f) / 255, 0);
	}
	const struct raster_figure figure = figure_of(crowd, 1.6f);
	unsigned char *want = draw_figure(&figure);
	const int before = fegetround();
	fesetround(FE_UPWARD);
#ifdef __SSE2__
	_mm_setcsr(_mm_getcsr() | 0x8040);
	const unsigned set = _mm_getcsr();
#endif
	unsigned char *got = draw_figure(&figure);
#ifdef __SSE2__
	assert_int_equal(_mm_getcsr() & 0xffc0, set & 0xffc0);
	_mm_setcsr(0x1f80);
#endif
	assert_int_equal(fesetround(before), 0);
	assert_memory_equal(got, want, bytes_of(&targets[1]));
	free(got);
	free(want);
	free(crowd);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_choice_changes_a_byte),
		cmocka_unit_test(sixteen_lanes_are_among_the_choices),
		cmocka_unit_test(figures_are_parted_in_all_tiles_or_in_none),
		cmocka_unit_test(every_machine_draws_the_same),
		cmocka_unit_test(areas_are_parts_of_the_picture),
		cmocka_unit_test(threads_that_help_change_no_byte),
		cmocka_unit_test(vertices_are_projected_when_they_are_added),
		cmocka_unit_test(the_state_of_the_thread_is_not_drawn_with),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
