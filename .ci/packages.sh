#!/bin/sh
# Installs the Debian packages that are missing: packages.sh build|test|bench|deb. Says what it does;
# needs root or sudo only if something is missing.
set -eu

build="gcc libc6-dev make pkg-config ca-certificates curl libmicrohttpd-dev libjansson-dev
nettle-dev libepoxy-dev libpng-dev libjpeg-dev libisal-dev libcurl4-openssl-dev libegl1 libgles2
libgl1-mesa-dri libmeshoptimizer-dev g++ libdraco-dev libwebp-dev libgif-dev libarchive-dev libzip-dev
libsimdjson-dev libode-dev libseccomp-dev liblapacke-dev libsuitesparse-dev libfreetype-dev
fonts-dejavu-core"
# Without these there are no MP4 and WebM, which few need; FFmpeg has hundreds of dependencies.
video="libavcodec-dev libavformat-dev libswscale-dev"
# Without it `pose --show sixel` says that it cannot.
sixel="libsixel-dev"
test="libcmocka-dev clang clang-format python3 python3-yaml python3-prometheus-client python3-pil git
python3-numpy mypy python3-pip python3-setuptools python3-wheel faketime strace ffmpeg $video
$sixel libsixel-bin zsh fish"
deb="build-essential debhelper dpkg-dev fakeroot lintian $video $sixel"
bench="python3 wrk"

case "${1:-build}" in
build) wanted=$build ;;
test)
	wanted="$build $test"
	# Only the tests against three.js and Khronos' validator need Node.
	command -v node >/dev/null || wanted="$wanted nodejs"
	command -v npm >/dev/null || wanted="$wanted npm"
	# Only the tests of the viewer need a browser.
	command -v chromium >/dev/null || wanted="$wanted chromium"
	;;
deb) wanted="$build $deb" ;;
bench) wanted="$build $bench" ;;
*)
	echo "usage: packages.sh build|test|bench|deb" >&2
	exit 2
	;;
esac

missing=""
for package in $wanted; do
	if ! dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed; then
		missing="$missing $package"
	fi
done
[ -n "$missing" ] || exit 0

as_root=""
if [ "$(id -u)" != 0 ]; then
	command -v sudo >/dev/null || {
		echo "missing packages:$missing; install them as root, or install sudo" >&2
		exit 1
	}
	as_root="sudo"
fi
echo "installing missing packages with apt-get:$missing"
$as_root apt-get update -q
# shellcheck disable=SC2086
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -q -y --no-install-recommends $missing
