/* The shaders' texts, embedded by the Makefile: no shader is read at run time. */
#pragma once

#include "base/embedded.h"

/* Generated: all files of shaders/ and shaders/include/, ended by a NULL name. */
extern const struct embedded_text shader_texts[];
