// What compressing clips costs and gives: bytes, errors and times.
//
// bench_clips [--tolerance METRES] [--segment SAMPLES] [--set] [--dump FOLDER] FILE...
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/memory.h"
#include "compress/compress.h"
#include "compress/source.h"
#include "renderer.h"

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
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	return rig;
}

static double now_s(void) {
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void put_floats(FILE *file, const double *numbers, int count) {
	for (int i = 0; i < count; i++) {
		const float number = (float)numbers[i];
		fwrite(&number, sizeof number, 1, file);
	}
}

static void dump(
	const char *folder, const char *name, const struct rig *rig, int clip, double tolerance_m) {
	char path[4096];
	snprintf(path, sizeof path, "%s/%s_%03d.cdmp", folder, name, clip);
	FILE *file = fopen(path, "wb");
	struct arena *arena = arena_create();
	struct source source;
	struct error err = {0};
	if (!file ||
		!source_make(rig, &rig->clips[clip], source_rate(&rig->clips[clip]), arena, &source,
			&err)) {
		fprintf(stderr, "%s: %s\n", path, err.text);
		exit(1);
	}
	const unsigned counts[2] = {(unsigned)rig->joint_count, (unsigned)source.sample_count};
	const double facts[3] = {source.rate, tolerance_m, error_shell_default_radius(rig)};
	fwrite("CDMP", 4, 1, file);
	fwrite(counts, sizeof counts, 1, file);
	put_floats(file, facts, 3);
	for (int i = 0; i < rig->joint_count; i++) {
		fwrite(&rig->joints[i].parent, 4, 1, file);
	}
	for (int i = 0; i < rig->joint_count; i++) {
		fwrite(&rig->joints[i].rest, sizeof rig->joints[i].rest, 1, file);
	}
	for (int i = 0; i < source.sample_count * rig->joint_count; i++) {
		put_floats(file, source.local[i].translation, 3);
		put_floats(file, source.local[i].rotation, 4);
		put_floats(file, source.local[i].scale, 3);
	}
	fclose(file);
	arena_destroy(arena);
}

int main(int argc, char **argv) {
	static const struct option options[] = {{"tolerance", required_argument, NULL, 't'},
		{"segment", required_argument, NULL, 's'}, {"set", no_argument, NULL, 'a'},
		{"dump", required_argument, NULL, 'd'}, {0}};
	double tolerance_m = 1e-4;
	int segment = 64, option;
	bool set = false;
	const char *folder = NULL;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 't':
			tolerance_m = strtod(optarg, NULL);
			break;
		case 's':
			segment = atoi(optarg);
			break;
		case 'a':
			set = true;
			break;
		case 'd':
			folder = optarg;
			break;
		default:
			return 2;
		}
	}
	size_t total = 0;
	for (; optind < argc; optind++) {
		const char *name =
			strrchr(argv[optind], '/') ? strrchr(argv[optind], '/') + 1 : argv[optind];
		struct rig *rig = read_rig(argv[optind]);
		struct compress_report *reports =
			xcalloc((size_t)rig->clip_count + 1, sizeof *reports);
		const double scale = error_shell_default_radius(rig) / 0.03;
		const struct compress_options how = {
			.tolerance_m = tolerance_m * scale, .segment_samples = segment};
		for (int i = 0; i < rig->clip_count; i++) {
			struct buffer out = {0};
			struct error err = {0};
			int *all = xcalloc((size_t)rig->clip_count, sizeof *all);
			for (int k = 0; k < rig->clip_count; k++) {
				all[k] = k;
			}
			if (folder) {
				dump(folder, name, rig, i, tolerance_m * scale);
			}
			const double start = now_s();
			if (!compress_clips(rig, set ? all : &all[i], set ? rig->clip_count : 1,
				    &how, NULL, reports, &out, &err)) {
				printf("%s %d: %s\n", name, i, err.text);
			} else {
				printf("%s %d %s: %d samples at %g, %zu bytes, error %.4g p99 %.4g "
				       "rms %.4g at samples %.4g of %.4g, %.3f s\n",
					name, i, rig->clips[i].name, reports[0].sample_count,
					reports[0].rate, out.size, reports[0].error.max_m,
					reports[0].error.p99_m, reports[0].error.rms_m,
					reports[0].error.max_at_samples_m, reports[0].tolerance_m,
					now_s() - start);
				total += out.size;
			}
			buffer_finish(&out);
			free(all);
			if (set) {
				break;
			}
		}
		free(reports);
		rig_release(rig);
	}
	printf("total %zu bytes\n", total);
	return 0;
}
