/* Steps of an exchange, here and on other threads. */
#pragma once

#include "http/exchange.h"

/* Goes on with the call's steps as far as they go at once. Afterwards the answer is there, or the
 * exchange waits and its connection is suspended. */
void exchange_advance(struct exchange *exchange);

/* Sends the refusals whose turn it is. */
void exchange_release_refusals(struct http *http);

/* Takes an exchange back whose job is done. */
void exchange_finish_work(struct exchange *exchange);

/* Answers an exchange that waits with an error instead: its work stops, or goes on for others. */
void exchange_give_up(struct exchange *exchange, const struct error *err);

/* Has the next piece of a stream made. */
void exchange_refill(struct exchange *exchange);
