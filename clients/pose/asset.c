// The bytes of an asset, with the files beside it.
#include "asset.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "files.h"
#include "interface/asset_files.h"
#include "problem_print.h"
#include "status.h"

/* An asset of several files on its way into an archive. */
struct package {
	const struct arguments *arguments;
	const char *path; // of the document, as the user says it
	struct arena *arena;
	char folder[PATH_MAX]; // that it is in, without links
	const struct buffer *document;
	const struct asset_neighbour *neighbours;
	size_t neighbour_count;
	struct buffer *contents;  // [neighbour_count]
	struct asset_file *files; // [1 + neighbour_count]
	size_t file_count;
};

static const char *file_name(const char *path) {
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static bool find_folder(struct package *package) {
	const char *name = file_name(package->path);
	const char *folder = name == package->path
		? "."
		: arena_strndup(package->arena, package->path, (size_t)(name - package->path));
	return realpath(folder, package->folder) || problem_print_file(package->arguments, folder);
}

/* A file cannot be read: says so, and what names it. */
static int fail(
	const struct package *package, const struct asset_neighbour *neighbour, const char *why) {
	const char *words = arena_printf(
		package->arena, "%s: %s; %s names it", neighbour->path, why, neighbour->place);
	problem_print_words(package->arguments, PROBLEM_FILE, package->path, words, 0);
	return STATUS_FAILED;
}

static int refuse_link(const struct package *package, const struct asset_neighbour *neighbour) {
	struct error err = {0};
	error_set(&err, ERROR_BROKEN_ASSET, "%s leads out of the document's folder by a link",
		neighbour->place);
	return problem_print_error(package->arguments, package->path, &err);
}

static bool is_inside(const struct package *package, const char *path) {
	const size_t length = strcmp(package->folder, "/") == 0 ? 0 : strlen(package->folder);
	return strncmp(path, package->folder, length) == 0 && path[length] == '/';
}

static int miss(const struct package *package, const struct asset_neighbour *neighbour) {
	if (neighbour->is_buffer || errno != ENOENT) {
		return fail(package, neighbour, strerror(errno));
	}
	if (!arguments_value(package->arguments, "--json")) {
		fprintf(stderr, "pose: %s: there is no %s, which %s names; drawn without it\n",
			package->path, neighbour->path, neighbour->place);
	}
	return STATUS_OK;
}

/* Reads a neighbour, and counts it where it is there. The exit status. */
static int take(struct package *package, const struct asset_neighbour *neighbour) {
	const char *path = arena_printf(package->arena, "%s/%s", package->folder, neighbour->path);
	char target[PATH_MAX];
	struct stat there;
	if (!realpath(path, target)) {
		return miss(package, neighbour);
	}
	if (!is_inside(package, target)) {
		return refuse_link(package, neighbour);
	}
	if (stat(target, &there) != 0 || !S_ISREG(there.st_mode)) {
		return fail(package, neighbour, "is not a plain file");
	}
	struct buffer *content = &package->contents[package->file_count - 1];
	if (!file_read(package->arguments, target, content)) {
		return STATUS_FAILED;
	}
	package->files[package->file_count++] =
		(struct asset_file){neighbour->path, content->data, content->size};
	return STATUS_OK;
}

static bool append(void *context, const void *bytes, size_t size, struct error *err) {
	return buffer_try_append(context, bytes, size, "archive", err);
}

/* Packs the document with its neighbours. The exit status. */
static int pack(struct package *package, struct buffer *out) {
	const struct asset_sink sink = {append, out};
	struct error err = {0};
	if (!find_folder(package)) {
		return STATUS_FAILED;
	}
	package->files[package->file_count++] = (struct asset_file){
		file_name(package->path), package->document->data, package->document->size};
	for (size_t i = 0; i < package->neighbour_count; i++) {
		const int status = take(package, &package->neighbours[i]);
		if (status != STATUS_OK) {
			return status;
		}
	}
	return renderer_pack_asset(package->files, package->file_count, &sink, &err)
		? STATUS_OK
		: problem_print_error(package->arguments, package->path, &err);
}

static int pack_neighbours(struct package *package, struct buffer *out) {
	const size_t count = package->neighbour_count;
	package->contents = arena_alloc(package->arena, count, sizeof *package->contents);
	package->files = arena_alloc(package->arena, 1 + count, sizeof *package->files);
	const int status = pack(package, out);
	for (size_t i = 0; i < count; i++) {
		buffer_finish(&package->contents[i]);
	}
	return status;
}

static int read_whole(struct package *package, struct buffer *document, struct buffer *out) {
	struct error err = {0};
	if (!file_read(package->arguments, package->path, document)) {
		return STATUS_FAILED;
	}
	if (!file_is_input(package->path) &&
		!renderer_asset_neighbours(document->data, document->size, package->arena,
			&package->neighbours, &package->neighbour_count, &err)) {
		return problem_print_error(package->arguments, package->path, &err);
	}
	if (package->neighbour_count > 0) {
		return pack_neighbours(package, out);
	}
	*out = *document;
	*document = (struct buffer){0};
	return STATUS_OK;
}

int asset_read(const struct arguments *arguments, const char *path, struct buffer *out) {
	struct buffer document = {0};
	struct package package = {
		.arguments = arguments,
		.path = path,
		.arena = arena_create(),
		.document = &document,
	};
	const int status = read_whole(&package, &document, out);
	buffer_finish(&document);
	arena_destroy(package.arena);
	return status;
}
