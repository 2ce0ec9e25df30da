/* Shared by components.c and components_edges.c. */
#pragma once

#include "skin/methods/components.h"

/* Fills edges from the faces' slots. */
void components_find_edges(struct components *components);
