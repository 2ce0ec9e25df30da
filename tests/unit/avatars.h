/* Avatars for tests, made in memory without any importer. */
#pragma once

#include "model/rig.h"

/* Gives a rig an avatar with some of everything that an avatar can have. The rig has at least 16
 * joints, 2 morph weights, a material and 2 images. */
void rig_add_avatar(struct rig *rig);

/* Ends the test where the avatars of two rigs, which both have one, differ. */
void assert_same_avatar(const struct rig *rig, const struct rig *other);
