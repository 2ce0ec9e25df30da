// Answers about fits.
#include "fit.h"

#include "base/json_write.h"

static void write_option(struct json_writer *json, const struct fit_option *option) {
	json_write_key(json, option->name);
	switch (option->kind) {
	case FIT_OPTION_NUMBER:
		json_write_double(json, option->number);
		break;
	case FIT_OPTION_BOOLEAN:
		json_write_bool(json, option->number != 0);
		break;
	case FIT_OPTION_TEXT:
		json_write_string(json, option->text);
		break;
	}
}

static void write_options(struct json_writer *json, const struct fit_description *fit) {
	json_write_key(json, "options");
	json_write_begin_object(json);
	for (size_t i = 0; i < fit->option_count; i++) {
		write_option(json, &fit->options[i]);
	}
	json_write_end_object(json);
}

static void write_residual(struct json_writer *json, const struct fit_description *fit) {
	json_write_key(json, "residual");
	if (!fit->fitted) {
		json_write_null(json);
		return;
	}
	json_write_begin_object(json);
	json_write_key(json, "max");
	json_write_double(json, fit->residual_max);
	json_write_key(json, "rms");
	json_write_double(json, fit->residual_rms);
	json_write_end_object(json);
}

static void write_flags(struct json_writer *json, const struct fit_description *fit) {
	json_write_key(json, "flags");
	json_write_begin_list(json);
	for (const char *const *flag = fit->flags; *flag; flag++) {
		json_write_string(json, *flag);
	}
	json_write_end_list(json);
}

static void write_fit(struct json_writer *json, const struct fit_description *fit) {
	json_write_begin_object(json);
	json_write_member_string(json, "id", fit->id);
	json_write_member_string(json, "method", fit->method);
	write_options(json, fit);
	json_write_member_string(json, "state", task_state_name(fit->state));
	json_write_key(json, "progress");
	json_write_double(json, fit->progress);
	write_residual(json, fit);
	write_flags(json, fit);
	json_write_member_integer(json, "fallback_vertices", fit->fallback_vertices);
	reply_batches(json, &fit->batches);
	if (fit->state == TASK_FAILED) {
		task_write_error(json, &fit->error);
	}
	json_write_end_object(json);
}

void fit_write(const struct fit_description *fit, struct buffer *out) {
	struct json_writer json = {.out = out};
	write_fit(&json, fit);
}

void fit_write_list(const struct fit_description *fits, size_t count, struct buffer *out) {
	struct json_writer json = {.out = out};
	json_write_begin_object(&json);
	json_write_key(&json, "fits");
	json_write_begin_list(&json);
	for (size_t i = 0; i < count; i++) {
		write_fit(&json, &fits[i]);
	}
	json_write_end_list(&json);
	json_write_end_object(&json);
}
