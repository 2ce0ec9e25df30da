#!/bin/sh
# make test-fresh: a bare Debian 12 in a folder, with git and make, a clone of what is committed here,
# and the two commands of the README in it: run.sh [FOLDER], by default build/fresh. The closing line
# is "fresh: N passed, N failed, N skipped".
#
# All mounts are in a namespace of their own, and go with its processes, however this ends. Packages
# and the bare system stay in FOLDER for the next time.
set -eu
here=$(realpath "$(dirname "$0")")
source=$(realpath "$here/../..")
mkdir -p "${1:-$source/build/fresh}"
folder=$(realpath "${1:-$source/build/fresh}")
release=bookworm
root=$folder/root
base=$folder/$release.tar

skip() {
	echo "SKIPPED test-fresh: $1"
	echo "fresh: 0 passed, 0 failed, 1 skipped"
	exit 0
}

[ "$(id -u)" = 0 ] || skip "it makes a Debian to chroot into, which takes root: sudo make test-fresh"
unshare --mount --pid --fork true 2>/dev/null || skip "there are no namespaces of mounts and processes here"
maker=$(command -v mmdebstrap || command -v debootstrap) || skip "neither mmdebstrap nor debootstrap is here"
if git -C "$source" status --porcelain 2>/dev/null | grep -q .; then
	echo "test-fresh: changes that are not committed are not in the clone"
fi

# The mirrors that this machine uses, if it is a Debian.
mirror_of() {
	apt-get indextargets --format '$(REPO_URI)' 'Identifier: Packages' 2>/dev/null |
		grep -E "/$1/?\$" | head -n 1 | sed 's|/$||'
}
mirror=$(mirror_of debian)
security=$(mirror_of debian-security)
mirror=${mirror:-http://deb.debian.org/debian}
security=${security:-http://deb.debian.org/debian-security}
packages=git,make
case $mirror$security in *https:*) packages=$packages,ca-certificates ;; esac

make_base() {
	echo "test-fresh: making a bare Debian 12 from $mirror"
	printf 'deb %s main\n' "$mirror $release" "$mirror $release-updates" \
		"$security $release-security" > "$folder/sources.list"
	rm -rf "$folder/bare"
	case $maker in
	*mmdebstrap)
		mmdebstrap --quiet --format=tar --variant=minbase --include=$packages $release "$base.part" \
			"$folder/sources.list"
		;;
	*)
		debootstrap --variant=minbase --include=$packages $release "$folder/bare" "$mirror" \
			> "$folder/debootstrap.log" || { cat "$folder/debootstrap.log"; return 1; }
		cp "$folder/sources.list" "$folder/bare/etc/apt/sources.list"
		tar --numeric-owner -C "$folder/bare" -cf "$base.part" .
		rm -rf "$folder/bare"
		;;
	esac
	mv "$base.part" "$base"
}

# Proxies and certificate authorities that this machine needs for its way to the mirrors.
lend_network() {
	cp /etc/resolv.conf "$root/etc/resolv.conf"
	echo "127.0.0.1 localhost" > "$root/etc/hosts"
	apt-config dump 2>/dev/null | grep -E '^Acquire::(http|https)::Proxy' \
		> "$root/etc/apt/apt.conf.d/90proxy" || true
	mkdir -p "$root/usr/local/share/ca-certificates"
	[ ! -e /etc/ssl/certs/ca-certificates.crt ] || awk -v folder="$root/usr/local/share/ca-certificates" '
		/-----BEGIN CERTIFICATE-----/ { file = folder "/host-" ++count ".crt" }
		{ print > file }
		/-----END CERTIFICATE-----/ { close(file) }' /etc/ssl/certs/ca-certificates.crt
}

rm -rf "$root"
mkdir -p "$root" "$folder/packages/partial" "$folder/npm"
trap 'rm -rf "$root"' EXIT
trap 'exit 130' INT TERM HUP
if ! [ -e "$base" ] || [ -n "$(find "$base" -mtime +7)" ]; then
	make_base
fi
tar --numeric-owner -C "$root" -xf "$base"
lend_network
git -C "$source" bundle create --quiet "$root/posed.bundle" HEAD
cp "$here/inside.sh" "$root/inside.sh"

# Devices by name: those of a GPU are not for a bare system.
status=0
# shellcheck disable=SC2016
unshare --mount --pid --fork --kill-child sh -euc '
	root=$1 folder=$2
	mount -t proc proc "$root/proc"
	mount -t sysfs -o ro sysfs "$root/sys"
	mount -t tmpfs -o mode=755 dev "$root/dev"
	for name in null zero full random urandom tty; do
		touch "$root/dev/$name"
		mount --bind "/dev/$name" "$root/dev/$name"
	done
	mkdir "$root/dev/pts" "$root/dev/shm"
	mount -t devpts -o newinstance,ptmxmode=666 devpts "$root/dev/pts"
	mount -t tmpfs shm "$root/dev/shm"
	ln -s pts/ptmx "$root/dev/ptmx"
	ln -s /proc/self/fd "$root/dev/fd"
	mkdir -p "$root/root/.npm"
	mount --bind "$folder/packages" "$root/var/cache/apt/archives"
	mount --bind "$folder/npm" "$root/root/.npm"
	status=0
	env -i HOME=/root LANG=C.UTF-8 TERM="${TERM:-dumb}" \
		PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
		${no_proxy:+no_proxy="$no_proxy"} ${V:+V="$V"} \
		chroot "$root" sh /inside.sh || status=$?
	exit $status' sh "$root" "$folder" || status=$?
cp "$root"/root/*.log "$folder" 2>/dev/null || true
echo "test-fresh: what was said is in $folder/*.log"
exit $status
