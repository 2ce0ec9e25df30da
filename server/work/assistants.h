/* Threads of a pool that have nothing to do help one that works. They come only while no other job
 * waits, and go when one does. */
#pragma once

#include "work/thread_pool.h"

/* Threads that help at the same time, at most. */
#define ASSISTANTS_MAX 3

struct assistants;

/* Nobody helps so far. The pool must outlive it. */
struct assistants *assistants_create(struct thread_pool *pool);

/* After the help was ended. Takes NULL. */
void assistants_destroy(struct assistants *assistants);

/* The interface through which work asks for help; borrowed from the assistants. */
const struct sequence_help *assistants_help(const struct assistants *assistants);
