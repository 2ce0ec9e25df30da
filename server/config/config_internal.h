/* The table of options, and their texts by source. */
#pragma once

#include <stdio.h>

#include "config/config.h"

enum option_kind {
	OPTION_TEXT,    // const char *, not empty
	OPTION_INTEGER, // int in [min, max]
	OPTION_SECONDS, // double in (0, 3600]
	OPTION_CHOICE,  // enum: the position among choices
	OPTION_SWITCH,  // bool: "on" or "off"; the flag alone means "on"
	OPTION_MODE,    // unsigned: permissions in octal digits
	OPTION_SCOPES,  // unsigned: a set of enum scope, or "none"
	OPTION_USES,    // unsigned: a set as licence_read_uses() makes it
	OPTION_LENGTH,  // double: metres, "0.01mm"; "raw" or "0" = 0
};

enum option_trait {
	OPTION_LIVE = 1,    // a reload changes it while the daemon runs
	OPTION_SECRET = 2,  // its value is not shown
	OPTION_NO_FILE = 4, // not a key of the configuration file
};

/* One row is a flag ("--queue"), an environment variable (POSED_QUEUE) and a key of the
 * configuration file ("queue"). */
struct option {
	const char *name;    // of the flag
	const char *value;   // its placeholder in --help
	const char *purpose; // for --help
	enum option_kind kind;
	size_t offset;              // of the member of struct config
	int min, max;               // OPTION_INTEGER
	const char *const *choices; // OPTION_CHOICE; ended by NULL
	// OPTION_TEXT: a further check; NULL = none
	bool (*check)(const char *value, struct error *err);
	const char *default_value; // NULL = none, or it depends on the machine
	unsigned traits;           // of enum option_trait
};

/* The row at an index; NULL past the last. */
const struct option *option_at(size_t index);

/* The row of a key such as "queue", of length bytes; option_count() if there is none. */
size_t option_find(const char *key, size_t length);
size_t option_count(void);

/* The name without its dashes. */
const char *option_key(const struct option *option);

#define OPTION_VARIABLE_BYTES 64

/* Writes "POSED_RENDER_THREADS" for --render-threads. */
void option_variable(const struct option *option, char name[static OPTION_VARIABLE_BYTES]);

/* Reads a value into the option's member of config, which borrows the text. False with
 * ERROR_INVALID_VALUE. */
bool option_set(
	const struct option *option, struct config *config, const char *value, struct error *err);

/* The value to show: secrets are masked. */
const char *option_shown(const struct option *option, const char *value);

/* Sources of values; later ones take precedence. */
enum source { SOURCE_DEFAULT, SOURCE_FILE, SOURCE_ENVIRONMENT, SOURCE_ARGUMENTS, SOURCE_COUNT };

struct option_text {
	char *value; // owned; NULL = not given
	int line;    // SOURCE_FILE: in the file
};

struct option_texts {
	struct option_text by[SOURCE_COUNT];
};

/* The texts of all sources, which a configuration borrows. */
struct settings {
	struct option_texts *options; // [option_count()]
};

/* Sets the text of an option in one source; the value is copied. */
void settings_put(struct settings *settings, size_t option, enum source source, const char *value,
	size_t length, int line);

/* Sets the default of the option with a key. */
void settings_put_default(struct settings *settings, const char *key, const char *value);

/* Sets the defaults that depend on the machine. data may get none: then it must be given. */
void settings_put_machine_defaults(struct settings *settings);

/* The source that determines an option; SOURCE_COUNT if it has no value. */
enum source settings_source(const struct settings *settings, size_t option);

/* True if an option is given, so that its default does not apply. */
bool settings_is_given(const struct settings *settings, size_t option);

/* The value of an option; NULL if it has none. */
const char *settings_value(const struct settings *settings, size_t option);

/* Writes the origin of an option's value: "posed.conf:3", "POSED_QUEUE", "command line",
 * "default", "not set". */
void settings_origin(
	const struct settings *settings, size_t option, const char *path, char *text, size_t size);

/* Prints every option's value as a configuration file with the same meaning: defaults and masked
 * secrets are comments. */
void config_print(const struct config *config, FILE *out);

/* Checks that the directories and files of a configuration exist or can be made, and that it can
 * listen at its address. */
bool config_check_places(const struct config *config, struct error *err);

/* Takes over from fresh, which was read later, the options that may change while the daemon runs.
 * Logs each changed option, also those that need a restart. Texts borrowed from config under a
 * changed option must be borrowed again before fresh is finished. */
void config_adopt(struct config *config, struct config *fresh);
