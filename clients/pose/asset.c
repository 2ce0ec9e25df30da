// The bytes of an asset, with the files beside it.
#include "asset.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "asset_query.h"
#include "base/arena.h"
#include "files.h"
#include "interface/asset_files.h"
#include "problem_print.h"
#include "renderer.h"
#include "status.h"
#include "warnings.h"

/* An asset of several files on its way into an archive. */
struct package {
	const char *path; // of the document, as the user says it
	struct arena *arena;
	char folder[PATH_MAX]; // that it is in, without links
	const struct buffer *document;
	const struct asset_neighbour *neighbours;
	size_t neighbour_count;
	struct dirent **entries; // [entry_count] of the folder, by name; NULL = nobody looks there
	int entry_count;
	struct buffer *contents;  // [neighbour_count + entry_count]
	struct asset_file *files; // [1 + neighbour_count + entry_count]
	size_t file_count;
	asset_packer *pack;
	bool packs_all; // also what has no files beside it
	struct asset *out;
};

static const char *file_name(const char *path) {
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Of a file, not of what is in it. Always false. */
static bool fail_file(struct asset *out, const char *words) {
	out->is_file_trouble = true;
	return error_set(&out->err, ERROR_BROKEN_ASSET, "%s", words);
}

static bool find_folder(struct package *package) {
	const char *name = file_name(package->path);
	const char *folder = name == package->path
		? "."
		: arena_strndup(package->arena, package->path, (size_t)(name - package->path));
	return realpath(folder, package->folder) || fail_file(package->out, strerror(errno));
}

/* A file cannot be read: says so, and what names it. */
static bool fail(
	const struct package *package, const struct asset_neighbour *neighbour, const char *why) {
	return fail_file(package->out,
		arena_printf(package->arena, "%s: %s; %s names it", neighbour->path, why,
			neighbour->place));
}

static bool is_inside(const struct package *package, const char *path) {
	const size_t length = strcmp(package->folder, "/") == 0 ? 0 : strlen(package->folder);
	return strncmp(path, package->folder, length) == 0 && path[length] == '/';
}

/* The name of a file in the document's folder that differs by no more than the case of letters, in
 * the arena; NULL = there is none. The one of exactly that name goes first. */
static const char *find_name(const struct package *package, const char *name) {
	DIR *folder = opendir(package->folder);
	const char *found = NULL;
	struct dirent *entry;
	while (folder && (entry = readdir(folder))) {
		if (strcmp(entry->d_name, name) == 0 ||
			(!found && strcasecmp(entry->d_name, name) == 0)) {
			found = arena_strndup(package->arena, entry->d_name, strlen(entry->d_name));
		}
	}
	if (folder) {
		closedir(folder);
	}
	return found;
}

/* The path of a neighbour, from the document's folder. */
static const char *path_of(const struct package *package, const struct asset_neighbour *neighbour) {
	char target[PATH_MAX];
	const char *path = arena_printf(package->arena, "%s/%s", package->folder, neighbour->path);
	if (!neighbour->is_elsewhere ||
		(neighbour->path[0] != '/' && realpath(path, target) &&
			is_inside(package, target))) {
		return neighbour->path;
	}
	const char *name = file_name(neighbour->path);
	const char *found = *name ? find_name(package, name) : NULL;
	return found ? found : name;
}

static bool is_taken(const struct package *package, const char *path) {
	for (size_t i = 0; i < package->file_count; i++) {
		if (strcmp(package->files[i].path, path) == 0) {
			return true;
		}
	}
	return false;
}

static bool miss(const struct package *package, const struct asset_neighbour *neighbour) {
	if (neighbour->is_buffer || (errno != ENOENT && !neighbour->is_elsewhere)) {
		return fail(package, neighbour, strerror(errno));
	}
	struct asset *out = package->out;
	if (!out->missing) {
		out->missing =
			arena_alloc(package->arena, package->neighbour_count, sizeof *out->missing);
	}
	out->missing[out->missing_count++] = arena_printf(package->arena,
		"there is no %s, which %s names", neighbour->path, neighbour->place);
	return true;
}

/* Reads a neighbour, and counts it where it is there. */
static bool take(struct package *package, const struct asset_neighbour *neighbour) {
	const char *inside = path_of(package, neighbour);
	const char *path = arena_printf(package->arena, "%s/%s", package->folder, inside);
	char target[PATH_MAX];
	struct stat there;
	if (!realpath(path, target)) {
		return miss(package, neighbour);
	}
	const bool is_plain = stat(target, &there) == 0 && S_ISREG(there.st_mode);
	if (neighbour->is_elsewhere && (!is_plain || !is_inside(package, target))) {
		return miss(package, neighbour);
	}
	if (neighbour->is_elsewhere && is_taken(package, inside)) {
		return true;
	}
	if (!is_inside(package, target)) {
		return error_set(&package->out->err, ERROR_BROKEN_ASSET,
			"%s leads out of the document's folder by a link", neighbour->place);
	}
	if (!is_plain) {
		return fail(package, neighbour, "is not a plain file");
	}
	struct buffer *content = &package->contents[package->file_count - 1];
	if (!file_load(target, content)) {
		return fail(package, neighbour, strerror(errno));
	}
	package->files[package->file_count++] =
		(struct asset_file){inside, content->data, content->size};
	return true;
}

static bool ends(const char *name, const char *ending) {
	const size_t length = strlen(name), end = strlen(ending);
	return length > end && strcasecmp(name + length - end, ending) == 0;
}

/* Adds what a file of materials names to the neighbours, which have the room. */
static bool add_pictures(
	struct package *package, const char *path, struct asset_neighbour *neighbours) {
	char target[PATH_MAX];
	struct buffer bytes = {0};
	const struct asset_neighbour *named;
	size_t count = 0;
	if (!realpath(arena_printf(package->arena, "%s/%s", package->folder, path), target) ||
		!is_inside(package, target) || !file_load(target, &bytes)) {
		return true; // packing has the words for that
	}
	const bool good = renderer_asset_neighbours(
		bytes.data, bytes.size, package->arena, &named, &count, &package->out->err);
	buffer_finish(&bytes);
	for (size_t i = 0; good && i < count; i++) {
		bool known = package->neighbour_count == ASSET_FILES_MAX;
		for (size_t k = 0; !known && k < package->neighbour_count; k++) {
			known = strcmp(neighbours[k].path, named[i].path) == 0;
		}
		if (!known) {
			neighbours[package->neighbour_count++] = named[i];
		}
	}
	return good;
}

/* An OBJ names files of materials, and these name pictures. */
static bool add_materials(struct package *package) {
	const size_t count = package->neighbour_count;
	struct asset_neighbour *neighbours =
		arena_alloc(package->arena, ASSET_FILES_MAX, sizeof *neighbours);
	bool good = true;
	for (size_t i = 0; i < count; i++) {
		neighbours[i] = package->neighbours[i];
	}
	package->neighbours = neighbours;
	for (size_t i = 0; good && i < count; i++) {
		good = !ends(neighbours[i].path, ".mtl") ||
			(find_folder(package) &&
				add_pictures(package, neighbours[i].path, neighbours));
	}
	return good;
}

static bool append(void *context, const void *bytes, size_t size, struct error *err) {
	return buffer_try_append(context, bytes, size, "archive", err);
}

/* Takes the files of the folder that have an ending and belong to the document. */
static bool take_companions(struct package *package, const char *ending) {
	for (int i = 0; i < package->entry_count; i++) {
		const char *name = package->entries[i]->d_name;
		const size_t length = strlen(name);
		if (name[0] == '.' || package->file_count > ASSET_FILES_MAX ||
			!ends(name, ending) || strcmp(name, file_name(package->path)) == 0) {
			continue;
		}
		const struct asset_neighbour neighbour = {
			.path = arena_strndup(package->arena, name, length),
			.place = "the folder",
			.is_buffer = true,
		};
		if (!take(package, &neighbour)) {
			return false;
		}
		if (!renderer_asset_is_companion(
			    &package->files[0], &package->files[package->file_count - 1])) {
			buffer_finish(&package->contents[--package->file_count - 1]);
			package->contents[package->file_count - 1] = (struct buffer){0};
		}
	}
	return true;
}

/* Packs the document with its neighbours. */
static bool pack(struct package *package, const char *ending) {
	const struct asset_sink sink = {append, &package->out->bytes};
	package->files[package->file_count++] = (struct asset_file){
		file_name(package->path), package->document->data, package->document->size};
	for (size_t i = 0; i < package->neighbour_count; i++) {
		if (!take(package, &package->neighbours[i])) {
			return false;
		}
	}
	if (ending && !take_companions(package, ending)) {
		return false;
	}
	// glTF says what it lacks in an archive only; others are what they are by themselves.
	if (package->file_count == 1 && !package->packs_all && !ends(package->path, ".gltf") &&
		!ends(package->path, ".glb")) {
		return append(&package->out->bytes, package->document->data,
			package->document->size, &package->out->err);
	}
	return package->pack(package->files, package->file_count, &sink, &package->out->err);
}

/* ending is that of companions to be looked for in the folder; NULL = there are none. */
static bool pack_neighbours(struct package *package, const char *ending) {
	if (!find_folder(package)) {
		return false;
	}
	if (ending) {
		package->entry_count = scandir(package->folder, &package->entries, NULL, alphasort);
		if (package->entry_count < 0) {
			return fail_file(package->out, strerror(errno));
		}
	}
	const size_t count = package->neighbour_count + (size_t)package->entry_count;
	package->contents = arena_alloc(package->arena, count, sizeof *package->contents);
	package->files = arena_alloc(package->arena, 1 + count, sizeof *package->files);
	const bool ok = pack(package, ending);
	for (int i = 0; i < package->entry_count; i++) {
		free(package->entries[i]);
	}
	free(package->entries);
	for (size_t i = 0; i < count; i++) {
		buffer_finish(&package->contents[i]);
	}
	return ok;
}

static bool load(struct package *package, struct buffer *document) {
	if (!file_load(package->path, document)) {
		return fail_file(package->out, strerror(errno));
	}
	if (!file_is_input(package->path) &&
		!renderer_asset_neighbours(document->data, document->size, package->arena,
			&package->neighbours, &package->neighbour_count, &package->out->err)) {
		return false;
	}
	if (package->neighbour_count > 0 && !add_materials(package)) {
		return false;
	}
	const char *ending = file_is_input(package->path)
		? NULL
		: renderer_asset_companions(document->data, document->size);
	if (package->neighbour_count > 0 || ending || package->packs_all) {
		return pack_neighbours(package, ending);
	}
	package->out->bytes = *document;
	*document = (struct buffer){0};
	return true;
}

static bool load_package(struct package package) {
	struct buffer document = {0};
	*package.out = (struct asset){.missing = NULL};
	package.document = &document;
	const bool ok = load(&package, &document);
	buffer_finish(&document);
	return ok;
}

const char *asset_name(struct arena *arena, const char *path) {
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	const char *dot = strrchr(name, '.');
	return arena_strndup(arena, name, dot && dot != name ? (size_t)(dot - name) : strlen(name));
}

const char *asset_content(struct arena *arena, const struct buffer *asset) {
	uint8_t digest[SHA256_DIGEST_SIZE];
	char text[2 * SHA256_DIGEST_SIZE + 1];
	struct sha256_ctx context;
	sha256_init(&context);
	sha256_update(&context, asset->size, asset->data);
	sha256_digest(&context, sizeof digest, digest);
	for (size_t i = 0; i < sizeof digest; i++) {
		snprintf(text + 2 * i, 3, "%02x", digest[i]);
	}
	return arena_printf(arena, "sha256:%s", text);
}

bool asset_load(const char *path, struct arena *arena, struct asset *out) {
	return load_package((struct package){
		.path = path, .arena = arena, .pack = renderer_pack_asset, .out = out});
}

static int print_trouble(
	const struct arguments *arguments, const char *path, const struct asset *asset) {
	if (!asset->is_file_trouble) {
		return problem_print_error(arguments, path, &asset->err);
	}
	const char *subject = file_is_input(path) ? "standard input" : path;
	problem_print_words(arguments, PROBLEM_FILE, subject, asset->err.text, 0);
	return STATUS_FAILED;
}

static bool read_space(
	const struct arguments *arguments, struct asset_space *space, struct error *err) {
	const char *units = arguments_value(arguments, "--units");
	const char *up = arguments_value(arguments, "--up");
	size_t axis = 0;
	while (up && asset_up_names[axis] && strcmp(asset_up_names[axis], up) != 0) {
		axis++;
	}
	if (up && !asset_up_names[axis]) {
		return error_set(
			err, ERROR_INVALID_VALUE, "up is \"%.20s\", must be x, y or z", up);
	}
	*space = (struct asset_space){.up = up ? *up : 0};
	return !units || asset_units_read(units, &space->unit_m, err);
}

/* Puts the line before the asset that says its unit and up axis. */
static void set_space(const struct asset_space *space, struct buffer *asset) {
	char line[ASSET_SPACE_BYTES];
	const size_t length = renderer_write_space(space, line);
	struct buffer placed = {0};
	if (length > 0) {
		buffer_append(&placed, line, length);
		buffer_append(&placed, asset->data, asset->size);
		buffer_finish(asset);
		*asset = placed;
	}
}

int asset_read_packed(const struct arguments *arguments, const char *path, asset_packer *packer,
	struct buffer *out) {
	struct arena *arena = arena_create();
	struct asset asset;
	const bool ok = load_package((struct package){
		.path = path, .arena = arena, .pack = packer, .packs_all = true, .out = &asset});
	const int status = ok ? STATUS_OK : print_trouble(arguments, path, &asset);
	*out = asset.bytes;
	arena_destroy(arena);
	return status;
}

bool asset_is_no_file(const struct arguments *arguments) {
	static const char *const of_files[] = {"--units", "--up", "--uses"};
	for (size_t i = 0; i < sizeof of_files / sizeof *of_files; i++) {
		if (arguments_value(arguments, of_files[i])) {
			fprintf(stderr, "pose: %s is of a FILE, and \"%s\" is a rig's name\n",
				of_files[i], arguments->plain[1]);
			return false;
		}
	}
	return true;
}

static bool read_uses(const struct arguments *arguments, unsigned *uses, struct error *err) {
	const char *text = arguments_value(arguments, "--uses");
	*uses = 0;
	return !text || licence_read_uses(text, strlen(text), uses, err);
}

unsigned asset_uses(const struct arguments *arguments) {
	unsigned uses;
	struct error ignored = {0};
	return read_uses(arguments, &uses, &ignored) ? uses : 0;
}

int asset_read(const struct arguments *arguments, const char *path, struct buffer *out) {
	struct asset_space space;
	struct error err = {0};
	unsigned uses;
	if (!read_space(arguments, &space, &err) || !read_uses(arguments, &uses, &err)) {
		fprintf(stderr, "pose: %s\n", err.text);
		return STATUS_USAGE;
	}
	struct arena *arena = arena_create();
	struct asset asset;
	const bool ok = asset_load(path, arena, &asset);
	for (size_t i = 0; i < asset.missing_count; i++) {
		warning_print(arguments, path,
			arena_printf(arena, "%s; drawn without it", asset.missing[i]));
	}
	const int status = ok ? STATUS_OK : print_trouble(arguments, path, &asset);
	*out = asset.bytes;
	if (ok) {
		set_space(&space, out);
	}
	arena_destroy(arena);
	return status;
}
