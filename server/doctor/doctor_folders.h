/* Looks at the data directory, and where drivers keep compiled shaders. */
#pragma once

#include "doctor/doctor_note.h"

/* Adds what it finds. */
void doctor_look_at_folders(struct doctor *doctor);
