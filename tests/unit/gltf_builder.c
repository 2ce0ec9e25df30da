// Small glTF assets made in a test.
#include "gltf_builder.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <nettle/base64.h>

#include "check.h"
#include "import/import.h"

void gltf_builder_finish(struct gltf_builder *b) {
	buffer_finish(&b->bin);
	buffer_finish(&b->views);
	buffer_finish(&b->accessors);
	*b = (struct gltf_builder){0};
}

static void append_text(struct buffer *buffer, const char *text) {
	buffer_append(buffer, text, strlen(text));
}

__attribute__((format(printf, 2, 3))) static void append_format(
	struct buffer *buffer, const char *format, ...) {
	char text[512];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	append_text(buffer, text);
}

static void pad(struct buffer *buffer, char filler) {
	while (buffer->size % 4 != 0) {
		buffer_append(buffer, &filler, 1);
	}
}

size_t add_bytes(struct gltf_builder *b, const void *bytes, size_t size) {
	pad(&b->bin, '\0');
	buffer_append(&b->bin, bytes, size);
	return b->bin.size - size;
}

int add_view_text(struct gltf_builder *b, const char *format, ...) {
	char text[512];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	append_text(&b->views, b->view_count ? ", " : "");
	append_text(&b->views, text);
	return b->view_count++;
}

int add_view(struct gltf_builder *b, const void *bytes, size_t size) {
	const size_t offset = add_bytes(b, bytes, size);
	return add_view_text(
		b, "{\"buffer\": 0, \"byteOffset\": %zu, \"byteLength\": %zu}", offset, size);
}

int add_accessor(struct gltf_builder *b, const char *format, ...) {
	char text[512];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	append_text(&b->accessors, b->accessor_count ? ", " : "");
	append_text(&b->accessors, text);
	return b->accessor_count++;
}

/* "[1, 2, 3]": the least or the greatest floats of each column; "[]" where one is not finite. */
static void write_bounds(
	const float *numbers, size_t width, size_t count, bool greatest, char text[static 512]) {
	size_t used = (size_t)sprintf(text, "[");
	for (size_t k = 0; k < width; k++) {
		float bound = numbers[k];
		for (size_t i = 0; i < count; i++) {
			const float number = numbers[i * width + k];
			bound = greatest ? fmaxf(bound, number) : fminf(bound, number);
		}
		used += (size_t)sprintf(text + used, k ? ", %.9g" : "%.9g", (double)bound);
	}
	sprintf(text + used, "]");
}

/* Positions and key times must have them. */
static bool has_bounds(const char *type, int component, const float *numbers, size_t count) {
	const bool bounded = strcmp(type, "SCALAR") == 0 || strcmp(type, "VEC3") == 0;
	bool finite = component == F32 && bounded;
	for (size_t i = 0; finite && i < count * (type[0] == 'V' ? 3 : 1); i++) {
		finite = isfinite(numbers[i]);
	}
	return finite;
}

int add_data(struct gltf_builder *b, const char *type, int component, size_t count,
	const void *bytes, size_t size) {
	char least[512], greatest[512], bounds[1100] = "";
	const int view = add_view(b, bytes, size);
	if (has_bounds(type, component, bytes, count)) {
		const size_t width = type[0] == 'V' ? 3 : 1;
		write_bounds(bytes, width, count, false, least);
		write_bounds(bytes, width, count, true, greatest);
		snprintf(bounds, sizeof bounds, ", \"min\": %s, \"max\": %s", least, greatest);
	}
	return add_accessor(b,
		"{\"bufferView\": %d, \"componentType\": %d, \"count\": %zu, \"type\": \"%s\"%s}",
		view, component, count, type, bounds);
}

/* The document; uri is the buffer's, NULL = none. */
static struct buffer write_document(
	const struct gltf_builder *b, const char *members, const char *uri) {
	struct buffer json = {0};
	append_text(&json, "{\"asset\": {\"version\": \"2.0\"}");
	if (b->bin.size > 0) {
		append_format(&json, ", \"buffers\": [{\"byteLength\": %zu", b->bin.size);
		append_text(&json, uri ? ", \"uri\": \"" : "");
		append_text(&json, uri ? uri : "");
		append_text(&json, uri ? "\"}" : "}");
		append_text(&json, b->more_buffers ? b->more_buffers : "");
		append_text(&json, "], \"bufferViews\": [");
		buffer_append(&json, b->views.data, b->views.size);
		append_text(&json, "]");
	}
	if (b->accessor_count > 0) {
		append_text(&json, ", \"accessors\": [");
		buffer_append(&json, b->accessors.data, b->accessors.size);
		append_text(&json, "]");
	}
	append_text(&json, members[0] ? ", " : "");
	append_text(&json, members);
	append_text(&json, "}");
	return json;
}

static void append_u32(struct buffer *buffer, uint32_t value) {
	buffer_append(buffer, &value, sizeof value);
}

unsigned char *build_glb(const struct gltf_builder *b, const char *members, size_t *size) {
	struct buffer json = write_document(b, members, NULL), bin = {0}, glb = {0};
	pad(&json, ' ');
	buffer_append(&bin, b->bin.data, b->bin.size);
	pad(&bin, '\0');
	const size_t bin_chunk = bin.size > 0 ? 8 + bin.size : 0;
	append_text(&glb, "glTF");
	append_u32(&glb, 2);
	append_u32(&glb, (uint32_t)(12 + 8 + json.size + bin_chunk));
	append_u32(&glb, (uint32_t)json.size);
	append_text(&glb, "JSON");
	buffer_append(&glb, json.data, json.size);
	if (bin_chunk > 0) {
		append_u32(&glb, (uint32_t)bin.size);
		buffer_append(&glb, "BIN", 4);
		buffer_append(&glb, bin.data, bin.size);
	}
	buffer_finish(&json);
	buffer_finish(&bin);
	return buffer_steal(&glb, size);
}

unsigned char *build_json(const struct gltf_builder *b, const char *members, size_t *size) {
	static const char head[] = "data:application/octet-stream;base64,";
	struct buffer uri = {0};
	append_text(&uri, head);
	char *text = (char *)buffer_reserve(&uri, BASE64_ENCODE_RAW_LENGTH(b->bin.size) + 1);
	base64_encode_raw(text, b->bin.size, b->bin.data);
	text[BASE64_ENCODE_RAW_LENGTH(b->bin.size)] = '\0';
	struct buffer json = write_document(b, members, (const char *)uri.data);
	buffer_finish(&uri);
	return buffer_steal(&json, size);
}

struct rig *import_built(struct gltf_builder *b, const char *members, struct error *err) {
	size_t size;
	unsigned char *glb = build_glb(b, members, &size);
	struct rig *rig = import_rig(glb, size, err);
	free(glb);
	gltf_builder_finish(b);
	return rig;
}

struct rig *import_built_lenient(struct gltf_builder *b, const char *members,
	struct asset_facts **facts, struct error *err) {
	size_t size;
	unsigned char *glb = build_glb(b, members, &size);
	struct rig *rig = import_rig_lenient(glb, size, facts, err);
	free(glb);
	gltf_builder_finish(b);
	return rig;
}

struct rig *import_text(const char *json, struct error *err) {
	return import_rig(json, strlen(json), err);
}

static void check_refusal(
	struct rig *rig, const struct error *err, enum error_code code, const char *text) {
	if (rig) {
		rig_release(rig);
		fail_msg("accepted what must be refused with \"%s\"", text);
	}
	if (err->code != code || !strstr(err->text, text)) {
		fail_msg("refused with %s: \"%s\", expected %s: \"%s\"", error_name(err->code),
			err->text, error_name(code), text);
	}
}

void expect_refusal(const char *json, enum error_code code, const char *text) {
	struct error err = {0};
	struct rig *rig = import_text(json, &err);
	check_refusal(rig, &err, code, text);
}

void expect_built_refusal(
	struct gltf_builder *b, const char *members, enum error_code code, const char *text) {
	struct error err = {0};
	struct rig *rig = import_built(b, members, &err);
	check_refusal(rig, &err, code, text);
}

int has_warning(const struct rig *rig, const char *text) {
	for (int i = 0; i < rig->warning_count; i++) {
		if (strstr(rig->warnings[i], text)) {
			return 1;
		}
	}
	return 0;
}

/* "nodes[0]: NODE_MATRIX_TRS: ..."; those of influences count vertices, as others do. */
static bool is_of_rule(const char *warning) {
	const char *code = strstr(warning, ": ");
	const size_t length = code ? strspn(code + 2, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") : 0;
	return length > 8 && strncmp(code + 2 + length, ": ", 2) == 0 &&
		strncmp(code + 4 + length, "W_", 2) != 0;
}

int count_warnings(const struct rig *rig) {
	int count = rig_empty_warning(rig) ? -1 : 0;
	for (int i = 0; i < rig->warning_count; i++) {
		count += !is_of_rule(rig->warnings[i]);
	}
	return count;
}

struct rig *import_sound(struct gltf_builder *b, const char *members) {
	struct error err = {0};
	struct rig *rig = import_built(b, members, &err);
	if (!rig) {
		fail_msg("%s", err.text);
	}
	return rig;
}

const float quad_positions[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};

struct gltf_builder quad(void) {
	struct gltf_builder b = {0};
	add_data(&b, "VEC3", F32, 4, quad_positions, sizeof quad_positions);
	return b;
}

void refuse_quad(const char *members, const char *text) {
	struct gltf_builder b = quad();
	expect_built_refusal(&b, members, ERROR_BROKEN_ASSET, text);
}
