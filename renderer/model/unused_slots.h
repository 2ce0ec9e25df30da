/* Palette slots that no vertex has a weight for. */
#pragma once

#include "model/rig.h"

/* Takes the slots that move no vertex out of a filled rig, and renumbers the others: what methods
 * find out about a skin's bones and its unit then depends on joints that move vertices alone. Files
 * list many others: a control rig's, the ends of fingers. A primitive without vertices keeps one
 * slot, since each has one.
 *
 * rig  nobody else has it yet; its influences name slots of their primitive */
void rig_drop_unused_slots(struct rig *rig);
