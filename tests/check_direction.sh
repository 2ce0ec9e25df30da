#!/bin/sh
# Holds the includes against the directions that the folders may depend in: one line per rule.
set -eu
cd "$(dirname "$0")/.."
failed=0

# forbid WHAT REGEX FOLDER...: no file below the folders includes anything that matches.
forbid() {
	what=$1 regex=$2
	shift 2
	if found=$(grep -rnE --include='*.[ch]' "#include [<\"]($regex)" "$@"); then
		printf 'check_direction: %s\n%s\n' "$what" "$found"
		failed=1
	fi
}

# allow WHAT REGEX FOLDER...: nobody but these folders includes what matches.
allow() {
	what=$1 regex=$2
	shift 2
	pattern=$(printf '%s\n' "$@" | paste -sd '|')
	if found=$(grep -rnE --include='*.[ch]' "#include [<\"]($regex)" \
		server renderer protocol clients | grep -vE "^($pattern)"); then
		printf 'check_direction: %s\n%s\n' "$what" "$found"
		failed=1
	fi
}

allow 'GL and EGL only in renderer/gl' 'epoxy/|GLES|EGL|GL/' renderer/gl/
allow 'jansson only in protocol and renderer/import' 'jansson' protocol/ renderer/import/
allow 'libmicrohttpd only in server' 'microhttpd' server/
allow 'libpng only in renderer/image and renderer/import' 'png\.h' renderer/image/ renderer/import/
allow 'libjpeg only in renderer/import' 'jpeglib|jerror' renderer/import/
allow 'libcurl only in clients' 'curl/' clients/

forbid 'base depends on nothing' 'model/|import/|pose/|skin/|gl/|view/|image/|renderer' renderer/base
forbid 'model depends on base only' 'import/|pose/|skin/|gl/|view/|image/|renderer' renderer/model
forbid 'import depends on base and model only' '(pose|skin|gl|view|image)/|renderer' renderer/import
forbid 'pose depends on base and model only' '(import|skin|gl|view|image)/|renderer' renderer/pose
forbid 'skin depends on base and model only' '(import|pose|gl|view|image)/|renderer' renderer/skin
forbid 'gl depends on base and model only' '(import|pose|skin|view|image)/|renderer' renderer/gl
forbid 'view depends on base and model only' '(import|pose|skin|gl|image)/|renderer' renderer/view
forbid 'image depends on base only' '(model|import|pose|skin|gl|view)/|renderer' renderer/image
forbid 'protocol depends on base only' '(model|import|pose|skin|gl|view|image)/|renderer' protocol
forbid 'the server knows of the renderer only renderer.h, base and model' \
	'(import|pose|skin|gl|view|image)/|renderer_internal' server
exit $failed
