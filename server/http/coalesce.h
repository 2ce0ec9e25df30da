/* Work under way that equal requests wait for. */
#pragma once

#include "http/transaction.h"

/* Makes the exchange wait for another's equal work; false when there is none. */
bool coalesce_join(struct transaction *transaction);

/* Lets others wait for the exchange's work, and no longer. */
void coalesce_begin(struct transaction *transaction);
void coalesce_end(struct transaction *transaction);

/* Takes one that waits from its leader. */
void coalesce_leave(struct transaction *transaction);
