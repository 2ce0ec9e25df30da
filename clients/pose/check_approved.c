// Approved pictures in a folder.
#include "check_approved.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "approved_names.h"
#include "base/json_write.h"
#include "files.h"
#include "json_text.h"
#include "renderer.h"
#include "status.h"

/* Pictures of one view. */
#define PICTURES_MAX 9

struct check_approved {
	const char *folder; // without a slash at the end
	bool adds;
	size_t added;
	struct error failed; // to add
};

/* The folder of one asset and renderer. */
struct place {
	struct check_approved *approved;
	struct arena *arena;
	const char *asset;  // "FOLDER/fox.glb"
	const char *folder; // "FOLDER/fox.glb/llvmpipe"
	const char *renderer;
};

/* --- Names --- */

/* The clip of a view, and of one that has a namesake its number, too. */
static const char *name_clip(const struct place *place, const struct check_view *view) {
	const char *clip = approved_name_part(view->clip, place->arena);
	return view->namesake == 0
		? arena_printf(place->arena, "%s/%s", place->folder, clip)
		: arena_printf(place->arena, "%s/%s~%d", place->folder, clip, view->namesake + 1);
}

/* The n-th picture of a view, from 1 on. */
static const char *name_picture(const struct place *place, const struct check_view *view, int n) {
	const char *stem = arena_printf(place->arena, "%s.%s.%dof%d.%s", name_clip(place, view),
		view->camera, view->moment, view->moments, view->shading);
	return n == 1 ? arena_printf(place->arena, "%s.png", stem)
		      : arena_printf(place->arena, "%s.%d.png", stem, n);
}

static const char *name_camera(const struct place *place, const struct check_view *view) {
	return arena_printf(place->arena, "%s.camera.json", name_clip(place, view));
}

/* --- Files --- */

static bool fail(struct error *err, const char *path) {
	return error_set(err, ERROR_INTERNAL, "%s: %s", path, strerror(errno));
}

static bool read_picture(void *context, const struct check_view *view, size_t i, struct buffer *png,
	struct error *err) {
	const struct place *place = context;
	size_t found = 0;
	for (int n = 1; n <= PICTURES_MAX; n++) {
		const char *path = name_picture(place, view, n);
		if (access(path, F_OK) != 0) {
			if (errno != ENOENT && errno != ENOTDIR) {
				return fail(err, path);
			}
		} else if (found++ == i) {
			return file_load(path, png) || fail(err, path);
		}
	}
	return false;
}

/* Makes a folder and those above it, up to the folder of pictures. */
static bool make_folders(const struct place *place, struct error *err) {
	char *path = arena_printf(place->arena, "%s/", place->folder);
	for (char *at = path + strlen(place->approved->folder); *at; at++) {
		if (*at != '/') {
			continue;
		}
		*at = '\0';
		if (mkdir(path, 0777) != 0 && errno != EEXIST) {
			return fail(err, path);
		}
		*at = '/';
	}
	return true;
}

/* Whole or not at all. */
static bool write_file(const char *path, const struct buffer *content, struct arena *arena) {
	const char *part = arena_printf(arena, "%s.part", path);
	FILE *file = fopen(part, "wb");
	bool ok = file && fwrite(content->data, 1, content->size, file) == content->size;
	ok &= file && fclose(file) == 0;
	ok = ok && rename(part, path) == 0;
	const int reason = errno;
	if (!ok) {
		unlink(part);
	}
	errno = reason;
	return ok;
}

/* A picture that could not be approved fails the command. */
static bool put(
	struct place *place, const char *path, const struct buffer *content, struct error *err) {
	struct check_approved *approved = place->approved;
	const bool ok = make_folders(place, err) &&
		(write_file(path, content, place->arena) || fail(err, path));
	if (!ok && approved->failed.code == ERROR_NONE) {
		approved->failed = *err;
	}
	return ok;
}

static bool add_picture(
	void *context, const struct check_view *view, const struct buffer *png, struct error *err) {
	struct place *place = context;
	int n = 1;
	while (n <= PICTURES_MAX && access(name_picture(place, view, n), F_OK) == 0) {
		n++;
	}
	if (n > PICTURES_MAX) {
		error_set(err, ERROR_INTERNAL,
			"%s has %d approved pictures already; delete those that are not right",
			name_picture(place, view, 1), PICTURES_MAX);
		place->approved->failed = *err;
		return false;
	}
	const bool ok = put(place, name_picture(place, view, n), png, err);
	place->approved->added += ok;
	return ok;
}

/* --- Cameras --- */

static const struct member camera_rows[] = {
	{"target", MEMBER_VECTOR, .offset = offsetof(struct check_camera, target), .count = 3,
		.required = true},
	{"distance", MEMBER_NUMBER, .offset = offsetof(struct check_camera, distance),
		.most = INFINITY, .above_min = true, .required = true},
};

static const struct member_table camera_table = MEMBER_TABLE("camera", camera_rows);

static bool read_camera(void *context, const struct check_view *view, struct check_camera *camera,
	struct error *err) {
	const struct place *place = context;
	const char *path = name_camera(place, view);
	struct buffer text = {0};
	struct error why = {0};
	if (!file_load(path, &text)) {
		buffer_finish(&text);
		return errno != ENOENT && errno != ENOTDIR && fail(err, path);
	}
	const struct value *json = json_read(place->arena, text.data, text.size, &why);
	const bool ok = json && value_read_table(json, &camera_table, camera, &why);
	buffer_finish(&text);
	return ok || error_set(err, why.code, "%s: %s", path, why.text);
}

static bool add_camera(void *context, const struct check_view *view,
	const struct check_camera *camera, struct error *err) {
	struct place *place = context;
	struct buffer text = {0};
	struct json_writer json = {.out = &text};
	json_write_begin_object(&json);
	json_write_key(&json, "target");
	json_write_begin_list(&json);
	for (int k = 0; k < 3; k++) {
		json_write_double(&json, camera->target[k]);
	}
	json_write_end_list(&json);
	json_write_member_double(&json, "distance", camera->distance);
	json_write_end_object(&json);
	buffer_append(&text, "\n", 1);
	const bool ok = put(place, name_camera(place, view), &text, err);
	buffer_finish(&text);
	return ok;
}

/* --- Assets --- */

/* Another renderer that there are pictures of; NULL = there is none. */
static const char *find_other(const struct place *place) {
	DIR *list = opendir(place->asset);
	const char *other = NULL;
	struct dirent *entry;
	while (list && (entry = readdir(list))) {
		const char *name = entry->d_name;
		if (*name != '.' && strcmp(name, place->renderer) != 0 &&
			(!other || strcmp(name, other) < 0)) {
			other = arena_strndup(place->arena, name, strlen(name));
		}
	}
	if (list) {
		closedir(list);
	}
	return other;
}

static const char *explain_none(const struct place *place) {
	const char *other = find_other(place);
	return other ? arena_printf(place->arena,
			       "pictures are approved for another renderer (%s) and not for "
			       "this one (%s); --approve stores its own",
			       other, place->renderer)
		     : "no picture is approved; --approve stores the present ones";
}

static struct place find_place(struct check_approved *approved, struct renderer *renderer,
	const struct check_approved_asset *asset) {
	struct place place = {.approved = approved, .arena = asset->arena};
	place.renderer = approved_name_renderer(renderer, asset->arena);
	place.asset = arena_printf(asset->arena, "%s/%s", approved->folder,
		approved_name_asset(approved->folder, asset->input, asset->arena));
	place.folder = arena_printf(asset->arena, "%s/%s", place.asset, place.renderer);
	return place;
}

static void note(struct check_approved_asset *asset, const char *text) {
	asset->notes[asset->note_count++] = text;
}

/* The note on a report once nothing can be drawn any more. */
static const char *explain_lack(const struct error *err, struct arena *arena) {
	return arena_printf(arena, "pictures are missing: %s", err->text);
}

static void compare_steps(
	struct check_approved_job job, struct check_approved_asset *asset, struct error *err) {
	const size_t steps = renderer_check_steps(asset->run);
	asset->notes = arena_alloc(asset->arena, steps, sizeof *asset->notes);
	if (steps == 1) {
		note(asset, "pictures: there is no clip to take any of");
	}
	for (size_t i = 0; i < steps; i++) {
		int lacking;
		if (!renderer_check_approved(&job, i, &lacking, err)) {
			job.renderer = NULL;
			job.none = explain_lack(err, asset->arena);
			renderer_check_approved(&job, i, &lacking, NULL);
		}
		if (lacking > 0) {
			note(asset,
				arena_printf(asset->arena,
					"pictures: %d of %s are not approved; --approve stores "
					"them",
					lacking, renderer_check_step_name(asset->run, i)));
		}
	}
}

void check_approved_compare(struct check_approved *approved, struct renderer *renderer,
	struct check_approved_asset *asset, struct error *err) {
	struct place place = {.approved = approved, .arena = asset->arena};
	const struct approved_pictures pictures = {
		.context = &place,
		.read = read_picture,
		.read_camera = read_camera,
		.add = approved->adds ? add_picture : NULL,
		.add_camera = approved->adds ? add_camera : NULL,
	};
	struct check_approved_job job = {.run = asset->run, .pictures = &pictures};
	if (err->code == ERROR_NONE) {
		place = find_place(approved, renderer, asset);
		job.renderer = renderer;
		job.none = explain_none(&place);
	} else {
		job.none = explain_lack(err, asset->arena);
	}
	compare_steps(job, asset, err);
	if (approved->adds && approved->failed.code == ERROR_NONE) {
		approved->failed = *err;
	}
}

void check_approved_note(const struct check_approved_asset *asset, struct check_file *file) {
	const size_t count = file->not_covered_count;
	const char **list = arena_alloc(asset->arena, count + asset->note_count, sizeof *list);
	for (size_t i = 0; i < count + asset->note_count; i++) {
		list[i] = i < count ? file->not_covered[i] : asset->notes[i - count];
	}
	file->not_covered = list;
	file->not_covered_count = count + asset->note_count;
}

/* --- The run --- */

struct check_approved *check_approved_create(
	const struct check_options *options, struct arena *arena) {
	const char *folder = arguments_value(options->arguments, "--pictures");
	if (!folder) {
		return NULL;
	}
	size_t length = strlen(folder);
	while (length > 1 && folder[length - 1] == '/') {
		length--;
	}
	struct check_approved *approved = arena_alloc(arena, 1, sizeof *approved);
	approved->folder = arena_strndup(arena, folder, length);
	approved->adds = arguments_value(options->arguments, "--approve");
	return approved;
}

int check_approved_check(const struct check_options *options) {
	const char *folder = arguments_value(options->arguments, "--pictures");
	const bool adds = arguments_value(options->arguments, "--approve");
	struct stat there;
	if (adds && !folder) {
		fprintf(stderr, "pose: --approve is for --pictures, which is not given\n");
		return STATUS_USAGE;
	}
	const bool exists = folder && stat(folder, &there) == 0;
	if (exists && !S_ISDIR(there.st_mode)) {
		fprintf(stderr, "pose: --pictures: %s is no folder\n", folder);
		return STATUS_USAGE;
	}
	if (folder && !exists && !adds) {
		fprintf(stderr, "pose: --pictures: there is no folder %s; --approve makes it\n",
			folder);
		return STATUS_USAGE;
	}
	return STATUS_OK;
}

const char *check_approved_remark(const struct check_approved *approved, struct arena *arena) {
	return approved && approved->adds && approved->failed.code == ERROR_NONE
		? arena_printf(
			  arena, "pictures approved in %s: %zu", approved->folder, approved->added)
		: NULL;
}

bool check_approved_end(const struct check_approved *approved) {
	if (!approved || approved->failed.code == ERROR_NONE) {
		return true;
	}
	fprintf(stderr, "pose: --approve: %s\n", approved->failed.text);
	return false;
}
