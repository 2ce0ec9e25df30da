#!/bin/sh
# Holds the includes against the directions that the folders may depend in: one line per rule.
set -eu
cd "$(dirname "$0")/.."
failed=0

# forbid WHAT REGEX FOLDER...: no file below the folders includes anything that matches.
forbid() {
	what=$1 regex=$2
	shift 2
	if found=$(grep -rnE --include='*.[ch]' --include='*.cpp' "#include [<\"]($regex)" "$@"); then
		printf 'check_direction: %s\n%s\n' "$what" "$found"
		failed=1
	fi
}

# allow WHAT REGEX FOLDER...: nobody but these folders includes what matches.
allow() {
	what=$1 regex=$2
	shift 2
	pattern=$(printf '%s\n' "$@" | paste -sd '|')
	if found=$(grep -rnE --include='*.[ch]' --include='*.cpp' "#include [<\"]($regex)" \
		server renderer protocol clients | grep -vE "^($pattern)"); then
		printf 'check_direction: %s\n%s\n' "$what" "$found"
		failed=1
	fi
}

allow 'GL and EGL only in renderer/gl' 'epoxy/|GLES|EGL|GL/' renderer/gl/
allow 'jansson only in protocol' 'jansson' protocol/
allow 'simdjson only in renderer/import and protocol' 'simdjson' renderer/import/ protocol/json_
allow 'libmicrohttpd only in server' 'microhttpd' server/
allow 'libseccomp only in server' 'seccomp' server/
allow 'libpng only in renderer/image and renderer/import' 'png\.h' renderer/image/ renderer/import/
allow 'libjpeg only in renderer/image and renderer/import' 'jpeglib|jerror' renderer/image/ renderer/import/
allow 'meshoptimizer only in renderer/import and renderer/export' 'meshoptimizer' renderer/import/ \
	renderer/export/
allow 'Draco only in renderer/import' 'draco/' renderer/import/
allow 'libwebp only in renderer/image and renderer/import' 'webp/' renderer/image/ renderer/import/
allow 'giflib and libarchive only in renderer/image' 'gif_lib|archive' renderer/image/
allow 'FFmpeg only in renderer/image' 'libav|libsw' renderer/image/
allow 'libzip only in renderer/import' 'zip\.h' renderer/import/
allow 'LAPACK and CHOLMOD only in renderer/algebra' 'lapack|cblas|suitesparse|cholmod' renderer/algebra/
allow 'ODE only in renderer/physics' 'ode/' renderer/physics/
allow 'FreeType only where letters are made' 'ft2build|freetype/' renderer/image/generate/
allow 'libcurl only in clients' 'curl/' clients/
allow 'libsixel only in clients' 'sixel/' clients/

# A clock that people set must not decide how long anything takes. Who may look at it: the log; when
# a signed link ends, which is a date that its signer chose; the date of the start among the metrics;
# and the dates of files in the cache, which say no more than which were used last.
wall_clock='renderer/base/log\.c|server/api_signed\.c|server/metrics[a-z_]*\.[ch]|server/cache_disk[a-z_]*\.c'
if found=$(grep -rnE --include='*.[ch]' --include='*.cpp' \
	'CLOCK_REALTIME|gettimeofday|[^_a-z]time\((NULL|&)|(local|gm)time|cond_timedwait' \
	server renderer protocol clients | grep -vE "^($wall_clock):"); then
	printf 'check_direction: the wall clock where it is not allowed\n%s\n' "$found"
	failed=1
fi

# How long a comparison of secrets takes must not tell how much of one was right.
for file in server/tokens.c server/signature.c; do
	if grep -nE '(mem|str|strn|strcase)cmp *\(' $file || ! grep -q 'memeql_sec(' $file; then
		printf 'check_direction: %s compares with memeql_sec only\n' $file
		failed=1
	fi
done

folders='interface|import|export|pose|skin|gl|view|image|overlay'
others() { # NAME: all of these but one, for a folder that includes none of its neighbours
	printf '%s\n' "$folders" | tr '|' '\n' | grep -vx "$1" | paste -sd '|'
}

forbid 'base depends on nothing' "(model|$folders)/|renderer" renderer/base
forbid 'model depends on base only' "($folders)/|renderer" renderer/model
for folder in import export pose skin gl view; do
	forbid "$folder depends on base and model only" "($(others $folder))/|renderer" \
		"renderer/$folder"
done
forbid 'mesh depends on base, model and algebra only' "($folders)/|renderer" renderer/mesh
forbid 'physics depends on base only' "(model|mesh|algebra|fit|$folders)/|renderer" renderer/physics
forbid 'image depends on base only' "(model|$(others image))/|renderer" renderer/image
forbid 'protocol depends on base only' "(model|$folders)/|renderer" protocol
forbid 'the server knows of the renderer only renderer.h, base and model' \
	"($folders)/|state/|skinned/|picture/|reel/|crowd/|compare/|portable/" server
exit $failed
