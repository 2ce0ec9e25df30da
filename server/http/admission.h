/* Admission of requests to the queue of a pool. */
#pragma once

#include "http/transaction.h"

/* Gets the transaction's client a slot in the queue of a pool. False with ERROR_SHUTTING_DOWN,
 * ERROR_CLIENT_SHARE or ERROR_OVERLOADED. */
bool admission_enter(struct transaction *transaction, enum executor pool, struct error *err);

/* Gives the slot back, if it has one. */
void admission_leave(struct transaction *transaction);
