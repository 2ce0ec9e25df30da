// Imports in processes of their own: the same rigs and the same errors as in this one.
#include "sandbox/importer.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buffer.h"
#include "model/asset_facts.h"
#include "model/rig.h"
#include "model/rig_pack.h"
#include "sandbox/import_internal.h"

#include "check.h"

static const char tiny[] = "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],"
			   "\"nodes\":[{\"name\":\"a\"}]}";
static const char humanoid[] = "assets/demo/humanoid.glb";

static struct importer *importer_of(double seconds) {
	const struct importer_options options = {
		.sandbox = SANDBOX_AUTO, .seconds = seconds, .memory_bytes = (uint64_t)2 << 30};
	struct error err = {0};
	struct importer *importer = importer_create(&options, &err);
	if (!importer) {
		fail_msg("%s", err.text);
	}
	return importer;
}

static struct rig *read_text(struct importer *importer, const char *text, struct error *err) {
	const struct import_asset asset = {.bytes = text, .size = strlen(text), .file = -1};
	*err = (struct error){0};
	return importer_read(importer, &asset, err);
}

static struct rig *read_file(struct importer *importer, const char *path, struct error *err) {
	const struct import_asset asset = {.file = open(path, O_RDONLY | O_CLOEXEC)};
	assert_true(asset.file >= 0);
	*err = (struct error){0};
	struct rig *rig = importer_read(importer, &asset, err);
	close(asset.file);
	return rig;
}

static void errors_come_as_they_are(void **state) {
	(void)state;
	static const char *const cases[] = {"", "x", "PK\x03\x04",
		"{\"asset\":{\"version\":\"2.0\"}", "{\"asset\":{\"version\":\"3.0\"}}", "glTF",
		"{\"asset\":{\"version\":\"2.0\"},"
		"\"extensionsRequired\":[\"f\xc3\xa9\"]}",
		"{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":1,\"uri\":\"a.bin\"}"
		"]}"};
	struct importer *importer = importer_of(60);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct error here, there;
		assert_null(read_text(NULL, cases[i], &here));
		assert_null(read_text(importer, cases[i], &there));
		assert_int_equal(there.code, here.code);
		assert_string_equal(there.text, here.text);
		assert_int_equal(there.has_pointer, here.has_pointer);
	}
	importer_destroy(importer);
}

static bool append(void *context, const void *bytes, size_t size) {
	buffer_append(context, bytes, size);
	return true;
}

static void rigs_come_as_they_are(void **state) {
	(void)state;
	struct importer *importer = importer_of(60);
	struct error err;
	struct rig *here = read_file(NULL, humanoid, &err);
	struct rig *there = read_file(importer, humanoid, &err);
	assert_non_null(here);
	if (!there) {
		fail_msg("%s", err.text);
	}
	// All of it is checked against what was packed in test_rig_pack; here some of each kind.
	assert_int_equal(there->vertex_count, here->vertex_count);
	assert_memory_equal(
		there->positions, here->positions, (size_t)here->vertex_count * 3 * sizeof(float));
	assert_int_equal(there->clip_count, here->clip_count);
	assert_string_equal(there->clips[1].name, here->clips[1].name);
	assert_memory_equal(&there->bounds, &here->bounds, sizeof here->bounds);
	assert_true(here->bounds.min[0] < here->bounds.max[0]);
	rig_release(here);
	importer_destroy(importer);
	// A rig outlives its importer.
	assert_int_equal(there->joints[there->joint_count - 1].weight_count, 0);
	rig_release(there);
}

static void past_its_time_it_is_too_large(void **state) {
	(void)state;
	struct importer *importer = importer_of(1e-6);
	struct error err;
	assert_null(read_file(importer, humanoid, &err));
	assert_int_equal(err.code, ERROR_TOO_LARGE);
	assert_string_equal(err.text, "reading the asset took more than 1e-06 s of processor time");
	importer_destroy(importer);
}

static void *read_often(void *context) {
	for (int i = 0; i < 10; i++) {
		struct error err;
		struct rig *rig =
			i % 2 ? read_text(context, tiny, &err) : read_file(context, humanoid, &err);
		if (!rig || rig->joint_count != (i % 2 ? 1 : 24) ||
			read_text(context, "nothing", &err) ||
			err.code != ERROR_UNSUPPORTED_MEDIA_TYPE) {
			return "a wrong answer";
		}
		rig_release(rig);
	}
	return NULL;
}

static void threads_do_not_get_into_each_others_way(void **state) {
	(void)state;
	struct importer *importer = importer_of(60);
	pthread_t threads[8];
	for (size_t i = 0; i < 8; i++) {
		assert_int_equal(pthread_create(&threads[i], NULL, read_often, importer), 0);
	}
	for (size_t i = 0; i < 8; i++) {
		void *complaint;
		pthread_join(threads[i], &complaint);
		assert_null(complaint);
	}
	importer_destroy(importer);
}

/* Checks the results that a compromised child might leave. */
static void refuse_result(const void *bytes, size_t size, enum error_code code) {
	struct import_outcome outcome = {.result = memfd_create("test", MFD_ALLOW_SEALING)};
	assert_int_equal(write(outcome.result, bytes, size), size);
	struct error err = {0};
	assert_null(import_outcome_take(&outcome, NULL, &err));
	assert_int_equal(err.code, code);
	close(outcome.result);
}

static void refuses_results_that_are_none(void **state) {
	(void)state;
	struct import_result result = {.magic = IMPORT_RESULT_MAGIC};
	refuse_result("", 0, ERROR_INTERNAL);
	refuse_result(&result, sizeof result - 1, ERROR_INTERNAL);
	refuse_result(&result, sizeof result, ERROR_INTERNAL); // says there is a rig
	result.pack_bytes = UINT64_MAX;
	refuse_result(&result, sizeof result, ERROR_INTERNAL);
	result.failed = 1;
	refuse_result(&result, sizeof result, ERROR_INTERNAL); // no code
	result.err.code = ERROR_UNKNOWN_RIG;
	refuse_result(&result, sizeof result, ERROR_INTERNAL); // no importer's code
	result.err.code = (enum error_code)12345;
	refuse_result(&result, sizeof result, ERROR_INTERNAL);
	result.err.code = ERROR_BROKEN_ASSET;
	memset(result.err.text, 'a', sizeof result.err.text); // no end
	refuse_result(&result, sizeof result, ERROR_INTERNAL);
	strcpy(result.err.text, "\xff");
	refuse_result(&result, sizeof result, ERROR_INTERNAL);
	strcpy(result.err.text, "fine");
	refuse_result(&result, sizeof result, ERROR_BROKEN_ASSET);
}

static void refuses_a_block_that_is_no_rig(void **state) {
	(void)state;
	static unsigned char bytes[IMPORT_PACK_AT + 4096];
	const struct import_result result = {.magic = IMPORT_RESULT_MAGIC, .pack_bytes = 4096};
	memcpy(bytes, &result, sizeof result);
	refuse_result(bytes, sizeof bytes, ERROR_BROKEN_ASSET);
}

/* Nobody may keep a way to change what was checked. */
static void refuses_a_result_that_is_still_mapped(void **state) {
	(void)state;
	struct error err;
	struct rig *rig = read_text(NULL, tiny, &err);
	struct buffer block = {0};
	rig_pack(rig, append, &block);
	const struct import_result result = {
		.magic = IMPORT_RESULT_MAGIC, .pack_bytes = block.size};
	struct import_outcome outcome = {.result = memfd_create("test", MFD_ALLOW_SEALING)};
	assert_int_equal(pwrite(outcome.result, &result, sizeof result, 0), sizeof result);
	assert_int_equal(
		pwrite(outcome.result, block.data, block.size, IMPORT_PACK_AT), block.size);
	void *still = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, outcome.result, 0);
	assert_null(import_outcome_take(&outcome, NULL, &err));
	assert_int_equal(err.code, ERROR_INTERNAL);
	munmap(still, 4096);
	struct rig *taken = import_outcome_take(&outcome, NULL, NULL);
	assert_non_null(taken);
	assert_true(write(outcome.result, "x", 1) < 0);
	close(outcome.result);
	rig_release(taken);
	rig_release(rig);
	buffer_finish(&block);
}

/* A broken asset: its facts come as they are, and of a strict import only the error. */
static const char broken[] =
	"{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":24,\"uri\":"
	"\"data:;base64,AADAfwAAgD8AAABAAAAAAAAAgD8AAABA\"}],\"bufferViews\":[{\"buffer\":0,"
	"\"byteLength\":24}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":2,"
	"\"type\":\"VEC3\"}],\"nodes\":[{\"name\":\"a\",\"mesh\":0}],\"meshes\":[{\"primitives\":[{"
	"\"mode\":0,\"attributes\":{\"POSITION\":0}}]}]}";

static struct rig *read_lenient(struct importer *importer, const char *text,
	struct asset_facts **facts, struct error *err) {
	const struct import_asset asset = {.bytes = text, .size = strlen(text), .file = -1};
	*err = (struct error){0};
	return importer_read_lenient(importer, &asset, facts, err);
}

static void facts_come_as_they_are(void **state) {
	(void)state;
	struct importer *importer = importer_of(60);
	struct importer *const importers[] = {NULL, importer};
	for (size_t i = 0; i < 2; i++) {
		struct asset_facts *facts;
		struct error err;
		assert_null(read_text(importers[i], broken, &err));
		assert_int_equal(err.code, ERROR_BROKEN_ASSET);
		struct rig *rig = read_lenient(importers[i], broken, &facts, &err);
		if (!rig) {
			fail_msg("%s", err.text);
		}
		assert_int_equal(facts->file_bytes, sizeof broken - 1);
		assert_int_equal(facts->primitives[0].flaws[VERTEX_POSITION_NONFINITE].count, 1);
		assert_true(asset_facts_is_nonfinite(facts, 0));
		assert_string_equal(facts->texts + facts->joint_names[0], "a");
		rig_release(rig);
		asset_facts_destroy(facts);
		assert_null(read_lenient(importers[i], "nothing", &facts, &err));
		assert_null(facts);
		assert_int_equal(err.code, ERROR_UNSUPPORTED_MEDIA_TYPE);
	}
	importer_destroy(importer);
}

/* A sound rig, and behind it what a compromised child might write instead of facts. */
static void refuses_facts_that_are_none(void **state) {
	(void)state;
	static const struct {
		size_t written, told;
		bool lenient;
		enum error_code code;
	} rows[] = {
		{64, 64, true, ERROR_BROKEN_ASSET},
		{64, 63, true, ERROR_INTERNAL},
		{64, SIZE_MAX, true, ERROR_INTERNAL},
		{64, 64, false, ERROR_INTERNAL},
		{0, 0, true, ERROR_INTERNAL},
	};
	struct error err;
	struct rig *rig = read_text(NULL, tiny, &err);
	struct buffer block = {0};
	rig_pack(rig, append, &block);
	const size_t rig_bytes = block.size;
	memset(buffer_reserve(&block, 64), 0x11, 64);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct import_result result = {.magic = IMPORT_RESULT_MAGIC,
			.pack_bytes = rig_bytes,
			.facts_bytes = rows[i].told};
		struct import_outcome outcome = {.result = memfd_create("test", MFD_ALLOW_SEALING)};
		struct asset_facts *facts = NULL;
		const size_t size = rig_bytes + rows[i].written;
		assert_int_equal(pwrite(outcome.result, &result, sizeof result, 0), sizeof result);
		assert_int_equal(pwrite(outcome.result, block.data, size, IMPORT_PACK_AT), size);
		err = (struct error){0};
		assert_null(import_outcome_take(&outcome, rows[i].lenient ? &facts : NULL, &err));
		assert_int_equal(err.code, rows[i].code);
		assert_null(facts);
		close(outcome.result);
	}
	rig_release(rig);
	buffer_finish(&block);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errors_come_as_they_are),
		cmocka_unit_test(past_its_time_it_is_too_large),
		cmocka_unit_test(refuses_results_that_are_none),
		cmocka_unit_test(refuses_a_block_that_is_no_rig),
		cmocka_unit_test(refuses_a_result_that_is_still_mapped),
		cmocka_unit_test(rigs_come_as_they_are),
		cmocka_unit_test(facts_come_as_they_are),
		cmocka_unit_test(refuses_facts_that_are_none),
		cmocka_unit_test(threads_do_not_get_into_each_others_way),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
