/* Text from a file, made fit for a message. */
#pragma once

#define QUOTE_BYTES 96

/* Copies UTF-8 text, control characters as '?', and cuts it at a whole character with "..." when it
 * is too long. */
void quote(const char *text, char out[static QUOTE_BYTES]);
