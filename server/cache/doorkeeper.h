/* The requests of late, so that responses that cost little to make are cached only when they are
 * asked for again: most are not, and each cached one pushes out another and touches memory that no
 * cache of the processor holds. (The doorkeeper of Einziger, Friedman, Manes. TinyLFU: A Highly
 * Efficient Cache Admission Policy. ACM Transactions on Storage 13(4), 2017.) One thread only. */
#pragma once

#include <stdbool.h>

struct doorkeeper;

struct doorkeeper *doorkeeper_create(void);
void doorkeeper_destroy(struct doorkeeper *doorkeeper); // takes NULL

/* Notes a tag (etag.h). Whether it was noted before, unless too many others came between. */
bool doorkeeper_note(struct doorkeeper *doorkeeper, const char *tag);
