/* Who may do what: tokens, signed links, and what is in force of both.
 *
 * Used by the thread of the loop only, which also reloads. What calls keep is copied. */
#pragma once

#include <stdint.h>

#include "access/link.h"
#include "access/scope.h"
#include "config/config.h"
#include "http/request_context.h"

struct auth;

/* Nothing is in force before auth_apply(). unsafe_links: whether links may go without a signature
 * while there are no keys; who may render decides then. */
struct auth *auth_create(bool unsafe_links);
void auth_destroy(struct auth *auth); // takes NULL

/* Reads the files that a configuration names, for auth_apply() to take; what is in force stays.
 * False with ERROR_INVALID_VALUE, which names the file and the line. */
bool auth_check(struct auth *auth, const struct config *config, struct error *err);

/* Takes over what auth_check() has read and what the configuration says. A file that is no longer
 * named stays in force: only a new start takes a lock away. */
void auth_apply(struct auth *auth, const struct config *config);

/* The header Authorization of a request. */
struct authorization {
	const char *text; // NULL = none
	unsigned lines;   // how often it is there
};

/* Finds out who calls, into context->grant, and whether they may what has this scope. False with
 * ERROR_UNAUTHORIZED, with ERROR_FORBIDDEN, or with ERROR_INVALID_VALUE when the header is there
 * twice. */
bool auth_admit(const struct auth *auth, struct request_context *context,
	const struct authorization *authorization, enum scope scope, struct error *err);

/* Whether a signature of a link is right, or none is needed. False with ERROR_FORBIDDEN; without
 * keys also with what auth_admit() fails with. */
bool auth_admit_link(const struct auth *auth, struct request_context *context,
	const struct link_parts *link, struct error *err);

/* What links may say now. Borrowed: for the step under way. */
struct link_rules auth_link_rules(const struct auth *auth);
