// What a configuration comes to.
#include "config/config_internal.h"

#include <stdlib.h>
#include <string.h>

#include "config/address.h"
#include "version.h"

static void put_presets(struct settings *settings) {
	for (size_t o = 0; o < option_count(); o++) {
		if (option_at(o)->preset) {
			settings_put_preset(
				settings, option_key(option_at(o)), option_at(o)->preset);
		}
	}
	settings_put_found(settings);
}

/* Takes one value over, and says where a wrong one stands. */
static bool apply_one(struct config *config, size_t option, enum source source, struct error *err) {
	struct said *said = &config->settings->options[option];
	struct error why = {0};
	if (!said->by[source].value ||
		option_at(option)->set(config, said->by[source].value, &why)) {
		return true;
	}
	if (source == SOURCE_FILE) {
		return error_set(
			err, why.code, "%s:%d: %s", config->file, said->by[source].line, why.text);
	}
	char variable[OPTION_VARIABLE_BYTES];
	option_variable(option_at(option), variable);
	const bool named = source == SOURCE_ENVIRONMENT;
	return error_set(
		err, why.code, "%s%s%s", named ? variable : "", named ? ": " : "", why.text);
}

/* Every value is read, also one that a later source replaces: a mistake stays one. */
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
	// The file's mistakes are named by its path.
	config->file = path;
	return settings_take_file(config->settings, path, err);
}

/* Whether what is said of tokens and links goes together. */
static bool check_access(const struct config *config, struct error *err) {
	if (config->access.tokens && config->public) {
		return error_set(err, ERROR_INVALID_VALUE,
			"--tokens says who may do what, and --public on that everyone may do "
			"everything: give one of them");
	}
	if (config->access.anonymous && !config->access.tokens) {
		return error_set(err, ERROR_INVALID_VALUE,
			"--anonymous is for --tokens: without them requests may do everything");
	}
	return !config->access.presets_only || config->access.presets ||
		error_set(err, ERROR_INVALID_VALUE, "--presets-only on needs --presets FILE");
}

bool config_check(const struct config *config, struct error *err) {
	if (!config->data) {
		return error_set(err, ERROR_INVALID_VALUE,
			"neither XDG_DATA_HOME nor HOME is set: say where rigs are kept with "
			"--data");
	}
	if (config->read_only && config->load) {
		return error_set(err, ERROR_INVALID_VALUE,
			"--load puts rigs, and --read-only lets nothing be put: leave one out");
	}
	const char *mode = "socket-mode";
	if (settings_is_given(config->settings, option_find(mode, strlen(mode))) &&
		!address_is_path(config->listen)) {
		return error_set(err, ERROR_INVALID_VALUE,
			"--socket-mode is for --listen unix:/PATH, and --listen is \"%s\"",
			config->listen);
	}
	return check_access(config, err);
}

bool config_check_exposure(const struct config *config, bool local, struct error *err) {
	return local || config->public || config->access.tokens ||
		error_set(err, ERROR_INVALID_VALUE,
			"others than this machine can reach %s: say who may do what with "
			"--tokens FILE, or that everyone may with --public on",
			config->listen);
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
		} else if (!settings_take_argument(
				   config->settings, argument_count, arguments, &i, err)) {
			return CONFIG_WRONG;
		}
	}
	if (!settings_take_environment(config->settings, err) || !read_file(config, err) ||
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
	*config = (struct config){.settings = settings_create()};
	put_presets(config->settings);
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
	settings_destroy(config->settings);
	*config = (struct config){0};
}
