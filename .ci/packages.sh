#!/bin/sh
# Installs the Debian packages that are missing: packages.sh build|test|ci|bench|deb [--missing]. With
# --missing it only names them. Needs root or sudo only if something is missing. V=1 shows all that
# apt-get has to say.
set -eu

build="gcc libc6-dev make pkg-config ca-certificates curl libmicrohttpd-dev libjansson-dev
nettle-dev libepoxy-dev libpng-dev libjpeg-dev libisal-dev libcurl4-openssl-dev
libmeshoptimizer-dev g++ libdraco-dev libwebp-dev libgif-dev libarchive-dev libzip-dev
libsimdjson-dev libzstd-dev libode-dev libseccomp-dev liblapacke-dev libsuitesparse-dev libfreetype-dev
libassimp-dev fonts-dejavu-core esbuild"
# Without these there are no MP4 and WebM, which few need; FFmpeg has hundreds of dependencies.
video="libavcodec-dev libavformat-dev libswscale-dev"
# Without it `pose --show sixel` says that it cannot.
sixel="libsixel-dev"
# What GPUs are drawn with; and Mesa's software driver, which the tests hold posed's rasteriser and the
# shaders against.
driver="libegl1 libgles2 libgl1-mesa-dri"
test="$driver libcmocka-dev clang clang-format python3 python3-yaml python3-jsonschema
python3-prometheus-client python3-pil git python3-numpy python3-pytest mypy python3-pip python3-setuptools python3-wheel faketime strace ffmpeg $video
$sixel libsixel-bin zsh fish"
deb="build-essential debhelper dpkg-dev fakeroot lintian $video $sixel"
bench="python3 wrk"

usage() {
	echo "usage: packages.sh build|test|ci|bench|deb [--missing]" >&2
	exit 2
}

# The kernel's devices for GPUs.
for device in /dev/dri/renderD* /dev/nvidia[0-9]*; do
	[ ! -e "$device" ] || build="$build $driver"
done

case "${1:-build}" in
build) wanted=$build ;;
test | ci)
	wanted="$build $test"
	# Installing nginx starts a server on port 80, which `make test` must not do to a user's machine.
	[ "$1" = test ] || wanted="$wanted nginx-light"
	# Only the tests against three.js and Khronos' validator need Node.
	command -v node >/dev/null || wanted="$wanted nodejs"
	command -v npm >/dev/null || wanted="$wanted npm"
	# Only the tests of the viewer need a browser.
	wanted="$wanted chromium-headless-shell"
	;;
deb) wanted="$build $deb" ;;
bench) wanted="$build $bench" ;;
*) usage ;;
esac

case "${2:-}" in
--missing) only_name_them=yes ;;
"") only_name_them=no ;;
*) usage ;;
esac

command -v dpkg-query >/dev/null || {
	[ $only_name_them = yes ] && exit 0
	echo "this is not Debian: install what .ci/packages.sh lists, and run make" >&2
	exit 1
}
missing=""
for package in $wanted; do
	if ! dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed; then
		missing="$missing $package"
	fi
done
if [ $only_name_them = yes ]; then
	echo "$missing"
	exit 0
fi
[ -n "$missing" ] || exit 0

as_root=""
if [ "$(id -u)" != 0 ]; then
	command -v sudo >/dev/null || {
		echo "missing packages:$missing; install them as root, or install sudo" >&2
		exit 1
	}
	as_root="sudo"
fi

# quietly APT-GET-ARGUMENT...: a line for each fifth of an installation; all that apt-get said if it
# fails.
quietly() {
	if [ "${V:-}" = 1 ]; then
		$as_root env DEBIAN_FRONTEND=noninteractive apt-get -q "$@"
		return
	fi
	# The third file is opened within sudo, which closes all but the first three.
	{ $as_root env DEBIAN_FRONTEND=noninteractive sh -c \
		'exec apt-get -q -o APT::Status-Fd=3 -o Dpkg::Use-Pty=0 "$@" 3>&1 2>&1' apt-get "$@" ||
		echo "apt-get failed"; } | awk -F : -v command="$1" '
		function show(done, percent) {
			if (command != "install" || int(percent / 20) <= shown[done]) return
			shown[done] = int(percent / 20)
			printf "  %s: %d%%\n", done, shown[done] * 20
			fflush()
		}
		$1 == "dlstatus" { show("downloaded", $3); next }
		$1 == "pmstatus" { show("installed", $3); next }
		{ said = said $0 "\n" }
		$0 == "apt-get failed" { failed = 1 }
		END {
			if (failed) printf "%s", said
			else show("installed", 100)
			exit failed
		}'
}

# shellcheck disable=SC2086
echo "installing $(echo $missing | wc -w) missing packages and what they need with apt-get:$missing"
quietly update
# shellcheck disable=SC2086
quietly install -y --no-install-recommends $missing
