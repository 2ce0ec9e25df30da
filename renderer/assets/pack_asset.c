// The files of an asset -> one ZIP archive.
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "export/stored_zip.h"
#include "import/import_files.h"
#include "import/zip.h"
#include "interface/asset_files.h"

static int compare(const void *a, const void *b) {
	const struct asset_file *x = a, *y = b;
	return strcmp(x->path, y->path);
}

static bool refuse(const char *path, const char *why, struct error *err) {
	char quoted[UTF8_QUOTED_BYTES];
	utf8_quote(path, quoted, sizeof quoted);
	return error_set(err, ERROR_BROKEN_ASSET, "file %s %s", quoted, why);
}

/* Cleans the paths, in the arena, and sorts by them. */
static bool order(struct asset_file *files, size_t count, struct arena *arena, struct error *err) {
	for (size_t i = 0; i < count; i++) {
		const char *path = files[i].path;
		if (strchr(path, '\\') || !utf8_is_valid(path, strlen(path))) {
			return refuse(path, "must be a path in UTF-8, without a backslash", err);
		}
		files[i].path = zip_path_clean(path, arena);
		if (!files[i].path || !*files[i].path) {
			return refuse(path, "must be a path below the folder of the asset", err);
		}
	}
	qsort(files, count, sizeof *files, compare);
	for (size_t i = 1; i < count; i++) {
		if (compare(&files[i - 1], &files[i]) == 0) {
			return refuse(files[i].path, "is there twice", err);
		}
	}
	return true;
}

/* A message about files and not about an archive, which nobody has seen. */
static bool check_document(
	const struct asset_file *files, size_t count, struct arena *arena, struct error *err) {
	const char **paths = arena_alloc(arena, count, sizeof *paths);
	struct error why = {0};
	size_t document;
	for (size_t i = 0; i < count; i++) {
		paths[i] = files[i].path;
	}
	if (!import_files_choose(paths, count, &document, &why)) {
		return error_set(err, why.code, "the asset %s", why.text);
	}
	return document < count ||
		error_set(err, ERROR_BROKEN_ASSET,
			"none of the %zu files is a .gltf or .glb (glTF 2.0) or a document of "
			"another format, must be exactly one",
			count);
}

static bool write_all(struct stored_zip *zip, const struct asset_file *files, size_t count,
	struct buffer *around, const struct asset_sink *sink, struct error *err) {
	for (size_t i = 0; i < count; i++) {
		around->size = 0;
		if (!stored_zip_add(zip, files[i].path, files[i].bytes, files[i].size, around)) {
			return error_set(err, ERROR_TOO_LARGE,
				"the files are more than an archive of 4 GiB holds");
		}
		if (!sink->write(sink->context, around->data, around->size, err) ||
			!sink->write(sink->context, files[i].bytes, files[i].size, err)) {
			return false;
		}
	}
	around->size = 0;
	stored_zip_end(zip, around);
	return sink->write(sink->context, around->data, around->size, err);
}

bool renderer_pack_asset(
	struct asset_file *files, size_t count, const struct asset_sink *sink, struct error *err) {
	if (count > ASSET_FILES_MAX) {
		return error_set(err, ERROR_TOO_LARGE, "%zu files, up to %d are accepted", count,
			ASSET_FILES_MAX);
	}
	struct arena *arena = arena_create();
	struct stored_zip zip = {0};
	struct buffer around = {0};
	const bool written = order(files, count, arena, err) &&
		check_document(files, count, arena, err) &&
		write_all(&zip, files, count, &around, sink, err);
	buffer_finish(&around);
	stored_zip_finish(&zip);
	arena_destroy(arena);
	return written;
}
