/* What the head of a request says. */
#pragma once

#include "http/transaction.h"

/* Whether the request is one that can be understood in one way only, as far as it was read. False
 * with transaction->err; the connection ends with the answer then. */
bool transaction_check_framing(struct transaction *transaction);

/* Reads the request line and headers: route, query, limits, deadline. */
void transaction_read_head(struct transaction *transaction, const char *method, const char *path);

/* Sets the call's first step, the route's handler. */
void transaction_take_first_step(struct transaction *transaction);
