/* The answer on its way out. */
#pragma once

#include "http/exchange.h"

/* Makes the library's response out of the answer and queues it. */
enum MHD_Result exchange_send(struct exchange *exchange);
