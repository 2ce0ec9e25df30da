// Files that belong to a document without its naming them: Prism's animations, which name their
// skeleton and not the other way round, and MD5's, which nothing names.
#include <string.h>
#include <strings.h>

#include "import/md5.h"
#include "import/prism.h"
#include "interface/asset_files.h"

static const char *file_name(const char *path) {
	for (const char *c = path; *c; c++) {
		path = *c == '/' || *c == '\\' ? c + 1 : path;
	}
	return path;
}

const char *renderer_asset_companions(const void *bytes, size_t size) {
	if (md5_mesh_probe(bytes, size)) {
		return ".md5anim";
	}
	return prism_probe(bytes, size) && !prism_is_animation(bytes, size) ? ".pia" : NULL;
}

/* The skeleton that a file names, or is. */
static const char *skeleton_of(const struct asset_file *file, struct arena *arena) {
	const char *path = prism_skeleton_path(file->bytes, file->size, arena);
	return file_name(path ? path : file->path);
}

bool renderer_asset_is_companion(const struct asset_file *document, const struct asset_file *file) {
	if (md5_mesh_probe(document->bytes, document->size)) {
		const char *stem = file_name(document->path);
		return strncasecmp(file_name(file->path), stem, strcspn(stem, ".")) == 0;
	}
	struct arena *arena = arena_create();
	const bool same = prism_probe(file->bytes, file->size) &&
		strcasecmp(skeleton_of(document, arena), skeleton_of(file, arena)) == 0;
	arena_destroy(arena);
	return same;
}
