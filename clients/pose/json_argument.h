/* A user's argument in JSON, on its way into a request. */
#pragma once

#include <stdbool.h>

#include "base/json_write.h"

/* Writes the text as the next value. False when it is not one value of JSON, which standard error
 * is told with its place in the text; name says what the text is: "--pose". */
bool json_argument_write(struct json_writer *json, const char *name, const char *text);
