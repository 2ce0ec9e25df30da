// Real files: whatever a strict import takes is the same to a lenient one.
#include <ftw.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "check.h"
#include "import/import.h"
#include "model/asset_facts.h"
#include "shared_files.h"

#define BYTES_MAX ((size_t)64 << 20)

static bool same(const void *a, const void *b, size_t size) {
	return size == 0 || memcmp(a, b, size) == 0;
}

static bool same_channel(const struct channel *a, const struct channel *b) {
	const size_t keys = (size_t)a->key_count;
	const size_t values = a->interpolation == INTERPOLATION_CUBIC_SPLINE ? 3 : 1;
	return a->joint == b->joint && a->path == b->path && a->interpolation == b->interpolation &&
		a->key_count == b->key_count && a->width == b->width &&
		same(a->times, b->times, keys * sizeof(float)) &&
		same(a->values, b->values, keys * values * (size_t)a->width * sizeof(float));
}

static bool same_clips(const struct rig *a, const struct rig *b) {
	bool equal = a->clip_count == b->clip_count;
	for (int i = 0; equal && i < a->clip_count; i++) {
		const struct clip *x = &a->clips[i], *y = &b->clips[i];
		equal = x->channel_count == y->channel_count && x->duration_s == y->duration_s &&
			strcmp(x->name, y->name) == 0;
		for (int k = 0; equal && k < x->channel_count; k++) {
			equal = same_channel(&x->channels[k], &y->channels[k]);
		}
	}
	return equal;
}

/* Influences name the same joints with the same weights, in other slots. */
static bool same_influences(const struct rig *a, const struct rig *b) {
	bool equal = a->influence_count == b->influence_count &&
		same(a->influence_weights, b->influence_weights,
			a->influence_count * sizeof(float));
	for (int p = 0; equal && p < a->primitive_count; p++) {
		const struct primitive *x = &a->primitives[p], *y = &b->primitives[p];
		const size_t count = (size_t)x->vertex_count * (size_t)x->influence_count;
		equal = x->first_influence == y->first_influence && x->joint == y->joint;
		for (size_t i = 0; equal && i < count; i++) {
			const size_t at = x->first_influence + i;
			equal = a->slots[x->first_slot + a->influence_slots[at]].joint ==
				b->slots[y->first_slot + b->influence_slots[at]].joint;
		}
	}
	return equal;
}

static bool same_rig(const struct rig *a, const struct rig *b) {
	const size_t vertices = (size_t)a->vertex_count;
	bool equal = a->vertex_count == b->vertex_count && a->index_count == b->index_count &&
		a->primitive_count == b->primitive_count && a->joint_count == b->joint_count &&
		same(a->positions, b->positions, vertices * 3 * sizeof(float)) &&
		same(a->normals, b->normals, vertices * 3 * sizeof(float)) &&
		same(a->indices, b->indices, (size_t)a->index_count * sizeof *a->indices) &&
		a->warning_count == b->warning_count;
	for (int i = 0; equal && i < a->warning_count; i++) {
		equal = strcmp(a->warnings[i], b->warnings[i]) == 0;
	}
	return equal && same_influences(a, b) && same_clips(a, b);
}

/* Of the walk through the folder: nftw() gives its callback nothing else. */
static int files_taken, files_refused, files_mended;

static bool read_bytes(const char *path, struct buffer *bytes) {
	FILE *stream = fopen(path, "rb");
	size_t count = stream ? 1 : 0;
	while (count > 0 && bytes->size <= BYTES_MAX) {
		count = fread(buffer_reserve(bytes, 1 << 16), 1, 1 << 16, stream);
		bytes->size += count;
	}
	if (stream) {
		fclose(stream);
	}
	return bytes->size <= BYTES_MAX;
}

static void compare_file(const char *path, const struct buffer *bytes) {
	struct error strict_err = {0}, lenient_err = {0};
	struct asset_facts *facts;
	struct rig *strict = import_rig(bytes->data, bytes->size, &strict_err);
	struct rig *lenient = import_rig_lenient(bytes->data, bytes->size, &facts, &lenient_err);
	if (strict && (!lenient || !same_rig(strict, lenient))) {
		fail_msg("%s: a lenient import differs (%s)", path, lenient_err.text);
	}
	if (!strict && !lenient) {
		assert_string_equal(strict_err.text, lenient_err.text);
	}
	struct buffer packed = {0};
	if (lenient) {
		assert_true(rig_check(lenient, NULL) && asset_facts_pack(facts, &packed, NULL));
		struct asset_facts *unpacked =
			asset_facts_unpack(lenient, packed.data, packed.size, NULL);
		assert_non_null(unpacked);
		asset_facts_destroy(unpacked);
	}
	files_taken += strict != NULL;
	files_refused += !lenient;
	files_mended += lenient && !strict;
	buffer_finish(&packed);
	rig_release(strict);
	rig_release(lenient);
	asset_facts_destroy(facts);
}

static int visit(const char *path, const struct stat *status, int type, struct FTW *walk) {
	static const char *const endings[] = {".glb", ".gltf", ".vrm", ".zip"};
	(void)status;
	(void)walk;
	const char *ending = strrchr(path, '.');
	bool is_asset = false;
	for (size_t i = 0; ending && i < sizeof endings / sizeof endings[0]; i++) {
		is_asset |= strcmp(ending, endings[i]) == 0;
	}
	struct buffer bytes = {0};
	if (type == FTW_F && is_asset && read_bytes(path, &bytes)) {
		compare_file(path, &bytes);
	}
	buffer_finish(&bytes);
	return 0;
}

static void reads_what_a_strict_import_reads_as_that_does(void **state) {
	(void)state;
	if (nftw(shared_files(), visit, 16, FTW_PHYS) != 0) {
		print_message("SKIPPED: no %s (POSED_SHARED_FILES says where such files are)\n",
			shared_files());
		skip();
	}
	print_message("%d files taken, %d more mended, %d refused\n", files_taken, files_mended,
		files_refused);
	assert_true(files_taken >= 100 && files_mended >= 8 && files_refused >= 8);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_what_a_strict_import_reads_as_that_does),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
