// The processor time from the stop of a compression to its end, in each of its phases: of a long
// clip of many joints, and of a chain so deep that the factors of a single sample take long.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "compress/compress.h"
#include "compress/keys.h"
#include "compress/layout.h"
#include "rigs.h"

#define TOLERANCE_M 1e-4
#define MOMENTS 5        // of the whole work, at which it is stopped
#define SOON 0.1         // of the time of the whole work, whose phases take longer
#define POLL_NS 1000000L // between two looks at the clock

/* A clip that turns all joints at paces of their own. */
static struct rig *turning_rig(struct rig *rig, int keys) {
	struct clip *clip = rig_storage(rig, 1, sizeof *clip, "test", NULL);
	float *times = rig_storage(rig, (size_t)keys, sizeof *times, "test", NULL);
	for (int k = 0; k < keys; k++) {
		times[k] = (float)(k / 30.0);
	}
	clip->name = strdup("turn");
	clip->duration_s = (double)times[keys - 1];
	clip->channel_count = rig->joint_count;
	clip->channels = calloc((size_t)rig->joint_count, sizeof *clip->channels);
	for (int i = 0; i < rig->joint_count; i++) {
		float *values = rig_storage(rig, 4 * (size_t)keys, sizeof *values, "test", NULL);
		for (int k = 0; k < keys; k++) {
			struct transform turn = TRANSFORM_IDENTITY;
			const double phase = k * (0.05 + 0.002 * i) + i;
			set_rotation(&turn, i % 3 == 0, i % 3 == 1, i % 3 == 2, 20 * sin(phase));
			memcpy(values + 4 * k, turn.rotation, sizeof turn.rotation);
		}
		clip->channels[i] = (struct channel){.joint = i,
			.path = CHANNEL_ROTATION,
			.interpolation = INTERPOLATION_LINEAR,
			.key_count = keys,
			.width = 4,
			.times = times,
			.values = values};
	}
	rig->clips = clip;
	rig->clip_count = 1;
	return rig;
}

static double seconds_of(clockid_t clock) {
	struct timespec now;
	clock_gettime(clock, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Stops a thread's work once that has used so much processor time. */
struct watch {
	struct stop stop;
	clockid_t clock; // of the thread's processor time
	double at_s, stopped_s;
	atomic_bool over;
};

static void *look(void *context) {
	struct watch *watch = context;
	const struct timespec pause = {.tv_nsec = POLL_NS};
	while (!atomic_load(&watch->over) && seconds_of(watch->clock) < watch->at_s) {
		nanosleep(&pause, NULL);
	}
	watch->stopped_s = seconds_of(watch->clock);
	atomic_store(&watch->stop.left, true);
	return NULL;
}

typedef bool work_function(const struct rig *rig, const struct stop *stop, struct error *err);

static bool compress_with(const struct codec *codec, const struct rig *rig, const struct stop *stop,
	struct error *err) {
	const struct compress_options options = {
		.tolerance_m = TOLERANCE_M, .codec = codec, .segment_samples = 16, .names = true};
	struct compress_report report;
	struct buffer out = {0};
	const int first = 0;
	const bool done = compress_clips(rig, &first, 1, &options, stop, &report, &out, err);
	assert_int_equal(done, out.size > 0);
	buffer_finish(&out);
	return done;
}

static bool compress(const struct rig *rig, const struct stop *stop, struct error *err) {
	return compress_with(&codec_best, rig, stop, err);
}

static bool find_splines(const struct rig *rig, const struct stop *stop, struct error *err) {
	return compress_with(&codec_bspline, rig, stop, err);
}

static bool reduce(const struct rig *rig, const struct stop *stop, struct error *err) {
	struct arena *arena = arena_create();
	const struct source_job job = {rig, &rig->clips[0], stop};
	const struct error_shell shell =
		error_shell_make(rig, error_shell_default_radius(rig), arena);
	double *reaches = arena_alloc(arena, (size_t)rig->weight_count + 1, sizeof *reaches);
	struct source source;
	struct keys keys;
	bool done = source_make_at_keys(&job, arena, &source, err) &&
		keys_make(&source, &shell, reaches, TOLERANCE_M, arena, &keys, err);
	if (done) {
		keys_share_times(&keys, 100);
		done = keys_repair(&keys) || stop_check(stop, err);
	}
	arena_destroy(arena);
	return done;
}

/* Does the work whole, and then again and again, each time stopped a little later. */
static void check_stops(struct rig *rig, work_function *work) {
	struct watch watch = {.at_s = 0};
	struct error err = {0};
	pthread_getcpuclockid(pthread_self(), &watch.clock);
	const double begun_s = seconds_of(watch.clock);
	assert_true(work(rig, NULL, &err));
	const double whole_s = seconds_of(watch.clock) - begun_s;
	double latest_s = 0;
	for (int i = 1; i <= MOMENTS; i++) {
		pthread_t thread;
		err = (struct error){0};
		atomic_store(&watch.stop.left, false);
		atomic_store(&watch.over, false);
		watch.at_s = seconds_of(watch.clock) + whole_s * i / (MOMENTS + 1);
		assert_int_equal(pthread_create(&thread, NULL, look, &watch), 0);
		const bool done = work(rig, &watch.stop, &err);
		const double ended_s = seconds_of(watch.clock);
		atomic_store(&watch.over, true);
		pthread_join(thread, NULL);
		if (!done) {
			assert_int_equal(err.code, ERROR_CLIENT_LEFT);
			latest_s = fmax(latest_s, ended_s - watch.stopped_s);
		}
	}
	print_message(
		"%.2f s in all, ends at most %.3f s after it is to stop\n", whole_s, latest_s);
	assert_true(latest_s < SOON * whole_s);
	rig_release(rig);
}

static void long_clips_stop_soon(void **state) {
	(void)state;
	check_stops(turning_rig(rig_random(7, 40, 30, 4), 400), compress);
}

static void deep_chains_stop_soon(void **state) {
	(void)state;
	check_stops(turning_rig(rig_random(7, 500, 30, 4), 6), compress);
}

static void splines_stop_soon(void **state) {
	(void)state;
	check_stops(turning_rig(rig_random(7, 10, 30, 4), 200), find_splines);
}

static void reduction_of_keys_stops_soon(void **state) {
	(void)state;
	check_stops(turning_rig(rig_random(7, 40, 30, 4), 500), reduce);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(long_clips_stop_soon),
		cmocka_unit_test(deep_chains_stop_soon),
		cmocka_unit_test(splines_stop_soon),
		cmocka_unit_test(reduction_of_keys_stops_soon),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
