// The assets that a check is of.
#include "check_inputs.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "daemon.h"
#include "files.h"
#include "forms.h"
#include "interface/assets.h"
#include "json_text.h"
#include "limits.h"
#include "offline.h"
#include "problem_print.h"
#include "status.h"
#include "url_text.h"

/* Folders within folders. */
#define DEPTH_MAX 100

/* A search that is under way. */
struct search {
	const struct arguments *arguments;
	struct arena *arena;
	struct check_inputs *out;
	size_t room; // of out->items
};

static struct check_input *add(struct search *search, const char *path) {
	struct check_inputs *out = search->out;
	if (out->count == search->room) {
		search->room = 2 * search->room + 16;
		struct check_input *more = arena_alloc(search->arena, search->room, sizeof *more);
		for (size_t i = 0; i < out->count; i++) {
			more[i] = out->items[i];
		}
		out->items = more;
	}
	out->items[out->count] = (struct check_input){.path = path};
	return &out->items[out->count++];
}

/* --- Folders --- */

static int look_into(struct search *search, const char *folder, int depth);

static int look_at(struct search *search, const char *folder, const char *name, int depth) {
	const size_t length = strlen(folder);
	const char *slash = length > 0 && folder[length - 1] == '/' ? "" : "/";
	const char *path = arena_printf(search->arena, "%s%s%s", folder, slash, name);
	struct stat there;
	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
		return STATUS_OK;
	}
	if (lstat(path, &there) != 0) {
		// One that was removed meanwhile is not there.
		return errno == ENOENT || problem_print_file(search->arguments, path)
			? STATUS_OK
			: STATUS_FAILED;
	}
	if (S_ISDIR(there.st_mode) && depth < DEPTH_MAX) {
		return look_into(search, path, depth + 1);
	}
	if (S_ISREG(there.st_mode) && renderer_is_asset_name(name)) {
		add(search, path);
	}
	return STATUS_OK;
}

static int look_into(struct search *search, const char *folder, int depth) {
	DIR *list = opendir(folder);
	if (!list) {
		problem_print_file(search->arguments, folder);
		return STATUS_FAILED;
	}
	int status = STATUS_OK;
	struct dirent *entry;
	while (status == STATUS_OK && (entry = readdir(list))) {
		status = look_at(search, folder, entry->d_name, depth);
	}
	closedir(list);
	return status;
}

static int compare_paths(const void *first, const void *second) {
	const struct check_input *a = first, *b = second;
	return strcmp(a->path, b->path);
}

static void print_no_asset(const char *folder) {
	fprintf(stderr, "pose: %s: there is no asset in this folder: no file named", folder);
	const struct asset_format *format;
	for (size_t i = 0; (format = renderer_asset_format(i)); i++) {
		for (size_t k = 0; format->endings[k]; k++) {
			fprintf(stderr, " *%s", format->endings[k]);
		}
	}
	fprintf(stderr, "\n");
}

static int add_folder(struct search *search, const char *folder) {
	const size_t before = search->out->count;
	const int status = look_into(search, folder, 0);
	const size_t found = search->out->count - before;
	if (status == STATUS_OK && found == 0) {
		print_no_asset(folder);
		return STATUS_USAGE;
	}
	if (found > 1) {
		qsort(search->out->items + before, found, sizeof *search->out->items,
			compare_paths);
	}
	return status;
}

/* --- Standard input --- */

static void finish_bytes(void *bytes) {
	buffer_finish(bytes);
}

/* Makes the arena own bytes. */
static void own_bytes(struct search *search, const struct buffer *bytes) {
	struct buffer *own = arena_alloc(search->arena, 1, sizeof *own);
	*own = *bytes;
	arena_defer(search->arena, finish_bytes, own);
}

/* An input whose bytes are here; the arena owns them. */
static struct check_input *add_bytes(
	struct search *search, const char *path, const struct buffer *bytes) {
	own_bytes(search, bytes);
	struct check_input *input = add(search, path);
	input->bytes = *bytes;
	input->has_bytes = true;
	return input;
}

static int add_standard_input(struct search *search) {
	struct buffer bytes = {0};
	if (!file_take(search->arguments, "-", &bytes)) {
		buffer_finish(&bytes);
		return STATUS_FAILED;
	}
	add_bytes(search, "-", &bytes);
	return STATUS_OK;
}

/* --- Rigs of the daemon --- */

/* Gets what is at a path; the arena owns it. The exit status. */
static int get(struct search *search, const char *path, const char *accept, struct buffer *out) {
	const struct http_request request = {.method = "GET", .path = path, .accept = accept};
	*out = (struct buffer){0};
	const int status = daemon_send(search->arguments, request, out);
	if (status == STATUS_OK) {
		own_bytes(search, out);
	} else {
		buffer_finish(out);
	}
	return status;
}

/* Gets those of a list of clips that are stored beside the file of the rig at a path. */
static int get_stored_clips(struct search *search, const char *rig, const struct value *list,
	struct check_input *input) {
	struct clip_file *clips = arena_alloc(search->arena, list->count, sizeof *clips);
	int status = STATUS_OK;
	for (size_t i = 0; status == STATUS_OK && i < list->count; i++) {
		const struct value *clip = &list->items[i];
		const struct value *name = value_member(clip, "name");
		if (!name || name->kind != VALUE_STRING || !value_member(clip, "stored")) {
			continue;
		}
		struct buffer bytes;
		status = get(search,
			arena_printf(search->arena, "%s/clips/%s", rig,
				url_encode(search->arena, name->string)),
			form_glb.media_type, &bytes);
		clips[input->clip_count++] =
			(struct clip_file){name->string, bytes.data, bytes.size};
	}
	input->clips = clips;
	return status;
}

static int get_clips(struct search *search, const char *rig, struct check_input *input) {
	struct buffer text;
	struct error err = {0};
	const int status = get(search, arena_printf(search->arena, "%s/clips", rig), NULL, &text);
	if (status != STATUS_OK) {
		return status;
	}
	const struct value *answer = json_read(search->arena, text.data, text.size, &err);
	const struct value *list = answer ? value_member(answer, "clips") : NULL;
	if (!list || list->kind != VALUE_LIST) {
		fprintf(stderr, "pose: %s: the daemon's list of clips cannot be read\n",
			input->path);
		return STATUS_FAILED;
	}
	return get_stored_clips(search, rig, list, input);
}

static int add_rig(struct search *search, const char *name) {
	const char *rig =
		arena_printf(search->arena, "/v1/rigs/%s", url_encode(search->arena, name));
	struct buffer source;
	const int status =
		get(search, arena_printf(search->arena, "%s/source", rig), NULL, &source);
	if (status != STATUS_OK) {
		return offline_end_rig(search->arguments, name, status);
	}
	struct check_input *input = add(search, name);
	input->bytes = source;
	input->has_bytes = input->is_rig = true;
	return get_clips(search, rig, input);
}

/* --- All of them --- */

static int add_subject(struct search *search, const char *subject) {
	struct stat there;
	if (file_is_input(subject)) {
		return add_standard_input(search);
	}
	if (stat(subject, &there) == 0) {
		if (S_ISDIR(there.st_mode)) {
			return add_folder(search, subject);
		}
		add(search, subject);
		return STATUS_OK;
	}
	if (strchr(subject, '/')) {
		problem_print_file(search->arguments, subject);
		return STATUS_FAILED;
	}
	return add_rig(search, subject);
}

/* The earlier version that --against names. */
static int add_against(struct search *search) {
	const char *subject = arguments_value(search->arguments, "--against");
	struct check_inputs found = {.items = NULL}, *out = search->out;
	if (!subject) {
		return STATUS_OK;
	}
	search->out = &found;
	search->room = 0;
	const int status = add_subject(search, subject);
	if (status == STATUS_OK && (found.count != 1 || out->count != 1)) {
		fprintf(stderr, "pose: --against holds one asset against one other\n");
		return STATUS_USAGE;
	}
	out->against = found.items;
	return status;
}

int check_inputs_find(const struct arguments *arguments, size_t first, struct arena *arena,
	struct check_inputs *out) {
	struct search search = {.arguments = arguments, .arena = arena, .out = out};
	*out = (struct check_inputs){.items = NULL};
	int status = STATUS_OK;
	for (size_t i = first; status == STATUS_OK && i < arguments->plain_count; i++) {
		status = add_subject(&search, arguments->plain[i]);
	}
	return status == STATUS_OK ? add_against(&search) : status;
}

int check_inputs_baseline(
	const struct arguments *arguments, struct arena *arena, const struct check_baseline **out) {
	const char *path = arguments_value(arguments, "--baseline");
	struct buffer text = {0};
	struct error err = {0};
	*out = NULL;
	if (!path) {
		return STATUS_OK;
	}
	if (!file_take(arguments, path, &text)) {
		buffer_finish(&text);
		return STATUS_FAILED;
	}
	const struct value *report =
		json_read_at_most(arena, text.data, text.size, LIMIT_BASELINE_VALUES, &err);
	buffer_finish(&text);
	*out = report ? check_baseline_read(report, arena, &err) : NULL;
	if (!*out) {
		fprintf(stderr, "pose: %s: %s\n", path, err.text);
		return STATUS_USAGE;
	}
	return STATUS_OK;
}
