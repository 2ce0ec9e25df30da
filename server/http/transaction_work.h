/* Steps of an transaction, here and on other threads. */
#pragma once

#include "http/transaction.h"

/* Goes on with the call's steps as far as they go at once. Afterwards the answer is there, or the
 * exchange waits and its connection is suspended. */
void transaction_advance(struct transaction *transaction);

/* Sends the refusals whose turn it is. */
void transaction_release_refusals(struct http *http);

/* Takes an exchange back whose job is done. */
void transaction_finish_work(struct transaction *transaction);

/* Answers an exchange that waits with an error instead: its work stops, or goes on for others. */
void transaction_give_up(struct transaction *transaction, const struct error *err);

/* Has the next piece of a stream made. */
void transaction_refill(struct transaction *transaction);
