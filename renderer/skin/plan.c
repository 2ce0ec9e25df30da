// Resolves a request's skinning settings for a rig.
#include "skin/plan.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/fnv.h"
#include "skin/method.h"
#include "skin/option.h"
#include "skin/rigid.h"

/* The method whose kernel a method runs, as its options say. */
static const struct skinning_method *kernel_of(
	const struct skinning_method *method, const struct skin_options *options) {
	const int at = skin_option_find(method->options, &skin_option_base);
	if (method->kernel.skin) {
		return method;
	}
	return at >= 0         ? skin_method((size_t)options->values[at])
		: method->base ? method->base
			       : skin_method(0);
}

/* The base's options: standard, but for those that the asked method has, too. */
static struct skin_options base_options(
	const struct skin_part *requested, const struct skinning_method *base) {
	struct skin_options options = skin_options_standard(base->options);
	for (int i = 0; base->options && base->options[i]; i++) {
		const int at = skin_option_find(requested->method->options, base->options[i]);
		if (at >= 0) {
			options.values[i] = requested->options.values[at];
		}
	}
	return options;
}

/* Ways to make normals that are open to a method on a base: bits. */
static unsigned normals_of(
	const struct skinning_method *method, const struct skinning_method *base) {
	// Kernels do not know the normals of vertices that a finish stage has moved.
	const unsigned kernel = method->normals ? method->normals
		: method->finish.finish         ? 0
						: base->normals;
	return kernel | (normals_mode(NORMALS_RECOMPUTE) ? 1u << NORMALS_RECOMPUTE : 0);
}

static void list_normals(unsigned open, const char *names[static NORMALS_COUNT + 1]) {
	size_t count = 0;
	for (int i = 0; i < NORMALS_COUNT; i++) {
		if ((open >> i & 1) != 0 && normals_mode((enum normals)i)) {
			names[count++] = normals_mode((enum normals)i)->id;
		}
	}
	names[count] = NULL;
}

void skin_plan_normals(
	const struct skinning_method *method, const char *names[static NORMALS_COUNT + 1]) {
	const struct skin_options options = skin_options_standard(method->options);
	list_normals(normals_of(method, kernel_of(method, &options)), names);
}

static bool check_normals(const struct skinning_settings *settings,
	const struct skinning_method *method, const struct skinning_method *base,
	struct error *err) {
	const unsigned open = normals_of(method, base);
	if (settings->normals == NORMALS_OWN ||
		((open >> settings->normals & 1) != 0 && normals_mode(settings->normals))) {
		return true;
	}
	const char *known[NORMALS_COUNT + 1];
	list_normals(open, known);
	char names[64];
	value_list_names(known, names, sizeof names);
	const struct value *source =
		settings->object ? value_member(settings->object, "normals") : NULL;
	return value_error(source, err, ERROR_INVALID_VALUE,
		"%s does not make such normals; it makes %s, and its own where none are asked for",
		method->id, *known ? names : "none of these");
}

/* The shader of a part with a kernel; NULL = there is none for its options. */
static const char *shader_of(const struct skin_part *part) {
	const struct skin_kernel_stage *kernel = &part->method->kernel;
	return kernel->choose_shader ? kernel->choose_shader(&part->options) : kernel->shader;
}

const struct skinning_method *skin_plan_standard_base(const struct skinning_method *method) {
	const struct skin_options options = skin_options_standard(method->options);
	return kernel_of(method, &options);
}

const char *skin_plan_standard_shader(const struct skinning_method *method) {
	const struct skinning_method *base = skin_plan_standard_base(method);
	const struct skin_part part = {
		.method = base, .options = skin_options_standard(base->options)};
	return shader_of(&part);
}

static bool check_device(
	const struct skinning_settings *settings, const struct skin_part *base, struct error *err) {
	if (settings->device != DEVICE_GPU || shader_of(base)) {
		return true;
	}
	const struct value *source =
		settings->object ? value_member(settings->object, "device") : NULL;
	return value_error(source, err, ERROR_INVALID_VALUE,
		"%s with these options is for the CPU alone", base->method->id);
}

/* Settings that name a method: where a request names none, the one that the rig is made for. */
static struct skinning_settings for_rig(
	const struct rig *rig, const struct skinning_settings *settings) {
	static const struct value dual_quaternions = {.kind = VALUE_STRING, .string = "dqs"};
	struct skinning_settings named = *settings;
	if (!named.method && rig && rig->dual_quaternions) {
		named.method = &dual_quaternions;
	}
	return named;
}

/* Finds methods and options, without data. */
static bool resolve(const struct rig *rig, const struct skinning_settings *given,
	struct skin_plan *plan, struct error *err) {
	const struct skinning_settings named = for_rig(rig, given), *settings = &named;
	struct skin_part *requested = &plan->requested, *base = &plan->base;
	bool truncates;
	requested->method = skin_method_find(settings->method, err);
	if (!requested->method ||
		!skin_options_read(requested->method->options, requested->method->id,
			settings->object, &requested->options, err) ||
		!kmax_read(settings, &plan->kmax.options, &truncates, err)) {
		return false;
	}
	plan->kmax.method = truncates ? &kmax_step : NULL;
	base->method = kernel_of(requested->method, &requested->options);
	base->options = base->method == requested->method ? requested->options
							  : base_options(requested, base->method);
	return check_device(settings, base, err) &&
		check_normals(settings, requested->method, base->method, err);
}

bool skin_plan_check(
	const struct rig *rig, const struct skinning_settings *settings, struct error *err) {
	struct skin_plan plan;
	return resolve(rig, settings, &plan, err);
}

bool skin_plan_makes_rig(const struct skinning_settings *settings) {
	const struct skinning_method *method = skin_method_find(settings->method, NULL);
	return method && method->recipe && method->recipe->makes_rig;
}

/* The source of the data, and the result of the search. */
struct source {
	struct skin_library *library;
	bool from_shelf;                     // with progress
	struct skin_plan_progress *progress; // NULL = what is not there is made
};

/* True when a recipe has what it works from. */
static bool check_recipe(const struct skin_plan_params *params, const struct skin_recipe *recipe,
	const struct skin_part *part, struct error *err) {
	const struct value *method = params->subject.skinning.method;
	if (recipe->needs_examples && !params->subject.examples) {
		return value_error(method, err, ERROR_MISSING_DATA,
			"%s is fitted to examples, and the rig has none; put some with PUT "
			"/v1/rigs/{rig}/examples/{name}",
			part->method->id);
	}
	return !recipe->needs_clip || params->clip >= 0 ||
		value_error(params->subject.pose ? params->subject.pose : method, err,
			ERROR_INVALID_VALUE,
			"%s plays one clip; let the pose be one, as {\"clip\": …, \"time\": …}",
			part->method->id);
}

static void peek(const struct source *source, const struct skin_params *params,
	const struct skin_data **out) {
	struct skin_plan_progress *progress = source->progress;
	float share = 0;
	if (params->rig) {
		*out = skin_library_peek(source->library, params, source->from_shelf, &share);
	}
	progress->wanted++;
	progress->ready += *out != NULL;
	progress->share += share;
	progress->needs_examples |= params->recipe->needs_examples;
	progress->needs_clip |= params->recipe->needs_clip;
}

/* True when there is a recipe, and the part's options need what it makes. */
static bool is_needed(const struct skin_recipe *recipe, const struct skin_part *part) {
	return recipe && (!recipe->is_needed || recipe->is_needed(&part->options));
}

static bool get_data(const struct source *source, const struct skin_plan_params *params,
	const struct skin_recipe *recipe, const struct skin_part *part,
	const struct skin_data **out, struct error *err) {
	if (!is_needed(recipe, part)) {
		return true;
	}
	if (params->subject.rig && !check_recipe(params, recipe, part, err)) {
		return false;
	}
	assert(source->library || !params->subject.rig);
	const struct skin_params data = {
		.recipe = recipe,
		.list = part->method->options,
		.options = &part->options,
		.rig = params->subject.rig,
		.examples = params->subject.examples,
		.clip = params->clip,
	};
	if (source->progress) {
		peek(source, &data, out);
		return true;
	}
	*out = skin_library_get(source->library, &data, params->subject.stop, err);
	return *out != NULL;
}

/* Gets a part's data. A rig that comes with it replaces that of params for all that follows; where
 * it is not made so far, nothing that follows is known either. */
static bool get_part_data(const struct source *source, struct skin_plan_params *params,
	struct skin_part *part, struct skin_plan *plan, struct error *err) {
	const struct skin_recipe *recipe = part->method->recipe;
	if (!get_data(source, params, recipe, part, &part->data, err)) {
		return false;
	}
	if (part->data && part->data->rig) {
		plan->rig = params->subject.rig = part->data->rig;
	} else if (is_needed(recipe, part) && recipe->makes_rig && !part->data) {
		params->subject.rig = NULL;
	}
	return true;
}

static bool get_all_data(const struct source *source, const struct skin_plan_params *params,
	struct skin_plan *plan, struct error *err) {
	struct skin_plan_params inner = *params;
	if ((plan->kmax.method && !get_part_data(source, &inner, &plan->kmax, plan, err)) ||
		!get_part_data(source, &inner, &plan->requested, plan, err)) {
		return false;
	}
	if (plan->base.method == plan->requested.method) {
		plan->base.data = skin_data_retain(plan->requested.data);
	} else if (!get_part_data(source, &inner, &plan->base, plan, err)) {
		return false;
	}
	const struct normals_mode *mode = normals_mode(plan->normals);
	const struct skin_part none = {.method = plan->base.method};
	return !mode || get_data(source, &inner, mode->recipe, &none, &plan->normals_data, err);
}

static bool make_plan(const struct source *source, const struct skin_plan_params *params,
	struct skin_plan *plan, struct error *err) {
	*plan = (struct skin_plan){
		.rig = params->subject.rig,
		.normals = params->subject.skinning.normals,
		.memory = params->memory,
		.clip = params->clip,
		.time_s = params->time_s,
	};
	if (!resolve(params->subject.rig, &params->subject.skinning, plan, err)) {
		return false;
	}
	if (!get_all_data(source, params, plan, err)) {
		skin_plan_finish(plan);
		return false;
	}
	return true;
}

bool skin_plan_make(struct skin_library *library, const struct skin_plan_params *params,
	struct skin_plan *plan, struct error *err) {
	const struct source source = {.library = library};
	return make_plan(&source, params, plan, err);
}

bool skin_plan_look(struct skin_library *library, const struct skin_plan_params *params,
	bool from_shelf, struct skin_plan *plan, struct skin_plan_progress *progress,
	struct error *err) {
	*progress = (struct skin_plan_progress){0};
	const struct source source = {library, from_shelf, progress};
	if (!make_plan(&source, params, plan, err)) {
		return false;
	}
	progress->share = progress->wanted > 0 ? progress->share / (float)progress->wanted : 1;
	return true;
}

void skin_plan_finish(struct skin_plan *plan) {
	skin_data_release(plan->kmax.data);
	skin_data_release(plan->requested.data);
	skin_data_release(plan->base.data);
	skin_data_release(plan->normals_data);
	plan->kmax.data = plan->requested.data = plan->base.data = plan->normals_data = NULL;
}

const struct skinning_method *skin_plan_default_method(const struct rig *rig) {
	const struct skinning_settings settings = for_rig(rig, &(struct skinning_settings){0});
	return skin_method_find(settings.method, NULL);
}

struct skin_plan skin_plan_default(const struct rig *rig) {
	const struct skinning_method *method = skin_plan_default_method(rig);
	const struct skin_part part = {
		.method = method, .options = skin_options_standard(method->options)};
	const struct skin_recipe *recipe = part.method->recipe;
	assert(part.method->kernel.skin &&
		(!recipe || (recipe->is_needed && !recipe->is_needed(&part.options))));
	(void)recipe;
	return (struct skin_plan){.rig = rig, .requested = part, .base = part, .clip = -1};
}

bool skin_plan_is_stretched(const struct skin_plan *plan, const struct skin_palette *palette) {
	const struct skin_kernel_stage *kernel = &plan->base.method->kernel;
	const float *flag = palette->floats + kernel->stretch_at + RIGID_STRETCH_FLAG;
	for (int i = 0; kernel->stretch_at > 0 && i < plan->rig->slot_count; i++) {
		if (flag[(size_t)i * (size_t)kernel->entry_floats] != 0) {
			return true;
		}
	}
	return false;
}

static uint64_t mix_part(uint64_t hash, const struct skin_part *part) {
	const uint64_t numbers[] = {
		skin_method_index(part->method), part->data ? part->data->id : 0};
	return fnv_mix(
		fnv_mix(hash, numbers, sizeof numbers), &part->options, sizeof part->options);
}

uint64_t skin_plan_signature(const struct skin_plan *plan) {
	const uint64_t rig = plan->rig->id;
	const uint64_t hash = fnv_mix(FNV_START, &rig, sizeof rig);
	return mix_part(mix_part(hash, &plan->requested), &plan->base);
}

const char *skin_plan_shader(const struct skin_plan *plan) {
	return shader_of(&plan->base);
}

struct skin_batch_counts skin_plan_batches(const struct skin_plan *plan) {
	const struct skin_kernel_stage *kernel = &plan->base.method->kernel;
	struct skin_batch_counts counts = {0};
	size_t count = 0;
	const struct skin_batch *batches =
		kernel->batches ? kernel->batches(plan->base.data, &count) : NULL;
	for (size_t i = 0; i < count; i++) {
		const int joints = (int)batches[i].joint_count;
		const struct skin_batch_counts one = {
			1, (int)batches[i].row_count, 0, joints, joints};
		skin_batch_counts_add(&counts, &one);
	}
	counts.gained = counts.count > 0 ? counts.vertices - plan->rig->vertex_count : 0;
	return counts;
}

bool skin_plan_displaces(const struct skin_plan *plan) {
	return plan->requested.method->displacement.coefficients != NULL;
}
