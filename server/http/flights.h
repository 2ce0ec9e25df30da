/* Work under way that equal requests wait for. */
#pragma once

#include "http/exchange.h"

/* Makes the exchange wait for another's equal work; false when there is none. */
bool flight_join(struct exchange *exchange);

/* Lets others wait for the exchange's work, and no longer. */
void flight_begin(struct exchange *exchange);
void flight_end(struct exchange *exchange);

/* Takes one that waits from its leader. */
void flight_leave(struct exchange *exchange);
