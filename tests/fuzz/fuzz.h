/* The interface of every harness in this folder: one function that is fed bytes. libFuzzer calls it
 * a thousand times a second with bytes of its own, replay.c once for every file that it is given.
 * It must neither crash nor leak, whatever the bytes are.
 *
 * A new harness is one file fuzz_NAME.c here and a folder seeds/fuzz_NAME, unless run.py gives it
 * another's; a mutate_NAME.c, where there is one, is linked to it for libFuzzer. */
#pragma once

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
