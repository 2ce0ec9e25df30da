/* The table of options, and the texts that say what their values are. */
#pragma once

#include "config/config.h"

#include <stdio.h>

enum option_trait {
	OPTION_LIVE = 1,      // a reload changes it while the daemon runs
	OPTION_SECRET = 2,    // its value is shown nowhere
	OPTION_ELSEWHERE = 4, // not in the configuration file
	OPTION_SWITCH = 8,    // the flag by itself means "on"
};

/* One row is a flag ("--queue"), an environment variable (POSED_QUEUE) and a key of the
 * configuration file ("queue"). */
struct option {
	const char *name;  // of the flag
	const char *value; // its name in --help
	const char *purpose;
	// Reads a value, which lives as long as config, into config. False with *err.
	bool (*set)(struct config *config, const char *value, struct error *err);
	const char *preset; // the value when nobody gives one; NULL = none, or it depends
	unsigned traits;    // of option_trait
};

/* The row at an index; NULL behind the last. */
const struct option *option_at(size_t index);

/* The row of a key such as "queue", of length bytes; option_count() if there is none. */
size_t option_find(const char *key, size_t length);
size_t option_count(void);

/* The name without its dashes. */
const char *option_key(const struct option *option);

#define OPTION_VARIABLE_BYTES 64

/* Writes "POSED_RENDER_THREADS" for --render-threads. */
void option_variable(const struct option *option, char name[static OPTION_VARIABLE_BYTES]);

/* Where a value may come from; later ones win. */
enum source { SOURCE_PRESET, SOURCE_FILE, SOURCE_ENVIRONMENT, SOURCE_ARGUMENTS, SOURCE_COUNT };

/* What a source says about an option. */
struct text {
	char *value; // owned; NULL = nothing
	int line;    // SOURCE_FILE: where in the file
};

struct said {
	struct text by[SOURCE_COUNT];
};

/* All that was said, and the memory behind the texts of a configuration. */
struct settings {
	struct said *options; // [option_count()]
};

struct settings *settings_create(void);
void settings_destroy(struct settings *settings); // takes NULL

/* Notes what a source says, in place of what it said before. The value is copied. */
void settings_put(struct settings *settings, size_t option, enum source source, const char *value,
	size_t length, int line);

/* Notes a preset, by the option's key. */
void settings_put_preset(struct settings *settings, const char *key, const char *value);

/* Notes the presets that depend on the machine. There may be none for data: then it must be
 * given. */
void settings_put_found(struct settings *settings);

/* The source that has the last word on an option; SOURCE_COUNT if none has any. */
enum source settings_source(const struct settings *settings, size_t option);

/* Whether somebody gave a value, so that the preset is not it. */
bool settings_is_given(const struct settings *settings, size_t option);

/* The last word; NULL if there is none. */
const char *settings_value(const struct settings *settings, size_t option);

/* Notes arguments[*i], "--name=value", or with the next one "--name value"; moves *i on to the last
 * one used. */
bool settings_take_argument(
	struct settings *settings, int count, char **arguments, int *i, struct error *err);

/* Notes every variable POSED_... of the environment. Refuses those that nobody knows. */
bool settings_take_environment(struct settings *settings, struct error *err);

/* Notes every "key = value" of a file. Errors name file and line. */
bool settings_take_file(struct settings *settings, const char *path, struct error *err);

/* Writes where an option's value comes from: "posed.conf:3", "POSED_QUEUE", "command line",
 * "default", "not set". */
void settings_origin(
	const struct settings *settings, size_t option, const char *path, char *text, size_t size);

/* Prints every option's value, as a configuration file that says the same: what nobody gave, and
 * secrets, masked, are comments. */
void config_print(const struct config *config, FILE *out);

/* The value as it may be shown. */
const char *option_shown(const struct option *option, const char *value);

/* Whether the places that a configuration names are there, or can be made: directories, and the
 * address's form. */
bool config_check_places(const struct config *config, struct error *err);
