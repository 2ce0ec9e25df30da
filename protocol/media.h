/* Choosing what a client takes, by its Accept and Accept-Encoding headers (RFC 9110, 12.5). */
#pragma once

#include <stdbool.h>

#include "base/error.h"

/* The offered type (a list ended by NULL, preferred first) that the client likes best; among equals
 * the first. accept may be NULL: everything is welcome. NULL with ERROR_NOT_ACCEPTABLE and the
 * list of what is offered. */
const char *media_choose(const char *accept, const char *const *offered, struct error *err);

/* True when a Content-Type header names this media type, whatever its parameters. */
bool media_is(const char *content_type, const char *type);

/* True if an Accept-Encoding header takes a content coding; NULL, no header, takes none. */
bool media_takes_coding(const char *accept_encoding, const char *coding);
