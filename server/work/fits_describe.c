// How fits stand.
#include "work/fits_describe.h"

#include "describe/describe.h"

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
	if (entry->state == FIT_RUNNING) {
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
		.fitted = entry->state == FIT_DONE && entry->report.fitted,
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
