/* The token that the client shows to the daemon. It is never taken from the command line, which
 * everyone on the machine can read. */
#pragma once

#include <stdbool.h>

/* Room for a token with its NUL. */
#define TOKEN_BYTES 1024

/* Finds the token: in a file, the spaces and line ends around it aside; without one (NULL) in
 * POSED_TOKEN; else it is "". False, with the reason on standard error, when what is there is no
 * token. */
bool token_find(const char *path, char token[static TOKEN_BYTES]);
