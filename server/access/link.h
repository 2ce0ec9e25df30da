/* Signed links to pictures, as they stand in a path:
 *
 *   /i/{signature}/{option:value}/.../{rig}.{ending}
 *
 * Options are those of frame.png by their own names, "w" and "h", and:
 *
 *   preset:NAME       the options of a preset
 *   expires:SECONDS   when the link ends, in seconds since 1970 (Unix time)
 *   content:HEX       16 to 64 first digits of the SHA-256 that the rig's content must have
 *   cachebuster:TEXT  nothing: the same picture under another URL
 *
 * None may be given twice, nor beside a preset that has it: nothing wins silently. */
#pragma once

#include <stdint.h>

#include "access/presets.h"
#include "base/arena.h"
#include "base/error.h"

/* Both without percent-encoding, in the arena. */
struct link_option {
	const char *name, *value;
};

/* Takes a segment of length bytes apart at its first colon, encoded or not. False with
 * ERROR_INVALID_VALUE. */
bool link_option_read(struct arena *arena, const char *segment, size_t length,
	struct link_option *out, struct error *err);

/* The parameter of frame.png that an option is: itself, or what it is short for. NULL = none. */
const char *link_option_parameter(const char *name);

/* Refuses an option that is none of those of frame.png, nor one of others (names ended by NULL):
 * ERROR_UNKNOWN_MEMBER with all of them. Always returns false. */
bool link_option_refuse(const char *name, const char *const *others, struct error *err);

/* What paths of links begin with. */
#define LINK_PREFIX "/i/"

/* Path segments behind the signature. */
#define MAX_LINK_SEGMENTS 64

/* What stands behind "/i/". */
struct link_parts {
	const char *signature;   // [signature_length], as sent
	size_t signature_length; // at least 1
	const char *path;        // what is signed, from its slash on, as sent
};

/* Whether this stands in the place of a signature that is not there: "unsafe". */
bool link_is_unsigned(const char *signature, size_t length);

/* False with ERROR_UNKNOWN_ROUTE when there is no signature, or nothing behind it. */
bool link_split(const char *text, struct link_parts *out, struct error *err);

/* What links may say. */
struct link_rules {
	const struct presets *presets; // borrowed; NULL = none
	bool presets_only;             // of options, nothing but presets says how the picture looks
};

struct link {
	const char *rig;                          // keeps name_check()
	const char *ending;                       // "png": a picture format's name
	const struct query_parameter *parameters; // [count] of frame.png, in the order given
	size_t count;
	int64_t expires_s;   // Unix time; 0 = never
	const char *content; // hexadecimal digits, lower case; NULL = any
};

/* Reads the path of a link; texts are put into the arena, also a preset's. False with
 * ERROR_INVALID_VALUE, ERROR_UNKNOWN_MEMBER, ERROR_INVALID_NAME, ERROR_UNKNOWN_ROUTE (for the kind)
 * or ERROR_TOO_LARGE. What the parameters say is not looked at. */
bool link_read(struct arena *arena, const char *path, const struct link_rules *rules,
	struct link *out, struct error *err);
