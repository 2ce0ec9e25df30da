/* Forms of results that are numbers. */
#pragma once

#include "forms.h"
#include "options.h"

/* The form of vertices; NULL with the sentence on standard error. */
const struct form *vertices_form(const struct arguments *arguments);

/* The form of a bake. */
const struct form *bake_form(const struct arguments *arguments);
