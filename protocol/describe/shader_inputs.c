// Skinning shaders and what they take, as JSON.
#include "describe/describe.h"

#include "bake.h"
#include "base/json_write.h"
#include "packing.h"
#include "shader_request.h"

/* Bytes of a number with its comma: a float32's are the longest. */
#define NUMBER_BYTES 17

/* Bytes of a stage's constants and uniforms, and of a span. */
#define STAGE_BYTES 2048
#define SPAN_BYTES 160

static void write_words(struct json_writer *json, const uint32_t *words, size_t count) {
	json_write_begin_list(json);
	for (size_t i = 0; i < count; i++) {
		json_write_integer(json, words[i]);
	}
	json_write_end_list(json);
}

static void write_numbers(struct json_writer *json, const struct shader_numbers *numbers) {
	json_write_key(json, numbers->name);
	if (numbers->floats) {
		json_write_floats(json, numbers->floats, numbers->count);
	} else {
		write_words(json, numbers->words, numbers->count);
	}
}

static void write_uniform(struct json_writer *json, const struct shader_uniform *uniform) {
	json_write_key(json, uniform->name);
	if (uniform->floats) {
		json_write_floats(json, uniform->floats, uniform->count);
	} else if (uniform->count == 1) {
		json_write_integer(json, *uniform->words);
	} else {
		write_words(json, uniform->words, uniform->count);
	}
}

/* Writes those of [count] buffers whose bits are set: the first has the bit first. */
static void write_buffers(struct json_writer *json, const struct shader_numbers *numbers,
	size_t count, unsigned bits, unsigned first) {
	json_write_key(json, "buffers");
	json_write_begin_object(json);
	for (size_t i = 0; i < count; i++) {
		if ((bits & first << i) != 0 && numbers[i].count > 0) {
			write_numbers(json, &numbers[i]);
		}
	}
	json_write_end_object(json);
}

static void write_stage(
	struct json_writer *json, const struct shader_stage *stage, unsigned buffers) {
	json_write_begin_object(json);
	json_write_member_string(json, "method", stage->method);
	json_write_member_string(json, "function", stage->function);
	json_write_member_bool(json, "by_span", stage->by_span);
	json_write_member_string(json, "constants", stage->constants);
	json_write_key(json, "uniforms");
	json_write_begin_object(json);
	for (size_t i = 0; i < SHADER_UNIFORMS; i++) {
		write_uniform(json, &stage->uniforms[i]);
	}
	json_write_end_object(json);
	write_buffers(json, stage->buffers, SHADER_STAGE_BUFFERS, buffers, SHADER_BUFFER_PALETTE);
	json_write_end_object(json);
}

static void write_span(struct json_writer *json, const struct shader_span *span) {
	json_write_begin_object(json);
	json_write_key(json, "span");
	write_words(json, span->span, 4);
	json_write_key(json, "influence_start");
	write_words(json, span->influence_start, 2);
	json_write_end_object(json);
}

static void write_inputs(
	struct json_writer *json, const struct shader_inputs *inputs, unsigned buffers) {
	const struct shader_numbers own[] = {inputs->vertices, inputs->influences};
	json_write_begin_object(json);
	json_write_member_string(json, "method", inputs->method);
	json_write_member_integer(json, "vertices", inputs->vertex_count);
	json_write_member_bool(json, "tangents", inputs->has_tangents);
	json_write_member_integer(json, "scratch", (int64_t)inputs->scratch_floats);
	json_write_key(json, "spans");
	json_write_begin_list(json);
	for (size_t i = 0; i < inputs->span_count; i++) {
		write_span(json, &inputs->spans[i]);
	}
	json_write_end_list(json);
	write_buffers(json, own, 2, buffers, SHADER_BUFFER_VERTICES);
	json_write_key(json, "stages");
	json_write_begin_list(json);
	for (size_t i = 0; i < inputs->stage_count; i++) {
		write_stage(json, &inputs->stages[i], buffers);
	}
	json_write_end_list(json);
	json_write_end_object(json);
}

void describe_shader_inputs(
	const struct shader_inputs *inputs, unsigned buffers, struct buffer *out) {
	struct json_writer json = {.out = out};
	write_inputs(&json, inputs, buffers);
}

/* --- In bake.json --- */

static void write_palettes(struct json_writer *json, const struct shader_inputs *inputs) {
	json_write_key(json, "palettes");
	json_write_begin_object(json);
	json_write_member_string(json, "file", "palettes.bin");
	json_write_key(json, "floats");
	json_write_begin_list(json);
	for (size_t i = 0; i < inputs->stage_count; i++) {
		json_write_integer(json, (int64_t)inputs->stages[i].buffers[0].count);
	}
	json_write_end_list(json);
	json_write_end_object(json);
	json_write_key(json, "shader");
	write_inputs(json, inputs, 0);
}

static void write_packed(struct json_writer *json, const struct baked_playback *playback) {
	char layout[160];
	packing_layout(
		&playback->packing, packer_stride(&playback->packing), layout, sizeof layout);
	json_write_key(json, "packed");
	json_write_begin_object(json);
	json_write_member_string(json, "file", "vertices.bin");
	json_write_member_string(json, "layout", layout);
	json_write_key(json, "bounds");
	json_write_begin_list(json);
	for (size_t i = 0; i < sizeof playback->box / sizeof *playback->box; i++) {
		json_write_double(json, (double)playback->box[i]); // to the last digit
	}
	json_write_end_list(json);
	json_write_end_object(json);
}

static void write_playback(const struct baked_facts *facts, struct buffer *out) {
	const struct baked_playback *playback = facts->playback;
	struct json_writer json = {.out = out};
	json_write_begin_object(&json);
	json_write_member_string(&json, "as", bake_form_name(facts->form));
	json_write_member_string(&json, "name", facts->name);
	if (playback->has_mesh) {
		json_write_member_string(&json, "mesh", "mesh.glb");
	}
	json_write_member_integer(&json, "frames", (int64_t)facts->frames);
	json_write_member_double(&json, "rate", facts->rate);
	json_write_member_double(&json, "duration", facts->duration_s);
	json_write_member_integer(&json, "vertices", (int64_t)facts->vertices);
	if (playback->inputs) {
		write_palettes(&json, playback->inputs);
	} else {
		write_packed(&json, playback);
	}
	json_write_end_object(&json);
}

void describe_baked(const struct baked_facts *facts, struct buffer *out) {
	(facts->playback ? write_playback : bake_write_description)(facts, out);
}

static uint64_t bytes_of(const struct shader_numbers *numbers, bool wanted) {
	return wanted ? (uint64_t)numbers->count * NUMBER_BYTES : 0;
}

uint64_t describe_shader_inputs_bytes(const struct shader_inputs *inputs, unsigned buffers) {
	uint64_t bytes = STAGE_BYTES + SPAN_BYTES * (uint64_t)inputs->span_count +
		bytes_of(&inputs->vertices, (buffers & SHADER_BUFFER_VERTICES) != 0) +
		bytes_of(&inputs->influences, (buffers & SHADER_BUFFER_INFLUENCES) != 0);
	for (size_t i = 0; i < inputs->stage_count; i++) {
		bytes += STAGE_BYTES;
		for (size_t k = 0; k < SHADER_STAGE_BUFFERS; k++) {
			bytes += bytes_of(&inputs->stages[i].buffers[k],
				(buffers & (unsigned)SHADER_BUFFER_PALETTE << k) != 0);
		}
	}
	return bytes;
}

static void write_shader(struct json_writer *json, const struct renderer_shader *shader) {
	json_write_begin_object(json);
	json_write_member_string(json, "method", shader->method);
	json_write_member_string(json, "title", shader->title);
	if (shader->base) {
		json_write_member_string(json, "base", shader->base);
	}
	json_write_key(json, "versions");
	json_write_begin_list(json);
	for (int i = 0; i < SHADER_VERSION_COUNT; i++) {
		if (shader->versions[i]) {
			json_write_string(json, renderer_shader_version((enum shader_version)i));
		}
	}
	json_write_end_list(json);
	json_write_key(json, "functions");
	json_write_begin_list(json);
	for (size_t i = 0; i < shader->stage_count; i++) {
		json_write_string(json, shader->functions[i]);
	}
	json_write_end_list(json);
	json_write_end_object(json);
}

void describe_shaders(struct buffer *out) {
	struct json_writer json = {.out = out};
	struct renderer_shader shader;
	json_write_begin_object(&json);
	json_write_key(&json, "shaders");
	json_write_begin_list(&json);
	for (size_t i = 0; renderer_shader(i, &shader); i++) {
		write_shader(&json, &shader);
	}
	json_write_end_list(&json);
	json_write_end_object(&json);
}
