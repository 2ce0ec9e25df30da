/* Sentences of findings, from the templates of rules.
 *
 * {clip}, {joint}, {material} and {text} are names or other words; {value}, {absolute}, {time},
 * {threshold}, {count} and the names of a measurement's params are numbers, with a format behind a
 * colon: {value:%} in percent ("4.12 %"), {time:3} with so many decimals, {value:#} as a whole
 * number; without one, 4 significant digits. {vertices|vertex|vertices} is the first word where the
 * number is written as "1", and else the second; {value:0|degree|degrees} goes by the number as
 * that format writes it. {{ is a brace. What is not known is written as "?". */
#pragma once

#include "base/arena.h"
#include "base/check.h"

/* The sentence of a finding; in the arena. clip is the clip's name, or NULL. */
const char *check_message(const char *template, const struct check_finding *finding,
	const char *clip, struct arena *arena);

/* True when a template is well formed, for tests. */
bool check_message_is_sound(const char *template);
