/* Sets that grow together, as trees of parents in one array: at first every number is a set. */
#pragma once

static inline void disjoint_sets_init(int *parents, int count) {
	for (int i = 0; i < count; i++) {
		parents[i] = i;
	}
}

/* The lowest number of the set that one is in; its tree gets shorter on the way. */
static inline int disjoint_sets_find(int *parents, int number) {
	while (parents[number] != number) {
		parents[number] = parents[parents[number]];
		number = parents[number];
	}
	return number;
}

/* Makes two sets one; the lower root stays one. */
static inline void disjoint_sets_join(int *parents, int a, int b) {
	const int left = disjoint_sets_find(parents, a), right = disjoint_sets_find(parents, b);
	if (left < right) {
		parents[right] = left;
	} else {
		parents[left] = right;
	}
}
