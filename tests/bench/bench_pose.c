// Nanoseconds per joint of sampling two clips, blending them, joints to world (all, and those that
// move vertices, which the total has) and palette, and how long a crowd takes.
//
// bench_pose [--seconds S] [FILE CLIP CLIP]
//
// Run in the repository's root. Each figure is the median of ROUNDS that make S seconds together.
// Forward play moves on by a sixtieth of a second and starts over; random access asks for moments
// anywhere in the clips.
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../unit/rigs.h"
#include "base/memory.h"
#include "import/import.h"
#include "pose/blend/average.h"
#include "pose/operations.h"
#include "pose/sample/sampler.h"
#include "skin/palette.h"

#define ROUNDS 25
#define BATCH 64 // frames between two looks at the clock
#define INSTANCES 1000

struct bench {
	struct rig *rig;
	const struct clip *clips[2];
	double times_s[2];
	bool random;
	unsigned seed;
	struct pose poses[2], blended;
	double (*world)[12], (*matrices)[12];
	float (*palette)[PALETTE_MATRIX_FLOATS];
	struct arena *arena, *frame; // for the whole run, for one frame
};

typedef void step(struct bench *bench);

/* Of this thread: what others do on the machine in between does not count. */
static double now_s(void) {
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b) {
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Seconds that one call takes. */
static double measure(struct bench *bench, step *run, double seconds) {
	double rounds[ROUNDS];
	for (int i = 0; i < BATCH; i++) {
		run(bench);
	}
	for (int r = 0; r < ROUNDS; r++) {
		const double start = now_s();
		double end;
		long calls = 0;
		do {
			for (int i = 0; i < BATCH; i++) {
				run(bench);
			}
			calls += BATCH;
			end = now_s();
		} while (end - start < seconds / ROUNDS);
		rounds[r] = (end - start) / (double)calls;
	}
	qsort(rounds, ROUNDS, sizeof *rounds, compare);
	return rounds[ROUNDS / 2];
}

static void sample(struct bench *bench) {
	for (int k = 0; k < 2; k++) {
		const double duration_s = bench->clips[k]->duration_s;
		double *time_s = &bench->times_s[k];
		if (bench->random) {
			*time_s = (random_number(&bench->seed) + 1) / 2 * duration_s;
		} else {
			*time_s += 1.0 / 60;
			*time_s -= *time_s > duration_s ? duration_s : 0;
		}
		clip_sample(bench->rig, bench->clips[k], *time_s, &bench->poses[k]);
	}
}

static void blend(struct bench *bench) {
	const struct average_input inputs[2] = {
		{.weight = 0.4, .pose = &bench->poses[0]},
		{.weight = 0.6, .pose = &bench->poses[1]},
	};
	arena_reset(bench->frame);
	average_poses(bench->rig, inputs, 2, AVERAGE_NLERP, &bench->blended);
}

static void to_world(struct bench *bench) {
	pose_to_world(bench->rig, &bench->blended, bench->world);
}

/* Without the joints that move no vertex. */
static void to_moving(struct bench *bench) {
	pose_to_moving(bench->rig, &bench->blended, bench->world);
}

static void palette(struct bench *bench) {
	palette_build(bench->rig, (const double(*)[12])bench->world, bench->matrices);
	palette_write_matrices((const double(*)[12])bench->matrices, bench->rig->slot_count,
		bench->palette[0], PALETTE_MATRIX_FLOATS);
}

static void all(struct bench *bench) {
	sample(bench);
	blend(bench);
	to_moving(bench);
	palette(bench);
}

static void print_steps(struct bench *bench, bool at_random, double seconds) {
	static const struct {
		const char *name;
		step *run;
	} steps[] = {
		{"sample", sample},
		{"blend", blend},
		{"world", to_world},
		{"moving", to_moving},
		{"palette", palette},
		{"total", all},
	};
	bench->random = at_random;
	printf("%s %d joints, %d moving vertices:", at_random ? "random" : "forward",
		bench->rig->joint_count, bench->rig->moving_count);
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		const double taken_s = measure(bench, steps[i].run, seconds);
		printf(" %s %.2f", steps[i].name, taken_s * 1e9 / bench->rig->joint_count);
	}
	printf("\n");
}

/* The data of a crowd for each of its members. */
struct instance {
	struct pose pose;
	float (*palette)[PALETTE_MATRIX_FLOATS];
	double offset_s;
};

static size_t instance_bytes(const struct rig *rig) {
	const size_t joint = sizeof(struct transform) + sizeof(unsigned char);
	return sizeof(struct instance) + (size_t)rig->joint_count * joint +
		(size_t)rig->weight_count * sizeof(float) +
		(size_t)rig->slot_count * PALETTE_MATRIX_FLOATS * sizeof(float);
}

static struct instance *make_instances(struct bench *bench) {
	struct instance *instances = xcalloc(INSTANCES, sizeof *instances);
	for (int i = 0; i < INSTANCES; i++) {
		instances[i].pose = pose_rest(bench->rig, bench->arena);
		instances[i].offset_s = random_number(&bench->seed) + 1;
		instances[i].palette = arena_alloc(
			bench->arena, (size_t)bench->rig->slot_count, sizeof *instances[i].palette);
	}
	return instances;
}

/* Every instance at moments of its own. */
static void pose_instance(struct bench *bench, struct instance *instance) {
	for (int k = 0; k < 2; k++) {
		bench->times_s[k] = fmod(instance->offset_s, bench->clips[k]->duration_s);
	}
	const struct pose blended = bench->blended;
	float(*const own)[PALETTE_MATRIX_FLOATS] = bench->palette;
	bench->blended = instance->pose;
	bench->palette = instance->palette;
	all(bench);
	bench->blended = blended;
	bench->palette = own;
	instance->offset_s += 1.0 / 60;
}

static void print_crowd(struct bench *bench) {
	struct instance *instances = make_instances(bench);
	double rounds[ROUNDS];
	bench->random = false;
	for (int r = -1; r < ROUNDS; r++) {
		const double start = now_s();
		for (int i = 0; i < INSTANCES; i++) {
			pose_instance(bench, &instances[i]);
		}
		rounds[r < 0 ? 0 : r] = now_s() - start;
	}
	qsort(rounds, ROUNDS, sizeof *rounds, compare);
	printf("%d instances: %.2f ms for all palettes, %zu bytes each\n", INSTANCES,
		rounds[ROUNDS / 2] * 1e3, instance_bytes(bench->rig));
	free(instances);
}

static struct rig *read_rig(const char *path) {
	FILE *file = fopen(path, "rb");
	if (!file) {
		perror(path);
		exit(1);
	}
	static unsigned char bytes[64 << 20];
	const size_t size = fread(bytes, 1, sizeof bytes, file);
	fclose(file);
	struct error err;
	struct rig *rig = import_rig(bytes, size, &err);
	if (!rig) {
		fprintf(stderr, "%s: %s\n", path, err.text);
		exit(1);
	}
	return rig;
}

static const struct clip *find_clip(const struct rig *rig, const char *name) {
	const int clip = rig_find_clip(rig, name);
	if (clip < 0) {
		fprintf(stderr, "no clip %s\n", name);
		exit(1);
	}
	return &rig->clips[clip];
}

static void prepare(struct bench *bench) {
	const struct rig *rig = bench->rig;
	const size_t joints = (size_t)rig->joint_count, slots = (size_t)rig->slot_count;
	bench->arena = arena_create();
	bench->frame = arena_create();
	bench->poses[0] = pose_rest(rig, bench->arena);
	bench->poses[1] = pose_rest(rig, bench->arena);
	bench->blended = pose_rest(rig, bench->arena);
	bench->world = arena_alloc(bench->arena, joints, sizeof *bench->world);
	bench->matrices = arena_alloc(bench->arena, slots, sizeof *bench->matrices);
	bench->palette = arena_alloc(bench->arena, slots, sizeof *bench->palette);
}

int main(int argc, char **argv) {
	static const struct option known[] = {{"seconds", required_argument, NULL, 's'}, {0}};
	double seconds = 0.5;
	for (int c; (c = getopt_long(argc, argv, "", known, NULL)) != -1;) {
		if (c != 's') {
			return 2;
		}
		seconds = atof(optarg);
	}
	const bool given = argc - optind == 3;
	struct bench bench = {.rig = read_rig(given ? argv[optind] : "assets/demo/humanoid.glb")};
	bench.clips[0] = find_clip(bench.rig, given ? argv[optind + 1] : "Walk");
	bench.clips[1] = find_clip(bench.rig, given ? argv[optind + 2] : "Run");
	prepare(&bench);
	print_steps(&bench, false, seconds);
	print_steps(&bench, true, seconds);
	print_crowd(&bench);
	arena_destroy(bench.frame);
	arena_destroy(bench.arena);
	rig_release(bench.rig);
	return 0;
}
