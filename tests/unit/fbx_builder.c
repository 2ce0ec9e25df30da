// FBX files for tests.
#include "fbx_builder.h"

#include <inttypes.h>
#include <isa-l/igzip_lib.h>
#include <stdio.h>
#include <string.h>

#include "base/mat.h"
#include "check.h"
#include "import/import.h"

static bool is_ascii(const struct fbx_builder *b) {
	return b->spelling == FBX_ASCII;
}

static int record_width(const struct fbx_builder *b) {
	return b->spelling == FBX_BINARY_7500 ? 8 : 4;
}

static void append_number(struct fbx_builder *b, uint64_t value, int width) {
	for (int i = 0; i < width; i++) {
		const int place = b->spelling == FBX_BINARY_BIG_ENDIAN ? width - 1 - i : i;
		const unsigned char byte = (unsigned char)(value >> 8 * place);
		buffer_append(&b->out, &byte, 1);
	}
}

static void patch_number(struct fbx_builder *b, size_t at, uint64_t value, int width) {
	const size_t size = b->out.size;
	b->out.size = at;
	append_number(b, value, width);
	b->out.size = size;
}

static void print(struct buffer *out, const char *text) {
	buffer_append(out, text, strlen(text));
}

/* Ends the values of the record that is open, whose children follow. */
static void begin_children(struct fbx_builder *b) {
	const int at = b->depth - 1;
	if (b->depth == 0 || b->has_children[at]) {
		return;
	}
	b->has_children[at] = true;
	if (is_ascii(b)) {
		print(&b->out, " {\n");
		return;
	}
	const int width = record_width(b);
	patch_number(b, b->starts[at] + (size_t)width, b->counts[at], width);
	patch_number(b, b->starts[at] + 2 * (size_t)width, b->out.size - b->values_at[at], width);
}

void fbx_open(struct fbx_builder *b, const char *name) {
	begin_children(b);
	const int at = b->depth++;
	b->starts[at] = b->out.size;
	b->counts[at] = 0;
	b->has_children[at] = false;
	if (is_ascii(b)) {
		print(&b->out, name);
		print(&b->out, ":");
		return;
	}
	const unsigned char length = (unsigned char)strlen(name);
	for (int i = 0; i < 3; i++) {
		append_number(b, 0, record_width(b));
	}
	buffer_append(&b->out, &length, 1);
	print(&b->out, name);
	b->values_at[at] = b->out.size;
}

static void append_null_record(struct fbx_builder *b) {
	for (int i = 0; i < 3 * record_width(b) + 1; i++) {
		buffer_append(&b->out, "", 1);
	}
}

void fbx_close(struct fbx_builder *b) {
	const int at = b->depth - 1;
	const bool had_children = b->has_children[at];
	if (is_ascii(b)) {
		print(&b->out, had_children ? "}\n" : "\n");
		b->depth--;
		return;
	}
	begin_children(b);
	if (had_children) {
		append_null_record(b);
	}
	patch_number(b, b->starts[at], b->out.size, record_width(b));
	b->depth--;
}

/* Writes the comma, or the type, in front of a value. */
static void begin_value(struct fbx_builder *b, char code) {
	if (is_ascii(b)) {
		print(&b->out, b->counts[b->depth - 1] ? ", " : " ");
	} else {
		buffer_append(&b->out, &code, 1);
	}
	b->counts[b->depth - 1]++;
}

void fbx_put_integer(struct fbx_builder *b, int64_t value) {
	char text[32];
	begin_value(b, 'L');
	if (is_ascii(b)) {
		snprintf(text, sizeof text, "%" PRId64, value);
		print(&b->out, text);
	} else {
		append_number(b, (uint64_t)value, 8);
	}
}

void fbx_put_real(struct fbx_builder *b, double value) {
	char text[32];
	uint64_t bits;
	begin_value(b, 'D');
	if (is_ascii(b)) {
		snprintf(text, sizeof text, "%.17g", value);
		print(&b->out, text);
		return;
	}
	memcpy(&bits, &value, sizeof bits);
	append_number(b, bits, 8);
}

static void put_bytes(struct fbx_builder *b, const char *text, size_t size) {
	begin_value(b, 'S');
	if (is_ascii(b)) {
		print(&b->out, "\"");
		buffer_append(&b->out, text, size);
		print(&b->out, "\"");
		return;
	}
	append_number(b, size, 4);
	buffer_append(&b->out, text, size);
}

void fbx_put_text(struct fbx_builder *b, const char *text) {
	put_bytes(b, text, strlen(text));
}

/* Fills in the head of an array, whose bytes follow it, and deflates them. */
static void finish_array(struct fbx_builder *b, uint32_t count, size_t head) {
	if (b->spelling == FBX_BINARY_DEFLATED) {
		static unsigned char packed[1 << 16];
		struct isal_zstream stream = {0};
		isal_deflate_stateless_init(&stream);
		stream.gzip_flag = IGZIP_ZLIB;
		stream.end_of_stream = 1;
		stream.next_in = b->out.data + head;
		stream.avail_in = (uint32_t)(b->out.size - head);
		stream.next_out = packed;
		stream.avail_out = sizeof packed;
		assert_int_equal(isal_deflate_stateless(&stream), COMP_OK);
		b->out.size = head;
		buffer_append(&b->out, packed, stream.total_out);
	}
	patch_number(b, head - 12, count, 4);
	patch_number(b, head - 8, b->spelling == FBX_BINARY_DEFLATED, 4);
	patch_number(b, head - 4, b->out.size - head, 4);
}

/* An array of numbers given as their bits, and as texts. */
static void put_array(struct fbx_builder *b, const char *name, char code, int width,
	const uint64_t *bits, const char *texts, uint32_t count) {
	fbx_open(b, name);
	if (is_ascii(b)) {
		char head[48];
		snprintf(head, sizeof head, " *%" PRIu32 " {\na: ", count);
		print(&b->out, head);
		print(&b->out, texts);
		print(&b->out, "\n}");
	} else {
		begin_value(b, code);
		for (int i = 0; i < 3; i++) {
			append_number(b, 0, 4);
		}
		const size_t head = b->out.size;
		for (uint32_t i = 0; i < count; i++) {
			append_number(b, bits[i], width);
		}
		finish_array(b, count, head);
	}
	fbx_close(b);
}

#define ARRAY_MAX 512

void fbx_put_reals(struct fbx_builder *b, const char *name, const double *values, uint32_t count) {
	uint64_t bits[ARRAY_MAX];
	char texts[ARRAY_MAX * 32] = "";
	for (uint32_t i = 0; i < count; i++) {
		memcpy(&bits[i], &values[i], sizeof *bits);
		sprintf(texts + strlen(texts), "%s%.17g", i ? "," : "", values[i]);
	}
	put_array(b, name, 'd', 8, bits, texts, count);
}

void fbx_put_integers(
	struct fbx_builder *b, const char *name, const int64_t *values, uint32_t count) {
	uint64_t bits[ARRAY_MAX];
	char texts[ARRAY_MAX * 32] = "";
	for (uint32_t i = 0; i < count; i++) {
		bits[i] = (uint64_t)values[i];
		sprintf(texts + strlen(texts), "%s%" PRId64, i ? ",\n" : "", values[i]);
	}
	put_array(b, name, 'l', 8, bits, texts, count);
}

void fbx_put_bits(struct fbx_builder *b, const char *name, const uint32_t *values, uint32_t count) {
	uint64_t bits[ARRAY_MAX];
	char texts[ARRAY_MAX * 32] = "";
	for (uint32_t i = 0; i < count; i++) {
		bits[i] = values[i];
		sprintf(texts + strlen(texts), "%s%" PRIu32, i ? "," : "", values[i]);
	}
	put_array(b, name, 'f', 4, bits, texts, count);
}

/* --- Objects --- */

void fbx_object(
	struct fbx_builder *b, const char *type, int64_t id, const char *name, const char *kind) {
	char text[128];
	fbx_open(b, type);
	fbx_put_integer(b, id);
	if (is_ascii(b)) {
		snprintf(text, sizeof text, "%s::%s", type, name);
		fbx_put_text(b, text);
	} else {
		const int length = snprintf(text, sizeof text, "%s%c%c%s", name, 0, 1, type);
		put_bytes(b, text, (size_t)length);
	}
	fbx_put_text(b, kind);
}

void fbx_property(struct fbx_builder *b, const char *name, const double *values, int count) {
	fbx_open(b, "P");
	fbx_put_text(b, name);
	for (int i = 0; i < 3; i++) {
		fbx_put_text(b, i == 0 ? "Number" : "");
	}
	for (int i = 0; i < count; i++) {
		fbx_put_real(b, values[i]);
	}
	fbx_close(b);
}

void fbx_model(struct fbx_builder *b, int64_t id, const char *name, const char *kind,
	const struct fbx_property3 *properties) {
	fbx_object(b, "Model", id, name, kind);
	fbx_open(b, "Properties70");
	for (; properties && properties->name; properties++) {
		fbx_property(b, properties->name, properties->values, 3);
	}
	fbx_close(b);
	fbx_close(b);
}

void fbx_connect(struct fbx_builder *b, int64_t child, int64_t parent, const char *property) {
	buffer_append(&b->connections, &child, sizeof child);
	buffer_append(&b->connections, &parent, sizeof parent);
	buffer_append(&b->connections, &property, sizeof property);
}

/* --- The whole --- */

static void put_setting(struct fbx_builder *b, const char *name, double value) {
	fbx_property(b, name, &value, 1);
}

void fbx_begin(
	struct fbx_builder *b, int version, const int axes[3], const int signs[3], double cm) {
	static const char *const names[] = {"CoordAxis", "UpAxis", "FrontAxis"};
	if (!is_ascii(b)) {
		static const char magic[23] = "Kaydara FBX Binary  \0\x1a";
		buffer_append(&b->out, magic, sizeof magic);
		b->out.data[22] = b->spelling == FBX_BINARY_BIG_ENDIAN;
		append_number(b, b->spelling == FBX_BINARY_7500 ? 7500 : 7400, 4);
	}
	fbx_open(b, "FBXHeaderExtension");
	fbx_open(b, "FBXVersion");
	fbx_put_integer(b, version);
	fbx_close(b);
	fbx_close(b);
	fbx_open(b, "GlobalSettings");
	fbx_open(b, "Properties70");
	for (int i = 0; i < 3; i++) {
		char sign[32];
		snprintf(sign, sizeof sign, "%sSign", names[i]);
		put_setting(b, names[i], axes[i]);
		put_setting(b, sign, signs[i]);
	}
	put_setting(b, "UnitScaleFactor", cm);
	fbx_close(b);
	fbx_close(b);
	fbx_open(b, "Objects");
}

void fbx_finish(struct fbx_builder *b) {
	fbx_close(b);
	fbx_open(b, "Connections");
	const size_t row = 2 * sizeof(int64_t) + sizeof(char *);
	for (size_t at = 0; at < b->connections.size; at += row) {
		int64_t ids[2];
		const char *property;
		memcpy(ids, b->connections.data + at, sizeof ids);
		memcpy(&property, b->connections.data + at + sizeof ids, sizeof property);
		fbx_open(b, "C");
		fbx_put_text(b, property ? "OP" : "OO");
		fbx_put_integer(b, ids[0]);
		fbx_put_integer(b, ids[1]);
		if (property) {
			fbx_put_text(b, property);
		}
		fbx_close(b);
	}
	fbx_close(b);
	if (!is_ascii(b)) {
		append_null_record(b);
	}
	buffer_finish(&b->connections);
}

struct rig *fbx_build(struct fbx_builder *b) {
	struct error err = {0};
	fbx_finish(b);
	struct rig *rig = import_rig(b->out.data, b->out.size, &err);
	if (!rig) {
		fail_msg("%s", err.text);
	}
	buffer_finish(&b->out);
	return rig;
}

struct fbx_builder fbx_begin_metres(enum fbx_spelling spelling) {
	static const int y_up[3] = {0, 1, 2}, plus[3] = {1, 1, 1};
	struct fbx_builder b = {.spelling = spelling};
	fbx_begin(&b, 7400, y_up, plus, 100);
	return b;
}

void fbx_mesh(struct fbx_builder *b, int64_t id, const double *points, uint32_t count,
	const int64_t *corners, uint32_t corner_count) {
	fbx_object(b, "Geometry", id, "", "Mesh");
	fbx_put_reals(b, "Vertices", points, 3 * count);
	fbx_put_integers(b, "PolygonVertexIndex", corners, corner_count);
	fbx_close(b);
}

void fbx_expect_refusal(struct fbx_builder *b, enum error_code code, const char *words) {
	struct error err = {0};
	fbx_finish(b);
	assert_null(import_rig(b->out.data, b->out.size, &err));
	assert_int_equal(err.code, code);
	if (!strstr(err.text, words)) {
		fail_msg("\"%s\" does not say \"%s\"", err.text, words);
	}
	buffer_finish(&b->out);
}

void fbx_rest_world(const struct rig *rig, int joint, double out[12]) {
	const struct transform *rest = &rig->joints[joint].rest;
	double above[12];
	mat_from_transform(rest->translation, rest->rotation, rest->scale, out);
	if (rig->joints[joint].parent >= 0) {
		fbx_rest_world(rig, rig->joints[joint].parent, above);
		mat_multiply(above, out, out);
	}
}
