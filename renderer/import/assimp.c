// A file that Assimp reads -> a rig: the steps in their order.
#include "import/assimp.h"

#include <assimp/cimport.h>
#include <string.h>

#include "base/delayed.h"
#include "import/assimp_import.h"
#include "import/limits.h"
#include "import/space.h"

bool assimp_load(struct error *err) {
	return delayed_load(&delayed_assimp, err);
}

void assimp_prepare(const unsigned char *bytes, size_t size) {
	(void)bytes;
	(void)size;
	assimp_load(NULL);
}

/* COLLADA's up axis, which assimp has turned; y where it says none. */
static char read_up(const struct assimp_import *import) {
	static const char element[] = "<up_axis>";
	const char *found = memmem(import->bytes, import->size, element, sizeof element - 1);
	const char *end = (const char *)import->bytes + import->size;
	for (found = found ? found + sizeof element - 1 : end; found < end; found++) {
		if (!strchr(" \t\r\n", *found)) {
			return *found == 'X' ? 'x' : *found == 'Z' ? 'z' : 'y';
		}
	}
	return 'y';
}

static void note_space(struct assimp_import *import) {
	if (import->format->has_unit) {
		import->scene.space.unit_m = import->unit;
		memcpy(import->scene.space.turn, space_turn(read_up(import)),
			sizeof import->scene.space.turn);
	}
}

bool assimp_convert(struct assimp_import *import, struct error *err) {
	if (!assimp_make_joints(import, err)) {
		return false;
	}
	assimp_make_materials(import);
	note_space(import);
	return assimp_make_meshes(import, err) && assimp_make_clips(import, err) &&
		scene_build(&import->scene, import->rig, err);
}

static bool read(struct assimp_import *import, struct error *err) {
	const unsigned char *own = import->bytes;
	if (import->format->correct_bytes) {
		import->bytes =
			import->format->correct_bytes(import->bytes, &import->size, import->arena);
	}
	if (import->format->lost && import->bytes != own) {
		rig_warn(import->rig, "%s", import->format->lost);
	}
	import->from = assimp_read(import, err);
	return import->from && assimp_convert(import, err);
}

struct rig *assimp_import(const unsigned char *bytes, size_t size, const struct import_files *files,
	struct asset_facts **facts, struct error *err) {
	if (!assimp_load(err)) {
		return NULL;
	}
	struct arena *arena = arena_create();
	struct assimp_import import = {
		.rig = rig_create(),
		.arena = arena,
		.format = assimp_format_of(bytes, size),
		.files = files,
		.bytes = bytes,
		.size = size,
		.unit = 1,
		.scene = {.arena = arena, .bytes_left = claim_allowed(size)},
	};
	bool made = read(&import, err);
	if (made && facts) {
		*facts = scene_facts(&import.scene, import.rig, size, err);
		made = *facts;
	}
	aiReleaseImport(import.from);
	arena_destroy(arena);
	if (!made) {
		rig_release(import.rig);
		return NULL;
	}
	return import.rig;
}
