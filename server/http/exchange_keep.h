/* Answers that others get, too. On the thread that has the exchange. */
#pragma once

#include "http/exchange.h"

/* Looks whether the answer lies on the disk; then exchange->shared is it, and there is no step
 * left. */
bool exchange_find_on_disk(struct exchange *exchange);

/* Makes an answer that is done one that can be given to others, if it is of that kind, and keeps
 * it, if it is worth it. */
void exchange_share(struct exchange *exchange);
