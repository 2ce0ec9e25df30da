// Rereading the configuration while the daemon runs.
#include "config/reload.h"

#include <assert.h>
#include <string.h>

#include "base/log.h"
#include "config/config_internal.h"
#include "config/notify.h"

static bool is_same(const char *a, const char *b) {
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static void take_over(struct config *config, struct config *fresh, size_t option) {
	struct option_texts *current = &config->settings->options[option];
	const struct option_texts before = *current;
	*current = fresh->settings->options[option];
	fresh->settings->options[option] = before;
	struct error err = {0};
	const bool taken = option_set(
		option_at(option), config, settings_value(config->settings, option), &err);
	assert(taken); // as in fresh
}

static void adopt_one(struct config *config, struct config *fresh, size_t option) {
	const struct option *row = option_at(option);
	const char *before = settings_value(config->settings, option);
	const char *now = settings_value(fresh->settings, option);
	if (is_same(before, now)) {
		return;
	}
	char origin[512];
	settings_origin(fresh->settings, option, fresh->file, origin, sizeof origin);
	const bool live = now && (row->traits & OPTION_LIVE);
	const struct log_field fields[] = {
		log_string("option", option_key(row)),
		log_string("value", option_shown(row, now ? now : "")),
		log_string("before", option_shown(row, before ? before : "")),
		log_string("origin", origin),
	};
	log_event(live ? LOG_INFO : LOG_WARNING,
		live ? "reload: changed" : "reload: this needs a restart", fields,
		sizeof fields / sizeof *fields);
	if (live) {
		take_over(config, fresh, option);
	}
}

void config_adopt(struct config *config, struct config *fresh) {
	for (size_t o = 0; o < option_count(); o++) {
		adopt_one(config, fresh, o);
	}
}

static bool check(const struct reload *reload, const struct config *fresh, struct error *err) {
	for (size_t i = 0; i < reload->hook_count; i++) {
		const struct reload_hook *hook = &reload->hooks[i];
		if (hook->check && !hook->check(hook->context, fresh, err)) {
			return false;
		}
	}
	return true;
}

static void apply(const struct reload *reload) {
	for (size_t i = 0; i < reload->hook_count; i++) {
		reload->hooks[i].apply(reload->hooks[i].context, reload->config);
	}
}

static bool run(const struct reload *reload, struct error *err) {
	struct config fresh;
	if (config_read(reload->argument_count, reload->arguments, &fresh, err) != CONFIG_RUN) {
		return false;
	}
	const bool ok = check(reload, &fresh, err);
	if (ok) {
		config_adopt(reload->config, &fresh);
		apply(reload);
	}
	// Last: until apply() the hooks borrow its texts.
	config_finish(&fresh);
	return ok;
}

void reload_run(const struct reload *reload) {
	struct error err = {0};
	notify_reloading();
	if (run(reload, &err)) {
		log_line(LOG_INFO, "reload: done");
	} else {
		log_line(LOG_ERROR, "reload: nothing is changed: %s", err.text);
	}
	notify("READY=1");
}
