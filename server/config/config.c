// The table of options, and the checks of a configuration.
#include "config/config_internal.h"

#include <ctype.h>
#include <errno.h>
#include <libgen.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/auth.h"
#include "access/origins.h"
#include "access/signature.h"
#include "base/memory.h"
#include "base/value.h"
#include "config/address.h"
#include "renderer.h"

#define MAX_THREADS 64
#define MAX_QUEUED 100000
#define MAX_SECONDS 3600
#define MAX_MIB 1048576
#define MAX_LENGTH 1e6
#define MIN_IMPORT_MIB 64 // for a small rig and its reader
#define MAX_DISK_MIB 16777216

static const char *const renderers[] = {
	[RENDERER_AUTO] = "auto",
	[RENDERER_GPU] = "gpu",
	[RENDERER_CPU] = "cpu",
	[RENDERER_SOFTWARE] = "software",
	[RENDERER_NONE] = "none",
	NULL,
};

static const char *const sandboxes[] = {
	[SANDBOX_AUTO] = "auto",
	[SANDBOX_REQUIRE] = "require",
	[SANDBOX_OFF] = "off",
	NULL,
};

static const char *const log_formats[] = {[LOG_TEXT] = "text", [LOG_JSON] = "json", NULL};

static const char *const log_levels[] = {
	[LOG_DEBUG] = "debug",
	[LOG_INFO] = "info",
	[LOG_WARNING] = "warning",
	[LOG_ERROR] = "error",
	NULL,
};

static const char *const switches[] = {"off", "on", NULL};

static bool check_cors_origin(const char *value, struct error *err) {
	return !strpbrk(value, " \t\r\n,") ||
		error_set(err, ERROR_INVALID_VALUE,
			"--cors-origin is \"%s\", must be one origin such as https://example.org, "
			"or *",
			value);
}

#define MEMBER(member) .offset = offsetof(struct config, member)
#define TEXT(member) .kind = OPTION_TEXT, MEMBER(member)
#define INTEGER(member, least, greatest) \
	.kind = OPTION_INTEGER, MEMBER(member), .min = (least), .max = (greatest)
#define SECONDS(member) .kind = OPTION_SECONDS, MEMBER(member)
#define CHOICE(member, names) .kind = OPTION_CHOICE, MEMBER(member), .choices = (names)
#define SWITCH(member) .kind = OPTION_SWITCH, MEMBER(member)

static const struct option options[] = {
	{"--config", "FILE", "configuration file of lines \"key = value\"", TEXT(file),
		.traits = OPTION_NO_FILE},
	{"--listen", "ADDR:PORT",
		"address to listen on: [ADDR]:PORT for IPv6, port 0 for a free one; or "
		"unix:/PATH",
		TEXT(listen), .default_value = "127.0.0.1:8600"},
	{"--socket-mode", "OCTAL", "permissions of a socket at unix:/PATH", .kind = OPTION_MODE,
		MEMBER(socket_mode), .default_value = "660"},
	{"--data", "DIR",
		"directory of the stored rigs ($XDG_DATA_HOME/posed or "
		"~/.local/share/posed)",
		TEXT(data)},
	{"--read-only", "on|off", "serve the stored rigs and write nothing to --data",
		SWITCH(read_only), .default_value = "off"},
	{"--renderer", "auto|gpu|cpu|software|none",
		"renderer: a GPU if there is one and else the CPU (auto), only a GPU, only the "
		"CPU, a software driver, or none",
		CHOICE(renderer, renderers), .default_value = "auto"},
	{"--render-threads", "N", "render threads (2, or 1 on a single core)",
		INTEGER(render_threads, 1, MAX_THREADS)},
	{"--cpu-threads", "N", "threads for poses, vertices and descriptions (one per core)",
		INTEGER(cpu_threads, 1, MAX_THREADS)},
	{"--queue", "N", "maximum number of requests queued or running in each thread pool",
		INTEGER(queue_length, 1, MAX_QUEUED), .default_value = "4096"},
	{"--queue-wait-ms", "MS",
		"target queueing delay in milliseconds while a queue stays non-empty; "
		"short bursts may wait longer",
		INTEGER(queue_wait_ms, 1, MAX_SECONDS * 1000), .default_value = "25"},
	{"--deadline-seconds", "S", "deadline of requests without Posed-Deadline-Ms",
		SECONDS(deadline_s), .default_value = "30"},
	{"--idle-seconds", "S",
		"idle timeout of connections; a transfer may take this long plus size / "
		"16 KiB/s",
		INTEGER(idle_s, 1, MAX_SECONDS), .default_value = "30"},
	{"--hang-seconds", "S",
		"time limit of one piece of work, after which its thread is replaced",
		SECONDS(hang_s), .default_value = "60"},
	{"--release-seconds", "S", "idle time after which a thread frees its buffers",
		SECONDS(release_s), .default_value = "30"},
	{"--cache-memory", "MIB", "MiB of memory for cached responses; 0 = none",
		INTEGER(cache_memory_mib, 0, MAX_MIB), .default_value = "64"},
	{"--cache", "DIR", "directory for cached responses, which survive a restart there",
		TEXT(cache)},
	{"--cache-disk", "MIB", "maximum size of that directory in MiB",
		INTEGER(cache_disk_mib, 1, MAX_DISK_MIB), .default_value = "1024"},
	{"--rig-memory", "MIB",
		"MiB of memory for rigs not in use; others are read from the disk again",
		INTEGER(rig_memory_mib, 1, MAX_MIB), .default_value = "1024"},
	{"--clip-tolerance", "LENGTH",
		"how far baked clips may be off when they are stored, for a figure of a human's "
		"size and in proportion for others: a number with mm, cm or m; raw = every key",
		.kind = OPTION_LENGTH, MEMBER(clip_tolerance_m), .default_value = "0.01mm"},
	{"--load", "DIR", "store every model of DIR, such as a .glb or .fbx, as a rig of its name",
		TEXT(load)},
	{"--import-seconds", "S", "limit of processor time for reading an asset",
		SECONDS(import_seconds), .default_value = "10"},
	{"--import-threads", "N",
		"assets read at once, at most three quarters of them for one client",
		INTEGER(import_threads, 2, MAX_THREADS), .default_value = "4"},
	{"--import-memory", "MIB", "MiB of memory for all assets that are being read",
		INTEGER(import_memory_mib, MIN_IMPORT_MIB, MAX_MIB), .default_value = "2048"},
	{"--sandbox", "auto|require|off",
		"sandbox of the processes that read assets: as far as the kernel allows "
		"(auto), required to start, or no such processes (off)",
		CHOICE(sandbox, sandboxes), .default_value = "auto"},
	{"--uses", "USES",
		"uses that an avatar's licence has to allow, or its pictures and files are "
		"refused: commercial,redistribution (docs/vrm.md)",
		.kind = OPTION_USES, MEMBER(uses), .default_value = "none"},
	{"--hosts", "NAMES",
		"names of this daemon in URLs besides localhost and addresses: "
		"a.example,b.example; * = any",
		TEXT(hosts), .check = origins_check_hosts, .default_value = ORIGINS_NONE,
		.traits = OPTION_LIVE},
	{"--cors-origin", "ORIGIN",
		"origin whose pages may pose, render and read; * = any, except for files "
		"and metrics",
		TEXT(cors_origin), .check = check_cors_origin, .default_value = "*",
		.traits = OPTION_LIVE},
	{"--trusted-origins", "ORIGINS",
		"origins whose pages may do everything: "
		"https://a.example,https://b.example",
		TEXT(trusted_origins), .check = origins_check_trusted,
		.default_value = ORIGINS_NONE, .traits = OPTION_LIVE},
	{"--tokens", "FILE",
		"file of lines NAME SCOPES TOKEN, which authorize clients "
		"(docs/access.md)",
		TEXT(access.tokens), .traits = OPTION_LIVE},
	{"--public", "on|off", "let every client do everything, whatever --listen is",
		SWITCH(public), .default_value = "off"},
	{"--anonymous", "SCOPES", "scopes of requests without a token: read,render,write or none",
		.kind = OPTION_SCOPES, MEMBER(access.anonymous), .default_value = "none",
		.traits = OPTION_LIVE},
	{"--sign-keys", "FILE",
		"file of lines KEY SALT in hexadecimal, for signed links to pictures",
		TEXT(access.sign_keys), .traits = OPTION_LIVE},
	{"--sign-bytes", "N", "bytes of a signature, from 8 to 32",
		INTEGER(access.sign_bytes, MIN_SIGNATURE, MAX_SIGNATURE), .default_value = "32",
		.traits = OPTION_LIVE},
	{"--presets", "FILE", "file of lines NAME = option:value/option:value, for signed links",
		TEXT(access.presets), .traits = OPTION_LIVE},
	{"--presets-only", "on|off", "restrict signed links to presets",
		SWITCH(access.presets_only), .default_value = "off", .traits = OPTION_LIVE},
	{"--log-format", "text|json", "format of log lines", CHOICE(log_format, log_formats),
		.default_value = "text", .traits = OPTION_LIVE},
	{"--log-level", "debug|info|warning|error", "lowest level that is logged",
		CHOICE(log_level, log_levels), .default_value = "info", .traits = OPTION_LIVE},
	{"--access-log", "on|off", "log one line per request, at info", SWITCH(access_log),
		.default_value = "on", .traits = OPTION_LIVE},
};

static bool set_text(
	const struct option *option, const char **out, const char *value, struct error *err) {
	if (!*value) {
		return error_set(err, ERROR_INVALID_VALUE, "%s is empty", option->name);
	}
	*out = value;
	return !option->check || option->check(value, err);
}

static bool set_integer(
	const struct option *option, int *out, const char *value, struct error *err) {
	char *end;
	const long number = strtol(value, &end, 10);
	if (!*value || *end || number < option->min || number > option->max) {
		return error_set(err, ERROR_INVALID_VALUE,
			"%s is \"%s\", must be a whole number from %d to %d", option->name, value,
			option->min, option->max);
	}
	*out = (int)number;
	return true;
}

static bool set_seconds(
	const struct option *option, double *out, const char *value, struct error *err) {
	char *end;
	const double seconds = strtod(value, &end);
	if (!*value || *end || !(seconds > 0 && seconds <= MAX_SECONDS)) {
		return error_set(err, ERROR_INVALID_VALUE,
			"%s is \"%s\", must be a number above 0, up to %d", option->name, value,
			MAX_SECONDS);
	}
	*out = seconds;
	return true;
}

static bool set_choice(const struct option *option, const char *const *names, unsigned *out,
	const char *value, struct error *err) {
	for (unsigned i = 0; names[i]; i++) {
		if (strcmp(names[i], value) == 0) {
			*out = i;
			return true;
		}
	}
	char known[128];
	value_list_names(names, known, sizeof known);
	return error_set(err, ERROR_INVALID_VALUE, "%s is \"%s\", must be one of: %s", option->name,
		value, known);
}

static bool set_mode(
	const struct option *option, unsigned *out, const char *value, struct error *err) {
	char *end;
	const unsigned long mode = strtoul(value, &end, 8);
	if (strspn(value, "01234567") == 0 || *end || mode > 0777) {
		return error_set(err, ERROR_INVALID_VALUE,
			"%s is \"%s\", must be an octal number from 0 to 777", option->name, value);
	}
	*out = (unsigned)mode;
	return true;
}

static bool set_scopes(
	const struct option *option, unsigned *out, const char *value, struct error *err) {
	struct error why = {0};
	*out = 0;
	return strcmp(value, "none") == 0 || scopes_read(value, strlen(value), out, &why) ||
		error_set(err, why.code,
			"%s is \"%s\", must be scopes such as read,render, or none: %s",
			option->name, value, why.text);
}

static bool set_uses(
	const struct option *option, unsigned *out, const char *value, struct error *err) {
	struct error why = {0};
	return licence_read_uses(value, strlen(value), out, &why) ||
		error_set(err, why.code,
			"%s is \"%s\", must be uses such as commercial,redistribution, or none: "
			"%s",
			option->name, value, why.text);
}

static bool set_length(
	const struct option *option, double *out, const char *value, struct error *err) {
	static const struct {
		const char *name;
		double size_m;
	} units[] = {{"mm", 1e-3}, {"cm", 1e-2}, {"m", 1}, {"", 1}};
	char *end;
	const double number = strtod(value, &end);
	const bool is_number = end != value && number >= 0 && number <= MAX_LENGTH;
	*out = 0;
	if (strcmp(value, "raw") == 0) {
		return true;
	}
	for (size_t i = 0; is_number && i < sizeof units / sizeof *units; i++) {
		if (strcmp(end, units[i].name) == 0) {
			*out = number * units[i].size_m;
			return true;
		}
	}
	return error_set(err, ERROR_INVALID_VALUE,
		"%s is \"%s\", must be a number with mm, cm or m, such as 0.01mm, or raw",
		option->name, value);
}

/* Members of the enums are written as unsigned integers. */
_Static_assert(sizeof(enum renderer_choice) == sizeof(unsigned), "");
_Static_assert(sizeof(enum sandbox) == sizeof(unsigned), "");
_Static_assert(sizeof(enum log_format) == sizeof(unsigned), "");
_Static_assert(sizeof(enum log_level) == sizeof(unsigned), "");

bool option_set(
	const struct option *option, struct config *config, const char *value, struct error *err) {
	void *const out = (char *)config + option->offset;
	unsigned choice = 0;
	switch (option->kind) {
	case OPTION_TEXT:
		return set_text(option, out, value, err);
	case OPTION_INTEGER:
		return set_integer(option, out, value, err);
	case OPTION_SECONDS:
		return set_seconds(option, out, value, err);
	case OPTION_CHOICE:
		return set_choice(option, option->choices, out, value, err);
	case OPTION_SWITCH:
		if (!set_choice(option, switches, &choice, value, err)) {
			return false;
		}
		*(bool *)out = choice == 1;
		return true;
	case OPTION_MODE:
		return set_mode(option, out, value, err);
	case OPTION_SCOPES:
		return set_scopes(option, out, value, err);
	case OPTION_USES:
		return set_uses(option, out, value, err);
	case OPTION_LENGTH:
		return set_length(option, out, value, err);
	}
	return false;
}

#define OPTION_COUNT (sizeof options / sizeof *options)

size_t option_count(void) {
	return OPTION_COUNT;
}

const struct option *option_at(size_t index) {
	return index < OPTION_COUNT ? &options[index] : NULL;
}

const char *option_key(const struct option *option) {
	return option->name + strlen("--");
}

size_t option_find(const char *key, size_t length) {
	size_t o = 0;
	while (o < OPTION_COUNT &&
		(strlen(option_key(&options[o])) != length ||
			memcmp(option_key(&options[o]), key, length) != 0)) {
		o++;
	}
	return o;
}

void option_variable(const struct option *option, char name[static OPTION_VARIABLE_BYTES]) {
	snprintf(name, OPTION_VARIABLE_BYTES, "POSED_%s", option_key(option));
	for (char *c = name; *c; c++) {
		*c = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
	}
}

void settings_put_machine_defaults(struct settings *settings) {
	const long cores = sysconf(_SC_NPROCESSORS_ONLN);
	char threads[16];
	snprintf(threads, sizeof threads, "%ld",
		cores < 1                     ? 1
			: cores > MAX_THREADS ? MAX_THREADS
					      : cores);
	settings_put_default(settings, "render-threads", cores > 1 ? "2" : "1");
	settings_put_default(settings, "cpu-threads", threads);
	const char *data_home = getenv("XDG_DATA_HOME");
	const char *home = getenv("HOME");
	// The XDG specification has relative paths ignored.
	const bool xdg = data_home && data_home[0] == '/';
	if (xdg || (home && *home)) {
		char data[4096];
		snprintf(data, sizeof data, "%s%s/posed", xdg ? data_home : home,
			xdg ? "" : "/.local/share");
		settings_put_default(settings, "data", data);
	}
}

static bool check_access(const struct config *config, struct error *err) {
	if (config->access.tokens && config->public) {
		return error_set(err, ERROR_INVALID_VALUE,
			"--tokens restricts clients, and --public on allows them everything: give "
			"one of them");
	}
	if (config->access.anonymous && !config->access.tokens) {
		return error_set(err, ERROR_INVALID_VALUE,
			"--anonymous needs --tokens: without tokens, clients may do everything");
	}
	return !config->access.presets_only || config->access.presets ||
		error_set(err, ERROR_INVALID_VALUE, "--presets-only on needs --presets FILE");
}

bool config_check(const struct config *config, struct error *err) {
	if (!config->data) {
		return error_set(err, ERROR_INVALID_VALUE,
			"neither XDG_DATA_HOME nor HOME is set: give the directory for rigs with "
			"--data");
	}
	if (config->read_only && config->load) {
		return error_set(err, ERROR_INVALID_VALUE,
			"--load stores rigs, and --read-only forbids that: leave one out");
	}
	const char *mode = "socket-mode";
	if (settings_is_given(config->settings, option_find(mode, strlen(mode))) &&
		!address_is_path(config->listen)) {
		return error_set(err, ERROR_INVALID_VALUE,
			"--socket-mode needs --listen unix:/PATH, and --listen is \"%s\"",
			config->listen);
	}
	return check_access(config, err);
}

bool config_check_exposure(const struct config *config, bool local, struct error *err) {
	return local || config->public || config->access.tokens ||
		error_set(err, ERROR_INVALID_VALUE,
			"other machines can reach %s: authorize clients with --tokens FILE, or "
			"allow everything with --public on",
			config->listen);
}

static bool check_directory(const char *name, const char *path, int rights, struct error *err) {
	struct stat status;
	if (stat(path, &status) != 0 || (S_ISDIR(status.st_mode) && access(path, rights) != 0)) {
		return error_set(
			err, ERROR_INVALID_VALUE, "%s: %s: %s", name, path, strerror(errno));
	}
	return S_ISDIR(status.st_mode) ||
		error_set(err, ERROR_INVALID_VALUE, "%s: %s is not a directory", name, path);
}

/* Checks a directory, or its nearest existing parent, in which it will be made. */
static bool check_data(const char *path, struct error *err) {
	char *nearest = xstrndup(path, strlen(path));
	struct stat status;
	while (stat(nearest, &status) != 0 && errno == ENOENT && strchr(nearest, '/')) {
		// dirname() works in its argument, and ends with "/" or ".".
		const char *parent = dirname(nearest);
		memmove(nearest, parent, strlen(parent) + 1);
	}
	const bool relative = stat(nearest, &status) != 0 && errno == ENOENT;
	const bool ok =
		check_directory("--data", relative ? "." : nearest, R_OK | W_OK | X_OK, err);
	free(nearest);
	return ok;
}

static bool check_access_files(const struct config *config, struct error *err) {
	struct auth *auth = auth_create(false);
	const bool ok = auth_check(auth, &config->access, err);
	auth_destroy(auth);
	return ok;
}

bool config_check_places(const struct config *config, struct error *err) {
	return address_check(config->listen, err) &&
		config_check_exposure(config, address_is_local(config->listen), err) &&
		check_access_files(config, err) &&
		(config->read_only ? check_directory("--data", config->data, R_OK | X_OK, err)
				   : check_data(config->data, err)) &&
		(!config->load || check_directory("--load", config->load, R_OK | X_OK, err));
}
