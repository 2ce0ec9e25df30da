// Bytes of float32 positions and normals a second that one core makes packed frames of, and how
// many are left of them: a figure's clip at 30 frames a second. In time of the thread's own, so
// that others on the machine do not count but for the caches that they take.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/memory.h"
#include "renderer.h"

#define FRAMES 60
#define RATE 30.0
#define ROUNDS 15

static const enum attribute_bits attributes[] = {ATTRIBUTE_POSITION, ATTRIBUTE_NORMAL};

struct bench {
	struct renderer *renderer;
	struct rig *rig;
	size_t vertices;
	float *numbers; // [FRAMES][vertices][6]
	struct bounds bounds;
};

static double now_s(void) {
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static struct rig *load(const char *path) {
	struct buffer bytes = {0};
	struct error err = {0};
	FILE *file = fopen(path, "rb");
	for (size_t got = 1; file && got > 0;) {
		got = fread(buffer_reserve(&bytes, 1 << 20), 1, 1 << 20, file);
		bytes.size += got;
	}
	struct rig *rig = file ? renderer_import(bytes.data, bytes.size, &err) : NULL;
	if (file) {
		fclose(file);
	}
	buffer_finish(&bytes);
	return rig;
}

static bool skin(struct bench *bench, const char *clip) {
	const struct value text = {.kind = VALUE_STRING, .string = clip, .key = "clip"};
	const struct value loop = {.kind = VALUE_STRING, .string = "repeat", .key = "loop"};
	const struct value members[] = {text, loop};
	const struct value pose = {.kind = VALUE_OBJECT, .count = 2, .items = members};
	struct skinning_report report;
	struct error err = {0};
	bench->bounds = (struct bounds){{1e30, 1e30, 1e30}, {-1e30, -1e30, -1e30}};
	for (size_t i = 0; i < FRAMES; i++) {
		const struct vertices_job job = {
			.subject = {.rig = bench->rig, .pose = &pose, .clock_s = (double)i / RATE},
			.order = attributes,
			.count = 2,
		};
		float *frame = bench->numbers + i * bench->vertices * 6;
		if (!renderer_vertices(bench->renderer, &job, frame, &report, &err)) {
			fprintf(stderr, "%s\n", err.text);
			return false;
		}
		packer_measure(frame, bench->vertices, &bench->bounds);
	}
	return true;
}

static int compare(const void *a, const void *b) {
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void run(struct bench *bench, const char *name, const struct packing_settings *packing) {
	const struct skinning_settings skinning = {0};
	struct error err = {0};
	int vertices;
	struct packer *packer = renderer_packer(
		bench->renderer, bench->rig, &skinning, packing, NULL, &vertices, &err);
	struct buffer out = {0};
	double seconds[ROUNDS];
	for (size_t round = 0; round < ROUNDS; round++) {
		packer_set_box(packer, &bench->bounds, &err);
		out.size = 0;
		const double begun_s = now_s();
		for (size_t i = 0; i < FRAMES; i++) {
			const float *frame = bench->numbers + i * bench->vertices * 6;
			packer_add_frame(packer, frame, frame + bench->vertices * 3, &out);
		}
		seconds[round] = now_s() - begun_s;
	}
	qsort(seconds, ROUNDS, sizeof *seconds, compare);
	const double floats = (double)FRAMES * (double)bench->vertices * 24;
	printf("%-28s %8.0f MB/s (best %.0f) %8.2f bytes a vertex %6.1f %%\n", name,
		floats / seconds[ROUNDS / 2] / 1e6, floats / seconds[0] / 1e6,
		(double)out.size / floats * 24, (double)out.size / floats * 100);
	buffer_finish(&out);
	packer_destroy(packer);
}

static void run_clip(struct bench *bench, const char *clip) {
	static const struct {
		const char *name;
		struct packing_settings packing;
	} ways[] = {
		{"packed only", {true, true, 16, false, false, false}},
		{"meshopt, 14 bits", {true, true, 14, true, true, true}},
		{"meshopt, 16 bits", {true, true, 16, true, true, true}},
		{"meshopt, frames by themselves", {true, true, 14, true, false, false}},
	};
	printf("%s\n", clip);
	for (size_t i = 0; skin(bench, clip) && i < sizeof ways / sizeof *ways; i++) {
		run(bench, ways[i].name, &ways[i].packing);
	}
}

int main(void) {
	const struct renderer_options options = {.choice = RENDERER_NONE};
	struct error err = {0};
	struct bench bench = {.renderer = renderer_create(&options, &err),
		.rig = load("assets/demo/humanoid.glb")};
	if (!bench.renderer || !bench.rig) {
		fprintf(stderr, "no renderer, or no assets/demo/humanoid.glb below this folder\n");
		return EXIT_FAILURE;
	}
	bench.vertices = (size_t)bench.rig->vertex_count;
	bench.numbers = xcalloc(FRAMES * bench.vertices * 6, sizeof *bench.numbers);
	run_clip(&bench, "Walk");
	run_clip(&bench, "Run");
	free(bench.numbers);
	rig_release(bench.rig);
	renderer_destroy(bench.renderer);
	return EXIT_SUCCESS;
}
