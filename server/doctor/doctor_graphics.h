/* What the facts about graphics mean. The looking (doctor_gpu.h, doctor_vendors.h,
 * doctor_survey.h) stands apart from the judging, which so can be tested on machines that are not
 * there. */
#pragma once

#include "doctor/doctor_note.h"
#include "doctor/doctor_survey.h"

/* Says what the facts mean. */
void doctor_judge_graphics(struct doctor *doctor, const struct graphics_facts *facts);
