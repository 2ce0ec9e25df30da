// Clips that are stored compressed: sampled, they are the clip within the tolerance, whoever
// samples them, in whatever order and with whatever memory.
#include "model/clip_motion.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "interface/packed_clips.h"
#include "model/clip_pack.h"
#include "pose/sample/expand.h"
#include "pose/sample/sampler.h"
#include "rigs.h"
#include "shared_files.h"

#include "check.h"

#define FRAMES 300
#define RATE 30.0
#define TOLERANCE_M 1e-5
#define SHELL_M 0.03

/* Walking that slowly passes into waving: what no keys of the file have. */
static void make_pose(const struct rig *rig, int frame, struct pose *walk, struct pose *wave) {
	const double time_s = frame / RATE, share = frame / (double)FRAMES;
	clip_sample(rig, &rig->clips[1], fmod(time_s, rig->clips[1].duration_s), walk);
	clip_sample(rig, &rig->clips[3], fmod(time_s, rig->clips[3].duration_s), wave);
	for (int i = 0; i < rig->joint_count; i++) {
		float *q = walk->local[i].rotation;
		double length = 0;
		for (int k = 0; k < 4; k++) {
			q[k] = (float)((1 - share) * (double)q[k] +
				share * (double)wave->local[i].rotation[k]);
			length += (double)q[k] * (double)q[k];
		}
		for (int k = 0; k < 4; k++) {
			q[k] = (float)((double)q[k] / sqrt(length));
		}
		walk->local[i].translation[i % 3] += (float)(0.01 * sin(time_s * (i + 1)));
	}
}

/* A clip of rotations and translations of all joints, and one of the first joint's scale, which is
 * still; in the arena. */
static struct clip make_clip(const struct rig *rig, struct arena *arena) {
	const size_t joints = (size_t)rig->joint_count;
	struct clip clip = {.channel_count = (int)(2 * joints) + 1};
	clip.channels = arena_alloc(arena, 2 * joints + 1, sizeof *clip.channels);
	float *times = arena_alloc(arena, FRAMES, sizeof *times);
	static const float still[] = {1, 1.25f, 1};
	struct pose walk = pose_rest(rig, arena), wave = pose_rest(rig, arena);
	for (size_t i = 0; i < 2 * joints; i++) {
		const int width = i % 2 ? 3 : 4;
		clip.channels[i] = (struct channel){(int)i / 2,
			i % 2 ? CHANNEL_TRANSLATION : CHANNEL_ROTATION, INTERPOLATION_LINEAR,
			FRAMES, width, times, arena_alloc(arena, FRAMES * 4, sizeof(float))};
	}
	clip.channels[2 * joints] =
		(struct channel){0, CHANNEL_SCALE, INTERPOLATION_LINEAR, 1, 3, times, still};
	for (int frame = 0; frame < FRAMES; frame++) {
		times[frame] = (float)(frame / RATE);
		make_pose(rig, frame, &walk, &wave);
		for (size_t i = 0; i < joints; i++) {
			memcpy((float *)clip.channels[2 * i].values + 4 * frame,
				walk.local[i].rotation, 16);
			memcpy((float *)clip.channels[2 * i + 1].values + 3 * frame,
				walk.local[i].translation, 12);
		}
	}
	clip_sum_up(&clip);
	return clip;
}

/* A humanoid, its clip with all keys, and the same rig with the clip as its store has it. */
struct stored {
	struct arena *arena;
	struct rig *base, *rig;
	struct segment_cache *cache;
	struct buffer packed;
	struct packed_clip report;
	struct clip raw;
	const struct clip *clip; // of the rig
};

static struct stored store(size_t cache_bytes) {
	struct stored s = {.arena = arena_create(), .base = own_rig("assets/demo/humanoid.glb")};
	s.raw = make_clip(s.base, s.arena);
	const struct pack_job job = {.rig = s.base,
		.clip = &s.raw,
		.name = "made",
		.rate = RATE,
		.kind = PACK_METRES,
		.tolerance = TOLERANCE_M};
	struct error err = {0};
	if (!renderer_pack_clip(&job, s.arena, &s.packed, &s.report, &err)) {
		fail_msg("%s", err.text);
	}
	s.cache = cache_bytes > 0 ? segment_cache_create(cache_bytes) : NULL;
	struct rig_clip added = {.name = "made", .segments = s.cache};
	added.take_bytes = malloc(s.packed.size);
	added.size = s.packed.size;
	memcpy(added.take_bytes, s.packed.data, s.packed.size);
	int failed;
	s.rig = rig_create_with_clips(s.base, &added, 1, &failed, &err);
	if (!s.rig) {
		fail_msg("%s", err.text);
	}
	s.clip = &s.rig->clips[s.base->clip_count];
	return s;
}

static void finish(struct stored *s) {
	rig_release(s->rig);
	rig_release(s->base);
	segment_cache_destroy(s->cache);
	buffer_finish(&s->packed);
	arena_destroy(s->arena);
}

/* The greatest distance between points at and around the joints of two poses. */
static double distance(const struct rig *rig, const struct pose *a, const struct pose *b) {
	double(*worlds[2])[12];
	double greatest = 0;
	for (int i = 0; i < 2; i++) {
		worlds[i] = calloc((size_t)rig->joint_count, sizeof *worlds[i]);
		pose_to_world(rig, i ? b : a, worlds[i]);
	}
	for (int joint = 0; joint < rig->joint_count; joint++) {
		for (int point = 0; point < 4; point++) {
			double apart[3];
			for (int row = 0; row < 3; row++) {
				const double *p = worlds[0][joint] + 4 * row;
				const double *q = worlds[1][joint] + 4 * row;
				apart[row] = p[3] - q[3] +
					(point < 3 ? SHELL_M * (p[point] - q[point]) : 0);
			}
			greatest = fmax(greatest, vec3_length(apart));
		}
	}
	free(worlds[0]);
	free(worlds[1]);
	return greatest;
}

static double random_time(unsigned *seed) {
	return (random_number(seed) + 1) / 2 * FRAMES / RATE * 1.02 - 0.05;
}

/* --- Cases --- */

static void refuses_damage(void **state) {
	(void)state;
	struct stored s = store(0);
	unsigned seed = 1;
	for (int i = 0; i < 400; i++) {
		unsigned char *copy = malloc(s.packed.size);
		memcpy(copy, s.packed.data, s.packed.size);
		const double place = (random_number(&seed) + 1) / 2;
		// The first ones hit the head and the rows, of which some bytes say nothing.
		const size_t at =
			i < 200 ? (size_t)i : (size_t)(place * (double)(s.packed.size - 1));
		copy[at] ^= (unsigned char)(1 << i % 8);
		struct arena *arena = arena_create();
		struct clip clip;
		struct error err = {0};
		struct pose pose = pose_rest(s.base, arena);
		if (clip_unpack(s.base, copy, s.packed.size, arena, &clip, &err)) {
			clip_sample(s.base, &clip, 0.7, &pose);
			assert_true(i < 200 || at < s.packed.size / 2);
		} else {
			assert_int_equal(err.code, ERROR_BROKEN_ASSET);
		}
		assert_false(clip_unpack(s.base, copy, at, arena, &clip, NULL));
		arena_destroy(arena);
		free(copy);
	}
	finish(&s);
}

static void is_the_clip_within_the_tolerance(void **state) {
	(void)state;
	struct stored s = store(1 << 24);
	assert_true(s.report.is_compressed && !s.report.why_raw);
	assert_true(s.report.error_m > 0 && s.report.error_m <= TOLERANCE_M * (1 + 1e-6));
	assert_true(s.report.bytes == s.packed.size && s.packed.size < s.raw.bytes / 3);
	assert_int_equal(s.clip->channel_count, s.raw.channel_count);
	assert_int_equal(s.clip->bytes, s.raw.bytes);
	assert_true(s.clip->duration_s == s.raw.duration_s);
	struct pose got = pose_rest(s.rig, s.arena), want = pose_rest(s.rig, s.arena);
	double greatest = 0;
	unsigned seed = 7;
	for (int i = 0; i < 2000; i++) {
		const double time_s =
			i < FRAMES ? (double)s.raw.channels[0].times[i] : random_time(&seed);
		clip_sample(s.rig, s.clip, time_s, &got);
		clip_sample(s.base, &s.raw, time_s, &want);
		assert_memory_equal(got.driven, want.driven, (size_t)s.rig->joint_count);
		greatest = fmax(greatest, distance(s.rig, &got, &want));
	}
	// Between the quarters that the encoder looks at, and in float32.
	assert_true(greatest <= TOLERANCE_M * 1.1 + 1e-6);
	assert_true(greatest >= s.report.error_m * 0.5);
	finish(&s);
}

static void all_keys_are_what_is_sampled_at_their_times(void **state) {
	(void)state;
	struct stored s = store(1 << 24);
	const struct clip *whole = clip_expand(s.rig, s.clip, s.arena);
	struct pose pose = pose_rest(s.rig, s.arena);
	for (int i = 0; i < whole->channel_count; i++) {
		const struct channel *channel = &whole->channels[i];
		assert_non_null(channel->values);
		assert_int_equal(channel->key_count, s.raw.channels[i].key_count);
		assert_memory_equal(channel->times, s.raw.channels[i].times,
			(size_t)channel->key_count * sizeof(float));
		for (int key = 0; key < channel->key_count; key += 37) {
			int width;
			clip_sample(s.rig, s.clip, (double)channel->times[key], &pose);
			const float *want =
				pose_channel(s.rig, &pose, channel->joint, channel->path, &width);
			assert_memory_equal(channel->values + (size_t)key * (size_t)width, want,
				(size_t)width * sizeof(float));
		}
	}
	assert_ptr_equal(clip_expand(s.rig, &s.rig->clips[0], s.arena), &s.rig->clips[0]);
	finish(&s);
}

/* The same keys with each track's in a row, as clips of files have them, give the same poses. */
static void keys_in_a_row_give_the_same_bits(void **state) {
	(void)state;
	struct stored s = store(1 << 24);
	const struct pack_job job = {.rig = s.base,
		.clip = clip_expand(s.rig, s.clip, s.arena),
		.name = "rows",
		.rate = RATE,
		.kind = PACK_RAW};
	struct buffer packed = {0};
	struct packed_clip report;
	assert_true(renderer_pack_clip(&job, s.arena, &packed, &report, NULL));
	struct rig_clip added = {.name = "rows", .size = packed.size};
	added.take_bytes = malloc(packed.size);
	memcpy(added.take_bytes, packed.data, packed.size);
	int failed;
	struct rig *rig = rig_create_with_clips(s.base, &added, 1, &failed, NULL);
	assert_non_null(rig);
	const struct clip *rows = &rig->clips[s.base->clip_count];
	assert_true(!rows->motion && s.clip->motion);
	struct pose got = pose_rest(s.rig, s.arena), want = pose_rest(s.rig, s.arena);
	unsigned seed = 5;
	for (int i = 0; i < 2000; i++) {
		const double time_s = i < FRAMES ? i / RATE : random_time(&seed);
		clip_sample(s.rig, s.clip, time_s, &got);
		clip_sample(rig, rows, time_s, &want);
		assert_memory_equal(
			got.local, want.local, (size_t)rig->joint_count * sizeof *got.local);
	}
	rig_release(rig);
	buffer_finish(&packed);
	finish(&s);
}

/* Other ways between keys take the same keys as they do of the clip with all of them. */
static void splines_go_by_its_keys(void **state) {
	(void)state;
	struct stored s = store(1 << 24);
	const struct clip *whole = clip_expand(s.rig, s.clip, s.arena);
	struct clip plain = *whole;
	plain.motion = NULL;
	plain.tracks = NULL;
	struct pose got = pose_rest(s.rig, s.arena), want = pose_rest(s.rig, s.arena);
	const struct sampler samplers[] = {
		{.spline = {.kind = SPLINE_CATMULL_ROM}},
		{.spline = {.kind = SPLINE_SQUAD}, .rate_hz = 7},
		{.spline = {.kind = SPLINE_STEP}},
	};
	unsigned seed = 3;
	for (int i = 0; i < 300; i++) {
		const double time_s = i < 20 ? i / RATE : random_time(&seed);
		int joint;
		assert_true(sampler_pose(&samplers[i % 3], s.rig, s.clip, time_s, &got, &joint));
		assert_true(sampler_pose(&samplers[i % 3], s.rig, &plain, time_s, &want, &joint));
		// Keys of a rate are between those of the clip, in single precision.
		assert_true(distance(s.rig, &got, &want) < 1e-6);
	}
	finish(&s);
}

static void sample_all(const struct stored *s, struct pose *poses) {
	for (int i = 0; i < 64; i++) {
		clip_sample(s->rig, s->clip, i * 37 % 64 / 6.4, &poses[i]);
	}
}

static struct pose *make_poses(const struct stored *s) {
	struct pose *poses = arena_alloc(s->arena, 64, sizeof *poses);
	for (int i = 0; i < 64; i++) {
		poses[i] = pose_rest(s->rig, s->arena);
	}
	return poses;
}

static void check_same(const struct stored *s, const struct pose *a, const struct pose *b) {
	for (int i = 0; i < 64; i++) {
		assert_memory_equal(
			a[i].local, b[i].local, (size_t)s->rig->joint_count * sizeof *a[i].local);
	}
}

static void memory_is_bounded(void **state) {
	(void)state;
	struct stored wide = store(1 << 24), narrow = store(8), none = store(0);
	struct pose *want = make_poses(&wide), *got = make_poses(&wide);
	struct segment_cache_stats stats;
	segment_cache_read_stats(wide.cache, &stats);
	assert_int_equal(stats.count, 0); // nothing is decoded before it is asked for
	sample_all(&wide, want);
	segment_cache_read_stats(wide.cache, &stats);
	assert_int_equal(stats.count, (FRAMES - 2 + 64) / 64);
	assert_int_equal(stats.misses, stats.count);
	assert_int_equal(stats.hits, 64 - stats.count);
	sample_all(&narrow, got);
	check_same(&wide, want, got);
	segment_cache_read_stats(narrow.cache, &stats);
	assert_true(stats.count <= 8);
	sample_all(&none, got);
	check_same(&wide, want, got);
	finish(&wide);
	finish(&narrow);
	finish(&none);
}

struct sampling {
	const struct stored *stored;
	struct pose *poses;
};

static void *sample_often(void *context) {
	const struct sampling *sampling = context;
	for (int i = 0; i < 20; i++) {
		sample_all(sampling->stored, sampling->poses);
	}
	return NULL;
}

static void threads_share_what_is_decoded(void **state) {
	(void)state;
	// Room for some of the segments alone, so that they are decoded again and again.
	struct stored s = store(400000);
	struct pose *want = make_poses(&s);
	struct sampling samplings[4];
	pthread_t threads[4];
	sample_all(&s, want);
	for (int i = 0; i < 4; i++) {
		samplings[i] = (struct sampling){&s, make_poses(&s)};
		assert_int_equal(pthread_create(&threads[i], NULL, sample_often, &samplings[i]), 0);
	}
	for (int i = 0; i < 4; i++) {
		pthread_join(threads[i], NULL);
		check_same(&s, want, samplings[i].poses);
	}
	finish(&s);
}

static void says_why_keys_are_kept(void **state) {
	(void)state;
	struct stored s = store(0);
	struct clip two = s.raw;
	two.channels = arena_alloc(s.arena, (size_t)two.channel_count, sizeof *two.channels);
	memcpy(two.channels, s.raw.channels, (size_t)two.channel_count * sizeof *two.channels);
	for (int i = 0; i < two.channel_count; i++) {
		const int most = two.channels[i].key_count;
		two.channels[i].key_count = i % 2 || most < 2 ? 1 : 2;
	}
	clip_sum_up(&two);
	const struct {
		const struct clip *clip;
		double tolerance;
		const char *says;
	} cases[] = {
		{&two, 1e-3, "more than two keys"},
		{&s.raw, 1e-12, "can be kept"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct pack_job job = {.rig = s.base,
			.clip = cases[i].clip,
			.name = "x",
			.rate = RATE,
			.kind = PACK_METRES,
			.tolerance = cases[i].tolerance};
		struct buffer packed = {0}, want = {0};
		struct packed_clip report;
		assert_true(renderer_pack_clip(&job, s.arena, &packed, &report, NULL));
		assert_false(report.is_compressed);
		assert_non_null(report.why_raw);
		if (!strstr(report.why_raw, cases[i].says)) {
			fail_msg("%s", report.why_raw);
		}
		assert_true(clip_pack(s.base, cases[i].clip, &want, NULL));
		assert_int_equal(packed.size, want.size);
		assert_memory_equal(packed.data, want.data, want.size);
		buffer_finish(&packed);
		buffer_finish(&want);
	}
	finish(&s);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_damage),
		cmocka_unit_test(is_the_clip_within_the_tolerance),
		cmocka_unit_test(all_keys_are_what_is_sampled_at_their_times),
		cmocka_unit_test(keys_in_a_row_give_the_same_bits),
		cmocka_unit_test(splines_go_by_its_keys),
		cmocka_unit_test(memory_is_bounded),
		cmocka_unit_test(threads_share_what_is_decoded),
		cmocka_unit_test(says_why_keys_are_kept),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
