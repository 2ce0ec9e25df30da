#!/bin/sh
# Makes the Debian package of programs that are built already, and has lintian judge it:
# deb.sh PROGRAMS OUT. Who makes it is said by DEBFULLNAME and DEBEMAIL, as with all of Debian's tools.
set -eu
programs=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
stage=$out/stage/posed
rm -rf "$out/stage"
mkdir -p "$stage"
cp -r "$here/debian" "$stage"

version=$("$programs/posed" --version | cut -d ' ' -f 2)
maintainer="${DEBFULLNAME:-The posed authors} <${DEBEMAIL:-posed@users.noreply.github.com}>"
# The same source makes the same package.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$here" log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
date=$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")
sed -i -e "s|@VERSION@|$version|" -e "s|@MAINTAINER@|$maintainer|" -e "s|@DATE@|$date|" \
	"$stage/debian/control" "$stage/debian/changelog"

unset MAKEFLAGS # the making of the package is no part of this make
(cd "$stage" && INSTALL="$here/install.sh" PROGRAMS="$programs" dpkg-buildpackage -b -us -uc)
cp "$out"/stage/*.deb "$out"
lintian --fail-on error,warning "$out"/stage/*.changes
echo "made:" "$out"/posed_*.deb
