// The cost of the full shading beside the plain one: CPU time of a picture, all threads of the
// driver together, medians of pictures drawn in turns.
//
//   bench_shading FILE [SIZE]    512 pixels a side without it, 4 samples
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/memory.h"
#include "image/encode.h"
#include "renderer.h"

#define ROUNDS 41

static double cpu_s(void) {
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int ascending(const void *a, const void *b) {
	const double left = *(const double *)a, right = *(const double *)b;
	return (left > right) - (left < right);
}

static void stop_at(const struct error *err) {
	fprintf(stderr, "%s\n", err->text);
	exit(1);
}

static struct rig *read_rig(const char *path) {
	struct buffer bytes = {0};
	struct error err = {0};
	FILE *file = fopen(path, "rb");
	char piece[65536];
	for (size_t count; file && (count = fread(piece, 1, sizeof piece, file)) > 0;) {
		buffer_append(&bytes, piece, count);
	}
	struct rig *rig = renderer_import(bytes.data, bytes.size, &err);
	if (file) {
		fclose(file);
	}
	buffer_finish(&bytes);
	if (!rig) {
		stop_at(&err);
	}
	return rig;
}

static double draw(struct renderer *renderer, struct frame_job *job, enum shading mode) {
	struct buffer pixels = {0};
	struct skinning_report report;
	struct error err = {0};
	job->picture.shading.mode = mode;
	const double start = cpu_s();
	if (!renderer_frame(renderer, job, &pixels, &report, &err)) {
		stop_at(&err);
	}
	const double taken = cpu_s() - start;
	buffer_finish(&pixels);
	return taken;
}

int main(int argc, char **argv) {
	if (argc < 2) {
		fprintf(stderr, "usage: bench_shading FILE [SIZE]\n");
		return 2;
	}
	const int size = argc > 2 ? atoi(argv[2]) : 512;
	struct error err = {0};
	const struct renderer_options options = {.choice = RENDERER_AUTO};
	struct renderer *renderer = renderer_create(&options, &err);
	if (!renderer) {
		stop_at(&err);
	}
	struct rig *rig = read_rig(argv[1]);
	struct frame_job job = {
		.subject = {.rig = rig},
		.picture =
			{
				.width = size,
				.height = size,
				.samples = 4,
				.camera = {.yaw_deg = 30, .pitch_deg = 15, .fov_deg = 30},
				.format = picture_format_named("rgba"),
			},
	};
	double plain[ROUNDS], full[ROUNDS];
	draw(renderer, &job, SHADING_PLAIN);
	draw(renderer, &job, SHADING_MATERIAL);
	for (int i = 0; i < ROUNDS; i++) {
		plain[i] = draw(renderer, &job, SHADING_PLAIN);
		full[i] = draw(renderer, &job, SHADING_MATERIAL);
	}
	qsort(plain, ROUNDS, sizeof *plain, ascending);
	qsort(full, ROUNDS, sizeof *full, ascending);
	printf("%s: plain %.2f ms, full %.2f ms, ratio %.2f\n", argv[1], plain[ROUNDS / 2] * 1e3,
		full[ROUNDS / 2] * 1e3, full[ROUNDS / 2] / plain[ROUNDS / 2]);
	rig_release(rig);
	renderer_destroy(renderer);
	return 0;
}
