// A .gltf with its buffers as one GLB, and back.
#include <string.h>

#include "base/number.h"
#include "import/data_uri.h"
#include "import/zip.h"
#include "interface/optimise_files.h"
#include "optimise/container.h"
#include "optimise/edits.h"

#define ALIGNMENT 8u // of each buffer in the chunk: no accessor wants more
#define QUOTED_MAX ((size_t)1 << 30)

/* A document's buffers on their way into one chunk. */
struct gathering {
	struct arena *arena;
	const struct asset_file *files; // [file_count] the document first
	size_t file_count;
	struct container document;
	struct edits edits;
	struct buffer bin;
	int count;    // of buffers
	uint64_t *at; // [count] in the chunk
	int *index;   // [count] of the buffer then: 0 for those in the chunk
};

static bool is_fallback(struct json_span buffer) {
	static const char *const names[] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};
	const struct json_span extensions = json_span_member(buffer, "extensions");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct json_span extension = json_span_member(extensions, names[i]);
		if (json_span_is(json_span_member(extension, "fallback"), "true")) {
			return true;
		}
	}
	return false;
}

static bool read_file(const struct gathering *gathering, const char *uri,
	const unsigned char **bytes, size_t *size, struct error *err) {
	const char *path = zip_path_resolve("", uri, gathering->arena, err);
	for (size_t i = 1; path && i < gathering->file_count; i++) {
		if (strcmp(gathering->files[i].path, path) == 0) {
			*bytes = gathering->files[i].bytes;
			*size = gathering->files[i].size;
			return true;
		}
	}
	return path && error_set(err, ERROR_BROKEN_ASSET, "there is no buffer %.200s", uri);
}

/* The bytes of a buffer, wherever they are. */
static bool read_buffer(const struct gathering *gathering, struct json_span uri,
	const unsigned char **bytes, size_t *size, struct error *err) {
	if (!uri.text) {
		*bytes = gathering->document.bin;
		*size = gathering->document.bin_size;
		return gathering->document.bin ||
			error_set(err, ERROR_BROKEN_ASSET, "a buffer has neither bytes nor a uri");
	}
	if (uri.size < 2 || memchr(uri.text, '\\', uri.size)) {
		return error_set(err, ERROR_UNSUPPORTED_ASSET,
			"a buffer's uri with escapes cannot be followed here");
	}
	const char *text = arena_strndup(gathering->arena, uri.text + 1, uri.size - 2);
	if (!data_uri_is(text)) {
		return read_file(gathering, text, bytes, size, err);
	}
	const char *flaw;
	*bytes = data_uri_decode(text, gathering->arena, size, &flaw, err);
	return *bytes != NULL;
}

static bool add_buffer(
	struct gathering *gathering, int i, struct json_span text, struct error *err) {
	const unsigned char *bytes = NULL;
	size_t size = 0;
	uint64_t length;
	if (!json_span_whole(json_span_member(text, "byteLength"), &length) ||
		!read_buffer(gathering, json_span_member(text, "uri"), &bytes, &size, err)) {
		return error_set(err, ERROR_BROKEN_ASSET, "buffers[%d] cannot be read", i);
	}
	if (size < length) {
		return error_set(err, ERROR_BROKEN_ASSET,
			"buffers[%d] has %zu bytes, fewer than its byteLength", i, size);
	}
	gathering->at[i] = gathering->bin.size;
	return buffer_try_append(&gathering->bin, bytes, length, "buffers", err) &&
		buffer_try_append(&gathering->bin, "\0\0\0\0\0\0\0",
			(ALIGNMENT - length % ALIGNMENT) % ALIGNMENT, "buffers", err);
}

/* Puts the first buffer that has bytes in the place of all that have. */
static bool gather_buffers(struct gathering *gathering, struct json_span list, struct error *err) {
	struct json_items items = json_items_of(list);
	struct json_span name, value, first = {0};
	gathering->count = (int)json_span_count(list);
	const size_t room = (size_t)gathering->count + 1;
	gathering->at = arena_alloc(gathering->arena, room, sizeof *gathering->at);
	gathering->index = arena_alloc(gathering->arena, room, sizeof *gathering->index);
	bool *goes = arena_alloc(gathering->arena, room, sizeof *goes);
	int behind = 1;
	for (int i = 0; json_items_next(&items, &name, &value); i++) {
		if (!json_span_member(value, "uri").text && is_fallback(value)) {
			gathering->index[i] = behind++;
			continue;
		}
		if (behind > 1 && !first.text) {
			return error_set(err, ERROR_UNSUPPORTED_ASSET,
				"the first buffer has no bytes, so that the file cannot be a GLB");
		}
		goes[i] = first.text != NULL;
		first = first.text ? first : value;
		if (!add_buffer(gathering, i, value, err)) {
			return false;
		}
	}
	edits_remove(&gathering->edits, list, goes);
	if (first.text) {
		edits_replace_whole(&gathering->edits, json_span_member(first, "byteLength"),
			gathering->bin.size);
		edits_remove_member(&gathering->edits, first, "uri");
	}
	return true;
}

/* Moves a view, or what is compressed of it. */
static void move_view(struct gathering *gathering, struct json_span view) {
	uint64_t buffer, at = 0;
	const struct json_span number = json_span_member(view, "buffer");
	const struct json_span offset = json_span_member(view, "byteOffset");
	if (!json_span_whole(number, &buffer) || buffer >= (uint64_t)gathering->count) {
		return;
	}
	edits_replace_whole(&gathering->edits, number, (uint64_t)gathering->index[buffer]);
	if (gathering->at[buffer] == 0) {
		return;
	}
	if (json_span_whole(offset, &at)) {
		edits_replace_whole(&gathering->edits, offset, at + gathering->at[buffer]);
	} else if (!offset.text) {
		const char *text = arena_printf(gathering->arena, "\"byteOffset\":%llu,",
			(unsigned long long)gathering->at[buffer]);
		edits_insert(&gathering->edits, view.text + 1, text, strlen(text));
	}
}

static void move_views(struct gathering *gathering, struct json_span views) {
	static const char *const packed[] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};
	struct json_items items = json_items_of(views);
	struct json_span name, view;
	while (json_items_next(&items, &name, &view)) {
		const struct json_span extensions = json_span_member(view, "extensions");
		move_view(gathering, view);
		for (size_t i = 0; i < sizeof packed / sizeof *packed; i++) {
			move_view(gathering, json_span_member(extensions, packed[i]));
		}
	}
}

static bool gather(struct gathering *gathering, struct buffer *out, struct error *err) {
	const struct json_span document = gathering->document.json;
	struct buffer json = {0};
	if (!gather_buffers(gathering, json_span_member(document, "buffers"), err)) {
		return false;
	}
	move_views(gathering, json_span_member(document, "bufferViews"));
	edits_apply(&gathering->edits, document, &json);
	const struct container made = {{(const char *)json.data, json.size},
		gathering->bin.size > 0 ? gathering->bin.data : NULL, gathering->bin.size,
		gathering->document.rest, gathering->document.rest_size};
	const bool done = container_write(&made, out, err);
	buffer_finish(&json);
	return done;
}

/* True for a GLB whose only bytes are its own. */
static bool is_whole(const struct container *document) {
	struct json_items items = json_items_of(json_span_member(document->json, "buffers"));
	struct json_span name, value;
	while (json_items_next(&items, &name, &value)) {
		if (json_span_member(value, "uri").text) {
			return false;
		}
	}
	return document->bin != NULL || document->rest != NULL;
}

static bool read_document(const struct asset_file *file, struct container *out) {
	if (container_read(file->bytes, file->size, out)) {
		return true;
	}
	const char *text = file->bytes;
	const bool has_mark = file->size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0;
	*out = (struct container){
		.json = json_span_of(text + (has_mark ? 3 : 0), file->size - (has_mark ? 3 : 0))};
	return out->json.size > 0 && *out->json.text == '{' && out->json.size < QUOTED_MAX;
}

bool renderer_optimise_gather(
	struct asset_file *files, size_t count, const struct asset_sink *sink, struct error *err) {
	struct gathering gathering = {.files = files, .file_count = count};
	struct buffer out = {0};
	if (count == 0 || !read_document(&files[0], &gathering.document)) {
		return error_set(err, ERROR_UNSUPPORTED_ASSET, "only glTF 2.0 can be optimised");
	}
	if (is_whole(&gathering.document)) {
		return sink->write(sink->context, files[0].bytes, files[0].size, err);
	}
	gathering.arena = gathering.edits.arena = arena_create();
	const bool done = gather(&gathering, &out, err) &&
		sink->write(sink->context, out.data, out.size, err);
	buffer_finish(&gathering.bin);
	buffer_finish(&out);
	arena_destroy(gathering.arena);
	return done;
}

bool renderer_optimise_split(const void *bytes, size_t size, const char *bin_uri,
	struct buffer *document, struct buffer *bin, struct error *err) {
	struct container container;
	if (!container_read(bytes, size, &container)) {
		return error_set(err, ERROR_UNSUPPORTED_ASSET, "this is no GLB");
	}
	struct arena *arena = arena_create();
	struct edits edits = {.arena = arena};
	struct json_items items = json_items_of(json_span_member(container.json, "buffers"));
	struct json_span name, first;
	if (container.bin && json_items_next(&items, &name, &first) && first.size > 2) {
		const char *text = arena_printf(arena, "\"uri\":\"%s\",", bin_uri);
		uint64_t length = container.bin_size;
		json_span_whole(json_span_member(first, "byteLength"), &length);
		edits_insert(&edits, first.text + 1, text, strlen(text));
		buffer_append(bin, container.bin,
			length < container.bin_size ? length : container.bin_size);
	}
	edits_apply(&edits, container.json, document);
	arena_destroy(arena);
	return true;
}
