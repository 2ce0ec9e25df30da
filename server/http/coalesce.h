/* Equal requests whose work is done once: the first leads, and the others wait for its response. A
 * request is known by the entity tag of its response. */
#pragma once

#include "http/transaction.h"

/* Makes a transaction, whose tag is known, wait for another that is at work on the same. False when
 * there is none. */
bool coalesce_join(struct transaction *transaction);

/* From now on others can wait for this one's response; and until now. */
void coalesce_begin(struct transaction *transaction);
void coalesce_end(struct transaction *transaction);

/* A transaction waits no more for its leader, if it has one. A leader that nobody waits for any
 * more stops. */
void coalesce_leave(struct transaction *transaction);
