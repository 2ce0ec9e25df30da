// Every skinning method's shader checked against its C on real rigs (METHODS T6): the demo rigs,
// and all files of the collection beside the repository, where it is.
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../unit/check.h"
#include "../unit/json_value.h"
#include "../unit/rigs.h"
#include "base/memory.h"
#include "base/quat.h"
#include "context.h"
#include "view/camera.h"

#define FILES_MAX 2000
#define PATH_BYTES 1024

/* Of the diagonal of what is skinned. */
#define TOLERANCE 1e-5

/* Degrees that normals may differ by, and vertices whose normals may differ by more: where a blend
 * is next to singular, rounding alone turns the normal. */
#define NORMAL_DEGREES 0.1
#define NORMALS_ASTRAY 0.001

/* Data that is dear to make is made for rigs of at most so many vertices. */
#define DEAR_VERTICES 6000

struct tally {
	int rigs, comparisons, refused, dear_skipped;
	double worst; // distance as a share of the diagonal
	char where[PATH_BYTES + 64];
	size_t normals, astray;
};

static int by_name(const void *a, const void *b) {
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void collect(const char *folder, char **paths, int *count) {
	DIR *dir = opendir(folder);
	for (struct dirent *entry = dir ? readdir(dir) : NULL; entry; entry = readdir(dir)) {
		char path[PATH_BYTES];
		struct stat info;
		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		const char *ending = strrchr(entry->d_name, '.');
		if (entry->d_name[0] == '.' || stat(path, &info) != 0) {
			continue;
		}
		if (S_ISDIR(info.st_mode) && strcmp(entry->d_name, "malformed") != 0) {
			collect(path, paths, count);
		} else if (*count < FILES_MAX && ending &&
			(strcmp(ending, ".glb") == 0 || strcmp(ending, ".gltf") == 0)) {
			paths[(*count)++] = xstrndup(path, strlen(path));
		}
	}
	if (dir) {
		closedir(dir);
	}
}

static struct rig *read_rig(const char *path) {
	FILE *file = fopen(path, "rb");
	struct buffer bytes = {0};
	size_t got = 1;
	while (file && got > 0) {
		got = fread(buffer_reserve(&bytes, 1 << 16), 1, 1 << 16, file);
		bytes.size += got;
	}
	if (file) {
		fclose(file);
	}
	struct rig *rig = renderer_import(bytes.data, bytes.size, NULL);
	buffer_finish(&bytes);
	return rig;
}

static bool is_skinned(const struct rig *rig) {
	for (int i = 0; i < rig->primitive_count; i++) {
		if (rig->primitives[i].skinned && rig->primitives[i].slot_count > 1) {
			return true;
		}
	}
	return false;
}

/* Every joint turned a little from its rest. */
static const struct value *bent_pose(struct arena *arena, const struct rig *rig, unsigned seed) {
	const char *joints = "";
	for (int i = 0; i < rig->joint_count && i < 300; i++) {
		const struct transform *rest = &rig->joints[i].rest;
		double turned[4];
		for (int k = 0; k < 4; k++) {
			turned[k] = rest->rotation[k] + 0.25 * random_number(&seed);
		}
		quat_normalize(turned);
		joints = arena_printf(arena, "%s%s'%d': {'rotation': [%.9g, %.9g, %.9g, %.9g]}",
			joints, i ? ", " : "", rig->joints[i].index, turned[0], turned[1],
			turned[2], turned[3]);
	}
	return json_value(arena, arena_printf(arena, "{'set': 'rest', 'joints': {%s}}", joints));
}

static const struct value *clip_pose(struct arena *arena, int clip, double phase) {
	return json_value(arena, arena_printf(arena, "{'clip': %d, 'phase': %g}", clip, phase));
}

/* A rig with what its methods may need. */
struct subject {
	const char *path;
	const struct rig *rig;
	struct examples *examples;
};

/* The number of vertices that a method skins: not the rig's if it cuts the rig into parts. */
static int vertices_of(const struct rig *rig, const char *id) {
	const struct value method = {.kind = VALUE_STRING, .string = id};
	const struct skinning_settings settings = {.method = &method};
	struct error err = {0};
	int count = 0;
	if (!renderer_vertex_count(gpu_test_renderer(), rig, &settings, NULL, &count, &err)) {
		fail_msg("%s: %s", id, err.text);
	}
	return count;
}

/* One frame on one device, positions and then normals; false where the method refuses the rig. */
static bool skin(const struct subject *subject, const char *id, enum device device,
	const struct value *pose, int vertices, float *out, struct error *err) {
	static const enum attribute_bits order[] = {ATTRIBUTE_POSITION, ATTRIBUTE_NORMAL};
	const struct value method = {.kind = VALUE_STRING, .string = id};
	const struct vertices_job job = {
		.subject = {.rig = subject->rig,
			.pose = pose,
			.skinning = {.method = &method, .device = device},
			.examples = subject->examples},
		.order = order,
		.count = 2,
		.vertices = vertices,
	};
	struct skinning_report report;
	return renderer_vertices(gpu_test_renderer(), &job, out, &report, err);
}

static double diagonal_of(const float *positions, size_t count) {
	const struct bounds box = bounds_of_points(positions, count);
	double sum = 0;
	for (int k = 0; k < 3; k++) {
		sum += pow(box.max[k] - box.min[k], 2);
	}
	return sqrt(sum);
}

static double degrees_between(const float *a, const float *b) {
	double dot = 0, cross = 0;
	for (int k = 0; k < 3; k++) {
		const int l = (k + 1) % 3;
		dot += (double)a[k] * b[k];
		cross += pow((double)a[k] * b[l] - (double)a[l] * b[k], 2);
	}
	return atan2(sqrt(cross), dot) * 180 / 3.14159265358979;
}

static void hold(const char *path, const char *id, const float *cpu, const float *gpu, size_t count,
	struct tally *tally) {
	const double diagonal = diagonal_of(cpu, count);
	for (size_t v = 0; v < count; v++) {
		double square = 0;
		for (size_t k = 0; k < 3; k++) {
			square += pow((double)cpu[v * 3 + k] - gpu[v * 3 + k], 2);
		}
		const double apart = diagonal > 0 ? sqrt(square) / diagonal : sqrt(square);
		if (!(apart <= tally->worst)) {
			tally->worst = apart;
			snprintf(tally->where, sizeof tally->where, "%s, %s, vertex %zu", path, id,
				v);
		}
		if (!(apart <= TOLERANCE)) {
			fail_msg("%s, %s: vertex %zu is %g of the diagonal away", path, id, v,
				apart);
		}
		const size_t n = (count + v) * 3;
		tally->normals++;
		tally->astray += !(degrees_between(cpu + n, gpu + n) <= NORMAL_DEGREES);
	}
	tally->comparisons++;
}

static void compare_method(const struct subject *subject, const struct renderer_method *method,
	const struct value *pose, struct tally *tally) {
	const int vertices = vertices_of(subject->rig, method->id);
	const size_t count = (size_t)vertices;
	float *cpu = xcalloc(count * 6 + 1, sizeof *cpu),
	      *gpu = xcalloc(count * 6 + 1, sizeof *gpu);
	struct error err = {0};
	if (skin(subject, method->id, DEVICE_CPU, pose, vertices, cpu, &err)) {
		if (!skin(subject, method->id, DEVICE_GPU, pose, vertices, gpu, &err)) {
			fail_msg("%s, %s: %s", subject->path, method->id, err.text);
		}
		hold(subject->path, method->id, cpu, gpu, count, tally);
	} else if (err.code == ERROR_MISSING_DATA || err.code == ERROR_INVALID_VALUE) {
		tally->refused++;
	} else {
		fail_msg("%s, %s: %s", subject->path, method->id, err.text);
	}
	free(gpu);
	free(cpu);
}

/* One joint, a share of the way down the skins' joints, turned by 60 degrees: for methods that
 * learn from such examples only. */
static const struct value *one_joint_pose(
	struct arena *arena, const struct rig *rig, double share) {
	const int slot = (int)(share * (rig->slot_count - 1));
	const struct joint *joint = &rig->joints[rig->slots[slot].joint];
	const double turn[4] = {0.3, 0, 0.4, 0.86602540378443865};
	double turned[4];
	for (int k = 0; k < 4; k++) {
		turned[k] = joint->rest.rotation[k];
	}
	quat_multiply(turned, turn, turned);
	return json_value(arena,
		arena_printf(arena,
			"{'set': 'rest', 'joints': {'%d': {'rotation': [%.9g, %.9g, %.9g, %.9g]}}}",
			joint->index, turned[0], turned[1], turned[2], turned[3]));
}

/* Poses, two bent all over and three in one joint, with the vertices that dual quaternions give
 * them. */
static struct examples *examples_of(const char *path, const struct rig *rig) {
	static const char *const names[] = {"one", "two", "upper", "middle", "lower"};
	enum { BENT = 2, COUNT = sizeof names / sizeof *names };
	struct examples *examples = examples_create(COUNT, rig->vertex_count);
	float *both = xcalloc((size_t)rig->vertex_count * 6, sizeof *both);
	for (int i = 0; i < COUNT; i++) {
		struct example *example = &examples->items[i];
		struct error err = {0};
		const struct subject bare = {.path = path, .rig = rig};
		example->name = names[i];
		example->pose = i < BENT ? bent_pose(examples->arena, rig, 21 + (unsigned)i)
					 : one_joint_pose(examples->arena, rig, 0.25 * (i - 1));
		if (!examples_allocate(examples, i, false, &err) ||
			!skin(&bare, "dqs", DEVICE_CPU, example->pose, rig->vertex_count, both,
				&err)) {
			fail_msg("%s: %s", path, err.text);
		}
		memcpy(example->positions, both, (size_t)rig->vertex_count * 3 * sizeof *both);
	}
	free(both);
	return examples;
}

static void compare_rig(const char *path, const struct rig *rig, struct tally *tally) {
	struct arena *arena = arena_create();
	const struct value *poses[3] = {bent_pose(arena, rig, 7), bent_pose(arena, rig, 8), NULL};
	int count = 2;
	if (rig->clip_count > 0) {
		poses[0] = clip_pose(arena, rig->clips[0].index, 0.37);
		poses[2] = clip_pose(arena, rig->clips[rig->clip_count - 1].index, 0.81);
		count = 3;
	}
	const struct subject subject = {path, rig, examples_of(path, rig)};
	struct renderer_method method;
	for (size_t i = 0; renderer_method(i, &method); i++) {
		if ((method.is_expensive || method.needs_examples) &&
			rig->vertex_count > DEAR_VERTICES) {
			tally->dear_skipped++;
			continue;
		}
		for (int k = 0; k < count; k++) {
			if (!method.needs_clip || value_member(poses[k], "clip")) {
				compare_method(&subject, &method, poses[k], tally);
			}
		}
	}
	examples_release(subject.examples);
	arena_destroy(arena);
	tally->rigs++;
}

static void compare_folder(const char *folder, struct tally *tally) {
	char **paths = xcalloc(FILES_MAX, sizeof *paths);
	int count = 0;
	collect(folder, paths, &count);
	qsort(paths, (size_t)count, sizeof *paths, by_name);
	for (int i = 0; i < count; i++) {
		struct rig *rig = read_rig(paths[i]);
		if (rig && is_skinned(rig)) {
			compare_rig(paths[i], rig, tally);
		}
		rig_release(rig);
		free(paths[i]);
	}
	free(paths);
}

static void report(const struct tally *tally) {
	printf("agreement: %d rigs, %d comparisons, worst %.2g of the diagonal (%s); %zu of %zu "
	       "normals differ by more than %g degrees; %d refused, %d times data was too dear "
	       "to make\n",
		tally->rigs, tally->comparisons, tally->worst, tally->where, tally->astray,
		tally->normals, NORMAL_DEGREES, tally->refused, tally->dear_skipped);
	assert_true((double)tally->astray <= NORMALS_ASTRAY * (double)tally->normals);
}

static void demo_rigs_agree(void **state) {
	(void)state;
	struct tally tally = {0};
	compare_folder("assets/demo", &tally);
	assert_true(tally.rigs >= 3);
	report(&tally);
}

static void files_of_the_collection_agree(void **state) {
	(void)state;
	const char *folder = getenv("POSED_SHARED_FILES");
	struct tally tally = {0};
	compare_folder(folder ? folder : "../shared/files", &tally);
	if (tally.rigs == 0) {
		printf("SKIPPED: no files beside the repository (POSED_SHARED_FILES says where)\n");
		skip();
	}
	report(&tally);
}

int main(void) {
	gpu_test_renderer();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(demo_rigs_agree),
		cmocka_unit_test(files_of_the_collection_agree),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	gpu_test_finish();
	return failed;
}
