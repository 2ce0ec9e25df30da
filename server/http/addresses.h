/* Connections counted by address, so that one cannot have them all. Memory is fixed at
 * creation. One thread only. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct addresses;

/* For so many connections at most. */
struct addresses *addresses_create(size_t connections);
void addresses_destroy(struct addresses *addresses); // takes NULL

/* Counts a connection of the address with a key, and returns how many it has now. */
size_t addresses_enter(struct addresses *addresses, uint64_t key);
void addresses_leave(struct addresses *addresses, uint64_t key);
