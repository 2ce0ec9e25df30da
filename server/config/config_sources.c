// The sources of a configuration: command line, environment, file, defaults.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/line_file.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "base/utf8.h"
#include "config/config_internal.h"
#include "version.h"

#define VARIABLE_PREFIX "POSED_"

/* Variables of that prefix for other programs: the clients, this program's tests, and the ones that
 * Kubernetes and Docker set in every container beside a service named "posed". */
static const char *const foreign[] = {"POSED_SERVER", "POSED_TOKEN", "POSED_BINARY",
	"POSED_FAULTY_BINARY", "POSED_FAULTS", "POSED_SHARED_FILES", "POSED_SARIF_SCHEMA",
	"POSED_TEST_RENDERER", "POSED_PORT", NULL};
static const char *const foreign_prefixes[] = {"POSED_SERVICE_", "POSED_PORT_", NULL};

static struct settings *create_settings(void) {
	struct settings *settings = xcalloc(1, sizeof *settings);
	settings->options = xcalloc(option_count(), sizeof *settings->options);
	return settings;
}

static void destroy_settings(struct settings *settings) {
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
	struct option_text *text = &settings->options[option].by[source];
	free(text->value);
	*text = (struct option_text){xstrndup(value, length), line};
}

void settings_put_default(struct settings *settings, const char *key, const char *value) {
	settings_put(
		settings, option_find(key, strlen(key)), SOURCE_DEFAULT, value, strlen(value), 0);
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
	return source != SOURCE_COUNT && source != SOURCE_DEFAULT;
}

const char *settings_value(const struct settings *settings, size_t option) {
	const enum source source = settings_source(settings, option);
	return source == SOURCE_COUNT ? NULL : settings->options[option].by[source].value;
}

static bool refuse_argument(const char *argument, struct error *err) {
	struct nearest nearest = {.unknown = argument};
	for (size_t o = 0; o < option_count(); o++) {
		nearest_offer(&nearest, option_at(o)->name);
	}
	char quoted[UTF8_QUOTED_BYTES], names[128];
	utf8_quote(argument, quoted, sizeof quoted);
	nearest_write(&nearest, names, sizeof names);
	return error_set(err, ERROR_INVALID_VALUE,
		"unknown argument %s; nearest: %s; posed --help lists them all", quoted, names);
}

static bool take_argument(
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
	if (!value && alone && (option_at(option)->kind == OPTION_SWITCH)) {
		value = "on";
	} else if (!value && *i + 1 < count) {
		value = arguments[++*i];
	}
	if (!value) {
		return error_set(err, ERROR_INVALID_VALUE, "%s needs a value: %s", argument,
			option_at(option)->value);
	}
	settings_put(settings, option, SOURCE_ARGUMENTS, value, strlen(value), 0);
	return true;
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
	char *unknown = xstrndup(name, length);
	char(*variables)[OPTION_VARIABLE_BYTES] = xcalloc(option_count(), sizeof *variables);
	struct nearest nearest = {.unknown = unknown};
	for (size_t o = 0; o < option_count(); o++) {
		option_variable(option_at(o), variables[o]);
		nearest_offer(&nearest, variables[o]);
	}
	char quoted[UTF8_QUOTED_BYTES], names[256];
	utf8_quote(unknown, quoted, sizeof quoted);
	nearest_write(&nearest, names, sizeof names);
	error_set(err, ERROR_INVALID_VALUE,
		"unknown environment variable %s; nearest: %s; posed --help lists them all", quoted,
		names);
	free(variables);
	free(unknown);
	return false;
}

static bool take_environment(struct settings *settings, struct error *err) {
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

/* Writes "listen, data, ..."; cut at size. */
static void list_keys(char *text, size_t size) {
	size_t used = 0;
	text[0] = '\0';
	for (size_t o = 0; o < option_count() && used < size; o++) {
		if (!(option_at(o)->traits & OPTION_NO_FILE)) {
			used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
				option_key(option_at(o)));
		}
	}
}

static bool refuse_key(const struct line *line, struct span key, struct error *err) {
	char unknown[UTF8_QUOTED_BYTES], quoted[UTF8_QUOTED_BYTES], nearby[128], known[512];
	snprintf(unknown, sizeof unknown, "%.*s", (int)key.length, key.start);
	span_quote(key, quoted);
	struct nearest nearest = {.unknown = unknown};
	for (size_t o = 0; o < option_count(); o++) {
		if (!(option_at(o)->traits & OPTION_NO_FILE)) {
			nearest_offer(&nearest, option_key(option_at(o)));
		}
	}
	nearest_write(&nearest, nearby, sizeof nearby);
	list_keys(known, sizeof known);
	return line_error(
		line, err, "no key %s; nearest: %s; known are: %s", quoted, nearby, known);
}

static bool take_line(void *context, const struct line *line, struct error *err) {
	struct settings *settings = context;
	const char *start = line->text.start;
	const char *equals = memchr(start, '=', line->text.length);
	if (!equals) {
		char quoted[UTF8_QUOTED_BYTES];
		span_quote(line->text, quoted);
		return line_error(line, err, "%s is not of the form key = value", quoted);
	}
	const size_t before = (size_t)(equals - start);
	const struct span key = span_trim((struct span){start, before});
	const struct span value =
		span_trim((struct span){equals + 1, line->text.length - before - 1});
	const size_t option = option_find(key.start, key.length);
	if (option == option_count() || (option_at(option)->traits & OPTION_NO_FILE)) {
		return refuse_key(line, key, err);
	}
	const struct option_text *there = &settings->options[option].by[SOURCE_FILE];
	if (there->value) {
		return line_error(line, err, "%s is there twice, first in line %d",
			option_key(option_at(option)), there->line);
	}
	settings_put(settings, option, SOURCE_FILE, value.start, value.length, line->number);
	return true;
}

static bool take_file(struct settings *settings, const char *path, struct error *err) {
	return line_file_read(path, take_line, settings, err);
}

static void put_defaults(struct settings *settings) {
	for (size_t o = 0; o < option_count(); o++) {
		if (option_at(o)->default_value) {
			settings_put_default(
				settings, option_key(option_at(o)), option_at(o)->default_value);
		}
	}
	settings_put_machine_defaults(settings);
}

/* Applies one value; the error names the source of a wrong one. */
static bool apply_one(struct config *config, size_t option, enum source source, struct error *err) {
	struct option_texts *texts = &config->settings->options[option];
	struct error why = {0};
	if (!texts->by[source].value ||
		option_set(option_at(option), config, texts->by[source].value, &why)) {
		return true;
	}
	if (source == SOURCE_FILE) {
		return error_set(
			err, why.code, "%s:%d: %s", config->file, texts->by[source].line, why.text);
	}
	char variable[OPTION_VARIABLE_BYTES];
	option_variable(option_at(option), variable);
	const bool named = source == SOURCE_ENVIRONMENT;
	return error_set(
		err, why.code, "%s%s%s", named ? variable : "", named ? ": " : "", why.text);
}

/* Validates every source, even if one of higher precedence overrides it. */
static bool apply(struct config *config, struct error *err) {
	for (size_t o = 0; o < option_count(); o++) {
		for (int source = 0; source < SOURCE_COUNT; source++) {
			if (!apply_one(config, o, (enum source)source, err)) {
				return false;
			}
		}
	}
	return true;
}

static bool read_file(struct config *config, struct error *err) {
	const char *key = "config";
	const char *path = settings_value(config->settings, option_find(key, strlen(key)));
	if (!path) {
		return true;
	}
	if (!*path) {
		return error_set(err, ERROR_INVALID_VALUE, "--config is empty");
	}
	// For errors in the file.
	config->file = path;
	return take_file(config->settings, path, err);
}

static enum config_result read_all(
	int argument_count, char **arguments, struct config *config, struct error *err) {
	bool check = false;
	for (int i = 1; i < argument_count; i++) {
		if (strcmp(arguments[i], "--help") == 0) {
			config_print_options();
			return CONFIG_DONE;
		}
		if (strcmp(arguments[i], "--version") == 0) {
			printf("posed %s\n", POSED_VERSION);
			return CONFIG_DONE;
		}
		if (strcmp(arguments[i], "--check-config") == 0) {
			check = true;
		} else if (!take_argument(config->settings, argument_count, arguments, &i, err)) {
			return CONFIG_WRONG;
		}
	}
	if (!take_environment(config->settings, err) || !read_file(config, err) ||
		!apply(config, err) || !config_check(config, err)) {
		return CONFIG_WRONG;
	}
	if (check && !config_check_places(config, err)) {
		return CONFIG_WRONG;
	}
	if (check) {
		config_print(config, stdout);
	}
	return check ? CONFIG_DONE : CONFIG_RUN;
}

enum config_result config_read(
	int argument_count, char **arguments, struct config *config, struct error *err) {
	*config = (struct config){.settings = create_settings()};
	put_defaults(config->settings);
	const enum config_result result = read_all(argument_count, arguments, config, err);
	if (result != CONFIG_RUN) {
		config_finish(config);
	}
	return result;
}

bool config_read_or_end(int argument_count, char **arguments, const char *program,
	struct config *config, int *status) {
	struct error err = {0};
	const enum config_result result = config_read(argument_count, arguments, config, &err);
	if (result == CONFIG_WRONG) {
		fprintf(stderr, "%s: %s\n", program, err.text);
	}
	*status = result == CONFIG_WRONG ? EXIT_WRONG_ARGUMENTS : EXIT_SUCCESS;
	return result == CONFIG_RUN;
}

bool config_take_flag(int *argument_count, char **arguments, const char *name) {
	for (int i = 1; i < *argument_count; i++) {
		if (strcmp(arguments[i], name) == 0) {
			memmove(&arguments[i], &arguments[i + 1],
				(size_t)(*argument_count - i) * sizeof *arguments);
			(*argument_count)--;
			return true;
		}
	}
	return false;
}

void config_finish(struct config *config) {
	destroy_settings(config->settings);
	*config = (struct config){0};
}
