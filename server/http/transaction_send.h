/* The answer on its way out. */
#pragma once

#include "http/transaction.h"

/* Makes the library's response out of the answer and queues it. */
enum MHD_Result transaction_send(struct transaction *transaction);
