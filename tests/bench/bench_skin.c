// Vertices per second of every skinning method on CPU and GPU, beside a plain loop and memcpy.
//
// The mesh is the one of the measured tables: 13,206 vertices, 23 joints, 4 influences. Each figure
// is the median of several runs; all runs of one round follow one another, so that a slow moment of
// the machine falls on all of them.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../unit/rigs.h"
#include "base/mat.h"
#include "plain_loop.h"
#include "renderer.h"
#include "skin/method.h"
#include "skin/palette.h"

#define JOINTS 23
#define VERTICES 13206
#define ROUNDS 21
#define FRAMES 40 // skinned per round
#define ROWS_MAX 128

struct bench {
	struct rig *rig;
	double matrices[JOINTS][12];
	float *out;   // positions, then normals
	float *spare; // for displaced vertices
	struct skin_library *library;
	struct arena *arena;
	struct renderer *renderer;
};

struct row {
	const char *name;
	void (*run)(struct bench *bench, const struct skinning_method *method);
	const struct skinning_method *method;
	double millions[ROUNDS]; // vertices a second
};

static double now_s(void) {
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void run_memcpy(struct bench *bench, const struct skinning_method *method) {
	(void)method;
	memcpy(bench->out, bench->rig->positions, VERTICES * 3 * sizeof(float));
	memcpy(bench->out + VERTICES * 3, bench->rig->normals, VERTICES * 3 * sizeof(float));
}

static void run_plain_loop(struct bench *bench, const struct skinning_method *method) {
	const struct skin_plan plan = plan_of(method, bench->rig, bench->library);
	struct arena *arena = arena_create();
	const struct skin_palette palette =
		palette_of(&plan, (const double(*)[12])bench->matrices, arena);
	plain_loop(bench->rig, palette.floats, bench->out, bench->out + VERTICES * 3);
	arena_destroy(arena);
}

static void skin(struct bench *bench, const struct skinning_method *method, bool plain) {
	struct skin_plan plan = plan_of(method, bench->rig, bench->library);
	const struct skin_palette palette =
		palette_of(&plan, (const double(*)[12])bench->matrices, bench->arena);
	const struct skin_job job = {
		.positions = bench->rig->positions,
		.normals = bench->rig->normals,
		.out_positions = bench->out,
		.out_normals = bench->out + VERTICES * 3,
	};
	skin_plan_run(&plan, &palette, &job, bench->spare, plain);
	skin_plan_finish(&plan);
	arena_reset(bench->arena);
}

static void run_cpu(struct bench *bench, const struct skinning_method *method) {
	skin(bench, method, false);
}

static void run_cpu_plain(struct bench *bench, const struct skinning_method *method) {
	skin(bench, method, true);
}

/* With the palette made from the pose and the vertices read back. */
static void run_gpu(struct bench *bench, const struct skinning_method *method) {
	static const enum attribute_bits order[] = {ATTRIBUTE_POSITION, ATTRIBUTE_NORMAL};
	const struct value id = {.kind = VALUE_STRING, .string = method->id};
	const struct vertices_job job = {
		.subject = {.rig = bench->rig, .skinning = {.method = &id, .device = DEVICE_GPU}},
		.order = order,
		.count = 2,
	};
	struct skinning_report report;
	struct error err = {0};
	if (!renderer_vertices(bench->renderer, &job, bench->out, &report, &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
}

static void measure(struct bench *bench, struct row *row, int round) {
	const double start = now_s();
	for (int i = 0; i < FRAMES; i++) {
		row->run(bench, row->method);
	}
	row->millions[round] = FRAMES * (double)VERTICES / (now_s() - start) * 1e-6;
}

static int ascending(const void *a, const void *b) {
	const double left = *(const double *)a, right = *(const double *)b;
	return (left > right) - (left < right);
}

static double median(double *values) {
	qsort(values, ROUNDS, sizeof *values, ascending);
	return values[ROUNDS / 2];
}

static size_t list_rows(const struct bench *bench, struct row *rows) {
	static char names[ROWS_MAX][64];
	size_t count = 0;
	rows[count++] = (struct row){.name = "memcpy of the result", .run = run_memcpy};
	rows[count++] = (struct row){
		.name = "lbs, plain loop, -O3", .run = run_plain_loop, .method = skin_method(0)};
	for (size_t i = 0; skin_method(i) && count + 3 <= ROWS_MAX; i++) {
		const struct skinning_method *method = skin_method(i);
		if (method->recipe &&
			(method->recipe->needs_examples || method->recipe->needs_clip)) {
			continue;
		}
		const struct {
			const char *what;
			void (*run)(struct bench *bench, const struct skinning_method *method);
		} ways[] = {{"cpu", run_cpu}, {"cpu, plain C", run_cpu_plain}, {"gpu", run_gpu}};
		for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
			if (ways[way].run == run_gpu && !bench->renderer) {
				continue;
			}
			snprintf(names[count], sizeof names[count], "%s, %s", method->id,
				ways[way].what);
			rows[count] = (struct row){
				.name = names[count], .run = ways[way].run, .method = method};
			count++;
		}
	}
	return count;
}

static void start(struct bench *bench) {
	bench->rig = rig_random(1, JOINTS, VERTICES, 4);
	bench->out = calloc(VERTICES * 6 + 4, sizeof *bench->out);
	bench->spare = calloc(VERTICES * 6, sizeof *bench->spare);
	bench->library = skin_library_create(NULL, 0);
	bench->arena = arena_create();
	unsigned seed = 9;
	for (int i = 0; i < JOINTS; i++) {
		// Rigid, as joints of most clips are: dual quaternions need no second phase.
		const float one[3] = {1, 1, 1};
		float translation[3], rotation[4];
		for (int k = 0; k < 4; k++) {
			rotation[k] = (float)random_number(&seed);
			translation[k % 3] = 0.2f * (float)random_number(&seed);
		}
		mat_from_transform(translation, rotation, one, bench->matrices[i]);
	}
	const struct renderer_options gpu = {.choice = RENDERER_GPU};
	const struct renderer_options software = {.choice = RENDERER_SOFTWARE};
	bench->renderer = renderer_create(&gpu, NULL);
	if (!bench->renderer) {
		bench->renderer = renderer_create(&software, NULL);
	}
	printf("skinning %d vertices, %d joints, 4 influences, positions and normals\n", VERTICES,
		JOINTS);
	printf("gpu is: %s\n", bench->renderer ? renderer_info(bench->renderer)->renderer : "none");
}

int main(void) {
	struct bench bench;
	struct row rows[ROWS_MAX];
	start(&bench);
	const size_t count = list_rows(&bench, rows);
	for (int round = -1; round < ROUNDS; round++) {
		for (size_t i = 0; i < count; i++) {
			measure(&bench, &rows[i], round < 0 ? 0 : round); // the first warms up
		}
	}
	printf("%-24s %14s %12s\n", "how", "Mvertices/s", "of the loop");
	const double loop = median(rows[1].millions);
	for (size_t i = 0; i < count; i++) {
		const double middle = median(rows[i].millions);
		printf("%-24s %14.1f %12.2f\n", rows[i].name, middle, middle / loop);
	}
	renderer_destroy(bench.renderer);
	rig_release(bench.rig);
	skin_library_destroy(bench.library);
	arena_destroy(bench.arena);
	free(bench.spare);
	free(bench.out);
	return 0;
}
