// Pictures of the rasteriser beside those of a software driver, which draws them with the shaders:
// coverage and looks of whole rigs. The driver does what OpenGL says, and shares no code with the
// rasteriser below the draw list.
#include <math.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/check.h"
#include "../unit/shared_files.h"
#include "against/ssim.h"
#include "base/memory.h"
#include "base/srgb.h"
#include "context.h"

#define SIZE_MAX_PIXELS 512
#define PIXELS (SIZE_MAX_PIXELS * SIZE_MAX_PIXELS)

/* Bounds of what may differ: edges are shaded where they are covered and not in the middle of the
 * pixel, and texture levels come from exact derivatives. */
#define UNLIKE_PIXELS 4    // whose coverage differs at all
#define UNLIKE_OUTLINES 40 // whose vertices each works out by itself
#define UNLIKE_HOLES 20    // along holes: alpha goes no further than to the triangle's edge
#define LEAST_SSIM 0.998   // mean over the picture; mannequiny, white on white, is the least
#define MOST_FLIP 0.01     // mean over the picture
#define MOST_FLIP_ON 0.03  // mean over the figure
#define MOST_MEAN 1.5      // of 255, over the figure

static struct renderer *driver, *rasteriser;

struct drawn {
	unsigned char *straight, *on_white; // [size][size][4]
};

struct likeness {
	int covered; // pixels of either
	int unlike;  // with other coverage
	double ssim, flip, flip_on, mean;
};

static void draw(struct renderer *renderer, const struct rig *rig,
	const struct picture_settings *picture, struct drawn *out) {
	const struct frame_job job = {.subject = {.rig = rig}, .picture = *picture};
	struct buffer png = {0};
	struct skinning_report report;
	struct error err = {0};
	if (!renderer_frame(renderer, &job, &png, &report, &err)) {
		fail_msg("%s", err.text);
	}
	png_image image = {.version = PNG_IMAGE_VERSION};
	assert_true(png_image_begin_read_from_memory(&image, png.data, png.size));
	image.format = PNG_FORMAT_RGBA;
	assert_true(png_image_finish_read(&image, NULL, out->straight, 0, NULL));
	buffer_finish(&png);
	const size_t pixels = (size_t)picture->width * (size_t)picture->height;
	for (size_t i = 0; i < pixels * 4; i++) {
		const int alpha = out->straight[i | 3];
		out->on_white[i] = i % 4 == 3
			? 255
			: (unsigned char)((out->straight[i] * alpha + 255 * (255 - alpha) + 127) /
				  255);
	}
}

static bool is_seen(const struct drawn *drawn, size_t pixel) {
	return drawn->straight[pixel * 4 + 3] > 0;
}

static double mean_of(const double *map, size_t count) {
	double sum = 0;
	size_t numbers = 0;
	for (size_t i = 0; i < count; i++) {
		if (!isnan(map[i])) {
			sum += map[i];
			numbers++;
		}
	}
	return sum / (double)numbers;
}

static struct likeness compare(const struct drawn *a, const struct drawn *b, int size) {
	const size_t pixels = (size_t)size * (size_t)size;
	const struct flip_picture first = {a->on_white, (size_t)size * 4};
	const struct flip_picture second = {b->on_white, (size_t)size * 4};
	double *map = xcalloc(pixels, sizeof *map);
	struct likeness likeness = {0};
	ssim_compare(&first, &second, size, size, map);
	likeness.ssim = mean_of(map, pixels);
	flip_compare(&first, &second, size, size, FLIP_PIXELS_PER_DEGREE, map);
	likeness.flip = mean_of(map, pixels);
	for (size_t i = 0; i < pixels; i++) {
		if (!is_seen(a, i) && !is_seen(b, i)) {
			continue;
		}
		likeness.covered++;
		likeness.unlike += a->straight[i * 4 + 3] != b->straight[i * 4 + 3];
		likeness.flip_on += map[i];
		for (size_t k = 0; k < 3; k++) {
			likeness.mean += abs(a->on_white[i * 4 + k] - b->on_white[i * 4 + k]) / 3.0;
		}
	}
	likeness.flip_on /= likeness.covered;
	likeness.mean /= likeness.covered;
	free(map);
	return likeness;
}

static struct likeness look(
	const struct rig *rig, const struct picture_settings *picture, const char *name) {
	struct drawn drawn[2];
	for (int i = 0; i < 2; i++) {
		drawn[i].straight = xcalloc(PIXELS, 4);
		drawn[i].on_white = xcalloc(PIXELS, 4);
		draw(i == 0 ? driver : rasteriser, rig, picture, &drawn[i]);
	}
	const struct likeness found = compare(&drawn[0], &drawn[1], picture->width);
	print_message("%-32s %4d  yaw %3.0f  covered %6d  unlike %3d  SSIM %.5f  FLIP %.4f, on the "
		      "figure %.4f  mean %.2f\n",
		name, picture->width, picture->camera.yaw_deg, found.covered, found.unlike,
		found.ssim, found.flip, found.flip_on, found.mean);
	for (int i = 0; i < 2; i++) {
		free(drawn[i].straight);
		free(drawn[i].on_white);
	}
	return found;
}

/* From the front and from between, small and larger. */
static void hold(struct rig *rig, const char *name) {
	for (int i = 0; i < 4; i++) {
		const struct picture_settings picture = {
			.width = i < 2 ? 256 : 512,
			.height = i < 2 ? 256 : 512,
			.samples = 4,
			.camera = {.kind = CAMERA_ORBIT,
				.yaw_deg = i % 2 == 0 ? 0 : 35,
				.pitch_deg = i % 2 == 0 ? 0 : 12,
				.fov_deg = 30},
		};
		const struct likeness found = look(rig, &picture, name);
		assert_true(found.covered > 100);
		assert_in_range(found.unlike, 0, UNLIKE_PIXELS);
		assert_true(found.ssim >= LEAST_SSIM);
		assert_true(found.flip <= MOST_FLIP);
		assert_true(found.flip_on <= MOST_FLIP_ON);
		assert_true(found.mean <= MOST_MEAN);
	}
	rig_release(rig);
}

static void demo_rigs_look_as_with_the_driver(void **state) {
	(void)state;
	static const char *const paths[] = {"assets/demo/humanoid.glb", "assets/demo/head.glb",
		"assets/demo/cyl2.glb", "assets/demo/tube23.glb"};
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		hold(own_rig(paths[i]), paths[i] + strlen("assets/demo/"));
	}
}

static void public_rigs_look_as_with_the_driver(void **state) {
	(void)state;
	static const char *const paths[] = {
		"khronos-Fox/glTF-Binary/Fox.glb",
		"khronos-RiggedFigure/glTF-Binary/RiggedFigure.glb",
		"kaykit-adventurers/Characters/gltf/Knight.glb",
		"godot-mannequiny/mannequiny.glb",
		"raylib/gltf/robot.glb",
	};
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		hold(shared_rig(paths[i]), strrchr(paths[i], '/') + 1);
	}
}

/* The vertices' alpha, and not what is painted on them, makes holes. */
static void vertices_make_holes_under_paint(void **state) {
	(void)state;
	static const enum shading shadings[] = {SHADING_CHECKER, SHADING_WEIGHTS, SHADING_NORMALS};
	for (int i = 0; i < 6; i++) {
		struct rig *rig = own_rig("assets/demo/humanoid.glb");
		const size_t count = (size_t)rig->vertex_count;
		rig->colors = rig_storage(rig, count * 4, sizeof(float), "colours", NULL);
		for (size_t k = 0; k < count * 4; k++) {
			rig->colors[k] = k % 4 < 3 ? 1 : rig->positions[k / 4 * 3] > 0 ? 1 : 0;
		}
		for (int k = 0; k < rig->material_count; k++) {
			rig->materials[k].alpha_mode = i % 2 ? ALPHA_BLEND : ALPHA_MASK;
			rig->materials[k].alpha_cutoff = 0.5f;
		}
		const struct picture_settings picture = {
			.width = 256,
			.height = 256,
			.samples = 4,
			.camera = {.kind = CAMERA_ORBIT, .yaw_deg = 35, .fov_deg = 30},
			.shading = {.mode = shadings[i / 2]},
		};
		const struct likeness found = look(rig, &picture, "half a humanoid");
		assert_in_range(found.covered, 100, 7000);
		assert_in_range(found.unlike, 0, UNLIKE_HOLES);
		rig_release(rig);
	}
}

static void add_sun(struct rig *rig) {
	rig->lights = rig_storage(rig, 1, sizeof *rig->lights, "lights", NULL);
	rig->light_count = 1;
	rig->lights[0] = (struct light){.kind = LIGHT_DIRECTIONAL,
		.color = {1, 0.9F, 0.8F},
		.intensity = 2,
		.name = xstrndup("", 0)};
}

/* A material of MToon in which everything but textures has something to say. */
static void make_toon(struct material *m, enum outline_mode mode) {
	m->mtoon = true;
	m->outline_mode = mode;
	m->toon.shading_toony = 0.5F;
	m->toon.shading_shift = -0.1F;
	m->toon.outline_width = 0.01F;
	m->toon.outline_lighting_mix = 0.5F;
	m->toon.gi_equalization = 0.4F;
	m->toon.rim_lighting_mix = 0.5F;
	for (int k = 0; k < 3; k++) {
		m->toon.shade_color[k] = 0.1F * (float)(k + 1);
		m->toon.rim_color[k] = 0.3F - 0.1F * (float)k;
		m->toon.outline_color[k] = 0.4F;
	}
}

static void toon_looks_as_with_the_driver(void **state) {
	(void)state;
	static const enum outline_mode modes[] = {OUTLINE_NONE, OUTLINE_WORLD, OUTLINE_SCREEN};
	for (int i = 0; i < 6; i++) {
		struct rig *rig = own_rig("assets/demo/humanoid.glb");
		add_sun(rig);
		for (int k = 0; k < rig->material_count; k++) {
			struct material *m = &rig->materials[k];
			make_toon(m, modes[i % 3]);
			m->alpha_mode = i < 3 ? ALPHA_OPAQUE : ALPHA_BLEND;
			m->base_color[3] = 0.6F;
			m->transparent_with_z_write = i >= 3;
			m->render_queue_offset = i < 3 ? 0 : k % 10;
		}
		const struct picture_settings picture = {
			.width = 256,
			.height = 256,
			.samples = 4,
			.camera = {.kind = CAMERA_ORBIT,
				.yaw_deg = 35,
				.pitch_deg = 12,
				.fov_deg = 30},
		};
		const struct likeness found = look(rig, &picture, "toon humanoid");
		assert_in_range(found.covered, 100, 20000);
		// Alpha of layers is rounded in other places.
		assert_true(i >= 3 || found.unlike <= UNLIKE_OUTLINES);
		assert_true(found.ssim >= LEAST_SSIM);
		assert_true(found.flip <= MOST_FLIP);
		assert_true(found.mean <= MOST_MEAN);
		rig_release(rig);
	}
}

/* Bounds for shadows that are cast: a sample of the key that one side sees and the other does not
 * is a step of 1 / KEY_MAPS of its light. */
#define CAST_SSIM 0.995
#define CAST_MEAN 1.5

static struct picture_settings casting(enum environment environment) {
	return (struct picture_settings){
		.width = 256,
		.height = 256,
		.samples = 4,
		.background = {1, 1, 1, 1},
		.camera = {.kind = CAMERA_ORBIT,
			.yaw_deg = 35,
			.pitch_deg = 20,
			.fov_deg = 30,
			.margin_change = 0.1},
		.look = {.environment = environment, .shadow = SHADOW_CAST},
	};
}

static void hold_cast(struct rig *rig, const char *name, enum environment environment) {
	const struct picture_settings picture = casting(environment);
	const struct likeness found = look(rig, &picture, name);
	assert_in_range(found.unlike, 0, 0);
	assert_true(found.ssim >= CAST_SSIM);
	assert_true(found.flip <= MOST_FLIP);
	assert_true(found.mean <= CAST_MEAN);
	rig_release(rig);
}

static void make_sparse(struct rig *rig, enum alpha_mode mode, float transmission) {
	for (int k = 0; k < rig->material_count; k++) {
		rig->materials[k].alpha_mode = mode;
		rig->materials[k].base_color[3] = 0.5F;
		rig->materials[k].alpha_cutoff = 0.4F;
		rig->materials[k].transmission = transmission;
	}
}

static void cast_shadows_look_as_with_the_driver(void **state) {
	(void)state;
	hold_cast(own_rig("assets/demo/humanoid.glb"), "cast humanoid", ENVIRONMENT_STUDIO);
	hold_cast(own_rig("assets/demo/head.glb"), "cast head", ENVIRONMENT_STUDIO);
	hold_cast(shared_rig("kaykit-adventurers/Characters/gltf/Knight.glb"), "cast Knight",
		ENVIRONMENT_STUDIO);
	hold_cast(shared_rig("khronos-Fox/glTF-Binary/Fox.glb"), "cast Fox", ENVIRONMENT_STUDIO);
	struct rig *rig = own_rig("assets/demo/humanoid.glb");
	add_sun(rig);
	hold_cast(rig, "cast by a sun", ENVIRONMENT_SOFT);
	rig = own_rig("assets/demo/humanoid.glb");
	add_sun(rig);
	for (int k = 0; k < rig->material_count; k++) {
		make_toon(&rig->materials[k], OUTLINE_NONE);
	}
	hold_cast(rig, "cast on toon", ENVIRONMENT_NONE);
	for (int i = 0; i < 3; i++) {
		rig = own_rig("assets/demo/humanoid.glb");
		make_sparse(rig,
			i == 0           ? ALPHA_MASK
				: i == 1 ? ALPHA_BLEND
					 : ALPHA_OPAQUE,
			i == 2 ? 0.6F : 0);
		hold_cast(rig, "cast by what lets light through", ENVIRONMENT_STUDIO);
	}
}

/* Light of the ground where no surface hides it, of its green. */
static double ground_light(struct renderer *renderer, struct rig *rig, enum shadow shadow) {
	struct picture_settings picture = casting(ENVIRONMENT_STUDIO);
	struct drawn seen = {xcalloc(PIXELS, 4), xcalloc(PIXELS, 4)};
	struct drawn figure = {xcalloc(PIXELS, 4), xcalloc(PIXELS, 4)};
	picture.look.shadow = shadow;
	draw(renderer, rig, &picture, &seen);
	picture.look.shadow = SHADOW_NONE;
	picture.background[3] = 0;
	draw(renderer, rig, &picture, &figure);
	double sum = 0;
	int count = 0;
	for (size_t i = 0; i < 256 * 256; i++) {
		if (!is_seen(&figure, i)) {
			sum += srgb_to_linear(seen.on_white[i * 4 + 1] / 255.0);
			count++;
		}
	}
	free(seen.straight);
	free(seen.on_white);
	free(figure.straight);
	free(figure.on_white);
	return sum / count;
}

/* What is half opaque takes half of the light from the ground. */
static void shadows_of_blended_surfaces_are_scaled(void **state) {
	(void)state;
	for (int i = 0; i < 2; i++) {
		struct renderer *renderer = i == 0 ? driver : rasteriser;
		double taken[3];
		for (int k = 0; k < 3; k++) {
			struct rig *rig = own_rig("assets/demo/tube23.glb");
			for (int m = 0; m < rig->material_count; m++) {
				rig->materials[m].alpha_mode = ALPHA_BLEND;
				rig->materials[m].base_color[3] = k == 0 ? 0.006F
					: k == 1                         ? 0.5F
									 : 0.995F;
			}
			taken[k] = ground_light(renderer, rig, SHADOW_CONTACT) -
				ground_light(renderer, rig, SHADOW_CAST);
			rig_release(rig);
		}
		assert_true(fabs(taken[0]) < 0.02 * taken[2]);
		assert_near(taken[1], taken[2] / 2, 0.03 * taken[2]);
	}
}

int main(void) {
	struct error err = {0};
	const struct renderer_options software = {.choice = RENDERER_SOFTWARE};
	const struct renderer_options cpu = {.choice = RENDERER_CPU};
	driver = renderer_create(&software, &err);
	if (!driver) {
		printf("no software driver: %s\n", err.text);
		return EXIT_NO_DEVICE;
	}
	rasteriser = renderer_create(&cpu, &err);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(demo_rigs_look_as_with_the_driver),
		cmocka_unit_test(public_rigs_look_as_with_the_driver),
		cmocka_unit_test(vertices_make_holes_under_paint),
		cmocka_unit_test(toon_looks_as_with_the_driver),
		cmocka_unit_test(cast_shadows_look_as_with_the_driver),
		cmocka_unit_test(shadows_of_blended_surfaces_are_scaled),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	renderer_destroy(rasteriser);
	renderer_destroy(driver);
	return failed;
}
