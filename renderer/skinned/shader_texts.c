// Skinning shaders as texts for other programs, with what they take.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "draw/shader_source.h"
#include "interface/shader_texts.h"
#include "skin/plan.h"
#include "skinned/prepare.h"
#include "skinned/shader_inputs.h"
#include "skinned/skin.h"
#include "state/state.h"

/* The functions of stages that are not passes; a pass' is called as its file. */
#define KERNEL_FUNCTION "posed_surface"
#define DISPLACEMENT_FUNCTION "displaced_surface"
#define DISPLACEMENT_SHADER "displace.comp"

static void name_function(const char *shader, char out[static SHADER_NAME_BYTES]) {
	const bool displaces = strcmp(shader, DISPLACEMENT_SHADER) == 0;
	snprintf(out, SHADER_NAME_BYTES, "%.*s",
		displaces ? (int)strlen(DISPLACEMENT_FUNCTION) : (int)strcspn(shader, "."),
		displaces ? DISPLACEMENT_FUNCTION : shader);
}

/* --- Texts --- */

const char *renderer_shader_version(enum shader_version version) {
	static const char *const names[] = {[SHADER_ES_300] = "300", [SHADER_ES_310] = "310"};
	return names[version];
}

/* The files of a method's stages, in order. Returns how many; 0 = it is for the CPU alone. */
static size_t list_shaders(
	const struct skinning_method *method, const char *out[static SHADER_STAGES_MAX]) {
	const char *kernel = skin_plan_standard_shader(method);
	size_t count = 0;
	if (!kernel) {
		return 0;
	}
	if (method->displacement.coefficients) {
		out[count++] = DISPLACEMENT_SHADER;
	}
	out[count++] = kernel;
	for (int i = 0; i < SKIN_PASSES_MAX && method->finish.passes[i].shader; i++) {
		out[count++] = method->finish.passes[i].shader;
	}
	return count;
}

static bool describe(const struct skinning_method *method, struct renderer_shader *out) {
	const char *shaders[SHADER_STAGES_MAX];
	const struct skinning_method *base = skin_plan_standard_base(method);
	*out = (struct renderer_shader){
		.method = method->id,
		.title = method->title,
		.base = base == method ? NULL : base->id,
		// A pass reads other vertices than its own, as they are posed.
		.versions = {[SHADER_ES_300] = !method->finish.finish, [SHADER_ES_310] = true},
		.stage_count = list_shaders(method, shaders),
	};
	const char *kernel = skin_plan_standard_shader(method);
	for (size_t i = 0; i < out->stage_count; i++) {
		name_function(shaders[i], out->functions[i]);
		if (shaders[i] == kernel) {
			snprintf(out->functions[i], SHADER_NAME_BYTES, KERNEL_FUNCTION);
		}
	}
	return out->stage_count > 0;
}

bool renderer_shader(size_t i, struct renderer_shader *out) {
	const struct skinning_method *method;
	for (size_t k = 0; (method = skin_method(k)); k++) {
		if (describe(method, out) && i-- == 0) {
			return true;
		}
	}
	return false;
}

__attribute__((format(printf, 2, 3))) static void say(struct buffer *out, const char *format, ...) {
	char text[600];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	buffer_append(out, text, strlen(text));
}

static void say_functions(const struct renderer_shader *shader, struct buffer *out) {
	for (size_t i = 0; i < shader->stage_count; i++) {
		const char *function = shader->functions[i];
		if (strcmp(function, DISPLACEMENT_FUNCTION) == 0) {
			say(out,
				"//   surface %s(uint vertex): the vertex at rest, moved by "
				"examples;\n"
				"//     the next function is to find it in the place of the "
				"rig's\n",
				function);
		} else if (strcmp(function, KERNEL_FUNCTION) == 0) {
			say(out, "//   surface %s(uint vertex): the vertex as it is posed\n",
				function);
		} else {
			say(out, "//   void %s(uint i): a pass over what was posed\n", function);
		}
	}
}

/* The meaning of the constants of a kernel's options. */
static void say_options(const struct skinning_method *base, struct buffer *out) {
	say(out,
		"// normals_by is 0 (the method's own), 1 (same), 2 (cof) or 3 (exact, where the "
		"method makes such).\n// stretched may be false where no joint scales or "
		"shears.\n");
	for (int i = 0; base->options && base->options[i]; i++) {
		const struct skin_option *option = base->options[i];
		if (option->kind == SKIN_OPTION_BOOLEAN) {
			say(out, "// option%d is %s: 0 or 1\n", i, option->name);
		} else if (option->kind == SKIN_OPTION_CHOICE) {
			say(out, "// option%d is %s:", i, option->name);
			for (int k = 0; option->choices[k]; k++) {
				say(out, "%s %d = %s", k > 0 ? "," : "", k, option->choices[k]);
			}
			say(out, "\n");
		}
	}
}

static void write_header(const struct renderer_shader *shader, const struct skinning_method *base,
	enum shader_version version, struct buffer *out) {
	const bool textures = version == SHADER_ES_300;
	say(out, "// posed's skinning method %s: %s.\n", shader->method, shader->title);
	say(out,
		"// The functions of the daemon's own shaders, for a %s; main() is yours. In the "
		"order\n// in which they run:\n",
		textures ? "vertex shader of GLSL ES 3.00" : "compute shader of GLSL ES 3.10");
	say_functions(shader, out);
	if (shader->base) {
		say(out,
			"// The kernel is that of %s. For another base take that method's "
			"text.\n",
			shader->base);
	}
	say(out,
		"// POST /v1/shaders answers what they take of a rig in a pose, under the names "
		"below; docs/shaders.md of\n// posed has an example. An entry of the palette "
		"has %d vec4, one behind the other for all slots.\n",
		base->kernel.entry_floats / 4);
	say_options(base, out);
}

static bool refuse_version(
	const struct renderer_shader *shader, enum shader_version version, struct error *err) {
	return error_at(err, ERROR_INVALID_VALUE, "/version",
		"%s has no functions in GLSL ES %s: its passes read other vertices as they are "
		"posed; there are some in %s",
		shader->method, renderer_shader_version(version),
		renderer_shader_version(SHADER_ES_310));
}

static bool write_text(const struct skinning_method *method, enum shader_version version,
	struct source *source, struct error *err) {
	const struct skinning_method *base = skin_plan_standard_base(method);
	const struct skin_options options = skin_options_standard(base->options);
	struct renderer_shader shader;
	const char *files[SHADER_STAGES_MAX];
	char constants[GPU_SKIN_CONSTANTS_BYTES];
	if (!describe(method, &shader)) {
		return error_set(err, ERROR_UNKNOWN_ROUTE, "%s has no shader", method->id);
	}
	if (!shader.versions[version]) {
		return refuse_version(&shader, version, err);
	}
	skin_constants(base->options, &options, NORMALS_OWN, true, constants);
	source_begin(source);
	write_header(&shader, base, version, &source->text);
	say(&source->text, "%s", constants);
	bool ok = true;
	for (size_t i = 0; ok && i < list_shaders(method, files); i++) {
		ok = source_append(source, files[i], err);
	}
	return ok;
}

bool renderer_shader_text(
	const char *method, enum shader_version version, struct buffer *out, struct error *err) {
	const struct value id = {.kind = VALUE_STRING, .string = (char *)method};
	struct error why = {0};
	const struct skinning_method *found = skin_method_find(&id, &why);
	struct source source = {
		.interface = version == SHADER_ES_300 ? SOURCE_TEXTURES : SOURCE_STORAGE,
		.functions_only = true,
	};
	if (!found) {
		return error_set(err, ERROR_UNKNOWN_ROUTE, "%s", why.text);
	}
	const bool ok = write_text(found, version, &source, err);
	if (ok) {
		buffer_append(out, source.text.data, source.text.size);
	}
	buffer_finish(&source.text);
	return ok;
}

/* --- What they take --- */

/* In which method's text the function of a step is; NULL = in none. */
static const struct skinning_method *owner_of(
	const struct skin_plan *plan, const struct gpu_skin_step *step) {
	const struct skinning_method *requested = plan->requested.method, *base = plan->base.method;
	const char *files[SHADER_STAGES_MAX];
	const struct skinning_method *owner = step->per_primitive ? base : requested;
	for (size_t i = 0, count = list_shaders(owner, files); i < count; i++) {
		if (strcmp(files[i], step->shader) == 0) {
			return owner;
		}
	}
	return NULL;
}

static struct shader_uniform words(const char *name, const uint32_t *words, size_t count) {
	return (struct shader_uniform){.name = name, .words = words, .count = count};
}

static struct shader_numbers data_of(const char *name, const struct skin_data *data) {
	return (struct shader_numbers){.name = name,
		.words = data ? data->words : NULL,
		.count = data ? data->word_count : 0};
}

static void fill_stage(const struct prepared *prepared, const struct gpu_skin_step *step,
	const struct skinning_method *owner, const struct gpu_skin_uniforms *uniforms,
	struct shader_stage *out) {
	const size_t entries = (size_t)step->entry_floats * (size_t)prepared->rig->slot_count;
	*out = (struct shader_stage){
		.method = owner->id,
		.constants = step->constants,
		.by_span = step->per_primitive,
		.uniforms = {words("streams", uniforms->streams, 2),
			words("sections", uniforms->sections, SKIN_SECTIONS_MAX),
			words("normals_sections", uniforms->normals_sections, SKIN_SECTIONS_MAX),
			{.name = "parameters", .floats = step->parameters, .count = 8},
			words("pass", &uniforms->pass, 1), words("extra", &uniforms->extra, 1),
			words("copy", uniforms->copy, 4)},
		.buffers = {{.name = "palette",
				    .floats = step->palette,
				    .count = step->palette ? entries + step->extra_floats : 0},
			data_of("data", step->data), data_of("gradients", step->normals_data)},
	};
	if (step->per_primitive) {
		snprintf(out->function, sizeof out->function, KERNEL_FUNCTION);
	} else {
		name_function(step->shader, out->function);
	}
}

static bool refuse_step(const struct skin_plan *plan, const struct gpu_skin_step *step,
	const struct value *object, struct error *err) {
	const struct value *normals = object ? value_member(object, "normals") : NULL;
	if (!step->per_primitive && normals) {
		return value_error(normals, err, ERROR_INVALID_VALUE,
			"normals that are computed from the posed triangles have no shader text; "
			"leave this out, or ask for others");
	}
	return value_error(object, err, ERROR_INVALID_VALUE,
		"%s with these options has a kernel that is in no shader text",
		plan->requested.method->id);
}

/* The influences as the shaders read them, in the arena. */
static struct shader_numbers influences_of(const struct rig *rig, struct arena *arena) {
	const size_t count = gpu_rig_influence_words(rig);
	uint32_t *words = arena_alloc(arena, count + 1, sizeof *words);
	memcpy(words, rig->influence_slots, rig->influence_count * sizeof *rig->influence_slots);
	memcpy(words + gpu_rig_weights_word(rig), rig->influence_weights,
		rig->influence_count * sizeof *rig->influence_weights);
	return (struct shader_numbers){.name = "influences", .words = words, .count = count};
}

/* The vertices after morphing; in the scratch where there is any. */
static struct shader_numbers vertices_of(const struct prepared *prepared, struct scratch *scratch) {
	const struct rig *rig = prepared->rig;
	const size_t floats = gpu_rig_stream_floats(rig), count = (size_t)rig->vertex_count;
	const float *streams = skin_morphed(prepared, scratch);
	if (!streams) {
		float *own = scratch_get(scratch, floats);
		memcpy(own, rig->positions, count * 3 * sizeof *own);
		memcpy(own + count * 3, rig->normals, count * 3 * sizeof *own);
		if (rig->tangents) {
			memcpy(own + count * 6, rig->tangents, count * 4 * sizeof *own);
		}
		streams = own;
	}
	return (struct shader_numbers){.name = "vertices", .floats = streams, .count = floats};
}

static const struct shader_span *spans_of(const struct rig *rig, struct arena *arena) {
	struct shader_span *spans = arena_alloc(arena, (size_t)rig->primitive_count, sizeof *spans);
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		spans[i] = (struct shader_span){
			.span = {(uint32_t)primitive->first_vertex,
				(uint32_t)primitive->vertex_count, (uint32_t)primitive->first_slot,
				(uint32_t)primitive->influence_count},
			.influence_start = {(uint32_t)primitive->first_influence,
				(uint32_t)gpu_rig_weights_word(rig)},
		};
	}
	return spans;
}

bool shader_inputs_make(const struct prepared *prepared, const struct value *object,
	struct arena *arena, struct scratch *vertices, struct shader_inputs *out,
	struct error *err) {
	const struct rig *rig = prepared->rig;
	struct gpu_skin_step *steps = arena_alloc(arena, SKIN_STEPS_MAX, sizeof *steps);
	if (!skin_plan_shader(&prepared->plan)) {
		return value_error(object, err, ERROR_INVALID_VALUE,
			"%s with these options is for the CPU alone",
			prepared->plan.base.method->id);
	}
	const size_t count = skin_steps(prepared, steps);
	struct shader_stage *stages = arena_alloc(arena, count, sizeof *stages);
	struct gpu_skin_uniforms *uniforms = arena_alloc(arena, count, sizeof *uniforms);
	for (size_t i = 0; i < count; i++) {
		const struct skinning_method *owner = owner_of(&prepared->plan, &steps[i]);
		if (!owner) {
			return refuse_step(&prepared->plan, &steps[i], object, err);
		}
		uniforms[i] = gpu_skin_uniforms(rig, 1, rig->tangents != NULL, &steps[i]);
		fill_stage(prepared, &steps[i], owner, &uniforms[i], &stages[i]);
		const struct shader_numbers *palette = &stages[i].buffers[0];
		if (!vertices_check(palette->floats, palette->count, err)) {
			return false;
		}
	}
	const size_t scratch = (size_t)prepared->plan.requested.method->finish.scratch_floats;
	*out = (struct shader_inputs){
		.method = prepared->plan.requested.method->id,
		.vertex_count = rig->vertex_count,
		.has_tangents = rig->tangents != NULL,
		.scratch_floats = scratch * (size_t)rig->vertex_count,
		.vertices = vertices_of(prepared, vertices),
		.influences = influences_of(rig, arena),
		.spans = spans_of(rig, arena),
		.span_count = (size_t)rig->primitive_count,
		.stages = stages,
		.stage_count = count,
	};
	return true;
}

const char *shader_inputs_text(const struct prepared *prepared) {
	const struct skinning_method *requested = prepared->plan.requested.method;
	const struct skinning_method *base = prepared->plan.base.method;
	if (requested->finish.finish) {
		return NULL;
	}
	if (skin_plan_standard_base(requested) == base) {
		return requested->id;
	}
	return requested->displacement.coefficients ? NULL : base->id;
}

bool renderer_shader_inputs(struct renderer *renderer, const struct posed_subject *subject,
	bool (*take)(void *context, const struct shader_inputs *inputs, struct error *err),
	void *context, struct error *err) {
	struct prepare_params params = {.subject = *subject};
	params.subject.skinning.device = DEVICE_CPU; // nothing runs here
	struct arena *arena = arena_create();
	struct scratch vertices = {0};
	struct shader_inputs inputs;
	struct prepared prepared;
	bool ok = prepare(renderer, &params, arena, &prepared, err);
	if (ok) {
		ok = stop_check(subject->stop, err) &&
			shader_inputs_make(&prepared, subject->skinning.object, arena, &vertices,
				&inputs, err) &&
			take(context, &inputs, err);
		prepared_finish(&prepared);
	}
	scratch_finish(&vertices);
	arena_destroy(arena);
	return ok;
}
