// Batches of vertices, counted.
#include "model/skin_batch.h"

#include <stdbool.h>

void skin_batch_counts_add(struct skin_batch_counts *all, const struct skin_batch_counts *more) {
	if (more->count == 0) {
		return;
	}
	const bool first = all->count == 0;
	all->count += more->count;
	all->vertices += more->vertices;
	all->gained += more->gained;
	all->fewest_joints = first || more->fewest_joints < all->fewest_joints ? more->fewest_joints
									       : all->fewest_joints;
	all->most_joints =
		more->most_joints > all->most_joints ? more->most_joints : all->most_joints;
}
