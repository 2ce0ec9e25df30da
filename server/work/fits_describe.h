/* How fits stand. */
#pragma once

#include "work/fits_entries.h"

/* What the renderer is asked for; the entry has not ended. Under the mutex. */
struct data_job fit_job(const struct entry *entry);

/* How an entry stands, in the arena. Under the mutex. */
struct fit_description fit_describe(struct entry *entry, struct arena *arena);
