// Paths inside an archive.
#include "import/zip_path.h"

#include <string.h>

#include "import/percent.h"

/* "http:", "file:" and "C:" alike. */
static bool has_scheme(const char *text) {
	const size_t length = strcspn(text, "/:");
	return length > 0 && text[length] == ':';
}

char *zip_path_clean(const char *path, struct arena *arena) {
	char *clean = arena_alloc(arena, strlen(path) + 2, 1);
	size_t used = 0;
	if (path[0] == '/' || has_scheme(path)) {
		return NULL;
	}
	while (*path) {
		const size_t length = strcspn(path, "/");
		if (length == 2 && memcmp(path, "..", 2) == 0) {
			if (used == 0) {
				return NULL;
			}
			do {
				used--; // the slash, then back to the one before
			} while (used > 0 && clean[used - 1] != '/');
		} else if (length > 0 && !(length == 1 && path[0] == '.')) {
			memcpy(clean + used, path, length);
			used += length;
			clean[used++] = '/';
		}
		path += length + (path[length] == '/');
	}
	clean[used > 0 ? used - 1 : 0] = '\0';
	return clean;
}

static char *join(const char *from, const char *path, struct arena *arena) {
	const char *slash = strrchr(from, '/');
	const int folder = slash ? (int)(slash - from) + 1 : 0;
	return arena_printf(arena, "%.*s%s", folder, from, path);
}

char *zip_path_resolve(const char *from, const char *uri, struct arena *arena, struct error *err) {
	if (uri[0] == '/' || has_scheme(uri)) {
		error_set(err, ERROR_BROKEN_ASSET,
			"must be a path relative to the document, inside the archive");
		return NULL;
	}
	size_t size;
	const char *bytes = percent_decode(uri, arena, &size, err);
	if (!bytes) {
		return NULL;
	}
	if (size == 0 || memchr(bytes, '\0', size)) {
		error_set(err, ERROR_BROKEN_ASSET, "is no path");
		return NULL;
	}
	const char *path = arena_strndup(arena, bytes, size);
	char *clean = path[0] == '/' ? NULL : zip_path_clean(join(from, path, arena), arena);
	if (!clean) {
		error_set(err, ERROR_BROKEN_ASSET, "leads out of the archive");
	}
	return clean;
}
