// The context's life: made, lost, made anew; and what is known of its driver.
#include "state/context.h"

#include <assert.h>
#include <string.h>

#include "base/log.h"
#include "skin/method.h"
#include "state/state.h"

struct known_driver {
	struct renderer_info info; // strings in renderer->known_memory
	struct known_driver *next;
};

static bool same_info(const struct renderer_info *a, const struct renderer_info *b) {
	return strcmp(a->vendor, b->vendor) == 0 && strcmp(a->renderer, b->renderer) == 0 &&
		strcmp(a->version, b->version) == 0 && strcmp(a->device, b->device) == 0 &&
		strcmp(a->why_none, b->why_none) == 0 && a->max_samples == b->max_samples;
}

static struct known_driver *know(struct renderer *renderer, const struct renderer_info *info) {
	struct arena *memory = renderer->known_memory;
	struct known_driver *known = arena_alloc(memory, 1, sizeof *known);
	known->info = (struct renderer_info){
		.vendor = arena_strndup(memory, info->vendor, strlen(info->vendor)),
		.renderer = arena_strndup(memory, info->renderer, strlen(info->renderer)),
		.version = arena_strndup(memory, info->version, strlen(info->version)),
		.device = info->device,
		.why_none = arena_strndup(memory, info->why_none, strlen(info->why_none)),
		.max_samples = info->max_samples,
	};
	known->next = renderer->known;
	renderer->known = known;
	return known;
}

/* Other threads may be reading what was said before, hence nothing is overwritten. Drivers come
 * back the same as they went, so that few are ever known. */
static void set_info(struct renderer *renderer, const struct renderer_info *info) {
	struct known_driver *known = renderer->known;
	while (known && !same_info(&known->info, info)) {
		known = known->next;
	}
	if (!known) {
		known = know(renderer, info);
	}
	atomic_store(&renderer->info, &known->info);
}

static bool make_back_end(struct renderer *renderer, struct error *err) {
	const bool falls_back = renderer->choice == RENDERER_AUTO && renderer->only == 0;
	const struct back_end_params params = {
		.allow_gpu = renderer->choice != RENDERER_SOFTWARE,
		.allow_software = renderer->choice == RENDERER_SOFTWARE || renderer->only > 0,
		.display = renderer->display,
		.only = renderer->only,
		.if_seen = falls_back,
	};
	struct error why = {0};
	renderer->back_end = renderer->choice == RENDERER_CPU
		? NULL
		: gl_back_end.create(&params, falls_back ? &why : err);
	if (falls_back && !renderer->back_end) {
		log_line(LOG_DEBUG, "no GPU: %s", why.text);
	}
	if (!renderer->back_end && (falls_back || renderer->choice == RENDERER_CPU)) {
		renderer->back_end = raster_back_end.create(&params, err);
	}
	return renderer->back_end != NULL;
}

/* The kind of a renderer for those who ask for it. */
static enum renderer_choice choice_of(
	const struct renderer *renderer, const struct back_end_info *found) {
	return renderer->back_end->kind == &raster_back_end ? RENDERER_CPU
		: found->software                           ? RENDERER_SOFTWARE
							    : RENDERER_GPU;
}

/* Leaves the renderer without a context, which is a failure only if there is an error. */
static bool go_without(struct renderer *renderer, const struct error *why, struct error *err) {
	context_stop(renderer);
	const struct renderer_info none = {.vendor = "",
		.renderer = "",
		.version = "",
		.device = "none",
		.why_none = why->text};
	set_info(renderer, &none);
	return why->code == ERROR_NONE || error_set(err, ERROR_NO_RENDERER, "%s", why->text);
}

bool context_refuse(const struct renderer *renderer, struct error *err) {
	const char *why = renderer_info(renderer)->why_none;
	return error_set(
		err, ERROR_NO_RENDERER, "there is no graphics driver%s%s", *why ? ": " : "", why);
}

bool context_start(struct renderer *renderer, struct error *err) {
	struct error why = {0};
	if (renderer->choice == RENDERER_NONE || !make_back_end(renderer, &why)) {
		return go_without(renderer, &why, err);
	}
	static const char *const devices[] = {
		[RENDERER_GPU] = "gpu", [RENDERER_CPU] = "cpu", [RENDERER_SOFTWARE] = "software"};
	struct back_end_info found;
	renderer->back_end->kind->describe(renderer->back_end, &found);
	const enum renderer_choice choice = choice_of(renderer, &found);
	renderer->max_size = found.max_size;
	const struct renderer_info info = {
		.vendor = found.vendor,
		.renderer = found.renderer,
		.version = found.version,
		.device = devices[choice],
		.why_none = "",
		.max_samples = found.max_samples,
	};
	set_info(renderer, &info);
	// Whatever comes in its place later has to be of the same kind: pictures that change and
	// take a hundred times as long are no way to go on.
	renderer->choice = choice;
	return true;
}

void context_stop(struct renderer *renderer) {
	struct back_end *back_end = renderer->back_end;
	assert(!back_end || back_end->kind->is_current(back_end));
	if (back_end) {
		drawn_rigs_finish(renderer);
		back_end->kind->destroy(back_end);
	}
	renderer->back_end = NULL;
	atomic_store(&renderer->lost, false);
}

bool renderer_rebuild(struct renderer *renderer, struct error *err) {
	context_stop(renderer);
	if (!context_start(renderer, err)) {
		return false;
	}
	struct error why = {0};
	if (renderer->back_end && !renderer_warm_up(renderer, &why)) {
		return go_without(renderer, &why, err);
	}
	return true;
}

bool renderer_is_lost(const struct renderer *renderer) {
	return atomic_load(&renderer->lost);
}

bool context_check(const struct renderer *renderer, struct error *err) {
	return !renderer_is_lost(renderer) ||
		error_set(err, ERROR_CONTEXT_LOST,
			"the graphics driver was reset, and is not back so far; try again");
}

bool context_settle(struct renderer *renderer, bool ok, struct error *err) {
	struct back_end *back_end = renderer->back_end;
	if (!back_end) {
		return ok;
	}
	const bool told = !ok && err && err->code == ERROR_CONTEXT_LOST;
	if (!renderer_is_lost(renderer) && (told || back_end->kind->is_lost(back_end))) {
		log_line(LOG_ERROR, "the graphics driver was reset: the context is lost");
		atomic_store(&renderer->lost, true);
		counters_add(&renderer->counters.context_resets, 1);
	}
	if (!renderer_is_lost(renderer)) {
		return ok;
	}
	if (err) {
		// Earlier failures are a consequence of the lost context.
		*err = (struct error){0};
	}
	return error_set(err, ERROR_CONTEXT_LOST,
		"the graphics driver was reset while it worked on this; try again");
}

void counters_add(atomic_ullong *counter, unsigned long long more) {
	atomic_fetch_add_explicit(counter, more, memory_order_relaxed);
}

void counters_add_skinned(struct renderer *renderer, const char *method, int vertex_count) {
	for (size_t i = 0; skin_method(i); i++) {
		assert(i < RENDERER_METHODS_MAX);
		if (strcmp(skin_method(i)->id, method) == 0) {
			counters_add(&renderer->counters.vertices_skinned[i],
				(unsigned long long)vertex_count);
		}
	}
}

static unsigned long long read_counter(const atomic_ullong *counter) {
	return atomic_load_explicit(counter, memory_order_relaxed);
}

void renderer_stats(const struct renderer *renderer, struct renderer_stats *out) {
	const struct counters *counters = &renderer->counters;
	*out = (struct renderer_stats){
		.context_resets = read_counter(&counters->context_resets),
		.frames_drawn = read_counter(&counters->frames_drawn),
		.gpu_rig_count = read_counter(&counters->gpu_rig_count),
		.gpu_rig_bytes = read_counter(&counters->gpu_rig_bytes),
		.gpu_rig_evictions = read_counter(&counters->gpu_rig_evictions),
	};
	for (size_t i = 0; skin_method(i); i++) {
		out->vertices_skinned[i] = read_counter(&counters->vertices_skinned[i]);
	}
}

/* For those who read the counters. */
static void tell(struct renderer *renderer) {
	struct counters *counters = &renderer->counters;
	atomic_store_explicit(&counters->gpu_rig_count, renderer->rig_count, memory_order_relaxed);
	atomic_store_explicit(&counters->gpu_rig_bytes, renderer->gpu_bytes, memory_order_relaxed);
}

static void drop(struct renderer *renderer, size_t i) {
	renderer->gpu_bytes -= renderer->rigs[i].bytes;
	renderer->back_end->kind->destroy_rig(renderer->rigs[i].drawn);
	renderer->rigs[i] = renderer->rigs[--renderer->rig_count];
	tell(renderer);
}

static size_t least_recent(const struct renderer *renderer) {
	size_t found = 0;
	for (size_t i = 1; i < renderer->rig_count; i++) {
		if (renderer->rigs[i].last_use < renderer->rigs[found].last_use) {
			found = i;
		}
	}
	return found;
}

static void evict(struct renderer *renderer) {
	drop(renderer, least_recent(renderer));
	counters_add(&renderer->counters.gpu_rig_evictions, 1);
}

static struct drawn_rig *find(struct renderer *renderer, uint64_t id) {
	for (size_t i = 0; i < renderer->rig_count; i++) {
		if (renderer->rigs[i].drawn->id == id) {
			renderer->rigs[i].last_use = ++renderer->uses;
			return renderer->rigs[i].drawn;
		}
	}
	return NULL;
}

/* A copy grows with the data that methods bring. */
static void recount(struct renderer *renderer, size_t i) {
	renderer->gpu_bytes += renderer->rigs[i].drawn->bytes - renderer->rigs[i].bytes;
	renderer->rigs[i].bytes = renderer->rigs[i].drawn->bytes;
}

/* Says of a rig that does not fit though it is alone whether it ever will. */
static void refuse(const struct renderer *renderer, size_t bytes, struct error *err) {
	const size_t mib = (bytes >> 20) + 1;
	if (bytes > renderer->gpu_budget_bytes) {
		error_set(err, ERROR_TOO_LARGE,
			"the rig takes %zu MiB on the GPU, which has no room for it", mib);
	} else {
		error_set(err, ERROR_OVERLOADED, "the GPU has no room now for the rig's %zu MiB",
			mib);
	}
}

/* Uploads a rig, once more without all others if the driver is out of memory: how much is missing
 * it does not say. */
static struct drawn_rig *upload(
	struct renderer *renderer, const struct rig *rig, struct error *err) {
	struct back_end *back_end = renderer->back_end;
	struct error failure = {0};
	size_t bytes = 0;
	struct drawn_rig *drawn = back_end->kind->create_rig(back_end, rig, &bytes, &failure);
	if (!drawn && failure.code == ERROR_TOO_LARGE && renderer->rig_count > 0) {
		while (renderer->rig_count > 0) {
			evict(renderer);
		}
		failure = (struct error){0};
		drawn = back_end->kind->create_rig(back_end, rig, &bytes, &failure);
	}
	if (!drawn && failure.code == ERROR_TOO_LARGE) {
		refuse(renderer, bytes, err);
	} else if (!drawn) {
		error_set(err, failure.code, "%s", failure.text);
	}
	return drawn;
}

static void add(struct renderer *renderer, struct drawn_rig *drawn) {
	const size_t i = renderer->rig_count++;
	renderer->rigs[i].drawn = drawn;
	renderer->rigs[i].bytes = drawn->bytes;
	renderer->rigs[i].last_use = ++renderer->uses;
	renderer->gpu_bytes += drawn->bytes;
}

struct drawn_rig *drawn_rigs_get(
	struct renderer *renderer, const struct rig *rig, struct error *err) {
	for (size_t i = 0; i < renderer->rig_count; i++) {
		recount(renderer, i);
	}
	struct drawn_rig *drawn = find(renderer, rig->id);
	if (!drawn) {
		drawn = upload(renderer, rig, err);
		if (!drawn) {
			return NULL;
		}
		if (renderer->rig_count == GPU_RIGS_MAX) {
			evict(renderer);
		}
		add(renderer, drawn);
	}
	// The one that is wanted was used last, and is left over at the worst.
	while (renderer->rig_count > 1 && renderer->gpu_bytes > renderer->gpu_budget_bytes) {
		evict(renderer);
	}
	tell(renderer);
	return drawn;
}

void drawn_rigs_finish(struct renderer *renderer) {
	while (renderer->rig_count > 0) {
		drop(renderer, 0);
	}
}
