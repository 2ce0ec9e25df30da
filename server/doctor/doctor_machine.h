/* Looks at processor, limits, sandbox. */
#pragma once

#include "doctor/doctor_note.h"

/* Adds what it finds. */
void doctor_look_at_machine(struct doctor *doctor);
