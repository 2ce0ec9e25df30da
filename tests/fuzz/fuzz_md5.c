// Meshes and motions of Doom 3: a mesh, or a motion, or both with a NUL byte between them.
#include <assert.h>
#include <string.h>

#include "fuzz.h"
#include "import/md5.h"
#include "model/rig.h"

#define SIZE_MAX_BYTES ((size_t)1 << 16)

struct both {
	const uint8_t *mesh, *motion;
	size_t mesh_size, motion_size;
};

static const unsigned char *read_file(void *context, size_t file, size_t *size, struct error *err) {
	const struct both *both = context;
	(void)err;
	*size = file == 0 ? both->mesh_size : both->motion_size;
	return file == 0 ? both->mesh : both->motion;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	static const char *const paths[] = {"a.md5mesh", "a_b.md5anim"};
	struct error err = {0};
	if (size > SIZE_MAX_BYTES || size == 0) {
		return 0;
	}
	const uint8_t *middle = memchr(data, 0, size), *end = data + size;
	const struct both both = {data, middle ? middle + 1 : NULL,
		(size_t)((middle ? middle : end) - data), middle ? (size_t)(end - middle - 1) : 0};
	const struct import_files files = {middle ? 2 : 1, paths, 0, read_file, (void *)&both};
	if (!md5_mesh_probe(data, size) && !md5_anim_probe(data, size)) {
		return 0;
	}
	struct rig *rig = md5_anim_probe(data, size)
		? md5_anim_import(data, size, NULL, &err)
		: md5_mesh_import(both.mesh, both.mesh_size, &files, NULL, &err);
	assert(rig ? rig_check(rig, &err) : err.code != ERROR_NONE);
	rig_release(rig);
	return 0;
}
