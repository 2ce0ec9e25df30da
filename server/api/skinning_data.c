// Steps that skin, behind the making of what their methods need of the rig.
#include "api/results.h"

#include "base/clock.h"
#include "store/store_examples.h"
#include "work/fits.h"

/* A step that waits for data. */
struct detour {
	const struct skinning_settings *settings; // [count]
	size_t count;
	enum executor executor;
	request_step step;
	void *state;
};

/* The data that settings need and that can be made ahead; data of one clip is made where the pose
 * is known. */
static struct renderer_needs needs_of(const struct skinning_settings *settings) {
	struct renderer_needs needs = {0};
	struct error ignored = {0};
	if (!renderer_read_needs(settings, &needs, &ignored) || needs.clip) {
		return (struct renderer_needs){0};
	}
	return needs;
}

bool skinning_data_load_examples(struct request_context *context,
	const struct skinning_settings *settings, size_t count, struct error *err) {
	bool wanted = false;
	for (size_t i = 0; i < count; i++) {
		struct renderer_needs needs;
		struct error ignored = {0};
		wanted = wanted ||
			(renderer_read_needs(&settings[i], &needs, &ignored) && needs.examples);
	}
	double mark = clock_now_s();
	struct store_hold *hold;
	bool loaded = true;
	for (size_t i = 0; wanted && loaded && (hold = context_skinned(context, i)); i++) {
		loaded = !hold->sets[ITEM_EXAMPLES] ||
			store_load_examples(context->service->store, hold, err);
	}
	context->spans_s[SPAN_LOAD] += wanted ? clock_lap_s(&mark) : 0;
	return loaded;
}

/* True when nothing has to be made; errors are for the step to find. */
static bool is_ready(const struct request_context *context, const struct store_hold *hold,
	const struct skinning_settings *settings, const struct renderer_needs *needs,
	bool from_shelf) {
	const struct data_job job = {
		.subject = {.rig = hold->rig,
			.examples = needs->examples ? hold->examples : NULL,
			.skinning = *settings},
		.library = context->service->library,
	};
	struct data_report report;
	struct error ignored = {0};
	return !needs->data || !renderer_look_at_data(&job, from_shelf, &report, &ignored) ||
		report.ready;
}

static bool all_ready(
	struct request_context *context, const struct detour *detour, bool from_shelf) {
	for (size_t i = 0; i < detour->count; i++) {
		const struct renderer_needs needs = needs_of(&detour->settings[i]);
		const struct store_hold *hold;
		for (size_t k = 0; (hold = context_skinned(context, k)); k++) {
			if (!is_ready(context, hold, &detour->settings[i], &needs, from_shelf)) {
				return false;
			}
		}
	}
	return true;
}

static void go_on(struct request_context *context, const struct detour *detour) {
	context_continue(context, detour->executor, detour->step, detour->state);
}

/* Makes what one rig lacks. */
static bool make_for(struct request_context *context, struct store_hold *hold,
	const struct detour *detour, struct error *err) {
	for (size_t i = 0; i < detour->count; i++) {
		const struct skinning_settings *settings = &detour->settings[i];
		const struct fit_params params = {
			.hold = hold,
			.skinning = settings->object ? settings->object : settings->method,
			.settings = *settings,
			.needs = needs_of(settings),
		};
		if (params.needs.data &&
			!fits_make(context->service->fits, &params, &context->stop, err)) {
			return false;
		}
	}
	return true;
}

static bool make(struct request_context *context, struct error *err) {
	const struct detour *detour = context->state;
	struct store_hold *hold;
	for (size_t i = 0; (hold = context_skinned(context, i)); i++) {
		if (!make_for(context, hold, detour, err)) {
			return false;
		}
	}
	go_on(context, detour);
	return true;
}

static bool look(struct request_context *context, struct error *err) {
	const struct detour *detour = context->state;
	if (!context_load(context, err) ||
		!skinning_data_load_examples(context, detour->settings, detour->count, err)) {
		return false;
	}
	if (all_ready(context, detour, true)) {
		go_on(context, detour);
	} else {
		context_continue(context, EXECUTOR_FIT, make, context->state);
	}
	return true;
}

/* True when all that a look at the library takes is in memory. */
static bool can_look(struct request_context *context, bool examples) {
	struct store_hold *hold;
	for (size_t i = 0; (hold = context_skinned(context, i)); i++) {
		if (!hold->rig ||
			(examples && hold->sets[ITEM_EXAMPLES] &&
				!store_peek_examples(context->service->store, hold))) {
			return false;
		}
	}
	return true;
}

void skinning_data_continue(struct request_context *context,
	const struct skinning_settings *settings, size_t count, enum executor executor,
	request_step step, void *state) {
	bool data = false, examples = false;
	for (size_t i = 0; i < count; i++) {
		const struct renderer_needs needs = needs_of(&settings[i]);
		data = data || needs.data;
		examples = examples || needs.examples;
	}
	const struct detour detour = {settings, count, executor, step, state};
	if (!data || (can_look(context, examples) && all_ready(context, &detour, false))) {
		go_on(context, &detour);
		return;
	}
	struct detour *later = arena_alloc(context->arena, 1, sizeof *later);
	*later = detour;
	context_continue(context, EXECUTOR_CPU, look, later);
}
