/* Rigs of nothing but joints, for tests, written as a tree of names. */
#pragma once

#include "model/rig.h"

/* "Hips(Spine(Head),Leg)": a rig with one reference. Every joint rests at its parent's origin plus
 * (0, 1, 0). Names hold anything but brackets and commas. */
struct rig *rig_tree(const char *tree);
