/* What the head of a request says. */
#pragma once

#include "http/exchange.h"

/* Whether the request is one that can be understood in one way only, as far as it was read. False
 * with exchange->err; the connection ends with the answer then. */
bool exchange_check_framing(struct exchange *exchange);

/* Reads the request line and headers: route, query, limits, deadline. */
void exchange_read_head(struct exchange *exchange, const char *method, const char *path);

/* Sets the call's first step, the route's handler. */
void exchange_take_first_step(struct exchange *exchange);
