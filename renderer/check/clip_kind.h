/* Kinds of clips: loops, those in the air, still poses. */
#pragma once

#include "check/samples.h"

/* Fills loop, likely_loop, airborne, still, seam and range of a clip whose samples are known. */
void check_find_kind(const struct check_asset *asset, struct check_clip *clip);
