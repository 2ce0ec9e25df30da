// Printing of options: --help and --check-config.
#include "config/config_internal.h"

void config_print_options(void) {
	printf("options:\n");
	const struct option *option;
	for (size_t o = 0; (option = option_at(o)); o++) {
		char variable[OPTION_VARIABLE_BYTES];
		option_variable(option, variable);
		const char *value = option->default_value ? option->default_value : "";
		printf("  %s %s\n      %s%s%s%s\n      %s%s\n", option->name, option->value,
			option->purpose, *value ? " (" : "", value, *value ? ")" : "", variable,
			option->traits & OPTION_LIVE ? "; changes with a reload (SIGHUP)" : "");
	}
	printf("  --check-config\n      check the configuration and print it\n"
	       "  --help\n  --version\n\n"
	       "Each option is also an environment variable, named below it, and, except for\n"
	       "--config, a key of the configuration file, by its name without dashes. The "
	       "command\n"
	       "line overrides the environment, which overrides the file.\n");
}

void settings_origin(
	const struct settings *settings, size_t option, const char *path, char *text, size_t size) {
	char variable[OPTION_VARIABLE_BYTES];
	switch (settings_source(settings, option)) {
	case SOURCE_DEFAULT:
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

const char *option_shown(const struct option *option, const char *value) {
	return option->traits & OPTION_SECRET ? "********" : value;
}

static void print_one(const struct config *config, size_t option, FILE *out) {
	const struct option *row = option_at(option);
	const char *value = settings_value(config->settings, option);
	char origin[4200];
	settings_origin(config->settings, option, config->file, origin, sizeof origin);
	const bool given = settings_is_given(config->settings, option);
	const bool comment = !given || (row->traits & (OPTION_SECRET | OPTION_NO_FILE));
	fprintf(out, "# %s\n%s%s = %s\n", origin, comment ? "# " : "", option_key(row),
		value ? option_shown(row, value) : "");
}

void config_print(const struct config *config, FILE *out) {
	for (size_t o = 0; o < option_count(); o++) {
		print_one(config, o, out);
	}
}
