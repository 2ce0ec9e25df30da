/* Signed links to pictures, as paths of URLs:
 *
 *   /i/{signature}/{option:value}/.../{rig}.{ending}
 *
 * Options are those of frame.png by their own names, "w" and "h", and:
 *
 *   preset:NAME       the options of a preset
 *   expires:SECONDS   expiry of the link, in seconds since 1970 (Unix time)
 *   content:HEX       the first 16 to 64 digits of the SHA-256 that the rig must have
 *   cachebuster:TEXT  ignored: the same picture under another URL
 *
 * No option may be given twice, nor together with a preset that has it. */
#pragma once

#include <stdint.h>

#include "access/presets.h"
#include "base/arena.h"
#include "base/error.h"

/* Name and value of an option, decoded, in the arena. */
struct link_option {
	const char *name, *value;
};

/* Splits a segment of length bytes at its first colon, encoded or not. False with
 * ERROR_INVALID_VALUE. */
bool link_option_read(struct arena *arena, const char *segment, size_t length,
	struct link_option *out, struct error *err);

/* The parameter of frame.png for an option or its short name; NULL = none. */
const char *link_option_parameter(const char *name);

/* Reports an unknown option, ERROR_UNKNOWN_MEMBER, and lists those of frame.png and others (names
 * ended by NULL). Always false. */
bool link_option_refuse(const char *name, const char *const *others, struct error *err);

/* Start of the paths of links. */
#define LINK_PREFIX "/i/"

/* Maximum path segments after the signature. */
#define MAX_LINK_SEGMENTS 64

/* The parts of the path after "/i/". */
struct link_parts {
	const char *signature;   // [signature_length], as sent
	size_t signature_length; // at least 1
	const char *path;        // the signed part with its slash, as sent
};

/* True for "unsafe", which replaces the signature of an unsigned link. */
bool link_is_unsigned(const char *signature, size_t length);

/* The time by which links end, in Unix time: a date, which only the clock that people set knows. */
int64_t link_now_s(void);

/* False with ERROR_UNKNOWN_ROUTE when there is no signature, or nothing after it. */
bool link_split(const char *text, struct link_parts *out, struct error *err);

/* Refuses what cannot begin the SHA-256 of a rig's content: ERROR_INVALID_VALUE. */
bool link_check_content(const char *digits, struct error *err);

/* Restrictions on links. */
struct link_rules {
	const struct presets *presets; // borrowed; NULL = none
	bool presets_only;             // links may set the look of the picture only by presets
};

struct link {
	const char *rig;                          // keeps name_check()
	const char *ending;                       // "png": a picture format's name
	const struct query_parameter *parameters; // [count] of frame.png, in the order given
	size_t count;
	int64_t expires_s;   // Unix time; 0 = never
	const char *content; // hexadecimal digits, lower case; NULL = any
};

/* Reads the path of a link; texts, also a preset's, are made in the arena. False with
 * ERROR_INVALID_VALUE, ERROR_UNKNOWN_MEMBER, ERROR_INVALID_NAME, ERROR_UNKNOWN_ROUTE (for the kind)
 * or ERROR_TOO_LARGE. The parameters' values are not checked. */
bool link_read(struct arena *arena, const char *path, const struct link_rules *rules,
	struct link *out, struct error *err);
