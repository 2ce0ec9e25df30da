// Shader programs from embedded texts.
#include "gl/program.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "draw/shader_source.h"

static GLenum stage_of(const char *name) {
	const char *ending = strrchr(name, '.');
	if (strcmp(ending, ".comp") == 0) {
		return GL_COMPUTE_SHADER;
	}
	return strcmp(ending, ".vert") == 0 ? GL_VERTEX_SHADER : GL_FRAGMENT_SHADER;
}

static GLuint compile(const char *name, const char *constants, struct error *err) {
	struct source source = {0};
	source_begin(&source);
	buffer_append(&source.text, constants, constants ? strlen(constants) : 0);
	if (!source_append(&source, name, err)) {
		buffer_finish(&source.text);
		return 0;
	}
	const GLchar *text = (const GLchar *)source.text.data;
	const GLint length = (GLint)source.text.size;
	const GLuint shader = glCreateShader(stage_of(name));
	glShaderSource(shader, 1, &text, &length);
	glCompileShader(shader);
	buffer_finish(&source.text);
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
	bool ok = true;
	for (size_t i = 0; ok && i < count; i++) {
		const GLuint shader = compile(names[i], constants, err);
		ok = shader != 0;
		if (ok) {
			glAttachShader(program, shader);
			glDeleteShader(shader); // lives on as long as the program needs it
		}
	}
	if (!ok || !link_program(program, names[0], err)) {
		glDeleteProgram(program);
		return 0;
	}
	return program;
}
