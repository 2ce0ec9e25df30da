/* Scopes: the rights of clients. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Bits of a set. */
enum scope {
	SCOPE_OPEN = 0,   // of a route: open to everyone
	SCOPE_READ = 1,   // lists, descriptions, files, metrics
	SCOPE_RENDER = 2, // poses, vertices, pictures
	SCOPE_WRITE = 4,  // storing and deleting rigs
	SCOPE_ALL = 7,
};

/* Reads "read,render". False with ERROR_INVALID_VALUE for unknown and repeated scopes. */
bool scopes_read(const char *text, size_t length, unsigned *scopes, struct error *err);

/* Size of the text of scopes_write(). */
#define SCOPES_TEXT_BYTES 32

/* Writes "read,render"; "none" for the empty set. */
void scopes_write(unsigned scopes, char text[static SCOPES_TEXT_BYTES]);

/* The rights of a request's client. */
struct grant {
	unsigned scopes;  // set of enum scope
	const char *name; // of the token, in the request's arena; NULL = none or unknown
	bool invalid;     // the token is unknown
	bool is_signed;   // by a signed link, which shows one picture and nothing else
	const char
		*rig; // of a signed link that shows this rig and no other, in the arena; NULL = any
	const char *challenge; // WWW-Authenticate of a refusal; NULL = none
};
