// The files beside a document that it names.
#include <string.h>

#include "base/utf8.h"
#include "import/data_uri.h"
#include "import/fbx.h"
#include "import/gltf.h"
#include "import/gltf_accessor.h"
#include "import/gltf_document.h"
#include "import/named_files.h"
#include "import/prism.h"
#include "import/zip.h"
#include "interface/asset_files.h"

/* A document and the list made of it. */
struct finder {
	struct arena *arena;
	struct asset_neighbour *found; // [count], with room for all URIs
	size_t count;
};

/* The path of a URI. Backslashes are refused: on some systems they lead into other folders. */
static const char *read_path(
	struct finder *finder, const char *uri, const char *place, struct error *err) {
	const char *path = zip_path_resolve("", uri, finder->arena, NULL);
	if (path && *path && !strchr(path, '\\') && utf8_is_valid(path, strlen(path))) {
		return path;
	}
	error_set(err, ERROR_BROKEN_ASSET, "%s must be a path below the document's folder%s", place,
		path && strchr(path, '\\') ? ", without a backslash" : "");
	return NULL;
}

static bool is_known(const struct finder *finder, const char *path) {
	for (size_t i = 0; i < finder->count; i++) {
		if (strcmp(finder->found[i].path, path) == 0) {
			return true;
		}
	}
	return false;
}

static bool add(
	struct finder *finder, const struct gltf_item *item, bool is_buffer, struct error *err) {
	const char *uri = NULL;
	char place[GLTF_PLACE_BYTES], quoted[UTF8_QUOTED_BYTES];
	bool stands_in = false; // for bytes that are compressed elsewhere: nobody reads it
	if (!gltf_string(item, "uri", &uri, NULL) || !uri || data_uri_is(uri) ||
		(is_buffer && gltf_meshopt_fallback(item, &stands_in, NULL) && stands_in)) {
		return true;
	}
	if (finder->count == ASSET_FILES_MAX) {
		return error_set(err, ERROR_TOO_LARGE, "names more than %d files", ASSET_FILES_MAX);
	}
	gltf_place(item, place);
	utf8_quote(uri, quoted, sizeof quoted);
	struct asset_neighbour *neighbour = &finder->found[finder->count];
	neighbour->place = arena_printf(finder->arena, "%s.uri %s", place, quoted);
	neighbour->is_buffer = is_buffer;
	neighbour->path = read_path(finder, uri, neighbour->place, err);
	finder->count += neighbour->path && !is_known(finder, neighbour->path);
	return neighbour->path;
}

static bool add_all(
	struct finder *finder, const struct gltf_item *list, bool is_buffer, struct error *err) {
	for (size_t i = 0; i < gltf_list_size(list); i++) {
		struct gltf_item item;
		if (gltf_element_object(list, i, &item, NULL) &&
			!add(finder, &item, is_buffer, err)) {
			return false;
		}
	}
	return true;
}

/* The JSON of a .gltf or a .glb; NULL where there is none that can be read. */
static const struct json_value *read_document(
	const unsigned char *bytes, size_t size, struct arena *arena) {
	struct gltf_source source = {.json = bytes, .json_size = size, .json_room = size};
	if (glb_probe(bytes, size) ? !glb_split(bytes, size, &source, NULL)
				   : !gltf_probe(bytes, size)) {
		return NULL;
	}
	return gltf_document_parse(&source, arena, NULL, NULL);
}

/* The skeleton of Prism's models. Those of games lie elsewhere in their trees: what is not below
 * the document's folder is taken from there by its name. */
static bool add_skeleton(
	struct finder *finder, const unsigned char *bytes, size_t size, struct error *err) {
	const char *path = prism_skeleton_path(bytes, size, finder->arena);
	if (!path) {
		return true;
	}
	const char *slash = strrchr(path, '/');
	const char *clean = zip_path_clean(path, finder->arena);
	char quoted[UTF8_QUOTED_BYTES];
	utf8_quote(path, quoted, sizeof quoted);
	finder->found = arena_alloc(finder->arena, 1, sizeof *finder->found);
	finder->found[0].place = arena_printf(finder->arena, "Global.Skeleton %s", quoted);
	finder->found[0].is_buffer = true;
	finder->found[0].path = clean ? clean : slash ? slash + 1 : path;
	finder->count = 1;
	return (*finder->found[0].path && !strchr(finder->found[0].path, '\\')) ||
		error_set(err, ERROR_BROKEN_ASSET, "%s must be the path of a file",
			finder->found[0].place);
}

/* Those of other formats, all of which can be done without. */
static void add_named(struct finder *finder, const void *bytes, size_t size) {
	const struct named_file *files;
	const size_t count = named_files_list(bytes, size, ASSET_FILES_MAX, finder->arena, &files);
	finder->found = arena_alloc(finder->arena, count + 1, sizeof *finder->found);
	for (size_t i = 0; i < count; i++) {
		finder->found[finder->count] =
			(struct asset_neighbour){.path = files[i].path, .place = files[i].place};
		finder->count += !is_known(finder, files[i].path);
	}
}

/* The pictures of an FBX file, whose paths are those of the machine that wrote it. */
static bool list_fbx(const unsigned char *bytes, size_t size, struct arena *arena,
	const struct asset_neighbour **neighbours, size_t *count, struct error *err) {
	const char *const *paths = NULL;
	*count = fbx_pictures_beside(bytes, size, arena, &paths);
	if (*count > ASSET_FILES_MAX) {
		return error_set(err, ERROR_TOO_LARGE, "names more than %d files", ASSET_FILES_MAX);
	}
	struct asset_neighbour *found = arena_alloc(arena, *count + 1, sizeof *found);
	for (size_t i = 0; i < *count; i++) {
		char quoted[UTF8_QUOTED_BYTES];
		char *path = arena_strndup(arena, paths[i], strlen(paths[i]));
		utf8_quote(path, quoted, sizeof quoted);
		for (char *c = path; (c = strchr(c, '\\'));) {
			*c = '/';
		}
		found[i] = (struct asset_neighbour){
			.path = path,
			.place = arena_printf(arena, "Texture %s", quoted),
			.is_elsewhere = true,
		};
	}
	*neighbours = found;
	return true;
}

bool renderer_asset_neighbours(const void *bytes, size_t size, struct arena *arena,
	const struct asset_neighbour **neighbours, size_t *count, struct error *err) {
	struct finder finder = {.arena = arena};
	const struct gltf_item root = {.json = read_document(bytes, size, arena)};
	struct gltf_item buffers = {0}, images = {0};
	*count = 0;
	*neighbours = NULL;
	if (prism_probe(bytes, size)) {
		const bool found = add_skeleton(&finder, bytes, size, err);
		*neighbours = finder.found;
		*count = finder.count;
		return found;
	}
	if (fbx_probe(bytes, size)) {
		return list_fbx(bytes, size, arena, neighbours, count, err);
	}
	if (!root.json) {
		add_named(&finder, bytes, size);
		*neighbours = finder.found;
		*count = finder.count;
		return true;
	}
	if (!gltf_list(&root, "buffers", &buffers, NULL) ||
		!gltf_list(&root, "images", &images, NULL)) {
		return true;
	}
	finder.found = arena_alloc(arena, gltf_list_size(&buffers) + gltf_list_size(&images) + 1,
		sizeof *finder.found);
	if (!add_all(&finder, &buffers, true, err) || !add_all(&finder, &images, false, err)) {
		return false;
	}
	*neighbours = finder.found;
	*count = finder.count;
	return true;
}
