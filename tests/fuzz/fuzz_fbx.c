// FBX files, binary and ASCII: imported leniently, as checks do it.
#include <assert.h>

#include "fuzz.h"
#include "import/fbx.h"
#include "renderer.h"

#define SIZE_MAX_BYTES ((size_t)1 << 16)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct error err = {0};
	struct asset_facts *facts = NULL;
	if (size > SIZE_MAX_BYTES || !fbx_probe(data, size)) {
		return 0;
	}
	struct rig *rig = renderer_import_lenient(data, size, &facts, &err);
	assert(rig || err.code != ERROR_NONE);
	asset_facts_destroy(facts);
	rig_release(rig);
	return 0;
}
