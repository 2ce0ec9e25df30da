// Prism's files, imported leniently, as checks do it: a document, and behind NUL bytes its skeleton
// and its animations.
#include <assert.h>
#include <string.h>

#include "fuzz.h"
#include "import/prism.h"
#include "model/asset_facts.h"

#define SIZE_MAX_BYTES ((size_t)1 << 15)
#define PARTS_MAX 4

struct parts {
	const unsigned char *starts[PARTS_MAX];
	size_t sizes[PARTS_MAX];
	size_t count;
};

static const char *const paths[PARTS_MAX] = {"two.pim", "two.pis", "two_a.pia", "two_b.pia"};

static void split(struct parts *parts, const uint8_t *data, size_t size) {
	for (const uint8_t *end = data + size; parts->count < PARTS_MAX;) {
		const uint8_t *stop = memchr(data, '\0', (size_t)(end - data));
		const bool is_last = !stop || parts->count == PARTS_MAX - 1;
		const size_t length = (size_t)((is_last ? end : stop) - data);
		parts->starts[parts->count] = data;
		parts->sizes[parts->count++] = length;
		if (is_last) {
			return;
		}
		data = stop + 1;
	}
}

static const unsigned char *read_part(void *context, size_t file, size_t *size, struct error *err) {
	const struct parts *parts = context;
	(void)err;
	*size = parts->sizes[file];
	return parts->starts[file];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct parts parts = {0};
	struct error err = {0};
	struct asset_facts *facts = NULL;
	if (size == 0 || size > SIZE_MAX_BYTES) {
		return 0;
	}
	split(&parts, data, size);
	if (!prism_probe(parts.starts[0], parts.sizes[0])) {
		return 0;
	}
	const struct import_files files = {
		.count = parts.count, .paths = paths, .read = read_part, .context = &parts};
	struct rig *rig = prism_import_with(parts.starts[0], parts.sizes[0], &files, &facts, &err);
	assert(rig || err.code != ERROR_NONE);
	if (rig) {
		struct error flaw = {0};
		const bool sound = rig_check(rig, &flaw);
		assert(sound);
	}
	asset_facts_destroy(facts);
	rig_release(rig);
	return 0;
}
