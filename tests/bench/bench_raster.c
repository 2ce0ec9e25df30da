// Time of the rasteriser's visible half: vertices to bytes with one flat colour, in the rest pose,
// front and three quarters. CPU time of the thread, least and median.
//
//   bench_raster FILE...    256 pixels a side, 4 samples, with as many lanes as there may be
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../unit/rigs.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/lanes.h"
#include "base/memory.h"
#include "import/import.h"
#include "raster/raster.h"
#include "raster/tiles.h"
#include "skin/method.h"
#include "view/camera.h"

#define ROUNDS 101

static double cpu_s(void) {
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int ascending(const void *a, const void *b) {
	const double left = *(const double *)a, right = *(const double *)b;
	return (left > right) - (left < right);
}

static struct rig *read_rig(const char *path) {
	struct buffer bytes = {0};
	struct error err = {0};
	FILE *file = fopen(path, "rb");
	char piece[65536];
	for (size_t count; file && (count = fread(piece, 1, sizeof piece, file)) > 0;) {
		buffer_append(&bytes, piece, count);
	}
	struct rig *rig = import_rig(bytes.data, bytes.size, &err);
	if (file) {
		fclose(file);
	}
	buffer_finish(&bytes);
	if (!rig) {
		fprintf(stderr, "%s: %s\n", path, err.text);
		exit(1);
	}
	return rig;
}

static void white(
	const void *context, const struct raster_fragments *fragments, struct raster_colors *out) {
	size_t *shaded = (size_t *)(uintptr_t)context;
	const size_t size = (size_t)(fragments->count + 7) / 8 * 8 * sizeof *out->red;
	*shaded += (size_t)fragments->count;
	for (size_t i = 0; i < size / sizeof *out->red; i++) {
		out->red[i] = out->green[i] = out->blue[i] = out->alpha[i] = 1;
	}
}

struct scene {
	struct raster_figure figure;
	struct raster_target target;
	float *positions, *normals;
	size_t shaded;
};

static void make_scene(struct scene *scene, const struct rig *rig, int size, double yaw) {
	struct arena *arena = arena_create();
	const struct pose pose = pose_rest(rig, arena);
	const size_t floats = (size_t)rig->vertex_count * 3;
	*scene = (struct scene){.target = {size, size, 4, RASTER_STRAIGHT, {0}},
		.positions = xcalloc(floats, sizeof(float)),
		.normals = xcalloc(floats, sizeof(float))};
	skin_pose(rig, skin_method(0), &pose, false, scene->positions, scene->normals);
	struct camera_settings settings = {.kind = CAMERA_ORBIT, .yaw_deg = yaw, .fov_deg = 35};
	struct camera camera;
	struct error err = {0};
	if (!camera_make(
		    &settings, 1, scene->positions, (size_t)rig->vertex_count, &camera, &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	struct raster_surface *surfaces =
		xcalloc((size_t)rig->primitive_count + 1, sizeof *surfaces);
	for (int i = 0; i < rig->primitive_count; i++) {
		const int material = rig->primitives[i].material;
		surfaces[i] = (struct raster_surface){.kind = RASTER_OPAQUE,
			.shade = white,
			.context = &scene->shaded,
			.one_sided = material < 0 || !rig->materials[material].double_sided};
	}
	scene->figure = (struct raster_figure){.rig = rig,
		.surfaces = surfaces,
		.positions = scene->positions,
		.normals = scene->normals};
	for (int i = 0; i < 16; i++) {
		scene->figure.view_projection[i] =
			(float)camera.view_projection[i] * (i % 4 == 1 ? -1.0f : 1.0f);
	}
	arena_destroy(arena);
}

static double draw(struct raster *raster, struct scene *scene, unsigned char *rgba) {
	const struct raster_area all = {0, 0, scene->target.width, scene->target.height};
	const double start = cpu_s();
	scene->shaded = 0;
	raster_begin(raster, &scene->target, NULL);
	raster_surfaces(raster, &scene->figure, NULL);
	raster_read(raster, &all, rgba);
	return cpu_s() - start;
}

static void measure(const char *name, const struct rig *rig, int size, double yaw, int width) {
	struct scene scene;
	double times[ROUNDS];
	struct raster *raster = raster_create();
	unsigned char *rgba = xcalloc((size_t)size * (size_t)size, 4);
	make_scene(&scene, rig, size, yaw);
	raster_choose(raster, &(struct raster_choice){6, RASTER_QUEUE, width});
	for (int i = 0; i < ROUNDS; i++) {
		times[i] = draw(raster, &scene, rgba);
	}
	qsort(times, ROUNDS, sizeof *times, ascending);
	printf("%-40s %4d %3.0f %d lanes: least %.3f ms, median %.3f, %zu fragments\n", name, size,
		yaw, width, times[0] * 1e3, times[ROUNDS / 2] * 1e3, scene.shaded);
	raster_destroy(raster);
	free(scene.positions);
	free(scene.normals);
	free((void *)(uintptr_t)scene.figure.surfaces);
	free(rgba);
}

int main(int argc, char **argv) {
	for (int i = 1; i < argc; i++) {
		struct rig *rig = read_rig(argv[i]);
		for (int width = 4; width <= (LANES_CPU_HAS_AVX512() ? 16 : 8); width *= 2) {
			measure(argv[i], rig, 256, 0, width);
			measure(argv[i], rig, 256, 30, width);
		}
		rig_release(rig);
	}
	return 0;
}
