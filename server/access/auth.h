/* Authentication and authorization: tokens, signed links, and the scopes that they grant.
 *
 * Used only by the loop's thread, which also reloads. Grants hold copies. */
#pragma once

#include <stdint.h>

#include "access/link.h"
#include "access/scope.h"

struct auth;

/* The part of the configuration that decides on access. Texts are borrowed. */
struct auth_options {
	const char *tokens;    // file of tokens; NULL = requests need none
	const char *sign_keys; // file of keys for signed links; NULL = none
	const char *presets;   // file of presets for signed links; NULL = none
	unsigned anonymous;    // scopes of requests without a token, where there are tokens
	int sign_bytes;        // length of signatures; [MIN_SIGNATURE, MAX_SIGNATURE]
	bool presets_only;     // signed links may use nothing but presets
};

/* Nothing is in force before auth_apply(). unsafe_links accepts links without a signature while
 * there are no keys, for clients with SCOPE_RENDER. */
struct auth *auth_create(bool unsafe_links);
void auth_destroy(struct auth *auth); // takes NULL

/* Reads the files that the options name, for auth_apply() to put in force. False with
 * ERROR_INVALID_VALUE, which names the file and the line. */
bool auth_check(struct auth *auth, const struct auth_options *options, struct error *err);

/* Puts the files that auth_check() read and the other options in force. A file that the options no
 * longer name stays in force: only a restart removes a restriction. */
void auth_apply(struct auth *auth, const struct auth_options *options);

/* The header Authorization of a request. */
struct authorization {
	const char *text; // NULL = none
	unsigned lines;   // how often it is there
};

/* Identifies the client, into *grant, and checks that it has a scope. The grant's texts are made in
 * the arena. False with ERROR_UNAUTHORIZED, ERROR_FORBIDDEN, or ERROR_INVALID_VALUE for a repeated
 * header. */
bool auth_admit(const struct auth *auth, struct arena *arena,
	const struct authorization *authorization, enum scope scope, struct grant *grant,
	struct error *err);

/* Checks a link's signature, if it needs one, and notes in *grant that it is signed. False with
 * ERROR_FORBIDDEN; without keys also with auth_admit()'s errors. */
bool auth_admit_link(const struct auth *auth, const struct link_parts *link, struct grant *grant,
	struct error *err);

/* The rules for links now in force. Borrowed until the next reload. */
struct link_rules auth_link_rules(const struct auth *auth);
