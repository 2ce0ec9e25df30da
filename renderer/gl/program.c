// Shader programs from embedded texts.
#include "gl/program.h"

#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/log.h"
#include "gl/shaders.h"

static const char prelude[] = "#version 310 es\n"
			      "precision highp float;\n"
			      "precision highp int;\n";

static const char *find_text(const char *name, size_t length) {
	for (const struct embedded_text *row = shader_texts; row->name; row++) {
		if (strlen(row->name) == length && memcmp(row->name, name, length) == 0) {
			return row->text;
		}
	}
	return NULL;
}

static void append_text(struct buffer *out, const char *text) {
	buffer_append(out, text, strlen(text));
}

/* Appends a file with its includes. Each piece is numbered in *piece, as the driver's messages
 * then show it ("2:14" is line 14 of the second piece). */
static bool expand(const char *name, size_t length, int depth, int *piece, struct buffer *out,
	struct error *err) {
	const char *text = find_text(name, length);
	if (!text || depth > 4) {
		return error_set(err, ERROR_INTERNAL, "no shader text \"%.*s\"", (int)length, name);
	}
	static const char include[] = "#include \"";
	const int own_piece = (*piece)++;
	char directive[64];
	snprintf(directive, sizeof directive, "#line 1 %d\n", own_piece);
	append_text(out, directive);
	for (int line = 1; *text; line++) {
		const char *end = strchr(text, '\n');
		const size_t size = end ? (size_t)(end - text) + 1 : strlen(text);
		if (strncmp(text, include, sizeof include - 1) == 0) {
			const char *file = text + sizeof include - 1;
			if (!expand(file, strcspn(file, "\"\n"), depth + 1, piece, out, err)) {
				return false;
			}
			snprintf(directive, sizeof directive, "#line %d %d\n", line + 1, own_piece);
			append_text(out, directive);
		} else {
			buffer_append(out, text, size);
		}
		text += size;
	}
	return true;
}

static GLenum stage_of(const char *name) {
	const char *ending = strrchr(name, '.');
	if (strcmp(ending, ".comp") == 0) {
		return GL_COMPUTE_SHADER;
	}
	return strcmp(ending, ".vert") == 0 ? GL_VERTEX_SHADER : GL_FRAGMENT_SHADER;
}

static GLuint compile(const char *name, const char *constants, struct error *err) {
	struct buffer source = {0};
	int piece = 1;
	append_text(&source, prelude);
	append_text(&source, constants ? constants : "");
	if (!expand(name, strlen(name), 0, &piece, &source, err)) {
		buffer_finish(&source);
		return 0;
	}
	const GLchar *text = (const GLchar *)source.data;
	const GLint length = (GLint)source.size;
	const GLuint shader = glCreateShader(stage_of(name));
	glShaderSource(shader, 1, &text, &length);
	glCompileShader(shader);
	buffer_finish(&source);
	GLint compiled = GL_FALSE;
	glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
	if (!compiled) {
		char words[600] = "";
		glGetShaderInfoLog(shader, sizeof words, NULL, words);
		log_line(LOG_ERROR, "shader %s: %s", name, words);
		error_set(err, ERROR_INTERNAL, "shader %s does not compile: %s", name, words);
		glDeleteShader(shader);
		return 0;
	}
	return shader;
}

static bool link_program(GLuint program, const char *name, struct error *err) {
	glLinkProgram(program);
	GLint linked = GL_FALSE;
	glGetProgramiv(program, GL_LINK_STATUS, &linked);
	if (linked) {
		return true;
	}
	char words[600] = "";
	glGetProgramInfoLog(program, sizeof words, NULL, words);
	log_line(LOG_ERROR, "program of %s: %s", name, words);
	return error_set(err, ERROR_INTERNAL, "program of %s does not link: %s", name, words);
}

GLuint program_create(
	const char *const *names, size_t count, const char *constants, struct error *err) {
	const GLuint program = glCreateProgram();
	bool fine = true;
	for (size_t i = 0; fine && i < count; i++) {
		const GLuint shader = compile(names[i], constants, err);
		fine = shader != 0;
		if (fine) {
			glAttachShader(program, shader);
			glDeleteShader(shader); // lives on as long as the program needs it
		}
	}
	if (!fine || !link_program(program, names[0], err)) {
		glDeleteProgram(program);
		return 0;
	}
	return program;
}
