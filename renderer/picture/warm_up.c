// Drawing everything once before the first request: drivers compile a shader when it is first
// drawn with, and again for each new state.
#include <assert.h>
#include <stdlib.h>

#include "base/delayed.h"
#include "draw/back_end.h"
#include "interface/assets.h"
#include "interface/pictures.h"
#include "state/context.h"
#include "state/state.h"

/* One triangle twice: opaque and blended. */
static const char triangle[] =
	"{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
	"\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":["
	"{\"attributes\":{\"POSITION\":0},\"material\":0},"
	"{\"attributes\":{\"POSITION\":0},\"material\":1}]}],"
	"\"materials\":[{\"doubleSided\":true},{\"doubleSided\":true,\"alphaMode\":\"BLEND\"}],"
	"\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","
	"\"min\":[0,0,0],\"max\":[1,1,0]}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
	"\"buffers\":[{\"byteLength\":36,\"uri\":\"data:application/octet-stream;base64,"
	"AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"}]}";

#define SIZE 8 // pixels a side

/* Draws the triangle across the whole frame and looks at a pixel in its middle. */
static bool draw_once(
	struct renderer *renderer, const struct rig *rig, int samples, struct error *err) {
	const struct frame_job
		job =
			{
				.subject = {.rig = rig},
				.picture =
					{
						.width = SIZE,
						.height = SIZE,
						.samples = samples,
						.camera =
							{
								.kind = CAMERA_MATRICES,
								.view = {1, 0, 0, 0, 0, 1, 0, 0, 0,
									0, 1, 0, 0, 0, 0, 1},
								.projection = {4, 0, 0, 0, 0, 4, 0,
									0, 0, 0, 1, 0, -1, -1, 0, 1},
							},
					},
			};
	struct buffer png = {0};
	struct skinning_report report;
	bool ok = renderer_frame(renderer, &job, &png, &report, err);
	buffer_finish(&png);
	unsigned char rgba[SIZE * SIZE * 4];
	const size_t middle = (SIZE / 2 * SIZE + SIZE / 2) * 4;
	const struct area all = {0, 0, SIZE, SIZE};
	const struct picture_start start = {.target = {SIZE, SIZE, samples, false}};
	ok = ok && renderer->back_end->kind->read(renderer->back_end, &start, &all, rgba, err);
	if (ok && rgba[middle + 3] != 255) {
		ok = error_set(err, ERROR_NO_RENDERER,
			"the driver drew nothing: a pixel inside a triangle has alpha %d",
			rgba[middle + 3]);
	}
	return ok;
}

/* By the default method only: each of the others compiles a shader when it is first asked for. */
static bool skin_once(struct renderer *renderer, const struct rig *rig, struct error *err) {
	const enum attribute_bits order[] = {ATTRIBUTE_POSITION};
	const struct vertices_job job = {
		.subject = {.rig = rig,
			.skinning = {.device = renderer->back_end->kind->skin ? DEVICE_GPU
									      : DEVICE_CPU}},
		.order = order,
		.count = 1,
	};
	float positions[6 * 3]; // two triangles
	struct skinning_report report;
	return renderer_vertices(renderer, &job, positions, &report, err);
}

static int by_value(const void *a, const void *b) {
	return *(const int *)a - *(const int *)b;
}

/* The C library asks the system for the size of its memory when it first sorts more than a KiB. */
static void sort_once(void) {
	int numbers[1024];
	for (int i = 0; i < 1024; i++) {
		numbers[i] = i * 389 % 1024;
	}
	qsort(numbers, 1024, sizeof *numbers, by_value);
	assert(numbers[1] == 1);
}

/* Those that only some assets need. One that is not there is an error of the assets that need it.
 */
static void load_import_libraries(void) {
	struct delayed_library *const libraries[] = {
		&delayed_jpeg, &delayed_webp, &delayed_zip, &delayed_zstd};
	for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
		delayed_load(libraries[i], NULL);
	}
}

void renderer_import_warm_up(void) {
	sort_once();
	load_import_libraries();
	rig_release(renderer_import(triangle, sizeof triangle - 1, NULL));
}

bool renderer_warm_up(struct renderer *renderer, struct error *err) {
	if (!renderer->back_end) {
		return context_refuse(renderer, err);
	}
	struct rig *rig = renderer_import(triangle, sizeof triangle - 1, err);
	const int most_samples = renderer_info(renderer)->max_samples;
	const int usual_samples = most_samples < 4 ? most_samples : 4;
	const bool ok = rig && draw_once(renderer, rig, usual_samples, err) &&
		draw_once(renderer, rig, 1, err) && skin_once(renderer, rig, err);
	rig_release(rig);
	return ok;
}
