/* The token that the client shows to the daemon. It is never taken from the command line, which
 * everyone on the machine can read. */
#pragma once

#include "options.h"

/* Room for a token with its NUL. */
#define TOKEN_BYTES 1024

/* Finds the token: in the file of --token-file, the spaces and line ends around it aside; without
 * one in POSED_TOKEN; else it is "". False, with the reason on standard error, when what is there
 * is no token. */
bool token_find(const struct arguments *arguments, char token[static TOKEN_BYTES]);
