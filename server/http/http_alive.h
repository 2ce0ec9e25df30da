/* Exchanges that nobody is done with. */
#pragma once

#include "http/exchange.h"

/* Adds an exchange to http->alive, and takes it out. */
void http_enter(struct exchange *exchange);
void http_leave(struct exchange *exchange);

/* Answers those that wait for longer than they may. */
void http_end_late(struct http *http);

/* Gives up those that wait, for an answer or for more of it, and whose client left. */
void http_end_abandoned(struct http *http);

/* Stops all their work, for the daemon is to end: who waits for an answer gets 503. */
void http_call_off(struct http *http);
