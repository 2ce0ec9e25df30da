// The served shader texts in other authors' programs: all compile with a main() behind them,
// and the compute shaders, run with the numbers that are served for them, skin as the daemon does.
#include <epoxy/gl.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/check.h"
#include "../unit/json_value.h"
#include "../unit/rigs.h"
#include "../unit/skinned.h"
#include "../unit/tube23.h"
#include "base/arena.h"
#include "base/memory.h"
#include "context.h"
#include "interface/shader_texts.h"

static const char bent[] = "{'set': 'rest', 'joints': {'3': {'rotation': [0.3, 0.1, 0, 0.95]}, "
			   "'9': {'rotation': [0, 0.4, 0.1, 0.9], 'scale': [1.1, 0.9, 1]}}}";

/* A main() that calls one of the functions, as its form wants. */
static void write_main(enum shader_version version, const char *function, char *out, size_t size) {
	const bool surface = strstr(function, "_surface") != NULL;
	if (version == SHADER_ES_300) {
		snprintf(out, size,
			"in vec3 position;\nvoid main() {\n"
			"\trest_vertex = surface(position, vec3(0.0, 1.0, 0.0), vec3(0.0));\n"
			"\tgl_Position = vec4(%s(uint(gl_VertexID)).position, 1.0);\n}\n",
			function);
	} else {
		snprintf(out, size,
			"void main() {\n\tif (gl_GlobalInvocationID.x < span.y) {\n"
			"\t\tuint i = span.x + gl_GlobalInvocationID.x;\n\t\t%s%s(i)%s;\n\t}\n}\n",
			surface ? "write_surface(i, " : "", function, surface ? ")" : "");
	}
}

static GLuint compile(GLenum type, const char *text, const char *what) {
	const GLuint shader = glCreateShader(type);
	GLint ok;
	char words[600] = "";
	glShaderSource(shader, 1, &text, NULL);
	glCompileShader(shader);
	glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
	glGetShaderInfoLog(shader, sizeof words, NULL, words);
	if (!ok) {
		fail_msg("%s: %s", what, words);
	}
	return shader;
}

/* The program of a function, with the constants of the text or these. */
static GLuint make_program(const char *method, enum shader_version version, const char *function,
	const char *constants) {
	struct buffer text = {0};
	struct error err = {0};
	char own_main[600];
	if (!renderer_shader_text(method, version, &text, &err)) {
		fail_msg("%s: %s", method, err.text);
	}
	write_main(version, function, own_main, sizeof own_main);
	buffer_append(&text, own_main, strlen(own_main) + 1);
	char *found = strstr((char *)text.data, "const uint normals_by");
	assert_non_null(found);
	if (constants) {
		// As long as the text's, or shorter: numbers of one digit, true or false.
		const size_t length = strlen(constants);
		char *end = strchr(strstr(found, "option7"), '\n') + 1;
		assert_true(length <= (size_t)(end - found) + 1);
		char *whole = xcalloc(text.size + 16, 1);
		const size_t head = (size_t)(found - (char *)text.data);
		memcpy(whole, text.data, head);
		memcpy(whole + head, constants, length);
		strcpy(whole + head + length, end);
		free(text.data);
		text.data = (unsigned char *)whole;
	}
	const GLuint program = glCreateProgram();
	const bool vertex = version == SHADER_ES_300;
	glAttachShader(program,
		compile(vertex ? GL_VERTEX_SHADER : GL_COMPUTE_SHADER, (char *)text.data, method));
	if (vertex) {
		static const char fragment[] = "#version 300 es\nvoid main() {}\n";
		glAttachShader(program, compile(GL_FRAGMENT_SHADER, fragment, method));
	}
	glLinkProgram(program);
	GLint linked;
	glGetProgramiv(program, GL_LINK_STATUS, &linked);
	assert_true(linked);
	buffer_finish(&text);
	return program;
}

static void every_text_compiles_with_a_main_of_ones_own(void **state) {
	(void)state;
	struct renderer_shader shader;
	int texts = 0;
	for (size_t i = 0; renderer_shader(i, &shader); i++) {
		for (int version = 0; version < SHADER_VERSION_COUNT; version++) {
			for (size_t k = 0; shader.versions[version] && k < shader.stage_count;
				k++) {
				glDeleteProgram(make_program(shader.method,
					(enum shader_version)version, shader.functions[k], NULL));
				texts++;
			}
		}
	}
	assert_true(texts > 50);
}

/* --- Running them --- */

/* Bindings, as the texts of ES 3.1 have them. */
enum { VERTICES, INFLUENCES, PALETTE, SKINNED, DATA, GRADIENTS, SCRATCH, BINDINGS };

struct run {
	GLuint buffers[BINDINGS];
	float *out;
};

static void fill(GLuint buffer, const void *words, size_t count) {
	glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
	glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)(count > 0 ? count * 4 : 16),
		count > 0 ? words : NULL, GL_DYNAMIC_COPY);
}

static void fill_numbers(GLuint buffer, const struct shader_numbers *numbers) {
	fill(buffer, numbers->floats ? (const void *)numbers->floats : numbers->words,
		numbers->count);
}

static void set_uniform(GLuint program, const struct shader_uniform *uniform) {
	const GLint at = glGetUniformLocation(program, uniform->name);
	if (uniform->floats) {
		glUniform4fv(at, (GLsizei)uniform->count / 4, uniform->floats);
	} else if (uniform->count == 1) {
		glUniform1ui(at, *uniform->words);
	} else if (uniform->count == 2) {
		glUniform2uiv(at, 1, uniform->words);
	} else {
		glUniform4uiv(at, (GLsizei)uniform->count / 4, uniform->words);
	}
}

static void dispatch(GLuint program, const struct shader_span *span) {
	glUniform4uiv(glGetUniformLocation(program, "span"), 1, span->span);
	glUniform2uiv(glGetUniformLocation(program, "influence_start"), 1, span->influence_start);
	glDispatchCompute((span->span[1] + 127) / 128, 1, 1);
	glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
}

static void run_stage(
	struct run *run, const struct shader_inputs *inputs, const struct shader_stage *stage) {
	const struct shader_span all = {.span = {0, (uint32_t)inputs->vertex_count, 0, 0}};
	const GLuint program =
		make_program(stage->method, SHADER_ES_310, stage->function, stage->constants);
	fill_numbers(run->buffers[PALETTE], &stage->buffers[0]);
	fill_numbers(run->buffers[DATA], &stage->buffers[1]);
	fill_numbers(run->buffers[GRADIENTS], &stage->buffers[2]);
	for (GLuint i = 0; i < BINDINGS; i++) {
		glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, run->buffers[i]);
	}
	glUseProgram(program);
	for (int i = 0; i < SHADER_UNIFORMS; i++) {
		set_uniform(program, &stage->uniforms[i]);
	}
	for (size_t i = 0; i < (stage->by_span ? inputs->span_count : 1); i++) {
		dispatch(program, stage->by_span ? &inputs->spans[i] : &all);
	}
	glUseProgram(0);
	glDeleteProgram(program);
}

/* Runs all stages and reads positions and normals back. */
static bool take(void *context, const struct shader_inputs *inputs, struct error *err) {
	struct run *run = context;
	(void)err;
	glGenBuffers(BINDINGS, run->buffers);
	fill_numbers(run->buffers[VERTICES], &inputs->vertices);
	fill_numbers(run->buffers[INFLUENCES], &inputs->influences);
	fill(run->buffers[SKINNED], inputs->vertices.floats, inputs->vertices.count);
	fill(run->buffers[SCRATCH], NULL, 0);
	if (inputs->scratch_floats > 0) {
		glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)(inputs->scratch_floats * 4),
			NULL, GL_DYNAMIC_COPY);
	}
	for (size_t i = 0; i < inputs->stage_count; i++) {
		run_stage(run, inputs, &inputs->stages[i]);
	}
	const size_t floats = (size_t)inputs->vertex_count * 6;
	run->out = xcalloc(floats, sizeof *run->out);
	glBindBuffer(GL_SHADER_STORAGE_BUFFER, run->buffers[SKINNED]);
	const void *mapped = glMapBufferRange(
		GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)(floats * sizeof(float)), GL_MAP_READ_BIT);
	assert_non_null(mapped);
	memcpy(run->out, mapped, floats * sizeof(float));
	glUnmapBuffer(GL_SHADER_STORAGE_BUFFER);
	glDeleteBuffers(BINDINGS, run->buffers);
	return true;
}

static void assert_skins(const struct rig *rig, const char *id, const struct value *pose) {
	static const enum attribute_bits order[] = {ATTRIBUTE_POSITION, ATTRIBUTE_NORMAL};
	const struct value method = {.kind = VALUE_STRING, .string = id};
	const struct skinning_settings settings = {.method = &method, .device = DEVICE_CPU};
	const struct posed_subject subject = {.rig = rig, .pose = pose, .skinning = settings};
	struct error err = {0};
	struct skinning_report report;
	struct run run = {.out = NULL};
	int count = 0;
	if (!renderer_vertex_count(gpu_test_renderer(), rig, &settings, NULL, &count, &err) ||
		!renderer_shader_inputs(gpu_test_renderer(), &subject, take, &run, &err)) {
		fail_msg("%s: %s", id, err.text);
	}
	const struct vertices_job job = {
		.subject = subject,
		.order = order,
		.count = 2,
		.vertices = count,
	};
	float *want = xcalloc((size_t)count * 6, sizeof *want);
	if (!renderer_vertices(gpu_test_renderer(), &job, want, &report, &err)) {
		fail_msg("%s: %s", id, err.text);
	}
	for (size_t i = 0; i < (size_t)count * 3; i++) {
		if (fabs((double)run.out[i] - (double)want[i]) > 1e-5) {
			fail_msg("%s: %zu is at %g, wants %g", id, i, (double)run.out[i],
				(double)want[i]);
		}
	}
	for (size_t v = (size_t)count; v < (size_t)count * 2; v++) {
		const float *a = want + v * 3, *b = run.out + v * 3;
		const double cosine = (double)a[0] * (double)b[0] + (double)a[1] * (double)b[1] +
			(double)a[2] * (double)b[2];
		if (!(cosine > 1 - 1.5e-6)) {
			fail_msg("%s: normal %zu is off", id, v - (size_t)count);
		}
	}
	free(want);
	free(run.out);
}

static void compute_shaders_skin_as_the_daemon_does(void **state) {
	(void)state;
	struct rig *rig = rig_tube23();
	struct arena *arena = arena_create();
	const struct value *pose = json_value(arena, bent);
	struct renderer_method method;
	int run = 0;
	for (size_t i = 0; renderer_method(i, &method); i++) {
		if (method.on_gpu && !method.needs_examples && !method.needs_clip &&
			!method.is_expensive) {
			assert_skins(rig, method.id, pose);
			run++;
		}
	}
	assert_true(run > 10);
	arena_destroy(arena);
	rig_release(rig);
}

int main(void) {
	gpu_test_renderer();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_text_compiles_with_a_main_of_ones_own),
		cmocka_unit_test(compute_shaders_skin_as_the_daemon_does),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	gpu_test_finish();
	return failed;
}
