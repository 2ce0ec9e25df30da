/* The ways of one kernel: plain C, which says what the result is, and the same operations in the
 * same order with AVX2, so that both give the same bits. */
#pragma once

#include "skin/lbs.h"

/* Skins one vertex (numbered within the primitive). */
void lbs_skin_vertex(const struct skin_job *job, const struct primitive *primitive, int vertex);

void lbs_skin_plain(const struct skin_job *job, const struct primitive *primitive);

/* Needs a CPU with AVX2, influence_count a multiple of 4, and no tangents. */
void lbs_skin_avx2(const struct skin_job *job, const struct primitive *primitive);
