/* `pose completion SHELL`: what completes command lines, made of the tables of commands and
 * options.
 */
#pragma once

#include "commands.h"

/* Prints the script for bash, zsh or fish; or, for these scripts, lines: "rigs" of the daemon,
 * "methods" of skinning, "clips" of the rig that is named behind. These end with nothing when the
 * daemon does not answer at once. */
int run_completion(const struct command *command, const struct arguments *arguments);

/* --- For the scripts --- */

/* The kind of a command's argument, or of an option's value. */
enum completed {
	COMPLETED_NOTHING,
	COMPLETED_RIG,
	COMPLETED_FILE,
	COMPLETED_RIG_OR_FILE,
	COMPLETED_CLIP,
	COMPLETED_METHOD,
	COMPLETED_RULE,
	COMPLETED_WORDS,
};

/* Of a command's argument i, from 0, by its usage. *words is a choice "a|b", [*length] characters,
 * for COMPLETED_WORDS. */
enum completed completed_argument(
	const struct command *command, size_t i, const char **words, int *length);

/* The number of words in a command's usage; *endless: the last one stands for as many as one likes.
 */
size_t completed_places(const struct command *command, bool *endless);

/* Of the value behind an option. *words are the choices of COMPLETED_WORDS, and words that stand
 * for no file of COMPLETED_FILE, ended by NULL; else NULL. */
enum completed completed_option(const struct option *option, const char *const **words);

void completion_bash(const struct options *options);
void completion_zsh(const struct options *options);
void completion_fish(const struct options *options);
