/* Exchanges that nobody is done with. */
#pragma once

#include "http/transaction.h"

/* Adds an exchange to http->alive, and takes it out. */
void http_enter(struct transaction *transaction);
void http_leave(struct transaction *transaction);

/* Answers those that wait for longer than they may. */
void http_end_late(struct http *http);

/* Gives up those that wait, for an answer or for more of it, and whose client left. */
void http_end_abandoned(struct http *http);

/* Stops all their work, for the daemon is to end: who waits for an answer gets 503. */
void http_call_off(struct http *http);
