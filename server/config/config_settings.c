// What the sources of a configuration say: texts by option and source.
#include "config/config_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "base/utf8.h"

#define VARIABLE_PREFIX "POSED_"

/* Variables of that prefix which are for others: the clients, this program's tests, and what
 * Kubernetes and Docker put into every container beside a service that is called "posed". */
static const char *const foreign[] = {"POSED_SERVER", "POSED_TOKEN", "POSED_BINARY",
	"POSED_FAULTY_BINARY", "POSED_FAULTS", "POSED_SHARED_FILES", "POSED_PORT", NULL};
static const char *const foreign_prefixes[] = {"POSED_SERVICE_", "POSED_PORT_", NULL};

struct settings *settings_create(void) {
	struct settings *settings = xcalloc(1, sizeof *settings);
	settings->options = xcalloc(option_count(), sizeof *settings->options);
	return settings;
}

void settings_destroy(struct settings *settings) {
	if (!settings) {
		return;
	}
	for (size_t o = 0; o < option_count(); o++) {
		for (int source = 0; source < SOURCE_COUNT; source++) {
			free(settings->options[o].by[source].value);
		}
	}
	free(settings->options);
	free(settings);
}

void settings_put(struct settings *settings, size_t option, enum source source, const char *value,
	size_t length, int line) {
	struct text *text = &settings->options[option].by[source];
	free(text->value);
	*text = (struct text){xstrndup(value, length), line};
}

void settings_put_preset(struct settings *settings, const char *key, const char *value) {
	settings_put(
		settings, option_find(key, strlen(key)), SOURCE_PRESET, value, strlen(value), 0);
}

enum source settings_source(const struct settings *settings, size_t option) {
	int source = SOURCE_COUNT;
	while (source > 0 && !settings->options[option].by[source - 1].value) {
		source--;
	}
	return source > 0 ? (enum source)(source - 1) : SOURCE_COUNT;
}

bool settings_is_given(const struct settings *settings, size_t option) {
	const enum source source = settings_source(settings, option);
	return source != SOURCE_COUNT && source != SOURCE_PRESET;
}

const char *settings_value(const struct settings *settings, size_t option) {
	const enum source source = settings_source(settings, option);
	return source == SOURCE_COUNT ? NULL : settings->options[option].by[source].value;
}

void settings_origin(
	const struct settings *settings, size_t option, const char *path, char *text, size_t size) {
	char variable[OPTION_VARIABLE_BYTES];
	switch (settings_source(settings, option)) {
	case SOURCE_PRESET:
		snprintf(text, size, "default");
		return;
	case SOURCE_FILE:
		snprintf(text, size, "%s:%d", path, settings->options[option].by[SOURCE_FILE].line);
		return;
	case SOURCE_ENVIRONMENT:
		option_variable(option_at(option), variable);
		snprintf(text, size, "%s", variable);
		return;
	case SOURCE_ARGUMENTS:
		snprintf(text, size, "command line");
		return;
	case SOURCE_COUNT:
		snprintf(text, size, "not set");
		return;
	}
}

static bool refuse_argument(const char *argument, struct error *err) {
	struct nearest nearest = {.asked = argument};
	for (size_t o = 0; o < option_count(); o++) {
		nearest_offer(&nearest, option_at(o)->name);
	}
	char quoted[UTF8_QUOTED_BYTES], names[128];
	utf8_quote(argument, quoted, sizeof quoted);
	nearest_write(&nearest, names, sizeof names);
	return error_set(err, ERROR_INVALID_VALUE,
		"unknown argument %s; nearest: %s; posed --help lists them all", quoted, names);
}

bool settings_take_argument(
	struct settings *settings, int count, char **arguments, int *i, struct error *err) {
	const char *argument = arguments[*i];
	const bool dashed = strncmp(argument, "--", 2) == 0;
	const size_t length = strcspn(argument, "=");
	const size_t option = dashed ? option_find(argument + 2, length - 2) : option_count();
	if (option == option_count()) {
		return refuse_argument(argument, err);
	}
	const char *value = argument[length] ? argument + length + 1 : NULL;
	const bool alone = *i + 1 >= count || strncmp(arguments[*i + 1], "--", 2) == 0;
	if (!value && alone && (option_at(option)->traits & OPTION_SWITCH)) {
		value = "on";
	} else if (!value && *i + 1 < count) {
		value = arguments[++*i];
	}
	if (!value) {
		return error_set(err, ERROR_INVALID_VALUE, "%s needs %s behind it", argument,
			option_at(option)->value);
	}
	settings_put(settings, option, SOURCE_ARGUMENTS, value, strlen(value), 0);
	return true;
}

void option_variable(const struct option *option, char name[static OPTION_VARIABLE_BYTES]) {
	snprintf(name, OPTION_VARIABLE_BYTES, VARIABLE_PREFIX "%s", option_key(option));
	for (char *c = name; *c; c++) {
		*c = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
	}
}

static size_t find_variable(const char *name, size_t length) {
	char variable[OPTION_VARIABLE_BYTES];
	size_t o = 0;
	for (; o < option_count(); o++) {
		option_variable(option_at(o), variable);
		if (strlen(variable) == length && memcmp(variable, name, length) == 0) {
			break;
		}
	}
	return o;
}

static bool is_foreign(const char *name, size_t length) {
	for (size_t i = 0; foreign[i]; i++) {
		if (strlen(foreign[i]) == length && memcmp(foreign[i], name, length) == 0) {
			return true;
		}
	}
	for (size_t i = 0; foreign_prefixes[i]; i++) {
		if (strncmp(name, foreign_prefixes[i], strlen(foreign_prefixes[i])) == 0) {
			return true;
		}
	}
	return false;
}

static bool refuse_variable(const char *name, size_t length, struct error *err) {
	char *asked = xstrndup(name, length);
	char(*variables)[OPTION_VARIABLE_BYTES] = xcalloc(option_count(), sizeof *variables);
	struct nearest nearest = {.asked = asked};
	for (size_t o = 0; o < option_count(); o++) {
		option_variable(option_at(o), variables[o]);
		nearest_offer(&nearest, variables[o]);
	}
	char quoted[UTF8_QUOTED_BYTES], names[256];
	utf8_quote(asked, quoted, sizeof quoted);
	nearest_write(&nearest, names, sizeof names);
	error_set(err, ERROR_INVALID_VALUE,
		"unknown environment variable %s; nearest: %s; posed --help lists them all", quoted,
		names);
	free(variables);
	free(asked);
	return false;
}

bool settings_take_environment(struct settings *settings, struct error *err) {
	for (char **entry = environ; *entry; entry++) {
		const size_t length = strcspn(*entry, "=");
		if (strncmp(*entry, VARIABLE_PREFIX, strlen(VARIABLE_PREFIX)) != 0 ||
			!(*entry)[length]) {
			continue;
		}
		const size_t option = find_variable(*entry, length);
		if (option < option_count()) {
			const char *value = *entry + length + 1;
			settings_put(settings, option, SOURCE_ENVIRONMENT, value, strlen(value), 0);
		} else if (!is_foreign(*entry, length)) {
			return refuse_variable(*entry, length, err);
		}
	}
	return true;
}
