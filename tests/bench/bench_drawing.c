// The time of whole pictures in the rest pose: skinning, camera, full materials and the format. CPU
// time of the process, all threads of a driver together, least and median.
//
//   bench_drawing RENDERER SIZE FORMAT FILE [ROUNDS [SHADING]]
//
// RENDERER is cpu, cpu4, cpu8 or cpu16 (with as many lanes: SSE2, AVX2, AVX-512), software
// (llvmpipe) or gpu; FORMAT is rgba or png; SHADING is material or plain.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "image/encode.h"
#include "raster/raster.h"
#include "renderer.h"
#include "state/state.h"

#define ROUNDS_MOST 2000

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

static double draw(struct renderer *renderer, const struct frame_job *job) {
	struct buffer pixels = {0};
	struct skinning_report report;
	struct error err = {0};
	const double start = cpu_s();
	if (!renderer_frame(renderer, job, &pixels, &report, &err)) {
		stop_at(&err);
	}
	const double taken = cpu_s() - start;
	buffer_finish(&pixels);
	return taken;
}

static struct renderer *make_renderer(const char *name) {
	const bool driver = strcmp(name, "software") == 0, gpu = strcmp(name, "gpu") == 0;
	const struct renderer_options options = {
		.choice = driver ? RENDERER_SOFTWARE
			: gpu    ? RENDERER_GPU
				 : RENDERER_CPU,
	};
	struct error err = {0};
	struct renderer *renderer = renderer_create(&options, &err);
	if (!renderer) {
		stop_at(&err);
	}
	if (strncmp(name, "cpu", 3) == 0 && name[3]) {
		raster_back_end_choose(renderer->back_end,
			&(struct raster_choice){6, RASTER_QUEUE, atoi(name + 3)});
	}
	return renderer;
}

int main(int argc, char **argv) {
	if (argc < 5) {
		fprintf(stderr,
			"usage: bench_drawing RENDERER SIZE FORMAT FILE [ROUNDS [SHADING]]\n");
		return 2;
	}
	memory_keep_freed(); // as the daemon
	struct renderer *renderer = make_renderer(argv[1]);
	struct rig *rig = read_rig(argv[4]);
	const int asked = argc > 5 ? atoi(argv[5]) : 101;
	const int rounds = asked < ROUNDS_MOST ? asked : ROUNDS_MOST;
	const bool plain = argc > 6 && strcmp(argv[6], "plain") == 0;
	const struct frame_job job = {
		.subject = {.rig = rig},
		.picture =
			{
				.width = atoi(argv[2]),
				.height = atoi(argv[2]),
				.samples = 4,
				.camera = {.yaw_deg = 30, .pitch_deg = 15, .fov_deg = 30},
				.format = picture_format_named(argv[3]),
				.shading = {.mode = plain ? SHADING_PLAIN : SHADING_MATERIAL},
			},
	};
	double times[ROUNDS_MOST];
	draw(renderer, &job);
	for (int i = 0; i < rounds; i++) {
		times[i] = draw(renderer, &job);
	}
	qsort(times, (size_t)rounds, sizeof *times, ascending);
	printf("%-8s %-16s %4s: least %.3f ms, median %.3f\n", argv[1],
		strrchr(argv[4], '/') ? strrchr(argv[4], '/') + 1 : argv[4], argv[2],
		times[0] * 1e3, times[rounds / 2] * 1e3);
	rig_release(rig);
	renderer_destroy(renderer);
	return 0;
}
