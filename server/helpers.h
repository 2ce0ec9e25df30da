/* Threads of a pool that have nothing to do help one that works. They come only while no other job
 * waits, and go when one does. */
#pragma once

#include "jobs.h"

/* Threads that help one at a time. */
#define HELPERS_MOST 3

struct helpers;

/* Nobody helps so far. The pool must outlive it. */
struct helpers *helpers_create(struct jobs *pool);

/* After helpers_end(). Takes NULL. */
void helpers_destroy(struct helpers *helpers);

/* What work asks for help through; borrowed from the helpers. */
const struct reel_help *helpers_help(const struct helpers *helpers);
