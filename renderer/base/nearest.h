/* Names spelled almost like one that is not there, or that mean the same, for messages. */
#pragma once

#include <stddef.h>

#define NEAREST_COUNT 3

/* A search: set unknown and leave the rest zero, offer every name there is, then write. */
struct nearest {
	const char *unknown;
	int count; // of best
	struct {
		const char *name; // borrowed from who offered it
		int distance;
	} best[NEAREST_COUNT]; // nearest first; of equals the one offered first
};

/* Offers one name; it is kept if it is among the nearest. The distance counts letters left out, put
 * in, replaced and swapped with their neighbour (optimal string alignment), over the first 64
 * bytes; a letter's case does not count. */
void nearest_offer(struct nearest *nearest, const char *name);

/* The same for names of motions: first come those that have all words of what was asked for, as
 * "Walking_A" has "walk" (English endings do not count, nor does case), then those that are spelled
 * almost like it, those that have some of its words; all others only where there is none of these.
 */
void nearest_offer_motion(struct nearest *nearest, const char *name);

/* Writes "Head, HeadEnd, Hand". Cut at size. */
void nearest_write(const struct nearest *nearest, char *text, size_t size);
