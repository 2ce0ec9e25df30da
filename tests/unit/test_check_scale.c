// Checks of rigs with very many joints: the same lengths as by their definitions, in a time that
// grows as the rig does, and not for longer than somebody wants them.
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/vec.h"
#include "check.h"
#include "check/asset.h"
#include "checked.h"
#include "rigs.h"

/* As many as indices of 16 bits tell apart. */
#define JOINTS_MAX 65000

static const struct constant_channel held[] = {{1, CHANNEL_ROTATION, {0, 0, 0, 1}}};

static const struct check_asset *measure(
	const struct rig *rig, const struct stop *stop, struct arena *arena) {
	static struct check_profile profile;
	profile = check_profile_builtin(CHECK_PROFILE_GAME);
	return check_asset_create(rig, facts_of_rig(rig, arena), &profile, stop, arena);
}

static double distance(const struct check_asset *asset, int a, int b) {
	double sum = 0;
	for (int k = 0; k < 3; k++) {
		const double way =
			asset->rest_world[a][4 * k + 3] - asset->rest_world[b][4 * k + 3];
		sum += way * way;
	}
	return sqrt(sum);
}

/* Each joint's reach by its definition: walks up from every joint. */
static void expect_reaches(const struct check_asset *asset) {
	const struct rig *rig = asset->rig;
	double *reach = arena_alloc(asset->arena, (size_t)rig->joint_count, sizeof *reach);
	for (int i = 0; i < rig->joint_count; i++) {
		for (int above = i; asset->own[i] > 0 && above >= 0;
			above = rig->joints[above].parent) {
			reach[above] =
				fmax(reach[above], distance(asset, i, above) + asset->own[i]);
		}
	}
	for (int i = 0; i < rig->joint_count; i++) {
		assert_near(asset->reach[i], reach[i], 1e-12 * reach[i]);
		assert_int_equal(asset->active[i], reach[i] > 0);
	}
}

static void reaches_are_those_of_the_farthest_joints(void **state) {
	(void)state;
	static const int counts[] = {1, 2, 8, 9, 300, 2000};
	for (unsigned seed = 1; seed <= 12; seed++) {
		const int count = counts[seed % 6];
		struct arena *arena = arena_create();
		// Half as many vertices leave joints without any.
		struct rig *rig = rig_random(seed, count, 1 + count / 2, 1);
		unsigned random = seed;
		for (int i = 1; i < count && seed % 3 > 0; i++) {
			const double share = 0.5 + 0.49 * random_number(&random);
			rig->joints[i].parent =
				seed % 3 == 1 ? (int)(share * i) : i - 1 - (int)(share * i / 50);
		}
		rig_bind(rig);
		expect_reaches(measure(rig, NULL, arena));
		arena_destroy(arena);
		rig_release(rig);
	}
}

/* Seconds of this thread. */
static double thread_s(void) {
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Seconds that a whole check of a chain takes; its joints lie side by side, or anywhere. */
static double time_chain(int joints, bool straight) {
	struct rig *rig = rig_random(3, joints, 2 * joints, 2);
	for (int i = 0; i < joints && straight; i++) {
		rig->joints[i].rest = (struct transform){
			.translation = {0, 0.01F, 0}, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	}
	rig_bind(rig);
	rig_add_clip(rig, "Hold", 1, held);
	const double begin_s = thread_s();
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	const double seconds = thread_s() - begin_s;
	checked_finish(&checked);
	rig_release(rig);
	return seconds;
}

/* Eight times the joints take 8 times as long, and not 64 times. */
static void time_grows_as_the_chain_does(void **state) {
	(void)state;
	for (int straight = 0; straight < 2; straight++) {
		const double few = time_chain(JOINTS_MAX / 8, straight);
		const double many = time_chain(JOINTS_MAX, straight);
		if (many > 24 * few) {
			fail_msg("%d joints take %.2f s, and an eighth of them %.2f s", JOINTS_MAX,
				many, few);
		}
	}
}

/* Each joint is about as far from the others as the next one, so that few are left out early. */
static struct rig *chain_on_sphere(int joints) {
	struct rig *rig = rig_random(5, joints, joints, 1);
	double before[3] = {0};
	unsigned random = 5;
	for (int i = 0; i < joints; i++) {
		double at[3] = {
			random_number(&random), random_number(&random), random_number(&random)};
		vec3_normalize(at);
		rig->joints[i].rest =
			(struct transform){.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
		for (int k = 0; k < 3; k++) {
			rig->joints[i].rest.translation[k] = (float)(at[k] - before[k]);
			before[k] = at[k];
		}
	}
	rig_bind(rig);
	return rig;
}

static void stop_ends_the_measuring_of_a_rig(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	struct rig *rig = chain_on_sphere(JOINTS_MAX / 2);
	struct stop stop = {0};
	const double begin_s = thread_s();
	measure(rig, &stop, arena);
	const double whole_s = thread_s() - begin_s;
	struct check_profile profile = check_profile_builtin(CHECK_PROFILE_GAME);
	const struct check_job job = {
		.rig = rig,
		.facts = facts_of_rig(rig, arena),
		.profile = &profile,
		.path = "test.glb",
		.stop = &stop,
	};
	struct error err = {0};
	stop.deadline_s = clock_now_s() + whole_s / 20;
	const double again_s = thread_s();
	assert_null(renderer_check_begin(&job, arena, &err));
	assert_int_equal(err.code, ERROR_DEADLINE);
	assert_true(thread_s() - again_s < 0.5 * whole_s);
	arena_destroy(arena);
	rig_release(rig);
}

static void stop_ends_every_step(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	struct rig *rig = rig_random(5, 20, 300, 2);
	rig_add_clip(rig, "Hold", 1, held);
	struct check_profile profile = check_profile_builtin(CHECK_PROFILE_GAME);
	struct stop stop = {0};
	const struct check_job job = {
		.rig = rig,
		.facts = facts_of_rig(rig, arena),
		.profile = &profile,
		.path = "test.glb",
		.stop = &stop,
	};
	struct error err = {0};
	struct check_run *run = renderer_check_begin(&job, arena, &err);
	assert_non_null(run);
	assert_int_equal(renderer_check_steps(run), 2);
	stop.left = true;
	for (size_t i = 0; i < 2; i++) {
		err = (struct error){0};
		assert_false(renderer_check_step(run, i, &err));
		assert_int_equal(err.code, ERROR_CLIENT_LEFT);
	}
	arena_destroy(arena);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reaches_are_those_of_the_farthest_joints),
		cmocka_unit_test(time_grows_as_the_chain_does),
		cmocka_unit_test(stop_ends_the_measuring_of_a_rig),
		cmocka_unit_test(stop_ends_every_step),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
