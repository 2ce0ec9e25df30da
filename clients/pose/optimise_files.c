// The files of pose optimise.
#include "optimise_files.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "files.h"
#include "problem_print.h"
#include "renderer.h"
#include "status.h"
#include "url_text.h"

#define DEPTH_MAX 100 // folders within folders

/* A search that is under way. */
struct search {
	const struct arguments *arguments;
	struct arena *arena;
	struct optimise_files *out;
	const char *to; // -o, without a / at its end
	bool to_folder;
};

static const char *base_name(const char *path) {
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static bool ends(const char *name, const char *ending) {
	const size_t length = strlen(name), end = strlen(ending);
	return length > end && strcasecmp(name + length - end, ending) == 0;
}

static int refuse(const char *words, const char *subject) {
	fprintf(stderr, "pose: %s%s; see pose --help\n", words, subject);
	return STATUS_USAGE;
}

static void add(struct search *search, const char *path, const char *name) {
	struct optimise_files *out = search->out;
	if (out->count == out->room) {
		struct optimise_file *old = out->items;
		out->room = 2 * out->room + 16;
		out->items = arena_alloc(search->arena, out->room, sizeof *out->items);
		for (size_t i = 0; i < out->count; i++) {
			out->items[i] = old[i];
		}
	}
	out->items[out->count++] = (struct optimise_file){path,
		search->to_folder ? arena_printf(search->arena, "%s/%s", search->to, name)
				  : search->to};
}

/* Adds the glTF files below a folder, whose names there become those below -o. Links are not
 * followed. */
static int add_folder(struct search *search, const char *folder, const char *name, int depth) {
	struct dirent **entries;
	const int count = scandir(folder, &entries, NULL, alphasort);
	int status = STATUS_OK;
	if (count < 0) {
		problem_print_file(search->arguments, folder);
		return STATUS_FAILED;
	}
	for (int i = 0; i < count; i++) {
		const char *own = arena_strndup(
			search->arena, entries[i]->d_name, strlen(entries[i]->d_name));
		const char *path = arena_printf(search->arena, "%s/%s", folder, own);
		const char *below = *name ? arena_printf(search->arena, "%s/%s", name, own) : own;
		struct stat about;
		free(entries[i]);
		if (own[0] == '.' || status != STATUS_OK || lstat(path, &about) != 0) {
			continue;
		}
		if (S_ISDIR(about.st_mode) && depth < DEPTH_MAX) {
			status = add_folder(search, path, below, depth + 1);
		} else if (S_ISREG(about.st_mode) && (ends(own, ".glb") || ends(own, ".gltf"))) {
			add(search, path, below);
		}
	}
	free(entries);
	return status;
}

static int add_subject(struct search *search, const char *subject) {
	const size_t before = search->out->count;
	if (!file_is_folder(subject)) {
		add(search, subject, base_name(subject));
		return STATUS_OK;
	}
	if (!search->to_folder) {
		return refuse("a folder needs a folder as -o, not ", search->to);
	}
	const int status = add_folder(search, subject, "", 0);
	return status == STATUS_OK && search->out->count == before
		? refuse("there is no .glb and no .gltf in ", subject)
		: status;
}

/* Finds out what -o is. */
static int find_target(struct search *search) {
	const struct arguments *arguments = search->arguments;
	const char *to = arguments_value(arguments, "-o");
	const size_t length = to ? strlen(to) : 0;
	if (length == 0) {
		return refuse("pose optimise needs -o: a file or a folder", "");
	}
	search->to_folder = file_is_folder(to);
	search->to = search->to_folder && length > 1 && to[length - 1] == '/'
		? arena_strndup(search->arena, to, length - 1)
		: to;
	if (!search->to_folder && arguments->plain_count > 2) {
		return refuse("several files need a folder as -o, not ", to);
	}
	if (strcmp(to, "-") == 0 && arguments_want_json(arguments)) {
		return refuse("--json and -o - both want standard output", "");
	}
	return STATUS_OK;
}

static int by_target(const void *a, const void *b) {
	const struct optimise_file *const *x = a, *const *y = b;
	return strcmp((*x)->target, (*y)->target);
}

static int check_names(const struct search *search) {
	const struct optimise_files *out = search->out;
	const struct optimise_file **sorted =
		arena_alloc(search->arena, out->count + 1, sizeof *sorted);
	for (size_t i = 0; i < out->count; i++) {
		sorted[i] = &out->items[i];
	}
	if (out->count > 1) {
		qsort(sorted, out->count, sizeof *sorted, by_target);
	}
	for (size_t i = 1; i < out->count; i++) {
		if (strcmp(sorted[i - 1]->target, sorted[i]->target) == 0) {
			return refuse("two files of the same name: ", base_name(sorted[i]->path));
		}
	}
	return STATUS_OK;
}

int optimise_files_find(
	const struct arguments *arguments, struct arena *arena, struct optimise_files *out) {
	struct search search = {.arguments = arguments, .arena = arena, .out = out};
	*out = (struct optimise_files){.items = NULL};
	int status = find_target(&search);
	for (size_t i = 1; i < arguments->plain_count && status == STATUS_OK; i++) {
		status = add_subject(&search, arguments->plain[i]);
	}
	return status == STATUS_OK ? check_names(&search) : status;
}

/* Makes the folders above a file. */
static bool make_folders(const struct arguments *arguments, const char *path, struct arena *arena) {
	for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		const char *folder = arena_strndup(arena, path, (size_t)(slash - path));
		if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
			return problem_print_file(arguments, folder);
		}
	}
	return true;
}

/* A path in the folder that another one is in. */
static const char *beside(struct arena *arena, const char *path, const char *name) {
	return arena_printf(arena, "%.*s%s", (int)(base_name(path) - path), path, name);
}

static bool is_same_folder(struct arena *arena, const char *a, const char *b) {
	char first[PATH_MAX], second[PATH_MAX];
	return realpath(beside(arena, a, "."), first) && realpath(beside(arena, b, "."), second) &&
		strcmp(first, second) == 0;
}

/* Copies the pictures that a document names beside it; those that are not there stay away. */
static bool copy_pictures(const struct arguments *arguments, const struct optimise_file *file,
	const struct buffer *glb, struct arena *arena) {
	const struct asset_neighbour *neighbours;
	size_t count;
	struct error err = {0};
	if (file_is_input(file->path) || is_same_folder(arena, file->path, file->target)) {
		return true;
	}
	if (!renderer_asset_neighbours(glb->data, glb->size, arena, &neighbours, &count, &err)) {
		problem_print_error(arguments, file->path, &err);
		return false;
	}
	bool done = true;
	for (size_t i = 0; i < count && done; i++) {
		struct buffer bytes = {0};
		const char *from = beside(arena, file->path, neighbours[i].path);
		const char *to = beside(arena, file->target, neighbours[i].path);
		if (!neighbours[i].is_buffer && file_load(from, &bytes)) {
			done = make_folders(arguments, to, arena) &&
				file_write(arguments, to, &bytes, false);
		}
		buffer_finish(&bytes);
	}
	return done;
}

/* A document and its buffer beside it. */
static bool write_apart(const struct arguments *arguments, const struct optimise_file *file,
	const struct buffer *glb, struct arena *arena) {
	struct buffer document = {0}, bin = {0};
	struct error err = {0};
	const char *name = base_name(file->target);
	const char *stem = arena_strndup(arena, name, strlen(name) - strlen(".gltf"));
	const char *bin_name = arena_printf(arena, "%s.bin", stem);
	const bool split = renderer_optimise_split(
		glb->data, glb->size, url_encode(arena, bin_name), &document, &bin, &err);
	if (!split) {
		problem_print_error(arguments, file->path, &err);
	}
	const bool done = split && file_write(arguments, file->target, &document, false) &&
		(bin.size == 0 ||
			file_write(arguments, beside(arena, file->target, bin_name), &bin, false));
	buffer_finish(&document);
	buffer_finish(&bin);
	return done;
}

int optimise_files_write(const struct arguments *arguments, const struct optimise_file *file,
	const struct buffer *glb) {
	struct arena *arena = arena_create();
	const bool is_output = strcmp(file->target, "-") == 0;
	bool done = is_output || make_folders(arguments, file->target, arena);
	if (done && ends(base_name(file->target), ".gltf")) {
		done = write_apart(arguments, file, glb, arena);
	} else if (done) {
		done = file_write(arguments, file->target, glb, false);
	}
	done = done && (is_output || copy_pictures(arguments, file, glb, arena));
	arena_destroy(arena);
	return done ? STATUS_OK : STATUS_FAILED;
}
