#!/bin/sh
# Writes C source with the texts of shaders, for renderer/gl/shaders.h: embed.sh FILE... > shaders.c
set -eu
echo '// Generated from shaders/ by shaders/embed.sh.'
echo '#include "gl/shaders.h"'
echo 'const struct shader_text shader_texts[] = {'
for file in "$@"; do
	printf '\t{"%s",\n' "$(basename "$file")"
	sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/.*/\t\t"&\\n"/' "$file"
	printf '\t},\n'
done
echo '	{NULL, NULL},'
echo '};'
