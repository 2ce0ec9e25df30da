// What Assimp reads from: the document and the files that came with it, in memory.
#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "import/assimp_import.h"

/* Missing files that are told. */
#define MISSING_MAX 16

/* A file while it is open. */
struct open_file {
	struct aiFile file; // its functions get this as a struct aiFile
	const unsigned char *bytes;
	size_t size, at;
};

/* The files of one import. */
struct disk {
	struct assimp_import *import;
	int missing_count;
	const char *missing[MISSING_MAX]; // names that were asked for, in the import's arena
};

static const char *file_name(const char *path) {
	for (const char *c = path; *c; c++) {
		path = *c == '/' || *c == '\\' ? c + 1 : path;
	}
	return path;
}

static struct open_file *opened(struct aiFile *file) {
	return (struct open_file *)file->UserData;
}

static size_t read_items(struct aiFile *file, char *out, size_t size, size_t count) {
	struct open_file *own = opened(file);
	const size_t left = own->size - own->at;
	const size_t items = size == 0 ? 0 : count < left / size ? count : left / size;
	memcpy(out, own->bytes + own->at, items * size);
	own->at += items * size;
	return items;
}

static size_t write_items(struct aiFile *file, const char *bytes, size_t size, size_t count) {
	(void)file;
	(void)bytes;
	(void)size;
	(void)count;
	return 0;
}

static size_t tell(struct aiFile *file) {
	return opened(file)->at;
}

static size_t file_size(struct aiFile *file) {
	return opened(file)->size;
}

static enum aiReturn seek(struct aiFile *file, size_t offset, enum aiOrigin origin) {
	struct open_file *own = opened(file);
	const size_t from = origin == aiOrigin_SET ? 0
		: origin == aiOrigin_CUR           ? own->at
						   : own->size;
	const size_t to = from + offset; // offsets below 0 wrap round
	if (to > own->size) {
		return aiReturn_FAILURE;
	}
	own->at = to;
	return aiReturn_SUCCESS;
}

static void flush(struct aiFile *file) {
	(void)file;
}

static struct aiFile *open_bytes(const unsigned char *bytes, size_t size) {
	struct open_file *own = xcalloc(1, sizeof *own);
	*own = (struct open_file){
		.file = {read_items, write_items, tell, file_size, seek, flush, (char *)own},
		.bytes = bytes,
		.size = size,
	};
	return &own->file;
}

static bool ends(const char *name, const char *ending) {
	const size_t length = strlen(name), end = strlen(ending);
	return length > end && strcasecmp(name + length - end, ending) == 0;
}

/* Assimp also looks for files that are called like the document. */
static bool is_guess(const struct disk *disk, const char *name) {
	const size_t stem = strcspn(disk->import->format->file, ".");
	return strncmp(name, disk->import->format->file, stem + 1) == 0;
}

/* Of all that Assimp tries, the files that a document names itself, and cannot do without. */
static bool is_needed(const struct disk *disk, const char *name) {
	return !is_guess(disk, name) &&
		(ends(name, ".mtl") || ends(name, ".skeleton") || ends(name, ".skeleton.xml"));
}

static void miss(struct disk *disk, const char *name) {
	bool known = !is_needed(disk, name) || disk->missing_count == MISSING_MAX;
	for (int i = 0; !known && i < disk->missing_count; i++) {
		known = strcmp(disk->missing[i], name) == 0;
	}
	if (!known) {
		disk->missing[disk->missing_count++] =
			arena_strndup(disk->import->arena, name, strlen(name));
	}
}

/* A file that came with the document; a guess by the document's own name. */
static bool find(const struct disk *disk, const char *path, size_t *file) {
	const struct assimp_import *import = disk->import;
	if (!import->files || !is_guess(disk, file_name(path))) {
		return import->files && import_files_find(import->files, path, file);
	}
	struct arena *arena = arena_create();
	const char *own = file_name(import->files->paths[import->files->document]);
	const char *rest = strchr(file_name(path), '.');
	const bool found = import_files_find(import->files,
		arena_printf(arena, "%.*s%s", (int)strcspn(own, "."), own, rest), file);
	arena_destroy(arena);
	return found;
}

static struct aiFile *open_named(struct aiFileIO *io, const char *path, const char *mode) {
	struct disk *disk = (struct disk *)io->UserData;
	const struct assimp_import *import = disk->import;
	const char *name = file_name(path);
	size_t file, size;
	if (mode[0] != 'r') {
		return NULL;
	}
	if (strcmp(name, import->format->file) == 0) {
		return open_bytes(import->bytes, import->size);
	}
	if (!find(disk, path, &file)) {
		miss(disk, name);
		return NULL;
	}
	const unsigned char *bytes = import->files->read(import->files->context, file, &size, NULL);
	return bytes ? open_bytes(bytes, size) : NULL;
}

static void close_file(struct aiFileIO *io, struct aiFile *file) {
	(void)io;
	free(opened(file));
}

/* True when the same came as text: Assimp asks for the binary skeleton of a mesh.xml first. */
static bool has_text(const struct disk *disk, const char *name) {
	char text[UTF8_QUOTED_BYTES];
	size_t file;
	const int length = snprintf(text, sizeof text, "%s.xml", name);
	return length > 0 && (size_t)length < sizeof text && find(disk, text, &file);
}

static void warn_of_missing(const struct disk *disk) {
	for (int i = 0; i < disk->missing_count; i++) {
		if (has_text(disk, disk->missing[i])) {
			continue;
		}
		char quoted[UTF8_QUOTED_BYTES];
		utf8_quote(disk->missing[i], quoted, sizeof quoted);
		rig_warn(disk->import->rig,
			"the file names %s, which did not come with it; read without it", quoted);
	}
}

/* Bytes of Assimp's words that are kept. */
#define WORDS_BYTES 200

/* Assimp's own words, which may quote whatever is in the file; they end with a stop. */
static bool refuse(struct assimp_import *import, struct error *err) {
	const char *words = aiGetErrorString();
	if (strstr(words, "bad_alloc")) {
		return error_set(err, ERROR_TOO_LARGE,
			"%s: the file claims more memory than there is", import->format->name);
	}
	struct aiString own = {.length = 0};
	snprintf(own.data, WORDS_BYTES, "%s", words);
	char *text = (char *)assimp_text(import->arena, &own);
	size_t length = strlen(text);
	for (size_t i = 0; i < length; i++) {
		text[i] = (unsigned char)text[i] < ' ' ? ' ' : text[i];
	}
	while (length > 0 && strchr(". ", text[length - 1])) {
		text[--length] = '\0';
	}
	return error_set(err, ERROR_BROKEN_ASSET, "%s: %s", import->format->name,
		length > 0 ? text : "cannot be read");
}

static ssize_t swallow(void *context, const char *bytes, size_t size) {
	(void)context;
	(void)bytes;
	return (ssize_t)size;
}

/* Assimp prints on standard output (OgreXmlSerializer), which is the picture's in a pipe, and which
 * a process that is shut in does not have. */
static const struct aiScene *read_quietly(
	struct aiFileIO *io, const char *name, const struct aiPropertyStore *store) {
	FILE *own = stdout;
	FILE *sink = fopencookie(NULL, "w", (cookie_io_functions_t){.write = swallow});
	if (sink) {
		setvbuf(sink, NULL, _IONBF, 0);
		stdout = sink;
	}
	const struct aiScene *scene =
		aiImportFileExWithProperties(name, aiProcess_Triangulate, io, store);
	if (sink) {
		stdout = own;
		fclose(sink);
	}
	return scene;
}

const struct aiScene *assimp_read(struct assimp_import *import, struct error *err) {
	struct disk disk = {.import = import};
	struct aiFileIO io = {open_named, close_file, (char *)&disk};
	struct aiPropertyStore *store = aiCreatePropertyStore();
	// Skeletons are drawn by the renderer.
	aiSetImportPropertyInteger(store, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1);
	const struct aiScene *scene = read_quietly(&io, import->format->file, store);
	aiReleasePropertyStore(store);
	if (!scene || !scene->mRootNode) {
		refuse(import, err);
		aiReleaseImport(scene);
		return NULL;
	}
	warn_of_missing(&disk);
	return scene;
}
