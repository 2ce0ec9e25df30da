// What the command line says.
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "limits.h"
#include "routes.h"
#include "version.h"

#define MOST_THREADS 64
#define MOST_QUEUED 100000
#define MOST_SECONDS 3600
#define MOST_MIB 1048576

struct option {
	const char *name;
	const char *value; // its name in --help
	const char *purpose;
	bool (*set)(struct config *config, const char *value, struct error *err);
};

static bool set_listen(struct config *config, const char *value, struct error *err) {
	(void)err;
	config->listen = value;
	return true;
}

static bool set_data(struct config *config, const char *value, struct error *err) {
	(void)err;
	config->data = value;
	return true;
}

static bool set_load(struct config *config, const char *value, struct error *err) {
	(void)err;
	config->load = value;
	return true;
}

static bool set_cors_origin(struct config *config, const char *value, struct error *err) {
	if (!*value || strpbrk(value, " \t\r\n,")) {
		return error_set(err, ERROR_INVALID_VALUE,
			"--cors-origin is \"%s\", must be one origin such as https://example.org, "
			"or *",
			value);
	}
	config->cors_origin = value;
	return true;
}

/* The position of a value among names, which end with NULL. */
static bool read_choice(const char *name, const char *value, const char *const *names,
	size_t *choice, struct error *err) {
	for (size_t i = 0; names[i]; i++) {
		if (strcmp(names[i], value) == 0) {
			*choice = i;
			return true;
		}
	}
	char known[128];
	value_list_names(names, known, sizeof known);
	return error_set(
		err, ERROR_INVALID_VALUE, "%s is \"%s\", must be one of: %s", name, value, known);
}

static bool set_renderer(struct config *config, const char *value, struct error *err) {
	static const char *const names[] = {
		[RENDERER_AUTO] = "auto",
		[RENDERER_GPU] = "gpu",
		[RENDERER_SOFTWARE] = "software",
		[RENDERER_NONE] = "none",
		NULL,
	};
	size_t choice = 0;
	if (!read_choice("--renderer", value, names, &choice, err)) {
		return false;
	}
	config->renderer = (enum renderer_choice)choice;
	return true;
}

static bool set_sandbox(struct config *config, const char *value, struct error *err) {
	static const char *const names[] = {
		[SANDBOX_AUTO] = "auto",
		[SANDBOX_REQUIRE] = "require",
		[SANDBOX_OFF] = "off",
		NULL,
	};
	size_t choice = 0;
	if (!read_choice("--sandbox", value, names, &choice, err)) {
		return false;
	}
	config->sandbox = (enum sandbox)choice;
	return true;
}

static bool set_import_seconds(struct config *config, const char *value, struct error *err) {
	char *end;
	const double seconds = strtod(value, &end);
	if (!*value || *end || !(seconds > 0 && seconds <= MOST_SECONDS)) {
		return error_set(err, ERROR_INVALID_VALUE,
			"--import-seconds is \"%s\", must be a number above 0, up to %d", value,
			MOST_SECONDS);
	}
	config->import_seconds = seconds;
	return true;
}

static bool read_count(const char *name, const char *value, int most, int *out, struct error *err) {
	char *end;
	const long number = strtol(value, &end, 10);
	if (!*value || *end || number < 1 || number > most) {
		return error_set(err, ERROR_INVALID_VALUE,
			"%s is \"%s\", must be a whole number from 1 to %d", name, value, most);
	}
	*out = (int)number;
	return true;
}

static bool set_threads(struct config *config, const char *value, struct error *err) {
	return read_count("--render-threads", value, MOST_THREADS, &config->render_threads, err);
}

static bool set_queue(struct config *config, const char *value, struct error *err) {
	return read_count("--queue", value, MOST_QUEUED, &config->queue_length, err);
}

static bool set_rig_memory(struct config *config, const char *value, struct error *err) {
	return read_count("--rig-memory", value, MOST_MIB, &config->rig_memory_mib, err);
}

static const struct option options[] = {
	{"--listen", "ADDR:PORT",
		"where to listen (127.0.0.1:8600; [::1]:8600; port 0 = a free one)", set_listen},
	{"--data", "DIR", "where rigs are kept ($XDG_DATA_HOME/posed or ~/.local/share/posed)",
		set_data},
	{"--renderer", "auto|gpu|software|none", "what draws (auto)", set_renderer},
	{"--render-threads", "N", "render threads (2, or 1 on a single core)", set_threads},
	{"--queue", "N", "requests that may wait for a render thread (64)", set_queue},
	{"--rig-memory", "MIB",
		"memory for rigs that nobody uses at the moment; more are read again from the disk "
		"(1024)",
		set_rig_memory},
	{"--load", "DIR", "put every .glb, .gltf and .zip of DIR as a rig of its name", set_load},
	{"--import-seconds", "S", "seconds that reading an asset may take (10)",
		set_import_seconds},
	{"--sandbox", "auto|require|off",
		"processes that read assets: shut in as far as the kernel allows, or no start, or "
		"no such processes (auto)",
		set_sandbox},
	{"--cors-origin", "ORIGIN", "whose pages may read answers (*)", set_cors_origin},
};

#define OPTION_COUNT (sizeof options / sizeof *options)

static void print_help(void) {
	printf("posed holds glTF rigs and clips and answers HTTP with poses, skinned vertices and "
	       "pictures.\n\nusage: posed [OPTION VALUE]...\n");
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		printf("  %s %s\n      %s\n", options[i].name, options[i].value,
			options[i].purpose);
	}
	printf("  --help\n  --version\n\ncommands:\n");
	const struct command *command;
	for (unsigned i = 0; (command = command_at(i)); i++) {
		printf("  posed %s\n      %s\n", command->name, command->purpose);
	}
	printf("\ncalls:\n");
	const struct route *route;
	for (size_t i = 0; (route = route_at(i)); i++) {
		printf("  %-6s %-28s %s\n", call_method_name(route->method), route->path,
			route->purpose);
	}
}

/* "--name value" and "--name=value". Moves *i on to the last argument used. */
static bool read_option(
	int count, char **arguments, int *i, struct config *config, struct error *err) {
	const char *argument = arguments[*i];
	const size_t length = strcspn(argument, "=");
	size_t o = 0;
	while (o < OPTION_COUNT &&
		(strncmp(options[o].name, argument, length) != 0 || options[o].name[length])) {
		o++;
	}
	if (o == OPTION_COUNT) {
		return error_set(err, ERROR_INVALID_VALUE,
			"unknown argument \"%s\"; posed --help lists them all", argument);
	}
	const char *value = argument[length] ? argument + length + 1 : NULL;
	if (!value && *i + 1 < count) {
		value = arguments[++*i];
	}
	return value ? options[o].set(config, value, err)
		     : error_set(err, ERROR_INVALID_VALUE, "%s needs %s behind it", argument,
			       options[o].value);
}

static bool set_default_data(struct config *config, struct error *err) {
	const char *data_home = getenv("XDG_DATA_HOME");
	const char *home = getenv("HOME");
	// The XDG specification has relative paths ignored.
	const bool xdg = data_home && data_home[0] == '/';
	if (!xdg && !(home && *home)) {
		return error_set(err, ERROR_INVALID_VALUE,
			"neither XDG_DATA_HOME nor HOME is set: say where rigs are kept with "
			"--data");
	}
	snprintf(config->default_data, sizeof config->default_data, "%s%s/posed",
		xdg ? data_home : home, xdg ? "" : "/.local/share");
	config->data = config->default_data;
	return true;
}

enum config_result config_read(
	int argument_count, char **arguments, struct config *config, struct error *err) {
	*config = (struct config){
		.listen = "127.0.0.1:8600",
		.cors_origin = "*",
		.import_seconds = LIMIT_IMPORT_SECONDS,
		.render_threads = sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 2 : 1,
		.queue_length = 64,
		.rig_memory_mib = 1024,
	};
	for (int i = 1; i < argument_count; i++) {
		if (strcmp(arguments[i], "--help") == 0) {
			print_help();
			return CONFIG_DONE;
		}
		if (strcmp(arguments[i], "--version") == 0) {
			printf("posed %s\n", POSED_VERSION);
			return CONFIG_DONE;
		}
		if (!read_option(argument_count, arguments, &i, config, err)) {
			return CONFIG_WRONG;
		}
	}
	return config->data || set_default_data(config, err) ? CONFIG_RUN : CONFIG_WRONG;
}
