// ZIP archives: the one document in it, and the other files by path. Nothing is unpacked that is
// not asked for, and nothing beyond what it declares.
#include "import/zip.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zip.h>

#include "base/arena.h"
#include "base/delayed.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "import/assimp.h"
#include "import/data_uri.h"
#include "import/foreign.h"
#include "import/gltf.h"
#include "import/import.h"
#include "import/import_files.h"
#include "import/limits.h"
#include "model/rig.h"

/* One file in the archive. */
struct entry {
	const char *path;     // cleaned
	zip_uint64_t index;   // libzip's
	size_t size;          // as it declares
	unsigned char *bytes; // unpacked; NULL = not yet; owned
};

struct archive {
	zip_t *zip;
	struct arena *arena; // of paths
	size_t count;
	struct entry *entries; // [count] by path
	size_t bytes_left;     // that may still be unpacked
	const char **paths;    // [count], those of the entries
	size_t document;       // position
	size_t backslashed;    // names with a backslash
	const char *backslash; // the first of them
};

bool zip_probe(const unsigned char *bytes, size_t size) {
	return size >= 4 && (memcmp(bytes, "PK\3\4", 4) == 0 || memcmp(bytes, "PK\5\6", 4) == 0);
}

/* Where the list of an archive has the length of a name, and the name. */
#define NAME_LENGTH_AT 28
#define NAME_AT 46

void zip_prepare(const unsigned char *bytes, size_t size) {
	static const char signature[4] = {'P', 'K', 1, 2};
	bool wanted = false;
	const unsigned char *end = bytes + size, *at = bytes;
	while (!wanted && (at = memmem(at, (size_t)(end - at), signature, sizeof signature))) {
		const size_t left = (size_t)(end - at);
		const size_t length = left < NAME_AT
			? 0
			: at[NAME_LENGTH_AT] | (size_t)at[NAME_LENGTH_AT + 1] << 8;
		wanted = left >= NAME_AT && length <= left - NAME_AT &&
			assimp_is_named((const char *)at + NAME_AT, length);
		at += sizeof signature;
	}
	if (wanted) {
		assimp_load(NULL);
	}
}

/* --- The list of files --- */

static bool open_archive(
	struct archive *archive, const unsigned char *bytes, size_t size, struct error *err) {
	zip_error_t why;
	zip_error_init(&why);
	zip_source_t *source = zip_source_buffer_create(bytes, size, 0, &why);
	archive->zip = source ? zip_open_from_source(source, ZIP_RDONLY, &why) : NULL;
	if (!archive->zip) {
		error_set(err, ERROR_BROKEN_ASSET, "ZIP: %s", zip_error_strerror(&why));
		zip_source_free(source); // takes NULL
	}
	zip_error_fini(&why);
	return archive->zip;
}

/* A path with slashes for its backslashes, which the format forbids in names, some writers on
 * Windows put there, and readers take for what they mean. In the archive's arena. */
static char *with_slashes(const char *path, struct arena *arena) {
	char *copy = arena_strndup(arena, path, strlen(path));
	for (char *c = copy; (c = strchr(c, '\\'));) {
		*c = '/';
	}
	return copy;
}

/* Adds an entry; folders, and names that no path in the archive can mean, are left out. */
static bool add_entry(struct archive *archive, zip_uint64_t index, struct error *err) {
	const zip_uint64_t needed = ZIP_STAT_NAME | ZIP_STAT_SIZE;
	zip_stat_t stat;
	if (zip_stat_index(archive->zip, index, ZIP_FL_ENC_GUESS, &stat) != 0 ||
		(stat.valid & needed) != needed) {
		return error_set(err, ERROR_BROKEN_ASSET, "ZIP: entry %llu: %s",
			(unsigned long long)index, zip_strerror(archive->zip));
	}
	const size_t length = strlen(stat.name);
	if (strchr(stat.name, '\\') && archive->backslashed++ == 0) {
		archive->backslash = arena_strndup(archive->arena, stat.name, length);
	}
	const char *name = with_slashes(stat.name, archive->arena);
	const char *path = zip_path_clean(name, archive->arena);
	if (path && path[0] != '\0' && name[length - 1] != '/') {
		archive->entries[archive->count++] =
			(struct entry){.path = path, .index = index, .size = stat.size};
	}
	return true;
}

static int compare(const void *a, const void *b) {
	const struct entry *x = a, *y = b;
	return strcmp(x->path, y->path);
}

static bool list_entries(struct archive *archive, struct error *err) {
	const zip_int64_t count = zip_get_num_entries(archive->zip, 0);
	if (count < 0 || count > IMPORT_ZIP_ENTRIES_MAX) {
		return error_set(err, ERROR_TOO_LARGE, "ZIP: %lld entries, up to %d are accepted",
			(long long)count, IMPORT_ZIP_ENTRIES_MAX);
	}
	archive->entries = xcalloc((size_t)count, sizeof *archive->entries);
	for (zip_uint64_t i = 0; i < (zip_uint64_t)count; i++) {
		if (!add_entry(archive, i, err)) {
			return false;
		}
	}
	qsort(archive->entries, archive->count, sizeof *archive->entries, compare);
	for (size_t i = 1; i < archive->count; i++) {
		if (compare(&archive->entries[i - 1], &archive->entries[i]) == 0) {
			char quoted[UTF8_QUOTED_BYTES];
			utf8_quote(archive->entries[i].path, quoted, sizeof quoted);
			return error_set(err, ERROR_BROKEN_ASSET, "ZIP: holds %s twice", quoted);
		}
	}
	return true;
}

/* Says what there is in place of a document. */
static bool refuse_archive(const struct archive *archive, struct error *err) {
	const char *kind = NULL;
	size_t i = 0;
	while (i < archive->count && !(kind = foreign_ending(archive->entries[i].path))) {
		i++;
	}
	char other[UTF8_QUOTED_BYTES + 40] = "", quoted[UTF8_QUOTED_BYTES];
	if (kind) {
		utf8_quote(archive->entries[i].path, quoted, sizeof quoted);
		snprintf(other, sizeof other, "; %s is %s", quoted, kind);
	}
	return error_set(err, ERROR_UNSUPPORTED_MEDIA_TYPE,
		"ZIP: none of its %zu files is a .gltf or .glb (glTF 2.0) or a document of another "
		"format, must be exactly one%s",
		archive->count, other);
}

static bool find_document(struct archive *archive, struct error *err) {
	struct error why = {0};
	archive->paths = arena_alloc(archive->arena, archive->count + 1, sizeof *archive->paths);
	for (size_t i = 0; i < archive->count; i++) {
		archive->paths[i] = archive->entries[i].path;
	}
	if (!import_files_choose(archive->paths, archive->count, &archive->document, &why)) {
		return error_set(err, why.code, "ZIP: %s", why.text);
	}
	return archive->document < archive->count || refuse_archive(archive, err);
}

/* --- Unpacking --- */

/* Reads exactly as many bytes as are declared: the end of the file must come right behind them,
 * which is also when libzip holds them against their checksum. */
static bool unpack_into(zip_file_t *file, unsigned char *bytes, size_t size, struct error *err) {
	unsigned char behind;
	size_t used = 0;
	zip_int64_t got;
	do {
		got = zip_fread(
			file, used < size ? bytes + used : &behind, used < size ? size - used : 1);
		if (got > 0 && used == size) {
			return error_set(err, ERROR_BROKEN_ASSET,
				"unpacks to more than the %zu bytes that it declares", size);
		}
		used += got > 0 ? (size_t)got : 0;
	} while (got > 0);
	if (got < 0) {
		return error_set(err, ERROR_BROKEN_ASSET, "cannot be unpacked: %s",
			zip_error_strerror(zip_file_get_error(file)));
	}
	return used == size ||
		error_set(err, ERROR_BROKEN_ASSET, "unpacks to %zu bytes, but declares %zu", used,
			size);
}

static bool unpack(struct archive *archive, struct entry *entry, struct error *err) {
	if (entry->size > archive->bytes_left) {
		return error_set(err, ERROR_TOO_LARGE,
			"unpacks to %zu bytes, but an archive of this size may only fill %zu more",
			entry->size, archive->bytes_left);
	}
	archive->bytes_left -= entry->size;
	zip_file_t *file = zip_fopen_index(archive->zip, entry->index, 0);
	if (!file) {
		return error_set(err, ERROR_BROKEN_ASSET, "cannot be unpacked: %s",
			zip_strerror(archive->zip));
	}
	entry->bytes = try_calloc(entry->size + 1, 1, "file in the archive", err);
	const bool unpacked = entry->bytes && unpack_into(file, entry->bytes, entry->size, err);
	zip_fclose(file);
	if (!unpacked) {
		free(entry->bytes);
		entry->bytes = NULL;
	}
	return unpacked;
}

static struct entry *find_entry(const struct archive *archive, const char *uri, struct error *err) {
	// Paths of its own: a document may ask for many files from deep in the archive.
	struct arena *arena = arena_create();
	const char *path = zip_path_resolve(archive->paths[archive->document], uri, arena, err);
	const struct entry wanted = {
		.path = path ? zip_path_clean(with_slashes(path, arena), arena) : NULL};
	struct entry *found = !wanted.path ? NULL
					   : bsearch(&wanted, archive->entries, archive->count,
						     sizeof *archive->entries, compare);
	arena_destroy(arena);
	if (!found) {
		error_set(err, ERROR_BROKEN_ASSET,
			"not among the files that were sent"); // the first error wins
	}
	return found;
}

/* gltf_files: a URI seen from the document's folder. */
static const unsigned char *read_file(
	void *context, const char *uri, size_t *size, struct error *err) {
	struct archive *archive = context;
	struct entry *entry = find_entry(archive, uri, err);
	if (!entry || (!entry->bytes && !unpack(archive, entry, err))) {
		return NULL;
	}
	*size = entry->size;
	return entry->bytes;
}

/* import_files: by position. */
static const unsigned char *read_entry(
	void *context, size_t file, size_t *size, struct error *err) {
	struct archive *archive = context;
	struct entry *entry = &archive->entries[file];
	if (!entry->bytes && !unpack(archive, entry, err)) {
		return NULL;
	}
	*size = entry->size;
	return entry->bytes;
}

/* --- The document --- */

static bool read_document(struct archive *archive, struct error *err) {
	struct entry *document = &archive->entries[archive->document];
	struct error why = {0};
	char quoted[UTF8_QUOTED_BYTES];
	utf8_quote(document->path, quoted, sizeof quoted);
	if (!unpack(archive, document, &why)) {
		return error_set(err, why.code, "ZIP: %s %s", quoted, why.text);
	}
	if (!gltf_probe(document->bytes, document->size)) {
		return true;
	}
	return document->size <= IMPORT_ZIP_JSON_BYTES_MAX ||
		error_set(err, ERROR_TOO_LARGE,
			"ZIP: \"%s\" has %zu bytes of JSON, up to %zu are accepted", quoted,
			document->size, IMPORT_ZIP_JSON_BYTES_MAX);
}

static struct rig *import_gltf(
	struct archive *archive, size_t size, struct asset_facts **facts, struct error *err) {
	const struct entry *document = &archive->entries[archive->document];
	const struct gltf_files files = {.read = read_file, .context = archive};
	struct gltf_source source = {.json = document->bytes, .json_size = document->size};
	if (glb_probe(document->bytes, document->size) &&
		!glb_split(document->bytes, document->size, &source, err)) {
		return NULL;
	}
	source.file_size = size;
	source.files = &files;
	return gltf_import_source(&source, facts, err);
}

/* True where a document is to be read as glTF, whether or not it is any. */
static bool is_gltf(const struct entry *document) {
	const char *dot = strrchr(document->path, '.');
	return strcasecmp(dot, ".gltf") == 0 || strcasecmp(dot, ".glb") == 0;
}

static struct rig *import_entries(
	struct archive *archive, size_t size, struct asset_facts **facts, struct error *err) {
	const struct entry *document = &archive->entries[archive->document];
	const struct import_files files = {
		.count = archive->count,
		.paths = archive->paths,
		.document = archive->document,
		.read = read_entry,
		.context = archive,
	};
	return is_gltf(document)
		? import_gltf(archive, size, facts, err)
		: import_document(document->bytes, document->size, &files, facts, err);
}

static void warn_of_backslashes(struct rig *rig, const struct archive *archive) {
	char quoted[UTF8_QUOTED_BYTES];
	utf8_quote(archive->backslash, quoted, sizeof quoted);
	rig_warn_besides(rig, "ZIP: %zu names have backslashes, such as %s, taken as slashes",
		archive->backslashed, quoted);
}

static void close_archive(struct archive *archive) {
	for (size_t i = 0; i < archive->count; i++) {
		free(archive->entries[i].bytes);
	}
	free(archive->entries);
	arena_destroy(archive->arena);
	if (archive->zip) {
		zip_discard(archive->zip);
	}
}

bool zip_is_gltf(const unsigned char *bytes, size_t size) {
	struct archive archive = {.arena = arena_create()};
	const bool is_other = delayed_load(&delayed_zip, NULL) &&
		open_archive(&archive, bytes, size, NULL) && list_entries(&archive, NULL) &&
		find_document(&archive, NULL) && !is_gltf(&archive.entries[archive.document]);
	close_archive(&archive);
	return !is_other;
}

struct rig *zip_import(
	const unsigned char *bytes, size_t size, struct asset_facts **facts, struct error *err) {
	struct archive archive = {
		.arena = arena_create(),
		.bytes_left = claim_allowed(size),
	};
	struct rig *rig = NULL;
	if (delayed_load(&delayed_zip, err) && open_archive(&archive, bytes, size, err) &&
		list_entries(&archive, err) && find_document(&archive, err) &&
		read_document(&archive, err)) {
		rig = import_entries(&archive, size, facts, err);
	}
	if (rig && archive.backslashed > 0) {
		warn_of_backslashes(rig, &archive);
	}
	close_archive(&archive);
	return rig;
}

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
