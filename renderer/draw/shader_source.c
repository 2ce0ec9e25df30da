// The texts of shaders, with their includes.
#include "draw/shader_source.h"

#include <stdio.h>
#include <string.h>

/* Includes within includes. */
#define DEPTH_MAX 5

static const char include[] = "#include \"";
static const char main_function[] = "void main() {";

static bool starts_with(const char *text, const char *start) {
	return strncmp(text, start, strlen(start)) == 0;
}

static const struct embedded_text *find_file(const char *name, size_t length) {
	for (const struct embedded_text *row = shader_texts; row->name; row++) {
		if (strlen(row->name) == length && memcmp(row->name, name, length) == 0) {
			return row;
		}
	}
	return NULL;
}

static bool is_in(const struct source *source, const char *name) {
	for (int i = 0; i < source->seen_count; i++) {
		if (strcmp(source->seen[i], name) == 0) {
			return true;
		}
	}
	return false;
}

static void append_line_number(struct source *source, int line, int piece) {
	char directive[64];
	const int length = snprintf(directive, sizeof directive, "#line %d %d\n", line, piece);
	if (!source->functions_only) {
		buffer_append(&source->text, directive, (size_t)length);
	}
}

static bool append_file(
	struct source *source, const char *name, size_t length, int depth, struct error *err) {
	const struct embedded_text *file = find_file(name, length);
	if (!file || depth == DEPTH_MAX || source->seen_count == SOURCE_FILES_MAX) {
		return error_set(err, ERROR_INTERNAL, "no shader text \"%.*s\"", (int)length, name);
	}
	if (is_in(source, file->name)) {
		return true;
	}
	source->seen[source->seen_count++] = file->name;
	const int piece = source->seen_count;
	append_line_number(source, 1, piece);
	const char *text = file->text;
	for (int line = 1; *text; line++) {
		const char *end = strchr(text, '\n');
		const size_t size = end ? (size_t)(end - text) + 1 : strlen(text);
		if (source->functions_only && starts_with(text, main_function)) {
			return true;
		}
		if (starts_with(text, include)) {
			const char *inner = text + sizeof include - 1;
			if (starts_with(inner, "interface.glsl\"")) {
				inner = source->interface ? source->interface : SOURCE_STORAGE;
			}
			if (!append_file(source, inner, strcspn(inner, "\"\n"), depth + 1, err)) {
				return false;
			}
			append_line_number(source, line + 1, piece);
		} else {
			buffer_append(&source->text, text, size);
		}
		text += size;
	}
	return true;
}

void source_begin(struct source *source) {
	const bool textures = source->interface && strcmp(source->interface, SOURCE_TEXTURES) == 0;
	char text[80];
	const int length = snprintf(text, sizeof text,
		"#version %s es\nprecision highp float;\nprecision highp int;\n",
		textures ? "300" : "310");
	buffer_append(&source->text, text, (size_t)length);
}

bool source_append(struct source *source, const char *name, struct error *err) {
	return append_file(source, name, strlen(name), 0, err);
}
