// The table of options.
#include "config/config_internal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "access/origins.h"
#include "access/scope.h"
#include "access/signature.h"
#define MOST_THREADS 64
#define MOST_QUEUED 100000
#define MOST_SECONDS 3600
#define MOST_MIB 1048576
#define LEAST_IMPORT_MIB 64 // for a small rig and its reader
#define MOST_DISK_MIB 16777216

static bool read_text(const char *name, const char *value, const char **out, struct error *err) {
	if (!*value) {
		return error_set(err, ERROR_INVALID_VALUE, "%s is empty", name);
	}
	*out = value;
	return true;
}

static bool set_config(struct config *config, const char *value, struct error *err) {
	return read_text("--config", value, &config->file, err);
}

static bool set_listen(struct config *config, const char *value, struct error *err) {
	return read_text("--listen", value, &config->listen, err);
}

static bool set_socket_mode(struct config *config, const char *value, struct error *err) {
	char *end;
	const unsigned long mode = strtoul(value, &end, 8);
	if (strspn(value, "01234567") == 0 || *end || mode > 0777) {
		return error_set(err, ERROR_INVALID_VALUE,
			"--socket-mode is \"%s\", must be an octal number from 0 to 777", value);
	}
	config->socket_mode = (unsigned)mode;
	return true;
}

static bool set_data(struct config *config, const char *value, struct error *err) {
	return read_text("--data", value, &config->data, err);
}

static bool set_load(struct config *config, const char *value, struct error *err) {
	return read_text("--load", value, &config->load, err);
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

static bool set_hosts(struct config *config, const char *value, struct error *err) {
	config->hosts = value;
	return origins_check_hosts(value, err);
}

static bool set_trusted_origins(struct config *config, const char *value, struct error *err) {
	config->trusted_origins = value;
	return origins_check_trusted(value, err);
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

static bool read_seconds(const char *name, const char *value, double *out, struct error *err) {
	char *end;
	const double seconds = strtod(value, &end);
	if (!*value || *end || !(seconds > 0 && seconds <= MOST_SECONDS)) {
		return error_set(err, ERROR_INVALID_VALUE,
			"%s is \"%s\", must be a number above 0, up to %d", name, value,
			MOST_SECONDS);
	}
	*out = seconds;
	return true;
}

static bool set_import_seconds(struct config *config, const char *value, struct error *err) {
	return read_seconds("--import-seconds", value, &config->import_seconds, err);
}

static bool set_deadline(struct config *config, const char *value, struct error *err) {
	return read_seconds("--deadline-seconds", value, &config->deadline_s, err);
}

static bool set_hang(struct config *config, const char *value, struct error *err) {
	return read_seconds("--hang-seconds", value, &config->hang_s, err);
}

static bool set_release(struct config *config, const char *value, struct error *err) {
	return read_seconds("--release-seconds", value, &config->release_s, err);
}

static bool read_count(
	const char *name, const char *value, int least, int most, int *out, struct error *err) {
	char *end;
	const long number = strtol(value, &end, 10);
	if (!*value || *end || number < least || number > most) {
		return error_set(err, ERROR_INVALID_VALUE,
			"%s is \"%s\", must be a whole number from %d to %d", name, value, least,
			most);
	}
	*out = (int)number;
	return true;
}

static bool set_import_threads(struct config *config, const char *value, struct error *err) {
	return read_count("--import-threads", value, 2, MOST_THREADS, &config->import_threads, err);
}

static bool set_import_memory(struct config *config, const char *value, struct error *err) {
	return read_count("--import-memory", value, LEAST_IMPORT_MIB, MOST_MIB,
		&config->import_memory_mib, err);
}

static bool set_threads(struct config *config, const char *value, struct error *err) {
	return read_count("--render-threads", value, 1, MOST_THREADS, &config->render_threads, err);
}

static bool set_cpu_threads(struct config *config, const char *value, struct error *err) {
	return read_count("--cpu-threads", value, 1, MOST_THREADS, &config->cpu_threads, err);
}

static bool set_cache_memory(struct config *config, const char *value, struct error *err) {
	return read_count("--cache-memory", value, 0, MOST_MIB, &config->cache_memory_mib, err);
}

static bool set_cache(struct config *config, const char *value, struct error *err) {
	return read_text("--cache", value, &config->cache, err);
}

static bool set_cache_disk(struct config *config, const char *value, struct error *err) {
	return read_count("--cache-disk", value, 1, MOST_DISK_MIB, &config->cache_disk_mib, err);
}

static bool set_idle(struct config *config, const char *value, struct error *err) {
	return read_count("--idle-seconds", value, 1, MOST_SECONDS, &config->idle_s, err);
}

static bool set_queue(struct config *config, const char *value, struct error *err) {
	return read_count("--queue", value, 1, MOST_QUEUED, &config->queue_length, err);
}

static bool set_rig_memory(struct config *config, const char *value, struct error *err) {
	return read_count("--rig-memory", value, 1, MOST_MIB, &config->rig_memory_mib, err);
}

static bool set_queue_wait(struct config *config, const char *value, struct error *err) {
	return read_count(
		"--queue-wait-ms", value, 1, MOST_SECONDS * 1000, &config->queue_wait_ms, err);
}

static bool set_log_format(struct config *config, const char *value, struct error *err) {
	static const char *const names[] = {[LOG_TEXT] = "text", [LOG_JSON] = "json", NULL};
	size_t choice = 0;
	if (!read_choice("--log-format", value, names, &choice, err)) {
		return false;
	}
	config->log_format = (enum log_format)choice;
	return true;
}

static bool set_log_level(struct config *config, const char *value, struct error *err) {
	static const char *const names[] = {
		[LOG_DEBUG] = "debug",
		[LOG_INFO] = "info",
		[LOG_WARNING] = "warning",
		[LOG_ERROR] = "error",
		NULL,
	};
	size_t choice = 0;
	if (!read_choice("--log-level", value, names, &choice, err)) {
		return false;
	}
	config->log_level = (enum log_level)choice;
	return true;
}

static bool read_switch(const char *name, const char *value, bool *out, struct error *err) {
	static const char *const names[] = {"off", "on", NULL};
	size_t choice = 0;
	if (!read_choice(name, value, names, &choice, err)) {
		return false;
	}
	*out = choice == 1;
	return true;
}

static bool set_access_log(struct config *config, const char *value, struct error *err) {
	return read_switch("--access-log", value, &config->access_log, err);
}

static bool set_tokens(struct config *config, const char *value, struct error *err) {
	return read_text("--tokens", value, &config->access.tokens, err);
}

static bool set_read_only(struct config *config, const char *value, struct error *err) {
	return read_switch("--read-only", value, &config->read_only, err);
}

static bool set_public(struct config *config, const char *value, struct error *err) {
	return read_switch("--public", value, &config->public, err);
}

static bool set_anonymous(struct config *config, const char *value, struct error *err) {
	struct error why = {0};
	config->access.anonymous = 0;
	return strcmp(value, "none") == 0 ||
		scopes_read(value, strlen(value), &config->access.anonymous, &why) ||
		error_set(err, why.code,
			"--anonymous is \"%s\", must be scopes such as "
			"read,render, or none: %s",
			value, why.text);
}

static bool set_sign_keys(struct config *config, const char *value, struct error *err) {
	return read_text("--sign-keys", value, &config->access.sign_keys, err);
}

static bool set_sign_bytes(struct config *config, const char *value, struct error *err) {
	return read_count("--sign-bytes", value, SIGNATURE_LEAST, SIGNATURE_MOST,
		&config->access.sign_bytes, err);
}

static bool set_presets(struct config *config, const char *value, struct error *err) {
	return read_text("--presets", value, &config->access.presets, err);
}

static bool set_presets_only(struct config *config, const char *value, struct error *err) {
	return read_switch("--presets-only", value, &config->access.presets_only, err);
}

static const struct option options[] = {
	{"--config", "FILE", "a file of lines \"key = value\" to read first", set_config, NULL,
		OPTION_ELSEWHERE},
	{"--listen", "ADDR:PORT",
		"where to listen: [ADDR]:PORT for IPv6, port 0 for a free one; or unix:/PATH",
		set_listen, "127.0.0.1:8600", 0},
	{"--socket-mode", "OCTAL", "who may connect to a unix:/PATH", set_socket_mode, "660", 0},
	{"--data", "DIR", "where rigs are kept ($XDG_DATA_HOME/posed or ~/.local/share/posed)",
		set_data, NULL, 0},
	{"--read-only", "on|off",
		"whether rigs are only served, from a directory in which nothing is written",
		set_read_only, "off", OPTION_SWITCH},
	{"--renderer", "auto|gpu|software|none", "what draws", set_renderer, "auto", 0},
	{"--render-threads", "N", "render threads (2, or 1 on a single core)", set_threads, NULL,
		0},
	{"--cpu-threads", "N", "threads for poses, vertices and descriptions (one a core)",
		set_cpu_threads, NULL, 0},
	{"--queue", "N", "requests that may wait for each kind of thread, or be at work there",
		set_queue, "4096", 0},
	{"--queue-wait-ms", "MS",
		"milliseconds that requests may wait while there always are some; bursts may "
		"longer",
		set_queue_wait, "25", 0},
	{"--deadline-seconds", "S", "seconds to an answer, for requests without Posed-Deadline-Ms",
		set_deadline, "30", 0},
	{"--idle-seconds", "S",
		"seconds that a connection may be silent; transfers may take as long besides what "
		"16 KiB a second need",
		set_idle, "30", 0},
	{"--hang-seconds", "S", "seconds of one piece of work after which a thread is replaced",
		set_hang, "60", 0},
	{"--release-seconds", "S", "seconds without work after which a thread frees its buffers",
		set_release, "30", 0},
	{"--cache-memory", "MIB", "MiB of memory for answers that are kept; 0 = none",
		set_cache_memory, "64", 0},
	{"--cache", "DIR", "a directory for such answers, where they outlive the daemon", set_cache,
		NULL, 0},
	{"--cache-disk", "MIB", "MiB that it may take", set_cache_disk, "1024", 0},
	{"--rig-memory", "MIB",
		"MiB of memory for rigs that nobody uses at the moment; more are read again from "
		"the disk",
		set_rig_memory, "1024", 0},
	{"--load", "DIR", "put every .glb, .gltf and .zip of DIR as a rig of its name", set_load,
		NULL, 0},
	{"--import-seconds", "S", "seconds of processor time that reading an asset may take",
		set_import_seconds, "10", 0},
	{"--import-threads", "N",
		"assets that are read at once, at most three quarters of them for one client",
		set_import_threads, "4", 0},
	{"--import-memory", "MIB", "MiB of memory that reading them may take, all together",
		set_import_memory, "2048", 0},
	{"--sandbox", "auto|require|off",
		"processes that read assets: shut in as far as the kernel allows, or no start, or "
		"no such processes",
		set_sandbox, "auto", 0},
	{"--hosts", "NAMES",
		"names of this daemon in URLs besides localhost and addresses: "
		"a.example,b.example; "
		"* = any",
		set_hosts, ORIGINS_NONE, OPTION_LIVE},
	{"--cors-origin", "ORIGIN",
		"whose pages may pose, draw and read; * = everyone's, but for files and metrics",
		set_cors_origin, "*", OPTION_LIVE},
	{"--trusted-origins", "ORIGINS",
		"whose pages may do everything: https://a.example,https://b.example",
		set_trusted_origins, ORIGINS_NONE, OPTION_LIVE},
	{"--tokens", "FILE", "lines NAME SCOPES TOKEN: who may do what (docs/access.md)",
		set_tokens, NULL, OPTION_LIVE},
	{"--public", "on|off", "whether everyone may do everything, wherever --listen is",
		set_public, "off", OPTION_SWITCH},
	{"--anonymous", "SCOPES", "what requests without a token may do: read,render,write or none",
		set_anonymous, "none", OPTION_LIVE},
	{"--sign-keys", "FILE", "lines KEY SALT in hexadecimal: who signs links to pictures",
		set_sign_keys, NULL, OPTION_LIVE},
	{"--sign-bytes", "N", "bytes of such signatures, from 8 to 32", set_sign_bytes, "32",
		OPTION_LIVE},
	{"--presets", "FILE", "lines NAME = option:value/option:value, for signed links",
		set_presets, NULL, OPTION_LIVE},
	{"--presets-only", "on|off", "whether signed links may use nothing but presets",
		set_presets_only, "off", OPTION_LIVE | OPTION_SWITCH},
	{"--log-format", "text|json", "how log lines are written", set_log_format, "text",
		OPTION_LIVE},
	{"--log-level", "debug|info|warning|error", "the least that is written to the log",
		set_log_level, "info", OPTION_LIVE},
	{"--access-log", "on|off", "one line a request, at info", set_access_log, "on",
		OPTION_LIVE | OPTION_SWITCH},
};

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

void settings_put_found(struct settings *settings) {
	const long cores = sysconf(_SC_NPROCESSORS_ONLN);
	char threads[16];
	snprintf(threads, sizeof threads, "%ld",
		cores < 1                      ? 1
			: cores > MOST_THREADS ? MOST_THREADS
					       : cores);
	settings_put_preset(settings, "render-threads", cores > 1 ? "2" : "1");
	settings_put_preset(settings, "cpu-threads", threads);
	const char *data_home = getenv("XDG_DATA_HOME");
	const char *home = getenv("HOME");
	// The XDG specification has relative paths ignored.
	const bool xdg = data_home && data_home[0] == '/';
	if (xdg || (home && *home)) {
		char data[4096];
		snprintf(data, sizeof data, "%s%s/posed", xdg ? data_home : home,
			xdg ? "" : "/.local/share");
		settings_put_preset(settings, "data", data);
	}
}
