/* The part of rig_check() that is about VRM. */
#pragma once

#include "model/rig.h"

/* The letters of the keys of an avatar's facts: all that VRM's have. */
#define AVATAR_KEY_LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

/* Holds rig->avatar, which is not NULL, against the rules beside its members in avatar.h. The rig's
 * joints, materials and images have been checked. False with ERROR_BROKEN_ASSET and the
 * place. */
bool avatar_check(const struct rig *rig, struct error *err);
