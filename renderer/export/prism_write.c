// A rig's joints -> Prism's text files: PIS, the skeleton at rest, and PIA, an animation of it.
// Source: the files of SCS Blender Tools (data/sample_base), and what its readers take. Those go by
// lines, so a matrix and a bone have lines as there. Numbers in streams are float32 in hexadecimal.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/mat.h"
#include "export/motion.h"

#define PIS_VERSION 1
#define PIA_VERSION 3

/* "&3f800000  ", with which every number of a matrix is written. */
#define NUMBER_BYTES ((size_t)11)

/* Of a matrix with its index, brackets and indents, or a step of time. */
#define MATRIX_BYTES (16 * NUMBER_BYTES + 160)
#define STEP_BYTES ((size_t)64)

__attribute__((format(printf, 2, 3))) static void print(
	struct buffer *out, const char *format, ...) {
	va_list arguments;
	char *room = (char *)buffer_reserve(out, 1024);
	va_start(arguments, format);
	const int length = vsnprintf(room, 1024, format, arguments);
	va_end(arguments);
	out->size += length > 0 && length < 1024 ? (size_t)length : 0;
}

/* `Key: "text"`. The grammar has no escapes: what would end the string or the line is left out. */
static void print_string(
	struct buffer *out, const char *key, const char *text, const char *ending) {
	print(out, "%s: \"", key);
	for (; *text; text++) {
		if (*text != '"' && (unsigned char)*text >= ' ') {
			buffer_append(out, text, 1);
		}
	}
	print(out, "%s\"\n", ending);
}

static void print_header(
	struct buffer *out, const struct motion *motion, int version, const char *type) {
	const char *name = strcmp(type, "Skeleton") == 0 ? motion->rig_name : motion->name;
	print(out, "Header {\n    FormatVersion: %d\n", version);
	print_string(out, "    Source", motion->generator, "");
	print_string(out, "    Type", type, "");
	print_string(out, "    Name", name, "");
	print(out, "}\n");
}

/* Joints are told by their names, so none may be changed. */
static bool check_names(const struct rig *rig, struct error *err) {
	for (int i = 0; i < rig->joint_count; i++) {
		const char *name = rig->joints[i].name;
		char quoted[UTF8_QUOTED_BYTES];
		for (const char *c = name; *c; c++) {
			if (*c == '"' || (unsigned char)*c < ' ') {
				utf8_quote(name, quoted, sizeof quoted);
				return error_set(err, ERROR_INVALID_VALUE,
					"joint %s has a quotation mark or a control character in "
					"its name, which Prism's files cannot write",
					quoted);
			}
		}
	}
	return true;
}

static bool refuse_number(const struct rig *rig, int joint, struct error *err) {
	char quoted[UTF8_QUOTED_BYTES];
	utf8_quote(rig->joints[joint].name, quoted, sizeof quoted);
	return error_set(err, ERROR_INVALID_VALUE,
		"joint %s has a matrix beyond what float32 holds", quoted);
}

static char *put_number(char *at, float x) {
	uint32_t bits;
	memcpy(&bits, &x, sizeof bits);
	*at++ = '&';
	for (int shift = 28; shift >= 0; shift -= 4) {
		*at++ = "0123456789abcdef"[bits >> shift & 15];
	}
	*at++ = ' ';
	*at++ = ' ';
	return at;
}

/* Four rows, the first behind what is on the line, of the transposed matrix: the numbers are those
 * of GL's columns in their order. False where one is not finite. */
static bool put_matrix(struct buffer *out, const double m[static 12], int indent) {
	float columns[16];
	mat_to_columns(m, columns);
	char *const start = (char *)buffer_reserve(out, MATRIX_BYTES), *at = start;
	memcpy(at, "( ", 2);
	at += 2;
	for (int i = 0; i < 16; i++) {
		if (!isfinite(columns[i])) {
			return false;
		}
		if (i > 0 && i % 4 == 0) {
			*at++ = '\n';
			memset(at, ' ', (size_t)indent);
			at += indent;
		}
		at = put_number(at, columns[i]);
	}
	memcpy(at, ")\n", 2);
	out->size += (size_t)(at + 2 - start);
	return true;
}

/* --- PIS --- */

static bool put_bone(struct buffer *out, const struct rig *rig, int i, const double (*world)[12]) {
	const int parent = rig->joints[i].parent;
	print(out, "    %-5d ( ", i);
	print_string(out, "Name", rig->joints[i].name, "");
	print(out, "            ");
	print_string(out, "Parent", parent < 0 ? "" : rig->joints[parent].name, "");
	print(out, "            Matrix: ");
	const bool fits = put_matrix(out, world[i], 22);
	print(out, "       )\n");
	return fits;
}

static bool write_pis(const struct motion *motion, struct buffer *out, struct error *err) {
	const struct rig *rig = motion->rig;
	struct arena *arena = arena_create();
	double(*world)[12] = arena_alloc(arena, (size_t)rig->joint_count, sizeof *world);
	bool ok = check_names(rig, err);
	print_header(out, motion, PIS_VERSION, "Skeleton");
	print(out, "Global {\n    BoneCount: %d\n}\nBones {\n", rig->joint_count);
	for (int i = 0; ok && i < rig->joint_count; i++) {
		const struct joint *joint = &rig->joints[i];
		mat_from_transform(
			joint->rest.translation, joint->rest.rotation, joint->rest.scale, world[i]);
		if (joint->parent >= 0) {
			mat_multiply(world[joint->parent], world[i], world[i]);
		}
		ok = put_bone(out, rig, i, world) || refuse_number(rig, i, err);
	}
	print(out, "}\n");
	arena_destroy(arena);
	return ok;
}

/* --- PIA --- */

static size_t frame_bytes(int joint_count) {
	return (size_t)joint_count * 16 * NUMBER_BYTES;
}

/* Steps from key to key, not times; the last one leads nowhere. */
static void put_times(struct buffer *out, const struct motion *motion) {
	const float step = (float)(1 / motion->rate);
	print(out, "    Stream {\n        Format: FLOAT\n        Tag: \"_TIME\"\n");
	for (size_t i = 0; i < motion->frame_count; i++) {
		print(out, "        %-5zu ( ", i);
		char *at = (char *)buffer_reserve(out, STEP_BYTES);
		out->size += (size_t)(put_number(at, step) - at);
		print(out, ")\n");
	}
	print(out, "    }\n");
}

/* A joint relative to its parent, or a root in the model. */
static bool put_matrices(struct buffer *out, const struct motion *motion, int joint) {
	print(out, "    Stream {\n        Format: FLOAT4x4\n        Tag: \"_MATRIX\"\n");
	for (size_t i = 0; i < motion->frame_count; i++) {
		const struct transform *local =
			&motion->local[i * (size_t)motion->rig->joint_count + (size_t)joint];
		double m[12];
		mat_from_transform(local->translation, local->rotation, local->scale, m);
		print(out, "        %-5zu ", i);
		if (!put_matrix(out, m, 16)) {
			return false;
		}
	}
	print(out, "    }\n");
	return true;
}

static bool put_channel(struct buffer *out, const struct motion *motion, int joint) {
	print(out, "BoneChannel {\n");
	print_string(out, "    Name", motion->rig->joints[joint].name, "");
	print(out, "    StreamCount: 2\n    KeyframeCount: %zu\n", motion->frame_count);
	put_times(out, motion);
	const bool fits = put_matrices(out, motion, joint);
	print(out, "}\n");
	return fits;
}

/* Displacements from key to key; what rounds one of them off is in the next. */
static void put_movement(struct buffer *out, const struct motion *motion) {
	double sum[3] = {0};
	print(out, "CustomChannel {\n    Name: \"Prism Movement\"\n    StreamCount: 2\n");
	print(out, "    KeyframeCount: %zu\n", motion->frame_count);
	put_times(out, motion);
	print(out, "    Stream {\n        Format: FLOAT3\n        Tag: \"_MOVEMENT\"\n");
	for (size_t i = 0; i < motion->frame_count; i++) {
		print(out, "        %-5zu ( ", i);
		char *const start = (char *)buffer_reserve(out, STEP_BYTES), *at = start;
		for (int k = 0; k < 3; k++) {
			const float step = (float)(motion->movement[i][k] - sum[k]);
			sum[k] += (double)step;
			at = put_number(at, step);
		}
		out->size += (size_t)(at - start);
		print(out, ")\n");
	}
	print(out, "    }\n}\n");
}

static bool check_movement(const struct motion *motion, struct error *err) {
	bool fits = true;
	for (size_t i = 0; motion->movement && i < motion->frame_count; i++) {
		for (int k = 0; k < 3; k++) {
			fits = fits && isfinite((float)motion->movement[i][k]);
		}
	}
	return fits ||
		error_set(err, ERROR_INVALID_VALUE,
			"the root motion leads beyond what float32 holds");
}

static bool write_pia(const struct motion *motion, struct buffer *out, struct error *err) {
	const struct rig *rig = motion->rig;
	if (!check_names(rig, err) || !check_movement(motion, err)) {
		return false;
	}
	print_header(out, motion, PIA_VERSION, "Animation");
	print(out, "Global {\n");
	print_string(out, "    Skeleton", motion->rig_name, ".pis");
	print(out, "    TotalTime: %.9g\n    BoneChannelCount: %d\n    CustomChannelCount: %d\n}\n",
		motion->duration_s, rig->joint_count, motion->movement ? 1 : 0);
	for (int i = 0; i < rig->joint_count; i++) {
		if (!put_channel(out, motion, i)) {
			return refuse_number(rig, i, err);
		}
	}
	if (motion->movement) {
		put_movement(out, motion);
	}
	return true;
}

const struct motion_format motion_pia = {
	.media_type = "text/plain; charset=utf-8",
	.moves = true,
	.frame_bytes = frame_bytes,
	.write = write_pia,
};

const struct motion_format motion_pis = {
	.media_type = "text/plain; charset=utf-8",
	.still = true,
	.write = write_pis,
};
