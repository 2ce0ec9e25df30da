// Samplers beyond glTF's: what is refused, the known answers of METHODS C.1, and what holds for any
// keys.
#include <string.h>

#include "base/memory.h"
#include "base/quat.h"
#include "check.h"
#include "pose/sample/sampler.h"
#include "poses.h"
#include "rigs.h"

/* Gives cyl2 a clip "Keys" whose one channel has these keys. */
static struct rig *rig_with_keys(enum channel_path path, enum interpolation interpolation,
	int key_count, const float *times, const float *values) {
	struct rig *rig = rig_cyl2();
	rig_add_clip(rig, "Keys", 1, &(struct constant_channel){.joint = 1, .path = path});
	struct channel *channel = &rig->clips[0].channels[0];
	channel->interpolation = interpolation;
	channel->key_count = key_count;
	channel->times = times;
	channel->values = values;
	rig->clips[0].duration_s = times[key_count - 1];
	return rig;
}

static void refuses_with_the_place(void **state) {
	(void)state;
	static const struct pose_refusal rows[] = {
		{"{'clip': 'Keys', 'sampler': 'cubic'}", ERROR_INVALID_VALUE, "/sampler",
			"file, step, linear, nlerp, catmull_rom, tcb, squad"},
		{"{'clip': 'Keys', 'tension': 0.5}", ERROR_INVALID_VALUE, "/tension",
			"\"tension\" is for the sampler \"tcb\""},
		{"{'clip': 'Keys', 'sampler': 'catmull_rom', 'bias': 0}", ERROR_INVALID_VALUE,
			"/bias", "is for the sampler"},
		{"{'clip': 'Keys', 'sampler': 'squad', 'continuity': 0}", ERROR_INVALID_VALUE,
			"/continuity", "is for the sampler"},
		{"{'clip': 'Keys', 'sampler': 'tcb', 'tension': 1.5}", ERROR_INVALID_VALUE,
			"/tension", "1.5"},
		{"{'clip': 'Keys', 'sampler': 'tcb', 'rate': 0}", ERROR_INVALID_VALUE, "/rate",
			"0"},
		{"{'clip': 'Keys', 'rate': 30}", ERROR_INVALID_VALUE, "/rate", "wants a"},
		{"{'clip': 'Keys', 'sampler': 'step', 'rate': 1000}", ERROR_INVALID_VALUE, "/rate",
			"more than 1000000000 keys"},
		{"{'clip': 'Keys', 'sampler': 'tcb', 'bias': 1, 'time': 660000}",
			ERROR_INVALID_VALUE, "", "joint \"J1\" farther"},
	};
	static const float times[] = {0, 1, 2, 2e6f};
	static const float values[] = {0, 0, 0, 0, 0, 0, 3e38f, 0, 0, 3e38f, 0, 0};
	struct rig *rig =
		rig_with_keys(CHANNEL_TRANSLATION, INTERPOLATION_LINEAR, 4, times, values);
	expect_pose_refusals(rig, rows, sizeof rows / sizeof *rows);
	rig_release(rig);
}

static struct transform local_of(const struct rig *rig, const char *members) {
	struct arena *arena = arena_create();
	const struct pose pose =
		pose_of(rig, arena, arena_printf(arena, "{'clip': 'Keys', %s}", members));
	const struct transform local = pose.local[1];
	arena_destroy(arena);
	return local;
}

/* Half-way between two keys Hermite's form is the mean and h / 8 times what the speeds differ by.
 * Keys 0, 1, 4 at 0, 1, 3: the speeds that METHODS C.1 has for the middle one, and the chords at
 * the ends. */
static void tangents_have_the_known_speeds(void **state) {
	(void)state;
	static const float times[] = {0, 1, 3}, values[] = {0, 0, 0, 1, 0, 0, 4, 0, 0};
	static const struct {
		const char *sampler;
		double arrive, leave; // at the middle key
		double end;           // share of the chords at the ends
	} rows[] = {
		{"'sampler': 'catmull_rom'", 4.0 / 3, 4.0 / 3, 1},
		{"'sampler': 'squad'", 4.0 / 3, 4.0 / 3, 1},
		{"'sampler': 'tcb'", 4.0 / 3, 4.0 / 3, 1},
		{"'sampler': 'tcb', 'tension': 0.5", 2.0 / 3, 2.0 / 3, 0.5},
		{"'sampler': 'tcb', 'bias': 0.5", 1, 1, 1},
		{"'sampler': 'tcb', 'continuity': 0.5", 5.0 / 3, 1, 1},
	};
	struct rig *rig = rig_with_keys(CHANNEL_TRANSLATION, INTERPOLATION_STEP, 3, times, values);
	struct arena *arena = arena_create();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct transform first =
			local_of(rig, arena_printf(arena, "'time': 0.5, %s", rows[i].sampler));
		const struct transform second =
			local_of(rig, arena_printf(arena, "'time': 2, %s", rows[i].sampler));
		assert_near(first.translation[0],
			0.5 + 1.0 / 8 * (rows[i].end * 1 - rows[i].arrive), 1e-6);
		assert_near(second.translation[0],
			2.5 + 2.0 / 8 * (rows[i].leave - rows[i].end * 1.5), 1e-6);
	}
	arena_destroy(arena);
	rig_release(rig);
}

static void arcs_and_lines_have_the_known_angles(void **state) {
	(void)state;
	static const float times[] = {0, 1};
	static const float values[] = {0, 0, 0, 1, 0, 0, -0.70710678f, -0.70710678f};
	struct rig *rig = rig_with_keys(CHANNEL_ROTATION, INTERPOLATION_STEP, 2, times, values);
	const double degree = acos(-1) / 180;
	const struct transform arc = local_of(rig, "'time': 0.25, 'sampler': 'linear'");
	assert_near(arc.rotation[2], 0.195090322, 1e-7);
	assert_near(arc.rotation[3], 0.980785280, 1e-7);
	const struct transform line = local_of(rig, "'time': 0.25, 'sampler': 'nlerp'");
	assert_near(2 * atan2(line.rotation[2], line.rotation[3]) / degree, 21.598161, 1e-5);
	const struct transform held = local_of(rig, "'time': 0.99, 'sampler': 'step'");
	assert_near(held.rotation[3], 1, 0);
	for (const char *const *sampler = (const char *const[]){"linear", "nlerp", "catmull_rom",
		     "tcb", "squad", NULL};
		*sampler; sampler++) {
		char members[80];
		snprintf(members, sizeof members, "'time': 0.5, 'sampler': '%s'", *sampler);
		const struct transform half = local_of(rig, members);
		assert_near(fabs(half.rotation[2]), 0.382683432, 1e-7);
		assert_near(fabs(half.rotation[3]), 0.923879533, 1e-7);
	}
	rig_release(rig);
}

#define KEYS 9

static const char *const samplers[] = {
	"'sampler': 'linear'",
	"'sampler': 'nlerp'",
	"'sampler': 'catmull_rom'",
	"'sampler': 'tcb', 'tension': 0.3, 'bias': -0.4, 'continuity': 0.2",
	"'sampler': 'squad'",
};

static void random_rotations(unsigned *seed, float *times, float *values) {
	for (int k = 0; k < KEYS; k++) {
		times[k] = k ? times[k - 1] + 1 + (float)random_number(seed) * 0.9f : 0;
		double q[4];
		for (int i = 0; i < 4; i++) {
			q[i] = random_number(seed) + 0.01;
		}
		quat_normalize(q);
		for (int i = 0; i < 4; i++) {
			values[k * 4 + i] = (float)q[i];
		}
	}
}

/* The two quaternions of one rotation are one key, and keys that are hit are kept to the bit. */
static void signs_of_keys_do_not_matter_and_hits_are_exact(void **state) {
	(void)state;
	for (unsigned seed = 1; seed <= 20; seed++) {
		unsigned numbers = seed;
		float times[KEYS], values[KEYS * 4], turned[KEYS * 4];
		random_rotations(&numbers, times, values);
		for (int i = 0; i < KEYS * 4; i++) {
			turned[i] = seed >> (i / 4 % 4) & 1 ? -values[i] : values[i];
		}
		struct rig *rigs[2] = {
			rig_with_keys(CHANNEL_ROTATION, INTERPOLATION_LINEAR, KEYS, times, values),
			rig_with_keys(CHANNEL_ROTATION, INTERPOLATION_LINEAR, KEYS, times, turned),
		};
		struct arena *arena = arena_create();
		for (size_t s = 0; s < sizeof samplers / sizeof *samplers; s++) {
			for (int k = 0; k < KEYS; k++) {
				const struct transform hit = local_of(rigs[0],
					arena_printf(
						arena, "'time': %.17g, %s", times[k], samplers[s]));
				assert_memory_equal(hit.rotation, values + k * 4, 16);
				const char *members = arena_printf(arena, "'time': %.17g, %s",
					times[k] + 0.7 * fabs(random_number(&numbers)),
					samplers[s]);
				const struct transform a = local_of(rigs[0], members);
				const struct transform b = local_of(rigs[1], members);
				double dot = 0;
				for (int i = 0; i < 4; i++) {
					dot += a.rotation[i] * b.rotation[i];
				}
				assert_near(fabs(dot), 1, 1e-6);
			}
		}
		arena_destroy(arena);
		rig_release(rigs[0]);
		rig_release(rigs[1]);
	}
}

/* Steady turns about one axis stay steady, whatever is flipped on the way. */
static void even_turns_go_on_evenly(void **state) {
	(void)state;
	static const float times[] = {0, 1, 2, 3};
	float values[16] = {0};
	for (int k = 0; k < 4; k++) {
		const float sign = k == 2 ? -1 : 1;
		values[k * 4 + 1] = sign * (float)sin(0.4 * k);
		values[k * 4 + 3] = sign * (float)cos(0.4 * k);
	}
	struct rig *rig = rig_with_keys(CHANNEL_ROTATION, INTERPOLATION_STEP, 4, times, values);
	for (int i = 0; i <= 60; i++) {
		char members[80];
		snprintf(members, sizeof members, "'time': %g, 'sampler': 'squad'", i / 20.0);
		const struct transform local = local_of(rig, members);
		assert_near(fabs(local.rotation[1]), sin(0.4 * i / 20), 1e-6);
	}
	rig_release(rig);
}

/* A cubic channel: x = t^3 exactly. */
static void a_rate_takes_its_keys_from_the_file(void **state) {
	(void)state;
	static const float times[] = {0, 1.1f};
	const float end = 1.1f;
	const float values[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, // in-tangent, value, out-tangent
		3 * end * end, 0, 0, end * end * end, 0, 0, 0, 0, 0};
	struct rig *rig =
		rig_with_keys(CHANNEL_TRANSLATION, INTERPOLATION_CUBIC_SPLINE, 2, times, values);
	struct arena *arena = arena_create();
	for (int i = 0; i <= 22; i++) {
		const double t = i == 22 ? (double)end : i / 20.0, low = floor(t * 10 + 1e-9) / 10;
		const double high = fmin(low + 0.1, end),
			     u = high > low ? (t - low) / (high - low) : 0;
		const struct transform step = local_of(rig,
			arena_printf(arena, "'time': %.17g, 'sampler': 'step', 'rate': 10", t));
		assert_near(step.translation[0], low * low * low, 1e-6);
		const struct transform line = local_of(rig,
			arena_printf(arena, "'time': %.17g, 'sampler': 'linear', 'rate': 10", t));
		assert_near(line.translation[0], (1 - u) * low * low * low + u * high * high * high,
			1e-6);
		const struct transform ok = local_of(rig,
			arena_printf(
				arena, "'time': %.17g, 'sampler': 'catmull_rom', 'rate': 1000", t));
		assert_near(ok.translation[0], t * t * t, 2e-6);
	}
	arena_destroy(arena);
	rig_release(rig);
}

static void the_file_s_own_ways_are_the_same_by_name(void **state) {
	(void)state;
	float times[KEYS], values[KEYS * 4];
	unsigned seed = 8;
	random_rotations(&seed, times, values);
	struct rig *rig =
		rig_with_keys(CHANNEL_ROTATION, INTERPOLATION_LINEAR, KEYS, times, values);
	struct arena *arena = arena_create();
	for (int i = 0; i < 100; i++) {
		const double t = (random_number(&seed) + 1) * 5;
		const struct transform named =
			local_of(rig, arena_printf(arena, "'time': %.17g, 'sampler': 'linear'", t));
		const struct transform file =
			local_of(rig, arena_printf(arena, "'time': %.17g, 'sampler': 'file'", t));
		for (int k = 0; k < 4; k++) {
			assert_near(named.rotation[k], file.rotation[k], 1e-6);
		}
	}
	arena_destroy(arena);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_with_the_place),
		cmocka_unit_test(tangents_have_the_known_speeds),
		cmocka_unit_test(arcs_and_lines_have_the_known_angles),
		cmocka_unit_test(signs_of_keys_do_not_matter_and_hits_are_exact),
		cmocka_unit_test(even_turns_go_on_evenly),
		cmocka_unit_test(a_rate_takes_its_keys_from_the_file),
		cmocka_unit_test(the_file_s_own_ways_are_the_same_by_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
