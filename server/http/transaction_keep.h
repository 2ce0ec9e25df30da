/* Answers that others get, too. On the thread that has the exchange. */
#pragma once

#include "http/transaction.h"

/* Looks whether the answer lies on the disk; then transaction->shared is it, and there is no step
 * left. */
bool transaction_find_on_disk(struct transaction *transaction);

/* Makes an answer that is done one that can be given to others, if it is of that kind, and keeps
 * it, if it is worth it. */
void transaction_share(struct transaction *transaction);
