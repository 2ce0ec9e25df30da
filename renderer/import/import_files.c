// Assets of several files: the document by its name, and the files that it names.
#include "import/import_files.h"

#include <string.h>
#include <strings.h>

#include "base/utf8.h"
#include "import/zip.h"

/* The lowest rank that is there is the document's. */
enum rank { RANK_GLTF, RANK_MODEL, RANK_MOTION, RANK_PART, RANK_COUNT };

static const struct {
	const char *ending;
	enum rank rank;
} documents[] = {
	{".gltf", RANK_GLTF}, {".glb", RANK_GLTF}, {".fbx", RANK_MODEL}, {".dae", RANK_MODEL},
	{".md5mesh", RANK_MODEL}, {".x", RANK_MODEL}, {".mesh", RANK_MODEL},
	{".mesh.xml", RANK_MODEL}, {".obj", RANK_MODEL}, {".ply", RANK_MODEL}, {".stl", RANK_MODEL},
	{".3ds", RANK_MODEL}, {".pim", RANK_MODEL}, {".bvh", RANK_MOTION},
	{".md5anim", RANK_MOTION}, {".pis", RANK_MOTION},
	{".pia", RANK_PART}, // of a .pis, which it is nothing without
};

static const char *file_name(const char *path) {
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static bool ends(const char *name, const char *ending) {
	const size_t length = strlen(name), end = strlen(ending);
	return length > end && strcasecmp(name + length - end, ending) == 0;
}

/* RANK_COUNT for what is no document; macOS adds "._fox.gltf" to its archives. */
static enum rank rank_of(const char *path) {
	const char *name = file_name(path);
	for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
		if (ends(name, documents[i].ending) && strncmp(name, "._", 2) != 0) {
			return documents[i].rank;
		}
	}
	return RANK_COUNT;
}

static bool refuse(const char *first, const char *second, enum rank rank, struct error *err) {
	char quoted[2][UTF8_QUOTED_BYTES];
	utf8_quote(first, quoted[0], sizeof quoted[0]);
	utf8_quote(second, quoted[1], sizeof quoted[1]);
	return error_set(err, ERROR_BROKEN_ASSET, "holds %s and %s, must hold exactly one %s",
		quoted[0], quoted[1], rank == RANK_GLTF ? ".gltf or .glb" : "document");
}

bool import_files_choose(
	const char *const *paths, size_t count, size_t *document, struct error *err) {
	size_t found[RANK_COUNT], others[RANK_COUNT], counts[RANK_COUNT + 1] = {0};
	*document = count;
	for (size_t i = 0; i < count; i++) {
		const enum rank rank = rank_of(paths[i]);
		counts[rank]++;
		if (rank < RANK_COUNT) {
			*(counts[rank] == 1 ? &found[rank] : &others[rank]) = i;
		}
	}
	for (enum rank rank = 0; rank < RANK_COUNT; rank++) {
		if (counts[rank] > 1) {
			return refuse(paths[found[rank]], paths[others[rank]], rank, err);
		}
		if (counts[rank] == 1) {
			*document = found[rank];
			return true;
		}
	}
	return true;
}

bool import_files_find(const struct import_files *files, const char *name, size_t *file) {
	struct arena *arena = arena_create();
	const char *document = files->paths[files->document];
	char *path = arena_strndup(arena, name, strlen(name));
	for (char *c = path; (c = strchr(c, '\\'));) {
		*c = '/';
	}
	const int folder = (int)(file_name(document) - document);
	const char *exact =
		zip_path_clean(arena_printf(arena, "%.*s%s", folder, document, path), arena);
	bool found = false;
	for (size_t i = 0; exact && !found && i < files->count; i++) {
		found = strcmp(files->paths[i], exact) == 0;
		*file = i;
	}
	for (size_t i = 0; !found && i < files->count; i++) {
		found = strcasecmp(file_name(files->paths[i]), file_name(path)) == 0;
		*file = i;
	}
	arena_destroy(arena);
	return found;
}

const char *import_clip_name(const char *document, const char *path, struct arena *arena) {
	const char *name = file_name(path), *stem = file_name(document);
	const size_t length = strcspn(name, "."), prefix = strcspn(stem, ".");
	const bool shares = length > prefix && strncasecmp(name, stem, prefix) == 0 &&
		strspn(name + prefix, "_- ") > 0;
	const size_t from = shares ? prefix + strspn(name + prefix, "_- ") : 0;
	return from < length ? arena_strndup(arena, name + from, length - from)
			     : arena_strndup(arena, name, length);
}
