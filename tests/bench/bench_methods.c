// Every skinning method on crowds of the demo rigs: the thesis' table once more (METHODS A5).
//
// bench_methods [--seconds S] [--warm-up S] [--runs N] [--copies N] [--method ID] [--rig NAME]
//
// Run in the repository's root. Each figure is measured in N runs that make S seconds together; the
// runs of all rows take turns, so that a slow moment of the machine falls on all of them. Prints
// Markdown; what is under way goes to standard error.
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "methods_report.h"

/* A frame has to take this long on a GPU, lest it measures how fast draws are submitted. */
#define MIN_GPU_S 0.010

struct options {
	double seconds, warm_up_s;
	int runs, copies;
	const char *method, *rig; // NULL = all
};

static const char *const tube_joints[] = {"J6", "J12", NULL};
static const char *const humanoid_joints[] = {"LeftForeArm", "RightLeg", NULL};

static const struct crowd_source rigs[] = {
	{"tube23", "assets/demo/tube23.glb", "wave", tube_joints},
	{"humanoid", "assets/demo/humanoid.glb", "Walk", humanoid_joints},
};

static void usage(void) {
	fprintf(stderr,
		"usage: bench_methods [--seconds S] [--warm-up S] [--runs N] [--copies N] "
		"[--method ID] [--rig NAME]\n");
	exit(2);
}

static struct options read_options(int argc, char **argv) {
	static const struct option known[] = {
		{"seconds", required_argument, NULL, 's'},
		{"warm-up", required_argument, NULL, 'w'},
		{"runs", required_argument, NULL, 'n'},
		{"copies", required_argument, NULL, 'c'},
		{"method", required_argument, NULL, 'm'},
		{"rig", required_argument, NULL, 'r'},
		{0},
	};
	struct options options = {.seconds = 10, .warm_up_s = 2, .runs = 5, .copies = 36};
	for (int c; (c = getopt_long(argc, argv, "", known, NULL)) != -1;) {
		switch (c) {
		case 's':
			options.seconds = atof(optarg);
			break;
		case 'w':
			options.warm_up_s = atof(optarg);
			break;
		case 'n':
			options.runs = atoi(optarg);
			break;
		case 'c':
			options.copies = atoi(optarg);
			break;
		case 'm':
			options.method = optarg;
			break;
		case 'r':
			options.rig = optarg;
			break;
		default:
			usage();
		}
	}
	if (optind < argc || options.runs < 1 || options.runs > RUNS_MAX || options.copies < 1) {
		usage();
	}
	return options;
}

static void fail(const struct error *err) {
	fprintf(stderr, "bench_methods: %s\n", err->text);
	exit(1);
}

/* One run of one figure; the first one warms up. */
static void measure(struct crowd *crowd, const struct options *options, struct method_row *row,
	enum way way, int run) {
	const struct crowd_work work = rows_work(row, way);
	struct figure *figure = &row->figures[way];
	struct crowd_times times;
	struct error err = {0};
	if (run > 0 && figure->runs == 0) {
		return;
	}
	const bool ok = crowd_begin(crowd, &work, &err) &&
		crowd_run(crowd, run == 0 ? options->warm_up_s : 0, &times, &err) &&
		crowd_run(crowd, options->seconds / options->runs, &times, &err);
	if (!ok) {
		figure->runs = 0;
		figure->why_not = err;
		return;
	}
	figure->times[figure->runs++] = times;
	fprintf(stderr, "run %d, %s, %s%s: %.2f ms, of the CPU %.2f ms\n", run + 1, row->name,
		work.on_gpu ? "shader" : "CPU", work.drawn ? ", drawn" : "",
		times.wall_s / times.frames * 1e3, times.cpu_s / times.frames * 1e3);
}

/* The factor for the copies at which a frame of the first row takes long enough.
 */
static int enough_copies(struct renderer *renderer, const struct options *options, size_t rig) {
	struct method_row rows[ROWS_MAX];
	rows_list(options->method, rows);
	const struct crowd_work work = rows_work(&rows[0], WAY_GPU_DRAWN);
	for (int times = 1;; times *= 2) {
		struct error err = {0};
		struct crowd_times warm, measured;
		struct crowd *crowd =
			crowd_create(renderer, &rigs[rig], options->copies * times, &err);
		if (!crowd || !crowd_begin(crowd, &work, &err) ||
			!crowd_run(crowd, 0.2, &warm, &err) ||
			!crowd_run(crowd, 0.5, &measured, &err)) {
			fail(&err);
		}
		crowd_destroy(crowd);
		const double gpu_s = measured.gpu_s / measured.frames;
		if (gpu_s == 0 || gpu_s > MIN_GPU_S || times >= 64) {
			return times;
		}
	}
}

static void bench(
	struct renderer *renderer, const struct options *options, size_t rig, int copies) {
	static struct method_row rows[ROWS_MAX];
	const size_t count = rows_list(options->method, rows);
	struct error err = {0};
	struct crowd *crowd = crowd_create(renderer, &rigs[rig], copies, &err);
	if (!crowd) {
		fail(&err);
	}
	for (int run = 0; run < options->runs; run++) {
		for (size_t i = 0; i < count; i++) {
			for (int way = 0; way < WAY_COUNT; way++) {
				measure(crowd, options, &rows[i], (enum way)way, run);
			}
		}
	}
	const struct report report = {
		.info = renderer_info(renderer),
		.rig = rigs[rig].name,
		.copies = copies,
		.rows = rows,
		.row_count = count,
	};
	result_headers_methods(&report);
	result_headers_ratios(&report);
	fflush(stdout);
	crowd_destroy(crowd);
}

int main(int argc, char **argv) {
	const struct options options = read_options(argc, argv);
	const struct renderer_options gpu = {.choice = RENDERER_GPU};
	const struct renderer_options software = {.choice = RENDERER_SOFTWARE};
	struct error err = {0};
	struct renderer *renderer = renderer_create(&gpu, NULL);
	renderer = renderer ? renderer : renderer_create(&software, &err);
	if (!renderer) {
		fail(&err);
	}
	result_headers_machine(renderer_info(renderer));
	for (size_t i = 0; i < sizeof rigs / sizeof *rigs; i++) {
		if (options.rig && strcmp(options.rig, rigs[i].name) != 0) {
			continue;
		}
		bench(renderer, &options, i, options.copies);
		if (strcmp(renderer_info(renderer)->device, "gpu") == 0) {
			const int times = enough_copies(renderer, &options, i);
			if (times > 1) {
				bench(renderer, &options, i, options.copies * times);
			}
		}
	}
	result_headers_thesis();
	renderer_destroy(renderer);
	return 0;
}
