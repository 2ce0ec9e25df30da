// Times of sampling stored compressed clips, beside the same keys stored raw.
//
// bench_stored [--seconds S] [--rigs NUMBER] [FILE]
//
// Run in the repository's root. Every clip of the file, in a loop of S seconds, is stored in both
// forms on each rig, whose keys are apart in memory; everything is decoded before. "One" clip stays
// in the processor's caches, "turns" take all clips of all rigs one after another. Forms alternate;
// times are medians of ROUNDS and so are ratios. Exits with 1 if the two forms differ in a bit.
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../unit/rigs.h"
#include "base/fnv.h"
#include "base/memory.h"
#include "import/import.h"
#include "interface/packed_clips.h"
#include "model/clip_pack.h"
#include "model/segment_cache.h"
#include "pose/sample/expand.h"
#include "pose/sample/sampler.h"

#define ROUNDS 15
#define POSES 4000 // of a round
#define RATE 30.0
#define TOLERANCE_M 1e-5
#define CACHE_BYTES ((size_t)1 << 30)
#define FORMS 2 // raw, then compressed

struct bench {
	const struct rig *base;
	struct rig **rigs[FORMS]; // [rig_count]
	int rig_count;
	struct segment_cache *segments;
	struct pose pose;
	struct arena *arena;
	double seconds;
};

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

static double median(double *numbers) {
	qsort(numbers, ROUNDS, sizeof *numbers, compare);
	return numbers[ROUNDS / 2];
}

static void fail(const char *why) {
	fprintf(stderr, "%s\n", why);
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
	struct rig *rig = import_rig(bytes.data, bytes.size, &err);
	if (!rig) {
		fail(err.text);
	}
	fclose(file);
	buffer_finish(&bytes);
	return rig;
}

/* Linear keys of what the clip drives, RATE a second. */
static struct clip loop_clip(const struct bench *bench, const struct clip *from) {
	const struct rig *rig = bench->base;
	const int frames = (int)(bench->seconds * RATE) + 1;
	struct clip clip = {.channel_count = from->channel_count};
	clip.channels =
		arena_alloc(bench->arena, (size_t)from->channel_count, sizeof *clip.channels);
	float *times = arena_alloc(bench->arena, (size_t)frames, sizeof *times);
	for (int i = 0; i < clip.channel_count; i++) {
		struct channel *channel = &clip.channels[i];
		*channel = from->channels[i];
		channel->interpolation = INTERPOLATION_LINEAR;
		channel->key_count = frames;
		channel->times = times;
		channel->values = arena_alloc(
			bench->arena, (size_t)frames * (size_t)channel->width, sizeof(float));
	}
	struct pose pose = pose_rest(rig, bench->arena);
	for (int frame = 0; frame < frames; frame++) {
		times[frame] = (float)(frame / RATE);
		clip_sample(rig, from, fmod(frame / RATE, from->duration_s), &pose);
		for (int i = 0; i < clip.channel_count; i++) {
			const struct channel *channel = &clip.channels[i];
			int width;
			const float *value =
				pose_channel(rig, &pose, channel->joint, channel->path, &width);
			memcpy((float *)channel->values + (size_t)frame * (size_t)width, value,
				(size_t)width * sizeof *value);
		}
	}
	clip_sum_up(&clip);
	return clip;
}

static struct buffer pack(const struct bench *bench, const struct clip *clip, bool raw) {
	struct buffer out = {0};
	struct packed_clip report;
	struct error err = {0};
	const struct pack_job job = {.rig = bench->base,
		.clip = clip,
		.name = "loop",
		.rate = RATE,
		.kind = raw ? PACK_RAW : PACK_METRES,
		.tolerance = TOLERANCE_M};
	if (!renderer_pack_clip(&job, bench->arena, &out, &report, &err)) {
		fail(err.text);
	}
	if (!raw && !report.is_compressed) {
		fail(report.why_raw);
	}
	return out;
}

/* A rig with the file's clips, then these. */
static struct rig *make_rig(const struct bench *bench, const struct buffer *packed, int number) {
	const int count = bench->base->clip_count;
	struct rig_clip *added = xcalloc((size_t)count, sizeof *added);
	char(*names)[16] = xcalloc((size_t)count, sizeof *names);
	for (int i = 0; i < count; i++) {
		snprintf(names[i], sizeof names[i], "loop %d", i);
		added[i] = (struct rig_clip){.name = names[i], .segments = bench->segments};
		added[i].size = packed[i].size;
		added[i].take_bytes = xcalloc(1, packed[i].size);
		memcpy(added[i].take_bytes, packed[i].data, packed[i].size);
		// What is decoded is shared by content.
		const uint64_t hash =
			fnv_mix(fnv_mix(FNV_START, &number, sizeof number), &i, sizeof i);
		memcpy(added[i].content, &hash, sizeof hash);
	}
	struct error err = {0};
	int failed;
	struct rig *rig = rig_create_with_clips(bench->base, added, count, &failed, &err);
	if (!rig) {
		fail(err.text);
	}
	free(names);
	free(added);
	return rig;
}

static void store(struct bench *bench) {
	const struct rig *base = bench->base;
	const size_t count = (size_t)base->clip_count;
	struct buffer *packed[FORMS];
	for (int form = 0; form < FORMS; form++) {
		packed[form] = xcalloc(count, sizeof *packed[form]);
		bench->rigs[form] = xcalloc((size_t)bench->rig_count, sizeof *bench->rigs[form]);
	}
	for (size_t i = 0; i < count; i++) {
		const struct clip loop = loop_clip(bench, &base->clips[i]);
		packed[1][i] = pack(bench, &loop, false);
	}
	for (int i = 0; i < bench->rig_count; i++) {
		bench->rigs[1][i] = make_rig(bench, packed[1], i);
	}
	const struct rig *stored = bench->rigs[1][0];
	for (size_t i = 0; i < count; i++) {
		packed[0][i] = pack(
			bench, clip_expand(stored, &stored->clips[count + i], bench->arena), true);
	}
	for (int i = 0; i < bench->rig_count; i++) {
		bench->rigs[0][i] = make_rig(bench, packed[0], i);
	}
	for (int form = 0; form < FORMS; form++) {
		for (size_t i = 0; i < count; i++) {
			buffer_finish(&packed[form][i]);
		}
		free(packed[form]);
	}
}

/* --- Measuring --- */

struct how {
	const char *name;
	bool turns, at_random;
};

static void sample(struct bench *bench, const struct how *how, int form, int i, unsigned *seed) {
	const int count = bench->base->clip_count;
	const struct rig *rig = bench->rigs[form][how->turns ? i / count % bench->rig_count : 0];
	const struct clip *clip = &rig->clips[count + (how->turns ? i % count : 0)];
	const int step = how->turns ? i / (count * bench->rig_count) : i;
	const double time_s = how->at_random ? (random_number(seed) + 1) / 2 * clip->duration_s
					     : fmod(step / 60.0 + i % count, clip->duration_s);
	clip_sample(rig, clip, time_s, &bench->pose);
}

static double time_round(struct bench *bench, const struct how *how, int form, unsigned seed) {
	const double start = now_s();
	for (int i = 0; i < POSES; i++) {
		sample(bench, how, form, i, &seed);
	}
	return (now_s() - start) / POSES * 1e9;
}

static void print_times(struct bench *bench, const struct how *how) {
	double times[FORMS][ROUNDS], ratios[ROUNDS];
	for (int round = -1; round < ROUNDS; round++) {
		double taken[FORMS];
		for (int k = 0; k < FORMS; k++) {
			const int form = round & 1 ? 1 - k : k;
			taken[form] = time_round(bench, how, form, (unsigned)(round + 2));
		}
		for (int form = 0; round >= 0 && form < FORMS; form++) {
			times[form][round] = taken[form];
		}
		ratios[round < 0 ? 0 : round] = taken[1] / taken[0];
	}
	printf("%-20s raw %6.0f ns, compressed %6.0f ns a pose, ratio %.3f\n", how->name,
		median(times[0]), median(times[1]), median(ratios));
}

/* Over what is sampled. */
static uint64_t hash_poses(struct bench *bench, int form) {
	static const struct how all = {"", true, true};
	const size_t bytes = (size_t)bench->base->joint_count * sizeof *bench->pose.local;
	const size_t weights = (size_t)bench->base->weight_count * sizeof *bench->pose.weights;
	uint64_t hash = FNV_START;
	unsigned seed = 1;
	for (int i = 0; i < POSES; i++) {
		sample(bench, &all, form, i, &seed);
		hash = fnv_mix(hash, bench->pose.local, bytes);
		hash = fnv_mix(hash, bench->pose.weights, weights);
	}
	return hash;
}

static void finish(struct bench *bench) {
	for (int form = 0; form < FORMS; form++) {
		for (int i = 0; i < bench->rig_count; i++) {
			rig_release(bench->rigs[form][i]);
		}
		free(bench->rigs[form]);
	}
	segment_cache_destroy(bench->segments);
	arena_destroy(bench->arena);
}

int main(int argc, char **argv) {
	static const struct option known[] = {{"seconds", required_argument, NULL, 's'},
		{"rigs", required_argument, NULL, 'r'}, {0}};
	struct bench bench = {.seconds = 40, .rig_count = 16};
	for (int c; (c = getopt_long(argc, argv, "", known, NULL)) != -1;) {
		if (c == 's') {
			bench.seconds = atof(optarg);
		} else if (c == 'r') {
			bench.rig_count = atoi(optarg);
		} else {
			return 2;
		}
	}
	struct rig *base = read_rig(optind < argc ? argv[optind] : "assets/demo/humanoid.glb");
	bench.base = base;
	bench.arena = arena_create();
	bench.segments = segment_cache_create(CACHE_BYTES);
	bench.pose = pose_rest(base, bench.arena);
	store(&bench);
	const uint64_t hashes[FORMS] = {hash_poses(&bench, 0), hash_poses(&bench, 1)};
	printf("%d joints, %d clips of %g s on each of %d rigs; poses %016llx\n", base->joint_count,
		base->clip_count, bench.seconds, bench.rig_count, (unsigned long long)hashes[1]);
	static const struct how hows[] = {{"one clip, forward", false, false},
		{"one clip, random", false, true}, {"turns, forward", true, false},
		{"turns, random", true, true}};
	for (size_t i = 0; i < sizeof hows / sizeof *hows; i++) {
		print_times(&bench, &hows[i]);
	}
	finish(&bench);
	rig_release(base);
	if (hashes[0] != hashes[1]) {
		fail("raw and compressed keys give other poses");
	}
	return 0;
}
