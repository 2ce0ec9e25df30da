/* A clip's keys -> an animation of a glTF document. */
#pragma once

#include "base/error.h"
#include "export/glb.h"
#include "model/clip.h"

/* Adds a clip, key by key as it is, whose joints' positions are the nodes' indices. Channels that
 * share their times share an accessor. A clip without channels is none in glTF, where lists are not
 * empty.
 *
 * numbers  takes the keys' memory: to be kept until glb_write, then freed, also after a failure
 * Fails with ERROR_TOO_LARGE. */
bool keys_add(struct glb *glb, const struct clip *clip, float **numbers, struct error *err);
