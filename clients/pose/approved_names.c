// Names of approved pictures.
#include "approved_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/utf8.h"
#include "interface/context.h"

/* Bytes of a name's part, beyond which it is cut: file systems take 255 for the whole. */
#define PART_BYTES 120

static bool is_plain(const char *text, size_t at) {
	const char c = text[at];
	return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_' ||
		c == '-' || (at > 0 && (c == ' ' || c == '.'));
}

const char *approved_name_part(const char *text, struct arena *arena) {
	char *out = arena_alloc(arena, PART_BYTES + 32, 1);
	const size_t length = strlen(text);
	size_t size = 0, at = 0;
	while (at < length && size < PART_BYTES) {
		const size_t bytes = utf8_character_bytes(text + at, length - at);
		if (bytes > 1 && utf8_code_point(text + at, bytes) >= 0xa0) {
			memcpy(out + size, text + at, bytes);
			size += bytes;
			at += bytes;
		} else {
			size += (size_t)sprintf(out + size, is_plain(text, at) ? "%c" : "%%%02X",
				(unsigned char)text[at]);
			at++;
		}
	}
	if (at < length) {
		sprintf(out + size, "~%016llx",
			(unsigned long long)fnv_mix(FNV_START, text, length));
	}
	return *out ? out : "%";
}

/* A path of which each part is a name. */
static const char *name_path(struct arena *arena, const char *path) {
	const char *out = "";
	while (*path) {
		const size_t length = strcspn(path, "/");
		const char *part = approved_name_part(arena_strndup(arena, path, length), arena);
		if (length > 0) {
			out = arena_printf(arena, "%s%s%s", out, *out ? "/" : "", part);
		}
		path += length + (path[length] == '/');
	}
	return out;
}

static const char *last_part(const char *path) {
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* The folder that something lies in, without links and in the arena; NULL = there is none. */
static const char *folder_of(struct arena *arena, const char *path) {
	const char *last = last_part(path);
	const size_t length = (size_t)(last - path);
	char *real = realpath(length > 0 ? arena_strndup(arena, path, length) : ".", NULL);
	const char *copy = real ? arena_strndup(arena, real, strlen(real)) : NULL;
	free(real);
	return copy;
}

const char *approved_name_asset(
	const char *folder, const struct check_input *input, struct arena *arena) {
	if (input->is_rig || input->has_bytes) {
		return name_path(arena, input->path);
	}
	const char *root = folder_of(arena, folder);
	const char *own = folder_of(arena, input->path);
	const size_t length = root ? strlen(root) : 0;
	const bool is_below = root && own && strncmp(root, own, length) == 0 &&
		(own[length] == '/' || own[length] == '\0' || root[length - 1] == '/');
	return name_path(arena,
		arena_printf(arena, "%s/%s", is_below ? own + length : "", last_part(input->path)));
}

const char *approved_name_renderer(const struct renderer *renderer, struct arena *arena) {
	const struct renderer_info *info = renderer_info(renderer);
	char *name = arena_printf(arena, "%s %s", info->renderer, info->version);
	size_t size = 0;
	for (size_t i = 0; name[i]; i++) {
		if (is_plain(name, i) && name[i] != ' ') {
			name[size++] = name[i];
		} else if (size > 0 && name[size - 1] != '-') {
			name[size++] = '-';
		}
	}
	while (size > 0 && name[size - 1] == '-') {
		size--;
	}
	name[size] = '\0';
	return size > 0 ? approved_name_part(name, arena) : "renderer";
}
