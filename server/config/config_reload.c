// What a reload changes.
#include "config/config_internal.h"

#include <assert.h>
#include <string.h>

#include "base/log.h"

static bool is_same(const char *a, const char *b) {
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static void take_over(struct config *config, struct config *fresh, size_t option) {
	struct said *here = &config->settings->options[option];
	const struct said before = *here;
	*here = fresh->settings->options[option];
	fresh->settings->options[option] = before;
	struct error err = {0};
	const bool taken =
		option_at(option)->set(config, settings_value(config->settings, option), &err);
	assert(taken); // it was, into fresh
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
