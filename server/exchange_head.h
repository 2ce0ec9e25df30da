/* What the head of a request says. */
#pragma once

#include "exchange.h"

/* Reads the request line and headers: route, query, limits, framing, deadline. */
void exchange_read_head(struct exchange *exchange, const char *method, const char *path);

/* Sets the call's first step, the route's handler. */
void exchange_take_first_step(struct exchange *exchange);
