// Real and hostile files: everything under POSED_SHARED_FILES (default ../shared/files).
#include <dirent.h>
#include <ftw.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "gltf_builder.h"
#include "import/assimp_import.h"
#include "import/import.h"
#include "zip_builder.h"

struct file {
	unsigned char *bytes;
	size_t size;
};

static const char *root(void) {
	const char *folder = getenv("POSED_SHARED_FILES");
	return folder ? folder : "../shared/files";
}

/* Skips the test where the files are not: they are no part of the project. */
static void need_files(void) {
	DIR *folder = opendir(root());
	if (!folder) {
		print_message("SKIPPED: no folder %s (set POSED_SHARED_FILES)\n", root());
		skip();
	}
	closedir(folder);
}

static struct file read_file(const char *path) {
	struct file file = {0};
	FILE *stream = fopen(path, "rb");
	if (!stream) {
		return file;
	}
	struct buffer buffer = {0};
	size_t count;
	do {
		unsigned char *room = buffer_reserve(&buffer, 1 << 16);
		count = fread(room, 1, 1 << 16, stream);
		buffer.size += count;
	} while (count > 0);
	fclose(stream);
	// An exact block, so that ASan detects reads past the end.
	file.bytes = malloc(buffer.size ? buffer.size : 1);
	file.size = buffer.size;
	memcpy(file.bytes, buffer.data, buffer.size);
	buffer_finish(&buffer);
	return file;
}

/* The JSON of a GLB or glTF as a string. */
static char *json_of(const struct file *file) {
	size_t start = 0, size = file->size;
	if (size >= 20 && memcmp(file->bytes, "glTF", 4) == 0) {
		uint32_t length;
		memcpy(&length, file->bytes + 12, sizeof length);
		start = 20;
		size = length;
	}
	char *json = calloc(size + 1, 1);
	memcpy(json, file->bytes + start, size);
	return json;
}

/* Reasons for which a file that is not hostile may be refused, by message; the first rule that fits
 * counts.
 */
static const struct {
	const char *pattern;
	enum error_code code;
	const char *text;
} refusals[] = {
	// Invalid: its inverse bind matrices have a 0 in the last corner.
	{"\"skin-multiple-sets[.]bin\"", ERROR_BROKEN_ASSET,
		"the last row of matrix 0 of accessors[7] must be 0 0 0 1"},
	// Invalid: accessors have at least one element.
	{"\"count\"[[:space:]]*:[[:space:]]*0[^0-9]", ERROR_BROKEN_ASSET,
		"count must be at least 1"},
};

static int refusal_for(const struct file *file) {
	char *json = json_of(file);
	int found = -1;
	for (int i = 0; found < 0 && i < (int)(sizeof refusals / sizeof refusals[0]); i++) {
		regex_t pattern;
		assert_int_equal(
			regcomp(&pattern, refusals[i].pattern, REG_EXTENDED | REG_NOSUB), 0);
		if (regexec(&pattern, json, 0, NULL, 0) == 0) {
			found = i;
		}
		regfree(&pattern);
	}
	free(json);
	return found;
}

static bool ends_with(const char *text, const char *end) {
	const size_t length = strlen(text), end_length = strlen(end);
	return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* Adds what lies in a folder and those below, but no other documents. */
static void pack_folder(struct zip_builder *b, const char *folder, const char *prefix) {
	DIR *stream = opendir(folder);
	for (struct dirent *entry = readdir(stream); entry; entry = readdir(stream)) {
		char path[4096], name[1024];
		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		snprintf(name, sizeof name, "%s%s", prefix, entry->d_name);
		if (entry->d_type == DT_DIR && entry->d_name[0] != '.') {
			strcat(name, "/");
			pack_folder(b, path, name);
		} else if (entry->d_type == DT_REG && !ends_with(name, ".gltf") &&
			!ends_with(name, ".glb")) {
			struct file file = read_file(path);
			zip_builder_add(b, name, file.bytes, file.size);
			free(file.bytes);
		}
	}
	closedir(stream);
}

/* A file as one sends it: a .gltf with its folder as a ZIP. */
static struct file read_asset(const char *path) {
	struct file file = read_file(path);
	if (!ends_with(path, ".gltf") || !memmem(file.bytes, file.size, ".bin\"", 5)) {
		return file;
	}
	struct zip_builder b = {0};
	const char *slash = strrchr(path, '/');
	char folder[4096];
	snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
	zip_builder_add(&b, slash + 1, file.bytes, file.size);
	pack_folder(&b, folder, "");
	free(file.bytes);
	file.bytes = zip_builder_finish(&b, &file.size);
	return file;
}

static int imported_count, refused_count, wrong_count;

static void check_sound_file(const char *path) {
	struct file file = read_file(path), asset = read_asset(path);
	struct error err = {0};
	struct rig *rig = import_rig(asset.bytes, asset.size, &err);
	const int refusal = refusal_for(&file);
	free(asset.bytes);
	const bool as_expected = refusal < 0 ? rig != NULL
					     : !rig && err.code == refusals[refusal].code &&
			strstr(err.text, refusals[refusal].text);
	if (!as_expected) {
		print_error("%s: %s\n", path, rig ? "imported, but must be refused" : err.text);
		wrong_count++;
	}
	imported_count += rig != NULL;
	refused_count += rig == NULL;
	rig_release(rig);
	free(file.bytes);
}

static int visit_sound(const char *path, const struct stat *status, int type, struct FTW *walk) {
	(void)status, (void)walk;
	if (type == FTW_F && !strstr(path, "/malformed/") &&
		(ends_with(path, ".glb") || ends_with(path, ".gltf"))) {
		check_sound_file(path);
	}
	return 0;
}

static void imports_every_sound_file(void **state) {
	(void)state;
	need_files();
	imported_count = refused_count = wrong_count = 0;
	nftw(root(), visit_sound, 16, FTW_PHYS);
	print_message("%d imported, %d refused by rule\n", imported_count, refused_count);
	assert_true(imported_count > 0);
	assert_int_equal(wrong_count, 0);
}

static bool is_read(const struct file *file) {
	struct rig *rig = import_rig(file->bytes, file->size, NULL);
	rig_release(rig);
	return rig;
}

/* What a file may make Assimp allocate. Sanitizers reserve terabytes, and would not start. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MEMORY_BYTES RLIM_INFINITY
#else
#define MEMORY_BYTES ((rlim_t)2 << 30)
#endif

/* In a process of its own and with limited memory, as the daemon does: Assimp crashes on some of
 * these files. */
static bool is_read_apart(const struct file *file) {
	int status;
	const pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		// A crash ends the child, and not this test in it.
		static const int crashes[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};
		for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) {
			signal(crashes[i], SIG_DFL);
		}
		setrlimit(RLIMIT_AS, &(struct rlimit){MEMORY_BYTES, MEMORY_BYTES});
		_exit(is_read(file) ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool is_read_safely(const struct file *file) {
	return assimp_format_of(file->bytes, file->size) ? is_read_apart(file) : is_read(file);
}

static int visit_hostile(const char *path, const struct stat *status, int type, struct FTW *walk) {
	(void)status, (void)walk;
	if (type == FTW_F) {
		struct file file = read_file(path);
		const bool read = is_read_safely(&file);
		imported_count += read;
		refused_count += !read;
		free(file.bytes);
	}
	return 0;
}

static void survives_every_hostile_file(void **state) {
	(void)state;
	need_files();
	char folder[4096];
	snprintf(folder, sizeof folder, "%s/malformed", root());
	imported_count = refused_count = 0;
	nftw(folder, visit_hostile, 16, FTW_PHYS);
	print_message("%d imported, %d refused\n", imported_count, refused_count);
	assert_true(refused_count > 0);
}

/* Files that EXPECT.tsv wants refused but that hold nothing to refuse. */
static const struct {
	const char *name, *lacks; // lacks NULL = nothing that could be looked for
} harmless[] = {
	{"json-1e400.glb", "1e400"},               // the number got lost when it was made
	{"draco-required.glb", "\"extensions\":"}, // requires what it does not use
	{"key-time-denormal.glb", NULL},           // its times ascend, if by little
};

static bool is_harmless(const char *name, const struct file *file) {
	for (size_t i = 0; i < sizeof harmless / sizeof harmless[0]; i++) {
		const char *lacks = harmless[i].lacks;
		if (strcmp(harmless[i].name, name) == 0 &&
			(!lacks || !memmem(file->bytes, file->size, lacks, strlen(lacks)))) {
			print_message("%s has nothing to refuse in it\n", name);
			return true;
		}
	}
	return false;
}

/* One line of EXPECT.tsv: a name, R or A, a note. */
static void check_expectation(const char *folder, char *line) {
	char *name = strtok(line, "\t"), *expected = strtok(NULL, "\t\n"), path[4096];
	if (!name || !expected || name[0] == '#') {
		return;
	}
	snprintf(path, sizeof path, "%s/%s", folder, name);
	struct file file = read_file(path);
	if (!file.bytes) {
		return; // made by a tool when it is needed; here tests/unit makes its own
	}
	const bool read = is_read_safely(&file);
	if (read && strcmp(expected, "R") == 0 && !is_harmless(name, &file)) {
		print_error("%s: imported, but must be refused\n", name);
		wrong_count++;
	}
	imported_count++;
	free(file.bytes);
}

static void refuses_what_must_be_refused(void **state) {
	(void)state;
	need_files();
	char folder[2048], path[4096], line[4096];
	snprintf(folder, sizeof folder, "%s/malformed/derived-malformed-public", root());
	snprintf(path, sizeof path, "%s/EXPECT.tsv", folder);
	FILE *stream = fopen(path, "r");
	assert_non_null(stream);
	imported_count = wrong_count = 0;
	while (fgets(line, sizeof line, stream)) {
		check_expectation(folder, line);
	}
	fclose(stream);
	print_message("%d files held against EXPECT.tsv\n", imported_count);
	assert_true(imported_count > 200);
	assert_int_equal(wrong_count, 0);
}

static struct rig *import_file(const char *name) {
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", root(), name);
	struct file file = read_asset(path);
	struct error err = {0};
	struct rig *rig = import_rig(file.bytes, file.size, &err);
	free(file.bytes);
	if (!rig) {
		fail_msg("%s: %s", name, err.text);
	}
	return rig;
}

static void reads_known_numbers(void **state) {
	(void)state;
	need_files();
	static const struct {
		const char *name;
		int joints, vertices, indices, slots, clips, images;
	} rows[] = {
		{"khronos-SimpleSkin/glTF-Embedded/SimpleSkin.gltf", 3, 10, 24, 2, 1, 0},
		{"khronos-Fox/glTF-Binary/Fox.glb", 26, 1728, 1728, 22, 3, 1},
		{"khronos-Fox/glTF/Fox.gltf", 26, 1728, 1728, 22, 3, 1},
		{"khronos-SimpleSkin/glTF/SimpleSkin.gltf", 3, 10, 24, 2, 1, 0},
		{"khronos-BoxWithSpaces/glTF/Box With Spaces.gltf", 1, 24, 36, 1, 0, 3},
		{"derived-public-fox/Fox.texture-missing.gltf", 26, 1728, 1728, 22, 3, 0},
		{"kaykit-adventurers/Characters/gltf/Knight.glb", 57, 7024, 20856, 29, 76, 1},
		{"godot-mannequiny/mannequiny.glb", 48, 12597, 41496, 45, 10, 0},
		{"webxr-hands/generic-hand/left.glb", 30, 1360, 6942, 20, 0, 0},
		{"mesh2motion/rigs/rig-fox.glb", 50, 0, 0, 0, 0, 0},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct rig *rig = import_file(rows[i].name);
		assert_int_equal(rig->joint_count, rows[i].joints);
		assert_int_equal(rig->vertex_count, rows[i].vertices);
		assert_int_equal(rig->index_count, rows[i].indices);
		assert_int_equal(rig->slot_count, rows[i].slots);
		assert_int_equal(rig->clip_count, rows[i].clips);
		assert_int_equal(rig->image_count, rows[i].images);
		rig_release(rig);
	}
}

static bool same_keys(const struct clip *a, const struct clip *b) {
	bool same = a->channel_count == b->channel_count && a->duration_s == b->duration_s;
	for (int i = 0; same && i < a->channel_count; i++) {
		const struct channel *x = &a->channels[i], *y = &b->channels[i];
		const size_t keys = (size_t)x->key_count * sizeof(float);
		same = x->key_count == y->key_count && memcmp(x->times, y->times, keys) == 0 &&
			memcmp(x->values, y->values, keys * (size_t)x->width) == 0;
	}
	return same;
}

static bool same_rig(const struct rig *a, const struct rig *b) {
	const size_t vertices = (size_t)a->vertex_count;
	bool same = a->vertex_count == b->vertex_count &&
		a->influence_count == b->influence_count && a->joint_count == b->joint_count &&
		a->clip_count == b->clip_count &&
		memcmp(a->positions, b->positions, vertices * 12) == 0 &&
		memcmp(a->normals, b->normals, vertices * 12) == 0 &&
		memcmp(a->texcoords[0], b->texcoords[0], vertices * 8) == 0 &&
		memcmp(a->influence_slots, b->influence_slots, a->influence_count * 2) == 0 &&
		memcmp(a->influence_weights, b->influence_weights, a->influence_count * 4) == 0;
	for (int i = 0; same && i < a->clip_count; i++) {
		same = same_keys(&a->clips[i], &b->clips[i]);
	}
	return same;
}

/* The same Fox written in other ways (VARIANTS.tsv) must come out bit by bit the same. */
static void other_ways_to_write_a_rig_change_nothing(void **state) {
	(void)state;
	need_files();
	static const char *const variants[] = {"datauri.gltf", "external.gltf", "interleaved.glb",
		"joints-othertype.glb", "joints1-moved.glb", "joints1-halved.glb",
		"meshnode-moved.glb", "morph-zero.glb", "no-names.glb", "odd-names.glb",
		"quat-signs.glb", "same-names.glb", "second-scene.glb", "sparse.glb"};
	struct rig *base = import_file("derived-public-fox/Fox.base.glb");
	for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
		char name[256];
		snprintf(name, sizeof name, "derived-public-fox/Fox.%s", variants[i]);
		struct rig *variant = import_file(name);
		if (!same_rig(base, variant)) {
			fail_msg("%s differs from the base", name);
		}
		rig_release(variant);
	}
	rig_release(base);
}

/* The box around the vertices, primitive by primitive: compression may renumber them. */
static void compare_bounds(const struct rig *a, const struct rig *b, double tolerance) {
	assert_int_equal(a->primitive_count, b->primitive_count);
	assert_int_equal(a->index_count, b->index_count);
	for (int i = 0; i < a->primitive_count; i++) {
		for (int axis = 0; axis < 3; axis++) {
			double bounds[2][2] = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
			for (int k = 0; k < 2; k++) {
				const struct rig *rig = k ? b : a;
				const struct primitive *p = &rig->primitives[i];
				for (int v = p->first_vertex; v < p->first_vertex + p->vertex_count;
					v++) {
					const double x = (double)rig->positions[v * 3 + axis];
					bounds[k][0] = fmin(bounds[k][0], x);
					bounds[k][1] = fmax(bounds[k][1], x);
				}
			}
			assert_near(bounds[0][0], bounds[1][0], tolerance);
			assert_near(bounds[0][1], bounds[1][1], tolerance);
		}
	}
}

static void draco_changes_little(void **state) {
	(void)state;
	need_files();
	static const struct {
		const char *plain, *packed;
		double tolerance; // what the encoder's 14 bits leave
	} rows[] = {
		{"khronos-RiggedFigure/glTF/RiggedFigure.gltf",
			"khronos-RiggedFigure/glTF-Draco/RiggedFigure.gltf", 1e-3},
		{"khronos-MorphPrimitivesTest/glTF/MorphPrimitivesTest.gltf",
			"khronos-MorphPrimitivesTest/glTF-Draco/MorphPrimitivesTest.gltf", 1e-3},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct rig *plain = import_file(rows[i].plain);
		struct rig *packed = import_file(rows[i].packed);
		compare_bounds(plain, packed, rows[i].tolerance);
		// Draco merges vertices that are the same.
		assert_true(
			packed->vertex_count > 0 && packed->vertex_count <= plain->vertex_count);
		assert_int_equal(plain->slot_count, packed->slot_count);
		assert_int_equal(packed->warning_count, plain->warning_count);
		rig_release(plain);
		rig_release(packed);
	}
}

/* All seven modes, with and without indices of every size. */
static void draws_every_mode(void **state) {
	(void)state;
	need_files();
	static const enum topology topologies[] = {TOPOLOGY_POINTS, TOPOLOGY_LINES, TOPOLOGY_LINES,
		TOPOLOGY_LINES, TOPOLOGY_TRIANGLES, TOPOLOGY_TRIANGLES, TOPOLOGY_TRIANGLES};
	for (int i = 0; i < 16; i++) {
		char name[128];
		snprintf(name, sizeof name,
			"gltf-asset-generator/Positive/Mesh_PrimitiveMode/Mesh_PrimitiveMode_%02d"
			".gltf",
			i);
		struct rig *rig = import_file(name);
		const enum topology expected = i < 7 ? topologies[i]
			: i < 14                     ? topologies[i - 7]
						     : TOPOLOGY_TRIANGLES;
		assert_int_equal(rig->primitives[0].topology, expected);
		assert_true(rig->index_count > 0);
		rig_release(rig);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(imports_every_sound_file),
		cmocka_unit_test(survives_every_hostile_file),
		cmocka_unit_test(refuses_what_must_be_refused),
		cmocka_unit_test(reads_known_numbers),
		cmocka_unit_test(other_ways_to_write_a_rig_change_nothing),
		cmocka_unit_test(draco_changes_little),
		cmocka_unit_test(draws_every_mode),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
