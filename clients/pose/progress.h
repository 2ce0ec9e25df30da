/* A line on standard error that tells whoever looks at a terminal how far something is. */
#pragma once

/* Writes the line anew; nothing where there is no terminal. */
__attribute__((format(printf, 1, 2))) void progress_show(const char *format, ...);

/* Takes it away. */
void progress_end(void);
