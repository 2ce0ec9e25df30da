// What posed prints about its options.
#include "config/config_internal.h"

void config_print_options(void) {
	printf("options:\n");
	const struct option *option;
	for (size_t o = 0; (option = option_at(o)); o++) {
		char variable[OPTION_VARIABLE_BYTES];
		option_variable(option, variable);
		const char *preset = option->preset ? option->preset : "";
		printf("  %s %s\n      %s%s%s%s\n      %s%s\n", option->name, option->value,
			option->purpose, *preset ? " (" : "", preset, *preset ? ")" : "", variable,
			option->traits & OPTION_LIVE ? "; changes with a reload (SIGHUP)" : "");
	}
	printf("  --check-config\n      say whether all this is right, and what it comes to\n"
	       "  --help\n  --version\n\n"
	       "Each option is also an environment variable, named below it, and but for --config "
	       "a\n"
	       "key of the configuration file, by its name without dashes. The command line comes\n"
	       "first, then the environment, then the file.\n");
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
	const bool comment = !given || (row->traits & (OPTION_SECRET | OPTION_ELSEWHERE));
	fprintf(out, "# %s\n%s%s = %s\n", origin, comment ? "# " : "", option_key(row),
		value ? option_shown(row, value) : "");
}

void config_print(const struct config *config, FILE *out) {
	for (size_t o = 0; o < option_count(); o++) {
		print_one(config, o, out);
	}
}
