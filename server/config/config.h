/* How the daemon is to run: what the command line, the environment and a file say. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "access/auth.h"
#include "base/log.h"
#include "import/importer.h"
#include "renderer.h"

struct settings;

struct config {
	const char *file;     // the configuration file; NULL = none. All texts are the config's
	const char *listen;   // "ADDR:PORT" or "unix:/PATH"
	unsigned socket_mode; // permissions of that path
	const char *data;     // the store's directory
	bool read_only;       // nothing is written into it
	const char *load;     // a directory of assets to put at the start; NULL = none
	const char *hosts;    // what follows is origin_rules': names of the daemon
	const char *trusted_origins; // pages that may do everything
	const char *cors_origin;     // pages that may read answers
	enum renderer_choice renderer;
	enum sandbox sandbox;  // for processes that read assets
	double import_seconds; // of processor time that reading an asset may take; (0, 3600]
	int import_threads;    // assets that are read at once; [2, 64]
	int import_memory_mib; // that reading them may take together; [64, 1048576]
	int render_threads;    // [1, 64]
	int rig_memory_mib;    // of rigs kept in memory; [1, 1048576]
	int cpu_threads;       // for work without a graphics context; [1, 64]
	int queue_length;      // requests that may wait for each kind of thread, or be at work; [1,
			       // 100000]
	int queue_wait_ms;     // that they may wait while there always are some; [1, 3600000]
	int cache_memory_mib;  // of answers that are kept; [0, 1048576]
	const char *cache;     // a directory for them, too; NULL = none
	int cache_disk_mib;    // that it may take; [1, 16777216]
	int idle_s;            // that a connection may be silent; [1, 3600]
	double deadline_s;     // of a request that asks for none; (0, 3600]
	double hang_s;         // that a thread may be at one piece of work; (0, 3600]
	double release_s;      // without work after which a thread frees its buffers; (0, 3600]
	enum log_format log_format;
	enum log_level log_level; // the least that is written
	bool access_log;          // a line for each request
	struct auth_options access;
	bool public;               // nobody needs a token, wherever we listen
	struct settings *settings; // the texts behind all this, and who said them; owned
};

enum config_result {
	CONFIG_RUN,  // go on
	CONFIG_DONE, // the output of --help, --version or --check-config was printed
	CONFIG_WRONG // *err says what is wrong, and where it stands
};

/* Fills *config: for each option the command line comes first, then the environment, then the file
 * that --config or POSED_CONFIG names, then the default. To be finished after CONFIG_RUN only. */
enum config_result config_read(
	int argument_count, char **arguments, struct config *config, struct error *err);

/* What a program exits with that was started with wrong options. */
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

/* Whether the options agree with one another. config_read() has asked already. */
bool config_check(const struct config *config, struct error *err);

/* Whether there is word on who may do what, where others than this machine can connect (not local).
 * False with ERROR_INVALID_VALUE. */
bool config_check_exposure(const struct config *config, bool local, struct error *err);

/* Takes over from fresh, which was read later, the options that may change while the daemon runs.
 * Logs each option that is another, and those that need a restart. What was borrowed from config
 * under such an option must be borrowed anew, before fresh is finished. */
void config_adopt(struct config *config, struct config *fresh);

void config_finish(struct config *config);
