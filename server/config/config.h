/* The configuration of the daemon: command line, environment, file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "access/auth.h"
#include "base/log.h"
#include "renderer.h"
#include "sandbox/importer.h"

struct settings;

/* The options' values; config.c has their ranges. All texts are the configuration's. */
struct config {
	const char *file;     // the configuration file; NULL = none
	const char *listen;   // "ADDR:PORT" or "unix:/PATH"
	unsigned socket_mode; // permissions of that path
	const char *data;     // the store's directory
	bool read_only;       // nothing is written to the store
	const char *load;     // a directory of assets to store at startup; NULL = none
	const char *hosts, *trusted_origins, *cors_origin; // see struct origin_rules
	enum renderer_choice renderer;
	enum sandbox sandbox;  // of the processes that read assets
	double import_seconds; // limit of processor time for reading an asset
	int import_threads;    // assets read at once
	int import_memory_mib; // of all assets being read
	int render_threads;
	int cpu_threads;    // for work without a graphics context
	int rig_memory_mib; // of rigs in memory that no request uses
	/* Metres that baked clips may be off when they are stored, of a figure of a human's size;
	 * 0 = they keep all keys. */
	double clip_tolerance_m;
	int queue_length;     // maximum number of requests queued or running in each thread pool
	int queue_wait_ms;    // target queueing delay
	int cache_memory_mib; // of cached responses; 0 = none
	const char *cache;    // directory of cached responses; NULL = none
	int cache_disk_mib;   // maximum size of that directory
	int idle_s;           // idle timeout of connections
	double deadline_s;    // of requests that set none
	double hang_s;        // limit of one piece of work
	double release_s;     // idle time after which a thread frees its buffers
	enum log_format log_format;
	enum log_level log_level; // lowest level that is logged
	bool access_log;          // a line per request
	struct auth_options access;
	unsigned uses;             // of avatars, which their licences have to allow
	bool public;               // clients need no token, whatever the address
	struct settings *settings; // the texts and their sources; owned
};

enum config_result {
	CONFIG_RUN,  // *config is filled
	CONFIG_DONE, // the output of --help, --version or --check-config was printed
	CONFIG_WRONG // *err names the mistake and its source
};

/* Fills *config. For each option the command line overrides the environment, which overrides the
 * file that --config or POSED_CONFIG names, which overrides the default. Call config_finish() after
 * CONFIG_RUN only. */
enum config_result config_read(
	int argument_count, char **arguments, struct config *config, struct error *err);

/* Exit status of a program with wrong options. */
#define EXIT_WRONG_ARGUMENTS 2

/* Prints every option, for --help. */
void config_print_options(void);

/* config_read() for the main function of a program, which prints errors to standard error, by its
 * name. False with the program's exit status if it is to end. */
bool config_read_or_end(int argument_count, char **arguments, const char *program,
	struct config *config, int *status);

/* Removes a flag that is not an option, such as "--json" of a command, from arguments that end with
 * NULL. False if it is not there. */
bool config_take_flag(int *argument_count, char **arguments, const char *name);

/* Checks that the options agree with one another, as config_read() does. */
bool config_check(const struct config *config, struct error *err);

/* Checks that access is restricted, or declared public, where other machines can connect (not
 * local). False with ERROR_INVALID_VALUE. */
bool config_check_exposure(const struct config *config, bool local, struct error *err);

void config_finish(struct config *config);
