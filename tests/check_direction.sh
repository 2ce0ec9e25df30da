#!/bin/sh
# Holds the includes against the directions that the folders may depend in: one line per rule.
set -eu
cd "$(dirname "$0")/.."
failed=0

# allow WHAT REGEX FOLDER...: nobody but these folders includes what matches.
allow() {
	what=$1 regex=$2
	shift 2
	pattern=$(printf '%s\n' "$@" | paste -sd '|')
	if found=$(grep -rnE --include='*.[ch]' --include='*.cpp' "#include [<\"]($regex)" \
		server sandbox renderer protocol clients | grep -vE "^($pattern)"); then
		printf 'check_direction: %s\n%s\n' "$what" "$found"
		failed=1
	fi
}

allow 'GL and EGL only in renderer/gl' 'epoxy/|GLES|EGL|GL/' renderer/gl/
allow 'jansson only in protocol' 'jansson' protocol/
allow 'simdjson only in json_walk.hpp and its includers' 'simdjson' renderer/base/json_walk.hpp
allow 'libmicrohttpd only in server' 'microhttpd' server/
allow 'libseccomp only in sandbox' 'seccomp' sandbox/
allow 'libpng only in renderer/image and renderer/import' 'png\.h' renderer/image/ renderer/import/
allow 'libjpeg only in renderer/image and renderer/import' 'jpeglib|jerror' renderer/image/ renderer/import/
allow 'meshoptimizer only in renderer/import and renderer/export' 'meshoptimizer' renderer/import/ \
	renderer/export/
allow 'Draco only in renderer/import' 'draco/' renderer/import/
allow 'libwebp only in renderer/image and renderer/import' 'webp/' renderer/image/ renderer/import/
allow 'giflib and libarchive only in renderer/image' 'gif_lib|archive' renderer/image/
allow 'FFmpeg only in renderer/image' 'libav|libsw' renderer/image/
allow 'libzip only in renderer/import' 'zip\.h' renderer/import/
allow 'Zstandard only in renderer/import' 'zstd\.h' renderer/import/
allow 'LAPACK and CHOLMOD only in renderer/algebra' 'lapack|cblas|suitesparse|cholmod' renderer/algebra/
allow 'ODE only in renderer/physics' 'ode/' renderer/physics/
allow 'FreeType only where letters are made' 'ft2build|freetype/' renderer/image/generate/
allow 'libcurl only in clients' 'curl/' clients/
allow 'libsixel only in clients' 'sixel/' clients/

# A clock that people set must not decide how long anything takes. Who may look at it: the log; when
# a signed link ends, which is a date that its signer chose; the date of the start among the metrics;
# the dates of files in the cache, which say no more than which were used last; and when a suppression
# of a finding ends, which is a date that its author chose.
wall_clock='clients/pose/check_options\.c|renderer/base/log\.c|server/access/link\.c|server/api/asset_check_report\.c|server/metrics/metrics[a-z_]*\.[ch]|server/cache/cache_disk[a-z_]*\.c'
if found=$(grep -rnE --include='*.[ch]' --include='*.cpp' \
	'CLOCK_REALTIME|gettimeofday|[^_a-z]time\((NULL|&)|(local|gm)time|cond_timedwait' \
	server sandbox renderer protocol clients | grep -vE "^($wall_clock):"); then
	printf 'check_direction: the wall clock where it is not allowed\n%s\n' "$found"
	failed=1
fi

# The time of a comparison of secrets must not tell how much of one was right.
for file in server/access/tokens.c server/access/signature.c; do
	if grep -nE '(mem|str|strn|strcase)cmp *\(' $file || ! grep -q 'memeql_sec(' $file; then
		printf 'check_direction: %s compares with memeql_sec only\n' $file
		failed=1
	fi
done

# Each folder, and those that its files may include besides their own; none but such as have a line
# further up, so that no arrow leads back. `interface` is renderer.h with renderer/interface,
# `renderer` is renderer.c, `shaders` the numbers that C and GLSL share; `server/main` is main.c with
# commands.c.
may_include='
clients/c:
base:
model: base clients/c
algebra: base
physics: base
image: base
shaders:
draw: base model shaders
gl: base model shaders draw
raster: base model shaders draw
view: base model
import: base model
export: base model
mesh: base model algebra
pose: base model physics
fit: base model algebra mesh pose
skin: base model algebra mesh fit shaders
methods: base model algebra mesh fit skin shaders
compress: base model pose clients/c
interface: base model image export skin
optimise: base model import compress export pose interface
state: base model draw image skin interface
assets: base model image import export interface
skinned: base model draw fit pose skin view interface state
animation: base model export pose skin compress interface state skinned
check: base model mesh pose skin view interface state skinned
shading: base model draw image pose skin methods view skinned state
overlay: base draw image mesh pose view interface state skinned shading
picture: base draw image pose view interface state skinned shading overlay
sequence: base image pose view interface state skinned picture
against: base model image pose skin view interface state skinned picture check
evidence: base model image pose view interface state skinned picture sequence check
crowd: base draw pose skin view interface state skinned picture
compare: base image view interface state skinned picture
bake_export: base model export image pose skin interface state skinned
renderer: base import pose interface skinned
protocol: base
checks: base protocol
describe: base model interface protocol
sandbox: base model interface protocol
server/metrics: base protocol
server/access: base interface protocol
server/config: base interface protocol sandbox server/access
server/store: base model interface protocol sandbox
server/work: base model interface protocol describe server/metrics server/store
server/cache: base protocol server/store
server/http: base model interface protocol server/metrics sandbox server/access server/config server/store server/work server/cache
server/api: base model interface protocol checks describe server/metrics sandbox server/access server/store server/work server/cache server/http
server/doctor: base interface protocol sandbox server/config server/store server/http
server/main: base protocol server/metrics sandbox server/access server/config server/store server/work server/cache server/http server/api server/doctor
clients/pose: base interface protocol checks describe sandbox clients/c
'
found=$(grep -rE --include='*.[ch]' --include='*.cpp' '^#include "' renderer protocol sandbox server clients |
	awk -v table="$may_include" '
	function exists(path, line, got) {
		got = (getline line < path) >= 0
		close(path)
		return got
	}
	function folder_of(path, parts) {
		if (path ~ /^renderer\/(interface\/|renderer\.h$)/) return "interface"
		if (path ~ /^protocol\/describe\//) return "describe"
		if (path ~ /^protocol\/checks\//) return "checks"
		split(path, parts, "/")
		if (path ~ /^renderer\/skin\/methods\//) return "methods"
		if (path ~ /^server\/[a-z]+\//)
			return parts[1] "/" parts[2]
		if (path ~ /^server\/(main|commands)\./) return "server/main"
		if (parts[1] == "renderer") return path ~ /\/.*\// ? parts[2] : parts[1]
		return parts[1] == "clients" ? parts[1] "/" parts[2] : parts[1]
	}
	# The file that the compiler finds for an include: beside the file, or in a folder that -iquote names.
	function place_of(file, header, folders, i) {
		if (header ~ /\.\./) return "a way around"
		sub(/[^\/]*$/, "", file)
		if (exists(file header)) return file header
		split("renderer protocol server shaders/include clients/c", folders, " ")
		for (i = 1; i in folders; i++)
			if (exists(folders[i] "/" header)) return folders[i] "/" header
		return exists(header) ? header : "nowhere"
	}
	BEGIN {
		count = split(table, rows, "\n")
		for (i = 1; i <= count; i++) {
			fields = split(rows[i], row, /:? +|:$/)
			known[row[1]] = 1
			for (k = 2; k <= fields && row[k] != ""; k++) {
				if (!(row[k] in known)) print "the table leads back: " row[1] " to " row[k]
				may[row[1], row[k]] = 1
			}
		}
		FS = "[:\"]"
	}
	{
		from = folder_of($1)
		to = folder_of(place_of($1, $3))
		if (from != to && !((from, to) in may)) print $1 ": " $3 " (" from " to " to ")"
	}')
if [ -n "$found" ]; then
	printf 'check_direction: includes against the table\n%s\n' "$found"
	failed=1
fi
exit $failed
