// The fits that are known, their states and ends.
#include "work/fits_entries.h"

#include <stdlib.h>
#include <string.h>

#include "describe/describe.h"
#include "model/examples.h"

/* Releases what is needed only until the end. */
static void finish_entry(struct entry *entry) {
	rig_release(entry->model);
	examples_release(entry->examples);
	entry->model = NULL;
	entry->examples = NULL;
}

static void destroy_entry(struct entry *entry) {
	finish_entry(entry);
	arena_destroy(entry->arena);
	free(entry->rig);
	free(entry->basis);
	free(entry);
}

bool fit_has_ended(const struct entry *entry) {
	return entry->state != TASK_WAITING && entry->state != TASK_RUNNING;
}

void fit_end(struct entry *entry, enum task_state state) {
	entry->state = state;
	finish_entry(entry);
	pthread_cond_broadcast(&entry->fits->ended);
}

void fit_leave(struct entry *entry) {
	if (--entry->users == 0 && entry->forgotten) {
		destroy_entry(entry);
	}
}

bool fit_unqueue(struct entry *entry) {
	if (!entry->queued || !thread_pool_cancel(entry->fits->options.pool, &entry->job)) {
		return false;
	}
	entry->queued = false;
	entry->users--;
	return true;
}

void fit_call_off(struct entry *entry) {
	atomic_store(&entry->stop.left, true);
	if (entry->state == TASK_WAITING) {
		fit_unqueue(entry);
		fit_end(entry, TASK_CANCELLED);
	}
}

void fit_forget(struct entry *entry) {
	struct fits *fits = entry->fits;
	TAILQ_REMOVE(&fits->entries, entry, of_all);
	fits->count--;
	fit_call_off(entry);
	entry->forgotten = true;
	if (entry->users == 0) {
		destroy_entry(entry);
	}
}

const char *fit_basis(const struct store_hold *hold, bool uses_examples) {
	return uses_examples ? hold->basis : hold->summary.content;
}

static bool is_for(const struct entry *entry, const struct store_hold *hold) {
	return strcmp(entry->basis, fit_basis(hold, entry->uses_examples)) == 0;
}

void fits_outdate(struct fits *fits, const char *rig, const struct store_hold *hold) {
	struct entry *entry = TAILQ_FIRST(&fits->entries);
	while (entry) {
		struct entry *next = TAILQ_NEXT(entry, of_all);
		if (strcmp(entry->rig, rig) == 0 && (!hold || !is_for(entry, hold))) {
			fit_forget(entry);
		}
		entry = next;
	}
}

struct entry *fits_entry(struct fits *fits, const char *rig, const char *id) {
	struct entry *entry;
	TAILQ_FOREACH(entry, &fits->entries, of_all) {
		if (strcmp(entry->rig, rig) == 0 && strcmp(entry->id, id) == 0) {
			return entry;
		}
	}
	return NULL;
}

struct data_job fit_job(const struct entry *entry) {
	return (struct data_job){
		.subject = {.rig = entry->model,
			.examples = entry->examples,
			.skinning = entry->settings,
			.stop = &entry->stop},
		.library = entry->fits->options.library,
	};
}

static struct fit_option describe_option(const struct renderer_option *option) {
	const struct skin_option *spec = option->option;
	struct fit_option out = {
		.name = spec->name, .kind = FIT_OPTION_NUMBER, .number = option->value};
	struct renderer_method method;
	switch (spec->kind) {
	case SKIN_OPTION_NUMBER:
	case SKIN_OPTION_INTEGER:
		break;
	case SKIN_OPTION_BOOLEAN:
		out.kind = FIT_OPTION_BOOLEAN;
		break;
	case SKIN_OPTION_CHOICE:
		out.kind = FIT_OPTION_TEXT;
		out.text = spec->choices[(size_t)option->value];
		break;
	case SKIN_OPTION_BASE:
		out.kind = FIT_OPTION_TEXT;
		renderer_method((size_t)option->value, &method);
		out.text = method.id;
		break;
	}
	return out;
}

static void describe_method(
	const struct entry *entry, struct arena *arena, struct fit_description *out) {
	struct renderer_method method;
	struct renderer_option options[SKIN_OPTIONS_MAX + 1];
	renderer_read_options(&entry->settings, &method, options, NULL);
	struct fit_option *list = arena_alloc(arena, SKIN_OPTIONS_MAX, sizeof *list);
	for (; options[out->option_count].option; out->option_count++) {
		list[out->option_count] = describe_option(&options[out->option_count]);
	}
	out->method = method.id;
	out->options = list;
}

struct fit_description fit_describe(struct entry *entry, struct arena *arena) {
	if (entry->state == TASK_RUNNING) {
		const struct data_job job = fit_job(entry);
		struct data_report report;
		if (entry->fits->options.look(&job, false, &report, NULL)) {
			entry->share = report.share;
		}
	}
	struct fit_description out = {
		.id = arena_strndup(arena, entry->id, ID_DIGITS),
		.state = entry->state,
		.progress = (double)entry->share,
		.fitted = entry->state == TASK_DONE && entry->report.fitted,
		.residual_max = entry->report.residual_max,
		.residual_rms = entry->report.residual_rms,
		.flags = describe_flags(entry->report.flags, arena),
		.fallback_vertices = entry->report.fallback_vertices,
		.batches = describe_batches(&entry->report.batches),
		.error = entry->err,
	};
	describe_method(entry, arena, &out);
	return out;
}
