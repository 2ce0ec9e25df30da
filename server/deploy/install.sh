#!/bin/sh
# Puts everything that belongs to an installation in its place: for `make install`, the Debian package
# and the container. install.sh PROGRAMS: the folder that the programs were built into. From the
# environment: PREFIX, DESTDIR (before every path), SYSCONFDIR, UNITDIR.
set -eu
programs=$(realpath "$1")
prefix=${PREFIX:-/usr/local}
root=${DESTDIR:-}
case $prefix in
/usr | /usr/local) sysconfdir=${SYSCONFDIR:-/etc} ;;
*) sysconfdir=${SYSCONFDIR:-$prefix/etc} ;;
esac
# Where zsh looks: Debian's own for packages, else what is put there by hand.
case $prefix in
/usr) zsh=zsh/vendor-completions ;;
*) zsh=zsh/site-functions ;;
esac
unitdir=${UNITDIR:-$prefix/lib/systemd/system}
here=$(dirname "$0")
assets=$here/../../assets

# put MODE FOLDER FILE...
put() {
	mode=$1 folder=$root$2
	shift 2
	install -d "$folder"
	install -m "$mode" "$@" "$folder"
}

made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
"$here/man.sh" posed "$programs/posed" "the pose daemon" > "$made/posed.1"
"$here/man.sh" pose "$programs/pose" "the client of the pose daemon" > "$made/pose.1"
mkdir "$made/bash" "$made/zsh" "$made/fish"
"$programs/pose" completion bash > "$made/bash/pose"
"$programs/pose" completion zsh > "$made/zsh/_pose"
"$programs/pose" completion fish > "$made/fish/pose.fish"
sed -e "s|@PREFIX@|$prefix|" -e "s|@SYSCONFDIR@|$sysconfdir|" "$here/posed.service" > "$made/posed.service"

put 755 "$prefix/bin" "$programs/posed" "$programs/pose"
put 644 "$prefix/share/posed/rigs" "$assets"/demo/*.glb
put 644 "$prefix/share/posed" "$here/../../protocol/openapi.yaml"
# Each with its header: programs compile them with their own sources.
put 644 "$prefix/share/posed/c" "$here/../../clients/c/posed.h" "$here/../../clients/c/posed.c" \
	"$programs/pclip.h" "$programs/pclip.c"
put 644 "$prefix/share/man/man1" "$made/posed.1" "$made/pose.1"
put 644 "$prefix/share/bash-completion/completions" "$made/bash/pose"
put 644 "$prefix/share/$zsh" "$made/zsh/_pose"
put 644 "$prefix/share/fish/vendor_completions.d" "$made/fish/pose.fish"
put 644 "$unitdir" "$made/posed.service"
# Somebody may have changed it.
[ -e "$root$sysconfdir/posed/posed.conf" ] || put 644 "$sysconfdir/posed" "$here/posed.conf"
